package live

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/journal"
)

// act is one step of a played day: a sentence of the shoe when seq is set, else a command.
type act struct {
	seq      uint32
	notation string
}

// day is two shoes and two rounds with a split, a stop and a card nobody was due.
func day() []act {
	lines := []string{
		"dealer D-7", "table open by S-1", "shoe 1 by S-1", "open", "close 3,5",
		"draw 8h", "draw Ts", "draw 9d", "draw 8c", "draw 7d", "draw 7h",
		"split 3a", "draw 3d", "double 3a", "draw Kc", "draw Td", "stand 3b", "stop", "release it", "hit 5a", "draw 2s", "stand 5a",
		"draw 5s", "open", "close 1", "draw Ah", "void by S-1", "retire by S-1", "shoe 2 by S-1", "open",
	}
	var acts []act
	n := uint32(0)
	for _, line := range lines {
		a := act{notation: line}
		if line[:4] == "draw" {
			n++
			a.seq = n
		}
		acts = append(acts, a)
	}
	return acts
}

func dayConfig(c *Config) {
	c.GameName, c.New, c.SegmentPerShoe = "blackjack", newBlackjack(), true
}

// player plays a day at desks that crash, as a shoe and a game server would: what was not acknowledged is sent again, unless the
// record is known to hold it, and a command without a reply is asked again by the same id.
type player struct {
	t       *testing.T
	dir     string
	spoil   func(d *desk) // is put before each program's loop
	crashes int
}

// play plays the acts, starting the program again as often as it ends, and gives the last desk.
func (p *player) play(acts []act) *desk {
	p.t.Helper()
	d := p.start()
	for i := 0; i < len(acts); {
		if done := p.try(d, i, acts[i]); done {
			i++
			continue
		}
		p.crashed(d)
		d = p.start()
		p.release(d)
		if s := d.live.Resume("shoe"); acts[i].seq > 0 && s.Seq >= acts[i].seq {
			i++ // it stands in the record: the shoe is told so and forgets it
		}
	}
	return d
}

func (p *player) start() *desk {
	p.t.Helper()
	d := mustSit(p.t, p.dir, dayConfig)
	p.spoil(d)
	return d.run()
}

// crashed checks what a program that died had let out, and lets go of its record.
func (p *player) crashed(d *desk) {
	p.t.Helper()
	p.crashes++
	if err := <-d.ended; !errors.Is(err, errDisk) || len(d.halts) == 0 {
		p.t.Fatalf("the program ended with %v and halted %d times", err, len(d.halts))
	}
	durable := d.live.journal.Durable()
	if seq := d.last().Seq; seq > durable {
		p.t.Fatalf("entry %d was shown, and %d are durable", seq, durable)
	}
	for _, r := range d.replies {
		if r.OK && r.Seq > durable {
			p.t.Fatalf("entry %d was confirmed, and %d are durable", r.Seq, durable)
		}
	}
	d.close()
}

// release lets the table go on after restarts in a round, as far as nothing older stops it.
func (p *player) release(d *desk) {
	p.t.Helper()
	for _, s := range d.last().Floor.Stops {
		if s.Code != table.Restart.String() {
			return
		}
		if !s.Later {
			d.ask(fmt.Sprintf("release %d", s.Irregularity), fmt.Sprintf("release %d device by S-1", s.Irregularity))
		}
	}
}

// try takes one act to the desk and says whether its sender got an answer.
func (p *player) try(d *desk, i int, a act) bool {
	p.t.Helper()
	if a.seq > 0 {
		before := len(d.acked)
		d.device(a.seq, a.notation)
		return len(d.acked) > before
	}
	notation := a.notation
	if a.notation == "release it" {
		for _, s := range d.last().Floor.Stops {
			if s.Code == table.StopPressed.String() {
				notation = fmt.Sprintf("release %d by S-1", s.Irregularity)
			}
		}
		if notation == a.notation { // it was released before the crash
			notation = "release 1 by S-1"
		}
	}
	r := d.ask(fmt.Sprint("act ", i), notation)
	if r.OK && r.Seq > 0 && notation != a.notation {
		p.release(d)
	}
	if r != (table.Reply{}) && !r.OK && r.Code != table.Busy && r.Code != table.StopPressed {
		p.t.Fatalf("%s: %+v", a.notation, r)
	}
	return r != (table.Reply{}) && r.Code != table.Busy
}

var errDisk = errors.New("the disk fails")

// essence is what a day comes to, however often the program was started in it: the events without their numbers, refusals and
// what the restarts brought with them.
func essence(t *testing.T, j *journal.Journal) []string {
	t.Helper()
	var list []string
	for _, e := range entries(t, j) {
		switch e.Event.Kind {
		case table.Started:
			continue
		case table.Release:
			if bytes.HasPrefix([]byte(e.From.Command), []byte("release")) {
				continue
			}
			e.Event.N = 0
		}
		list = append(list, e.Event.String())
	}
	return list
}

// replayed is the state that follows from all of a record, stepped by a game that never saw a segment's end.
func replayed(t *testing.T, j *journal.Journal) table.Layout {
	t.Helper()
	game := newBlackjack()(table.Opening{})
	for _, e := range entries(t, j) {
		game.Step(e.Event, nil)
	}
	return game.Layout()
}

// The disk fails at each entry in turn, with the entry written or not. Nothing gets lost, nothing is taken twice, and
// nobody had heard of what is not there.
func TestADayOnADiskThatFailsAtEachEntry(t *testing.T) {
	want := []string(nil)
	synctest.Test(t, func(t *testing.T) {
		d := (&player{t: t, dir: t.TempDir(), spoil: func(*desk) {}}).play(day())
		want = essence(t, d.live.journal)
		d.leave()
	})
	if len(want) != len(day()) {
		t.Fatalf("%d events of %d acts", len(want), len(day()))
	}
	for _, written := range []bool{false, true} {
		for every := 1; every <= len(want); every++ {
			synctest.Test(t, func(t *testing.T) { crashEvery(t, every, written, want) })
		}
	}
}

// crashEvery plays a day on a disk that fails once at the entry that is so many after each start, and checks what stands in the record.
func crashEvery(t *testing.T, every int, written bool, want []string) {
	failures := 0
	p := &player{t: t, dir: t.TempDir()}
	p.spoil = func(d *desk) {
		appended, n := d.live.append, 0
		d.live.append = func(e *journal.Entry) error {
			if n++; n != every+1 || failures > 3 {
				return appended(e)
			}
			failures++
			if written {
				appended(e)
			}
			return errDisk
		}
	}
	d := p.play(day())
	got := essence(t, d.live.journal)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("failing every %d (written %v):\n%q\nwant\n%q", every, written, got, want)
	}
	if a, b := plain(table.Snapshot{Layout: replayed(t, d.live.journal)}), plain(table.Snapshot{Layout: d.live.game.Layout()}); a != b {
		t.Errorf("failing every %d (written %v): the table is\n%s, and its record says\n%s", every, written, b, a)
	}
	if every < len(want)-1 && p.crashes == 0 {
		t.Errorf("failing every %d: nothing failed", every)
	}
	d.leave()
}

// A record cut anywhere opens as the table was at the last whole entry, and goes on with restart.
func TestADayKilledAtAnyByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := (&player{t: t, dir: dir, spoil: func(*desk) {}}).play(day()[:24]) // up to the first round's end
		d.leave()
		states := d.shown
		file, err := os.ReadFile(filepath.Join(dir, "00000002.journal"))
		if err != nil {
			t.Fatal(err)
		}
		ends := lineEnds(file)
		for cut := ends[0]; cut <= len(file); cut += 13 {
			copied := t.TempDir()
			copySegment(t, dir, copied, file[:cut])
			d := mustSit(t, copied, dayConfig)
			d.live.halt = func() {}
			lines := 0
			for _, end := range ends {
				if end <= cut {
					lines++
				}
			}
			seq := 3 + lines - 1 // three entries in the first segment, and a header
			all := entries(t, d.live.journal)
			if last := all[len(all)-1]; last.Seq != int64(seq+1) || last.Event.Kind != table.Started {
				t.Fatalf("cut at %d: the last entry is %d, %s; want a restart after %d", cut, last.Seq, last.Event, seq)
			}
			d.run()
			was, now := states[seq], d.shown[0]
			held := now.Layout.Stopped != nil
			if want := was.Layout.Phase >= table.Dealing && was.Layout.Phase <= table.Dealers; held != (want || was.Layout.Stopped != nil) {
				t.Fatalf("cut at %d, after %d: stopped = %v", cut, seq, now.Layout.Stopped)
			}
			if seats(was.Layout.Seats) != seats(now.Layout.Seats) || was.Layout.Phase != now.Layout.Phase || was.Layout.Shoe != now.Layout.Shoe {
				t.Fatalf("cut at %d: the table was %+v and is %+v", cut, was.Layout, now.Layout)
			}
			d.leave()
		}
	})
}

func lineEnds(file []byte) []int {
	var ends []int
	for i, b := range file {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// copySegment copies a record's first segment, and puts these bytes for the second.
func copySegment(t *testing.T, from, to string, second []byte) {
	t.Helper()
	first, err := os.ReadFile(filepath.Join(from, "00000001.journal"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"00000001.journal": first, "00000002.journal": second} {
		if err := os.WriteFile(filepath.Join(to, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkCard measures the loop alone: a card's way from Device to Done on a disk that costs nothing, and on a real one.
func BenchmarkCard(b *testing.B) {
	for name, disk := range map[string]bool{"without disk": false, "with disk": true} {
		b.Run(name, func(b *testing.B) {
			l, err := Open(b.TempDir(), Config{
				Table: "BJ-1", GameName: "fake", New: newFake, Log: discard, Halt: func() {}, Show: func(table.Snapshot) {},
			})
			if err != nil {
				b.Fatal(err)
			}
			if !disk {
				l.append = func(e *journal.Entry) error { e.Time = time.Now(); return nil }
			}
			go l.Run(b.Context())
			done := make(chan struct{})
			in := Input{Event: table.Event{Kind: table.Draw, Card: shoe.New(9, shoe.Spades)}, Done: func() { done <- struct{}{} }}
			b.ReportAllocs()
			for b.Loop() {
				l.Device(in)
				<-done
			}
		})
	}
}
