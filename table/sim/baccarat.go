package sim

import (
	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/wager"
)

// Baccarat bets on Player, Banker and Tie in every coup.
type Baccarat struct {
	rules baccarat.Rules
	pays  wager.Rules
	shoe  stack
	game  *baccarat.Game
	calls []table.Call // of a step
	tally baccaratTally
}

type baccaratTally struct {
	winners [table.Tie + 1]int64 // NoWinner counts the void ones
	cards   int64
	natural int64
	pairs   [2]int64 // the Player's, the Banker's
}

// behindCut is how many cards lie behind baccarat's cut card: 14 to 16 are usual.
const behindCut = 16

// NewBaccarat plays by rules and a ledger's. With freshShoe the cards are shuffled before each coup.
func NewBaccarat(rules baccarat.Rules, pays wager.Rules, freshShoe bool) *Baccarat {
	rules.ClaimTime = 0 // nobody claims anything
	b := &Baccarat{rules: rules, pays: pays, calls: make([]table.Call, 0, 32)}
	behind := behindCut
	if freshShoe {
		fresh(&b.rules.House)
	}
	if b.rules.Shuffle == table.EveryRound {
		behind = 0
	}
	b.shoe = newStack(int(rules.Decks), behind)
	return b
}

// Block plays this many coups on a new table.
func (b *Baccarat) Block(seed, number uint64, rounds int64) Tally {
	b.shoe.sort(seed, number)
	game := baccarat.New(&b.rules, table.Opening{})
	b.game = &game
	b.tally = baccaratTally{}
	for range rounds {
		b.shoe.ready(b.game, &b.game.Procedure, b.calls)
		b.coup()
	}
	return b.sum(rounds)
}

func (b *Baccarat) coup() {
	b.game.Step(table.Event{Kind: table.Open}, b.calls)
	b.game.Step(table.Event{Kind: table.Close}, b.calls)
	calls := b.calls
	for b.game.InRound() {
		c := b.shoe.draw()
		if c == shoe.NoCard {
			calls = b.game.Step(b.shoe.none(), b.calls)
			continue
		}
		calls = b.game.Step(table.Event{Kind: table.Draw, Card: c}, b.calls)
		b.tally.cards++
	}
	b.count(ofRound(calls))
}

// count counts a coup by the calls of its last card: its result stands before its end. A void coup has none.
func (b *Baccarat) count(calls []table.Call) {
	t, i := &b.tally, len(calls)-2
	if i < 0 || calls[i].Word != table.CallResult {
		t.winners[table.NoWinner]++
		return
	}
	c := &calls[i]
	t.winners[c.Coup.Winner]++
	t.natural += one(c.Natural)
	t.pairs[0] += one(c.Coup.PlayerPair)
	t.pairs[1] += one(c.Coup.BankerPair)
}

func one(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// sum makes a tally of what was counted, by what the ledger pays.
func (b *Baccarat) sum(rounds int64) Tally {
	t, won := &b.tally, &b.tally.winners
	sum := Tally{Rounds: rounds, Cards: t.cards, Counts: []Count{
		{"coup", "player", won[table.PlayerWins], rounds}, {"coup", "banker", won[table.BankerWins], rounds}, {"coup", "tie", won[table.Tie], rounds},
		{"coup", "void", won[table.NoWinner], rounds}, {"coup", "natural", t.natural, rounds},
		{"pair", "player", t.pairs[0], rounds}, {"pair", "banker", t.pairs[1], rounds},
	}}
	for _, on := range []table.BetKind{table.BetPlayer, table.BetBanker, table.BetTie} {
		bet := Bet{Name: on.String()}
		for w := table.PlayerWins; w <= table.Tie; w++ {
			bet.add(unit, b.pays.Coup(unit, on, w), won[w])
		}
		sum.Bets = append(sum.Bets, bet)
	}
	return sum
}
