package table

import (
	"time"

	"sabot/shoe"
)

// House is what a house decides about the procedure, apart from the rules of its game. All of it is configuration.
type House struct {
	Decks         uint8    // decks in the shoe, 1 to 8; 0 for a game without a shoe
	Burn          BurnRule // what is burnt from a new shoe
	HandsAfterCut uint8    // rounds played after the one in which the cut card came: 0 or 1
	Shuffle       Shuffle  // when the shoe is made anew

	Grace         time.Duration // a card due when a stop began and drawn within it takes its place
	BetTime       time.Duration // how long bets are taken; 0 without a clock
	MinBets       time.Duration // what is left of it at least after a stop
	InsuranceTime time.Duration // how long insurance is asked; 0 without a clock
	DecisionTime  time.Duration // how long a hand may think; 0 without a clock

	ImpliedPeek   bool // the dealer looks without pressing NEXT
	ImpliedReveal bool // and turns the hole card without pressing it

	CutLeast uint8  // percent of the shoe that must be out before the cut card may come; 0 for no matter
	Orders   Orders // where it departs from the table of irregularities
}

// BurnRule says how many cards a new shoe loses before it is played.
type BurnRule struct {
	ByValue bool  // the first card is turned up, and its value burnt face down behind it
	N       uint8 // without ByValue: this many, all face down; 0 for none
}

// Shuffle says when a shoe is made anew.
type Shuffle uint8

// The times to shuffle.
const (
	AfterCut   Shuffle = iota // after the round the cut card allows
	EveryRound                // after each round
)

// Procedure is the part of a table that every card game shares: the day, the shoe from its burn to its last round, stops and what
// releases them, and the clock. A game embeds it and is its CardGame.
//
// Invariants: a card that left the shoe is counted in Shoe, whatever became of it; while Stopped no deadline runs; an
// active hold is left only by a Release, Correct or Void.
type Procedure struct {
	Shoe       shoe.Inventory
	ShoeNumber uint32
	Round      uint32 // the round running, or the last one
	final      uint32 // the shoe's last round; 0 while it is not known
	Phase      Phase
	Over       Code // why the round takes no more cards, from a game that can tell; OK for the usual codes
	Adrift     bool // a remedy moved cards, so that the shoe no longer knows our places: see Misplaced

	betting  betting
	burnLeft uint8
	burnUp   bool // the burn's first card is to come, face up
	burnt    bool // the burn is complete and no round was opened since
	overrun  bool // a card after the final round was noted
	paused   bool
	graceDue bool

	grace  time.Duration // game time until which a card due at the stop takes its place
	kept   time.Duration // game time until which a shoe delivers what it kept while we were away
	clock  clock
	queue  holds
	aside  pile // cards to use as the next ones due
	carry  pile // cards to use in the next round
	active uint8
	last   shoe.Card     // the one that left the shoe last
	unread time.Duration // game time at which the last one came that was not read
}

type betting uint8

const (
	betsClosed betting = iota
	betsOpen
	betsOver // the clock ended them; the list of seats is still to come
)

// clock is the one running deadline.
type clock struct {
	deadline time.Duration // game time; 0 when none runs
	full     time.Duration // what it was started with
	left     time.Duration // what was left when a stop froze it
}

// pile is a few cards in order.
type pile struct {
	cards [maxHolds]shoe.Card
	n     uint8
}

// wait lets a card wait in a pile. When the pile is full the card is discarded.
func (p *Procedure) wait(in *pile, c shoe.Card) {
	if in.n == maxHolds {
		p.Shoe.Burn()
		return
	}
	in.cards[in.n] = c
	in.n++
}

func (p *pile) pop() shoe.Card {
	c := p.cards[0]
	copy(p.cards[:], p.cards[1:p.n])
	p.n--
	p.cards[p.n] = shoe.NoCard
	return c
}

// Procedure is a table's procedure as a segment of its record begins.
func (o Opening) Procedure(h *House) Procedure {
	p := Procedure{Round: o.Round, ShoeNumber: o.Shoe, paused: o.Paused}
	switch {
	case !o.Open:
	case o.Shoe == 0 && h.Decks > 0:
		p.Phase = ShoeChange
	default:
		p.fill(h)
	}
	for _, hold := range o.Holds {
		row := h.Orders.row(hold.Code)
		hold.first, hold.fit = row.first, row.fit
		p.queue.add(hold)
	}
	p.active = uint8(p.queue.active())
	return p
}

// Opening is the state a segment's header holds; it is whole only just after a shoe was filled or before the first one.
func (p *Procedure) Opening() Opening {
	o := Opening{Open: p.Phase != Closed, Round: p.Round, Shoe: p.ShoeNumber, Paused: p.paused, laid: p.laid(), vain: p.vain()}
	o.Holds = append(o.Holds, p.queue.list[:p.queue.n]...)
	return o
}

// Stopped says that the table is held or paused.
func (p *Procedure) Stopped() bool { return p.active > 0 || p.paused }

// InRound says that cards are being dealt and the round has no result yet.
func (p *Procedure) InRound() bool {
	return p.Phase >= Dealing && p.Phase <= Dealers || p.Phase == Spin
}

// Between says that a round may be opened, once nothing holds the table.
func (p *Procedure) Between() bool {
	return p.Phase == Results || p.Phase == Bets && p.betting == betsClosed
}

// laid says that there is what a record must vouch for: a round, or a shoe in play.
func (p *Procedure) laid() bool {
	return p.InRound() || p.Betting() || p.Shoe.Loaded() > 0 && p.Phase != ShoeChange && p.Phase != Closed
}

// Betting says that bets are taken, or that only the list of seats is missing.
func (p *Procedure) Betting() bool { return p.Phase == Bets && p.betting != betsClosed }

// BetsOpen says that bets are taken.
func (p *Procedure) BetsOpen() bool { return p.Phase == Bets && p.betting == betsOpen }

// LastRound says that the round running, or the next one, is the shoe's last.
func (p *Procedure) LastRound() bool {
	round := p.Round
	if p.Between() {
		round++
	}
	return p.final != 0 && round >= p.final
}

// Deadline is when the running clock ends, in game time; 0 when none runs.
func (p *Procedure) Deadline() time.Duration { return p.clock.deadline }

// StartClock runs a deadline of d from now on, or as soon as the table goes on; 0 runs none.
func (p *Procedure) StartClock(now, d time.Duration) {
	p.clock = clock{full: d}
	switch {
	case d == 0:
	case p.Stopped():
		p.clock.left = d
	default:
		p.clock.deadline = now + d
	}
}

// StopClock runs none.
func (p *Procedure) StopClock() { p.clock = clock{} }

// ClockLeft is how long the running clock has to go.
func (p *Procedure) ClockLeft(now time.Duration) time.Duration {
	if p.clock.deadline == 0 {
		return 0
	}
	return p.clock.deadline - now
}

// OpenRound begins a round: place your bets.
func (p *Procedure) OpenRound(h *House, now time.Duration, calls []Call) []Call {
	p.Round++
	p.Phase, p.betting, p.burnt, p.Over = Bets, betsOpen, false, OK
	p.StartClock(now, h.BetTime)
	calls, c := Add(calls, CallOpen)
	c.N, c.Left = int64(p.Round), p.clock.full
	if p.final != 0 {
		calls = append(calls, Call{Word: CallLast, N: int64(p.final)})
	}
	return calls
}

// EndBets is the clock's end of betting. Which seats play is still to be said.
func (p *Procedure) EndBets() {
	if p.betting == betsOpen {
		p.betting = betsOver
	}
	p.StopClock()
}

// CloseBets is the end of betting; these seats play. Cards carried from the last round are the first ones due.
func (p *Procedure) CloseBets(seats Seats, calls []Call) []Call {
	p.Phase, p.betting = Dealing, betsClosed
	p.StopClock()
	for p.carry.n > 0 {
		p.wait(&p.aside, p.carry.pop())
	}
	calls, c := Add(calls, CallClosed)
	c.Seats = seats
	return calls
}

// EndRound ends the round running, with a result or void.
func (p *Procedure) EndRound(h *House, calls []Call) []Call {
	p.StopClock()
	p.betting = betsClosed
	p.Phase = Results
	if h.Shuffle == EveryRound || p.final != 0 && p.Round >= p.final {
		p.Phase, p.overrun = ShoeChange, false
	}
	for p.aside.n > 0 { // ordered for a card that never became due
		c := p.aside.pop()
		if p.Phase == ShoeChange {
			p.Shoe.Burn()
			continue
		}
		p.wait(&p.carry, c)
	}
	was := p.Stopped()
	for i := range int(p.queue.n) {
		p.queue.list[i].Later = false
	}
	p.active = uint8(p.queue.active())
	if !was && p.Stopped() {
		calls = append(calls, Call{Word: CallStopped})
	}
	return calls
}

// raise records an irregularity of an event. The floor hears of it; the public at most that the table stopped.
func (p *Procedure) raise(h *House, d CardGame, e Event, code Code, card shoe.Card, calls []Call) []Call {
	return p.hold(h, d, e, Hold{Seq: e.Seq, Code: code, Card: card, claim: e.Claim}, calls)
}

// hold is raise of an irregularity of which more is known than its card.
func (p *Procedure) hold(h *House, d CardGame, e Event, hold Hold, calls []Call) []Call {
	code, card := hold.Code, hold.Card
	row := h.Orders.row(code)
	class := row.between
	if p.InRound() {
		class = row.inRound
	}
	call := Call{Word: CallIrregular, To: ToFloor, Ref: e.Seq, Code: code, Class: class}
	if class == Note {
		return append(calls, call)
	}
	later := class == AfterRound && p.InRound()
	was, due := p.Stopped(), p.cardDue(d)
	hold.Later, hold.first, hold.fit = later, row.first, row.fit
	if !p.queue.add(hold) {
		if card != shoe.NoCard {
			p.Shoe.Burn()
		}
		call.Class = Note
		return append(calls, call)
	}
	call.Remedy, _ = hold.remedies(p.vain())
	calls = append(calls, call)
	if later {
		return calls
	}
	p.active++
	if !was {
		p.freeze(h, e, due && code != Misread && code != CardMoved)
		calls = append(calls, Call{Word: CallStopped})
	}
	return calls
}

// Raise is raise without a card, for what a game finds.
func (p *Procedure) Raise(h *House, d CardGame, e Event, code Code, calls []Call) []Call {
	return p.raise(h, d, e, code, shoe.NoCard, calls)
}

// freeze stops the clock at a stop's begin; due says that a card was due, which has its grace.
func (p *Procedure) freeze(h *House, e Event, due bool) {
	if p.clock.deadline > 0 {
		p.clock.left = max(p.clock.deadline-e.At, 1)
		p.clock.deadline = 0
	}
	p.graceDue, p.grace = due, e.At+h.Grace
}

// goOn lets the table go on when nothing stops it any more: it says so with word, and deals the card that waited for its value, if
// there is one. Decisions and insurance get their whole time again, betting what was left of it.
func (p *Procedure) goOn(h *House, d CardGame, e Event, word Word, waited shoe.Card, calls []Call) []Call {
	if p.Stopped() {
		return p.useNow(h, d, e, waited, calls)
	}
	calls = append(calls, Call{Word: word})
	p.graceDue = false
	if p.clock.left > 0 {
		left := p.clock.full
		if p.Phase == Bets {
			left = max(p.clock.left, min(h.MinBets, p.clock.full))
		}
		p.clock.deadline, p.clock.left = e.At+left, 0
	}
	said := len(calls)
	calls = p.useNow(h, d, e, waited, calls)
	calls = p.Drain(h, d, e, calls)
	if len(calls) > said { // cards were dealt, and the game said what is due now
		return calls
	}
	return d.Announce(e, calls)
}

// Aside says that cards lie aside which the supervisor ordered to be used.
func (p *Procedure) Aside() bool { return p.aside.n > 0 }

// Drain deals the cards that lie aside as long as a card is due.
func (p *Procedure) Drain(h *House, d CardGame, e Event, calls []Call) []Call {
	for p.aside.n > 0 && !p.Stopped() {
		due, down := d.CardDue()
		if !due {
			break
		}
		c := p.aside.pop()
		calls = p.place(h, d, e, c, down || p.Shoe.Turn(c), calls)
	}
	return calls
}

func (p *Procedure) cardDue(d CardGame) bool {
	due, _ := d.CardDue()
	return due || p.Phase == Burning
}
