package blackjack_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/blackjack/strategy"
)

// BenchmarkRound plays rounds of one seat and of seven by the basic strategy, from shoes with burn and cut card. A round of one seat is about nine
// steps; none may allocate. BenchmarkShuffle is as many cards shuffled and counted, without a game.
func BenchmarkRound(b *testing.B) {
	for _, seats := range []table.Seats{table.Seat(1), 0xfe} {
		b.Run(fmt.Sprintf("seats=%d", seats.Len()), func(b *testing.B) { rounds(b, seats) })
	}
}

func rounds(b *testing.B, seats table.Seats) {
	play, err := strategy.Load("deluxe")
	if err != nil {
		b.Fatal(err)
	}
	rules := blackjack.Deluxe()
	g := blackjack.New(&rules, table.Opening{})
	s := newStack()
	calls := make([]table.Call, 0, 64)
	steps := 0
	do := func(k table.Kind, seats table.Seats, c shoe.Card) {
		calls = g.Step(table.Event{Kind: k, Seats: seats, Card: c, N: 1}, calls[:0])
		steps++
	}
	do(table.TableOpen, 0, 0)
	b.ReportAllocs()
	for b.Loop() {
		for !g.Between() {
			if g.Phase == table.ShoeChange {
				s.drawn = 0
				do(table.NewShoe, 0, 0)
			} else {
				do(table.Draw, 0, s.draw())
			}
		}
		if s.drawn > 300 {
			do(table.Cut, 0, 0)
		}
		do(table.Open, 0, 0)
		do(table.Close, seats, 0)
		for g.InRound() {
			due, _ := g.CardDue()
			switch {
			case due:
				do(table.Draw, 0, s.draw())
			case g.Phase == table.Insurance:
				calls = g.Step(table.Event{Kind: table.Timeout, Phase: table.Insurance}, calls[:0])
				steps++
			default:
				total, soft, up := g.Turn()
				do(play.Choose(total, soft, up, calls[len(calls)-1].May), 0, 0)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
	b.ReportMetric(float64(steps)/float64(b.N), "steps/round")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrounds/s")
}

func BenchmarkShuffle(b *testing.B) {
	s := newStack()
	var seen [shoe.Values]int
	for b.Loop() {
		if s.drawn > 300 {
			s.drawn = 0
		}
		for range 6 {
			seen[s.draw()]++
		}
	}
}

// stack is eight decks, shuffled as they are drawn.
type stack struct {
	cards [8 * 52]shoe.Card
	drawn int
	rng   *rand.PCG
}

func newStack() *stack {
	s := &stack{rng: rand.NewPCG(1, 1)}
	for i := range s.cards {
		s.cards[i] = shoe.Deck()[i%52]
	}
	return s
}

func (s *stack) draw() shoe.Card {
	i := s.drawn
	j := i + int(s.rng.Uint64()>>32*uint64(len(s.cards)-i)>>32)
	s.cards[i], s.cards[j] = s.cards[j], s.cards[i]
	s.drawn++
	return s.cards[i]
}
