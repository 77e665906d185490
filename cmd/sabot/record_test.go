package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sabot/table"
	"sabot/table/journal"
)

// keptRecord is a record of a few rounds that an earlier build wrote; -update writes it anew.
const keptRecord = "testdata/record"

// TestKeptRecord: what was recorded is proven by later builds, too. When this fails and the calls' version has not changed, the change that did it has to
// raise it, or is a mistake; when it has, -update.
func TestKeptRecord(t *testing.T) {
	if *update {
		dir := filepath.Join(t.TempDir(), "record")
		if _, stderr, code := sabot("demo", "--journal", dir, "--rounds", "3", "--seed", "4", "--mistakes", "0.2", "--speed", "0", "--mqtt", "127.0.0.1:0"); code != exitOK {
			t.Fatal(stderr)
		}
		if err := os.RemoveAll(keptRecord); err != nil {
			t.Fatal(err)
		}
		for _, junk := range []string{"reserve", "lock", "cursor"} {
			os.Remove(filepath.Join(dir, junk))
		}
		if err := os.CopyFS(keptRecord, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}
	out, stderr, code := sabot("verify", keptRecord)
	if code != exitOK || strings.Contains(out, "not played") || !strings.Contains(out, "say again what was recorded") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}

// hidden are the cards of the kept record that were face down when they were drawn, and the lines that say so.
func hidden(t *testing.T) (cards map[int64]string) {
	t.Helper()
	cards = map[int64]string{}
	files, _ := journal.Segments(keptRecord)
	for _, path := range files {
		f, err := journal.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for e, err := f.Next(); err == nil; e, err = f.Next() {
			if e.Event.Kind == table.Draw && !strings.Contains(string(e.Calls), e.Event.Card.String()) {
				cards[e.Seq] = e.Event.Card.String()
			}
		}
	}
	if len(cards) < 5 {
		t.Fatalf("only %d cards lay face down", len(cards))
	}
	return cards
}

// What is exported for the public is what the public heard, and no card, name or byte of a device beside.
func TestAPublicExportHidesWhatLiesFaceDown(t *testing.T) {
	cards := hidden(t)
	for _, flags := range [][]string{{"--public"}, {"--public", "--csv"}} {
		out, stderr, code := sabot(append([]string{"export", keptRecord}, flags...)...)
		if code != exitOK {
			t.Fatal(stderr)
		}
		for n, line := range strings.Split(out, "\n") {
			seq := int64(n + 1)
			if len(flags) == 2 {
				seq = int64(n)
			}
			if card := cards[seq]; card != "" && strings.Contains(line, `"`+card+`"`) {
				t.Errorf("entry %d tells %s: %s", seq, card, line)
			}
		}
		for _, private := range []string{"S-1", "irregularity", "draw", "raw", "floor", "dealer\":\"", "salt"} {
			if strings.Contains(out, private) {
				t.Errorf("%v: it tells %q", flags, private)
			}
		}
	}
}

func TestExportedEntries(t *testing.T) {
	all, _, code := sabot("export", keptRecord)
	if code != exitOK {
		t.Fatal(code)
	}
	var rounds, some int
	for line := range strings.Lines(all) {
		var e struct {
			Seq, Round int
			Event      string
			Calls      []json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Event == "" || e.Seq != some+1 {
			t.Fatalf("%v: %s", err, line)
		}
		some++
		if e.Round == 2 {
			rounds++
		}
	}
	second, _, _ := sabot("export", "--rounds", "2", keptRecord)
	if n := strings.Count(second, "\n"); n != rounds || n == 0 {
		t.Errorf("%d entries of round 2, want %d", n, rounds)
	}
	text, _, _ := sabot("export", "--csv", keptRecord)
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != some+1 || lines[0][1] != "seq" || lines[some][1] == "" {
		t.Errorf("%d lines of CSV, %v", len(lines), err)
	}
	for flags, want := range map[string]int{"--shoe 1": some - 2, "--shoe 2-9": 0, "--to 2020-01-01": 0, "--from 2020-01-01": some, "--from 2200-01-01T00:00:00Z": 0, "--rounds 2-3 --shoe 7": 0} {
		out, stderr, code := sabot(append(append([]string{"export"}, strings.Fields(flags)...), keptRecord)...)
		if n := strings.Count(out, "\n"); n != want || code != exitOK {
			t.Errorf("%s: %d entries, want %d; exit %d %s", flags, n, want, code, stderr)
		}
	}
}

// Figures are counted by hand here: two dealers, an hour in which nothing happens, a void, a card by hand, a correction, a void of a round that had ended.
func TestFigures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "record")
	j, _, err := journal.Open(dir, journal.Header{Table: "BJ-1", Game: "blackjack"}, journal.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range []struct {
		minute int
		text   string
		calls  string
		floor  string
	}{
		{0, "dealer D-1", "", ""},
		{1, "draw 9s", `[{"call":"card"}]`, ""},
		{2, "draw ??", "", `[{"call":"irregularity","code":"MISREAD","class":"now"}]`},
		{3, "draw Td by S-1", `[{"call":"end","round":1}]`, ""},
		{63, "dealer D-2", "", ""}, // an hour later
		{65, "draw 2s", "", `[{"call":"irregularity","code":"REFUSED","class":"note"},{"call":"irregularity","code":"BURN_UNREAD","class":"note"}]`},
		{69, "void by S-1", `[{"call":"void","round":2}]`, ""},
		{75, "dealer D-1", `[{"call":"end","round":3}]`, ""},
		{76, "correct 4 9d by S-1", `[{"call":"corrected","replaces":4},{"call":"end","round":3,"rev":1,"replaces":8}]`, ""},
		{77, "draw 3s", `[{"call":"end","round":4}]`, ""},
		{78, "dealer D-2", "", ""},
		{79, "void 4 by S-1", `[{"call":"void","round":4,"rev":1,"replaces":10}]`, ""}, // of D-1's round
	} {
		e, err := table.Parse(l.text)
		if err != nil {
			t.Fatal(err)
		}
		e.Seq, e.At = int64(i+1), minutes(l.minute)
		if err := j.Append(&journal.Entry{Seq: e.Seq, At: e.At, Event: e, Calls: json.RawMessage(l.calls), Floor: json.RawMessage(l.floor)}); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	want := "dealer,hours,rounds,rounds_per_hour,cards,voids,irregularities,misreads,overrides\n" +
		"D-1,0.18,2,10.9,4,1,1,1,2\nD-2,0.13,0,0,1,1,0,1,0\n"
	if out, stderr, _ := sabot("export", "--figures", "dealer", "--csv", dir); out != want {
		t.Errorf("%s%s, want %s", out, stderr, want)
	}
}

// Pruning says what it did, and whatever goes wrong it only says so.
func TestPruner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "record")
	j, _, err := journal.Open(dir, journal.Header{Table: "BJ-1", Game: "blackjack"}, journal.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for n := int64(1); n <= 4; n++ {
		e, _ := table.Parse("draw 9s")
		e.Seq, e.At = n, minutes(int(n)*24*60)
		if err := j.Append(&journal.Entry{Seq: n, At: e.At, Event: e}); err != nil {
			t.Fatal(err)
		}
		if err := j.Rotate(journal.Header{Table: "BJ-1", Game: "blackjack"}); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	p := &pruner{j, dir, journal.Retention{All: minutes(60)}, slog.New(slog.NewTextHandler(&log, nil))}
	for cursor, want := range map[string]int{"": 5, "{}": 5} {
		if cursor != "" {
			os.WriteFile(filepath.Join(dir, "cursor"), []byte(cursor), 0o600)
		}
		p.prune()
		if files, _ := journal.Segments(dir); len(files) != want {
			t.Errorf("cursor %q: %d segments", cursor, len(files))
		}
	}
	if !strings.Contains(log.String(), "not pruned") {
		t.Errorf("a broken cursor is not said: %s", log.String())
	}
	os.WriteFile(filepath.Join(dir, "cursor"), []byte(`{"record":"`+j.Record()+`","seq":4,"floor":0,"settlement":0}`), 0o600)
	p.prune()
	if files, _ := journal.Segments(dir); len(files) != 2 || !strings.Contains(log.String(), "segments=3") {
		t.Errorf("%d segments: %s", len(files), log.String())
	}
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// FuzzAnchors: whatever is in a file of messages is refused with its line, or is anchors that can be looked for.
func FuzzAnchors(f *testing.F) {
	f.Add(`sabot/BJ-1/floor {"v":1,"record":"3ffbf0a1786e7cd63580c4e1da599516","seq":9,"calls":[],"anchor":"5c1f2f0d0a3b9a6a7e3d8f1c4b2a69788796a5b4c3d2e1f00f1e2d3c4b5a6978"}` + "\n\n{\"seq\":4}\n")
	f.Add("{}\n{\"anchor\":\"\"}")
	f.Add("[]")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseAnchors("f", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("%q does not name the file", err)
			}
			return
		}
		for _, a := range list {
			if !hash.MatchString(a.Hash) || a.Seq < 1 {
				t.Fatalf("%+v is no anchor", a)
			}
		}
	})
}
