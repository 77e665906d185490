package baccarat

import (
	"sabot/shoe"
	"sabot/table"
)

// said takes what a shoe says of what it said before.
func (g *Game) said(e *table.Event, calls []table.Call) []table.Call {
	if e.Kind == table.Resent {
		return g.Resent(&g.rules.House, g, *e, g.lies(e.Claim), calls)
	}
	return g.claimed(*e, calls)
}

// claimed holds the shoe's own result against ours. The first one ends the wait for it.
func (g *Game) claimed(e table.Event, calls []table.Call) []table.Call {
	ours, known := g.ours()
	if !known || e.Coup.Winner == shoe.NoWinner || e.Coup.Winner == shoe.Quit {
		return g.Raise(&g.rules.House, g, e, table.ClaimUndue, calls)
	}
	g.heard = g.awaits
	switch {
	case e.Coup == ours || e.Overruled():
	case g.Adrift: // it has other cards in its places
		calls = append(calls, table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: e.Seq, Code: table.ResultDiffers, Class: table.Note})
	default:
		calls = g.Raise(&g.rules.House, g, e, table.ResultDiffers, calls)
	}
	if g.heard && !g.Stopped() {
		return g.end(calls)
	}
	return calls
}

// ours is what the shoe should say: the coup's result, or the last one's before a card is dealt; of a coup that is not complete, nothing it can say.
// It is not known where there was no coup.
func (g *Game) ours() (_ shoe.Result, known bool) {
	if g.player.n == 0 {
		return g.before, g.before.Winner != shoe.NoWinner
	}
	return g.result(), true
}

// renew is Abandon, but for the result: the shoe may still say something of it.
func (g *Game) renew() {
	before := g.result()
	g.Abandon()
	g.before = before
}

// result is the coup's as a shoe would give it; none until it is complete.
func (g *Game) result() shoe.Result {
	if g.winner == table.NoWinner && !g.awaits {
		return shoe.Result{}
	}
	return shoe.Result{Winner: winners[g.higher()], PlayerPair: g.player.pair(), BankerPair: g.banker.pair()}
}

var winners = [...]shoe.Winner{table.PlayerWins: shoe.PlayerWins, table.BankerWins: shoe.BankerWins, table.Tie: shoe.Tie}

// lies is the card where a shoe claims that it went; none for one whose places are not ours.
func (g *Game) lies(claim shoe.Claim) shoe.Card {
	h := &g.player
	switch {
	case claim.Side == shoe.ToBanker:
		h = &g.banker
	case claim.Side != shoe.ToPlayer:
		return g.Last(claim)
	}
	if g.Adrift || claim.Index < 1 || int(claim.Index) > len(h.cards) {
		return shoe.NoCard
	}
	return h.cards[claim.Index-1]
}
