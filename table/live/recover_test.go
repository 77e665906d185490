package live

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"sabot/table"
	"sabot/table/journal"
)

// A record that was damaged in the middle of a round: the child opens held and out of its shoe, the supervisor brings the table back, and the old record
// lies aside as it was.
func TestAChildRecordBringsTheTableBack(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		(&player{t: t, dir: dir, spoil: func(*desk) {}}).play(day()[:20]).leave() // into the first round
		file := filepath.Join(dir, "00000002.journal")
		whole, _ := os.ReadFile(file)
		damaged := bytes.Replace(whole, []byte("draw 9d"), []byte("draw 9h"), 1)
		os.WriteFile(file, damaged, 0o600)
		if _, err := sit(t, dir, dayConfig); err == nil {
			t.Fatal("the damaged record was opened")
		}
		c := Config{Table: "BJ-1", Rules: "few", Build: "test"}
		dayConfig(&c)
		h, err := Recover(dir, c, "line 6 is damaged", "S-1", "the card died")
		if err != nil {
			t.Fatal(err)
		}
		p := h.Parent
		if p.Seq != 7 || len(p.Hash) != 64 || len(p.Record) != 32 || p.Record == h.Record || p.Round != 1 || p.By != "S-1" || p.Because != "the card died" || p.Why != "line 6 is damaged" {
			t.Errorf("the parent is %+v", p)
		}
		if aside, _ := os.ReadFile(filepath.Join(dir, p.Aside, "00000002.journal")); !bytes.Equal(aside, damaged) {
			t.Error("the old segment was changed")
		}
		comesBack(t, dir)
	})
	if p := audited(t, dir); len(p.Findings) != 0 || p.Parent == nil {
		t.Errorf("%+v", p)
	}
}

// comesBack opens the child and plays on.
func comesBack(t *testing.T, dir string) {
	t.Helper()
	d := mustSit(t, dir, dayConfig).run()
	s := d.last()
	if s.Seq != 1 || len(s.Floor.Stops) != 1 || s.Floor.Stops[0].Code != "RECORD_DOUBT" || !s.Layout.Locked() || s.Layout.Phase != table.ShoeChange || s.Floor.Dealer != "D-7" || s.Layout.Round != 1 {
		t.Fatalf("the child opens as %+v, %+v", s.Layout, s.Floor)
	}
	for _, c := range []struct {
		notation string
		code     table.Code
	}{{"shoe 2 by S-1", table.Held}, {"open", table.ShoeFinished}, {"release 1 by S-1", table.OK}, {"open", table.ShoeFinished}, {"shoe 2 by S-1", table.OK}, {"open", table.OK}} {
		if r := d.ask("", c.notation); r.Code != c.code {
			t.Errorf("%s: %v", c.notation, r.Code)
		}
	}
	if d.last().Layout.Round != 2 {
		t.Errorf("round %d", d.last().Layout.Round)
	}
	d.leave()
	d = mustSit(t, dir, dayConfig).run()
	if len(d.last().Floor.Stops) != 0 { // born once
		t.Errorf("the second start: %+v", d.last().Floor.Stops)
	}
	d.leave()
}

// What verifies behind the damage does not count as proven; that its rounds were played does.
func TestWhatIsSalvagedOfARecord(t *testing.T) {
	dir, _ := playedDay(t)
	file := filepath.Join(dir, "00000002.journal")
	whole, _ := os.ReadFile(file)
	os.WriteFile(file, bytes.Replace(whole, []byte("draw 9d"), []byte("draw 9h"), 1), 0o600)
	r, err := salvage(dir, recordedFew)
	if err != nil || r.parent.Seq != 7 || r.parent.Round != 3 || !r.open || r.state.sources["shoe"].Seq != 2 {
		t.Errorf("%+v, %v", r.parent, err)
	}
	os.WriteFile(file, whole[:len(whole)-30], 0o600) // torn, and not the last one
	if r, err := salvage(dir, recordedFew); err != nil || r.parent.Seq != 28 {
		t.Errorf("torn in the middle: %+v, %v", r.parent, err)
	}
}

// A record of which nothing can be read, not even its name.
func TestAChildOfARecordThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "00000001.journal"), []byte("\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Config{Table: "BJ-1", Rules: "few", Build: "test"}
	dayConfig(&c)
	h, err := Recover(dir, c, "zeros", "S-1", "the card died")
	if err != nil || h.Parent.Record != "" || h.Parent.Seq != 0 || h.Opening.Open {
		t.Fatalf("%+v, %v", h, err)
	}
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, dir, dayConfig).run()
		if s := d.last(); s.Layout.Phase != table.Closed || len(s.Floor.Stops) != 1 || s.Layout.Stopped == nil {
			t.Errorf("%+v", s.Layout)
		}
		for _, notation := range []string{"table open by S-1", "release 1 by S-1", "shoe 1 by S-1", "open"} {
			if r := d.ask("", notation); !r.OK {
				t.Errorf("%s: %+v", notation, r)
			}
		}
		d.leave()
	})
}

// Five starts that get nowhere hold the table, once; a table that gets on between them is never held for it.
func TestStartsThatGetNowhereHoldTheTable(t *testing.T) {
	for _, gets := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			dir := t.TempDir()
			d := mustSit(t, dir, dayConfig).run()
			for _, notation := range []string{"table open by S-1", "shoe 1 by S-1"} {
				d.ask("", notation)
			}
			d.leave()
			for n := 1; n <= 8; n++ {
				d = mustSit(t, dir, dayConfig).run()
				stops := d.last().Floor.Stops
				layout := d.last().Layout
				held := len(stops) == 1 && stops[0].Code == "RESTART_LOOP" && layout.Locked()
				if want := n >= maxStarts && !gets; held != want || len(stops) > 1 {
					t.Errorf("start %d (gets on: %v): %+v", n, gets, stops)
				}
				if gets {
					d.ask("", "dealer D-7")
				} else {
					d.ask("", "resume by S-1") // refused: that is no getting on
				}
				d.leave()
			}
			if strings.Count(d.log.String(), "gets nowhere") > 0 {
				t.Error("it was held again")
			}
		})
	}
}

// Where the disk has no room for a round none is begun; what ends the day is still recorded.
func TestNoRoundIsBegunOnAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, dayConfig).run()
		for _, notation := range []string{"table open by S-1", "shoe 1 by S-1", "open", "close 1"} {
			if r := d.ask("", notation); !r.OK {
				t.Fatalf("%s: %+v", notation, r)
			}
		}
		appended := d.live.append
		d.live.append = func(e *journal.Entry) error { return syscall.ENOSPC }
		d.ask("", "dealer D-8")
		if err := <-d.ended; !errors.Is(err, syscall.ENOSPC) || len(d.halts) == 0 {
			t.Fatalf("ended with %v, %d halts", err, len(d.halts))
		}
		d.live.append = appended
		d.close()
		os.Remove(filepath.Join(dir, "reserve")) // as the append above does
		d = mustSit(t, dir, dayConfig)
		d.live.room = func() bool { return false }
		d.run()
		stop := d.last().Floor.Stops
		if len(stop) != 1 || stop[0].Code != "RESTART" {
			t.Fatalf("%+v", stop)
		}
		for _, c := range []struct {
			notation string
			code     table.Code
		}{{"void by S-1", table.OK}, {"open", table.DiskFull}, {"retire by S-1", table.OK}, {"shoe 2 by S-1", table.DiskFull}, {"table close by S-1", table.OK}, {"table open by S-1", table.DiskFull}} {
			if r := d.ask("", c.notation); r.Code != c.code {
				t.Errorf("%s: %v", c.notation, r.Code)
			}
		}
		d.leave()
	})
}

// A dealer who opens a round with his own card still due has made a mistake. It is called on a full disk, too, and is no refusal of what could not be recorded to its end.
func TestAFullDiskHidesNoIrregularity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), dayConfig).run()
		n := uint32(0)
		for i, line := range []string{"table open by S-1", "shoe 1 by S-1", "open", "close 1", "draw 8h", "draw Ts", "draw 9d", "draw 2c", "stand 1a"} {
			if line[:4] == "draw" {
				n++
				d.device(n, line)
			} else if r := d.ask(fmt.Sprint(i), line); !r.OK {
				t.Fatalf("%s: %+v", line, r)
			}
		}
		d.live.room = func() bool { return false }
		if r := d.ask("early", "open"); r.Code != table.DealerCardDue {
			t.Errorf("a round opened with the dealer's card due: %+v", r)
		}
		d.leave()
	})
}
