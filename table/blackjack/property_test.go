package blackjack_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
)

// world plays random rounds on a table. mistakes is how often somebody does what he should not.
type world struct {
	t        *testing.T
	seed     uint64
	rng      *rand.Rand
	rules    blackjack.Rules
	game     *table.Round[blackjack.Game, *blackjack.Game]
	cards    []shoe.Card
	drawn    int
	events   []table.Event
	calls    []table.Call // of the last event
	open     []int64      // the draws of this round's cards that lie at the seats
	mistakes float64
}

func newWorld(t *testing.T, seed uint64, mistakes float64) *world {
	w := &world{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 1)), rules: blackjack.Deluxe(), mistakes: mistakes}
	w.rules.ImpliedHit = seed%2 == 1
	w.game = table.NewRound(blackjack.New(&w.rules, table.Opening{}))
	for range 8 {
		w.cards = append(w.cards, shoe.Deck()...)
	}
	w.rng.Shuffle(len(w.cards), func(i, j int) { w.cards[i], w.cards[j] = w.cards[j], w.cards[i] })
	w.do("table open by S-1")
	w.do("shoe 1 by S-1")
	return w
}

func (w *world) do(line string) table.Code {
	e, err := table.Parse(line)
	if err != nil {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
	return w.step(e)
}

func (w *world) step(e table.Event) table.Code {
	if e.Asked() {
		before := w.game.Game()
		if code := w.game.Check(e); code != table.OK {
			if w.game.Game() != before {
				w.t.Fatalf("seed %d: refusing %q changed the game", w.seed, e)
			}
			return code
		}
	}
	e.Seq = int64(len(w.events) + 1)
	w.events = append(w.events, e)
	w.calls = w.game.Step(e, nil)
	for _, c := range w.calls {
		switch {
		case c.Word == table.CallOpen:
			w.open = nil
		case c.Word == table.CallCard && e.Kind == table.Draw && c.Hand != table.DealerHand:
			w.open = append(w.open, e.Seq)
		}
	}
	return table.OK
}

// draw takes the next card from the shoe.
func (w *world) draw() {
	w.step(table.Event{Kind: table.Draw, Card: w.cards[w.drawn]})
	w.drawn++
}

// turn does the next thing, mostly the right one.
func (w *world) turn() {
	l := w.game.Layout()
	if w.rng.Float64() < w.mistakes {
		w.mistake()
		return
	}
	if l.Stopped != nil {
		w.supervise()
		return
	}
	switch l.Due.Kind {
	case "card", "burn":
		w.draw()
	case "open":
		w.do("open")
	case "close":
		w.step(table.Event{Kind: table.Close, Seats: table.Seats(w.rng.IntN(128)<<1) | table.Seat(1+w.rng.IntN(7))})
	case "insurance":
		w.do([]string{"timeout insurance", "insure " + string('0'+byte(l.Due.Seats[0])), "decline " + string('0'+byte(l.Due.Seats[0]))}[w.rng.IntN(3)])
	case "decision":
		if may := l.Due.May[w.rng.IntN(len(l.Due.May))]; may == "hit" && w.rules.ImpliedHit {
			w.draw()
		} else {
			w.do(may)
		}
	}
}

// mistake does something at random that may not be due: a card, a decision, a stop, an unread card.
func (w *world) mistake() {
	switch w.rng.IntN(6) {
	case 0:
		w.draw()
	case 1:
		w.step(table.Event{Kind: table.Draw, Card: shoe.Unread})
	case 2:
		w.do("stop")
	case 3:
		w.step(table.Event{Kind: table.Hit + table.Kind(w.rng.IntN(9)), Hand: table.SeatHand(1+w.rng.IntN(7), w.rng.IntN(4))})
	case 4:
		w.do("void by S-1")
	default:
		w.do("cut")
	}
}

// supervise does what brings the table back.
func (w *world) supervise() {
	stops := table.Stops(w.game)
	if len(stops) == 0 {
		w.do("resume by S-1")
		return
	}
	s := stops[0]
	e := table.Event{Kind: table.Release, N: s.Irregularity, Text: &table.Text{By: "S-1"}}
	e.Remedy, _ = table.ParseRemedy(s.Remedies[w.rng.IntN(len(s.Remedies))])
	if s.Code == "MISREAD" || w.game.Check(e) != table.OK {
		e = table.Event{Kind: table.Correct, N: s.Irregularity, Card: w.cards[len(w.cards)-1-w.rng.IntN(50)], Text: &table.Text{By: "S-1"}}
	}
	w.step(e)
}

func TestRandomPlayKeepsItsPromises(t *testing.T) {
	for seed := range uint64(200) {
		w := newWorld(t, seed, 0.05*float64(seed%3))
		for w.drawn < 380 && len(w.events) < 3000 && w.game.Layout().Phase != table.ShoeChange {
			w.turn()
			w.checkCards()
		}
		if l := w.game.Layout(); w.mistakes == 0 && l.Round < 5 {
			t.Errorf("seed %d: only %d rounds in a shoe without mistakes", seed, l.Round)
		}
		w.checkReplay()
	}
}

// checkCards: every card on the felt was drawn, and no more are counted than left the shoe.
func (w *world) checkCards() {
	l := w.game.Layout()
	felt := 0
	for _, s := range l.Seats {
		for _, h := range s.Hands {
			felt += len(h.Cards)
		}
	}
	if l.Dealer != nil {
		felt += len(l.Dealer.Cards)
	}
	draws := 0
	for _, e := range w.events {
		if e.Kind == table.Draw {
			draws++
		}
	}
	if l.Shoe.Dealt > draws || felt > l.Shoe.Dealt {
		w.t.Fatalf("seed %d: %d cards drawn, %d counted, %d on the felt", w.seed, draws, l.Shoe.Dealt, felt)
	}
}

// checkReplay: the same events make the same game.
func (w *world) checkReplay() {
	again := blackjack.New(&w.rules, table.Opening{})
	round := table.NewRound(again)
	for _, e := range w.events {
		round.Step(e, nil)
	}
	got, want := round.Layout(), w.game.Layout()
	if !reflect.DeepEqual(got, want) {
		w.t.Errorf("seed %d: played again the felt differs", w.seed)
	}
}

// public is every byte of an event's calls and of the layout after it that somebody may see.
func (w *world) public(e table.Event) []byte {
	code := w.step(e)
	b := table.AppendCalls(nil, w.calls, table.ToAll)
	b = table.AppendCalls(b, w.calls, table.ToFloor)
	layout, err := json.Marshal(w.game.Layout())
	if err != nil {
		w.t.Fatal(err)
	}
	stops, _ := json.Marshal(table.Stops(w.game))
	return append(append(append(b, layout...), stops...), code.String()...)
}

// TestTheHoleCardIsSecret deals two tables that differ only in the hole card, with the same answer to the peek, and does the same
// at both, mistakes included: until it is turned every byte is the same.
func TestTheHoleCardIsSecret(t *testing.T) {
	for seed := range uint64(400) {
		a := newWorld(t, seed, 0)
		for a.game.Layout().Phase != table.Dealing {
			a.turn()
		}
		for !(a.game.Layout().Due.Hand == "dealer" && a.game.Layout().Dealer != nil) {
			a.draw()
		}
		b := newWorld(t, seed, 0)
		for _, e := range a.events[2:] {
			b.step(e)
		}
		secretFrom(t, seed, a, b)
	}
}

// secretFrom deals different hole cards to two equal tables and compares what they say until the card is turned.
func secretFrom(t *testing.T, seed uint64, a, b *world) {
	one := a.cards[a.drawn]
	other := shoe.New(shoe.Rank(1+a.rng.IntN(13)), shoe.Suit(a.rng.IntN(4)))
	if natural(a.game.Layout(), one) != natural(a.game.Layout(), other) {
		return
	}
	x, y := dealHole(t, seed, a, b, one, other)
	turned := []byte(`"call":"reveal"`)
	for i := range 60 {
		if bytes.Contains(x, turned) && bytes.Contains(y, turned) { // by the peek, or a correction
			return
		}
		if !bytes.Equal(x, y) {
			t.Fatalf("seed %d: hole cards %v and %v differ after %d steps:\n%s\n%s", seed, one, other, i, x, y)
		}
		l := a.game.Layout()
		if l.Dealer == nil || l.Dealer.Cards[len(l.Dealer.Cards)-1] != table.Back {
			return
		}
		e := nextFor(a, l)
		if last := len(l.Seats) > 0 && reveals(a, b, e); last {
			return
		}
		x, y = a.public(e), b.public(e)
	}
}

// dealHole deals the two hole cards. Sometimes the shoe names them again, by the same name or another one; or it cannot read them at first, and says
// so again before it is ordered or after. The last bytes said are given; those before are compared.
func dealHole(t *testing.T, seed uint64, a, b *world, one, other shoe.Card) (x, y []byte) {
	draw, unread, again := table.Event{Kind: table.Draw}, table.Event{Kind: table.Draw, Card: shoe.Unread}, table.Event{Kind: table.Resent}
	order := table.Event{Kind: table.Release, N: int64(len(a.events) + 1), Remedy: table.Reread, Text: &table.Text{By: "S-1"}}
	third := table.Event{Kind: table.Resent, Card: shoe.New(1+(one.Rank()+6)%13, one.Suit())}
	ways := [][]table.Event{{draw}, {draw, again}, {unread, again, order}, {unread, order, again}, {unread, again, order, again}, {draw, third}}
	if third.Card == other { // its own name is no other one
		ways = ways[:5]
	}
	for i, e := range ways[a.rng.IntN(len(ways))] {
		if !bytes.Equal(x, y) {
			t.Fatalf("seed %d: hole cards %v and %v differ before event %d:\n%s\n%s", seed, one, other, i, x, y)
		}
		u, v := e, e
		if e.Card == shoe.NoCard && e.Kind != table.Release {
			u.Card, v.Card = one, other
		}
		x, y = a.public(u), b.public(v)
	}
	return x, y
}

// reveals says whether an event would turn the hole card, which ends the comparison.
func reveals(a, b *world, e table.Event) bool {
	for _, w := range []*world{a, b} {
		twin := w.game.Game()
		for _, c := range twin.Step(e, nil) {
			if c.Word == table.CallReveal {
				return true
			}
		}
	}
	return false
}

// nextFor is an event, sometimes a wrong one, that does not depend on the hole card.
func nextFor(w *world, l table.Layout) table.Event {
	stops := table.Stops(w.game)
	switch {
	case w.rng.IntN(8) == 0:
		return table.Event{Kind: table.Draw, Card: w.cards[w.rng.IntN(len(w.cards))]}
	case w.rng.IntN(20) == 0:
		return table.Event{Kind: table.Draw, Card: shoe.Unread}
	case w.rng.IntN(10) == 0: // a card of the seats' that lay face up is corrected, whatever the hole card is; or it is one nobody sees
		e := table.Event{Kind: table.Correct, N: w.open[w.rng.IntN(len(w.open))], Card: w.cards[w.rng.IntN(40)], Text: &table.Text{By: "S-1"}}
		if w.rng.IntN(6) == 0 {
			e.Card = shoe.NoCard // the cut card: all later ones lie undealt, the hole card among them
		}
		return e
	case len(stops) > 0 && w.rng.IntN(4) == 0:
		return table.Event{Kind: table.Release, N: stops[0].Irregularity, Remedy: table.Assign, Hand: table.SeatHand(1+w.rng.IntN(7), 0), Text: &table.Text{By: "S-1"}}
	case len(stops) > 0 && w.rng.IntN(8) == 0:
		return table.Event{Kind: table.Draw, Card: w.cards[w.rng.IntN(40)], Hand: table.SeatHand(1+w.rng.IntN(7), w.rng.IntN(2)), Text: &table.Text{By: "S-1"}}
	case len(stops) > 0 && !stops[0].Later:
		return table.Event{Kind: table.Correct, N: stops[0].Irregularity, Card: w.cards[w.rng.IntN(9)], Text: &table.Text{By: "S-1"}}
	case l.Due == nil:
		return table.Event{Kind: table.Stop}
	case l.Due.Kind == "insurance":
		return table.Event{Kind: table.Insure, Hand: table.SeatHand(l.Due.Seats[0], 0)}
	case l.Due.Kind == "card":
		return table.Event{Kind: table.Draw, Card: w.cards[w.rng.IntN(len(w.cards))]}
	case l.Due.Kind == "decision":
		return table.Event{Kind: table.ParseKind(l.Due.May[w.rng.IntN(len(l.Due.May))])}
	}
	return table.Event{Kind: table.Stop}
}

func natural(l table.Layout, hole shoe.Card) bool {
	up, _ := shoe.ParseCard(l.Dealer.Cards[0])
	a, b := min(up.Rank(), 10), min(hole.Rank(), 10)
	return a == 1 && b == 10 || a == 10 && b == 1
}
