package blackjack

import "sabot/table"

// Presets are the rule sheets by name.
var Presets = map[string]func() Rules{"deluxe": Deluxe, "classic": Classic, "live": Live, "didactic": Didactic}

// Settings are the fields a house may override, each bound to r, in the order of the rules reference.
func (r *Rules) Settings() table.Settings {
	return table.Settings{
		table.Whole("decks", &r.Decks, 1, 8),
		table.Whole("seats", &r.Seats, 1, table.MaxSeats),
		table.Choice("peek", &r.Peek, "never", "ten", "ace_ten"),
		table.Either("hole_card", &r.HoleCard, "none", "dealt"),
		table.Choice("split", &r.Split, "points", "face"),
		table.Whole("split_hands", &r.SplitHands, 2, table.MaxHands),
		table.Choice("split_deal", &r.SplitDeal, "in_turn", "both"),
		table.Either("dealer_soft17", &r.DealerHitsSoft17, "stand", "hit"),
		table.Either("draw_without_stake", &r.DrawWithoutStake, "false", "true"),
		table.Either("double_after_split", &r.DoubleAfterSplit, "false", "true"),
		table.Choice("surrender", &r.Surrender, "none", "late_2_9", "late_any"),
		table.Either("insurance", &r.Insurance, "false", "true"),
		table.Either("even_money", &r.EvenMoney, "false", "true"),
		table.Choice("timeout_rule", &r.Timeout, "none", "draw_past_11"),
		table.Choice("short_of_money", &r.Short, "convert", "refuse"),
		table.Either("pair", &r.Pair, "false", "true"),
		table.Choice("shuffle", &r.Shuffle, "cut", "every_round"),
		table.Burnt("burn", &r.Burn),
		table.Whole("hands_after_cut", &r.HandsAfterCut, 0, 1),
		table.Span("grace", &r.Grace),
		table.Span("bet_time", &r.BetTime),
		table.Span("insurance_time", &r.InsuranceTime),
		table.Span("decision_time", &r.DecisionTime),
		table.Percent("cut_least", &r.CutLeast, 95),
		table.Either("peek_by", &r.ImpliedPeek, "button", "implied"),
		table.Either("reveal_by", &r.ImpliedReveal, "button", "implied"),
		r.master(),
		table.Either("hit", &r.ImpliedHit, "told", "implied"),
	}
}

// master is the setting of who enters the players' decisions. Where the dealer does, his card alone is a hit, unless the setting hit,
// which comes after it, says otherwise.
func (r *Rules) master() table.Setting {
	s := table.Either("decisions", &r.Buttons, "server", "buttons")
	set := s.Set
	s.Set = func(v string) bool {
		ok := set(v)
		if ok {
			r.ImpliedHit = r.Buttons
		}
		return ok
	}
	return s
}
