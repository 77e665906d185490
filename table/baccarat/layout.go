package baccarat

import "sabot/table"

// Layout is what can be seen on the felt: the two hands, the seats that bet, and once the coup is decided who won.
func (g *Game) Layout() table.Layout {
	l := table.Layout{V: 1, Game: "baccarat", Rules: g.rules.Name, Seats: []table.LayoutSeat{}}
	g.LayOut(&l)
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		l.Seats = append(l.Seats, table.LayoutSeat{Seat: n, Hands: []table.LayoutHand{}})
	}
	if g.player.n > 0 || g.Lying(table.PlayerHand) != nil || g.Lying(table.BankerHand) != nil {
		l.Player, l.Banker = g.player.shown(), g.banker.shown()
		l.Player.Cards = append(l.Player.Cards, g.Lying(table.PlayerHand)...)
		l.Banker.Cards = append(l.Banker.Cards, g.Lying(table.BankerHand)...)
	}
	if g.winner != table.NoWinner {
		var c table.Coup
		g.tell(&c)
		l.Coup, l.Ended = c.Shown(g.natural()), table.EndedPlayedOut.String()
	}
	switch {
	case l.Due != nil:
	case g.to != table.NoHand:
		l.Due = &table.LayoutDue{Kind: table.DueCard.String(), Hand: g.to.String()}
	case g.awaits:
		l.Due = &table.LayoutDue{Kind: table.DueResult.String(), Deadline: g.Deadline()}
	}
	return l
}

func (h *hand) shown() *table.LayoutHand {
	l := &table.LayoutHand{Cards: []string{}, Total: int(h.total)}
	for _, c := range h.cards[:h.n] {
		l.Cards = append(l.Cards, c.String())
	}
	if h.natural() {
		l.State = "natural"
	}
	return l
}
