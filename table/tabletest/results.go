package tabletest

import (
	"encoding/json"
	"fmt"
	"reflect"

	"sabot/table"
)

// expected is what must come of a case: a result, or for a shoe one for each round.
type expected struct {
	result
	Refuse         *refusal
	Burn           *burnResult
	Rounds         []roundResult
	FinalRound     *int `json:"final_round"`
	ReshuffleAfter *int `json:"reshuffle_after"`
}

type burnResult struct {
	FaceUp    string `json:"face_up"`
	FaceDown  int    `json:"face_down"`
	NextIndex int    `json:"next_index"`
}

type roundResult struct {
	FirstCard int `json:"first_card"`
	NextIndex int `json:"next_index"`
	Final     bool
	Result    result
}

// result is a round's, in bet units as the cases have it.
type result struct {
	Sequence []place
	Peeked   bool
	Ended    string
	Dealer   dealerResult
	Seats    map[string]seatResult
	Behind   []behindResult
}

type place struct{ Card, To, Why, Face string }

type dealerResult struct {
	Cards     []string
	Total     int
	Soft      bool
	Blackjack bool
	Bust      bool
}

type seatResult struct {
	Hands     []handResult
	Stake     float64
	Net       float64
	Insurance *betResult
	Pair      *pairResult
	Chips     *float64 `json:"chips_after"`
}

type handResult struct {
	Cards          []string
	Total          int
	Soft           bool
	Split, Doubled bool
	Status, Result string
	Stake, Net     float64
}

type betResult struct {
	Stake  float64
	Result string
	Net    float64
}

type pairResult struct {
	Class string
	Net   float64
}

func (p *player) compareRound(i, first int) {
	want := p.c.Expected.Rounds
	if p.c.Expected.Refuse != nil {
		return // nothing is said of the rounds before it but that they are accepted
	}
	if i == 0 {
		p.compareBurn(first)
	}
	if i >= len(want) {
		p.t.Errorf("%s: round %d was not expected", p.c.ID, i)
		return
	}
	final := p.game.Layout().Phase == table.ShoeChange
	got := roundResult{FirstCard: first, NextIndex: p.next, Final: final, Result: want[i].Result}
	if !reflect.DeepEqual(got, want[i]) {
		p.t.Errorf("%s: round %d: first card %d, next %d, final %v; want %d, %d, %v", p.c.ID, i, first, p.next, final, want[i].FirstCard, want[i].NextIndex, want[i].Final)
	}
	e := p.c.Expected
	if final && (e.FinalRound == nil || *e.FinalRound != i || e.ReshuffleAfter == nil || *e.ReshuffleAfter != i) {
		p.t.Errorf("%s: round %d was the last", p.c.ID, i)
	}
	p.compareResult(&want[i].Result)
}

func (p *player) compareBurn(next int) {
	got := burnResult{FaceUp: p.cards[0], FaceDown: next - 1, NextIndex: next}
	if want := p.c.Expected.Burn; want == nil || *want != got {
		p.t.Errorf("%s: burnt %+v; want %+v", p.c.ID, got, want)
	}
}

func (p *player) compareResult(want *result) {
	p.t.Helper()
	got := p.result()
	p.balancedBooks()
	w := *want
	if len(w.Behind) == 0 { // some cases have an empty list, most none
		w.Behind = nil
	}
	if reflect.DeepEqual(got, w) {
		return
	}
	g, _ := json.Marshal(got)
	wanted, _ := json.Marshal(w)
	p.t.Errorf("%s:\n got %s\nwant %s", p.c.ID, g, wanted)
}

// result gathers the round's result from its calls, and the cards from the layout.
func (p *player) result() result {
	l := p.game.Layout()
	r := result{Seats: map[string]seatResult{}}
	for i, d := range p.seen {
		r.Sequence = append(r.Sequence, p.place(i, d))
	}
	for _, c := range p.calls {
		switch c.Word {
		case table.CallPeek:
			r.Peeked = true
		case table.CallEnd:
			r.Ended = c.Ended.String()
			r.Dealer = dealerResult{Cards: cased(l.Dealer.Cards), Total: int(c.Total), Soft: c.Soft, Blackjack: len(l.Dealer.Cards) == 2 && c.Total == 21, Bust: c.Total > 21}
		case table.CallPair:
			p.seat(&r, c, func(s *seatResult) {
				s.Pair = &pairResult{c.Pair.String(), p.paid(owner(c.Hand), table.BetPair, table.NoHand).net}
			})
		case table.CallResult:
			p.seat(&r, c, func(s *seatResult) { s.add(c, handCards(l, c.Hand), p.resultOf(c)) })
		}
	}
	p.behindResults(&r)
	for key, s := range r.Seats {
		if had, limited := p.chips(key); limited {
			left := float64(had) + s.Net*chipsPerUnit
			s.Chips = &left
			r.Seats[key] = s
		}
	}
	return r
}

func (s *seatResult) add(c table.Call, cards []string, m money) {
	stake, net := m.stake, m.net
	s.Stake += stake
	s.Net += net
	if c.Action == table.Insure {
		s.Insurance = &betResult{stake, c.Outcome.String(), net}
		return
	}
	s.Hands = append(s.Hands, handResult{
		Cards: cards, Total: int(c.Total), Soft: c.Soft, Split: c.Split, Doubled: c.Doubled,
		Status: c.Status.String(), Result: c.Outcome.String(), Stake: stake, Net: net,
	})
}

func (p *player) seat(r *result, c table.Call, change func(*seatResult)) {
	key := fmt.Sprint(c.Hand.Seat())
	s := r.Seats[key]
	change(&s)
	r.Seats[key] = s
}

// place says where card i of the round went. The card is the event's: a face-down one is in no call.
func (p *player) place(i int, d dealt) place {
	at := place{Card: upper(d.card), To: "D", Why: d.call.Why.String(), Face: "up"}
	if s := d.call.Hand.Seat(); s > 0 {
		at.To = fmt.Sprintf("S%dH%d", s, d.call.Hand.Index())
	}
	if d.call.Card == 0 {
		at.Face = "down"
	} else if d.call.Card.String() != d.card {
		p.t.Errorf("%s: card %d is %s and was called as %s", p.c.ID, i, d.card, d.call.Card)
	}
	return at
}

func handCards(l table.Layout, hand table.Hand) []string {
	for _, s := range l.Seats {
		for _, h := range s.Hands {
			if h.Hand == hand.String() {
				return cased(h.Cards)
			}
		}
	}
	return nil
}

// cased writes cards as the cases do: KH for Kh.
func cased(cards []string) []string {
	out := []string{}
	for _, c := range cards {
		out = append(out, upper(c))
	}
	return out
}

func upper(card string) string { return card[:1] + string(card[1]-'a'+'A') }
