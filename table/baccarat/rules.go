package baccarat

import (
	"time"

	"sabot/table"
)

// Rules are a punto banco table's rules as data. The drawing rules are no house's to change.
type Rules struct {
	table.House

	Name  string // the preset's
	Seats uint8  // seats at the table, 1 to 7

	ClaimTime time.Duration // how long a result waits for the shoe's own; 0 for a shoe that gives none
}

// PuntoBanco is the baccarat of rule sheet 003: 8 decks (L116); burn by the first card's value, and after the cut card the coup in hand and
// one more, of which the sheet says nothing: usual practice.
func PuntoBanco() Rules {
	return Rules{
		House: table.House{
			Decks: 8, Burn: table.BurnRule{ByValue: true}, HandsAfterCut: 1,
			Grace: 2 * time.Second, MinBets: 5 * time.Second, BetTime: 15 * time.Second,
			CutLeast: 75, // it usually lies 14 to 16 cards from the end
		},
		Name: "puntobanco", Seats: table.MaxSeats,
	}
}

// Presets are the rule sheets by name.
var Presets = map[string]func() Rules{"puntobanco": PuntoBanco}

// Settings are the fields a house may override, each bound to r.
func (r *Rules) Settings() table.Settings {
	return table.Settings{
		table.Whole("decks", &r.Decks, 1, 8),
		table.Whole("seats", &r.Seats, 1, table.MaxSeats),
		table.Choice("shuffle", &r.Shuffle, "cut", "every_round"),
		table.Burnt("burn", &r.Burn),
		table.Whole("hands_after_cut", &r.HandsAfterCut, 0, 1),
		table.Span("grace", &r.Grace),
		table.Span("bet_time", &r.BetTime),
		table.Span("claim_time", &r.ClaimTime),
		table.Percent("cut_least", &r.CutLeast, 95),
	}
}

// Problems are what makes rules unplayable, in the order of their fields.
func (r *Rules) Problems() []table.Problem {
	var p table.Problems
	p.Within("decks", r.Decks, 1, 8)
	p.Within("seats", r.Seats, 1, table.MaxSeats)
	p.Within("burn", r.Burn.N, 0, table.MaxBurn)
	p.Within("hands_after_cut", r.HandsAfterCut, 0, 1)
	p.Refuse(r.Burn.ByValue && r.Burn.N > 0, "burn", "burnt by value and a number at once; write one of them")
	p.Refuse(r.Shuffle == table.EveryRound && r.HandsAfterCut > 0, "hands_after_cut", "there is no coup after the cut card when the cards are shuffled after each; write 0, or shuffle: cut")
	return p
}
