package sim

import (
	"strconv"

	"sabot/table"
	"sabot/table/roulette"
	"sabot/table/wager"
)

// Roulette makes a bet of each kind in every spin.
type Roulette struct {
	rules roulette.Rules
	pays  wager.Rules
	wheel dice
	game  *roulette.Game
	calls []table.Call // of a step
}

// NewRoulette spins by rules and a ledger's.
func NewRoulette(rules roulette.Rules, pays wager.Rules) *Roulette {
	return &Roulette{rules: rules, pays: pays, calls: make([]table.Call, 0, 32)}
}

// Block plays this many rounds on a new table.
func (r *Roulette) Block(seed, number uint64, rounds int64) Tally {
	r.wheel.seed(seed, number)
	game := roulette.New(&r.rules, table.Opening{})
	r.game = &game
	r.game.Step(table.Event{Kind: table.TableOpen}, r.calls)
	var numbers [table.Pockets]int64
	for range rounds {
		for _, c := range r.spin() {
			if c.Word == table.CallNumber {
				numbers[c.N]++
			}
		}
	}
	return r.sum(&numbers, rounds)
}

// spin plays a round and gives the calls of its number.
func (r *Roulette) spin() []table.Call {
	r.game.Step(table.Event{Kind: table.Open}, r.calls)
	r.game.Step(table.Event{Kind: table.Close}, r.calls)
	r.game.Step(table.Event{Kind: table.Ball}, r.calls)
	return r.game.Step(table.Event{Kind: table.Result, N: int64(r.wheel.below(table.Pockets))}, r.calls)
}

// sum makes a tally of the numbers, with a bet of each kind, by what the ledger pays.
func (r *Roulette) sum(numbers *[table.Pockets]int64, rounds int64) Tally {
	sum := Tally{Rounds: rounds}
	for kind := table.BetStraight; kind < table.BetKinds; kind++ {
		bet, spot := Bet{Name: kind.String()}, first(kind)
		for n, times := range numbers {
			bet.add(unit, r.pays.Number(unit, spot, table.Number(n)), times)
		}
		sum.Bets = append(sum.Bets, bet)
	}
	for n, times := range numbers {
		sum.Counts = append(sum.Counts, Count{"number", strconv.Itoa(n), times, rounds})
	}
	return sum
}

// first is the first spot of a kind on the felt.
func first(kind table.BetKind) table.Spot {
	s := table.Spot{Bet: kind}
	for s.Numbers() == 0 {
		s.At++
	}
	return s
}
