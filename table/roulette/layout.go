package roulette

import "sabot/table"

// Layout is what can be seen: the seats that bet, and the winning number.
func (g *Game) Layout() table.Layout {
	l := table.Layout{V: 1, Game: "roulette", Rules: g.rules.Name, Seats: []table.LayoutSeat{}}
	g.LayOut(&l)
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		l.Seats = append(l.Seats, table.LayoutSeat{Seat: n, Hands: []table.LayoutHand{}})
	}
	if g.won.known {
		spin := g.won.number.Shown()
		l.Spin, l.Ended = &spin, table.EndedPlayedOut.String()
	}
	if l.Due == nil && g.Phase == table.Spin && !g.waits.known {
		l.Due = &table.LayoutDue{Kind: table.DueBall.String()}
		if g.ball == rolling {
			l.Due.Kind = table.DueResult.String()
		}
	}
	return l
}
