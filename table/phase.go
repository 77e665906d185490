package table

import "fmt"

// Phase is the part of a table's day it is in.
type Phase uint8

// The phases. Between rounds the phase is Result, or Bets before the shoe's first round.
const (
	Closed Phase = iota
	ShoeChange
	Burning
	Bets
	Dealing
	Insurance
	Peeking
	Decisions
	Dealers
	Results
	Spin
)

var phaseNames = [...]string{"closed", "shoe-change", "burn", "bets", "deal", "insurance", "peek", "decisions", "dealer", "result", "spin"}

// String is the phase as the layout spells it.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "unknown"
}

// MarshalText is String.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (p *Phase) UnmarshalText(b []byte) error {
	phase, ok := parsePhase(string(b))
	if !ok {
		return fmt.Errorf("table: %q is no phase", b)
	}
	*p = phase
	return nil
}

// parsePhase finds a phase by its word.
func parsePhase(s string) (Phase, bool) {
	for i, name := range phaseNames {
		if name == s {
			return Phase(i), true
		}
	}
	return 0, false
}
