package table

import "time"

// Round keeps a game's value at the round's start and the events since, and is itself a Game, so that the live loop,
// replay and tests step games the same way. A step either happens whole or, should the game panic, not at all. It is also where a
// decision is undone and a dealt card corrected: the round is played again from its start without the one, or with another card for the other; and where a round that
// has ended is voided.
// And it is where the order of a shoe's cards is watched, see watch.
//
// In reach of a correction and of a void are the round running and the last one, until the seats of the next one are named or a new shoe is filled.
type Round[G comparable, P interface {
	*G
	Game
}] struct {
	now    G
	log    log[G] // of the round running, or the last one
	last   log[G] // of the round before it, while that is in reach
	tally  tally  // of the rounds before the one on the felt
	before tally  // and before the last one
	watch  watch
}

// log is a game's value as a round begins, and what happened since.
type log[G any] struct {
	start  G
	events []past
	rev    uint8 // how often it was corrected
	ended  int64 // the seq of the round's end, 0 before it and when it is void
}

// past is an event of the round, whether it put anything on the felt that cannot be taken back, and the event under which stands what was settled of
// it: itself, or a correction.
type past struct {
	Event
	shown bool
	said  int64
}

// NewRound begins with a game between rounds.
func NewRound[G comparable, P interface {
	*G
	Game
}](g G) *Round[G, P] {
	return &Round[G, P]{now: g, log: log[G]{start: g}}
}

// After goes on after the opening the game was made of: the order of the last shoe is in it.
func (r *Round[G, P]) After(o Opening) *Round[G, P] {
	r.watch.last = o.Last
	return r
}

// Game is the game's value now.
func (r *Round[G, P]) Game() G { return r.now }

// Check is the game's, and the conditions of an undo, of a correction, and of the voiding of a round that has ended.
func (r *Round[G, P]) Check(e Event) Code {
	switch {
	case e.Kind == Undo:
		return r.checkUndo(e)
	case r.corrects(e):
		_, code := r.correction(e)
		return code
	case r.voidsEnded(e):
		_, code := r.reached(e)
		return code
	}
	return P(&r.now).Check(e)
}

func (r *Round[G, P]) checkUndo(e Event) Code {
	if e.By() == "" {
		return ByMissing
	}
	if i := r.undoable(); i < 0 || r.log.events[i].Seq != e.N {
		return Stale
	}
	return OK
}

// undoable is the place of the round's last decision, -1 when something was shown since, by it or after it, or the supervisor
// ordered anything: no re-fold moves a dealt card, and nobody decides anew on a card he has seen.
func (r *Round[G, P]) undoable() int {
	for i := len(r.log.events) - 1; i >= 0; i-- {
		if r.log.events[i].shown {
			return -1
		}
		switch k := r.log.events[i].Kind; {
		case k >= Hit && k <= Decline:
			return i
		case !asides[k]:
			return -1
		}
	}
	return -1
}

// asides are the events that may stand between a decision and its undoing: the dealer who called the supervisor over it among them.
var asides = map[Kind]bool{
	Short: true, Plan: true, Follow: true, Refusal: true, Program: true, Dealer: true, Lost: true, Found: true, Stop: true, Release: true, Pause: true, Resume: true,
}

// shows says that calls put something on the felt: a card, the peek's answer, a result.
func shows(calls []Call) bool {
	for i := range calls {
		switch calls[i].Word {
		case CallCard, CallPeek, CallReveal, CallResult, CallNumber, CallEnd, CallVoid:
			return true
		}
	}
	return false
}

// Step changes the game by an event.
func (r *Round[G, P]) Step(e Event, calls []Call) []Call {
	switch {
	case e.Kind == Undo:
		return r.undo(e, calls)
	case r.corrects(e):
		return r.correct(e, calls)
	case r.voidsEnded(e):
		return r.voidEnded(e, calls)
	}
	next, watch, before := r.now, r.watch, len(calls)
	calls = P(&next).Step(e, calls)
	layout := func() Layout { return P(&next).Layout() }
	found := watch.see(&e, calls[before:], layout)
	for _, code := range found {
		calls = P(&next).Step(watched(&e, code), calls)
	}
	r.begin(&e, calls[before:])
	r.count(&e, calls[before:])
	r.now, r.watch = next, watch
	r.log.events = append(r.log.events, past{e, shows(calls[before:]), e.Seq})
	if word(calls[before:], CallEnd) != nil {
		r.log.ended = e.Seq
	}
	for _, code := range found { // they stand when the round is played again
		r.log.events = append(r.log.events, past{watched(&e, code), false, e.Seq})
	}
	return calls
}

// watched is what the watch found out by e, as an event for the game.
func watched(e *Event, code Code) Event {
	return Event{Seq: e.Seq, At: e.At, Kind: Fault, Code: code}
}

// begin begins the log of a round, or of a shoe, and ends the reach of the last round's.
func (r *Round[G, P]) begin(e *Event, calls []Call) {
	switch {
	case e.Kind == Close:
		r.last = log[G]{events: r.last.events[:0]}
	case e.Kind == NewShoe || e.Kind == TableOpen:
		r.last = log[G]{events: r.last.events[:0]}
		r.log = log[G]{start: r.now, events: r.log.events[:0]}
	case e.Kind == Open && word(calls, CallOpen) != nil:
		r.last, r.log = r.log, log[G]{start: r.now, events: r.last.events[:0]}
	}
}

// count keeps what the round on the felt gave as the next one opens, and forgets all of it with the shoe and the day.
func (r *Round[G, P]) count(e *Event, calls []Call) {
	switch {
	case e.Kind == NewShoe || e.Kind == TableOpen || e.Kind == TableClose:
		r.before, r.tally = tally{}, tally{}
	case e.Kind == Open && word(calls, CallOpen) != nil:
		l := P(&r.now).Layout()
		r.before, r.tally = r.tally, r.tally.with(&l)
	}
}

func (r *Round[G, P]) undo(e Event, calls []Call) []Call {
	i := r.undoable()
	if i < 0 {
		return calls
	}
	events := append(append([]past{}, r.log.events[:i]...), r.log.events[i+1:]...)
	next := r.log.start
	var old []Call
	for _, was := range events {
		old = P(&next).Step(was.Event, old[:0])
	}
	calls = P(&next).Step(e, calls)
	r.now, r.log.events = next, events
	return calls
}

// Layout is the game's, and what the rounds before gave.
func (r *Round[G, P]) Layout() Layout {
	l := P(&r.now).Layout()
	r.tally.show(&l)
	return l
}

// Opening is the game's, and the last shoe's order.
func (r *Round[G, P]) Opening() Opening {
	o := P(&r.now).Opening()
	o.Last = r.watch.last
	return o
}

// Deadline is the game's.
func (r *Round[G, P]) Deadline() time.Duration { return P(&r.now).Deadline() }
