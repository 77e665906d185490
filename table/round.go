package table

import "time"

// Round keeps a game's value at the round's start and the events since, and is itself a Game, so that the live loop,
// replay and tests step games the same way. A step either happens whole or, should the game panic, not at all. It is also where a
// decision is undone: the round is played again from its start without it.
type Round[G comparable, P interface {
	*G
	Game
}] struct {
	now, start G
	events     []past
}

// past is an event of the round, and whether it put anything on the felt that cannot be taken back.
type past struct {
	Event
	shown bool
}

// NewRound begins with a game between rounds.
func NewRound[G comparable, P interface {
	*G
	Game
}](g G) *Round[G, P] {
	return &Round[G, P]{now: g, start: g}
}

// Game is the game's value now.
func (r *Round[G, P]) Game() G { return r.now }

// Check is the game's, and the conditions of an undo.
func (r *Round[G, P]) Check(e Event) Code {
	if e.Kind != Undo {
		return P(&r.now).Check(e)
	}
	if e.By() == "" {
		return ByMissing
	}
	if i := r.undoable(); i < 0 || r.events[i].Seq != e.N {
		return Stale
	}
	return OK
}

// undoable is the place of the round's last decision, -1 when something was shown since, by it or after it, or the supervisor
// ordered anything: no re-fold moves a dealt card, and nobody decides anew on a card he has seen.
func (r *Round[G, P]) undoable() int {
	for i := len(r.events) - 1; i >= 0; i-- {
		if r.events[i].shown {
			return -1
		}
		switch k := r.events[i].Kind; {
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
	Short: true, Plan: true, Follow: true, Refusal: true, Dealer: true, Lost: true, Found: true, Stop: true, Release: true, Pause: true, Resume: true,
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
	if e.Kind == Undo {
		return r.undo(e, calls)
	}
	next, before := r.now, len(calls)
	calls = P(&next).Step(e, calls)
	if e.Kind == Open || e.Kind == NewShoe {
		r.start, r.events = r.now, r.events[:0]
	}
	r.now = next
	r.events = append(r.events, past{e, shows(calls[before:])})
	return calls
}

func (r *Round[G, P]) undo(e Event, calls []Call) []Call {
	i := r.undoable()
	if i < 0 {
		return calls
	}
	events := append(append([]past{}, r.events[:i]...), r.events[i+1:]...)
	next := r.start
	var old []Call
	for _, was := range events {
		old = P(&next).Step(was.Event, old[:0])
	}
	calls = P(&next).Step(e, calls)
	r.now, r.events = next, events
	return calls
}

// Layout is the game's.
func (r *Round[G, P]) Layout() Layout { return P(&r.now).Layout() }

// Opening is the game's.
func (r *Round[G, P]) Opening() Opening { return P(&r.now).Opening() }

// Deadline is the game's.
func (r *Round[G, P]) Deadline() time.Duration { return P(&r.now).Deadline() }
