package live

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sabot/table"
)

// programs is a table run by one program and then another, whose configuration waits for the next shoe.
func programs(t *testing.T, dir string) {
	by := func(build, binary, configuration string) func(*Config) {
		return func(c *Config) {
			c.Build, c.Binary, c.Configuration = build, binary, json.RawMessage(configuration)
			c.Recorded = func(json.RawMessage) (func(table.Opening) table.Game, error) { return newFake, nil }
		}
	}
	for _, who := range []func(*Config){by("v1", "aa", `{"a":1}`), by("v1", "aa", `{"a":1}`), by("v2", "bb", `{"a":2}`)} {
		d := mustSit(t, dir, who).run()
		d.device(1, "draw 9s")
		d.leave()
	}
}

// Which program writes is recorded at its start and with each day's first event; a changed configuration comes along whole.
func TestTheRecordSaysWhichProgramWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		programs(t, dir)
		d := mustSit(t, dir, func(c *Config) {
			c.Build, c.Binary, c.Configuration = "v2", "bb", json.RawMessage(`{"a":1}`)
		}).run()
		for range 3 {
			time.Sleep(11 * time.Hour)
			d.device(1, "draw 9s")
		}
		for range 2 {
			time.Sleep(24 * time.Hour)
			d.device(1, "draw 9s")
		}
		d.leave()
		one, two := Digest([]byte(`{"a":1}`)), Digest([]byte(`{"a":2}`))
		say := func(version, binary, configuration string) string {
			return fmt.Sprintf("program %q binary %s, configuration %s", version, binary, configuration)
		}
		var want []string
		for _, p := range []string{say("v1", "aa", one), say("v1", "aa", one), say("v2", "bb", two), say("v2", "bb", one)} {
			want = append(want, "restart 0s", p, "draw 9s")
		}
		daily := say("v2", "bb", one)
		want = slices.Concat(want[1:], []string{"draw 9s", daily, "draw 9s", daily, "draw 9s", daily, "draw 9s"})
		if got := d.notations(); got != strings.Join(want, "; ") {
			t.Errorf("got  %s\nwant %s", got, strings.Join(want, "; "))
		}
		for _, e := range entries(t, d.live.Journal()) {
			text := ""
			if e.Event.Kind == table.Program && e.Event.Text.Detail == "binary bb, configuration "+two {
				text = `{"a":2}`
			}
			if e.Event.Kind == table.Program && string(e.Raw) != text {
				t.Errorf("entry %d comes with %q", e.Seq, e.Raw)
			}
		}
	})
}

// An audit says who wrote what; a start is its program's, although it says who it is only after it.
func TestVerifySaysWhoWrote(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		programs(t, dir)
		d := mustSit(t, dir, func(c *Config) { // an older program, which says nothing
			c.Configuration = json.RawMessage(`{"a":1}`)
		}).run()
		d.device(1, "draw 9s")
		d.leave()
	})
	p, err := Verify(t.Context(), segmentFiles(t, dir), Audit{
		Recorded: func(json.RawMessage) (func(table.Opening) table.Game, error) { return newFake, nil }, Progress: func(int64, int64) {},
	})
	if err != nil || p.Err() != nil {
		t.Fatal(err, p.Err())
	}
	want := []Writer{
		{1, 5, "v1", "aa", Digest([]byte(`{"a":1}`))}, {6, 8, "v2", "bb", Digest([]byte(`{"a":2}`))}, {First: 9, Last: 10},
	}
	if !slices.Equal(p.Writers, want) {
		t.Errorf("got  %+v\nwant %+v", p.Writers, want)
	}
}

// The day's first event is no progress, and neither is a program that says who it is: see TestTooManyStarts.
func TestWhoWritesIsNoProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		for range maxStarts + 1 {
			d := mustSit(t, dir, func(c *Config) { c.Binary = "aa" }).run()
			d.leave()
		}
		d := mustSit(t, dir, func(c *Config) { c.Binary = "aa" })
		defer d.close()
		if !strings.Contains(d.notations(), "fault sabot restarts") {
			t.Errorf("%d starts that got nowhere: %s", maxStarts+1, d.notations())
		}
	})
}
