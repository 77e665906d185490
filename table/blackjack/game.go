// Package blackjack is the game of the four rule sheets as one state machine over [Rules]. A comment's "(000, L93)" is line 93 of rule sheet 000;
// cmd/sabot/manual/rules.md lists which rule comes from where.
//
// A round goes deal, insurance, peek, decisions, dealer, result. In the deal each seat that plays gets a card face up,
// ascending, then the dealer; then the same again, the dealer's second face down: the hole card. Against an ace
// insurance is asked of all at once. Then the dealer looks for a natural, where the rules let him. Then the hands decide in
// order, each card in between falling to the hand that asked for it; a split makes two hands of one, the new one right
// behind. At last the dealer turns the hole card and draws to 17, if anything depends on it.
//
// What is due is always one thing, held in few fields: the hand the next card goes to and why, if one is due; in the decisions the hand in turn.
// After each step next walks on from there until somebody outside has to act. Money is not known here: results are in half bet units.
package blackjack

import (
	"sabot/shoe"
	"sabot/table"
)

// Game is one blackjack table. It is a plain value: assignment snapshots it.
type Game struct {
	hands [(table.MaxSeats + 1) * table.MaxHands]hand // by their names, the dealer's among them
	table.Procedure
	rules *Rules

	seats    table.Seats // that play this round
	behind   table.Seats // nobody's seat, if somebody bets behind and answers to insurance
	insuring table.Seats // still to answer insurance, nobody's seat among them
	seat     [table.MaxSeats + 1]seat

	turn    table.Hand // the hand in turn
	cardTo  table.Hand // the hand a card is due to
	why     table.Why  // and why; WhyNone while none is due
	hidden  bool       // the hole card lies face down
	turning bool       // the hole card is to be turned
	ended   table.Ended
}

type seat struct {
	n      uint8 // hands
	aces   bool  // split aces
	pair   table.Pair
	answer table.Kind // to insurance: Insure, EvenMoney, Decline; NoEvent before
}

// New is a table at the opening of a segment of its record.
func New(rules *Rules, o table.Opening) Game {
	return Game{Procedure: o.Procedure(&rules.House), rules: rules}
}

// Step takes an event that happened. The event is handed on by its address, but never to the procedure: what an interface may keep
// would have to be allocated.
func (g *Game) Step(e table.Event, calls []table.Call) []table.Call {
	if e.Kind == table.Draw && !g.Aside() {
		return g.draw(&e, calls) // two of three events are such cards
	}
	calls = g.step(&e, calls)
	if g.Aside() {
		calls = g.Drain(&g.rules.House, g, e, calls)
	}
	return calls
}

func (g *Game) step(e *table.Event, calls []table.Call) []table.Call {
	switch e.Kind {
	case table.Draw:
		return g.draw(e, calls)
	case table.Hit, table.Stand, table.Double, table.Split, table.Surrender:
		return g.decide(e.Kind, e, calls)
	case table.Open:
		return g.open(e, calls)
	case table.Close:
		return g.close(e, calls)
	case table.Insure, table.EvenMoney, table.Decline:
		return g.answer(e, calls)
	case table.Short:
		g.at(e.Hand).short = true
	case table.Plan:
		g.at(e.Hand).plan = e.Action
	case table.Peek:
		return g.peek(e, calls)
	case table.Reveal:
		return g.reveal(e, calls)
	case table.Timeout:
		return g.timeout(e, calls)
	default:
		return g.Procedure.Step(&g.rules.House, g, *e, calls)
	}
	return calls
}

// draw takes a card to where it is due. One drawn before the hole card was turned implies the turn; one drawn while a hand is to decide, in
// a house that has it so, its hit.
func (g *Game) draw(e *table.Event, calls []table.Call) []table.Call {
	switch {
	case g.turning && !g.Stopped():
		calls = g.reveal(e, calls)
	case g.why == table.WhyNone && g.rules.ImpliedHit && g.deciding():
		calls = g.decide(table.Hit, e, calls)
	}
	if due, down := g.CardDue(); due && g.Deal(e.Card, down) {
		return g.place(e, e.Card, calls) // where Draw would come to, without its detours
	}
	return g.Draw(&g.rules.House, g, *e, calls)
}

// deciding says that nothing but a hand's decision is waited for. While the table is stopped nobody decides, and a card that lies aside to be
// used is the next one due: no fresh one may pass it by.
func (g *Game) deciding() bool { return g.Phase == table.Decisions && !g.Stopped() && !g.Aside() }

// at is a hand; the caller knows that the name is one's.
func (g *Game) at(name table.Hand) *hand { return &g.hands[name] }

func (g *Game) dealer() *hand { return g.at(table.DealerHand) }

// first is a seat's hand of the initial deal.
func (g *Game) first(seat int) *hand { return g.at(table.SeatHand(seat, 0)) }

// of are a seat's hands in playing order.
func (g *Game) of(seat int) []hand {
	a := seat * table.MaxHands
	return g.hands[a : a+int(g.seat[seat].n)]
}

func (g *Game) open(e *table.Event, calls []table.Call) []table.Call {
	switch {
	case g.Phase == table.Burning:
		return g.Raise(&g.rules.House, g, *e, table.BurnCount, calls)
	case !g.Between():
		return g.Raise(&g.rules.House, g, *e, table.DealerCardDue, calls)
	}
	g.Abandon()
	return g.OpenRound(&g.rules.House, e.At, calls)
}

// close begins the deal; before the first card another list replaces the first.
func (g *Game) close(e *table.Event, calls []table.Call) []table.Call {
	g.clear() // a list before this one: what was planned for its seats is void
	g.seats, g.behind = e.Seats, 0
	if e.Behind {
		g.behind = table.Seat(0)
	}
	calls = g.CloseBets(e.Seats, calls)
	if e.Seats == 0 {
		return g.end(table.EndedNoSeats, calls)
	}
	for s := g.seats.Next(0); s > 0; s = g.seats.Next(s) {
		g.seat[s].n = 1
	}
	g.cardTo, g.why = table.SeatHand(g.seats.Next(0), 0), table.WhyDeal
	return calls
}

// clear takes the seats' hands off the felt.
func (g *Game) clear() {
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		clear(g.of(n))
		g.seat[n] = seat{}
	}
}

// Abandon takes the hands off the felt.
func (g *Game) Abandon() {
	g.clear()
	*g.dealer() = hand{}
	g.seat[0].answer = table.NoEvent
	g.seats, g.behind, g.insuring = 0, 0, 0
	g.turn, g.cardTo, g.why = table.NoHand, table.NoHand, table.WhyNone
	g.hidden, g.turning, g.ended = false, false, table.NotEnded
}

// Turn is what the hand in turn goes by when it decides: its total, whether an ace counts 11 in it, and the dealer's up card. What it may
// do was called.
func (g *Game) Turn() (total uint8, soft bool, up shoe.Rank) {
	h := g.at(g.turn)
	return h.total, h.soft, g.dealer().cards[0].Rank()
}

// CardDue says whether the dealer is to draw, and whether the card goes face down.
func (g *Game) CardDue() (due, down bool) {
	return g.why != table.WhyNone && g.InRound(), g.why == table.WhyHole
}

// Takes says whether a card can go to a hand now: it is due there, or it is the hit of the hand in turn.
func (g *Game) Takes(to table.Hand) table.Code {
	switch {
	case !g.InRound():
		return table.NoRound
	case g.why != table.WhyNone && to == g.cardTo:
		return table.OK
	case g.why == table.WhyNone && to.Seat() > 0:
		return g.checkDecision(table.Event{Kind: table.Hit, Hand: to})
	}
	return table.NotYourTurn
}

// Lay deals a card to a hand that takes it.
func (g *Game) Lay(e table.Event, _ table.Hand, c shoe.Card, calls []table.Call) []table.Call {
	if g.why == table.WhyNone {
		calls = g.decide(table.Hit, &e, calls)
	}
	return g.place(&e, c, calls)
}

// HoleDown says that the hole card lies face down.
func (g *Game) HoleDown() bool { return g.hidden }

// Bare turns the hole card before its time, because all have seen it. The round goes on as it would have.
func (g *Game) Bare(e table.Event, calls []table.Call) []table.Call {
	if g.turning {
		return g.reveal(&e, calls)
	}
	return g.turnUp(&e, calls)
}

// Place deals a card to where it is due.
func (g *Game) Place(e table.Event, c shoe.Card, calls []table.Call) []table.Call {
	return g.place(&e, c, calls)
}

func (g *Game) place(e *table.Event, card shoe.Card, calls []table.Call) []table.Call {
	h := g.at(g.cardTo)
	h.add(card)
	calls, c := table.Add(calls, table.CallCard)
	c.Hand, c.Why = g.cardTo, g.why
	if g.why == table.WhyHole {
		g.hidden = true
		return g.dealt(e, calls)
	}
	c.Card, c.Total, c.Soft = card, h.total, h.soft
	switch g.Phase {
	case table.Dealing:
		return g.dealNext(e, calls)
	case table.Decisions:
		return g.played(e, h, calls)
	}
	return g.dealerNext(calls)
}

// dealNext makes the next card of the initial deal due: to the next seat, to the dealer behind the last one, and once more round the table.
func (g *Game) dealNext(e *table.Event, calls []table.Call) []table.Call {
	second := g.dealer().n > 0
	if next := g.seats.Next(g.cardTo.Seat()); next > 0 {
		g.cardTo = table.SeatHand(next, 0)
		return calls
	}
	g.cardTo = table.DealerHand
	switch {
	case !second:
	case !g.rules.HoleCard:
		return g.dealt(e, calls)
	default:
		g.why = table.WhyHole
	}
	return calls
}

// dealt is the end of the initial deal: naturals are complete, pairs are known, and against an ace insurance is asked.
func (g *Game) dealt(e *table.Event, calls []table.Call) []table.Call {
	g.why = table.WhyNone
	up := g.dealer().cards[0]
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		s, h := &g.seat[n], g.first(n)
		if h.natural() {
			h.status = table.Blackjack
		}
		if g.rules.Pair {
			s.pair = pairOf(h.cards[0], h.cards[1], up)
			var c *table.Call
			calls, c = table.Add(calls, table.CallPair)
			c.Hand, c.Pair = table.SeatHand(n, 0), s.pair
		}
	}
	if up.Rank() != 1 || !g.rules.Insurance {
		return g.look(e, calls)
	}
	g.Phase, g.insuring = table.Insurance, g.seats|g.behind
	g.StartClock(e.At, g.rules.InsuranceTime)
	return g.announce(e.At, calls)
}

// answer takes a seat's answer to insurance, or for nobody's seat that of all behind; when all have answered, the dealer looks.
func (g *Game) answer(e *table.Event, calls []table.Call) []table.Call {
	n := e.Hand.Seat()
	g.seat[n].answer = e.Kind
	g.insuring &^= table.Seat(n)
	if n > 0 {
		var c *table.Call
		calls, c = table.Add(calls, table.CallInsured)
		c.Hand, c.Action = e.Hand, e.Kind
	}
	if e.Kind == table.EvenMoney {
		g.first(n).status = table.TookEvenMoney
	}
	if g.insuring != 0 {
		return calls
	}
	g.StopClock()
	return g.look(e, calls)
}

// look is the peek, where the rules have one against this up card.
func (g *Game) look(e *table.Event, calls []table.Call) []table.Call {
	g.insuring = 0
	if !g.peeks() {
		return g.play(e, calls)
	}
	g.Phase = table.Peeking
	if g.rules.ImpliedPeek {
		return g.peek(e, calls)
	}
	return g.announce(e.At, calls)
}

func (g *Game) peeks() bool {
	switch points[g.dealer().cards[0].Rank()] {
	case 1:
		return g.rules.HoleCard && g.rules.Peek == PeekAceTen
	case 10:
		return g.rules.HoleCard && g.rules.Peek != PeekNever
	}
	return false
}

// peek says whether the dealer has a natural: the one bit of the hole card that may be known before it is turned.
func (g *Game) peek(e *table.Event, calls []table.Call) []table.Call {
	natural := g.dealer().natural()
	calls, c := table.Add(calls, table.CallPeek)
	c.Natural = natural
	if !natural {
		return g.play(e, calls)
	}
	g.ended = table.EndedDealerBlackjack
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		if h := g.first(n); h.status == table.Playing {
			h.status = table.Unplayed
		}
	}
	return g.turnHole(e, calls)
}
