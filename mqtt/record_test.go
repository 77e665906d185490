package mqtt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sabot/table"
	"sabot/table/journal"
)

// anchorsOf are those that a record's files give, by seq.
func anchorsOf(t *testing.T, dir string) map[int64]string {
	t.Helper()
	files, err := journal.Segments(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := map[int64]string{}
	for _, path := range files {
		f, err := journal.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for e, err := f.Next(); err != io.EOF; e, err = f.Next() {
			if err != nil {
				t.Fatal(err)
			}
			list[e.Seq] = f.Anchor()
		}
		f.Close()
	}
	return list
}

// Each round's end, each void and the day's end are anchored on floor and nothing else is, whether the messages are made from memory or read from the record;
// no anchor is a line's bare hash.
func TestRoundsAreAnchored(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	var ends []int64
	round := func() {
		r.add("draw 9s", table.Call{Word: table.CallCard, Hand: table.DealerHand, Why: table.WhyHole})
		ends = append(ends, r.add("draw Td", table.Call{Word: table.CallReveal, Hand: table.DealerHand}, table.Call{Word: table.CallEnd, N: 1, Ended: table.EndedPlayedOut}))
		ends = append(ends, r.add("void by S-1", table.Call{Word: table.CallVoid, N: 2}, table.Call{Word: table.CallReleased, To: table.ToFloor, Ref: 1, Code: table.StopPressed, Remedy: table.Device}))
		ends = append(ends, r.add("table close by S-1"))
	}
	round() // before anybody follows
	if err := r.Rotate(journal.Header{Table: tableName, Game: "blackjack", Rules: "deluxe"}); err != nil {
		t.Fatal(err)
	}
	c, _ := runClient(t, r, b.Addr(), nil)
	round()
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	all, got := anchorsOf(t, r.dir), map[int64]string{}
	for _, h := range w.on("floor") {
		var m floorMessage
		if err := json.Unmarshal(h.payload, &m); err != nil {
			t.Fatal(err)
		}
		got[m.Seq] = m.Anchor
	}
	if len(got) != len(ends) {
		t.Errorf("heard on floor: %v", got)
	}
	for _, seq := range ends {
		if got[seq] != all[seq] || len(got[seq]) != 64 {
			t.Errorf("entry %d: anchor %q, want %q", seq, got[seq], all[seq])
		}
	}
	if _, twice := w.ordered("floor"); twice != 0 {
		t.Errorf("%d came twice", twice)
	}
	files, _ := journal.Segments(r.dir)
	for _, path := range files {
		text, _ := os.ReadFile(path)
		for seq, a := range got {
			if strings.Contains(string(text), a) {
				t.Errorf("the anchor of %d stands in the record", seq)
			}
		}
	}
}

// A retained layout of entries that the record does not hold ends the program before it says anything, and no later start goes on from there.
func TestALayoutAheadOfTheRecord(t *testing.T) { testLayoutAhead(t, startBroker(t, "").Addr()) }

func testLayoutAhead(t *testing.T, addr string) {
	for name, c := range map[string]struct {
		record string
		ahead  int64
		stops  bool
	}{"its own end": {"", 0, false}, "ahead": {"", 1, true}, "another record": {strings.Repeat("0", 32), 90, false}} {
		r := openRecord(t, t.TempDir())
		r.play(5)
		if c.record == "" {
			c.record = r.Record()
		}
		w := watch(t, addr)
		w.publish("sabot/"+tableName+"/layout", true, fmt.Sprintf(`{"forged":1,"record":%q,"seq":%d}`, c.record, r.seq+c.ahead))
		w.drain()
		before := len(w.on("call"))
		client, err := New(Config{Broker: addr, Table: tableName, CursorDir: r.dir, Command: func(table.Command, func(table.Reply)) {}}, r.Journal)
		if err != nil {
			t.Fatal(err)
		}
		client.pace = quick
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- client.Run(ctx) }()
		if !c.stops {
			client.Show(r.snapshot())
			eventually(t, name+": all acknowledged", func() bool { return client.Stats().Acknowledged == r.seq })
			cancel()
			if err := <-done; err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var bad *CursorError
		if err := <-done; !errors.As(err, &bad) || bad.Seq != r.seq+1 || bad.Durable != r.seq {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
		w.drain()
		if n := len(w.on("call")); n != before {
			t.Errorf("%s: %d calls were published", name, n-before)
		}
		if heard, err := Heard(r.dir); err != nil || heard != (journal.Mark{Record: r.Record(), Seq: r.seq + 1}) {
			t.Errorf("%s: the cursor says %+v, %v", name, heard, err)
		}
	}
}

// Without a cursor a record whose beginning is no longer kept is sent from where it begins.
func TestALostCursorOfAPrunedRecord(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	for range 4 {
		r.play(3)
		if err := r.Rotate(journal.Header{Table: tableName, Game: "blackjack", Rules: "deluxe"}); err != nil {
			t.Fatal(err)
		}
	}
	if gone, err := r.Prune(journal.Retention{All: 1}, journal.Mark{Record: r.Record(), Seq: r.seq}); err != nil || len(gone) != 3 {
		t.Fatalf("%v, %v", gone, err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "cursor")); err == nil {
		t.Fatal("there is a cursor")
	}
	w := watch(t, b.Addr())
	c, _ := runClient(t, r, b.Addr(), nil)
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	if n := len(w.on("call")); n != 3 {
		t.Errorf("%d calls", n)
	}
}
