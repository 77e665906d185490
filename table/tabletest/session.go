package tabletest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"sabot/table"
	"sabot/table/wager"
)

// sessionCase is one line of the sessions: rounds on end, each with its own cards, and chips carried over.
type sessionCase struct {
	ID, What string
	Start    map[string]int64
	Rounds   []struct {
		round
		Cards []string
	}
	Expected struct {
		Rounds []result
		Chips  map[string]float64
		Rank   map[string]int
		Refuse *refusal
	}
}

func sessionCaseLine(t testing.TB, line []byte, v Variant) error {
	var c sessionCase
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	session := c.start()
	p := newPlayer(t, &Case{ID: c.ID, What: c.What}, v)
	p.ask("table open by S-1")
	var got *refusal
	for i := 0; got == nil && i < len(c.Rounds); i++ {
		if got = p.sessionRound(&c, i, &session); got != nil {
			got.Round = &i
		}
	}
	p.compareRefusal(got, c.Expected.Refuse)
	if got != nil {
		return nil
	}
	chips, rank := map[string]float64{}, map[string]int{}
	for n := session.Players.Next(0); n > 0; n = session.Players.Next(n) {
		chips[fmt.Sprint(n)], rank[fmt.Sprint(n)] = float64(session.Chips[n])*chipsPerUnit/unit, session.Place(n)
	}
	if !reflect.DeepEqual(chips, c.Expected.Chips) || !reflect.DeepEqual(rank, c.Expected.Rank) {
		t.Errorf("%s: chips %v, ranks %v; want %v, %v", c.ID, chips, rank, c.Expected.Chips, c.Expected.Rank)
	}
	return nil
}

// start is the session that the case begins with.
func (c *sessionCase) start() wager.Session {
	var players table.Seats
	for n := 1; n <= table.MaxSeats; n++ {
		if _, plays := c.Start[fmt.Sprint(n)]; plays {
			players |= table.Seat(n)
		}
	}
	s := wager.NewSession(players, unit/chipsPerUnit)
	for n := players.Next(0); n > 0; n = players.Next(n) {
		s.Chips[n] = c.Start[fmt.Sprint(n)] * unit / chipsPerUnit
	}
	return s
}

// sessionRound plays round i and gives where it was refused.
func (p *player) sessionRound(c *sessionCase, i int, session *wager.Session) *refusal {
	r := c.Rounds[i]
	set, code := table.MakeSeats(r.Seats, table.MaxSeats)
	if over := session.Check(set); code == table.OK || over == table.SessionOver {
		code = over
	}
	if code != table.OK {
		return &refusal{Event: 0, Reason: code.String()}
	}
	p.ask(fmt.Sprintf("shoe %d by S-1", i+1))
	p.cards, p.next, p.balance = r.Cards, 0, map[string]int64{}
	for _, n := range r.Seats {
		p.balance[fmt.Sprint(n)] = session.Chips[n] * chipsPerUnit / unit
	}
	if refused := p.round(r.Seats, r.Decisions, r.Order); refused != nil {
		return refused
	}
	if c.Expected.Refuse == nil {
		p.compareResult(&c.Expected.Rounds[i])
	}
	var net [table.MaxSeats + 1]int64
	for _, n := range r.Seats {
		for _, k := range []table.BetKind{table.BetSeat, table.BetInsurance} {
			net[n] += int64(p.paid(owner(table.SeatHand(n, 0)), k, table.NoHand).net * unit)
		}
	}
	session.End(net)
	return nil
}
