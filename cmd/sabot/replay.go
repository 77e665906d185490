package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"sabot/table"
	"sabot/table/journal"
)

// replay plays a transcript or a record again and tells what was called.
func replay(e *env, args []string) error {
	f := e.flags()
	asJSON := f.Bool("json", false, "print each event and its calls as one line of JSON")
	language := languageFlag(f)
	rest, err := e.parse(f, args, 1, 1)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(e.stdout)
	p := &replayer{narrator: narrator{*language}, ctx: e.ctx, out: out, json: *asJSON}
	err = private(p.play(rest[0]))
	if flushed := out.Flush(); err == nil && flushed != nil {
		err = fmt.Errorf("replay: %w", flushed)
	}
	p.remark(e.stderr)
	return err
}

// remark says of a record with older calls how far it was told as it was recorded.
func (p *replayer) remark(w io.Writer) {
	switch {
	case p.otherwise > 0:
		fmt.Fprintf(w, "sabot: an older program called %s; of %d this one says otherwise, and what was recorded stands behind ≠\n", plural(p.older, "entry", "entries"), p.otherwise)
	case p.older > 0:
		fmt.Fprintf(w, "sabot: an older program called %s; this one says the same of all of them\n", plural(p.older, "entry", "entries"))
	}
}

// replayer plays events and prints what comes of them.
type replayer struct {
	narrator
	ctx   context.Context
	out   io.Writer
	json  bool
	game  table.Game
	calls []table.Call

	older, otherwise int // entries with calls of an older version, and those that are called otherwise today
}

// play finds out what a path is: a folder or a file that begins with a brace is a record, anything else a transcript.
func (p *replayer) play(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	if info.IsDir() {
		return p.record(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	defer f.Close()
	if first := make([]byte, 1); readsBrace(f, first) {
		return p.segments([]string{path})
	}
	return p.transcript(path)
}

func readsBrace(r io.Reader, first []byte) bool {
	n, _ := r.Read(first)
	return n == 1 && first[0] == '{'
}

// maxTranscript bounds a transcript's file in bytes.
const maxTranscript = 4 << 20

func (p *replayer) transcript(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	if len(text) > maxTranscript {
		return fmt.Errorf("%s is longer than %d bytes; give a transcript or a record", path, maxTranscript)
	}
	script, err := table.ParseTranscript(string(text))
	if err != nil {
		return inFile(path, err)
	}
	plays, err := newPlay(script.Game, script.Settings)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", path, gameLine(string(text)), err)
	}
	p.game = plays.New(table.Opening{})
	for _, s := range script.Steps {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if s.Event.Asked() {
			if code := p.game.Check(s.Event); code != table.OK {
				p.refused(s.Event, code)
				continue
			}
		}
		p.step(s.Event)
		p.tell(s.Event, nil)
	}
	return nil
}

// gameLine is the line that names the game: nothing stands before it but comments.
func gameLine(text string) int {
	before, _, _ := strings.Cut("\n"+text, "\ngame")
	return strings.Count(before, "\n") + 1
}

// inFile puts a file before an error that begins with "line N: ".
func inFile(path string, err error) error {
	line, rest, ok := strings.Cut(strings.TrimPrefix(err.Error(), "line "), ": ")
	if !ok {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s:%s: %s", path, line, strings.TrimPrefix(rest, "table: "))
}

// record plays a record's segments, each from its own header, and makes sure that they follow one another.
func (p *replayer) record(dir string) error {
	files, err := journal.Segments(dir)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("there is no record in %s; name a transcript, or the folder a table's journal is in%s", dir, journal.Packed(dir, 0))
	}
	return p.segments(files)
}

func (p *replayer) segments(files []string) error {
	var h *journal.Header
	return journal.Walk(files, func(f *journal.File) error {
		begun := f.Header()
		h = &begun
		return p.open(f.Name(), h)
	}, func(path string, e *journal.Entry) error {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		return p.entry(path, h, e)
	})
}

// entry plays an entry, and compares what is called with what was recorded. That of another version of the program need not be the same.
func (p *replayer) entry(path string, h *journal.Header, e *journal.Entry) error {
	if err := p.again(e.Event); err != nil && h.Calls >= table.CallsVersion {
		return fmt.Errorf("%s: entry %d (%s): %w", path, e.Seq, e.Event.Kind.Word(), err)
	}
	same := p.recorded(e)
	if h.Calls < table.CallsVersion {
		p.older++
	}
	switch {
	case same:
		p.tell(e.Event, nil)
	case h.Calls == table.CallsVersion:
		p.tell(e.Event, nil)
		return fmt.Errorf("%s: entry %d (%s) was recorded with other calls than it makes now", path, e.Seq, e.Event.Kind.Word())
	default:
		p.otherwise++
		p.tell(e.Event, e)
	}
	return nil
}

// again plays a recorded event. A game that panics at it says nothing of it, as at a table; what it panics with may name a face-down card.
func (p *replayer) again(e table.Event) (err error) {
	defer func() {
		if recover() != nil {
			p.calls, err = nil, errors.New("the game panics")
		}
	}()
	p.step(e)
	return nil
}

// open makes the game that a segment was begun with, from the configuration in its header.
func (p *replayer) open(path string, h *journal.Header) error {
	play, err := recordedPlay(h.Configuration)
	if err != nil {
		return fmt.Errorf("%s: %w; build %s wrote it", path, err, h.Build)
	}
	p.game = play.New(h.Opening)
	return nil
}

// recordedPlay is what a table played by the configuration in its record.
func recordedPlay(configuration json.RawMessage) (*Play, error) {
	text := string(configuration)
	if strings.HasPrefix(text, `"`) { // older records have the file as it was
		if err := json.Unmarshal(configuration, &text); err != nil {
			return nil, errors.New("the header's configuration cannot be read")
		}
	}
	c, problems := parseConfig("header (configuration)", text)
	if len(problems) > 0 {
		return nil, fmt.Errorf("this build does not take the header's configuration: %v", problems[0])
	}
	return c.Play, nil
}

// step plays an event; its calls are then in p.calls.
func (p *replayer) step(e table.Event) { p.calls = p.game.Step(e, p.calls[:0]) }

// recorded says that an entry holds the same calls to the byte.
func (p *replayer) recorded(e *journal.Entry) bool {
	for to, was := range map[table.Audience]json.RawMessage{table.ToAll: e.Calls, table.ToFloor: e.Floor, table.ToGame: e.Game} {
		if !bytes.Equal(table.AppendCalls(nil, p.calls, to), was) {
			return false
		}
	}
	return true
}

// tell prints an event and what it called; and what was recorded, where that is something else.
func (p *replayer) tell(e table.Event, was *journal.Entry) {
	if p.json {
		b := append(member(e), `,"calls":`...)
		b = append(table.AppendCalls(b, p.calls, table.ToAll), `,"floor":`...)
		b = append(table.AppendCalls(b, p.calls, table.ToFloor), `,"game":`...)
		b = table.AppendCalls(b, p.calls, table.ToGame)
		if was != nil {
			b = fmt.Appendf(b, `,"recorded":{"calls":%s,"floor":%s,"game":%s}`, was.Calls, was.Floor, was.Game)
		}
		fmt.Fprintf(p.out, "%s}\n", b)
		return
	}
	fmt.Fprintf(p.out, "%5d  %v\n", e.Seq, e)
	for _, sentence := range p.narrate(p.calls) {
		fmt.Fprintf(p.out, "         %s\n", sentence)
	}
	if was != nil {
		fmt.Fprintf(p.out, "         %s\n", p.say("recorded", was.Calls, was.Floor, was.Game))
	}
}

// refused prints an event that was asked for and could not be taken.
func (p *replayer) refused(e table.Event, code table.Code) {
	if p.json {
		fmt.Fprintf(p.out, "%s,\"refused\":%q}\n", member(e), code)
		return
	}
	fmt.Fprintf(p.out, "%5d  %v\n         %s\n", e.Seq, e, p.say("refused", p.code(code)))
}

// member begins an event's line of JSON.
func member(e table.Event) []byte {
	text, _ := json.Marshal(e.String()) // a string always marshals
	return fmt.Appendf(nil, `{"seq":%d,"event":%s`, e.Seq, text)
}
