package table

import "slices"

// A round that has ended is voided as one that runs: it has no result, and all that was taken for it goes back. What was paid is reversed first, as by a correction; stakes stay taken,
// and are refunded whole. It counts as played: its cards are out of the shoe, the cut card that came in it came. The next round, whose bets may be open, does not notice.

// voidsEnded says that an event voids a round that does not run.
func (r *Round[G, P]) voidsEnded(e Event) bool {
	return e.Kind == Void && P(&r.now).Check(e) == NoRound
}

// reached is the log of the round that a void means, if it has ended and is in reach: the one it names, or else the last one. None is voided twice.
func (r *Round[G, P]) reached(e Event) (*log[G], Code) {
	l, round := (*log[G])(nil), int64(P(&r.now).Opening().Round)
	switch e.N {
	case 0, round:
		l = &r.log
	case round - 1:
		l = &r.last
	}
	switch {
	case l != nil && l.ended > 0:
		return l, OK
	case e.N == 0 || e.N > round || l != nil && l.void():
		return nil, NoRound
	}
	return nil, OutOfReach
}

// void says that the round was voided.
func (l *log[G]) void() bool {
	return slices.ContainsFunc(l.events, func(p past) bool { return p.Kind == Void })
}

// voidEnded voids a round that has ended. Where the next one is open its hands are off the felt already, and it is only forgotten.
func (r *Round[G, P]) voidEnded(e Event, calls []Call) []Call {
	l, code := r.reached(e)
	if code != OK {
		return calls
	}
	next, before := r.now, r.tally
	void := Event{Kind: Void, Seq: e.Seq, At: e.At, inner: lifted}
	calls, c := Add(calls, CallVoid)
	c.N = int64(P(&r.now).Opening().Round)
	if l == &r.last {
		c.N--
		before = r.before
	}
	c.Again(l.rev+1, l.ended)
	calls = r.giveBack(l, e.Seq, calls)
	if l == &r.log {
		calls = P(&next).Step(void, calls)
	}
	l.events = append(l.events, past{void, true, e.Seq})
	l.rev, l.ended = l.rev+1, 0
	r.now, r.tally = next, before
	return calls
}

// giveBack reverses what was paid in a round, and refunds what was taken for it and is not back yet.
func (r *Round[G, P]) giveBack(l *log[G], seq int64, calls []Call) []Call {
	f, was := refold[G]{}, l.start
	var old []Call
	for _, p := range l.events {
		old = P(&was).Step(p.Event, old[:0])
		f.settle(-1, p.said, old, slices.DeleteFunc(slices.Clone(old), func(c Call) bool { return c.Word == CallPaid }))
	}
	calls = f.resettle(seq, calls)
	return append(calls, f.owed()...)
}

// owed are the refunds of what still lies on each bet, by what is settled of its round now.
func (f *refold[G]) owed() []Call {
	var owed []Call
	for _, s := range f.settled {
		for _, c := range s.now {
			i := slices.IndexFunc(owed, func(o Call) bool { return o.Spot == c.Spot && o.Reference() == c.Reference() })
			if i < 0 {
				i = len(owed)
				owed = append(owed, Call{Word: CallRefunded, To: ToGame, Spot: c.Spot})
				owed[i].SetReference(c.Reference())
			}
			if c.Word == CallTaken {
				owed[i].Staked += c.Staked
			} else {
				owed[i].Staked -= c.Staked
			}
		}
	}
	return slices.DeleteFunc(owed, func(c Call) bool { return c.Staked == 0 })
}
