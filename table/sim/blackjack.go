package sim

import (
	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/blackjack/strategy"
	"sabot/table/wager"
)

// Blackjack is one seat that plays by a table of basic strategy, with a balance that never ends and no insurance.
type Blackjack struct {
	rules blackjack.Rules
	play  *strategy.Table
	shoe  stack
	game  *blackjack.Game
	calls []table.Call // of the round
	tally blackjackTally
}

// blackjackTally counts results. A round is known by what it staked and netted, so that no sums are needed before its block is over.
type blackjackTally struct {
	rounds   [maxStake + 1][2*maxStake + 1]int64 // by stake, and by net from -maxStake on, both in half units
	outcomes [table.PaidEven + 1]int64
	ended    [table.EndedVoid + 1]int64
	pairs    [table.SuitedTrips + 1]int64
	cards    int64
	hands    int64
	doubles  int64
}

// maxStake is what a seat can stake in half units: every hand doubled.
const maxStake = 4 * table.MaxHands

// initial is a seat's bet in half units.
const initial = 2

// NewBlackjack plays by rules and a table. With freshShoe the cards are shuffled before each round, which is what exact figures
// of the game suppose.
func NewBlackjack(rules blackjack.Rules, play *strategy.Table, freshShoe bool) *Blackjack {
	b := &Blackjack{rules: rules, play: play, calls: make([]table.Call, 0, 128)}
	if freshShoe {
		fresh(&b.rules.House)
	}
	behind := int(rules.Decks) * 52 / 4
	if b.rules.Shuffle == table.EveryRound {
		behind = 0
	}
	b.shoe = newStack(int(rules.Decks), behind)
	return b
}

// Block plays this many rounds on a new table.
func (b *Blackjack) Block(seed, number uint64, rounds int64) Tally {
	b.shoe.sort(seed, number)
	game := blackjack.New(&b.rules, table.Opening{})
	b.game = &game
	b.tally = blackjackTally{}
	for range rounds {
		b.shoe.ready(b.game, &b.game.Procedure, b.calls)
		before := b.shoe.drawn
		b.count(b.round())
		b.tally.cards += int64(b.shoe.drawn - before)
	}
	return b.tally.sum(rounds, b.rules.Pair)
}

// round plays a round and gives all its calls.
func (b *Blackjack) round() []table.Call {
	calls := b.game.Step(table.Event{Kind: table.Open}, b.calls)
	calls = b.game.Step(table.Event{Kind: table.Close, Seats: table.Seat(1)}, calls)
	for b.game.InRound() {
		if due, _ := b.game.CardDue(); !due {
			calls = b.act(calls)
		} else if c := b.shoe.draw(); c != shoe.NoCard {
			calls = b.game.Step(table.Event{Kind: table.Draw, Card: c}, calls)
		} else {
			calls = b.game.Step(b.shoe.none(), calls)
		}
		calls = ofRound(calls)
	}
	return calls
}

// act does what is due of the player or the dealer.
func (b *Blackjack) act(calls []table.Call) []table.Call {
	switch b.game.Phase {
	case table.Decisions:
		total, soft, up := b.game.Turn()
		return b.game.Step(table.Event{Kind: b.play.Choose(total, soft, up, calls[len(calls)-1].May)}, calls)
	case table.Insurance:
		return b.game.Step(table.Event{Kind: table.Decline, Hand: table.SeatHand(1, 0)}, calls)
	case table.Peeking:
		return b.game.Step(table.Event{Kind: table.Peek}, calls)
	}
	return b.game.Step(table.Event{Kind: table.Reveal}, calls)
}

// count counts a round by its calls: the pairs stand behind the first four cards, the results before the end.
func (b *Blackjack) count(calls []table.Call) {
	t := &b.tally
	last := len(calls) - 1
	if calls[last].Word != table.CallEnd {
		t.ended[table.EndedVoid]++
		return
	}
	t.ended[calls[last].Ended]++
	stake, net := 0, maxStake
	for i := last - 1; calls[i].Word == table.CallResult; i-- {
		c := &calls[i]
		stake += int(c.Stake)
		net += int(c.Net)
		t.outcomes[c.Outcome]++
		t.hands++
		t.doubles += one(c.Doubled)
	}
	t.rounds[stake][net]++
	if b.rules.Pair {
		i := dealt
		for calls[i].Word != table.CallPair {
			i++
		}
		t.pairs[calls[i].Pair]++
	}
}

// dealt is how many calls there are at least before the pairs': open, closed, four cards.
const dealt = 6

// sum makes a tally of what was counted.
func (t *blackjackTally) sum(rounds int64, pair bool) Tally {
	first, all := Bet{Name: "initial bet"}, Bet{Name: "total stake"}
	for stake := range t.rounds {
		for i, n := range t.rounds[stake] {
			net := int64(i - maxStake)
			first.add(initial, initial+net, n)
			all.add(int64(stake), int64(stake)+net, n)
		}
	}
	sum := Tally{Rounds: rounds, Cards: t.cards, Bets: []Bet{first, all}}
	if pair {
		side, pays := Bet{Name: "Pair"}, wager.Deluxe()
		for class, n := range t.pairs {
			side.add(unit, pays.Pair(unit, table.Pair(class)), n)
			sum.Counts = append(sum.Counts, Count{"pair", table.Pair(class).String(), n, rounds})
		}
		sum.Bets = append(sum.Bets, side)
	}
	for o := table.WonBlackjack; o <= table.PaidEven; o++ {
		sum.Counts = append(sum.Counts, Count{"hand", o.String(), t.outcomes[o], t.hands})
	}
	for e := table.EndedDealerBlackjack; e <= table.EndedVoid; e++ {
		sum.Counts = append(sum.Counts, Count{"round", e.String(), t.ended[e], rounds})
	}
	sum.Counts = append(sum.Counts, Count{"made", "split", t.hands - rounds + t.ended[table.EndedVoid], rounds}, Count{"made", "double", t.doubles, rounds})
	return sum
}
