package tabletest_test

import (
	"testing"

	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/roulette"
	"sabot/table/tabletest"
	"sabot/table/wager"
)

// variants are the names the cases use, as settings of the presets.
var variants = map[string]tabletest.Variant{
	"000":                 pair(variant(blackjack.Deluxe, wager.Deluxe, "burn", "none")),
	"000_shoe":            pair(variant(blackjack.Deluxe, wager.Deluxe)),
	"000_immediate_split": pair(variant(blackjack.Deluxe, wager.Deluxe, "burn", "none", "split_deal", "both")),
	"002":                 variant(blackjack.Classic, wager.Seats),
	"002_literal_peek":    variant(blackjack.Classic, wager.Seats, "peek", "ten"),
	"003":                 variant(blackjack.Live, wager.Seats),
	"003_no_hole":         variant(blackjack.Live, wager.Seats, "hole_card", "none"),
	"004":                 chips(variant(blackjack.Didactic, wager.Seats)),
	"004_session":         chips(variant(blackjack.Didactic, wager.Seats)),
	"baccarat":            {New: newBaccarat},
	"roulette":            {New: newRoulette},
}

// newBaccarat is a table with the burn complete.
func newBaccarat() table.Game {
	r, bets := baccarat.PuntoBanco(), wager.PuntoBanco()
	r.Burn = table.BurnRule{}
	return table.NewRound(wager.New(baccarat.New(&r, table.Opening{}), &bets))
}

func newRoulette() table.Game {
	r, bets := roulette.SingleZero(), wager.Roulette()
	return table.NewRound(wager.New(roulette.New(&r, table.Opening{}), &bets))
}

// variant is a preset with fields set as the configuration would; burn none is for cases that begin with the burn complete.
func variant(preset func() blackjack.Rules, bets func() wager.Rules, settings ...string) tabletest.Variant {
	r, w := preset(), bets()
	for i := 0; i < len(settings); i += 2 {
		if err := r.Settings().Set(settings[i], settings[i+1]); err != nil {
			panic(err)
		}
	}
	return tabletest.Variant{New: func() table.Game { return table.NewRound(wager.New(blackjack.New(&r, table.Opening{}), &w)) }}
}

func pair(v tabletest.Variant) tabletest.Variant {
	v.Pair = true
	return v
}

func chips(v tabletest.Variant) tabletest.Variant {
	v.Chips = 100
	return v
}

func TestCases(t *testing.T) { tabletest.Cases(t, variants) }
