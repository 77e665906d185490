// Package roulette is the roulette of rule sheet 003: one zero, and a ball that is spun once a round.
//
// A round goes bets, spin, result. Bets are taken until the clock or a list of seats ends them: no more bets. The ball may be in the
// rim before that or after it, as the house has it. The wheel's sensor then gives the winning number, once. A ball that
// leaves the rim or is launched badly is no spin: the bets stay closed and standing, and it is spun again; twice running,
// somebody must look at the wheel.
//
// A number is only a result if the ball was in the rim and the bets are closed. Without a ball, while bets are open, or above 36
// it holds the table, and is dropped: the supervisor enters the number that was seen ("result 17 by S-1"), has the ball spun
// again, or voids the round. A wheel does not stop for a pause. A number that comes while the table is stopped waits, the
// floor hears it, and it is called when the table goes on; one that is entered by hand waits the same way and replaces it.
// Before a round and after a void round the wheel may turn as it likes: its number belongs to no round, and is a note.
//
// A wheel also calls no more bets when the ball is about to fall, which ends betting if nothing else has. And one that was not heard while the ball fell only
// proposes the number that lies there ("proposed 17"): the floor is told, and what the supervisor enters is the result.
//
// There is no shoe, so the day has no shoe-change: an open table is ready for bets.
package roulette

import (
	"sabot/shoe"
	"sabot/table"
)

// Game is one roulette table. It is a plain value: assignment snapshots it.
type Game struct {
	table.Procedure
	rules *Rules

	seats  table.Seats // that bet on this spin
	ball   ball
	noSpin bool    // this round had a spin that was void
	waits  landing // a number that came while the table was stopped
	won    landing // the round's
}

// ball is where the ball is.
type ball uint8

const (
	atRest  ball = iota
	rolling      // in the rim, for the round running
	stray        // in the rim, for no round
)

// landing is a number the ball fell on, if it did.
type landing struct {
	number table.Number
	known  bool
	manual bool // entered by hand
}

// New is a table at the opening of a segment of its record.
func New(rules *Rules, o table.Opening) Game {
	return Game{Procedure: o.Procedure(&rules.House), rules: rules}
}

// Step takes an event that happened.
func (g *Game) Step(e table.Event, calls []table.Call) []table.Call {
	switch e.Kind {
	case table.Ball:
		return g.launch(e, calls)
	case table.Result:
		return g.land(e, calls)
	case table.NoSpin:
		return g.voidSpin(e, calls)
	case table.Open:
		g.Abandon()
		return g.OpenRound(&g.rules.House, e.At, calls)
	case table.Proposed:
		return g.proposed(e, calls)
	case table.NoMoreBets:
		return g.noMoreBets(calls)
	case table.Close:
		return g.close(e.Seats, calls)
	case table.Timeout:
		if e.Phase == table.Bets {
			return g.noMoreBets(calls)
		}
		return calls
	case table.Draw, table.Cut: // somebody has connected a shoe
		return g.Raise(&g.rules.House, g, e, table.ExtraCard, calls)
	case table.TableOpen:
		*g = Game{Procedure: g.Procedure, rules: g.rules}
	}
	return g.Procedure.Step(&g.rules.House, g, e, calls)
}

// close is no more bets. A list of seats that comes after the clock ended them names who plays.
func (g *Game) close(seats table.Seats, calls []table.Call) []table.Call {
	g.seats = seats
	calls = g.CloseBets(seats, calls)
	g.Phase = table.Spin
	return calls
}

// noMoreBets is the end of betting, by the clock or by the wheel's word, which holds on a stopped table too: the ball is about to fall.
func (g *Game) noMoreBets(calls []table.Call) []table.Call {
	if !g.Betting() {
		return calls
	}
	return g.close(0, calls)
}

// launch is the ball in the rim.
func (g *Game) launch(e table.Event, calls []table.Call) []table.Call {
	switch {
	case g.Phase == table.Closed:
		return calls
	case !g.waiting():
		g.ball = stray
		return g.Raise(&g.rules.House, g, e, table.SpinUndue, calls)
	case g.ball == rolling:
		return g.Raise(&g.rules.House, g, e, table.SpinUndue, calls)
	}
	g.ball = rolling
	calls = append(calls, table.Call{Word: table.CallSpin})
	if g.Betting() && g.rules.Spin == AfterBets {
		return g.Raise(&g.rules.House, g, e, table.BallEarly, calls)
	}
	return calls
}

// waiting says that a round is waiting for its number.
func (g *Game) waiting() bool { return (g.Betting() || g.Phase == table.Spin) && !g.waits.known }

// land is a number: the wheel's, or one entered by hand, which Check has looked at.
func (g *Game) land(e table.Event, calls []table.Call) []table.Call {
	if g.Phase == table.Closed {
		return calls
	}
	by := e.By() != ""
	ball := g.ball
	g.ball = atRest
	code := g.landed(e, ball, by)
	if code != table.OK {
		return g.Raise(&g.rules.House, g, e, code, calls)
	}
	number := landing{table.Number(e.N), true, by}
	if !g.Stopped() {
		return g.result(number, calls)
	}
	g.waits = number
	call := number.call()
	call.To = table.ToFloor
	return g.Raise(&g.rules.House, g, e, table.ResultHeld, append(calls, call))
}

// proposed is a number that lies on the wheel and that nobody saw fall. It is no result: the round that waits for one is held until the supervisor has looked, and
// entered the number that is there. Where no round waits, or somebody is looking already, it is a note.
func (g *Game) proposed(e table.Event, calls []table.Call) []table.Call {
	if g.Phase == table.Spin && g.waiting() && e.N >= 0 && e.N < table.Pockets {
		call := landing{number: table.Number(e.N)}.call()
		call.To = table.ToFloor
		calls = append(calls, call)
	}
	if g.Stopped() {
		return append(calls, table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: e.Seq, Code: table.ResultProposed, Class: table.Note})
	}
	return g.Raise(&g.rules.House, g, e, table.ResultProposed, calls)
}

// landed is what is wrong with a number, if anything.
func (g *Game) landed(e table.Event, ball ball, by bool) table.Code {
	switch {
	case e.N < 0 || e.N >= table.Pockets:
		return table.NumberInvalid
	case g.Betting():
		return table.ResultEarly
	case g.Phase != table.Spin && ball == stray:
		return table.SpinUndue
	case g.Phase != table.Spin || ball != rolling && !by:
		return table.ResultNoSpin
	}
	return table.OK
}

// result calls the winning number and ends the round.
func (g *Game) result(number landing, calls []table.Call) []table.Call {
	g.won, g.waits = number, landing{}
	calls = append(calls, number.call())
	calls = append(calls, table.Call{Word: table.CallEnd, N: int64(g.Round), Ended: table.EndedPlayedOut})
	return g.EndRound(&g.rules.House, calls)
}

func (l landing) call() table.Call {
	return table.Call{Word: table.CallNumber, N: int64(l.number), Manual: l.manual}
}

// voidSpin is a ball that was no spin.
func (g *Game) voidSpin(e table.Event, calls []table.Call) []table.Call {
	g.ball = atRest
	switch {
	case g.Phase == table.Closed:
		return calls
	case !g.waiting():
		return g.Raise(&g.rules.House, g, e, table.SpinUndue, calls)
	}
	calls = append(calls, table.Call{Word: table.CallNoSpin})
	if g.noSpin {
		return g.Raise(&g.rules.House, g, e, table.NoSpinAgain, calls)
	}
	g.noSpin = true
	return calls
}

// Abandon takes the round off the felt. A ball that still rolls belongs to no round any more.
func (g *Game) Abandon() {
	if g.ball == rolling {
		g.ball = stray
	}
	g.seats, g.noSpin, g.waits, g.won = 0, false, landing{}, landing{}
}

// Announce calls the number that waited for the table to go on, or says that bets are taken.
func (g *Game) Announce(e table.Event, calls []table.Call) []table.Call {
	switch {
	case g.waits.known:
		return g.result(g.waits, calls)
	case g.Betting():
		return append(calls, table.Call{Word: table.CallDue, Due: table.DueClose, Left: g.ClockLeft(e.At)})
	}
	return calls
}

// CardDue says that no card is ever due.
func (g *Game) CardDue() (due, down bool) { return false, false }

// Takes says that no card goes anywhere; so Lay and Place are never asked.
func (g *Game) Takes(table.Hand) table.Code { return table.NotOffered }

// Lay is never asked.
func (g *Game) Lay(_ table.Event, _ table.Hand, _ shoe.Card, calls []table.Call) []table.Call {
	return calls
}

// HoleDown says that there is no hole card.
func (g *Game) HoleDown() bool { return false }

// Bare is never asked.
func (g *Game) Bare(_ table.Event, calls []table.Call) []table.Call { return calls }

// Place is never asked.
func (g *Game) Place(_ table.Event, _ shoe.Card, calls []table.Call) []table.Call { return calls }
