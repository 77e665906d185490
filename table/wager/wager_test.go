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

// TestMoreBettorsThanPlaces: the ledger has as many bettors as bets. One more is refused, and whoever is in it may still bet anew.
func TestMoreBettorsThanPlaces(t *testing.T) {
	game, err := newGame("roulette", map[string]string{"preset": "roulette", "bets": "on"})
	if err != nil {
		t.Fatal(err)
	}
	try := func(line string) table.Code {
		e, err := table.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		code := game.Check(e)
		if code == table.OK {
			game.Step(e, nil)
		}
		return code
	}
	try("table open by S-1")
	try("open")
	places := 0
	for try(fmt.Sprintf("bet P-%d red 100", places)) == table.OK {
		places++
	}
	for _, more := range []struct {
		line string
		want table.Code
	}{
		{"bet another red 100", table.BetFull},
		{"bet P-0 none", table.OK},
		{"bet another red 100", table.BetFull},
		{"bet P-0 black 100", table.OK},
		{"bet P-0 black 100, odd 100", table.BetFull},
	} {
		if got := try(more.line); got != more.want {
			t.Errorf("after %d bettors, %s: %v, want %v", places, more.line, got, more.want)
		}
	}
}
