package baccarat_test

import (
	"math/rand/v2"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
)

// BenchmarkCoup plays coups from eight decks, shuffled anew near their end: open, close, and four to six cards. None of the steps may
// allocate. BenchmarkShuffle is the same cards shuffled and counted, without a game.
func BenchmarkCoup(b *testing.B) {
	rules := baccarat.PuntoBanco()
	rules.Burn = table.BurnRule{}
	g := baccarat.New(&rules, table.Opening{})
	s := newStack()
	calls := make([]table.Call, 0, 16)
	steps := 0
	do := func(e table.Event) {
		calls = g.Step(e, calls[:0])
		steps++
	}
	do(table.Event{Kind: table.TableOpen})
	b.ReportAllocs()
	for b.Loop() {
		if s.next > 400 {
			s.shuffle()
			do(table.Event{Kind: table.NewShoe, N: 1})
		}
		do(table.Event{Kind: table.Open})
		do(table.Event{Kind: table.Close, Seats: table.Seat(1)})
		for g.InRound() {
			do(table.Event{Kind: table.Draw, Card: s.draw()})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
	b.ReportMetric(float64(steps)/float64(b.N), "steps/coup")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mcoups/s")
}

// BenchmarkShuffle shuffles eight decks and counts the cards of as many coups as a shoe gives, five to each.
func BenchmarkShuffle(b *testing.B) {
	s := newStack()
	var seen [shoe.Values]int
	for b.Loop() {
		if s.next > 400 {
			s.shuffle()
		}
		for range 5 {
			seen[s.draw()]++
		}
	}
}

// stack is eight decks in some order.
type stack struct {
	cards [8 * 52]shoe.Card
	next  int
	rng   *rand.PCG
}

func newStack() *stack {
	s := &stack{next: 8 * 52, rng: rand.NewPCG(1, 1)}
	for i := range s.cards {
		s.cards[i] = shoe.Deck()[i%52]
	}
	return s
}

func (s *stack) draw() shoe.Card {
	s.next++
	return s.cards[s.next-1]
}

func (s *stack) shuffle() {
	s.next = 0
	for i := len(s.cards) - 1; i > 0; i-- {
		j := int(s.rng.Uint64() >> 32 * uint64(i+1) >> 32)
		s.cards[i], s.cards[j] = s.cards[j], s.cards[i]
	}
}
