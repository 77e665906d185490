// Package baccarat is punto banco: the baccarat of rule sheet 003, where nobody decides anything.
//
// A round is a coup. Two hands are dealt whoever bets, face up: Player, Banker, Player, Banker. An ace counts 1, tens and pictures
// nothing, and of the sum only the last figure stands. An 8 or 9 on two cards, a natural, ends the coup. Else the tableau
// says who draws one card more, the Player first; it is data, see [Rules] and tableau.go. Higher total wins. All
// that can go wrong is a card: one too many, named by why the coup takes no more (BAC_NATURAL, BAC_BOTH_STAND,
// BAC_BANKER_STANDS, BAC_COMPLETE), or one on the other hand (BAC_WRONG_HAND).
//
// A shoe that knows baccarat says where each card went: "draw 9s player 1". That is its claim, compared and never
// believed. If it differs from the place that is due (CLAIM_DIFFERS), one of the two has lost count, so the table holds with the card
// aside and unnamed. The default remedy is use: the card goes to our place, for the order of the cards is the coup, and the
// supervisor has seen the felt. The shoe then counts on from its own idea; what it claims until it says Player's first
// where we do is a note. An unread card is a misread first.
//
// Such a shoe also gives the coup's result, a moment after the last card: "claims banker player-pair". With claim_time the result waits that long for it, and goes
// out when the shoe agrees or says nothing. If it differs, then or later (RESULT_DIFFERS), the table holds; what goes out after the release
// is our count, for it is the cards that were seen. A card corrected later is not held against a shoe that had misread it.
//
// Which seats bet is kept for the layout and the ledger; "close none" deals a coup too.
package baccarat

import (
	"sabot/shoe"
	"sabot/table"
)

// Game is one baccarat table. It is a plain value: assignment snapshots it.
type Game struct {
	table.Procedure
	rules *Rules

	seats  table.Seats // that bet on this coup
	to     table.Hand  // the hand the next card goes to; NoHand while none is due
	player hand
	banker hand
	winner table.Winner // NoWinner until the coup is decided

	awaits bool        // the coup is complete, and its result waits for the shoe's
	heard  bool        // which has come, on a table that is stopped
	before shoe.Result // of the last coup, until a card of the next one is dealt
}

// New is a table at the opening of a segment of its record.
func New(rules *Rules, o table.Opening) Game {
	return Game{Procedure: o.Procedure(&rules.House), rules: rules}
}

// Step takes an event that happened.
func (g *Game) Step(e table.Event, calls []table.Call) []table.Call {
	if g.plain(&e) && g.Deal(e.Card, false) { // where Draw would come to, without its detour: five of a coup's seven events are such a card
		return g.deal(e.Card, calls)
	}
	switch e.Kind {
	case table.Draw:
		calls = g.draw(&e, calls)
	case table.Open:
		calls = g.open(&e, calls)
	case table.Close:
		calls = g.close(e.Seats, calls)
	case table.Timeout:
		calls = g.timeout(e, calls)
	case table.Claims, table.Resent:
		calls = g.said(&e, calls)
	default:
		calls = g.Procedure.Step(&g.rules.House, g, e, calls)
	}
	if g.Aside() {
		calls = g.Drain(&g.rules.House, g, e, calls)
	}
	return calls
}

// plain says that a card is due, nobody says where it went, and neither a claim nor a card that lies aside is waited for.
func (g *Game) plain(e *table.Event) bool {
	return e.Kind == table.Draw && e.Hand == table.NoHand && e.Claim.Side == shoe.Nowhere && g.to != table.NoHand && g.rules.ClaimTime == 0 && !g.Aside()
}

// draw takes a card to the hand that is due, unless it was put on the other one or the shoe claims so.
func (g *Game) draw(e *table.Event, calls []table.Call) []table.Call {
	switch {
	case e.Hand != table.NoHand && g.to != table.NoHand && e.Hand != g.to:
		return g.Misplaced(&g.rules.House, g, *e, table.BacWrongHand, calls)
	case e.Claim.Side != shoe.Nowhere && g.differs(e.Claim):
		return g.Misplaced(&g.rules.House, g, *e, table.ClaimDiffers, calls)
	}
	return g.Draw(&g.rules.House, g, *e, calls)
}

// differs compares a claim with the place that is due. The shoe is in step again once it says
// Player's first where we do.
func (g *Game) differs(claim shoe.Claim) bool {
	due := g.place()
	if due.Side == shoe.Nowhere {
		return false
	}
	if claim == due && due == (shoe.Claim{Side: shoe.ToPlayer, Index: 1}) {
		g.Adrift = false
	}
	return claim != due
}

// place is where the next card is due, as a shoe would claim it; nowhere while none is.
func (g *Game) place() shoe.Claim {
	switch {
	case g.Phase == table.Burning:
		return shoe.Claim{Side: shoe.ToBurn}
	case g.to == table.PlayerHand:
		return shoe.Claim{Side: shoe.ToPlayer, Index: g.player.n + 1}
	case g.to == table.BankerHand:
		return shoe.Claim{Side: shoe.ToBanker, Index: g.banker.n + 1}
	}
	return shoe.Claim{}
}

// open begins a coup. With a third card due the dealer has misread the tableau.
func (g *Game) open(e *table.Event, calls []table.Call) []table.Call {
	switch {
	case g.Phase == table.Burning:
		return g.Raise(&g.rules.House, g, *e, table.BurnCount, calls)
	case !g.Between():
		return g.Raise(&g.rules.House, g, *e, table.DealerCardDue, calls)
	}
	if g.rules.ClaimTime == 0 {
		g.Abandon()
	} else {
		g.renew()
	}
	return g.OpenRound(&g.rules.House, e.At, calls)
}

// close begins the deal; before the first card another list replaces the first.
func (g *Game) close(seats table.Seats, calls []table.Call) []table.Call {
	g.seats, g.to = seats, table.PlayerHand
	return g.CloseBets(seats, calls)
}

func (g *Game) timeout(e table.Event, calls []table.Call) []table.Call {
	switch {
	case e.Phase == table.Results && g.awaits && !g.Stopped():
		return g.end(calls)
	case e.Phase != table.Bets || !g.Betting():
		return calls
	}
	g.EndBets()
	return g.Announce(e, calls)
}

// Abandon takes the hands off the felt.
func (g *Game) Abandon() {
	g.seats, g.to, g.winner = 0, table.NoHand, table.NoWinner
	g.player = hand{}
	g.banker = hand{}
	g.awaits, g.heard, g.before = false, false, shoe.Result{}
}

// Announce says that the seats are to be named, or the result that waited for the table to go on; which hand a card is due to, the layout tells.
func (g *Game) Announce(e table.Event, calls []table.Call) []table.Call {
	switch {
	case g.heard && !g.Stopped():
		return g.end(calls)
	case !g.Betting():
		return calls
	}
	return append(calls, table.Call{Word: table.CallDue, Due: table.DueClose, Left: g.ClockLeft(e.At)})
}

// CardDue says whether the dealer is to draw; no card of baccarat goes face down.
func (g *Game) CardDue() (due, down bool) { return g.to != table.NoHand, false }

// Takes says whether a card can go to a hand: only where it is due.
func (g *Game) Takes(to table.Hand) table.Code {
	switch {
	case g.Over != table.OK:
		return g.Over
	case g.to == table.NoHand:
		return table.NoRound
	case to != g.to:
		return table.BacWrongHand
	}
	return table.OK
}

// Lay deals a card to the hand that is due.
func (g *Game) Lay(e table.Event, _ table.Hand, c shoe.Card, calls []table.Call) []table.Call {
	return g.Place(e, c, calls)
}

// HoleDown says that no card of baccarat lies face down.
func (g *Game) HoleDown() bool { return false }

// Bare is never asked.
func (g *Game) Bare(_ table.Event, calls []table.Call) []table.Call { return calls }

// Place deals a card to the hand that is due.
func (g *Game) Place(e table.Event, c shoe.Card, calls []table.Call) []table.Call {
	calls = g.deal(c, calls)
	if g.awaits {
		g.StartClock(e.At, g.rules.ClaimTime)
	}
	return calls
}

// deal deals a card. After the last one the result is called, or waits for the shoe's: then the clock is still to be started.
func (g *Game) deal(card shoe.Card, calls []table.Call) []table.Call {
	h := &g.player
	if g.to == table.BankerHand {
		h = &g.banker
	}
	h.add(card)
	calls, c := table.Add(calls, table.CallCard)
	c.Hand, c.Card, c.Why, c.Total = g.to, card, table.WhyDeal, h.total
	if h.n == 3 {
		c.Why = table.WhyThird
	}
	if g.to = g.next(); g.to != table.NoHand {
		return calls
	}
	if g.rules.ClaimTime > 0 {
		g.awaits = true
		return calls
	}
	return g.end(calls)
}

// next is the hand the next card is due to, NoHand when the coup is complete; then Over says why.
func (g *Game) next() table.Hand {
	p, b := &g.player, &g.banker
	switch {
	case p.n == b.n && p.n < 2:
		return table.PlayerHand
	case b.n < 2:
		return table.BankerHand
	}
	next := due{table.NoHand, table.BacComplete}
	switch {
	case p.n == 2 && b.n == 2:
		next = dealt[p.total][b.total]
	case b.n == 2:
		next = third[b.total][rules.points[p.cards[2].Rank()]]
	}
	g.Over = next.over
	return next.to
}

// end calls the coup's result.
func (g *Game) end(calls []table.Call) []table.Call {
	g.awaits, g.heard = false, false
	g.winner = g.higher()
	calls, c := table.Add(calls, table.CallResult)
	c.Natural = g.Over == table.BacNatural
	g.tell(&c.Coup)
	calls, c = table.Add(calls, table.CallEnd)
	c.N, c.Ended = int64(g.Round), table.EndedPlayedOut
	return g.EndRound(&g.rules.House, calls)
}

// higher is who has the higher total.
func (g *Game) higher() table.Winner {
	p, b := &g.player, &g.banker
	winner := int(table.Tie) // a word, as in add
	if p.total > b.total {
		winner = int(table.PlayerWins)
	}
	if p.total < b.total {
		winner = int(table.BankerWins)
	}
	return table.Winner(winner)
}

// natural says that a natural ended the coup.
func (g *Game) natural() bool { return g.player.natural() || g.banker.natural() }

// tell fills in the coup's result where it lies, as [table.Add] does.
func (g *Game) tell(c *table.Coup) {
	c.Winner, c.Player, c.Banker = g.winner, g.player.total, g.banker.total
	c.PlayerPair, c.BankerPair = g.player.pair(), g.banker.pair()
}
