package main

import (
	"fmt"
	"io"
	"strings"

	"sabot/mqtt"
	"sabot/table"
)

// teller tells what the table says as it says it, in lines for people.
type teller struct {
	narrator
	out io.Writer
	seq int64 // of the last entry told
}

// hear tells a state's calls.
func (t *teller) hear(s table.Snapshot) {
	if s.Seq == t.seq { // shown again
		return
	}
	t.seq = s.Seq
	for _, line := range t.narrate(s.Calls) {
		fmt.Fprintln(t.out, line)
	}
}

// sumUp tells what was played, and holds what was called against what was done.
func (t *teller) sumUp(s *studio, sent mqtt.Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(t.out, "\n%s\n", t.say("sum rounds", s.rounds, s.dealt, s.caused, s.caught, len(s.alarms)))
	fmt.Fprintln(t.out, t.say("sum messages", sent.Published, sent.Acknowledged))
	if len(s.alarms) > 0 {
		fmt.Fprintln(t.out, t.say("sum alarms", strings.Join(s.alarms, ", ")))
	}
}
