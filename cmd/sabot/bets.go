package main

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"sabot/table"
	"sabot/table/wager"
)

// newRound is a game at its opening as a table plays it: with a ledger around it where the house keeps one.
func newRound[G comparable, P wager.Game[G]](g G, o table.Opening, bets *wager.Rules) table.Game {
	if bets == nil {
		return table.NewRound[G, P](g).After(o)
	}
	return table.NewRound(wager.New[G, P](g, bets)).After(o)
}

// takeBets lets the table keep a ledger, with the limits that its preset has.
func (p *Play) takeBets() {
	bets := wager.Presets[p.Rules]()
	p.Bets = &bets
}

// ledger are the rules by which bets are paid: the house's, or the rule sheet's where somebody else keeps the ledger.
func (p *Play) ledger() wager.Rules {
	if p.Bets != nil {
		return *p.Bets
	}
	return wager.Presets[p.Rules]()
}

// betProblems are what makes the bets unplayable under the rules.
func (p *Play) betProblems() []table.Problem {
	var list table.Problems
	if p.Bets != nil && p.Blackjack != nil {
		taken := p.Bets.Limits[table.BetPair] != wager.Limit{}
		list.Refuse(taken && !p.Blackjack.Pair, "pair", "bets on Pair are taken and the rules have none; write off, or pair: true in the rules")
	}
	return list
}

// bets is `on`, or a mapping of what the house changes; without it somebody else keeps the ledger.
func (r *reader) bets(n *yaml.Node) {
	p := r.config.Play
	if p == nil || r.failed["rules"] {
		return // these are not the rules meant
	}
	if n.Kind != yaml.MappingNode {
		r.value("bets", "on, or limits such as seat: 100-50000 under it", func(v string) bool { return v == "on" })(n)
		if !r.failed["bets"] {
			p.takeBets()
		}
		return
	}
	p.takeBets()
	var keys []key
	for _, s := range p.Bets.Settings() {
		keys = append(keys, key{s.Name, "", r.value(join("bets", s.Name), s.Values, s.Set)})
	}
	r.section(n, "bets", keys)
}

// settleBets judges the bets beside the rules.
func (r *reader) settleBets() {
	p := r.config.Play
	if p == nil || r.nodes["bets"] == nil || r.failed["rules"] {
		return
	}
	for _, problem := range p.betProblems() {
		at := r.nodes["bets."+problem.Field]
		if at == nil {
			at = r.nodes["bets"]
		}
		r.problem(at, "bets.%s: %s", problem.Field, problem.Text)
	}
}

// setBets is the same for a transcript's first line: bets=on, or any bets.SETTING=VALUE.
func (p *Play) setBets(field, value string) error {
	name, one := strings.CutPrefix(field, "bets.")
	if !one && value != "on" {
		return fmt.Errorf("bets: %q is not understood; write on", value)
	}
	if p.Bets == nil {
		p.takeBets()
	}
	if !one {
		return nil
	}
	if err := p.Bets.Settings().Set(name, value); err != nil {
		return fmt.Errorf("bets.%w", err)
	}
	return nil
}

// settled tells a settlement to people. Money is in minor units.
func (n narrator) settled(c table.Call) string {
	where := n.say("bet " + c.Spot.Bet.String())
	switch {
	case c.Hand != table.NoHand:
		where = n.say("on hand", where, c.Hand)
	case c.Spot.Bet.Seated():
		where = n.say("on seat", where, c.Spot.At)
	case c.Spot.Bet == table.BetColumn || c.Spot.Bet == table.BetDozen:
		where = fmt.Sprintf("%s %d", where, c.Spot.At)
	case c.Spot.Bet.Layout():
		where += " " + numbers(c.Spot.Numbers())
	}
	name := c.Reference()
	switch c.Word {
	case table.CallTaken:
		return n.say("taken", name, c.Staked, where)
	case table.CallRefunded:
		return n.say("refunded", name, c.Staked, where)
	}
	return n.say("paid", name, c.Paid, c.Staked, where)
}

func numbers(set table.NumberSet) string {
	var list []string
	for n := range table.Number(table.Pockets) {
		if set.Has(n) {
			list = append(list, fmt.Sprint(n))
		}
	}
	return strings.Join(list, "-")
}
