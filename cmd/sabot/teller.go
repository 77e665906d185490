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
	out io.Writer
	seq int64 // of the last entry told
}

// hear tells a state's calls.
func (t *teller) hear(s table.Snapshot) {
	if s.Seq == t.seq { // shown again
		return
	}
	t.seq = s.Seq
	for _, line := range narrate(s.Calls) {
		fmt.Fprintln(t.out, line)
	}
}

// sumUp tells what was played, and holds what was called against what was done.
func (t *teller) sumUp(s *studio, sent mqtt.Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(t.out, "\n%d rounds, %d cards. Irregularities: %d caused, %d caught, %d false alarms.\n", s.rounds, s.dealt, s.caused, s.caught, len(s.alarms))
	fmt.Fprintf(t.out, "Messages: %d published, entries up to %d acknowledged by their echo.\n", sent.Published, sent.Acknowledged)
	if len(s.alarms) > 0 {
		fmt.Fprintf(t.out, "False alarms: %s\n", strings.Join(s.alarms, ", "))
	}
}
