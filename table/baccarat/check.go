package baccarat

import "sabot/table"

// Check says whether an event may be taken now. There are no decisions in baccarat.
func (g *Game) Check(e table.Event) table.Code {
	switch k := e.Kind; {
	case k.Decision(), k == table.Timeout:
		return table.UnknownAction
	case k == table.Close:
		return g.checkClose(e)
	case k == table.Bet:
		return table.BetNotOffered
	case k == table.Open && g.thirdDue() && !g.Stopped():
		return table.OK // the dealer stands with a card due: that is an irregularity, no refusal
	}
	return g.Procedure.Check(&g.rules.House, g, e)
}

func (g *Game) thirdDue() bool { return g.to != table.NoHand && g.banker.n == 2 }

func (g *Game) checkClose(e table.Event) table.Code {
	undealt := g.Phase == table.Dealing && g.player.n == 0
	return g.CheckClose(g.Betting() || undealt, e.Seats, g.rules.Seats)
}
