package tabletest

import (
	"encoding/json"
	"testing"
	"time"

	"sabot/table"
)

// spinCase is one line of the roulette cases. Number is raw, because an illegal case may have anything there.
type spinCase struct {
	ID, What string
	Bets     []json.RawMessage
	Number   json.RawMessage
	Expected struct {
		Number int64
		Colour string
		Bets   []json.RawMessage
		Refuse *refusal
	}
}

// betTime is how long the cases' tables take bets.
const betTime = 25 * time.Second

func rouletteCase(t *testing.T, line []byte, v Variant, left leftOut) error {
	var c spinCase
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	if r := c.Expected.Refuse; r != nil && r.Kind == "bet" {
		left["refusals of bets"]++
		return nil
	}
	if len(c.Expected.Bets) > 0 {
		left["nets of bets"] += len(c.Expected.Bets)
	}
	p := &player{t: t, c: &Case{ID: c.ID, What: c.What}, game: v.New(), twin: v.New()}
	p.ask("table open by S-1")
	p.ask("open")
	if deadline := p.game.Deadline(); deadline != betTime {
		t.Errorf("%s: bets are taken until %v; want %v", c.ID, deadline, betTime)
	}
	p.ask("timeout bets")
	p.ask("ball")
	got := p.number(&c)
	p.compareRefusal(got, c.Expected.Refuse)
	if got == nil && c.Expected.Refuse == nil {
		p.compareNumber(&c)
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
}
