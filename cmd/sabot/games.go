package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sabot/table"
	"sabot/table/blackjack"
)

// games are the games by the names that configurations and transcripts give them, each with its presets of rules.
var games = map[string]map[string]func() *Play{
	"blackjack": {
		"deluxe":   func() *Play { return playBlackjack(blackjack.Deluxe()) },
		"classic":  func() *Play { return playBlackjack(blackjack.Classic()) },
		"live":     func() *Play { return playBlackjack(blackjack.Live()) },
		"didactic": func() *Play { return playBlackjack(blackjack.Didactic()) },
	},
}

// Play is what a table plays: a game, and its rules with all that the house decides.
type Play struct {
	Game      string
	Rules     string           // the preset's name, which the layout shows
	House     *table.House     // the procedure's part of the rules
	Blackjack *blackjack.Rules // nil for another game
	New       func(table.Opening) table.Game

	rules     []setting // what a house may change under `rules`
	procedure []setting // and under `procedure`
	problems  func() []blackjack.Problem
}

// setting is one thing a house decides, under its key.
type setting struct {
	key  string
	want string              // the values it takes, for people
	set  func(v string) bool // false, and nothing changed, when v is none of them
	get  func() string
}

func playBlackjack(r blackjack.Rules) *Play {
	h := &r.House
	return &Play{
		Game: "blackjack", Rules: r.Name, House: h, Blackjack: &r, problems: r.Problems,
		New: func(o table.Opening) table.Game { return table.NewRound(blackjack.New(&r, o)) },
		rules: []setting{
			number("decks", &h.Decks, 1, 8),
			number("seats", &r.Seats, 1, table.MaxSeats),
			choice("peek", &r.Peek, "never", "ten", "ace_ten"),
			either("hole_card", &r.HoleCard, "none", "dealt"),
			choice("split", &r.Split, "points", "face"),
			number("split_hands", &r.SplitHands, 2, table.MaxHands),
			choice("split_deal", &r.SplitDeal, "in_turn", "both"),
			either("dealer_soft17", &r.DealerHitsSoft17, "stand", "hit"),
			yes("draw_without_stake", &r.DrawWithoutStake),
			yes("double_after_split", &r.DoubleAfterSplit),
			choice("surrender", &r.Surrender, "none", "late_2_9", "late_any"),
			yes("even_money", &r.EvenMoney),
			yes("insurance", &r.Insurance),
			choice("timeout_rule", &r.Timeout, "none", "draw_past_11"),
			choice("short_of_money", &r.Short, "convert", "refuse"),
			choice("shuffle", &h.Shuffle, "cut", "every_round"),
			burning("burn", &h.Burn),
			number("hands_after_cut", &h.HandsAfterCut, 0, 1),
			yes("pair", &r.Pair),
		},
		procedure: []setting{
			span("grace", &h.Grace, 0, 10*time.Second),
			span("bets", &h.BetTime, time.Second, 10*time.Minute),
			span("insurance", &h.InsuranceTime, time.Second, 10*time.Minute),
			span("decision", &h.DecisionTime, time.Second, 10*time.Minute),
			either("peek", &h.ImpliedPeek, "button", "implied"),
			either("reveal", &h.ImpliedReveal, "button", "implied"),
		},
	}
}

// choice is a setting of an enumeration whose values from 0 on have these names.
func choice[T ~uint8](key string, to *T, names ...string) setting {
	return setting{key, oneOf(names), func(v string) bool {
		i := slices.Index(names, v)
		if i >= 0 {
			*to = T(i)
		}
		return i >= 0
	}, func() string { return names[*to] }}
}

// either is a setting of two names.
func either(key string, to *bool, no, yes string) setting {
	return setting{key, oneOf([]string{yes, no}), func(v string) bool {
		if v == no || v == yes {
			*to = v == yes
		}
		return v == no || v == yes
	}, func() string {
		if *to {
			return yes
		}
		return no
	}}
}

func yes(key string, to *bool) setting { return either(key, to, "false", "true") }

func number(key string, to *uint8, least, most int) setting {
	want := fmt.Sprintf("a number from %d to %d", least, most)
	return setting{key, want, func(v string) bool {
		n, err := strconv.Atoi(v)
		ok := err == nil && n >= least && n <= most
		if ok {
			*to = uint8(n)
		}
		return ok
	}, func() string { return strconv.Itoa(int(*to)) }}
}

// span is a setting of a time: 0 for none, or from least to most, in whole milliseconds.
func span(key string, to *time.Duration, least, most time.Duration) setting {
	want := fmt.Sprintf("0s, or a time up to %.0fs such as 15s", most.Seconds())
	if least == 0 {
		want = fmt.Sprintf("a time up to %.0fs such as 2s", most.Seconds())
	}
	return setting{key, want, func(v string) bool {
		d, err := time.ParseDuration(v)
		ok := err == nil && (d == 0 || d >= least) && d >= 0 && d <= most && d%time.Millisecond == 0
		if ok {
			*to = d
		}
		return ok
	}, func() string { return to.String() }}
}

func burning(key string, to *table.BurnRule) setting {
	return setting{key, fmt.Sprintf("value, none, or a number from 1 to %d", blackjack.MaxBurn), func(v string) bool {
		n, err := strconv.Atoi(v)
		switch {
		case v == "value":
			*to = table.BurnRule{ByValue: true}
		case v == "none":
			*to = table.BurnRule{}
		case err == nil && n >= 1 && n <= blackjack.MaxBurn:
			*to = table.BurnRule{N: uint8(n)}
		default:
			return false
		}
		return true
	}, func() string {
		switch {
		case to.ByValue:
			return "value"
		case to.N == 0:
			return "none"
		}
		return strconv.Itoa(int(to.N))
	}}
}

// oneOf is a list of words for people: "a, b or c".
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// overrides are the settings in which p is not its preset, as KEY: VALUE.
func (p *Play) overrides() []string {
	var list []string
	preset := games[p.Game][p.Rules]()
	for i, s := range p.rules {
		if v := s.get(); v != preset.rules[i].get() {
			list = append(list, s.key+": "+v)
		}
	}
	return list
}

// newPlay makes what a transcript's first line names: its game, and in its settings rules=PRESET, any rule by its
// key, and what belongs to the procedure as procedure.KEY.
func newPlay(name string, settings map[string]string) (*Play, error) {
	presets, ok := games[name]
	if !ok {
		return nil, fmt.Errorf("there is no game %q; write %s", name, oneOf(sorted(games)))
	}
	preset, ok := presets[settings["rules"]]
	if !ok {
		return nil, fmt.Errorf("there are no rules %q of %s; write rules=%s", settings["rules"], name, oneOf(sorted(presets)))
	}
	p := preset()
	byKey := map[string]setting{}
	for _, s := range p.rules {
		byKey[s.key] = s
	}
	for _, s := range p.procedure {
		byKey["procedure."+s.key] = s
	}
	for _, key := range sorted(settings) {
		s, known := byKey[key]
		switch {
		case key == "rules":
		case !known:
			return nil, fmt.Errorf("%s is not known%s", key, instead(key, sorted(byKey)))
		case !s.set(settings[key]):
			return nil, fmt.Errorf("%q is no value for %s; write %s", settings[key], key, s.want)
		}
	}
	if list := p.problems(); len(list) > 0 {
		return nil, fmt.Errorf("%s: %s", list[0].Field, list[0].Text)
	}
	return p, nil
}

// sorted are a map's keys.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
