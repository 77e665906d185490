package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sabot/table"
	"sabot/table/journal"
)

// day is a short day at a table without a burn, in two shoes.
const day = `table open by S-1
shoe 1 by S-1
open
close 2
draw 9s
draw 7h
draw 2d
draw Kc
double 2a
draw Ks
draw ??
pause by S-1
retire by S-1
shoe 2 by S-1
open`

// recordDay writes the day as live does and gives its folder. Change may falsify an entry before it is appended.
func recordDay(t *testing.T, change func(*journal.Entry)) string {
	t.Helper()
	c, problems := parseConfig("sabot.yaml", strings.Replace(good, "seats: 5", "burn: none", 1))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	dir := filepath.Join(t.TempDir(), "record")
	header := journal.Header{Table: c.Table, Game: c.Play.Game, Rules: c.Play.Rules, Configuration: c.ForRecord(), Build: "test"}
	j, _, err := journal.Open(dir, header, journal.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	game := c.Play.New(table.Opening{})
	for i, text := range strings.Split(day, "\n") {
		e, err := table.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		e.Seq, e.At = int64(i+1), time.Duration(i)*time.Second
		calls := game.Step(e, nil)
		entry := journal.Entry{Seq: e.Seq, At: e.At, Event: e, Calls: table.AppendCalls(nil, calls, table.ToAll),
			Floor: table.AppendCalls(nil, calls, table.ToFloor), Game: table.AppendCalls(nil, calls, table.ToGame)}
		change(&entry)
		if err := j.Append(&entry); err != nil {
			t.Fatal(err)
		}
		if header.Opening = game.Opening(); e.Kind == table.NewShoe && e.N == 2 {
			if err := j.Rotate(header); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func asPlayed(*journal.Entry) {}

func TestReplayOfARecord(t *testing.T) {
	dir := recordDay(t, asPlayed)
	out, stderr, code := sabot("replay", dir)
	if code != exitOK || stderr != "" {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	for _, want := range []string{"    9  double 2a\n", "Seat 2 doubles\n", "floor: irregularity 11, ", "   15  open\n         Round 2: place your bets\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in:\n%s", want, out)
		}
	}
	lines, _, code := sabot("replay", "--json", dir)
	if n := strings.Count(lines, "\n"); code != exitOK || n != strings.Count(day, "\n")+1 {
		t.Errorf("exit %d, %d lines of JSON", code, n)
	}
	for line := range strings.Lines(lines) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

// A segment alone is enough: its header holds all that went before.
func TestReplayOfOneSegment(t *testing.T) {
	dir := recordDay(t, asPlayed)
	out, stderr, code := sabot("replay", filepath.Join(dir, "00000002.journal"))
	if code != exitOK || out != "   15  open\n         Round 2: place your bets\n" {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
}

// The record is another program's while a table runs: replay must neither wait for it nor touch it.
func TestReplayBesideARunningTable(t *testing.T) {
	dir := recordDay(t, asPlayed)
	j, _, err := journal.Open(dir, journal.Header{}, journal.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, stderr, code := sabot("replay", dir); code != exitOK {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestReplayFindsOtherCalls(t *testing.T) {
	dir := recordDay(t, func(e *journal.Entry) {
		if e.Seq == 10 {
			e.Calls = []byte(strings.Replace(string(e.Calls), `"total":21`, `"total":20`, 1))
		}
	})
	_, stderr, code := sabot("replay", dir)
	want := "sabot: " + filepath.Join(dir, "00000001.journal") + ": entry 10 (draw) was recorded with other calls than it makes now\n"
	if code != exitFailed || stderr != want {
		t.Errorf("exit %d, %q, want %q", code, stderr, want)
	}
}

// Every audience's calls are compared.
func TestReplayFindsOtherCallsToTheFloor(t *testing.T) {
	dir := recordDay(t, func(e *journal.Entry) {
		if e.Seq == 11 {
			e.Floor = []byte("[]")
		}
	})
	if _, stderr, code := sabot("replay", dir); code != exitFailed || !strings.Contains(stderr, "entry 11 ") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func TestReplayOfADamagedRecord(t *testing.T) {
	dir := recordDay(t, asPlayed)
	file := filepath.Join(dir, "00000001.journal")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(string(text), `"draw 2d"`, `"draw 3d"`, 1))
	if _, stderr, code := sabot("replay", dir); code != exitConfig || !strings.Contains(stderr, file+":8: ") {
		t.Errorf("edited: exit %d, %q", code, stderr)
	}
	write(string(text[:len(text)-20]))
	if _, stderr, code := sabot("replay", file); code != exitFailed || !strings.Contains(stderr, "the last line is unfinished") {
		t.Errorf("torn: exit %d, %q", code, stderr)
	}
	lines := strings.SplitAfter(string(text), "\n")
	write(strings.Join(lines[:len(lines)-2], ""))
	if _, stderr, code := sabot("replay", dir); code != exitConfig || !strings.Contains(stderr, "00000002.journal:1: the header does not continue") {
		t.Errorf("shortened: exit %d, %q", code, stderr)
	}
}

// A configuration that this build refuses is no damage, and said with its place.
func TestReplayOfAForeignConfiguration(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "record")
	text, _ := json.Marshal("table: BJ-1\n")
	for _, config := range []string{string(text), "{}"} {
		j, _, err := journal.Open(dir+config[:2], journal.Header{Configuration: json.RawMessage(config), Build: "v9"}, journal.Mark{})
		if err != nil {
			t.Fatal(err)
		}
		j.Close()
		if _, stderr, code := sabot("replay", dir+config[:2]); code != exitFailed || !strings.Contains(stderr, "configuration") || !strings.Contains(stderr, "v9") {
			t.Errorf("exit %d, %q", code, stderr)
		}
	}
}

// The transcripts of the games' own tests are read by the same words.
func TestReplayOfTheGamesTranscripts(t *testing.T) {
	files, err := filepath.Glob("../../table/blackjack/testdata/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range []string{"slips", "balance", "behind", "close", "didactic", "nohole", "short", "undo"} {
		files = append(files, "../../table/wager/testdata/"+name+".txt")
	}
	for _, file := range files {
		if out, stderr, code := sabot("replay", file); code != exitOK || out == "" {
			t.Errorf("%s: exit %d, %s", file, code, stderr)
		}
	}
}
