package table

import (
	"fmt"
	"strings"
	"time"
)

// A transcript is a round, or a day, as people write it down: a line an event in the notation, and before the first one
// `game NAME [setting=value …]`, which says what is played. `+2.5s ` before an event lets time pass. Indented lines are the calls
// it made; '#' starts a comment. An event's seq is its number among the event lines.

// Step is one event line of a transcript.
type Step struct {
	Line  int           // its line in the file, from 1
	Event Event         // stamped with Seq and At
	Text  string        // the line as written, without its comment
	Wait  time.Duration // game time since the last one
}

// Transcript is a transcript read.
type Transcript struct {
	Game     string
	Settings map[string]string
	Steps    []Step
}

// ParseTranscript reads a transcript. An error names the line.
func ParseTranscript(text string) (Transcript, error) {
	t := Transcript{Settings: map[string]string{}}
	at := time.Duration(0)
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '#' || strings.TrimSpace(line) == "" {
			continue
		}
		if t.Game == "" {
			if err := t.parseGame(line); err != nil {
				return t, fmt.Errorf("line %d: %w", i+1, err)
			}
			continue
		}
		s := Step{Line: i + 1, Text: strings.TrimSpace(line)}
		if err := s.parse(line); err != nil {
			return t, fmt.Errorf("line %d: %w", i+1, err)
		}
		if at += s.Wait; at < 0 {
			return t, fmt.Errorf("line %d: so much time does not pass", i+1)
		}
		s.Event.At, s.Event.Seq = at, int64(len(t.Steps)+1)
		t.Steps = append(t.Steps, s)
	}
	if t.Game == "" {
		return t, fmt.Errorf("line 1: a transcript begins with `game NAME`")
	}
	return t, nil
}

func (t *Transcript) parseGame(line string) error {
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "game" {
		return fmt.Errorf("a transcript begins with `game NAME`, not %q", line)
	}
	t.Game = words[1]
	for _, w := range words[2:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("%q is no setting=value", w)
		}
		t.Settings[key] = value
	}
	return nil
}

func (s *Step) parse(line string) error {
	if strings.HasPrefix(line, "+") {
		wait, rest, _ := strings.Cut(line[1:], " ")
		d, err := time.ParseDuration(wait)
		if err != nil || d < 0 {
			return fmt.Errorf("%q is no time to wait", wait)
		}
		s.Wait, line = d, rest
	}
	e, err := Parse(line)
	s.Event = e
	return err
}

// Asked says that an event is somebody's wish, which Check may refuse; what devices and clocks say happened.
func (e *Event) Asked() bool {
	switch e.Kind {
	case Draw, Result:
		return e.Text != nil && e.Text.By != ""
	case Cut, Resent, Claims, Ball, NoSpin, NoMoreBets, Proposed, Lost, Found, Fault, Clear, Timeout, Clock, Started, Refusal, Checked, Program:
		return e.Kind == Timeout && e.Hand != NoHand
	case Pause:
		return e.By() != ""
	}
	return true
}
