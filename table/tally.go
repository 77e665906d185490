package table

import "slices"

// What rounds gave outlives them: the coups of a shoe are its roads, the numbers of a day are shown as the last ones, the hot and the cold. A tally is kept of the rounds before
// the one on the felt, which speaks for itself; so a void round is never in it, and a round that is played again by a correction stands as it was corrected.

// More coups than a shoe of eight decks has, and enough numbers to tell hot from cold.
const (
	maxCoups = 128
	maxSpins = 200
)

// tally is what the rounds before the one on the felt gave, the first one first.
type tally struct {
	coups []string
	spins []int
}

// with is the tally after one round more, as a layout of it ends; t itself stays as it is.
func (t tally) with(l *Layout) tally {
	if l.Coup != nil {
		t.coups = put(t.coups, l.Coup.Mark(), maxCoups)
	}
	if l.Spin != nil {
		t.spins = put(t.spins, l.Spin.Number, maxSpins)
	}
	return t
}

// put adds to a copy of a list, which forgets its oldest where it would hold more than most.
func put[T any](list []T, v T, most int) []T {
	return append(slices.Clone(list[max(len(list)+1-most, 0):]), v)
}

// show puts the tally and the round on the felt into that round's layout.
func (t tally) show(l *Layout) {
	now := t.with(l)
	l.Coups, l.Spins = now.coups, slices.Clone(now.spins)
	slices.Reverse(l.Spins)
}
