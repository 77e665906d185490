package blackjack

import "sabot/table"

// finish is the end of the decisions: the dealer turns the hole card.
func (g *Game) finish(e *table.Event, calls []table.Call) []table.Call {
	g.ended = table.EndedPlayedOut
	if !g.rules.DrawWithoutStake && !g.anyLive() {
		g.ended = table.EndedNoLiveHand
		if g.allNatural() {
			g.ended = table.EndedAllBlackjack
		}
	}
	return g.turnHole(e, calls)
}

func (g *Game) anyLive() bool {
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		for i := range g.of(n) {
			if g.at(table.SeatHand(n, i)).live() {
				return true
			}
		}
	}
	return false
}

func (g *Game) allNatural() bool {
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		if g.first(n).status != table.Blackjack {
			return false
		}
	}
	return true
}

// turnHole makes the turn of the hole card due, or takes it as done where the house does not press for it.
func (g *Game) turnHole(e *table.Event, calls []table.Call) []table.Call {
	g.Phase = table.Dealers
	if !g.hidden {
		return g.dealerNext(calls)
	}
	if g.rules.ImpliedReveal {
		return g.reveal(e, calls)
	}
	g.turning = true
	return g.announce(e.At, calls)
}

// reveal turns the hole card. Only now may its copies be compared with the decks: before, the answer would tell what it is.
func (g *Game) reveal(e *table.Event, calls []table.Call) []table.Call {
	return g.dealerNext(g.turnUp(e, calls))
}

// turnUp turns it, and nothing else.
func (g *Game) turnUp(e *table.Event, calls []table.Call) []table.Call {
	g.hidden, g.turning = false, false
	hole := g.dealer().cards[1]
	calls, c := table.Add(calls, table.CallReveal)
	c.Card, c.Total, c.Soft = hole, g.dealer().total, g.dealer().soft
	if !g.Shoe.Turn(hole) {
		calls = g.Raise(&g.rules.House, g, *e, table.CardCopies, calls)
	}
	return calls
}

// dealerNext makes the dealer's next card due, or settles.
func (g *Game) dealerNext(calls []table.Call) []table.Call {
	g.why = table.WhyNone
	if g.dealerDraws() {
		g.cardTo, g.why = table.DealerHand, table.WhyDealer
		return calls
	}
	return g.settle(calls)
}

func (g *Game) dealerDraws() bool {
	switch {
	case g.dealer().n < 2: // no hole card was dealt: it is drawn now if anything may depend on it
		return g.ended == table.EndedPlayedOut || g.naturalOpen()
	case g.ended != table.EndedPlayedOut:
		return false
	}
	return g.dealer().total < 17 || g.dealer().total == 17 && g.dealer().soft && g.rules.DealerHitsSoft17
}

// naturalOpen says that the dealer may still have a natural, and that a player's natural or an insurance depends on it: his second card is then drawn, and
// no third one (003, L28).
func (g *Game) naturalOpen() bool {
	p := points[g.dealer().cards[0].Rank()]
	if p != 1 && p != 10 {
		return false
	}
	if g.seat[0].answer == table.Insure {
		return true
	}
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		if g.first(n).status == table.Blackjack || g.seat[n].answer == table.Insure {
			return true
		}
	}
	return false
}

// settle calls each hand's result, each insurance's, and the round's end.
func (g *Game) settle(calls []table.Call) []table.Call {
	natural := g.dealer().natural()
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		for i := range g.of(n) {
			calls = g.result(table.SeatHand(n, i), natural, calls)
		}
		if g.seat[n].answer == table.Insure {
			var c *table.Call
			calls, c = table.Add(calls, table.CallResult)
			c.Action, c.Hand, c.Stake = table.Insure, table.SeatHand(n, 0), 1
			c.Outcome, c.Net = table.LostBet, -1
			if natural {
				c.Outcome, c.Net = table.Won, 2
			}
		}
	}
	return g.end(g.ended, calls)
}

func (g *Game) end(ended table.Ended, calls []table.Call) []table.Call {
	g.ended = ended
	calls, c := table.Add(calls, table.CallEnd)
	c.N, c.Ended, c.Total, c.Soft = int64(g.Round), ended, g.dealer().total, g.dealer().soft
	return g.EndRound(&g.rules.House, calls)
}

func (g *Game) result(name table.Hand, natural bool, calls []table.Call) []table.Call {
	h := g.at(name)
	calls, c := table.Add(calls, table.CallResult)
	c.Hand, c.Status, c.Stake, c.Split, c.Doubled = name, h.status, h.stakes(), h.split, h.doubled
	c.Outcome, c.Net = g.outcome(h, natural)
	c.Total, c.Soft = h.total, h.soft
	return calls
}

// outcome is a hand's result and its net in half units (000, L145-169).
func (g *Game) outcome(h *hand, natural bool) (table.Outcome, int8) {
	stake := h.stakes()
	switch h.status {
	case table.Surrendered:
		return table.LostHalf, -1
	case table.Bust:
		return table.LostBust, -stake
	case table.TookEvenMoney:
		return table.PaidEven, stake
	case table.Blackjack:
		if natural {
			return table.Pushed, 0
		}
		return table.WonBlackjack, 3
	}
	switch dealer := g.dealer().total; {
	case natural:
		return table.LostBet, -stake
	case dealer > 21 || h.total > dealer:
		return table.Won, stake
	case h.total == dealer:
		return table.Pushed, 0
	}
	return table.LostBet, -stake
}
