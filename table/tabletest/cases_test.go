package tabletest_test

import (
	"testing"

	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/tabletest"
)

// variants are the names the cases use, as settings of the presets.
var variants = map[string]tabletest.Variant{
	"000":      {New: newBlackjack(unburnt(blackjack.Deluxe()))},
	"000_shoe": {New: newBlackjack(blackjack.Deluxe())},
	"000_immediate_split": {New: newBlackjack(func() blackjack.Rules {
		r := unburnt(blackjack.Deluxe())
		r.SplitDeal = blackjack.Both
		return r
	}())},
}

// unburnt is for cases that begin with the burn complete.
func unburnt(r blackjack.Rules) blackjack.Rules {
	r.Burn = table.BurnRule{}
	return r
}

func newBlackjack(r blackjack.Rules) func() table.Game {
	return func() table.Game { return table.NewRound(blackjack.New(&r, table.Opening{})) }
}

func TestCases(t *testing.T) { tabletest.Cases(t, variants) }
