package sim

import (
	"sabot/shoe"
	"sabot/table"
)

// People are those around one table who do what is due, and never err: a supervisor, a dealer with shuffled shoes, two players who take any decision that is
// offered. They see the layout and nothing else. They are for tables that run whole, with record and messages; a [Simulator] is faster.
// One goroutine uses them.
type People struct {
	shoe    stack
	bets    bool   // the table keeps the ledger
	counted uint32 // the number of the last shoe whose rest was counted
	laid    int    // slips of this round
}

// slips are what is bet each round, by game.
var slips = map[string][]string{"blackjack": {"bet P-1 1 100", "bet P-2 2 100"}, "baccarat": {"bet P-1 player 100, tie 10", "bet P-2 banker 50"}, "roulette": {"bet P-1 red 20, straight 17 10"}}

// NewPeople are those at a table with a shoe of this many decks, 0 where there is a wheel. With bets they lay slips, because the table keeps the ledger. The seed decides
// the cards and what players do.
func NewPeople(decks int, bets bool, seed uint64) *People {
	p := &People{shoe: newStack(decks, 0), bets: bets}
	p.shoe.sort(seed, 0)
	return p
}

// Next is what happens next at a table that looks like this; it is taken as having happened. Of a table that is stopped, or waits for what is
// none of theirs, it is the zero Event.
func (p *People) Next(l *table.Layout) table.Event {
	by := &table.Text{By: "S-1"}
	switch {
	case l.Stopped != nil:
		return table.Event{}
	case l.Due == nil:
		return table.Event{Kind: table.TableOpen, Text: by}
	}
	switch table.ParseDue(l.Due.Kind) {
	case table.DueShoe:
		return p.change(l, by)
	case table.DueOpen:
		p.laid = 0
		return table.Event{Kind: table.Open}
	case table.DueClose:
		return p.bet(l.Game)
	case table.DueCard, table.DueBurn:
		return p.draw()
	case table.DueInsurance:
		return table.Event{Kind: table.Decline, Hand: table.SeatHand(l.Due.Seats[0], 0)}
	case table.DueDecision:
		return table.Event{Kind: table.ParseKind(l.Due.May[p.shoe.below(uint64(len(l.Due.May)))])}
	case table.DueBall:
		return table.Event{Kind: table.Ball}
	case table.DueResult:
		return table.Event{Kind: table.Result, N: int64(p.shoe.below(table.Pockets))}
	}
	return table.Event{}
}

// change counts what is left of a shoe, and fills the next one. Its cut card lies in the last fifth, a little elsewhere each time.
func (p *People) change(l *table.Layout, by *table.Text) table.Event {
	if p.counted < l.Shoe.Number {
		p.counted = l.Shoe.Number
		return table.Event{Kind: table.Count, N: int64(len(p.shoe.cards) - p.shoe.drawn), Text: by}
	}
	p.shoe.cut = len(p.shoe.cards)*4/5 + int(p.shoe.below(16))
	e := p.shoe.fill()
	e.N, e.Text = int64(l.Shoe.Number)+1, by
	return e
}

// bet lays the slips one by one, and then there are no more bets.
func (p *People) bet(game string) table.Event {
	list := slips[game]
	if !p.bets || p.laid == len(list) {
		return table.Event{Kind: table.Close, Seats: table.Seat(1) | table.Seat(2)}
	}
	e, err := table.Parse(list[p.laid])
	if err != nil {
		panic("sim: " + err.Error()) // the list is ours
	}
	p.laid++
	return e
}

func (p *People) draw() table.Event {
	if c := p.shoe.draw(); c != shoe.NoCard {
		return table.Event{Kind: table.Draw, Card: c}
	}
	return p.shoe.none()
}
