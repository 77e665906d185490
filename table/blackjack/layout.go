package blackjack

import "sabot/table"

// Layout is what can be seen on the felt.
func (g *Game) Layout() table.Layout {
	l := table.Layout{V: 1, Game: "blackjack", Rules: g.rules.Name, Seats: []table.LayoutSeat{}}
	g.LayOut(&l)
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		l.Seats = append(l.Seats, g.layoutSeat(n))
	}
	if g.dealer().n > 0 || g.Lying(table.DealerHand) != nil {
		l.Dealer = g.layoutDealer()
	}
	over := g.Phase == table.Results || g.Phase == table.ShoeChange
	if over {
		l.Ended = g.ended.String()
	}
	if l.Due == nil {
		l.Due = g.layoutDue()
	}
	return l
}

func (g *Game) layoutDue() *table.LayoutDue {
	d := &table.LayoutDue{Deadline: g.Deadline()}
	switch {
	case g.Phase == table.Insurance:
		d.Kind = table.DueInsurance.String()
		for n := g.insuring.Next(0); n > 0; n = g.insuring.Next(n) {
			d.Seats = append(d.Seats, n)
		}
	case g.Phase == table.Peeking:
		d.Kind = table.DuePeek.String()
	case g.turning:
		d.Kind = table.DueReveal.String()
	case g.why != table.WhyNone:
		d.Kind, d.Hand = table.DueCard.String(), g.cardTo.String()
	case g.Phase == table.Decisions:
		d.Kind, d.Hand, d.May = table.DueDecision.String(), g.turn.String(), g.may().Words()
	default:
		return nil
	}
	return d
}

func (g *Game) layoutSeat(n int) table.LayoutSeat {
	s := &g.seat[n]
	out := table.LayoutSeat{Seat: n, Hands: []table.LayoutHand{}, Pair: s.pair.String()}
	if s.answer != table.NoEvent {
		out.Insurance = s.answer.Word()
	}
	natural := g.dealer().natural()
	for i := range g.of(n) {
		h := g.at(table.SeatHand(n, i))
		l := layoutHand(table.SeatHand(n, i), h)
		l.State, l.Split, l.Doubled = h.status.String(), h.split, h.doubled
		l.Cards = append(l.Cards, g.Lying(table.SeatHand(n, i))...)
		for gone := int(s.n); i == int(s.n)-1 && gone < table.MaxHands; gone++ { // of a split that a correction took back
			l.Cards = append(l.Cards, g.Lying(table.SeatHand(n, gone))...)
		}
		if g.ended != table.NotEnded && !g.InRound() {
			outcome, net := g.outcome(h, natural)
			stake, won := table.HalfUnit(h.stakes()), table.HalfUnit(net)
			l.Result, l.Stake, l.Net = outcome.String(), &stake, &won
		}
		out.Hands = append(out.Hands, l)
	}
	return out
}

// layoutDealer shows the hole card's back, and then the up card's points alone.
func (g *Game) layoutDealer() *table.LayoutHand {
	h := *g.dealer()
	if g.hidden {
		up := h.cards[0]
		h = hand{}
		h.add(up)
	}
	l := layoutHand(table.NoHand, &h)
	if g.hidden {
		l.Cards = append(l.Cards, table.Back)
	}
	l.Cards = append(l.Cards, g.Lying(table.DealerHand)...)
	return &l
}

func layoutHand(name table.Hand, h *hand) table.LayoutHand {
	l := table.LayoutHand{Cards: []string{}, Total: int(h.total), Soft: h.soft}
	if name != table.NoHand {
		l.Hand = name.String()
	}
	for _, c := range h.cards[:h.n] {
		l.Cards = append(l.Cards, c.String())
	}
	return l
}
