package blackjack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sabot/table"
)

// Presets are the rule sheets by name.
var Presets = map[string]func() Rules{"deluxe": Deluxe, "classic": Classic, "live": Live, "didactic": Didactic}

// setting is one field of the rules as configuration and transcripts write it.
type setting struct {
	name   string
	values string // what may be written, for people
	set    func(r *Rules, value string) bool
	get    func(r *Rules) string
}

// settings are the fields a house may override, in the order of the rules reference.
var settings = []setting{
	whole("decks", 1, 8, func(r *Rules) *uint8 { return &r.Decks }),
	whole("seats", 1, table.MaxSeats, func(r *Rules) *uint8 { return &r.Seats }),
	choice("peek", func(r *Rules) *Peek { return &r.Peek }, "never", "ten", "ace_ten"),
	flag("hole_card", "none", "dealt", func(r *Rules) *bool { return &r.HoleCard }),
	choice("split", func(r *Rules) *Split { return &r.Split }, "points", "face"),
	whole("split_hands", 2, table.MaxHands, func(r *Rules) *uint8 { return &r.SplitHands }),
	choice("split_deal", func(r *Rules) *SplitDeal { return &r.SplitDeal }, "in_turn", "both"),
	flag("dealer_soft17", "stand", "hit", func(r *Rules) *bool { return &r.DealerHitsSoft17 }),
	flag("draw_without_stake", "false", "true", func(r *Rules) *bool { return &r.DrawWithoutStake }),
	flag("double_after_split", "false", "true", func(r *Rules) *bool { return &r.DoubleAfterSplit }),
	choice("surrender", func(r *Rules) *Surrender { return &r.Surrender }, "none", "late_2_9", "late_any"),
	flag("insurance", "false", "true", func(r *Rules) *bool { return &r.Insurance }),
	flag("even_money", "false", "true", func(r *Rules) *bool { return &r.EvenMoney }),
	choice("timeout_rule", func(r *Rules) *TimeoutRule { return &r.Timeout }, "none", "draw_past_11"),
	choice("short_of_money", func(r *Rules) *ShortRule { return &r.Short }, "convert", "refuse"),
	flag("pair", "false", "true", func(r *Rules) *bool { return &r.Pair }),
	choice("shuffle", func(r *Rules) *table.Shuffle { return &r.Shuffle }, "cut", "every_round"),
	{"burn", "value, none, or a number from 1 to 20", setBurn, getBurn},
	whole("hands_after_cut", 0, 1, func(r *Rules) *uint8 { return &r.HandsAfterCut }),
	seconds("grace", func(r *Rules) *time.Duration { return &r.Grace }),
	seconds("bet_time", func(r *Rules) *time.Duration { return &r.BetTime }),
	seconds("insurance_time", func(r *Rules) *time.Duration { return &r.InsuranceTime }),
	seconds("decision_time", func(r *Rules) *time.Duration { return &r.DecisionTime }),
	flag("peek_by", "button", "implied", func(r *Rules) *bool { return &r.ImpliedPeek }),
	flag("reveal_by", "button", "implied", func(r *Rules) *bool { return &r.ImpliedReveal }),
}

// Fields are the names Set knows.
func Fields() []string {
	var names []string
	for _, s := range settings {
		names = append(names, s.name)
	}
	return names
}

// Set changes one field from its text. The error says what may be written.
func (r *Rules) Set(field, value string) error {
	for _, s := range settings {
		if s.name != field {
			continue
		}
		if !s.set(r, value) {
			return fmt.Errorf("%s: %q is not understood; write %s", field, value, s.values)
		}
		return nil
	}
	return fmt.Errorf("%q is no setting of blackjack", field)
}

// Get is a field's text, as Set takes it.
func (r *Rules) Get(field string) string {
	for _, s := range settings {
		if s.name == field {
			return s.get(r)
		}
	}
	return ""
}

func choice[T ~uint8](name string, field func(*Rules) *T, words ...string) setting {
	return setting{name, strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1], func(r *Rules, v string) bool {
		i := slices.Index(words, v)
		if i >= 0 {
			*field(r) = T(i)
		}
		return i >= 0
	}, func(r *Rules) string { return words[*field(r)] }}
}

func flag(name, no, yes string, field func(*Rules) *bool) setting {
	return setting{name, no + " or " + yes, func(r *Rules, v string) bool {
		*field(r) = v == yes
		return v == yes || v == no
	}, func(r *Rules) string {
		if *field(r) {
			return yes
		}
		return no
	}}
}

func whole(name string, low, high uint8, field func(*Rules) *uint8) setting {
	return setting{name, fmt.Sprintf("a number from %d to %d", low, high), func(r *Rules, v string) bool {
		n, err := strconv.ParseUint(v, 10, 8)
		if err != nil || uint8(n) < low || uint8(n) > high {
			return false
		}
		*field(r) = uint8(n)
		return true
	}, func(r *Rules) string { return strconv.Itoa(int(*field(r))) }}
}

// maxTime bounds every clock of a table.
const maxTime = 10 * time.Minute

func seconds(name string, field func(*Rules) *time.Duration) setting {
	return setting{name, "a time such as 15s, at most 10m; 0s for none", func(r *Rules, v string) bool {
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 || d > maxTime {
			return false
		}
		*field(r) = d
		return true
	}, func(r *Rules) string { return field(r).String() }}
}

func setBurn(r *Rules, v string) bool {
	switch v {
	case "value":
		r.Burn = table.BurnRule{ByValue: true}
		return true
	case "none":
		r.Burn = table.BurnRule{}
		return true
	}
	n, err := strconv.ParseUint(v, 10, 8)
	if err != nil || n < 1 || n > 20 {
		return false
	}
	r.Burn = table.BurnRule{N: uint8(n)}
	return true
}

func getBurn(r *Rules) string {
	switch {
	case r.Burn.ByValue:
		return "value"
	case r.Burn.N == 0:
		return "none"
	}
	return strconv.Itoa(int(r.Burn.N))
}
