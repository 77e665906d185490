package gpio

import "time"

// button is a contact that is watched.
type button struct {
	Button
	in    input
	level bool // the line's when the contact is down
	d     debouncer

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

// read looks at the contact, at a time since the board was opened.
func (b *button) read(now time.Duration) []Press {
	s := released
	switch high, err := b.in.Read(); {
	case err != nil:
		s = unread
	case high == b.level:
		s = pressed
	}
	return b.d.feed(s, now)
}
