package blackjack

import "sabot/table"

// finish is the end of the decisions: the dealer turns the hole card.
func (g *Game) finish(e table.Event, calls []table.Call) []table.Call {
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
		s := &g.seat[n]
		for i := range int(s.n) {
			if s.hands[i].live() {
				return true
			}
		}
	}
	return false
}

func (g *Game) allNatural() bool {
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		if g.seat[n].hands[0].status != table.Blackjack {
			return false
		}
	}
	return true
}

// turnHole makes the turn of the hole card due, or takes it as done where the house does not press for it.
func (g *Game) turnHole(e table.Event, calls []table.Call) []table.Call {
	g.Phase = table.Dealers
	if !g.hidden {
		return g.dealerNext(e, calls)
	}
	if g.rules.ImpliedReveal {
		return g.reveal(e, calls)
	}
	g.turning = true
	return g.Announce(e, calls)
}

// reveal turns the hole card.
func (g *Game) reveal(e table.Event, calls []table.Call) []table.Call {
	g.hidden, g.turning = false, false
	hole := g.dealer.cards[1]
	calls = append(calls, table.Call{Word: table.CallReveal, Card: hole, Total: g.dealer.total(), Soft: g.dealer.soft()})
	calls = g.TurnUp(&g.rules.House, g, e, hole, calls)
	return g.dealerNext(e, calls)
}

// dealerNext makes the dealer's next card due, or settles.
func (g *Game) dealerNext(e table.Event, calls []table.Call) []table.Call {
	g.why = table.WhyNone
	if g.dealerDraws() {
		g.cardTo, g.why = table.DealerHand, table.WhyDealer
		return calls
	}
	return g.settle(calls)
}

func (g *Game) dealerDraws() bool {
	switch {
	case g.ended == table.EndedDealerBlackjack:
		return false
	case g.dealer.n < 2: // no hole card was dealt: it is drawn now if anything may depend on it
		return g.ended == table.EndedPlayedOut || g.naturalOpen()
	case g.ended != table.EndedPlayedOut:
		return false
	}
	t := g.dealer.total()
	return t < 17 || t == 17 && g.dealer.soft() && g.rules.DealerHitsSoft17
}

// naturalOpen says that the dealer may still have a natural on which a natural or an insurance depends (C5).
func (g *Game) naturalOpen() bool {
	p := points[g.dealer.cards[0].Rank()]
	if p != 1 && p != 10 {
		return false
	}
	if g.seat[0].answer == table.Insure {
		return true
	}
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		s := &g.seat[n]
		if s.hands[0].status == table.Blackjack || s.answer == table.Insure {
			return true
		}
	}
	return false
}

// settle calls each hand's result, each insurance's, and the round's end.
func (g *Game) settle(calls []table.Call) []table.Call {
	natural := g.dealer.natural()
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		s := &g.seat[n]
		for i := range int(s.n) {
			calls = append(calls, g.result(table.SeatHand(n, i), &s.hands[i], natural))
		}
		if s.answer == table.Insure {
			c := table.Call{Word: table.CallResult, Action: table.Insure, Hand: table.SeatHand(n, 0), Outcome: table.LostBet, Stake: 1, Net: -1}
			if natural {
				c.Outcome, c.Net = table.Won, 2
			}
			calls = append(calls, c)
		}
	}
	return g.end(g.ended, calls)
}

func (g *Game) end(ended table.Ended, calls []table.Call) []table.Call {
	g.ended = ended
	calls = append(calls, table.Call{Word: table.CallEnd, N: int64(g.Round), Ended: ended, Total: g.dealer.total(), Soft: g.dealer.soft()})
	return g.EndRound(&g.rules.House, calls)
}

func (g *Game) result(name table.Hand, h *hand, natural bool) table.Call {
	outcome, net := g.outcome(h, natural)
	return table.Call{
		Word: table.CallResult, Hand: name, Status: h.status, Outcome: outcome, Stake: h.stakes(), Net: net,
		Total: h.total(), Soft: h.soft(), IsSplit: h.split, IsDbl: h.doubled,
	}
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
	mine, dealer := h.total(), g.dealer.total()
	switch {
	case natural:
		return table.LostBet, -stake
	case dealer > 21 || mine > dealer:
		return table.Won, stake
	case mine == dealer:
		return table.Pushed, 0
	}
	return table.LostBet, -stake
}
