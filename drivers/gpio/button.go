package gpio

import "time"

// button is a contact that is watched.
type button struct {
	Button
	in    input
	level bool // the line's when the contact is down
	d     debouncer
	until time.Time // all before has been judged

	// The queue's, see there.
	waiting int
	begun   bool // its press was let in, so is what follows of it
	faulty  bool // its fault was let in, so is the Calm
}

func newButton(b Button, in input) *button {
	if b.Debounce == 0 {
		b.Debounce = defaultDebounce
	}
	loop := b.Halts || b.Sense == NormallyClosed
	c := contact{debounce: b.Debounce, hold: b.Hold, stuck: stuckAfter, halts: b.Halts, atOnce: loop || b.Latching, late: loop}
	switch {
	case b.Latching:
		c.stuck = 0
	case loop:
		c.stuck = stuckLoopAfter
	}
	return &button{Button: b, in: in, level: (b.Pull == PullDown) != (b.Sense == NormallyClosed), d: debouncer{contact: c}}
}

const (
	pollEvery = 5 * time.Millisecond   // how often a contact is read that has not settled
	lookEvery = 250 * time.Millisecond // and one at rest, should no edge be told
)

// watch waits for what the contact does, and returns it. Times are judged since the board's start.
func (b *button) watch(start time.Time) []Press {
	limit := lookEvery
	if b.d.busy() {
		time.Sleep(pollEvery)
		limit = 0
	}
	edges, high, err := b.in.Wait(limit)
	now := time.Now()
	var list []Press
	feed := func(s sample, at time.Duration) {
		for _, p := range b.d.feed(s, at) {
			p.Button, p.At = b.Name, start.Add(at)
			list = append(list, p)
		}
	}
	judge := func(s sample, at time.Time) {
		t := b.d.since + b.d.debounce // when it settles
		if s == b.d.now && b.d.raw != b.d.down && start.Add(t).After(b.until) && t < at.Sub(start) {
			feed(s, t)
		}
		feed(s, at.Sub(start))
	}
	for _, e := range edges {
		at := e.at
		if at.Before(b.until) { // the level told already
			at = b.until
		}
		judge(b.d.now, at) // until then it was as before
		judge(b.sample(e.high), at)
		b.until = at
	}
	s := b.sample(high)
	if err != nil {
		s = unread
	}
	if now.Before(b.until) {
		now = b.until
	}
	judge(s, now)
	b.until = now
	return list
}

func (b *button) sample(high bool) sample {
	if high == b.level {
		return pressed
	}
	return released
}
