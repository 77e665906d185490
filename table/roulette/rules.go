package roulette

import (
	"time"

	"sabot/table"
)

// Spin says when the ball may be spun.
type Spin uint8

// The settings of spin.
const (
	AnyTime   Spin = iota // while bets are still taken, or when they are closed
	AfterBets             // when they are closed
)

// Rules are a roulette table's rules as data. The wheel has one zero.
type Rules struct {
	table.House

	Name  string // the preset's
	Seats uint8  // seats at the table, 1 to 7
	Spin  Spin   //
}

// SingleZero is the roulette of rule sheet 003: 0 to 36, and 25 seconds to bet (L78).
func SingleZero() Rules {
	return Rules{
		House: table.House{MinBets: 5 * time.Second, BetTime: 25 * time.Second},
		Name:  "roulette", Seats: table.MaxSeats,
	}
}

// Presets are the rule sheets by name.
var Presets = map[string]func() Rules{"roulette": SingleZero}

// Settings are the fields a house may override, each bound to r.
func (r *Rules) Settings() table.Settings {
	return table.Settings{
		table.Whole("seats", &r.Seats, 1, table.MaxSeats),
		table.Choice("spin", &r.Spin, "any_time", "after_bets"),
		table.Span("bet_time", &r.BetTime),
	}
}

// Problems are what makes rules unplayable, in the order of their fields.
func (r *Rules) Problems() []table.Problem {
	var p table.Problems
	p.Refuse(r.Decks > 0, "decks", "there is no shoe at a roulette table; write 0")
	p.Within("seats", r.Seats, 1, table.MaxSeats)
	return p
}
