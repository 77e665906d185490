package tabletest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"sabot/table"
)

// spinCase is one line of the roulette cases. Number is raw, because an illegal case may have anything there.
type spinCase struct {
	ID, What string
	Bets     []spinBet
	Number   json.RawMessage
	Expected struct {
		Number int64
		Colour string
		Bets   []struct {
			Win bool
			Net float64
		}
		Net    float64
		Refuse *refusal
	}
}

// spinBet is one bet of a case; T is how many seconds of the betting time had passed.
type spinBet struct {
	Type    string
	Numbers []json.Number
	Which   *json.Number
	Stake   json.Number
	T       float64
}

// String is the bet on a slip.
func (b spinBet) String() string {
	words := []string{strings.ReplaceAll(b.Type, "_", "-")}
	kind := table.ParseBetKind(words[0])
	switch {
	case b.Which != nil:
		words = append(words, b.Which.String())
	case len(b.Numbers) > 0:
		var numbers []string
		for _, n := range b.Numbers {
			numbers = append(numbers, n.String())
		}
		words = append(words, strings.Join(numbers, "-"))
	case kind.Layout():
		words = append(words, "-")
	}
	return strings.Join(append(words, minor(b.Stake)), " ")
}

// betTime is how long the cases' tables take bets.
const betTime = 25 * time.Second

func rouletteCase(t testing.TB, line []byte, v Variant) error {
	var c spinCase
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	p := newPlayer(t, &Case{ID: c.ID, What: c.What}, v)
	p.ask("table open by S-1")
	p.ask("open")
	if deadline := p.game.Deadline(); deadline != betTime {
		t.Errorf("%s: bets are taken until %v; want %v", c.ID, deadline, betTime)
	}
	got := p.spinBets(&c)
	if got == nil {
		p.ask("timeout bets")
		p.ask("ball")
		got = p.number(&c)
	}
	p.compareRefusal(got, c.Expected.Refuse)
	if got == nil && c.Expected.Refuse == nil {
		p.compareNumber(&c)
	}
	return nil
}

// spinBets places each bet of a case by a bettor of its own, and gives which was refused.
func (p *player) spinBets(c *spinCase) *refusal {
	for i, bet := range c.Bets {
		if bet.T > betTime.Seconds() {
			p.ask("timeout bets")
		}
		if code := p.try(fmt.Sprintf("bet B%d %v", i, bet)); code != table.OK {
			return &refusal{Event: i, Kind: "bet", Index: &i, Reason: code.String()}
		}
	}
	return nil
}

// number lets the ball fall and gives where it was refused. What is no whole number cannot even be an event.
func (p *player) number(c *spinCase) *refusal {
	var n *int64
	code := table.NumberInvalid
	if err := json.Unmarshal(c.Number, &n); err == nil && n != nil {
		code = p.event(table.Event{Kind: table.Result, N: *n})
	}
	if code != table.OK {
		return &refusal{Event: len(c.Bets), Kind: "number", Reason: code.String()}
	}
	return nil
}

func (p *player) compareNumber(c *spinCase) {
	spin := p.game.Layout().Spin
	called := false
	for _, call := range p.calls {
		called = called || call.Word == table.CallNumber && call.N == c.Expected.Number
	}
	if !called || spin == nil || int64(spin.Number) != c.Expected.Number || spin.Colour != c.Expected.Colour {
		p.t.Errorf("%s: called %v, the layout shows %+v; want %d, %s", c.ID, called, spin, c.Expected.Number, c.Expected.Colour)
	}
	sum := 0.0
	for i, want := range c.Expected.Bets {
		m := p.paid(fmt.Sprintf("B%d", i), table.ParseBetKind(strings.ReplaceAll(c.Bets[i].Type, "_", "-")), table.NoHand)
		sum += m.net
		if m.net != want.Net || (m.net > 0) != want.Win {
			p.t.Errorf("%s: bet %d: net %v; want %v", c.ID, i, m.net, want.Net)
		}
	}
	if sum != c.Expected.Net || len(c.Expected.Bets) != len(c.Bets) {
		p.t.Errorf("%s: net %v of %d bets; want %v of %d", c.ID, sum, len(c.Expected.Bets), c.Expected.Net, len(c.Bets))
	}
}
