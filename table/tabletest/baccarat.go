package tabletest

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/table"
)

// coupCase is one line of the baccarat cases. To, if it is there, says for each card on which hand the dealer put it.
type coupCase struct {
	ID, What string
	Cards    []string
	Bets     map[string]json.Number
	To       []string
	Expected coupExpected
}

type coupExpected struct {
	coupResult
	Net    map[string]float64
	Refuse *refusal
}

// coupResult is what a coup gives, but for money.
type coupResult struct {
	Sequence   []coupPlace
	Player     sideResult
	Banker     sideResult
	PlayerPair bool `json:"player_pair"`
	BankerPair bool `json:"banker_pair"`
	Winner     string
}

type coupPlace struct {
	Card, To string
	Nth      int
}

type sideResult struct {
	Cards          []string
	Total          int
	Natural, Third bool
}

func baccaratCase(t testing.TB, line []byte, v Variant) error {
	var c coupCase
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	p := newPlayer(t, &Case{ID: c.ID, What: c.What}, v)
	for _, line := range []string{"table open by S-1", "shoe 1 by S-1", "open"} {
		p.ask(line)
	}
	got := p.coupBets(c.Bets)
	if got == nil {
		p.ask("close none")
		got = p.coup(&c)
	}
	p.compareRefusal(got, c.Expected.Refuse)
	if got != nil || c.Expected.Refuse != nil {
		return nil
	}
	if got := p.coupResult(); !reflect.DeepEqual(got, c.Expected.coupResult) {
		t.Errorf("%s:\n got %+v\nwant %+v", c.ID, got, c.Expected.coupResult)
	}
	for bet, want := range c.Expected.Net {
		if got := p.paid("B1", table.ParseBetKind(bet), table.NoHand).net; got != want {
			t.Errorf("%s: %s: net %v; want %v", c.ID, bet, got, want)
		}
	}
	if len(c.Expected.Net) != len(c.Bets) {
		t.Errorf("%s: %d bets have %d nets", c.ID, len(c.Bets), len(c.Expected.Net))
	}
	return nil
}

// coupBets places a case's bets on one slip, and gives where it was refused.
func (p *player) coupBets(bets map[string]json.Number) *refusal {
	var slip []string
	for _, bet := range slices.Sorted(maps.Keys(bets)) {
		slip = append(slip, bet+" "+minor(bets[bet]))
	}
	if len(slip) == 0 {
		return nil
	}
	if code := p.try("bet B1 " + strings.Join(slip, ", ")); code != table.OK {
		return &refusal{Event: 0, Kind: "bet", Reason: code.String()}
	}
	return nil
}

var sides = map[string]table.Hand{"P": table.PlayerHand, "B": table.BankerHand}

// coup deals a case's cards and gives where it was refused, nil where it was not.
func (p *player) coup(c *coupCase) *refusal {
	for i, text := range c.Cards {
		e := table.Event{Kind: table.Draw}
		if i < len(c.To) {
			e.Hand = sides[c.To[i]]
		}
		var err error
		code := table.CardInvalid
		if e.Card, err = shoe.ParseCard(text); err == nil && e.Card.Known() {
			code = p.event(e)
		}
		if code != table.OK {
			return &refusal{Event: i, Kind: "card", Index: &i, Reason: code.String()}
		}
	}
	if p.due() == table.DueCard.String() {
		return &refusal{Event: len(c.Cards), Kind: "end", Reason: "INCOMPLETE_CARD"}
	}
	return nil
}

// coupResult gathers a coup's result from its calls, and the cards from the layout.
func (p *player) coupResult() coupResult {
	l := p.game.Layout()
	r := coupResult{Player: side(l.Player), Banker: side(l.Banker)}
	nth := map[string]int{}
	for _, d := range p.seen {
		to := map[table.Hand]string{table.PlayerHand: "P", table.BankerHand: "B"}[d.call.Hand]
		nth[to]++
		r.Sequence = append(r.Sequence, coupPlace{upper(d.call.Card.String()), to, nth[to]})
	}
	for _, c := range p.calls {
		if c.Word == table.CallResult {
			r.Winner, r.PlayerPair, r.BankerPair = c.Coup.Winner.String(), c.Coup.PlayerPair, c.Coup.BankerPair
		}
	}
	return r
}

func side(h *table.LayoutHand) sideResult {
	if h == nil {
		return sideResult{}
	}
	return sideResult{Cards: cased(h.Cards), Total: h.Total, Natural: h.State == "natural", Third: len(h.Cards) == 3}
}
