package tabletest_test

import (
	"testing"

	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/roulette"
	"sabot/table/tabletest"
)

// variants are the names the cases use, as settings of the presets.
var variants = map[string]tabletest.Variant{
	"000":                 variant(blackjack.Deluxe, "burn", "none"),
	"000_shoe":            variant(blackjack.Deluxe),
	"000_immediate_split": variant(blackjack.Deluxe, "burn", "none", "split_deal", "both"),
	"002":                 variant(blackjack.Classic),
	"002_literal_peek":    variant(blackjack.Classic, "peek", "ten"),
	"003":                 variant(blackjack.Live),
	"003_no_hole":         variant(blackjack.Live, "hole_card", "none"),
	"004":                 variant(blackjack.Didactic),
	"baccarat":            {New: newBaccarat},
	"roulette":            {New: newRoulette},
}

// newBaccarat is a table with the burn complete.
func newBaccarat() table.Game {
	r := baccarat.PuntoBanco()
	r.Burn = table.BurnRule{}
	return table.NewRound(baccarat.New(&r, table.Opening{}))
}

func newRoulette() table.Game {
	r := roulette.SingleZero()
	return table.NewRound(roulette.New(&r, table.Opening{}))
}

// variant is a preset with fields set as the configuration would; burn none is for cases that begin with the burn complete.
func variant(preset func() blackjack.Rules, settings ...string) tabletest.Variant {
	r := preset()
	for i := 0; i < len(settings); i += 2 {
		if err := r.Set(settings[i], settings[i+1]); err != nil {
			panic(err)
		}
	}
	return tabletest.Variant{New: func() table.Game { return table.NewRound(blackjack.New(&r, table.Opening{})) }}
}

func TestCases(t *testing.T) { tabletest.Cases(t, variants) }
