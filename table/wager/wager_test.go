package wager_test

import (
	"fmt"
	"strings"
	"testing"

	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/roulette"
	"sabot/table/tabletest"
	"sabot/table/wager"
)

// newGame makes the game a transcript asks for, with its ledger: `game blackjack preset=deluxe bets=on burn=none bets.pair=off …`.
func newGame(game string, settings map[string]string) (table.Game, error) {
	preset := settings["preset"]
	bets, ok := wager.Presets[preset]
	if !ok {
		return nil, fmt.Errorf("no such preset: %s", preset)
	}
	w := bets()
	var rules table.Settings
	var g table.Game
	switch game {
	case "blackjack":
		r := blackjack.Presets[preset]()
		rules, g = append(r.Settings(), r.Orders.Settings()...), table.NewRound(wager.New(blackjack.New(&r, table.Opening{}), &w))
	case "baccarat":
		r := baccarat.Presets[preset]()
		rules, g = append(r.Settings(), r.Orders.Settings()...), table.NewRound(wager.New(baccarat.New(&r, table.Opening{}), &w))
	case "roulette":
		r := roulette.Presets[preset]()
		rules, g = append(r.Settings(), r.Orders.Settings()...), table.NewRound(wager.New(roulette.New(&r, table.Opening{}), &w))
	default:
		return nil, fmt.Errorf("no such game: %s", game)
	}
	for field, value := range settings {
		s, name := rules, field
		if bet, isBet := strings.CutPrefix(field, "bets."); isBet {
			s, name = w.Settings(), bet
		}
		if field == "preset" || field == "bets" {
			continue
		}
		if err := s.Set(name, value); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func TestTranscripts(t *testing.T) { tabletest.Transcripts(t, newGame) }
