package blackjack

import (
	"fmt"

	"sabot/table"
)

// Problem is a rule out of its range, or one that makes no sense beside the others.
type Problem struct {
	Field string // the rule's name in a configuration
	Text  string // what is wrong; what to write instead
}

// MaxBurn is the most cards a new shoe can lose before it is played.
const MaxBurn = 20

// Problems are what makes rules unplayable, in the order of their fields. Nothing here is a matter of taste: a house may
// play what it likes as long as it can be dealt.
func (r *Rules) Problems() []Problem {
	var list []Problem
	refuse := func(bad bool, field, format string, args ...any) {
		if bad {
			list = append(list, Problem{field, fmt.Sprintf(format, args...)})
		}
	}
	within := func(field string, n, least, most uint8) {
		refuse(n < least || n > most, field, "%d is out of range; write a number from %d to %d", n, least, most)
	}
	within("decks", r.Decks, 1, 8)
	within("seats", r.Seats, 1, 7)
	within("split_hands", r.SplitHands, 2, 4)
	within("burn", r.Burn.N, 0, MaxBurn)
	within("hands_after_cut", r.HandsAfterCut, 0, 1)
	refuse(r.Burn.ByValue && r.Burn.N > 0, "burn", "burnt by value and a number at once; write one of them")
	refuse(r.Peek != PeekNever && !r.HoleCard, "peek", "there is no hole card to look at; write never, or hole_card: dealt")
	refuse(r.EvenMoney && !r.Insurance, "even_money", "even money is an answer to insurance, and there is none; write false, or insurance: true")
	refuse(r.Shuffle == table.EveryRound && r.HandsAfterCut > 0, "hands_after_cut", "there is no round after the cut card when the cards are shuffled after each; write 0, or shuffle: cut")
	refuse(!r.ImpliedPeek && r.Peek == PeekNever, "procedure.peek", "the dealer has a button to look, and never looks; write implied, or set peek in the rules")
	refuse(!r.ImpliedReveal && !r.HoleCard, "procedure.reveal", "the dealer has a button to turn a hole card, and none is dealt; write implied, or hole_card: dealt in the rules")
	return list
}
