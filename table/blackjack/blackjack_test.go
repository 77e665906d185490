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
	r, err := tabletest.Rules(blackjack.Presets, settings, settingsOf)
	if game != "blackjack" || err != nil {
		return nil, fmt.Errorf("no such table: %s: %w", game, err)
	}
	return table.NewRound(blackjack.New(r, table.Opening{})), nil
}

// settingsOf are the rules' settings and the house's orders.
func settingsOf(r *blackjack.Rules) table.Settings {
	return append(r.Settings(), r.Orders.Settings()...)
}

func TestTranscripts(t *testing.T) { tabletest.Transcripts(t, newGame) }

func TestSettingsReadWhatTheyWrite(t *testing.T) {
	tabletest.ReadBack(t, blackjack.Deluxe, settingsOf)
}
