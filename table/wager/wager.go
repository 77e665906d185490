// Package wager is what people bet, and what it pays.
//
// Games hold no money: they say how a hand, a coup or a number came out. A [Table] stands around any of them with a ledger
// for one round. A bettor is a reference, a name the game server gives him. All his bets stand on one slip, which
// comes as one event and replaces his former one, all of it or nothing:
//
//	bet P-81 3 100, 3 25 pair, 5 50 behind, balance 1000
//
// At close the seats that play are those the list names and somebody bets on. From then on the ledger listens to what its game calls: a double
// and a split take another stake, for bettors behind where they follow; results pay. What it does itself it says in calls to the game
// server alone: taken, paid, refunded, reversed. A bet where nobody plays goes back with the first card, which is when the list of seats
// cannot change any more; a void round gives everything back.
//
// A balance on a slip is what the bettor has for all of the round. When it does not cover a hand's double or split, the
// ledger tells the game (short), and the game does what its rules say: draw or stand instead, or refuse.
//
// All money is whole minor units. Where a half is to be paid the house's [Rounding] decides; nothing is ever lost: every unit
// taken is either refunded or stands in exactly one paid, beside what goes back of it. The rest is the house's.
package wager

import (
	"time"

	"sabot/table"
)

// Game is what a ledger needs of the game it stands around. Every game that embeds table.Procedure has it.
type Game[G any] interface {
	*G
	table.Game
	Betting() bool
	BetsOpen() bool
	InRound() bool
	StoppedCode() table.Code
}

// Table is a game with a ledger. It is a plain value like the game.
type Table[G comparable, P Game[G]] struct {
	game  G
	rules *Rules
	book  book
}

// New puts a ledger around a game between rounds.
func New[G comparable, P Game[G]](g G, r *Rules) Table[G, P] {
	return Table[G, P]{game: g, rules: r}
}

// Layout is the game's: who bets how much is not on the felt.
func (t *Table[G, P]) Layout() table.Layout { return P(&t.game).Layout() }

// Opening is the game's: between rounds the ledger is empty.
func (t *Table[G, P]) Opening() table.Opening { return P(&t.game).Opening() }

// Deadline is the game's.
func (t *Table[G, P]) Deadline() time.Duration { return P(&t.game).Deadline() }

// Check says whether an event may be taken now.
func (t *Table[G, P]) Check(e table.Event) table.Code {
	switch {
	case e.Kind == table.Bet:
		_, _, code := t.slip(e, nil)
		return code
	case e.Kind == table.Follow:
		return t.checkFollow(e)
	case behindAnswer(&e):
		return t.checkBehind(e)
	case allBehind(&e):
		return t.checkRest()
	case e.Kind == table.Insure:
		return t.checkInsure(e)
	}
	return P(&t.game).Check(e)
}

// behindAnswer says that an answer to insurance is one of a bettor behind.
func behindAnswer(e *table.Event) bool {
	return (e.Kind == table.Insure || e.Kind == table.Decline) && e.Text != nil && e.Text.Name != ""
}

// allBehind says that an answer to insurance is one of all bettors behind: a dealer has asked for the last time.
func allBehind(e *table.Event) bool { return e.Kind == table.Decline && e.Hand == table.NoHand }

// checkRest says whether any bettor behind is still asked.
func (t *Table[G, P]) checkRest() table.Code {
	seat := table.SeatHand(t.book.playing.Next(0), 0)
	if code := P(&t.game).Check(table.Event{Kind: table.Decline, Hand: seat}); code != table.OK && code != table.InsuranceTwice {
		return code
	}
	for i := range t.book.bets[:t.book.n] {
		if t.book.bets[i].asked() {
			return table.OK
		}
	}
	return table.InsuranceTwice
}

// asked says that a bet lies behind a seat and its bettor may still insure it.
func (one *bet) asked() bool {
	return one.spot.Bet == table.BetBehind && one.on != 0 && !one.answered
}

// slip is the book with an event's slip in it, and what is to be said of it.
func (t *Table[G, P]) slip(e table.Event, calls []table.Call) (book, []table.Call, table.Code) {
	g := P(&t.game)
	b := t.book
	name, ok := table.MakeReference(e.Text.Name)
	switch {
	case !ok:
		return b, calls, table.BetInvalid
	case !g.Betting() && !g.InRound():
		return b, calls, table.NoRound
	case !g.BetsOpen():
		return b, calls, table.BetLate
	case g.StoppedCode() != table.OK:
		return b, calls, g.StoppedCode()
	}
	s, code := parseSlip(e.Text.Detail)
	if code != table.OK {
		return b, calls, code
	}
	for _, p := range s.bets[:s.n] {
		if p.spot.Bet == table.BetSeat && g.Check(table.Event{Kind: table.Close, Seats: table.Seat(int(p.spot.At))}) != table.OK {
			return b, calls, table.SeatsInvalid
		}
	}
	calls, code = b.replace(name, &s, t.rules, calls)
	return b, calls, code
}

// bet is the bet of an event's bettor behind its hand's seat, nil where he has none.
func (t *Table[G, P]) bet(e *table.Event) *bet {
	name, ok := table.MakeReference(e.Text.Name)
	by := t.book.bettor(name)
	if !ok || by < 0 {
		return nil
	}
	return t.book.of(by, table.Spot{Bet: table.BetBehind, At: uint8(e.Hand.Seat())})
}

func (t *Table[G, P]) checkFollow(e table.Event) table.Code {
	one := t.bet(&e)
	switch g := P(&t.game); {
	case g.StoppedCode() != table.OK:
		return g.StoppedCode()
	case e.Action != table.Double && e.Action != table.Split:
		return table.UnknownAction
	case one == nil || one.on == 0:
		return table.NoSuchBet
	case !one.rides(e.Hand):
		return table.NoSuchHand
	case one.doubled>>e.Hand.Index()&1 != 0:
		return table.HandDoneDoubled
	}
	return table.OK
}

// checkBehind asks the game whether insurance is open, whatever the seat itself has answered.
func (t *Table[G, P]) checkBehind(e table.Event) table.Code {
	one := t.bet(&e)
	code := P(&t.game).Check(table.Event{Kind: table.Decline, Hand: e.Hand})
	switch {
	case code != table.OK && code != table.InsuranceTwice:
		return code
	case one == nil || one.on == 0:
		return table.NoSuchBet
	case one.answered:
		return table.InsuranceTwice
	}
	return t.affords(e.Kind, one)
}

// checkInsure is the game's, but for the balance, which the ledger knows better: what is short for a double may do for insurance.
func (t *Table[G, P]) checkInsure(e table.Event) table.Code {
	code := P(&t.game).Check(e)
	one := t.book.seatBet(uint8(e.Hand.Seat()))
	short := code == table.InsufficientChips && one != nil && t.book.bettors[one.by].balance != unlimited
	if one == nil || code != table.OK && !short {
		return code
	}
	return t.affords(table.Insure, one)
}

// affords says whether a bet can be insured: half of the least unit, rounded to nothing, is no insurance.
func (t *Table[G, P]) affords(k table.Kind, one *bet) table.Code {
	price := t.rules.InsurancePrice(one.stake)
	switch {
	case k != table.Insure:
		return table.OK
	case price == 0:
		return table.BetLimit
	case t.book.bettors[one.by].free() < price:
		return table.InsufficientChips
	}
	return table.OK
}

// Step takes an event that happened.
func (t *Table[G, P]) Step(e table.Event, calls []table.Call) []table.Call {
	switch {
	case e.Kind == table.Bet:
		if b, said, code := t.slip(e, calls); code == table.OK {
			t.book, calls = b, said
		}
		return calls
	case e.Kind == table.Follow:
		if t.checkFollow(e) == table.OK {
			t.bet(&e).follow(e.Hand, e.Action)
		}
		return calls
	case behindAnswer(&e):
		if t.checkBehind(e) == table.OK {
			calls = t.answerBehind(e, calls)
		}
		return calls
	case allBehind(&e):
		if t.checkRest() != table.OK {
			return calls
		}
		for i := range t.book.bets[:t.book.n] {
			t.book.bets[i].answered = true
		}
		return t.endBehind(e, calls)
	case e.Kind == table.Insure:
		if one := t.book.seatBet(uint8(e.Hand.Seat())); one != nil && one.on != 0 && one.insured == 0 {
			calls = t.book.insure(one, t.rules.InsurancePrice(one.stake), calls)
			t.short(e)
		}
	case e.Kind == table.Close && t.rules.Limits[table.BetSeat] != (Limit{}):
		e.Seats &= t.book.occupied()
		e.Behind = t.book.behind(e.Seats)
	case e.Kind == table.Timeout && e.Phase == table.Insurance:
		calls = t.endBehind(e, calls)
	case e.Kind == table.Undo:
		calls = append(calls, table.Call{Word: table.CallReversed, To: table.ToGame, Ref: e.N})
	}
	return t.forward(e, calls)
}

// forward steps the game, hears what it calls, and tells it where a balance is short now.
func (t *Table[G, P]) forward(e table.Event, calls []table.Call) []table.Call {
	said := len(calls)
	calls = P(&t.game).Step(e, calls)
	for i := said; i < len(calls); i++ {
		if c := calls[i]; c.To == table.ToAll {
			calls = t.book.hear(t.rules, &c, calls)
		}
	}
	t.short(e)
	return calls
}

// short tells the game of the hands whose balance does not cover another stake. A mark stays until the hand acts, so none is made before the first card, which brings
// the stakes back of those who do not play.
func (t *Table[G, P]) short(e table.Event) {
	if !t.book.dealt {
		return
	}
	for i := range t.book.bets[:t.book.n] {
		one := &t.book.bets[i]
		if one.spot.Bet != table.BetSeat || one.on == 0 || t.book.bettors[one.by].free() >= one.stake {
			continue
		}
		for h := range int(t.book.hands[one.spot.At]) {
			P(&t.game).Step(table.Event{Seq: e.Seq, At: e.At, Kind: table.Short, Hand: table.SeatHand(int(one.spot.At), h)}, nil)
		}
	}
}

// follow notes that a bettor behind will go along.
func (one *bet) follow(h table.Hand, a table.Kind) {
	if a == table.Split {
		one.split = true
		return
	}
	one.double |= 1 << h.Index()
}

// answerBehind takes the answer of a bettor behind; the last one ends what the game waits for behind its seats.
func (t *Table[G, P]) answerBehind(e table.Event, calls []table.Call) []table.Call {
	one := t.bet(&e)
	one.answered = true
	if e.Kind == table.Insure {
		calls = t.book.insure(one, t.rules.InsurancePrice(one.stake), calls)
		t.short(e)
	}
	for i := range t.book.bets[:t.book.n] {
		if t.book.bets[i].asked() {
			return calls
		}
	}
	return t.endBehind(e, calls)
}

// endBehind tells a game that asks for insurance whether anybody behind is insured.
func (t *Table[G, P]) endBehind(e table.Event, calls []table.Call) []table.Call {
	all := table.Event{Seq: e.Seq, At: e.At, Kind: table.Decline}
	some := false
	for i := range t.book.bets[:t.book.n] {
		if one := &t.book.bets[i]; one.spot.Bet == table.BetBehind && one.on != 0 {
			some = true
			if one.insured > 0 {
				all.Kind = table.Insure
			}
		}
	}
	seat := table.SeatHand(t.book.playing.Next(0), 0)
	asks := P(&t.game).Check(table.Event{Kind: table.Decline, Hand: seat})
	if !some || asks != table.OK && asks != table.InsuranceTwice {
		return calls
	}
	return t.forward(all, calls)
}

// hear takes what the game said to all into the book.
func (b *book) hear(r *Rules, c *table.Call, calls []table.Call) []table.Call {
	switch c.Word {
	case table.CallOpen:
		*b = book{}
	case table.CallClosed:
		b.playing = c.Seats
		for n := c.Seats.Next(0); n > 0; n = c.Seats.Next(n) {
			b.hands[n] = 1
		}
	case table.CallCard:
		return b.card(c, calls)
	case table.CallDecision:
		if c.Action == table.Double {
			return b.double(c.Hand, calls)
		}
	case table.CallSplit:
		return b.split(c.Hand, calls)
	case table.CallPair:
		b.pair[c.Hand.Seat()], b.paired = c.Pair, true
	case table.CallResult:
		switch {
		case c.Coup.Winner != table.NoWinner:
			return b.coup(r, c.Coup.Winner, calls)
		case c.Action != table.Insure:
			return b.hand(r, c.Hand, c.Outcome, calls)
		}
	case table.CallNumber:
		return b.number(r, table.Number(c.N), calls)
	case table.CallEnd:
		return b.end(r, b.cards == 2 && c.Total == 21, calls)
	case table.CallVoid:
		return b.refundAll(calls)
	}
	return calls
}

// card counts the dealer's cards: two that make 21 are a natural. With the first of all cards it is certain who plays.
func (b *book) card(c *table.Call, calls []table.Call) []table.Call {
	if c.Hand == table.DealerHand {
		b.cards++
	}
	b.dealt = true
	return b.refundAbsent(calls)
}
