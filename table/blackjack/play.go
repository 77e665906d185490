package blackjack

import (
	"time"

	"sabot/table"
)

// play begins the decisions with the first seat's hand.
func (g *Game) play(e *table.Event, calls []table.Call) []table.Call {
	g.Phase = table.Decisions
	g.turn = table.SeatHand(g.seats.Next(0), 0)
	return g.next(e, calls)
}

// next walks on from the hand in turn to the first thing somebody has to do: a card, a decision, the dealer's hand.
func (g *Game) next(e *table.Event, calls []table.Call) []table.Call {
	g.why = table.WhyNone
	for {
		s := &g.seat[g.turn.Seat()]
		if to, due := g.secondCard(s); due {
			g.cardTo, g.why = to, table.WhySplit
			return calls
		}
		if h := g.at(g.turn); h.status == table.Playing {
			return g.ask(e, h, calls)
		}
		if !g.advance(s) {
			return g.finish(e, calls)
		}
	}
}

// secondCard finds a split hand that waits for its second card.
func (g *Game) secondCard(s *seat) (table.Hand, bool) {
	if s.n == 1 {
		return 0, false
	}
	if g.rules.SplitDeal == InTurn {
		return g.turn, g.at(g.turn).n == 1
	}
	for i, h := range g.of(g.turn.Seat()) {
		if h.n == 1 {
			return table.SeatHand(g.turn.Seat(), i), true
		}
	}
	return 0, false
}

// advance passes the turn to the next hand; false when there is none.
func (g *Game) advance(s *seat) bool {
	seat, i := g.turn.Seat(), g.turn.Index()
	if i+1 < int(s.n) {
		g.turn = table.SeatHand(seat, i+1)
		return true
	}
	if seat = g.seats.Next(seat); seat == 0 {
		g.turn = table.NoHand
		return false
	}
	g.turn = table.SeatHand(seat, 0)
	return true
}

// ask lets the hand in turn decide: by its rule when its clock ran out, by its plan if it has one that still fits, else
// when its decision comes.
func (g *Game) ask(e *table.Event, h *hand, calls []table.Call) []table.Call {
	if h.auto {
		return g.autoplay(e, h, calls)
	}
	if plan := h.plan; plan != table.NoEvent {
		h.plan = table.NoEvent
		if g.own(plan, h, &g.seat[g.turn.Seat()]) == table.OK {
			return g.decide(plan, e, calls)
		}
	}
	g.StartClock(e.At, g.rules.DecisionTime)
	return g.announce(e.At, calls)
}

// autoplay draws until the total is more than 11, aces as 11 unless that busts, then stands (000, L115).
func (g *Game) autoplay(e *table.Event, h *hand, calls []table.Call) []table.Call {
	if h.total <= 11 {
		g.cardTo, g.why = g.turn, table.WhyAuto
		return calls
	}
	h.status = table.Stood
	return g.next(e, calls)
}

// decide carries out a decision of the hand in turn.
func (g *Game) decide(k table.Kind, e *table.Event, calls []table.Call) []table.Call {
	h, s := g.at(g.turn), &g.seat[g.turn.Seat()]
	if h.short {
		k = shorted(k, h)
	}
	h.short, h.acted, h.plan = false, true, table.NoEvent
	g.StopClock()
	calls, c := table.Add(calls, table.CallDecision)
	c.Hand, c.Action = g.turn, k
	switch k {
	case table.Hit:
		g.cardTo, g.why = g.turn, table.WhyHit
		return calls
	case table.Double:
		h.doubled = true
		g.cardTo, g.why = g.turn, table.WhyDouble
		return calls
	case table.Stand:
		h.status = table.Stood
	case table.Surrender:
		h.status = table.Surrendered
	case table.Split:
		calls = g.split(s, calls)
	}
	return g.next(e, calls)
}

// shorted is what a double or split becomes when its balance fails (000, L90, L100-102).
func shorted(k table.Kind, h *hand) table.Kind {
	switch {
	case k == table.Double, k == table.Split && h.total <= 11:
		return table.Hit
	case k == table.Split:
		return table.Stand
	}
	return k
}

// split makes two hands of the one in turn; the new one comes right behind it and the seat's later hands move on.
func (g *Game) split(s *seat, calls []table.Call) []table.Call {
	s.n++
	hands := g.of(g.turn.Seat())[g.turn.Index():]
	for i := len(hands) - 1; i > 1; i-- {
		hands[i] = hands[i-1]
		hands[i].plan = table.NoEvent // a plan is for a hand's name, and the name changed
	}
	first, second := hands[0].cards[0], hands[0].cards[1]
	s.aces = first.Rank() == 1
	hands[0], hands[1] = hand{split: true}, hand{split: true}
	hands[0].add(first)
	hands[1].add(second)
	calls, c := table.Add(calls, table.CallSplit)
	c.Hand, c.Other = g.turn, g.turn+1
	return calls
}

// played goes on when a hand got the card it asked for.
func (g *Game) played(e *table.Event, h *hand, calls []table.Call) []table.Call {
	switch {
	case h.total > 21:
		h.status = table.Bust
	case g.why == table.WhyDouble:
		h.status = table.Doubled
	case g.why == table.WhySplit && g.seat[g.cardTo.Seat()].aces:
		h.status = table.SplitAce
	case h.total == 21:
		h.status = table.TwentyOne
	}
	return g.next(e, calls)
}

// timeout is a clock that ran out: of betting, of insurance, of a hand.
func (g *Game) timeout(e *table.Event, calls []table.Call) []table.Call {
	switch {
	case e.Hand != table.NoHand:
		return g.timeoutHand(e, calls)
	case e.Phase == table.Bets && g.Betting():
		g.EndBets()
		return g.announce(e.At, calls)
	case e.Phase == table.Insurance && g.Phase == table.Insurance:
		g.StopClock()
		for n := g.insuring.Next(0); n > 0; n = g.insuring.Next(n) {
			g.seat[n].answer = table.Decline
		}
		return g.look(e, calls)
	}
	return calls
}

func (g *Game) timeoutHand(e *table.Event, calls []table.Call) []table.Call {
	if g.Phase != table.Decisions || e.Hand != g.turn || g.why != table.WhyNone {
		return calls
	}
	g.StopClock()
	if g.rules.Timeout == NoTimeoutRule {
		return g.Raise(&g.rules.House, g, *e, table.TimedOut, calls)
	}
	h := g.at(g.turn)
	h.auto, h.acted = true, true
	calls, c := table.Add(calls, table.CallDecision)
	c.Hand, c.Action = g.turn, table.Timeout
	return g.autoplay(e, h, calls)
}

// Announce says what is due, where it is not simply the next card of the deal.
func (g *Game) Announce(e table.Event, calls []table.Call) []table.Call {
	return g.announce(e.At, calls)
}

func (g *Game) announce(now time.Duration, calls []table.Call) []table.Call {
	said := calls
	calls, c := table.Add(calls, table.CallDue)
	c.Left = g.ClockLeft(now)
	switch {
	case g.Phase == table.Decisions && g.why == table.WhyNone:
		c.Due, c.Hand, c.May = table.DueDecision, g.turn, g.may()
	case g.Phase == table.Insurance:
		c.Due, c.Seats = table.DueInsurance, g.insuring
	case g.Phase == table.Peeking:
		c.Due = table.DuePeek
	case g.turning:
		c.Due = table.DueReveal
	case g.Betting():
		c.Due = table.DueClose
	default:
		return said
	}
	return calls
}
