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

func TestLayouts(t *testing.T) { tabletest.Layouts(t, newGame) }

func TestSettingsReadWhatTheyWrite(t *testing.T) {
	tabletest.ReadBack(t, blackjack.Deluxe, settingsOf)
}

// TestClockOfADecisionWithoutRule: where the rules have no time-out, the end of a hand's clock is a note to the floor, and the hand is still to decide. No transcript
// says so, because in one a time-out is somebody's wish.
func TestClockOfADecisionWithoutRule(t *testing.T) {
	game, err := newGame("blackjack", map[string]string{"preset": "classic"})
	if err != nil {
		t.Fatal(err)
	}
	var said []table.Call
	for _, line := range []string{
		"table open by S-1", "shoe 1 by S-1", "open", "close 1,2", "draw 9s", "draw 9h", "draw 9d", "draw 2s", "draw 7h", "draw 8d",
		"timeout 2a", "timeout 1a", "stand 1a", // seat 2 is not in turn
	} {
		e, err := table.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		calls := game.Step(e, nil)
		if e.Kind == table.Timeout {
			said = append(said, calls...)
			if d := game.Layout().Due; d == nil || d.Kind != "decision" || d.Hand != "1a" {
				t.Errorf("after %s, due is %+v", line, d)
			}
		}
	}
	if len(said) != 1 || said[0].Code != table.TimedOut || said[0].Class != table.Note || said[0].To != table.ToFloor {
		t.Errorf("of the clocks was said %+v, want a note to the floor", said)
	}
	if d := game.Layout().Due; d == nil || d.Hand != "2a" {
		t.Errorf("seat 1 stood, and due is %+v", d)
	}
}
