package blackjack_test

import (
	"math/rand/v2"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
)

// BenchmarkRound plays rounds of one seat from a shoe shuffled beforehand, hitting below 15 and doubling 11. A round is about ten
// steps; none may allocate.
func BenchmarkRound(b *testing.B) {
	rules := blackjack.Deluxe()
	rules.Burn = table.BurnRule{}
	g := blackjack.New(&rules, table.Opening{})
	rng := rand.New(rand.NewPCG(1, 1))
	cards := make([]shoe.Card, 0, 8*52)
	for range 8 {
		cards = append(cards, shoe.Deck()...)
	}
	calls := make([]table.Call, 0, 64)
	steps, next := 0, len(cards)
	do := func(e table.Event) {
		calls = g.Step(e, calls[:0])
		steps++
	}
	do(table.Event{Kind: table.TableOpen})
	b.ReportAllocs()
	for b.Loop() {
		if next > 300 {
			rng.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
			do(table.Event{Kind: table.NewShoe, N: 1})
			next = 0
		}
		do(table.Event{Kind: table.Open})
		do(table.Event{Kind: table.Close, Seats: table.Seat(1)})
		for g.InRound() {
			if due, _ := g.CardDue(); due {
				do(table.Event{Kind: table.Draw, Card: cards[next]})
				next++
				continue
			}
			do(decision(calls))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
	b.ReportMetric(float64(steps)/float64(b.N), "steps/round")
}

// decision is a simple player's, from what was called due.
func decision(calls []table.Call) table.Event {
	due := calls[len(calls)-1]
	if due.Due == table.DueInsurance {
		return table.Event{Kind: table.Timeout, Phase: table.Insurance}
	}
	for i := len(calls) - 1; i >= 0; i-- {
		if c := calls[i]; c.Word == table.CallCard && c.Hand == due.Hand && c.Total < 15 {
			return table.Event{Kind: table.Hit}
		}
	}
	return table.Event{Kind: table.Stand}
}
