package live

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"sabot/table"
	"sabot/table/journal"
)

// What older calls tell is played again, and what is said otherwise today is named, each kind once: that is no damage, and the chain is proven all the same.
func TestARecordOfOlderCallsIsPlayed(t *testing.T) {
	whole, anchors := playedDay(t)
	last := int64(len(day()))
	same, as := func(*journal.Entry) {}, func(*journal.Header) {}
	for name, c := range map[string]struct {
		spoil  func(*journal.Entry)
		header func(*journal.Header)
		want   []Otherwise
	}{
		"as it is": {same, as, nil},
		"two calls": {func(e *journal.Entry) {
			if e.Seq == 6 || e.Seq == 9 {
				e.Calls = json.RawMessage(`[{"call":"card","hand":"3a"}]`)
			}
		}, as, []Otherwise{{Of: "draw", Entries: 2, First: 6}}},
		"a header": {same, func(h *journal.Header) {
			if h.Segment == 3 {
				h.Recap = nil
			}
		}, []Otherwise{{Of: OfHeader, Entries: 1, First: 29}}},
	} {
		dir := rewritten(t, whole, c.spoil, c.header)
		ofCalls(t, dir, table.CallsVersion-1)
		p := audited(t, dir)
		if p.Err() != nil || p.Proven != last || p.Replayed != 0 || len(p.Unplayed) != 0 || len(p.Older) != 1 {
			t.Errorf("%s: %+v", name, p)
			continue
		}
		differ := int64(0)
		for _, o := range c.want {
			if o.Of != OfHeader {
				differ += o.Entries
			}
		}
		if o := p.Older[0]; o.Calls != table.CallsVersion-1 || o.First != 1 || o.Last != last || o.Same != last-differ || !slices.Equal(o.Otherwise, c.want) {
			t.Errorf("%s: %+v, want %v", name, o, c.want)
		}
	}
	if p := audited(t, whole, anchors...); p.Err() != nil || len(p.Older) != 0 {
		t.Errorf("of today's calls: %+v", p)
	}
}

// A record of calls still to come is proven by its chain, and played by nobody who does not know them.
func TestARecordOfLaterCalls(t *testing.T) {
	whole, _ := playedDay(t)
	dir := copyDay(t, whole)
	ofCalls(t, dir, table.CallsVersion+1)
	p := audited(t, dir)
	if p.Err() != nil || p.Proven != int64(len(day())) || p.Replayed != 0 || len(p.Unplayed) != 1 || !strings.Contains(p.Unplayed[0].Why, "version test of the program wrote them") {
		t.Errorf("%+v", p)
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := sit(t, dir, func(c *Config) { c.GameName, c.New = "blackjack", newBlackjack() })
		var strange *journal.VersionError
		if !errors.As(err, &strange) || strange.Build != "test" || strange.Line != 1 {
			t.Errorf("opened with %v", err)
		}
	})
}

// Once a table that was held for its older calls has another shoe, its record is of today's calls: a later start holds it no more.
func TestAnotherShoeEndsOlderCalls(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		change := func(c *Config) { c.GameName, c.New, c.SegmentPerShoe = "blackjack", newBlackjack(), false }
		d := mustSit(t, dir, change).run()
		d.ask("1", "table open by S-1")
		d.ask("2", "shoe 1 by S-1")
		d.leave()
		ofCalls(t, dir, 1)
		d = mustSit(t, dir, change).run()
		d.ask("3", `retire by S-1 because "an update"`)
		if r := d.ask("4", "shoe 2 by S-1"); !r.OK {
			t.Fatalf("%+v", r)
		}
		d.leave()
		d = mustSit(t, dir, change).run()
		if stops := d.last().Floor.Stops; len(stops) != 0 {
			t.Errorf("held again: %+v", stops)
		}
		d.leave()
	})
	if p := audited(t, dir); p.Err() != nil || len(p.Older) != 1 || p.Replayed == 0 {
		t.Errorf("%+v", p)
	}
}

// A game that panics at what an older one recorded leaves the record standing, the table held, and the proof of the chain whole.
func TestOlderCallsAtWhichTheGamePanics(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		change := func(c *Config) { c.GameName, c.New = "blackjack", newBlackjack() }
		d := mustSit(t, dir, change).run()
		for i, e := range []string{"table open by S-1", "shoe 1 by S-1"} {
			d.ask(fmt.Sprint(i), e)
		}
		d.device(1, "draw ??")
		d.leave()
		panics := func(c *Config) { c.GameName = "blackjack" } // the fake one, at an unread card
		if _, err := sit(t, dir, panics); err == nil {
			t.Error("a record of today's calls was gone on with")
		}
		ofCalls(t, dir, 1)
		d = mustSit(t, dir, panics).run()
		d.leave()
	})
	p, err := Verify(t.Context(), segmentFiles(t, dir), Audit{
		Recorded: func(json.RawMessage) (func(table.Opening) table.Game, error) { return newFake, nil },
		Progress: func(int64, int64) {},
	})
	if err != nil || p.Err() != nil || len(p.Older) != 1 || !slices.ContainsFunc(p.Older[0].Otherwise, func(o Otherwise) bool { return o.Of == "draw, at which it panics" && o.Entries == 1 }) {
		t.Errorf("%+v, %v", p, err)
	}
}

// A record that ends before what its cursor says was heard is not whole, though each of its lines is.
func TestARecordWithoutItsEnd(t *testing.T) {
	whole, _ := playedDay(t)
	files := segmentFiles(t, whole)
	p := audited(t, whole)
	for seq, wrong := range map[int64]int{29: 0, 30: 1} {
		p, err := Verify(t.Context(), files[:2], Audit{Recorded: recordedFew, Heard: journal.Mark{Record: p.Record, Seq: seq}, Progress: func(int64, int64) {}})
		if err != nil || len(p.Findings) != wrong || p.Proven != 29 {
			t.Errorf("heard up to %d: %+v, %v", seq, p, err)
		}
	}
	other, err := Verify(t.Context(), files, Audit{Recorded: recordedFew, Heard: journal.Mark{Record: "another", Seq: 99}, Progress: func(int64, int64) {}})
	if err != nil || other.Err() != nil {
		t.Errorf("another record's cursor: %v, %v", other.Findings, err)
	}
}

// later adds a line to a segment as a program to come may write it.
func later(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := hex.DecodeString(string(text[len(text)-2*sha256.Size-1 : len(text)-1]))
	if err != nil {
		t.Fatal(err)
	}
	const object = `{"seq":31,"event":"levitate 3a"}`
	if err := os.WriteFile(file, fmt.Appendf(text, "%s %x\n", object, sha256.Sum256(append(hash, object...))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What this program does not understand ends its segment's proof, and is not called wrong; nor is such a record set aside but by force.
func TestALineOfAnotherVersion(t *testing.T) {
	whole, _ := playedDay(t)
	dir := copyDay(t, whole)
	later(t, segmentFiles(t, dir)[2])
	p := audited(t, dir)
	var strange *journal.VersionError
	if len(p.Findings) != 0 || !errors.As(p.Err(), &strange) || p.Proven != int64(len(day())) {
		t.Errorf("%+v", p)
	}
	r, err := salvage(dir, recordedFew)
	if err != nil || r.parent.Seq != p.Proven {
		t.Errorf("a child would say %+v, %v", r, err)
	}
}
