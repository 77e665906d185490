package tabletest

import (
	"encoding/json"
	"reflect"
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
	Net    map[string]json.Number
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

func baccaratCase(t *testing.T, line []byte, v Variant, left leftOut) error {
	var c coupCase
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	if r := c.Expected.Refuse; r != nil && r.Kind == "bet" {
		left["refusals of bets"]++
		return nil
	}
	if len(c.Expected.Net) > 0 {
		left["nets of bets"] += len(c.Expected.Net)
	}
	p := &player{t: t, c: &Case{ID: c.ID, What: c.What}, game: v.New(), twin: v.New()}
	for _, line := range []string{"table open by S-1", "shoe 1 by S-1", "open", "close none"} {
		p.ask(line)
	}
	got := p.coup(&c)
	p.compareRefusal(got, c.Expected.Refuse)
	if got != nil || c.Expected.Refuse != nil {
		return nil
	}
	if got := p.coupResult(); !reflect.DeepEqual(got, c.Expected.coupResult) {
		t.Errorf("%s:\n got %+v\nwant %+v", c.ID, got, c.Expected.coupResult)
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
