package live

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
	"testing/synctest"
	"time"

	"sabot/table"
	"sabot/table/journal"
)

// playedDay is the record of a day, and the anchors that were to be published of it.
func playedDay(t *testing.T) (dir string, anchors []journal.Anchor) {
	t.Helper()
	dir = t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		(&player{t: t, dir: dir, spoil: func(*desk) {}}).play(day()).leave()
	})
	for _, path := range segmentFiles(t, dir) {
		f, err := journal.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for {
			e, err := f.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.Anchored() {
				anchors = append(anchors, journal.Anchor{Record: f.Header().Record, Seq: e.Seq, Hash: f.Anchor()})
			}
		}
		f.Close()
	}
	if len(anchors) != 2 || len(segmentFiles(t, dir)) != 3 {
		t.Fatalf("%d anchors, %d segments", len(anchors), len(segmentFiles(t, dir)))
	}
	return dir, anchors
}

func segmentFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := journal.Segments(dir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// recordedFew makes the games of a day.
func recordedFew(json.RawMessage) (func(table.Opening) table.Game, error) { return newBlackjack(), nil }

func audited(t *testing.T, dir string, anchors ...journal.Anchor) Proof {
	t.Helper()
	p, err := Verify(t.Context(), segmentFiles(t, dir), Audit{Recorded: recordedFew, Anchors: anchors, Progress: func(int64, int64) {}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func copyDay(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAWholeRecordIsProven(t *testing.T) {
	dir, anchors := playedDay(t)
	p := audited(t, dir, anchors...)
	last := int64(len(day()))
	if len(p.Findings) != 0 || len(p.Stretches) != 1 || p.Stretches[0].First != 1 || p.Stretches[0].Last != last || p.Stretches[0].LastSegment != 3 || p.Replayed != last {
		t.Errorf("%+v", p)
	}
	if p.Compared != 2 || p.Anchored != anchors[1].Seq || p.Stretches[0].Anchored != anchors[1].Seq || p.Elsewhere != 0 {
		t.Errorf("anchors: %+v", p)
	}
}

// What is proven of a damaged record: all before the first bad line, and what lies behind it in itself.
func TestDamageAnywhereIsFound(t *testing.T) {
	whole, _ := playedDay(t)
	lines := func(path string) [][]byte {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		l := bytes.SplitAfter(b, []byte("\n"))
		return l[:len(l)-1]
	}
	write := func(path string, l [][]byte) {
		if err := os.WriteFile(path, bytes.Join(l, nil), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		spoil     func(files []string)
		file      string // and line of the first finding
		line      int
		stretches string
	}{
		"a removed line":    {func(f []string) { l := lines(f[1]); write(f[1], slices.Delete(l, 4, 5)) }, "00000002", 5, "1-2:6 3-3:30"},
		"swapped lines":     {func(f []string) { l := lines(f[1]); l[4], l[5] = l[5], l[4]; write(f[1], l) }, "00000002", 5, "1-2:6 3-3:30"},
		"a cut middle":      {func(f []string) { l := lines(f[1]); write(f[1], l[:6]) }, "00000003", 1, "1-2:8 3-3:30"},
		"a torn middle":     {func(f []string) { os.Truncate(f[0], int64(len(bytes.Join(lines(f[0]), nil))-20)) }, "00000001", 4, "1-1:2 2-3:30"},
		"a removed segment": {func(f []string) { os.Remove(f[1]) }, "00000003", 1, "1-1:3 3-3:30"},
		"swapped segments":  {func(f []string) { os.Rename(f[0], f[0]+"x"); os.Rename(f[1], f[0]); os.Rename(f[0]+"x", f[1]) }, "00000002", 1, "2-2:29 3-3:30"},
		"a doubled segment": {func(f []string) { b, _ := os.ReadFile(f[0]); os.WriteFile(f[1], b, 0o600) }, "00000002", 1, "1-1:3 3-3:30"},
		"damage, and a copy": {func(f []string) {
			b, _ := os.ReadFile(f[0])
			os.WriteFile(f[1], b, 0o600)
			os.Truncate(f[0], int64(len(b)-20))
		}, "00000001", 4, "1-1:2 3-3:30"},
		"a header of one letter": {func(f []string) {
			l := lines(f[2])
			l[0] = bytes.Replace(l[0], []byte(`"round":2`), []byte(`"round":3`), 1)
			write(f[2], l)
		}, "00000003", 1, "1-2:29"},
		"no header": {func(f []string) { os.Truncate(f[0], 0) }, "00000001", 1, "2-3:30"},
	} {
		dir := copyDay(t, whole)
		c.spoil(segmentFiles(t, dir))
		p := audited(t, dir)
		var corrupt *journal.CorruptError
		if len(p.Findings) == 0 || !errors.As(p.Findings[0], &corrupt) || corrupt.Line != c.line || filepath.Base(corrupt.File) != c.file+".journal" {
			t.Errorf("%s: %v", name, p.Findings)
		}
		before := p.Stretches[0].Last
		if name == "no header" { // of the first segment: the damage lies before all that verifies
			before = 0
		}
		if p.Proven != before {
			t.Errorf("%s: proven up to entry %d, not %d", name, p.Proven, before)
		}
		if got := spans(p); got != c.stretches {
			t.Errorf("%s: proven %s, want %s", name, got, c.stretches)
		}
	}
}

func spans(p Proof) string {
	var list []string
	for _, s := range p.Stretches {
		list = append(list, strings.TrimSpace(strings.Join([]string{num(s.FirstSegment), "-", num(s.LastSegment), ":", num(int(s.Last))}, "")))
	}
	return strings.Join(list, " ")
}

func num(n int) string { b, _ := json.Marshal(n); return string(b) }

// A bit that fell anywhere in any segment is found, and only in the record's last line may it look unfinished.
func TestAFlippedBitAnywhereIsFound(t *testing.T) {
	whole, _ := playedDay(t)
	dir := copyDay(t, whole)
	files, flipped := segmentFiles(t, dir), 0
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(file); i += 11 {
			bad := bytes.Clone(file)
			bad[i] ^= 1 << (i % 8)
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			p := audited(t, dir)
			lastLine := path == files[len(files)-1] && bytes.Count(file[:i], []byte("\n")) == bytes.Count(file, []byte("\n"))-1
			if len(p.Findings) == 0 && (p.Unfinished == nil || !lastLine) {
				t.Fatalf("%s byte %d: %+v", path, i, p)
			}
			flipped++
		}
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d bits", flipped)
}

// rewritten writes a record anew, with hashes that verify: what somebody can do who may write the files. Spoil may change an entry, and header
// a header.
func rewritten(t *testing.T, from string, spoil func(*journal.Entry), header func(*journal.Header)) string {
	t.Helper()
	dir := t.TempDir()
	var j *journal.Journal
	for _, path := range segmentFiles(t, from) {
		f, err := journal.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		h := f.Header()
		header(&h)
		if j == nil {
			j, _, err = journal.Open(dir, h, journal.Mark{})
		} else {
			err = j.Rotate(h)
		}
		for err == nil {
			var e journal.Entry
			if e, err = f.Next(); err == nil {
				spoil(&e)
				err = j.Append(&e)
			}
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		f.Close()
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A record written anew says nothing by its hashes. What it says of itself must still agree.
func TestARecordWrittenAnew(t *testing.T) {
	whole, _ := playedDay(t)
	same, as := func(*journal.Entry) {}, func(*journal.Header) {}
	if p := audited(t, rewritten(t, whole, same, as)); len(p.Findings) != 0 {
		t.Errorf("without a change: %v", p.Findings)
	}
	for name, c := range map[string]struct {
		spoil  func(*journal.Entry)
		header func(*journal.Header)
		want   string
	}{
		"a call": {func(e *journal.Entry) {
			if e.Seq == 6 {
				e.Calls = json.RawMessage(strings.Replace(string(e.Calls), "8h", "9h", 1))
			}
		}, as, "00000002.journal:4: entry 6 (draw): the game says something else"},
		"a card": {func(e *journal.Entry) {
			if e.Seq == 6 {
				e.Event.Card++
			}
		}, as, "00000002.journal:4: entry 6 (draw): the game says something else"},
		"an opening's round": {same, func(h *journal.Header) {
			if h.Segment == 3 {
				h.Opening.Round--
			}
		}, "00000003.journal:1: the header is not the state"},
		"a dealer": {same, func(h *journal.Header) {
			if h.Segment == 2 {
				h.Dealer = "D-8"
			}
		}, "00000002.journal:1: the header is not the state"},
		"a remembered command": {same, func(h *journal.Header) {
			if h.Segment == 3 {
				h.Commands = h.Commands[1:]
			}
		}, "00000003.journal:1: the header is not the state"},
		"a device": {same, func(h *journal.Header) {
			if h.Segment == 3 {
				h.Devices = nil
			}
		}, "00000003.journal:1: the header is not the state"},
		"a recap": {same, func(h *journal.Header) {
			if h.Segment == 3 {
				h.Recap = nil
			}
		}, "00000003.journal:1: the header is not the state"},
		"a hold": {same, func(h *journal.Header) {
			if h.Segment == 3 {
				h.Opening.Holds = append(h.Opening.Holds, table.Hold{Seq: 3, Code: table.CardCopies})
			}
		}, "00000003.journal:1: the header is not the state"},
	} {
		dir := rewritten(t, whole, c.spoil, c.header)
		p := audited(t, dir)
		if len(p.Findings) == 0 || !strings.Contains(p.Findings[0].Error(), c.want) || len(p.Stretches) != 1 {
			t.Errorf("%s: %v", name, p.Findings)
		}
		proven := map[string]int64{"00000002.journal:1": 3, "00000002.journal:4": 5, "00000003.journal:1": 29}[c.want[:18]]
		if r, err := salvage(dir, recordedFew); err != nil || p.Proven != proven || r.parent.Seq != proven || r.parent.Round != 3 {
			t.Errorf("%s: proven up to %d, and a child says %+v; want %d, %v", name, p.Proven, r.parent, proven, err)
		}
	}
}

// What agrees with itself is told from what was published by nothing but anchors.
func TestOnlyAnchorsTellARecordWrittenAnew(t *testing.T) {
	whole, anchors := playedDay(t)
	later := func(e *journal.Entry) { e.At += time.Microsecond; e.Event.At = e.At } // consistent in itself
	dir := rewritten(t, whole, later, func(*journal.Header) {})
	if p := audited(t, dir); len(p.Findings) != 0 {
		t.Errorf("written anew: %v", p.Findings)
	}
	for _, a := range []journal.Anchor{{Seq: anchors[0].Seq, Hash: anchors[0].Hash}, {Hash: anchors[1].Hash}} {
		if p := audited(t, dir, a); len(p.Findings) != 1 || p.Compared != 0 {
			t.Errorf("an anchor of the old one: %+v", p)
		}
	}
	if p := audited(t, dir, anchors...); p.Elsewhere != 2 || len(p.Findings) != 0 { // it has another name
		t.Errorf("anchors of another record: %+v", p)
	}
}

// Anchors behind the end say that it was cut, and those behind damage that what they vouch for is untouched.
func TestAnchorsAndACutRecord(t *testing.T) {
	whole, anchors := playedDay(t)
	cut := copyDay(t, whole)
	files := segmentFiles(t, cut)
	os.Remove(files[2])
	b, _ := os.ReadFile(files[1])
	os.WriteFile(files[1], bytes.Join(bytes.SplitAfter(b, []byte("\n"))[:5], nil), 0o600)
	if p := audited(t, cut); len(p.Findings) != 0 { // the hashes alone cannot tell
		t.Errorf("cut at a line's end: %v", p.Findings)
	}
	if p := audited(t, cut, anchors...); len(p.Findings) != 1 || p.Anchored != 0 || !strings.Contains(p.Findings[0].Error(), "was published, and is not among those that verify here, and so with 1 more") {
		t.Errorf("cut at a line's end: %+v", p)
	}
	hole := copyDay(t, whole)
	os.WriteFile(segmentFiles(t, hole)[0], nil, 0o600)
	if p := audited(t, hole, anchors...); len(p.Stretches) != 1 || p.Stretches[0].First != 4 || p.Stretches[0].Anchored != anchors[1].Seq {
		t.Errorf("without its first segment: %+v", p)
	}
}

// Entries that this program does not understand are proven by their hashes, and said to be so only.
func TestAnUnknownConfigurationIsNotPlayed(t *testing.T) {
	whole, _ := playedDay(t)
	p, err := Verify(t.Context(), segmentFiles(t, whole), Audit{
		Recorded: func(json.RawMessage) (func(table.Opening) table.Game, error) { return nil, errors.New("no such game") },
		Progress: func(int64, int64) {},
	})
	if err != nil || len(p.Findings) != 0 || p.Replayed != 0 || len(p.Unplayed) != 1 || p.Unplayed[0] != (Unplayed{1, 3, "version test of the program wrote them: no such game"}) {
		t.Errorf("%+v, %v", p, err)
	}
}
