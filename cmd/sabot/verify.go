package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"sabot/mqtt"
	"sabot/table"
	"sabot/table/journal"
	"sabot/table/live"
)

// verify proves a record: that its lines continue each other from the first to the last, that each segment begins in the state in which the one
// before it ended, that the game says again what was recorded, and with anchors that all this is what was published at the time.
func verify(e *env, args []string) error {
	var anchors []journal.Anchor
	f := e.flags()
	f.Func("anchor", "hold the record against an anchor, or all in a file of `floor` messages; may be given again", func(v string) error {
		list, err := readAnchors(v)
		anchors = append(anchors, list...)
		return err
	})
	rest, err := e.parse(f, args, 1, 1)
	if err != nil {
		return err
	}
	heard := heardOf(rest[0])
	files, err := recordFiles(rest[0])
	if err != nil {
		return private(err)
	}
	proof, err := live.Verify(e.ctx, files, live.Audit{Recorded: recordedGame, Anchors: anchors, Heard: heard, Progress: progress(e.stderr)})
	if err != nil {
		return private(err)
	}
	tellProof(e.stdout, &proof)
	return proof.Err()
}

// heardOf is how far the record was heard by the cursor that lies beside it, read before the record, which grows meanwhile. The cursor is no part of the record: without one, and
// with one that cannot be read, nothing is known to have been heard.
func heardOf(path string) journal.Mark {
	heard, err := mqtt.Heard(path)
	if err != nil {
		return journal.Mark{}
	}
	return heard
}

// private says who can read a record that the one who asks cannot.
func private(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; a record is private to the user that writes it: `sudo -u sabot sabot …`, or a copy of your own", err)
	}
	return err
}

// recordFiles are a record's segments, or the one that was named.
func recordFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the record: %w", err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	files, err := journal.Segments(path)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there is no record in %s; name the folder a table's journal is in%s", path, journal.Packed(path, 0))
	}
	return files, err
}

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// readAnchors reads an anchor, or a file of messages as they were heard on floor: one a line, behind its topic or not.
func readAnchors(v string) ([]journal.Anchor, error) {
	if hash.MatchString(v) {
		return []journal.Anchor{{Hash: v}}, nil
	}
	f, err := os.Open(v)
	if err != nil {
		return nil, fmt.Errorf("%w; give an anchor of 64 hexadecimal digits, or a file of messages heard on floor", err)
	}
	defer f.Close()
	return parseAnchors(v, f)
}

// parseAnchors reads messages with or without an anchor. Its errors name the line.
func parseAnchors(v string, from io.Reader) ([]journal.Anchor, error) {
	var list []journal.Anchor
	in := bufio.NewScanner(from)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		_, message, found := strings.Cut(in.Text(), "{")
		var a journal.Anchor
		err := json.Unmarshal([]byte("{"+message), &a)
		switch {
		case strings.TrimSpace(in.Text()) == "":
		case !found || err != nil || a.Hash != "" && (!hash.MatchString(a.Hash) || a.Seq < 1):
			return nil, fmt.Errorf("%s:%d: this is no message of floor", v, n)
		case a.Hash != "":
			list = append(list, a)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", v, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no message in it has an anchor", v)
	}
	return list, nil
}

// tellProof says what is proven of a record, and what is not.
func tellProof(w io.Writer, p *live.Proof) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s%s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(w, "record %s: table %s, %s\n", p.Record, p.Table, p.Game)
	if of := p.Parent; of != nil {
		line("parent", "%s, which is proven up to entry %d and lies in %s: %s", cmp.Or(of.Record, "a record without a name"), of.Seq, of.Aside, of.Why)
	}
	for i, s := range p.Stretches {
		behind := ""
		switch {
		case i > 0:
			behind = "; they lie behind what is wrong or not read, and follow it only as far as an anchor says"
		case s.FirstSegment > 1:
			behind = "; what was before is not here"
		}
		line("chain", "%s, %s: each line continues the one before it%s", span("entry", "entries", s.First, s.Last), span("segment", "segments", int64(s.FirstSegment), int64(s.LastSegment)), behind)
	}
	if p.Replayed > 0 {
		line("replay", "%d of them say again what was recorded, and begin each segment in the state that its header tells", p.Replayed)
	}
	for _, w := range p.Writers {
		line("written", "%s: %s", span("entry", "entries", w.First, w.Last), wrote(&w))
	}
	tellUnplayed(line, p)
	if p.Unfinished != nil {
		line("unfinished", "%v", p.Unfinished)
	}
	tellAnchors(line, p)
	for _, f := range p.Findings {
		line("WRONG", "%v", f)
	}
}

// wrote says which program writes.
func wrote(w *live.Writer) string {
	who := "a program that does not say which"
	if w.Build != "" {
		who = "version " + w.Build
	}
	if w.Binary != "" {
		who += ", binary " + w.Binary + ", configuration " + w.Configuration
	}
	return who
}

// tellUnplayed says what today's rules do not prove, and who can.
func tellUnplayed(line func(name, format string, args ...any), p *live.Proof) {
	differ := len(p.Unplayed)+len(p.Unread) > 0
	for _, o := range p.Older {
		line("older", "%s: their calls are of version %d, and this program's of version %d; played by its rules, %d say what was recorded", span("entry", "entries", o.First, o.Last), o.Calls, table.CallsVersion, o.Same)
		for _, d := range o.Otherwise {
			what := plural(int(d.Entries), "entry", "entries") + " of " + d.Of + ", the first is"
			if d.Of == live.OfHeader {
				what = plural(int(d.Entries), "segment", "segments") + " begun in another state than it comes to, the first behind"
			}
			line("otherwise", "%s entry %d", what, d.First)
			differ = true
		}
	}
	for _, u := range p.Unplayed {
		line("not played", "%s: %s", span("segment", "segments", int64(u.FirstSegment), int64(u.LastSegment)), u.Why)
	}
	for _, u := range p.Unread {
		line("not read", "%v", u)
	}
	if differ {
		line("then", "whether that was right by the program of the time, that program's `sabot verify` says; `sabot manual older program` has how to come by it")
	}
}

// tellAnchors says how far the record is what was published at the time.
func tellAnchors(line func(name, format string, args ...any), p *live.Proof) {
	if p.Elsewhere > 0 {
		line("anchors", "%d are of other records, or of entries that are not here", p.Elsewhere)
	}
	if p.Compared == 0 {
		line("not proven", "that nobody wrote all of it anew, or took away what followed: that takes --anchor and the messages kept of floor")
		return
	}
	line("anchors", "%d fit", p.Compared)
	for _, s := range p.Stretches {
		if s.Anchored > 0 {
			line("published", "%s, as they are here", span("entry", "entries", s.First, s.Anchored))
		}
		if from := max(s.Anchored+1, s.First); from <= s.Last {
			line("not proven", "that nobody wrote anew %s", span("entry", "entries", from, s.Last))
		}
	}
}
