package wager

import (
	"strings"
	"testing"

	"sabot/table"
)

// FuzzSlip: whatever stands on a slip, it is refused with a code or its bets lie on the felt, with stakes above zero.
func FuzzSlip(f *testing.F) {
	for _, text := range []string{"none", "3 100, 3 25 pair, 5 50 behind, balance 1000", "straight 17 100, split 8-11 50, first-four 0-1-2-3 5", "column 2 5, dozen 3 5, red 1", "player 500, tie 50", "balance -1", "3", "9999999999999999999 1", "split 0-37 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := table.Parse("bet P-81 " + text)
		if err != nil || e.Kind != table.Bet {
			return
		}
		s, code := parseSlip(e.Text.Detail)
		if code.String() == "UNKNOWN" {
			t.Fatalf("%q: code %d", text, code)
		}
		for _, p := range s.bets[:s.n] {
			seat := p.spot.Bet.Seated() && p.spot.At >= 1 && p.spot.At <= table.MaxSeats
			felt := p.spot.Bet >= table.BetStraight && p.spot.Numbers() != 0
			coup := p.spot.Bet >= table.BetPlayer && p.spot.Bet <= table.BetTie
			if p.stake <= 0 || !seat && !felt && !coup {
				t.Fatalf("%q: took %+v", text, p)
			}
		}
	})
}

// TestSlipsOutOfRange: whatever is too great on a slip, or too much, is refused for what it is.
func TestSlipsOutOfRange(t *testing.T) {
	const huge = "99999999999999999999999"
	for text, want := range map[string]table.Code{
		"red 9223372036854775807": table.OK, "red 9223372036854775808": table.BetLimit, "3 " + huge: table.BetLimit, "3 " + huge + " pair": table.BetLimit, "straight 17 " + huge: table.BetLimit,
		"red -" + huge: table.BetInvalid, "red 0": table.BetInvalid, "red 1e9": table.BetInvalid,
		"200 100": table.SeatsInvalid, huge + " 100": table.SeatsInvalid, "0 100": table.SeatsInvalid,
		"red 5, balance 5 1000": table.BetInvalid, "red 5, balance": table.BetInvalid, "red 5, balance 1000": table.OK, "red 5, balance 0": table.OK, "red 5, balance -1": table.BetInvalid,
		"seat 100": table.BetNotOffered, "3 100 red": table.BetNotOffered, "3 100 seat": table.BetNotOffered, "behind 100": table.BetNotOffered, "pair 100": table.BetNotOffered, "255 100": table.SeatsInvalid, "256 100": table.SeatsInvalid, "257 100": table.SeatsInvalid,
		strings.Repeat("red 1, ", maxBets-1) + "red 1": table.OK, strings.Repeat("red 1, ", maxBets) + "red 1": table.BetFull,
		"straight 37 5": table.BetLayout, "straight " + huge + " 5": table.BetLayout, "column 4 5": table.BetLayout, "dozen " + huge + " 5": table.BetLayout,
	} {
		if _, code := parseSlip(text); code != want {
			t.Errorf("%q: %v, want %v", text, code, want)
		}
	}
}
