package blackjack_test

import (
	"fmt"
	"testing"

	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/tabletest"
)

// newGame makes the blackjack a transcript asks for: `game blackjack preset=deluxe decks=6 …`.
func newGame(game string, settings map[string]string) (table.Game, error) {
	preset, ok := blackjack.Presets[settings["preset"]]
	if game != "blackjack" || !ok {
		return nil, fmt.Errorf("no such game: %s %s", game, settings["preset"])
	}
	r := preset()
	for field, value := range settings {
		if field == "preset" {
			continue
		}
		if err := r.Set(field, value); err != nil {
			return nil, err
		}
	}
	return table.NewRound(blackjack.New(&r, table.Opening{})), nil
}

func TestTranscripts(t *testing.T) { tabletest.Transcripts(t, newGame) }

func TestSettingsReadWhatTheyWrite(t *testing.T) {
	for _, field := range blackjack.Fields() {
		r := blackjack.Deluxe()
		value := r.Get(field)
		if err := r.Set(field, value); err != nil || r != blackjack.Deluxe() {
			t.Errorf("%s: setting it to what it is, %q, changes the rules: %v", field, value, err)
		}
		if err := r.Set(field, "nonsense"); err == nil {
			t.Errorf("%s took nonsense", field)
		}
	}
	r := blackjack.Deluxe()
	if err := r.Set("decs", "8"); err == nil {
		t.Error("an unknown field was taken")
	}
}
