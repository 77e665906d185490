package sim

import "math"

// Tally is what rounds came to.
type Tally struct {
	Rounds int64
	Cards  int64
	Bets   []Bet
	Counts []Count
}

// Bet is what one way to bet, the same in each round, staked and got back, in whole units of whatever size.
type Bet struct {
	Name string

	stake, back                int64 // sums
	stakes2, backs2, stakeBack int64 // of squares and products
}

// Count is how often something happened out of how many times.
type Count struct {
	Group, Name string
	N, Of       int64
}

// add sums up a number of rounds of the same stake and return.
func (b *Bet) add(stake, back, rounds int64) {
	b.stake += rounds * stake
	b.back += rounds * back
	b.stakes2 += rounds * stake * stake
	b.backs2 += rounds * back * back
	b.stakeBack += rounds * stake * back
}

// Return is what came back of a unit staked, and its standard error. Where the stake varies, as that of all bets in a round of
// blackjack, it is the error of the ratio of two sums. Rounds count as independent; in a shoe played to its cut card they nearly are.
func (b *Bet) Return() (mean, err float64) {
	stake := float64(b.stake)
	mean = float64(b.back) / stake
	squares := float64(b.backs2) - 2*mean*float64(b.stakeBack) + mean*mean*float64(b.stakes2)
	return mean, math.Sqrt(max(squares, 0)) / stake
}

// Share is how often it happened, and the standard error.
func (c *Count) Share() (mean, err float64) {
	mean = float64(c.N) / float64(c.Of)
	return mean, math.Sqrt(mean * (1 - mean) / float64(c.Of))
}

// Add adds other blocks of the same game, or none.
func (t *Tally) Add(o Tally) {
	switch {
	case o.Rounds == 0:
		return
	case t.Rounds == 0:
		*t = o
		return
	}
	t.Rounds += o.Rounds
	t.Cards += o.Cards
	for i := range t.Bets {
		b, more := &t.Bets[i], &o.Bets[i]
		b.stake += more.stake
		b.back += more.back
		b.stakes2 += more.stakes2
		b.backs2 += more.backs2
		b.stakeBack += more.stakeBack
	}
	for i := range t.Counts {
		t.Counts[i].N += o.Counts[i].N
		t.Counts[i].Of += o.Counts[i].Of
	}
}
