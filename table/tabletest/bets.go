package tabletest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"sabot/table"
)

// unit is a bet unit of the cases in minor units, and chipsPerUnit what it is in chips where a table plays with chips.
const (
	unit         = 100
	chipsPerUnit = 2
)

// behind is a bettor behind a seat, and what he will do.
type behind struct {
	ID           string
	Seat         int
	Insurance    bool
	FollowSplit  bool            `json:"follow_split"`
	FollowDouble map[string]bool `json:"follow_double"` // by hand
}

type behindResult struct {
	ID         string
	Seat       int
	Hands      []behindHand
	Insurance  *betResult
	Stake, Net float64
}

type behindHand struct {
	Hand       int
	Result     string
	Stake, Net float64
}

// owner is what a case's player of a hand's seat is called.
func owner(h table.Hand) string { return fmt.Sprintf("S%d", h.Seat()) }

// minor is an amount of a case in minor units; what is none stays what it is, to be refused.
func minor(n json.Number) string {
	r, ok := new(big.Rat).SetString(n.String())
	if !ok || !new(big.Rat).Mul(r, big.NewRat(unit, 1)).IsInt() {
		return n.String()
	}
	return new(big.Rat).Mul(r, big.NewRat(unit, 1)).Num().String()
}

// chips are what a seat has before its bet, where it is limited.
func (p *player) chips(seat string) (int64, bool) {
	n, said := p.balance[seat]
	if !said {
		n = p.v.Chips
	}
	return n, said || n > 0
}

// bets places a unit on each seat, and on its Pair where there is one, and then one behind for each bettor of the case.
func (p *player) bets(seats []int) table.Code {
	for _, seat := range seats {
		slip := fmt.Sprintf("bet S%d %d %d", seat, seat, unit)
		if p.v.Pair {
			slip += fmt.Sprintf(", %d %d pair", seat, unit)
		}
		if chips, limited := p.chips(fmt.Sprint(seat)); limited {
			slip += fmt.Sprintf(", balance %d", chips*unit/chipsPerUnit)
		}
		if code := p.try(slip); code != table.OK {
			return code
		}
	}
	for _, b := range p.c.Behind {
		if slices.Contains(seats, b.Seat) {
			p.ask(fmt.Sprintf("bet %s %d %d behind", b.ID, b.Seat, unit))
		}
	}
	return table.OK
}

func (p *player) insureBehind() {
	for _, b := range p.c.Behind {
		if b.Insurance {
			p.ask(fmt.Sprintf("insure %d %s", b.Seat, b.ID))
		}
	}
}

// follow says who goes along with a decision. Who does not ride the hand cannot.
func (p *player) follow(k table.Kind, h table.Hand) {
	for _, b := range p.c.Behind {
		switch {
		case b.Seat != h.Seat():
		case k == table.Double && b.FollowDouble[fmt.Sprint(h.Index())], k == table.Split && b.FollowSplit:
			p.try(fmt.Sprintf("follow %v %s %s", h, b.ID, k.Word()))
		}
	}
}

// money is a stake and what it won, in units.
type money struct{ stake, net float64 }

// paid is what was settled of a bettor's bets of a kind, on one hand or on all.
func (p *player) paid(reference string, k table.BetKind, h table.Hand) money {
	var m money
	for i := range p.calls {
		c := &p.calls[i]
		if c.Word == table.CallPaid && c.Reference().String() == reference && c.Spot.Bet == k && (h == table.NoHand || c.Hand == h) {
			m.stake += float64(c.Staked) / unit
			m.net += float64(c.Paid-c.Staked) / unit
		}
	}
	return m
}

// resultOf is what the ledger paid for a result of the game, which must be what the game says.
func (p *player) resultOf(c table.Call) money {
	kind, hand := table.BetSeat, c.Hand
	if c.Action == table.Insure {
		kind, hand = table.BetInsurance, table.NoHand
	}
	m := p.paid(owner(c.Hand), kind, hand)
	if said := (money{float64(c.Stake) / 2, float64(c.Net) / 2}); m != said {
		p.t.Errorf("%s: %v: the ledger has %v, the game says %v", p.c.ID, c.Hand, m, said)
	}
	return m
}

// behindResults gathers what the bettors behind won.
func (p *player) behindResults(r *result) {
	for _, b := range p.c.Behind {
		got := behindResult{ID: b.ID, Seat: b.Seat}
		if m := p.paid(b.ID, table.BetInsurance, table.NoHand); m.stake > 0 {
			got.Insurance = &betResult{m.stake, map[bool]string{true: "win", false: "lose"}[m.net > 0], m.net}
			got.Stake, got.Net = m.stake, m.net
		}
		for _, c := range p.calls {
			if c.Word != table.CallResult || c.Hand.Seat() != b.Seat || c.Action == table.Insure {
				continue
			}
			if m := p.paid(b.ID, table.BetBehind, c.Hand); m.stake > 0 {
				got.Hands = append(got.Hands, behindHand{c.Hand.Index(), c.Outcome.String(), m.stake, m.net})
				got.Stake += m.stake
				got.Net += m.net
			}
		}
		r.Behind = append(r.Behind, got)
	}
}

// balancedBooks checks that every unit taken in the round was refunded or is in exactly one paid.
func (p *player) balancedBooks() {
	open := map[string]int64{}
	for i := range p.calls {
		c := &p.calls[i]
		key := c.Reference().String() + " " + c.Spot.Bet.String()
		switch c.Word {
		case table.CallTaken:
			open[key] += c.Staked
		case table.CallPaid, table.CallRefunded:
			open[key] -= c.Staked
		}
	}
	for key, n := range open {
		if n != 0 {
			p.t.Errorf("%s: %s: %d minor units are neither paid nor refunded", p.c.ID, key, n)
		}
	}
}
