package blackjack

import "sabot/table"

// Check says whether an event may be taken now. Reasons are tested in a fixed order, so that the same mistake always has
// the same code.
func (g *Game) Check(e table.Event) table.Code {
	switch k := e.Kind; {
	case k == table.Follow, (k == table.Insure || k == table.Decline) && e.Text != nil && e.Text.Name != "":
		return table.BetNotOffered // a bettor's, and there is no ledger
	case k >= table.Hit && k <= table.Plan, k == table.Timeout:
		if code := g.WhoDecides(e); code != table.OK {
			return code
		}
		return g.checkDecision(e)
	case k == table.Close:
		return g.checkClose(e)
	case k == table.Peek:
		return g.due(g.Phase == table.Peeking)
	case k == table.Reveal:
		return g.due(g.turning)
	case k == table.Bet:
		return table.BetNotOffered
	case k == table.Open && g.Phase == table.Dealers && g.why != table.WhyNone && !g.Stopped():
		return table.OK // the dealer stands with a card due: that is an irregularity, no refusal
	}
	return g.Procedure.Check(&g.rules.House, g, e)
}

// due is for what the dealer does when it is his turn and nothing stops the table.
func (g *Game) due(now bool) table.Code {
	if !now {
		return table.NotYourTurn
	}
	return g.StoppedCode()
}

func (g *Game) checkClose(e table.Event) table.Code {
	undealt := g.Phase == table.Dealing && g.first(g.seats.Next(0)).n == 0
	return g.CheckClose(g.Betting() || undealt, e.Seats, g.rules.Seats)
}

// checkDecision tests in the order of the cases: seat, deal, insurance, hand, complete, round over, turn, card, and
// then the decision's own conditions.
func (g *Game) checkDecision(e table.Event) table.Code {
	name := e.Hand
	if name == table.NoHand {
		name = g.turn
	}
	n := name.Seat()
	switch {
	case n == 0 || !g.seats.Has(n):
		return table.SeatEmpty
	case g.Phase == table.Dealing && e.Kind != table.Plan && e.Kind != table.Short:
		return table.CardDue
	}
	s := &g.seat[n]
	if e.Kind == table.Insure || e.Kind == table.EvenMoney || e.Kind == table.Decline {
		return g.checkInsurance(e.Kind, name, s)
	}
	if name.Index() >= int(s.n) {
		return table.NoSuchHand
	}
	h := g.at(name)
	if code := done[h.status]; code != table.OK {
		return code
	}
	if e.Kind == table.Short {
		return table.OK
	}
	if e.Kind == table.Plan {
		return g.checkPlan(name)
	}
	switch {
	case g.Phase != table.Decisions || name != g.turn:
		return table.NotYourTurn
	case g.why != table.WhyNone:
		return table.CardDue
	}
	return g.own(e.Kind, h, s)
}

// checkPlan takes a plan before the hand's turn; when it has come there is nothing to plan.
func (g *Game) checkPlan(name table.Hand) table.Code {
	if g.Phase == table.Decisions && name == g.turn {
		return table.Stale
	}
	return table.OK
}

// checkInsurance tests what there is to insure, and when, before whose it is.
func (g *Game) checkInsurance(k table.Kind, name table.Hand, s *seat) table.Code {
	switch {
	case k == table.EvenMoney && !g.rules.EvenMoney:
		return table.EvenMoneyNotOffered
	case !g.rules.Insurance:
		return table.InsuranceNotOffered
	case g.dealer().cards[0].Rank() != 1:
		return table.InsuranceUpCard
	case g.Phase != table.Insurance:
		return table.InsuranceLate
	case name.Index() >= int(s.n):
		return table.NoSuchHand
	case s.answer != table.NoEvent:
		return table.InsuranceTwice
	}
	first := g.first(name.Seat())
	natural := first.status == table.Blackjack
	switch {
	case k == table.EvenMoney && !natural:
		return table.EvenMoneyNoBJ
	case k == table.Insure && natural && g.rules.EvenMoney:
		return table.InsuranceBJ
	case k == table.Insure && first.short:
		return table.InsufficientChips
	}
	return table.OK
}

// own is a decision's own conditions for a hand that is to act.
func (g *Game) own(k table.Kind, h *hand, s *seat) table.Code {
	switch k {
	case table.Double:
		return g.checkDouble(h)
	case table.Split:
		return g.checkSplit(h, s)
	case table.Surrender:
		return g.checkSurrender(h)
	case table.Timeout:
		if g.rules.Timeout == NoTimeoutRule {
			return table.TimeoutNotDefined
		}
	}
	return table.OK
}

func (g *Game) checkDouble(h *hand) table.Code {
	switch {
	case h.n != 2, h.split && !g.rules.DoubleAfterSplit:
		return table.DoubleNotFirstTwo
	case h.short && g.rules.Short == ShortRefuses:
		return table.InsufficientChips
	}
	return table.OK
}

func (g *Game) checkSplit(h *hand, s *seat) table.Code {
	a, b := h.cards[0].Rank(), h.cards[1].Rank()
	switch {
	case h.n != 2:
		return table.SplitNotFirstTwo
	case points[a] != points[b]:
		return table.SplitNotPair
	case g.rules.Split == SplitFace && a != b:
		return table.SplitDifferentFace
	case s.n >= g.rules.SplitHands && g.rules.SplitHands == 2:
		return table.Resplit
	case s.n >= g.rules.SplitHands:
		return table.SplitMaxHands
	case h.short && g.rules.Short == ShortRefuses:
		return table.InsufficientChips
	}
	return table.OK
}

func (g *Game) checkSurrender(h *hand) table.Code {
	p := points[g.dealer().cards[0].Rank()]
	switch {
	case g.rules.Surrender == NoSurrender:
		return table.SurrenderNotOffered
	case g.rules.Surrender == Late2to9 && (p == 1 || p == 10):
		return table.SurrenderUpCard
	case h.acted || h.split:
		return table.SurrenderNotFirst
	}
	return table.OK
}

// may is what the hand in turn can decide.
func (g *Game) may() table.Actions {
	h, s := g.at(g.turn), &g.seat[g.turn.Seat()]
	a := table.Can(table.Hit) | table.Can(table.Stand)
	if g.checkDouble(h) == table.OK {
		a |= table.Can(table.Double)
	}
	if g.checkSplit(h, s) == table.OK {
		a |= table.Can(table.Split)
	}
	if g.checkSurrender(h) == table.OK {
		a |= table.Can(table.Surrender)
	}
	return a
}
