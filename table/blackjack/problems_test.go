package blackjack

import (
	"strings"
	"testing"

	"sabot/table"
)

func TestDeluxeHasNoProblems(t *testing.T) {
	r := Deluxe()
	if p := r.Problems(); p != nil {
		t.Errorf("%v", p)
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Rules)
		fields string
	}{
		{"no decks", func(r *Rules) { r.Decks = 0 }, "decks"},
		{"nine decks", func(r *Rules) { r.Decks = 9 }, "decks"},
		{"no seats", func(r *Rules) { r.Seats = 0 }, "seats"},
		{"eight seats", func(r *Rules) { r.Seats = 8 }, "seats"},
		{"one hand after splits", func(r *Rules) { r.SplitHands = 1 }, "split_hands"},
		{"five hands after splits", func(r *Rules) { r.SplitHands = 5 }, "split_hands"},
		{"burn of half the shoe", func(r *Rules) { r.Burn = table.BurnRule{N: 21} }, "burn"},
		{"two rules of burning", func(r *Rules) { r.Burn.N = 3 }, "burn"},
		{"two rounds after the cut card", func(r *Rules) { r.HandsAfterCut = 2 }, "hands_after_cut"},
		{"peek at nothing", func(r *Rules) { r.HoleCard = false }, "peek"},
		{"even money without insurance", func(r *Rules) { r.Insurance, r.EvenMoney = false, true }, "even_money"},
		{"cut card in a shuffled game", func(r *Rules) { r.Shuffle, r.HandsAfterCut = table.EveryRound, 1 }, "hands_after_cut"},
		{"button for no peek", func(r *Rules) { r.Peek, r.ImpliedPeek = PeekNever, false }, "peek_by"},
		{"button for no hole card", func(r *Rules) { r.Peek, r.HoleCard, r.ImpliedReveal = PeekNever, false, false }, "reveal_by"},
		{"a hit that nobody told", func(r *Rules) { r.ImpliedHit = true }, "hit"},
		{"all at once, in order", func(r *Rules) { r.Decks, r.Seats, r.HoleCard = 0, 0, false }, "decks seats peek"},

		{"one deck", func(r *Rules) { r.Decks = 1 }, ""},
		{"no hole card", func(r *Rules) { r.Peek, r.HoleCard = PeekNever, false }, ""},
		{"even money", func(r *Rules) { r.EvenMoney = true }, ""},
		{"shuffled every round", func(r *Rules) { r.Shuffle = table.EveryRound }, ""},
		{"puntobanco's cut card", func(r *Rules) { r.HandsAfterCut = 1 }, ""},
		{"a hit told by the box", func(r *Rules) { r.Buttons, r.ImpliedHit = true, true }, ""},
		{"four hands", func(r *Rules) { r.SplitHands = 4 }, ""},
		{"burn of three", func(r *Rules) { r.Burn = table.BurnRule{N: 3} }, ""},
	}
	for _, test := range tests {
		r := Deluxe()
		test.change(&r)
		var fields []string
		for _, p := range r.Problems() {
			fields = append(fields, p.Field)
			if !strings.Contains(p.Text, "; write ") {
				t.Errorf("%s: %q does not say what to write instead", test.name, p.Text)
			}
		}
		if got := strings.Join(fields, " "); got != test.fields {
			t.Errorf("%s: problems with %q, want %q", test.name, got, test.fields)
		}
	}
}
