// Package blackjack is the game of the four rule sheets as one state machine over [Rules].
//
// A round goes deal, insurance, peek, decisions, dealer, result. In the deal each seat that plays gets a card face up,
// ascending, then the dealer; then the same again, the dealer's second face down: the hole card. Against an ace
// insurance is asked of all at once. Then the dealer looks for a natural, where the rules let him. Then the hands decide in
// order, each card in between falling to the hand that asked for it; a split makes two hands of one, the new one right
// behind. At last the dealer turns the hole card and draws to 17, if anything depends on it.
//
// What is due is always one thing, held in few fields: in the deal the hand the next card goes to; in the decisions
// the hand in turn and, if a card is due to it, why. After each step next walks on from there until somebody outside has to
// act. Money is not known here: results are in half bet units.
package blackjack

import (
	"sabot/shoe"
	"sabot/table"
)

// Game is one blackjack table. It is a plain value: assignment snapshots it.
type Game struct {
	table.Procedure
	rules *Rules

	seats    table.Seats // that play this round
	behind   table.Seats // nobody's seat, if somebody bets behind and answers to insurance
	insuring table.Seats // still to answer insurance, nobody's seat among them
	seat     [table.MaxSeats + 1]seat
	dealer   hand

	second  bool       // the deal's second card for each
	dealTo  uint8      // the deal's next seat, 0 the dealer
	turn    table.Hand // the hand in turn
	cardTo  table.Hand // the hand a card is due to
	why     table.Why  // and why; WhyNone while none is due
	hidden  bool       // the hole card lies face down
	turning bool       // the hole card is to be turned
	ended   table.Ended
}

type seat struct {
	hands  [table.MaxHands]hand
	n      uint8
	aces   bool // split aces
	pair   table.Pair
	answer table.Kind // to insurance: Insure, EvenMoney, Decline; NoEvent before
}

// New is a table at the opening of a segment of its record.
func New(rules *Rules, o table.Opening) Game {
	return Game{Procedure: o.Procedure(&rules.House), rules: rules}
}

// Step takes an event that happened.
func (g *Game) Step(e table.Event, calls []table.Call) []table.Call {
	switch k := e.Kind; {
	case k == table.Draw:
		if g.turning { // a card drawn before the hole card was turned implies the turn
			calls = g.reveal(e, calls)
		}
		calls = g.Draw(&g.rules.House, g, e, calls)
	case k >= table.Hit && k <= table.Surrender:
		calls = g.decide(k, e, calls)
	case k >= table.Open && k <= table.Reveal:
		calls = g.stepRound(e, calls)
	case k == table.Timeout:
		calls = g.timeout(e, calls)
	default:
		calls = g.Procedure.Step(&g.rules.House, g, e, calls)
	}
	return g.Drain(&g.rules.House, g, e, calls)
}

func (g *Game) stepRound(e table.Event, calls []table.Call) []table.Call {
	switch e.Kind {
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
	}
	return calls
}

// at is a seat's hand; the caller knows that it names one.
func (g *Game) at(h table.Hand) *hand { return &g.seat[h.Seat()].hands[h.Index()] }

func (g *Game) open(e table.Event, calls []table.Call) []table.Call {
	switch {
	case g.Phase == table.Burning:
		return g.Raise(&g.rules.House, g, e, table.BurnCount, calls)
	case !g.Between():
		return g.Raise(&g.rules.House, g, e, table.DealerCardDue, calls)
	}
	g.Abandon()
	calls = g.OpenRound(&g.rules.House, e, calls)
	return calls
}

// close begins the deal; before the first card another list replaces the first.
func (g *Game) close(e table.Event, calls []table.Call) []table.Call {
	for s := g.seats.Next(0); s > 0; s = g.seats.Next(s) { // a list before this one: what was planned for its seats is void
		g.seat[s] = seat{}
	}
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
	g.second, g.dealTo = false, uint8(g.seats.Next(0))
	return calls
}

// Abandon takes the hands off the felt.
func (g *Game) Abandon() {
	for s := g.seats.Next(0); s > 0; s = g.seats.Next(s) {
		g.seat[s] = seat{}
	}
	g.seat[0].answer = table.NoEvent
	g.seats, g.behind, g.insuring, g.dealer = 0, 0, 0, hand{}
	g.turn, g.cardTo, g.why = table.NoHand, table.NoHand, table.WhyNone
	g.second, g.dealTo, g.hidden, g.turning, g.ended = false, 0, false, false, table.NotEnded
}

// CardDue says whether the dealer is to draw, and whether the card goes face down.
func (g *Game) CardDue() (due, down bool) {
	switch g.Phase {
	case table.Dealing:
		return true, g.second && g.dealTo == 0
	case table.Decisions, table.Dealers:
		return g.why != table.WhyNone, false
	}
	return false, false
}

// Place deals a card to where it is due.
func (g *Game) Place(e table.Event, c shoe.Card, calls []table.Call) []table.Call {
	switch g.Phase {
	case table.Dealing:
		return g.dealCard(e, c, calls)
	case table.Decisions:
		return g.playCard(e, c, calls)
	}
	g.dealer.add(c)
	calls = append(calls, g.cardCall(table.DealerHand, &g.dealer, c, g.why))
	return g.dealerNext(e, calls)
}

func (g *Game) cardCall(to table.Hand, h *hand, c shoe.Card, why table.Why) table.Call {
	return table.Call{Word: table.CallCard, Hand: to, Card: c, Why: why, Total: h.total(), Soft: h.soft()}
}

// dealCard deals one card of the initial deal.
func (g *Game) dealCard(e table.Event, c shoe.Card, calls []table.Call) []table.Call {
	if g.dealTo > 0 {
		s := int(g.dealTo)
		h := &g.seat[s].hands[0]
		h.add(c)
		calls = append(calls, g.cardCall(table.SeatHand(s, 0), h, c, table.WhyDeal))
		g.dealTo = uint8(g.seats.Next(s))
		if g.dealTo == 0 && g.second && !g.rules.HoleCard {
			return g.dealt(e, calls)
		}
		return calls
	}
	g.dealer.add(c)
	if g.second {
		g.hidden = true
		calls = append(calls, table.Call{Word: table.CallCard, Hand: table.DealerHand, Why: table.WhyHole})
		return g.dealt(e, calls)
	}
	g.second, g.dealTo = true, uint8(g.seats.Next(0))
	return append(calls, g.cardCall(table.DealerHand, &g.dealer, c, table.WhyDeal))
}

// dealt is the end of the initial deal: naturals are complete, pairs are known, and against an ace insurance is asked.
func (g *Game) dealt(e table.Event, calls []table.Call) []table.Call {
	up := g.dealer.cards[0]
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		s := &g.seat[n]
		h := &s.hands[0]
		if h.natural() {
			h.status = table.Blackjack
		}
		if g.rules.Pair {
			s.pair = pairOf(h.cards[0], h.cards[1], up)
			calls = append(calls, table.Call{Word: table.CallPair, Hand: table.SeatHand(n, 0), Pair: s.pair})
		}
	}
	if up.Rank() != 1 || !g.rules.Insurance {
		return g.look(e, calls)
	}
	g.Phase, g.insuring = table.Insurance, g.seats|g.behind
	g.StartClock(e, g.rules.InsuranceTime)
	return g.Announce(e, calls)
}

// answer takes a seat's answer to insurance, or for nobody's seat that of all behind; when all have answered, the dealer looks.
func (g *Game) answer(e table.Event, calls []table.Call) []table.Call {
	n := e.Hand.Seat()
	g.seat[n].answer = e.Kind
	g.insuring &^= table.Seat(n)
	if n > 0 {
		calls = append(calls, table.Call{Word: table.CallInsured, Hand: e.Hand, Action: e.Kind})
	}
	if e.Kind == table.EvenMoney {
		g.seat[n].hands[0].status = table.TookEvenMoney
	}
	if g.insuring != 0 {
		return calls
	}
	g.StopClock()
	return g.look(e, calls)
}

// look is the peek, where the rules have one against this up card.
func (g *Game) look(e table.Event, calls []table.Call) []table.Call {
	g.insuring = 0
	if !g.peeks() {
		return g.play(e, calls)
	}
	g.Phase = table.Peeking
	if g.rules.ImpliedPeek {
		return g.peek(e, calls)
	}
	return g.Announce(e, calls)
}

func (g *Game) peeks() bool {
	switch points[g.dealer.cards[0].Rank()] {
	case 1:
		return g.rules.HoleCard && g.rules.Peek == PeekAceTen
	case 10:
		return g.rules.HoleCard && g.rules.Peek != PeekNever
	}
	return false
}

// peek says whether the dealer has a natural: the one bit of the hole card that may be known before it is turned.
func (g *Game) peek(e table.Event, calls []table.Call) []table.Call {
	natural := g.dealer.natural()
	calls = append(calls, table.Call{Word: table.CallPeek, Natural: natural})
	if !natural {
		return g.play(e, calls)
	}
	g.ended = table.EndedDealerBlackjack
	for n := g.seats.Next(0); n > 0; n = g.seats.Next(n) {
		if h := &g.seat[n].hands[0]; h.status == table.Playing {
			h.status = table.Unplayed
		}
	}
	return g.turnHole(e, calls)
}
