package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// simReport is a simulation's result in JSON. Returns and shares are of one, errors their standard errors.
type simReport struct {
	Game      string     `json:"game"`
	Rules     string     `json:"rules"`
	Changed   []string   `json:"changed,omitempty"` // rules in which a configuration is not its preset
	Strategy  string     `json:"strategy,omitempty"`
	Seed      uint64     `json:"seed"`
	Rounds    int64      `json:"rounds"`
	FreshShoe bool       `json:"fresh_shoe"`
	Bets      []simBet   `json:"bets"`
	Counts    []simCount `json:"counts"`
	Cards     float64    `json:"cards_per_round"`
	simSpeed
}

type simBet struct {
	Bet    string  `json:"bet"`
	Return float64 `json:"return"`
	Error  float64 `json:"error"`
}

type simCount struct {
	Group string  `json:"group"`
	Name  string  `json:"name"`
	N     int64   `json:"n"`
	Of    int64   `json:"of"`
	Share float64 `json:"share"`
	Error float64 `json:"error"`
}

// simSpeed is the only part that differs from run to run.
type simSpeed struct {
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds"`
	PerSecond  float64 `json:"rounds_per_second"`
	PerCPU     float64 `json:"rounds_per_cpu_second"`
}

func (s *simulation) report() simReport {
	t := &s.tally
	r := simReport{
		Game: s.play.Game, Rules: s.play.Rules, Changed: s.play.overrides(), Strategy: s.strategy, Seed: s.seed, Rounds: t.Rounds, FreshShoe: s.fresh,
		Cards:    float64(t.Cards) / float64(t.Rounds),
		simSpeed: simSpeed{s.took.Seconds(), s.cpu.Seconds(), rate(t.Rounds, s.took), rate(t.Rounds, s.cpu)},
	}
	for i := range t.Bets {
		mean, err := t.Bets[i].Return()
		r.Bets = append(r.Bets, simBet{t.Bets[i].Name, mean, err})
	}
	for _, c := range t.Counts {
		share, err := c.Share()
		r.Counts = append(r.Counts, simCount{c.Group, c.Name, c.N, c.Of, share, err})
	}
	return r
}

// rate is rounds per second, 0 for a time too short to measure.
func rate(rounds int64, in time.Duration) float64 {
	if in <= 0 {
		return 0
	}
	return float64(rounds) / in.Seconds()
}

func (s *simulation) printJSON(w io.Writer) error {
	line, err := json.Marshal(s.report())
	if err == nil {
		_, err = fmt.Fprintf(w, "%s\n", line)
	}
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	return nil
}

// print says it for people.
func (s *simulation) print(w io.Writer) error {
	r := s.report()
	var b strings.Builder
	fmt.Fprintf(&b, "%s by the %s rules: %s rounds, seed %d\n", r.Game, r.Rules, grouped(r.Rounds), r.Seed)
	for _, line := range append(r.Changed, s.manner()...) {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprintf(&b, "\n  %-18s%11s%19s\n", "bet", "returns", "standard error")
	for _, bet := range r.Bets {
		fmt.Fprintf(&b, "  %-18s%9.4f %%%17.4f %%\n", bet.Bet, 100*bet.Return, 100*bet.Error)
	}
	group := ""
	for _, c := range r.Counts {
		if c.N == 0 {
			continue // the rules have no such thing
		}
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(&b, "\n  %-18s%11s%19s\n", group, "share", "standard error")
		}
		fmt.Fprintf(&b, "  %-18s%9.4f %%%17.4f %%\n", c.Name, 100*c.Share, 100*c.Error)
	}
	if r.Cards > 0 {
		fmt.Fprintf(&b, "\n  %.4f cards a round", r.Cards)
	}
	fmt.Fprintf(&b, "\n  %.1f s, %s rounds a second, %s a CPU second\n", r.Seconds, grouped(int64(r.PerSecond)), grouped(int64(r.PerCPU)))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	return nil
}

// manner is how was played, a line each.
func (s *simulation) manner() []string {
	var lines []string
	if s.strategy != "" {
		lines = append(lines, "one seat, by the strategy "+s.strategy+", without insurance")
	}
	switch {
	case s.play.House.Decks == 0:
	case s.fresh:
		lines = append(lines, "each round from a fresh shoe")
	default:
		lines = append(lines, "from shoes as the rules have them")
	}
	return lines
}
