package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/table"
)

var want = Header{Table: "BJ-1", Game: "blackjack", Rules: "deluxe", Configuration: json.RawMessage(`{"decks":8}`), Build: "test"}

// entry makes an entry of an event a second after the one before.
func entry(t testing.TB, seq int64, notation string) *Entry {
	t.Helper()
	event, err := table.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	event.Seq, event.At = seq, time.Duration(seq)*time.Second
	return &Entry{Seq: seq, At: event.At, Event: event}
}

var notations = []string{"table open by S-1", "shoe 12 by S-1", "draw 9s", `pause by S-2 because "a card \"lies\" on the floor"`, "draw ?? player 1", "clock -3.2s", "restart 12s", "close none"}

// varied is entry, with every member in use on one entry or another.
func varied(t testing.TB, seq int64) *Entry {
	e := entry(t, seq, notations[int(seq)%len(notations)])
	e.Round = uint32(seq / 3)
	switch seq % 3 {
	case 0:
		e.From = Source{Source: shoe.Source{Device: "shoe", Epoch: 7, Seq: uint32(seq)}}
		e.Raw = []byte{'$', byte(seq), '\n'}
		e.Calls = json.RawMessage(`[{"call":"card","hand":"3a","card":"9s"}]`)
	case 1:
		e.From = Source{Source: shoe.Source{Device: "floor"}, Command: "7f<3"}
		e.Floor, e.Game = json.RawMessage(`[{"call":"paused"}]`), json.RawMessage(`[{"call":"cut"},{"call":"cut"}]`)
	}
	return e
}

func mustOpen(t testing.TB, dir string) (*Journal, Restored) {
	t.Helper()
	j, r, err := Open(dir, want, Mark{})
	if err != nil {
		t.Fatal(err)
	}
	return j, r
}

// record writes n varied entries, rotating before those listed, and closes the record.
func record(t testing.TB, dir string, n int64, rotate ...int64) {
	t.Helper()
	j, _ := mustOpen(t, dir)
	defer j.Close()
	for seq := int64(1); seq <= n; seq++ {
		if slices.Contains(rotate, seq) {
			if err := j.Rotate(want); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Append(varied(t, seq)); err != nil {
			t.Fatal(err)
		}
	}
}

// read gives all entries after a number.
func read(t testing.TB, j *Journal, after int64) []Entry {
	t.Helper()
	r, err := j.Reader(after)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []Entry
	for {
		e, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
}

func (e *Entry) line() string { return string(e.appendJSON(nil)) }

func TestWhatIsAppendedIsReadBack(t *testing.T) {
	dir := t.TempDir()
	j, restored := mustOpen(t, dir)
	if restored.Torn != nil || restored.Header.First != 1 || j.Durable() != 0 || len(j.Record()) != 32 {
		t.Fatalf("a new record opens with %+v", restored)
	}
	var written []string
	for seq := int64(1); seq <= 30; seq++ {
		if seq%10 == 0 {
			if err := j.Rotate(want); err != nil {
				t.Fatal(err)
			}
		}
		e := varied(t, seq)
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
		written = append(written, e.line())
	}
	name := j.Record()
	j.Close()
	j, restored = mustOpen(t, dir)
	defer j.Close()
	if j.Record() != name || j.Durable() != 30 || restored.Header.First != 30 || restored.Header.Segment != 4 || restored.Torn != nil {
		t.Errorf("the record opens again with %+v, %d durable", restored, j.Durable())
	}
	for after := range int64(31) {
		got := read(t, j, after)
		if len(got) != int(30-after) {
			t.Fatalf("%d entries after %d", len(got), after)
		}
		for i, e := range got {
			if e.line() != written[after+int64(i)] {
				t.Fatalf("read  %s\nwrote %s", e.line(), written[after+int64(i)])
			}
			if e.Event.Seq != e.Seq || e.Event.At != e.At {
				t.Fatalf("entry %d is not stamped", e.Seq)
			}
		}
	}
	if _, err := j.Reader(31); err == nil {
		t.Error("a reader from ahead of the record was made")
	}
}

func TestTheWallClockMovesWithClockAndRestart(t *testing.T) {
	j, r := mustOpen(t, t.TempDir())
	defer j.Close()
	start := r.Header.Start
	for i, c := range []struct {
		notation string
		want     time.Duration
	}{{"cut", 1 * time.Second}, {"clock -3.2s", -1200 * time.Millisecond}, {"cut", -200 * time.Millisecond}, {"restart 1m0s", 60800 * time.Millisecond}, {"cut", 61800 * time.Millisecond}} {
		e := entry(t, int64(i+1), c.notation)
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			if err := j.Rotate(want); err != nil {
				t.Fatal(err)
			}
		}
		if got := e.Time.Sub(start); got != c.want {
			t.Errorf("entry %d, %s: the wall clock is %v after the start, want %v", e.Seq, c.notation, got, c.want)
		}
	}
	if got := read(t, j, 4)[0].Time.Sub(start); got != 61800*time.Millisecond {
		t.Errorf("read back it is %v", got)
	}
}

func TestASecondProgramIsRefused(t *testing.T) {
	dir := t.TempDir()
	j, _ := mustOpen(t, dir)
	if _, _, err := Open(dir, want, Mark{}); err == nil || !strings.Contains(err.Error(), "another program") || !strings.Contains(err.Error(), dir) {
		t.Errorf("the second Open: %v", err)
	}
	j.Close()
	if err := j.Append(entry(t, 1, "cut")); err == nil {
		t.Error("a closed record was written")
	}
	j, _ = mustOpen(t, dir)
	j.Close()
}

func TestAnEntryThatDoesNotFitIsRefusedForGood(t *testing.T) {
	cases := map[string]func(e *Entry){
		"number": func(e *Entry) { e.Seq, e.Event.Seq = 3, 3 },
		"stamp":  func(e *Entry) { e.Event.Seq = 1 },
		"past":   func(e *Entry) { e.At, e.Event.At = 0, 0 },
		"time":   func(e *Entry) { e.Event.At++ },
		"finer":  func(e *Entry) { e.At, e.Event.At = e.At+1, e.At+1 },
		"clock":  func(e *Entry) { e.Event.Kind, e.Event.N = table.Clock, 1500 },
		"event":  func(e *Entry) { e.Event.Kind = table.NoEvent },
		"unsaid": func(e *Entry) { e.Event.N = 5 }, // cut has no number
		"calls":  func(e *Entry) { e.Calls = json.RawMessage(`[{]`) },
		"long":   func(e *Entry) { e.Raw = make([]byte, MaxEntry/2) },
		"utf8":   func(e *Entry) { e.From.Command = "\xff" },
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			j, _ := mustOpen(t, dir)
			if err := j.Append(entry(t, 1, "cut")); err != nil {
				t.Fatal(err)
			}
			e := entry(t, 2, "cut")
			spoil(e)
			if err := j.Append(e); err == nil {
				t.Error("it was appended")
			}
			if err := j.Append(entry(t, 2, "cut")); err == nil {
				t.Error("the record went on after an error")
			}
			j.Close()
			if j, _ = mustOpen(t, dir); j.Durable() != 1 {
				t.Errorf("%d entries are durable", j.Durable())
			}
			j.Close()
		})
	}
}

func TestReadersStopAtTheDurableEntry(t *testing.T) {
	dir := t.TempDir()
	j, _ := mustOpen(t, dir)
	defer j.Close()
	r, err := j.Reader(0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Next(); err != io.EOF {
		t.Fatalf("an empty record: %v", err)
	}
	next := j.chain // a line that is written, but not yet durable
	line, err := next.seal(nil, entry(t, 1, "draw 9s"))
	if err != nil {
		t.Fatal(err)
	}
	j.file.Write(line)
	if _, err := r.Next(); err != io.EOF {
		t.Fatalf("an entry that is not durable was read: %v", err)
	}
	j.durable.Store(1)
	if e, err := r.Next(); err != nil || e.Seq != 1 {
		t.Fatalf("now durable: %v, %v", e.Seq, err)
	}
}

func TestFollowersSeeEveryEntryOnce(t *testing.T) {
	j, _ := mustOpen(t, t.TempDir())
	defer j.Close()
	const n = 300
	done := make(chan error)
	for range 3 {
		r, err := j.Reader(0)
		if err != nil {
			t.Fatal(err)
		}
		go func() { done <- follow(r, j.Changed(), n) }()
	}
	for seq := int64(1); seq <= n; seq++ {
		if seq%50 == 0 {
			if err := j.Rotate(want); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Append(entry(t, seq, "draw 9s")); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// follow reads up to entry n, waiting for those to come.
func follow(r *Reader, changed <-chan struct{}, n int64) error {
	defer r.Close()
	for seq := int64(1); seq <= n; {
		e, err := r.Next()
		switch {
		case err == io.EOF:
			<-changed
		case err != nil:
			return err
		case e.Seq != seq:
			return errors.New("an entry is missing or doubled")
		default:
			seq++
		}
	}
	return nil
}

func TestHeaderCarriesTheTable(t *testing.T) {
	dir := t.TempDir()
	j, _ := mustOpen(t, dir)
	h := want
	h.Dealer = "D-7"
	h.Opening = table.Opening{Open: true, Round: 37, Shoe: 12, Holds: []table.Hold{{Seq: 4, Code: table.CardCopies}}}
	h.Devices = []shoe.Source{{Device: "shoe", Epoch: 7, Seq: 412}}
	h.Commands = []Answer{{From: "game", ID: "7f3<", Round: 37, Code: "STALE", Seq: 3}}
	h.Recap = &table.Recap{Round: 36, Ended: "played_out", Results: []table.RecapResult{{Hand: "3a", Result: "win", Net: 3}}}
	if err := j.Rotate(h); err != nil {
		t.Fatal(err)
	}
	written, _ := json.Marshal(j.header)
	j.Close()
	j, r := mustOpen(t, dir)
	defer j.Close()
	if got, _ := json.Marshal(r.Header); !bytes.Equal(got, written) {
		t.Errorf("read  %s\nwrote %s", got, written)
	}
	if r.Header.Opening.Round != 37 || r.Header.Commands[0].ID != "7f3<" || r.Header.Devices[0].Seq != 412 {
		t.Errorf("the header reads %+v", r.Header)
	}
}

func TestFilesAreForTheirOwnerAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	record(t, dir, 3, 2)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v, %v", info.Mode(), err)
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if info, _ := f.Info(); info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", f.Name(), info.Mode())
		}
	}
}
