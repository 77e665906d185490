package wager

import (
	"fmt"
	"strconv"
	"strings"

	"sabot/table"
)

// MaxStake is the greatest stake of one bet, in minor units. No payout of it comes near the end of an int64.
const MaxStake = 1_000_000_000_000

// Limit is the least and the most that may be staked on one bet of a kind, in minor units. The zero value takes no such bet.
type Limit struct{ Least, Most int64 }

// Rules are what a house decides about bets, as data.
type Rules struct {
	Limits     [table.BetKinds]Limit // by kind; a kind without one is not offered
	Rounding   Rounding              //
	Commission uint16                // of a Banker's win, in basis points: 500 pays 0.95:1
	SeatsEach  uint8                 // seats one player may bet on as his own
	Equal      bool                  // with the same stake on each (000, L35)
}

// open takes any stake on these kinds.
func open(kinds ...table.BetKind) Rules {
	r := Rules{SeatsEach: table.MaxSeats}
	for _, k := range kinds {
		r.Limits[k] = Limit{1, MaxStake}
	}
	return r
}

// Deluxe is rule sheet 000: one player on up to two seats with equal bets, bets behind, and Pair.
func Deluxe() Rules {
	r := open(table.BetSeat, table.BetBehind, table.BetPair)
	r.SeatsEach, r.Equal = 2, true
	return r
}

// Seats are the bets of rule sheets 002, 003 and 004: each seat its own.
func Seats() Rules { return open(table.BetSeat) }

// PuntoBanco is the baccarat of rule sheet 003, read literally: without a commission the house loses 1.235 % on the Banker (L129).
func PuntoBanco() Rules { return open(table.BetPlayer, table.BetBanker, table.BetTie) }

// Roulette is the roulette of rule sheet 003.
func Roulette() Rules {
	var all []table.BetKind
	for k := table.BetStraight; k < table.BetKinds; k++ {
		all = append(all, k)
	}
	return open(all...)
}

// Presets are the bets of the rule sheets, by the names of the games' presets.
var Presets = map[string]func() Rules{
	"deluxe": Deluxe, "classic": Seats, "live": Seats, "didactic": Seats, "puntobanco": PuntoBanco, "roulette": Roulette,
}

// groups are the kinds of bet a game can have, its first and last one.
var groups = [...][2]table.BetKind{{table.BetSeat, table.BetPair}, {table.BetPlayer, table.BetTie}, {table.BetStraight, table.BetHigh}}

// Settings are the fields a house may override, each bound to r: the limits of all the kinds its game can have, and what else that has.
func (r *Rules) Settings() table.Settings {
	var s table.Settings
	for _, g := range groups {
		if r.offers(g) {
			for k := g[0]; k <= g[1]; k++ {
				s = append(s, limit(k.String(), &r.Limits[k]))
			}
		}
	}
	s = append(s, table.Choice("rounding", &r.Rounding, "house", "player"))
	if r.offers(groups[0]) {
		s = append(s, table.Whole("seats_each", &r.SeatsEach, 1, table.MaxSeats), table.Either("equal_bets", &r.Equal, "false", "true"))
	}
	if r.offers(groups[1]) {
		s = append(s, commission("commission", &r.Commission))
	}
	return s
}

// offers says that some kind of a group is taken.
func (r *Rules) offers(group [2]table.BetKind) bool {
	for k := group[0]; k <= group[1]; k++ {
		if r.Limits[k] != (Limit{}) {
			return true
		}
	}
	return false
}

// limit is the setting of a kind's limits.
func limit(name string, to *Limit) table.Setting {
	return table.Setting{Name: name, Values: "LEAST-MOST in minor units, such as 100-50000, or off", Set: func(v string) bool {
		if v == "off" {
			*to = Limit{}
			return true
		}
		least, most, ok := strings.Cut(v, "-")
		a, errA := strconv.ParseInt(least, 10, 64)
		b, errB := strconv.ParseInt(most, 10, 64)
		ok = ok && errA == nil && errB == nil && a >= 1 && a <= b && b <= MaxStake
		if ok {
			*to = Limit{a, b}
		}
		return ok
	}, Get: func() string {
		if *to == (Limit{}) {
			return "off"
		}
		return fmt.Sprintf("%d-%d", to.Least, to.Most)
	}}
}

// commission is the setting of a share in basis points.
func commission(name string, to *uint16) table.Setting {
	return table.Setting{Name: name, Values: "basis points of the win from 0 to 10000; 500 is 5 %", Set: func(v string) bool {
		n, err := strconv.ParseUint(v, 10, 16)
		ok := err == nil && n <= whole
		if ok {
			*to = uint16(n)
		}
		return ok
	}, Get: func() string { return strconv.Itoa(int(*to)) }}
}
