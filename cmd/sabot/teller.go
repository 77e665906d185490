package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"sabot/mqtt"
	"sabot/table"
	"sabot/table/wager"
)

// teller tells what the table says as it says it, in lines for people.
type teller struct {
	narrator
	out io.Writer

	mu      sync.Mutex // the people tell of a session beside the table
	seq     int64      // of the last entry told
	waiting []string   // what people say of it, who heard of it first
	after   int64      // the entry that these wait for
}

// hear tells a state's calls.
func (t *teller) hear(s table.Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.Seq == t.seq { // shown again
		return
	}
	t.seq = s.Seq
	for _, line := range t.narrate(s.Calls) {
		fmt.Fprintln(t.out, line)
	}
	t.flush()
}

// flush tells what waited for an entry that is told.
func (t *teller) flush() {
	if t.seq < t.after {
		return
	}
	for _, line := range t.waiting {
		fmt.Fprintln(t.out, line)
	}
	t.waiting = nil
}

// session tells what became of a didactic session, behind the entry that its players heard last.
func (t *teller) session(was, now wager.Session, seq int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting, t.after = append(t.waiting, t.played(was, now)...), seq
	t.flush()
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
