package blackjack

import "sabot/table"

// Problems are what makes rules unplayable, in the order of their fields. Nothing here is a matter of taste: a house may
// play what it likes as long as it can be dealt.
func (r *Rules) Problems() []table.Problem {
	var p table.Problems
	p.Within("decks", r.Decks, 1, 8)
	p.Within("seats", r.Seats, 1, 7)
	p.Within("split_hands", r.SplitHands, 2, 4)
	p.Within("burn", r.Burn.N, 0, table.MaxBurn)
	p.Within("hands_after_cut", r.HandsAfterCut, 0, 1)
	p.Refuse(r.Burn.ByValue && r.Burn.N > 0, "burn", "burnt by value and a number at once; write one of them")
	p.Refuse(r.Peek != PeekNever && !r.HoleCard, "peek", "there is no hole card to look at; write never, or hole_card: dealt")
	p.Refuse(r.EvenMoney && !r.Insurance, "even_money", "even money is an answer to insurance, and there is none; write false, or insurance: true")
	p.Refuse(r.Shuffle == table.EveryRound && r.HandsAfterCut > 0, "hands_after_cut", "there is no round after the cut card when the cards are shuffled after each; write 0, or shuffle: cut")
	p.Refuse(!r.ImpliedPeek && r.Peek == PeekNever, "peek_by", "the dealer has a button to look, and never looks; write implied, or set peek in the rules")
	p.Refuse(!r.ImpliedReveal && !r.HoleCard, "reveal_by", "the dealer has a button to turn a hole card, and none is dealt; write implied, or hole_card: dealt in the rules")
	p.Refuse(r.ImpliedHit && !r.Buttons, "hit", "a card would be a hit whatever the game server is about to say; write told, or decisions: buttons")
	return p
}
