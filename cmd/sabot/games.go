package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/blackjack/strategy"
	"sabot/table/box"
	"sabot/table/roulette"
	"sabot/table/sim"
	"sabot/table/wager"
)

// games are the games by the names that configurations and transcripts give them, each with its presets of rules.
var games = map[string]map[string]func() *Play{
	"blackjack": presets(blackjack.Presets, playBlackjack),
	"baccarat":  presets(baccarat.Presets, playBaccarat),
	"roulette":  presets(roulette.Presets, playRoulette),
}

// Play is what a table plays: a game, and its rules with all that the house decides.
type Play struct {
	Game      string
	Device    string           // what it is played with: shoe or wheel
	Rules     string           // the preset's name, which the layout shows
	House     *table.House     // the procedure's part of the rules
	Blackjack *blackjack.Rules // nil for another game
	Bets      *wager.Rules     // nil where the table keeps no ledger
	Boxed     bool             // the dealer has a box of buttons
	New       func(table.Opening) table.Game

	settings table.Settings
	orders   table.Settings // where the house departs from the table of irregularities
	problems func() []table.Problem
	options  func() box.Options // what the box speaks of
	simulate func(play *strategy.Table, freshShoe bool) sim.Simulator
}

func playBlackjack(r blackjack.Rules) *Play {
	p := &Play{Game: "blackjack", Device: "shoe", Rules: r.Name, House: &r.House, Blackjack: &r, settings: r.Settings(), orders: r.Orders.Settings()}
	p.problems = func() []table.Problem { return append(r.Problems(), p.boxProblems()...) }
	p.options = func() box.Options { return box.Options{Seats: r.Seats, Buttons: r.Buttons, EvenMoney: r.EvenMoney} }
	p.New = func(o table.Opening) table.Game { return newRound(blackjack.New(&r, o), o, p.Bets) }
	p.simulate = func(play *strategy.Table, fresh bool) sim.Simulator { return sim.NewBlackjack(r, play, fresh) }
	return p
}

func playBaccarat(r baccarat.Rules) *Play {
	p := &Play{Game: "baccarat", Device: "shoe", Rules: r.Name, House: &r.House, settings: r.Settings(), orders: r.Orders.Settings(), problems: r.Problems, options: noSeats}
	p.New = func(o table.Opening) table.Game { return newRound(baccarat.New(&r, o), o, p.Bets) }
	p.simulate = func(_ *strategy.Table, fresh bool) sim.Simulator { return sim.NewBaccarat(r, p.ledger(), fresh) }
	return p
}

func playRoulette(r roulette.Rules) *Play {
	p := &Play{Game: "roulette", Device: "wheel", Rules: r.Name, House: &r.House, settings: r.Settings(), orders: r.Orders.Settings(), problems: r.Problems, options: noSeats}
	p.New = func(o table.Opening) table.Game { return newRound(roulette.New(&r, o), o, p.Bets) }
	p.simulate = func(*strategy.Table, bool) sim.Simulator { return sim.NewRoulette(r, p.ledger()) }
	return p
}

// noSeats is the box of a game in which nobody decides anything: NEXT opens a round, and ends its bets.
func noSeats() box.Options { return box.Options{Buttons: true} }

// presets are a game's, each to be played on rules of its own.
func presets[R any](rules map[string]func() R, play func(R) *Play) map[string]func() *Play {
	m := map[string]func() *Play{}
	for name, preset := range rules {
		m[name] = func() *Play { return play(preset()) }
	}
	return m
}

// procedure are the settings that a configuration has under `procedure`, and their keys there; all others stand under `rules`.
var procedure = []struct{ key, setting string }{
	{"grace", "grace"}, {"bets", "bet_time"}, {"insurance", "insurance_time"}, {"decision", "decision_time"}, {"cut_least", "cut_least"}, {"claim_time", "claim_time"},
	{"decisions", "decisions"}, {"hit", "hit"}, {"peek", "peek_by"}, {"reveal", "reveal_by"},
}

// pathOf is where a configuration has a setting.
func pathOf(setting string) string {
	for _, p := range procedure {
		if p.setting == setting {
			return "procedure." + p.key
		}
	}
	return "rules." + setting
}

// pressed are the settings that wait for a press of the dealer's box, and what is written instead where there is none.
var pressed = []struct{ setting, by, instead string }{
	{"decisions", "buttons", "server"}, {"peek_by", "button", "implied"}, {"reveal_by", "button", "implied"},
}

// boxProblems are those of a table without a box: it would wait for ever.
func (p *Play) boxProblems() []table.Problem {
	var list table.Problems
	for _, one := range pressed {
		list.Refuse(!p.Boxed && p.settings.Get(one.setting) == one.by, one.setting, "there is no box of buttons to press; write %s, or configure one", one.instead)
	}
	return list
}

// Box is the dealer's box of buttons, by the rules as they are now; none without one.
func (p *Play) Box() box.Box {
	if !p.Boxed {
		return box.Box{}
	}
	return box.New(p.options())
}

// under are the settings that stand in a section, by their keys there.
func (p *Play) under(section string) (keys []string, list table.Settings) {
	for _, s := range p.settings {
		if in, key, _ := strings.Cut(pathOf(s.Name), "."); in == section {
			keys, list = append(keys, key), append(list, s)
		}
	}
	return keys, list
}

// overrides are the rules in which p is not its preset, as KEY: VALUE.
func (p *Play) overrides() []string {
	var list []string
	preset := games[p.Game][p.Rules]()
	keys, rules := p.under("rules")
	for i, s := range rules {
		if v := s.Get(); v != preset.settings.Get(s.Name) {
			list = append(list, keys[i]+": "+v)
		}
	}
	return list
}

// newPlay makes what a transcript's first line names: a game, and in its settings preset=NAME and any setting of its rules.
func newPlay(name string, settings map[string]string) (*Play, error) {
	presets, ok := games[name]
	if !ok {
		return nil, fmt.Errorf("there is no game %q; write %s", name, oneOf(sorted(games)))
	}
	preset, ok := presets[settings["preset"]]
	if !ok {
		return nil, fmt.Errorf("there are no rules %q of %s; write preset=%s", settings["preset"], name, oneOf(sorted(presets)))
	}
	p := preset()
	p.Boxed = true // a transcript has the events of any button
	for _, field := range sorted(settings) {
		switch {
		case field == "preset":
			continue
		case field == "bets" || strings.HasPrefix(field, "bets."):
			if err := p.setBets(field, settings[field]); err != nil {
				return nil, err
			}
			continue
		}
		all := slices.Concat(p.settings, p.orders)
		if !slices.Contains(all.Names(), field) {
			return nil, fmt.Errorf("%s is not known%s", field, instead(field, all.Names()))
		}
		if err := all.Set(field, settings[field]); err != nil {
			return nil, err
		}
	}
	if list := append(p.problems(), p.betProblems()...); len(list) > 0 {
		return nil, fmt.Errorf("%s: %s", list[0].Field, list[0].Text)
	}
	return p, nil
}

// sorted are a map's keys.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
