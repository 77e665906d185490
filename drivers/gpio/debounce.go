package gpio

import "time"

// Kind is what happened at a button.
type Kind uint8

// The kinds. A press is Down, then perhaps Held, then Up. Stuck, Bouncing and Lost are faults, each told once; one Calm ends all that a
// button has.
const (
	_        Kind = iota
	Down          // pressed
	Held          // held for its hold time; once a press
	Up            // let go
	Stuck         // down for longer than any finger stays
	Bouncing      // its contact chatters; nothing more is heard of it until Calm, except that a chattering halt is down
	Lost          // the line cannot be read
	Calm          // reliable again
)

// String is the kind in a word, for logs and the record.
func (k Kind) String() string {
	return [...]string{"?", "down", "held", "up", "stuck", "bouncing", "lost", "calm"}[k]
}

const (
	maxEdges = 30          // changes within a second, of those 5 ms apart; a finger and a worn contact together make fewer
	quiet    = time.Second // without any change: a chattering contact is calm again
)

// sample is what was read of a contact, its sense applied.
type sample uint8

const (
	released sample = iota
	pressed
	unread // the line could not be read
)

// contact is how a contact is judged.
type contact struct {
	debounce time.Duration // a level counts when it has been there for so long without a change
	hold     time.Duration // 0: no Held
	stuck    time.Duration // 0: may stay down for ever
	halts    bool          // in doubt it is down: when it cannot be read, and while it chatters
	atOnce   bool          // found down at the start, it is pressed; otherwise somebody must press it first
	late     bool          // Held is told at the release, when it is known that it was a finger
}

// debouncer makes presses of what is read of one contact. It is pure: what it knows of time it is told.
type debouncer struct {
	contact
	begun bool
	found bool          // down at the start, and not settled yet
	down  bool          // the press or release that counts
	from  time.Duration // when the contact closed for it
	mute  bool          // nobody was told of this press, so nobody is told of its end
	spent bool          // this press gives no Held, or has

	raw   bool          // what was read last
	since time.Duration // when it came to be so
	lost  bool
	blind time.Duration // since when the line could not be read
	now   sample

	window  time.Duration // when the second began in which changes are counted
	counted time.Duration // the last one
	edges   int

	stuckTold, bouncing, troubled bool

	out []Press
}

// feed takes what is read at a time, which never goes back, and returns what came of it. The slice is good until the next call.
func (d *debouncer) feed(s sample, now time.Duration) []Press {
	d.out = d.out[:0]
	d.look(s, now)
	d.chatter(now)
	if !d.bouncing {
		d.settle(now)
		d.wait(now)
	}
	faulty := d.stuckTold || d.bouncing || d.lost
	if d.troubled && !faulty {
		d.tell(Calm, 0)
	}
	d.troubled = faulty
	return d.out
}

func (d *debouncer) tell(k Kind, down time.Duration) {
	d.out = append(d.out, Press{Kind: k, For: down})
}

// look notes the sample, and an edge if there was one.
func (d *debouncer) look(s sample, now time.Duration) {
	if s == unread && d.now != unread {
		d.blind = now
	}
	d.now = s
	switch {
	case s != unread:
		d.lost = false
	case !d.lost && now-d.blind >= d.debounce:
		d.lost = true
		d.tell(Lost, 0)
	}
	closed := s == pressed || s == unread && (d.halts || d.raw)
	switch {
	case !d.begun:
		d.begun, d.found, d.raw, d.since = true, closed, closed, now
		if closed && !d.atOnce {
			d.down, d.from, d.mute, d.spent = true, now, true, true
		}
	case closed != d.raw:
		d.raw, d.since = closed, now
		d.count(now)
	}
}

// count counts a change, if it is not of the same bounce as the last one.
func (d *debouncer) count(now time.Duration) {
	if now-d.counted < pollEvery {
		return
	}
	if d.counted = now; now-d.window >= time.Second {
		d.window, d.edges = now, 0
	}
	d.edges++
}

// busy says whether something will come of what was seen, even if nothing more happens.
func (d *debouncer) busy() bool {
	return !d.begun || d.raw != d.down || d.bouncing || d.now == unread || d.down && d.hold > 0 && !d.spent && !d.late
}

// chatter tells a contact that changes too often for any finger, and the end of it. What it then rests at is no press: nobody made it.
func (d *debouncer) chatter(now time.Duration) {
	switch {
	case !d.bouncing && d.edges > maxEdges:
		if d.halts && !d.down {
			d.press()
		}
		d.bouncing, d.spent = true, true
		d.tell(Bouncing, 0)
	case d.bouncing && now-d.since >= max(quiet, d.debounce):
		d.bouncing, d.edges = false, 0
		if d.raw && !d.down {
			d.down, d.from, d.mute, d.spent = true, d.since, true, true
		}
	}
}

func (d *debouncer) press() {
	d.down, d.from, d.mute, d.spent = true, d.since, false, false
	d.tell(Down, 0)
}

// settle accepts a level that has stayed.
func (d *debouncer) settle(now time.Duration) {
	if d.raw == d.down || now-d.since < d.debounce {
		return
	}
	if d.raw {
		d.press()
		d.spent, d.found = d.found, false // a contact that was found down may be a wire that heals
		return
	}
	down := d.since - d.from
	if d.late && d.hold > 0 && down >= d.hold && !d.spent && !d.stuckTold {
		d.tell(Held, down)
	}
	if !d.mute {
		d.tell(Up, down)
	}
	d.down, d.mute, d.stuckTold = false, false, false
}

// wait tells what comes of staying down, once it is certain that it still is.
func (d *debouncer) wait(now time.Duration) {
	if !d.down || !d.raw || now-d.since < d.debounce {
		return
	}
	if d.lost {
		d.spent = true // nobody saw what the finger did
	}
	down := now - d.from
	if !d.late && d.hold > 0 && down >= d.hold && !d.spent {
		d.spent = true
		d.tell(Held, down)
	}
	if d.stuck > 0 && down >= d.stuck && !d.stuckTold {
		d.stuckTold = true
		d.tell(Stuck, down)
	}
}
