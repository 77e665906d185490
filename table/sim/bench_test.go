package sim

import (
	"testing"

	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/blackjack/strategy"
	"sabot/table/roulette"
	"sabot/table/wager"
)

func BenchmarkBlackjack(b *testing.B) {
	play, err := strategy.Load("deluxe")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("cut", func(b *testing.B) { block(b, NewBlackjack(blackjack.Deluxe(), play, false)) })
	b.Run("fresh", func(b *testing.B) { block(b, NewBlackjack(blackjack.Deluxe(), play, true)) })
}

func BenchmarkBaccarat(b *testing.B) {
	b.Run("cut", func(b *testing.B) { block(b, NewBaccarat(baccarat.PuntoBanco(), wager.PuntoBanco(), false)) })
	b.Run("fresh", func(b *testing.B) { block(b, NewBaccarat(baccarat.PuntoBanco(), wager.PuntoBanco(), true)) })
}

func BenchmarkRoulette(b *testing.B) { block(b, NewRoulette(roulette.SingleZero(), wager.Roulette())) }

func block(b *testing.B, s Simulator) {
	b.ReportAllocs()
	s.Block(1, 1, int64(b.N))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrounds/s")
}

// BenchmarkShuffle is the bare shuffle: six cards from eight decks, counted.
func BenchmarkShuffle(b *testing.B) {
	s := newStack(8, 0)
	var seen [64]int
	for b.Loop() {
		s.fill()
		for range 6 {
			seen[s.draw()]++
		}
	}
}
