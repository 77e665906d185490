package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// longRecord has ten segments of a day each, a shoe with two entries; a supervisor voids in the third and the sixth.
func longRecord(t *testing.T) (*Journal, string) { return mustOpenLong(t, nil) }

// mustOpenLong is a longRecord in which some entries are other events.
func mustOpenLong(t *testing.T, events map[int64]string) (*Journal, string) {
	t.Helper()
	dir := t.TempDir()
	j, _ := mustOpen(t, dir)
	t.Cleanup(func() { j.Close() })
	for n := int64(1); n <= 20; n++ {
		if n%2 == 1 && n > 1 {
			if err := j.Rotate(want); err != nil {
				t.Fatal(err)
			}
		}
		notation := "draw 9s"
		if n == 5 || n == 11 {
			notation = "void by S-1"
		}
		if events[n] != "" {
			notation = events[n]
		}
		e := entry(t, n, notation)
		e.At = time.Duration(n) * 12 * time.Hour
		e.Event.At = e.At
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	return j, dir
}

func left(t *testing.T, dir string) string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*"+suffix))
	kept, _ := filepath.Glob(filepath.Join(dir, Incidents, "*"+suffix))
	var names []string
	for _, f := range append(files, kept...) {
		names = append(names, strings.TrimLeft(strings.TrimSuffix(filepath.Base(f), suffix), "0"))
	}
	return strings.Join(names[:len(files)], " ") + " | " + strings.Join(names[len(files):], " ")
}

func TestWhatIsPrunedAndWhatIsNot(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		keep  Retention
		heard int64
		left  string
	}{
		{Retention{}, 20, "1 2 3 4 5 6 7 8 9 10 | "},
		{Retention{All: 100 * day}, 20, "1 2 3 4 5 6 7 8 9 10 | "},
		{Retention{All: 1}, 0, "1 2 3 4 5 6 7 8 9 10 | "},
		{Retention{All: 1}, 20, "9 10 | 3 6"},
		{Retention{All: -1}, 20, "9 10 | 3 6"}, // never the last two, however old
		{Retention{All: 1}, 8, "4 5 6 7 8 9 10 | 3"},
		{Retention{All: 1}, 9, "5 6 7 8 9 10 | 3"},
		{Retention{All: 4 * day}, 20, "6 7 8 9 10 | 3"},
		{Retention{All: 1, Incidents: 5 * day}, 20, "9 10 | 6"},
		{Retention{All: 1, Incidents: day}, 20, "9 10 | "},
	} {
		j, dir := longRecord(t)
		if _, err := j.Prune(c.keep, Mark{j.Record(), c.heard}); err != nil {
			t.Fatal(err)
		}
		if got := left(t, dir); got != c.left {
			t.Errorf("%+v, heard up to %d: left %s, want %s", c.keep, c.heard, got, c.left)
		}
		for n := range j.opened {
			if _, err := os.Stat(filepath.Join(dir, segmentName(n))); err != nil {
				t.Errorf("%+v, heard up to %d: segment %d is gone and still known", c.keep, c.heard, n)
			}
		}
		if _, err := j.Prune(Retention{All: 1}, Mark{strings.Repeat("0", 32), 20}); err != nil || left(t, dir) != c.left {
			t.Error("it was pruned by another record's cursor")
		}
	}
}

// A clock that was once wrong by years, in a Raspberry Pi without one of its own or by somebody's hand, makes nothing old: not when it was set, nor when the program was started under it, and
// not the incidents. What stood still for a month counts as a week.
func TestAWrongClockPrunesNothing(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		events map[int64]string
		keep   Retention
		left   string
	}{
		{map[int64]string{16: "clock 640000h"}, Retention{All: 16 * day}, "1 2 3 4 5 6 7 8 9 10 | "},
		{map[int64]string{16: "restart 640000h"}, Retention{All: 16 * day}, "1 2 3 4 5 6 7 8 9 10 | "},
		{map[int64]string{16: "clock 640000h", 18: "clock -640000h"}, Retention{All: 16 * day}, "1 2 3 4 5 6 7 8 9 10 | "},
		{map[int64]string{16: "clock 640000h"}, Retention{All: 1, Incidents: 60 * day}, "9 10 | 3 6"},
		{map[int64]string{2: "clock 640000h"}, Retention{All: 6 * day}, "4 5 6 7 8 9 10 | 3"},
		{map[int64]string{16: "restart 720h"}, Retention{All: 12 * day}, "5 6 7 8 9 10 | 3"},
	} {
		j, dir := mustOpenLong(t, c.events)
		if _, err := j.Prune(c.keep, Mark{j.Record(), 20}); err != nil {
			t.Fatal(err)
		}
		if got := left(t, dir); got != c.left {
			t.Errorf("%v, %+v: left %s, want %s", c.events, c.keep, got, c.left)
		}
	}
}

// A pruned record is read, opened and continued from its first segment that is kept.
func TestAPrunedRecordGoesOn(t *testing.T) {
	j, dir := longRecord(t)
	removed, err := j.Prune(Retention{All: 1}, Mark{j.Record(), 12})
	if err != nil || len(removed) != 5 {
		t.Fatalf("%v, %v", removed, err)
	}
	if first, err := j.First(); first != 11 || err != nil {
		t.Errorf("the first entry is %d, %v", first, err)
	}
	if all := read(t, j, 10); len(all) != 10 || all[0].Seq != 11 {
		t.Errorf("%d entries", len(all))
	}
	if _, err := j.Reader(9); err == nil || !strings.Contains(err.Error(), "no longer kept") {
		t.Errorf("what is not kept reads as %v", err)
	}
	j.Close()
	j, _ = mustOpen(t, dir)
	defer j.Close()
	if j.Durable() != 20 {
		t.Errorf("%d durable", j.Durable())
	}
}

// Somebody removed the files under a running table: that is an error, and no panic.
func TestNoSegmentIsLeft(t *testing.T) {
	j, dir := longRecord(t)
	files, err := Segments(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if first, err := j.First(); err == nil {
		t.Errorf("the first entry of no file is %d", first)
	}
}

// What is damaged is not thrown away.
func TestADamagedSegmentIsNotPruned(t *testing.T) {
	j, dir := longRecord(t)
	if err := appendTo(filepath.Join(dir, segmentName(2)), "x\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Prune(Retention{All: 1}, Mark{j.Record(), 20}); err == nil || left(t, dir) != "2 3 4 5 6 7 8 9 10 | " {
		t.Errorf("left %s, %v", left(t, dir), err)
	}
}

// A record of which a file is missing between others is refused, and the refusal names it. The first ones may be missing.
func TestARecordWithAGapIsRefused(t *testing.T) {
	for gone, refused := range map[string]string{
		"1": "", "1 2 3 4 5 6 7 8": "", "4": "4", "2 3 7": "2", "1 2 5": "5", "9": "9", "1 2 3 4 5 6 7 8 9": "9", "2 3 4 5 6 7 8 9": "2",
	} {
		j, dir := longRecord(t)
		j.Close()
		for name := range strings.FieldsSeq(gone) {
			n, _ := strconv.Atoi(name)
			if err := os.Remove(filepath.Join(dir, segmentName(n))); err != nil {
				t.Fatal(err)
			}
		}
		before := left(t, dir)
		j, _, err := Open(dir, want, Mark{})
		var corrupt *CorruptError
		switch {
		case refused == "" && err != nil:
			t.Errorf("without %s: %v", gone, err)
		case refused == "":
			j.Close()
		case !errors.As(err, &corrupt) || filepath.Base(corrupt.File) != fmt.Sprintf("0000000%s.journal", refused):
			t.Errorf("without %s: %v, and segment %s is missing", gone, err, refused)
		}
		if now := left(t, dir); now != before {
			t.Errorf("without %s: %s lay there, and %s lies there now", gone, before, now)
		}
	}
}
