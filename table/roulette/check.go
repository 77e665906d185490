package roulette

import "sabot/table"

// Check says whether an event may be taken now. There are no decisions in roulette.
func (g *Game) Check(e table.Event) table.Code {
	switch k := e.Kind; {
	case k.Decision(), k == table.Timeout:
		return table.UnknownAction
	case k == table.Close:
		return g.checkClose(e)
	case k == table.Bet:
		return table.BetNotOffered
	case k == table.Result:
		return g.checkResult(e)
	}
	return g.Procedure.Check(&g.rules.House, g, e)
}

// checkClose lets a list of seats come after the clock, and another replace it, as long as no number is known.
func (g *Game) checkClose(e table.Event) table.Code {
	return g.CheckClose(g.waiting(), e.Seats, g.rules.Seats)
}

// checkResult looks at a number entered by hand: only the supervisor may, while the table is stopped in a spin.
func (g *Game) checkResult(e table.Event) table.Code {
	switch {
	case e.By() == "":
		return table.ByMissing
	case e.N < 0 || e.N >= table.Pockets:
		return table.NumberInvalid
	case g.Phase != table.Spin:
		return table.NoRound
	case !g.Stopped():
		return table.NotHeld
	}
	return table.OK
}
