package baccarat_test

import (
	"fmt"
	"strings"
	"testing"

	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/tabletest"
)

// newGame makes the table a transcript asks for: `game baccarat preset=puntobanco burn=none …`.
func newGame(game string, settings map[string]string) (table.Game, error) {
	r, err := tabletest.Rules(baccarat.Presets, settings, settingsOf)
	if game != "baccarat" || err != nil {
		return nil, fmt.Errorf("no such table: %s: %w", game, err)
	}
	return table.NewRound(baccarat.New(r, table.Opening{})), nil
}

// settingsOf are the rules' settings and the house's orders.
func settingsOf(r *baccarat.Rules) table.Settings {
	return append(r.Settings(), r.Orders.Settings()...)
}

func TestTranscripts(t *testing.T) { tabletest.Transcripts(t, newGame) }

func TestLayouts(t *testing.T) { tabletest.Layouts(t, newGame) }

func TestSettingsReadWhatTheyWrite(t *testing.T) {
	tabletest.ReadBack(t, baccarat.PuntoBanco, settingsOf)
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name   string
		change func(*baccarat.Rules)
		fields string
	}{
		{"the preset", func(r *baccarat.Rules) {}, ""},
		{"no shoe", func(r *baccarat.Rules) { r.Decks = 0 }, "decks"},
		{"nine decks, eight seats", func(r *baccarat.Rules) { r.Decks, r.Seats = 9, 8 }, "decks seats"},
		{"two rules of burning", func(r *baccarat.Rules) { r.Burn.N = 3 }, "burn"},
		{"burn of half the shoe", func(r *baccarat.Rules) { r.Burn = table.BurnRule{N: 21} }, "burn"},
		{"two coups after the cut card", func(r *baccarat.Rules) { r.HandsAfterCut = 2 }, "hands_after_cut"},
		{"cut card in a shuffled game", func(r *baccarat.Rules) { r.Shuffle = table.EveryRound }, "hands_after_cut"},
		{"shuffled every round", func(r *baccarat.Rules) { r.Shuffle, r.HandsAfterCut = table.EveryRound, 0 }, ""},
	}
	for _, test := range tests {
		r := baccarat.PuntoBanco()
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
