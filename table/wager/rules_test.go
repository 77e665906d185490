package wager_test

import (
	"fmt"
	"strings"
	"testing"

	"sabot/table"
	"sabot/table/wager"
)

// presets are the ledgers of the rule sheets, with what each has to set.
var presets = []struct {
	name   string
	rules  func() wager.Rules
	fields string
}{
	{"deluxe", wager.Deluxe, "seat behind pair rounding seats_each equal_bets"},
	{"a ledger of seats", wager.Seats, "seat behind pair rounding seats_each equal_bets"},
	{"puntobanco", wager.PuntoBanco, "player banker tie rounding commission"},
	{"roulette", wager.Roulette, "straight split street trio corner first-four six-line column dozen red black even odd low high rounding"},
}

// TestSettingsOfEachGame: a ledger has limits of the kinds of bet its game has, of those it takes none as well, and says which values it takes.
func TestSettingsOfEachGame(t *testing.T) {
	for _, p := range presets {
		r := p.rules()
		var fields []string
		for _, s := range r.Settings() {
			fields = append(fields, s.Name)
			if s.Values == "" {
				t.Errorf("%s: %s does not say what it takes", p.name, s.Name)
			}
		}
		if got := strings.Join(fields, " "); got != p.fields {
			t.Errorf("%s: settings %q, want %q", p.name, got, p.fields)
		}
	}
}

// TestSettingsAtTheirBounds: a limit is from one minor unit to the most a ledger holds, its least no more than its most; a commission is a share of the win.
func TestSettingsAtTheirBounds(t *testing.T) {
	for _, test := range []struct {
		rules    func() wager.Rules
		name, to string
		ok       bool
	}{
		{wager.Deluxe, "seat", "off", true},
		{wager.Deluxe, "seat", "1-1", true},
		{wager.Deluxe, "seat", fmt.Sprint("1-", int64(wager.MaxStake)), true},
		{wager.Deluxe, "seat", fmt.Sprint("1-", int64(wager.MaxStake+1)), false},
		{wager.Deluxe, "seat", "0-5", false},
		{wager.Deluxe, "seat", "6-5", false},
		{wager.Deluxe, "seat", "5", false},
		{wager.Deluxe, "seat", "5-", false},
		{wager.Deluxe, "seat", "x-5", false},
		{wager.Deluxe, "seats_each", "1", true},
		{wager.Deluxe, "seats_each", "0", false},
		{wager.Deluxe, "seats_each", fmt.Sprint(table.MaxSeats), true},
		{wager.Deluxe, "seats_each", fmt.Sprint(table.MaxSeats + 1), false},
		{wager.PuntoBanco, "commission", "0", true},
		{wager.PuntoBanco, "commission", "10000", true},
		{wager.PuntoBanco, "commission", "10001", false},
		{wager.PuntoBanco, "commission", "-1", false},
		{wager.PuntoBanco, "commission", "5%", false},
	} {
		r := test.rules()
		was := fmt.Sprint(r)
		s := r.Settings()
		if err := s.Set(test.name, test.to); (err == nil) != test.ok {
			t.Errorf("%s: %s: %v", test.name, test.to, err)
		}
		if !test.ok && fmt.Sprint(r) != was {
			t.Errorf("%s: %s was refused and changed the rules", test.name, test.to)
		}
		for _, one := range s {
			if one.Name == test.name && test.ok && one.Get() != test.to {
				t.Errorf("%s: %s reads %s", test.name, test.to, one.Get())
			}
		}
	}
}
