package live

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/box"
)

// players decide by what lies on the felt alone, so that they decide the same at every table that deals them the same cards.
type players struct {
	seed  uint64
	rules blackjack.Rules
}

// dice are thrown for a question; the same question gets the same throw.
func (p *players) dice(sides int, question ...any) int {
	h := p.seed
	for _, c := range fmt.Sprint(question...) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(h, 3)).IntN(sides)
}

// sit are the seats that play a round.
func (p *players) sit(round uint32) table.Seats {
	return table.Seats(1+p.dice(1<<p.rules.Seats-1, "seats", round)) << 1
}

// decide is what a hand does: what is not offered often it takes when it can.
func (p *players) decide(l *table.Layout) string {
	h := hand(l, l.Due.Hand)
	question := []any{l.Round, l.Due.Hand, h.Cards, h.Total}
	for _, want := range []string{"surrender", "split", "double"} {
		if slices.Contains(l.Due.May, want) && p.dice(3, append(question, want)...) == 0 {
			return want
		}
	}
	if h.Total < 17 && p.dice(4, question...) > 0 {
		return "hit"
	}
	return "stand"
}

// insures says what a seat answers, a natural always yes; NEXT declines for it and all after it.
func (p *players) insures(l *table.Layout, seat int) string {
	if hand(l, table.SeatHand(seat, 0).String()).State == "blackjack" {
		return "yes"
	}
	return []string{"yes", "no", "next"}[p.dice(3, "insurance", l.Round, seat)]
}

func hand(l *table.Layout, name string) table.LayoutHand {
	for _, s := range l.Seats {
		for _, h := range s.Hands {
			if h.Hand == name {
				return h
			}
		}
	}
	return table.LayoutHand{}
}

// stack is a shoe: its cards in order, and the place of the cut card.
type stack struct {
	cards []shoe.Card
	cut   int
}

func shuffle(seed uint64, number uint32, decks uint8) *stack {
	s := &stack{}
	for range decks {
		s.cards = append(s.cards, shoe.Deck()...)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(number)))
	rng.Shuffle(len(s.cards), func(i, j int) { s.cards[i], s.cards[j] = s.cards[j], s.cards[i] })
	s.cut = len(s.cards) * 7 / 10
	return s
}

// next is what leaves the shoe.
func (s *stack) next() string {
	if s.cut--; s.cut == -1 {
		return "cut"
	}
	c := s.cards[0]
	s.cards = s.cards[1:]
	return "draw " + c.String()
}

// byCommand plays shoes with commands and gives what is called.
func (p *players) byCommand(t *testing.T, shoes uint32) []string {
	game := table.NewRound(blackjack.New(&p.rules, table.Opening{}))
	var said []string
	var seq int64
	do := func(format string, args ...any) {
		e := event(t, fmt.Sprintf(format, args...))
		if code := game.Check(e); e.Asked() && code != table.OK {
			t.Fatalf("%v is refused: %v", e, code)
		}
		seq++
		e.Seq = seq
		said = append(said, words(t, table.AppendCalls(nil, game.Step(e, nil), table.ToAll))...)
	}
	do("table open by S-1")
	var cards *stack
	for {
		l := game.Layout()
		switch l.Due.Kind {
		case "shoe":
			if l.Shoe.Number == shoes {
				return said
			}
			do("shoe %d by S-1", l.Shoe.Number+1)
			cards = shuffle(p.seed, l.Shoe.Number+1, p.rules.Decks)
		case "open":
			do("open")
		case "close":
			do("close %v", p.sit(l.Round))
		case "card", "burn":
			do("%s", cards.next())
		case "insurance":
			p.answer(&l, do)
		case "decision":
			do("%s", p.decide(&l))
		default:
			do("%s", l.Due.Kind) // peek, reveal
		}
	}
}

// answer answers insurance for all seats.
func (p *players) answer(l *table.Layout, do func(string, ...any)) {
	for i, n := range l.Due.Seats {
		word := "insure"
		if p.rules.EvenMoney && hand(l, table.SeatHand(n, 0).String()).State == "blackjack" {
			word = "even-money"
		}
		switch p.insures(l, n) {
		case "yes":
			do("%s %d", word, n)
		case "no":
			do("decline %d", n)
		default:
			for _, rest := range l.Due.Seats[i:] {
				do("decline %d", rest)
			}
			return
		}
	}
}

// dealer has a box, a key, a shoe, and eyes for the lamps and the felt. Nobody else is at his table.
type dealer struct {
	*players
	*desk
	cards *stack
	drawn uint32
	stops *rand.Rand // now and then he calls the floor; nil for never
}

// byButton plays shoes with six buttons and the key.
func (d *dealer) byButton(shoes uint32) {
	for {
		now := d.last()
		l := &now.Layout
		if panel := box.Lamps(&now); l.Due != nil && (panel.Green != box.On) != (l.Due.Kind == "shoe") || panel.Red != box.Off {
			d.t.Fatalf("the lamps are %+v, and due is %+v", panel, l.Due)
		}
		if d.stops != nil && d.stops.IntN(20) == 0 {
			d.press(box.Stop)
			d.press(box.Hit)
			d.press(box.Next)
			d.press(box.Key, box.Down, box.Held, box.Up)
			continue
		}
		switch {
		case l.Phase == table.Closed, l.Due.Kind == "shoe" && l.Shoe.Number < shoes:
			d.cards = shuffle(d.seed, l.Shoe.Number+1, d.rules.Decks)
			d.press(box.Key, box.Down)
			d.press(box.Next)
			d.press(box.Key, box.Up)
		case l.Due.Kind == "shoe":
			return
		default:
			d.act(&now)
		}
	}
}

func (d *dealer) act(now *table.Snapshot) {
	l := &now.Layout
	switch l.Due.Kind {
	case "card", "burn":
		d.draw(now)
	case "close":
		want := d.sit(l.Round)
		for screen := now.Floor.Box; ; screen = d.last().Floor.Box {
			if have, _ := table.MakeSeats(screen.Playing, table.MaxSeats); have == want {
				break
			}
			d.press(map[bool]box.Button{true: box.Hit, false: box.Stand}[want.Has(screen.Cursor)])
		}
		d.press(box.Next)
	case "insurance":
		first := *l
		for d.last().Layout.Due != nil && d.last().Layout.Due.Kind == "insurance" {
			d.press(map[string]box.Button{"yes": box.Hit, "no": box.Stand, "next": box.Next}[d.insures(&first, d.last().Floor.Box.Cursor)])
		}
	case "decision":
		d.enter(now)
	default:
		d.press(box.Next) // open, peek, reveal
	}
}

// enter enters a decision. A hit needs no button where it is implied; half of them have one, and so has one before the cut card.
func (d *dealer) enter(now *table.Snapshot) {
	switch d.decide(&now.Layout) {
	case "hit":
		if d.rules.ImpliedHit && d.cards.cut != 0 && d.dice(2, "implied", now.Seq) == 0 {
			d.draw(now)
			return
		}
		d.press(box.Hit)
	case "stand":
		d.press(box.Stand)
	case "double":
		d.press(box.Double)
	case "split":
		d.press(box.Split)
	case "surrender":
		d.press(box.Split, box.Down, box.Held, box.Up)
	}
}

func (d *dealer) draw(now *table.Snapshot) {
	if now.Locked() {
		d.t.Fatalf("the shoe is locked, and a card is due: %+v", now.Layout.Due)
	}
	d.drawn++
	d.device(d.drawn, d.cards.next())
}

// words are the calls of an entry one by one, without those of pauses.
func words(t *testing.T, calls json.RawMessage) []string {
	var list []json.RawMessage
	if err := json.Unmarshal(calls, &list); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, c := range list {
		if w := word(c); w != "paused" && w != "resumed" {
			said = append(said, string(c))
		}
	}
	return said
}

func word(call []byte) string {
	var c struct{ Call string }
	json.Unmarshal(call, &c)
	return c.Call
}

// TestAWholeShoeByButtons: with six buttons, the key and a shoe, and no game server, each preset's cards, decisions and results are the
// same as by commands, to the byte of each call.
func TestAWholeShoeByButtons(t *testing.T) {
	for _, c := range []struct {
		preset string
		seed   uint64 // of a shoe that has what it must
		shoes  uint32
		stops  bool
		change func(*blackjack.Rules)
		must   []string // what the shoe must have had
	}{
		{"deluxe", 3, 1, false, nil, []string{`"split"`, `"double"`, `"surrender"`, `"insure"`, `"decline"`, `"peek"`, `"reveal"`, `"cut"`}},
		{"deluxe", 3, 1, true, nil, []string{`"split"`, `"double"`, `"surrender"`}},
		{"deluxe", 3, 1, false, func(r *blackjack.Rules) { r.ImpliedHit, r.SplitDeal = false, blackjack.Both }, []string{`"split"`}},
		{"classic", 22, 30, false, nil, []string{`"split"`, `"double"`, `"peek"`, `"even-money"`}},
		{"live", 3, 3, false, nil, []string{`"split"`, `"double"`, `"insure"`, `"cut"`}},
		{"didactic", 3, 8, true, nil, []string{`"split"`, `"double"`}},
	} {
		t.Run(fmt.Sprintf("%s/%v", c.preset, c.stops), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rules := blackjack.Presets[c.preset]()
				rules.Buttons, rules.ImpliedHit, rules.ImpliedPeek, rules.ImpliedReveal = true, true, rules.Peek == blackjack.PeekNever, !rules.HoleCard
				if c.change != nil {
					c.change(&rules)
				}
				d := &dealer{players: &players{c.seed, rules}}
				if c.stops {
					d.stops = rand.New(rand.NewPCG(c.seed, 5))
				}
				d.desk = mustSit(t, t.TempDir(), boxed(func(r *blackjack.Rules) { *r = rules })).run()
				d.byButton(c.shoes)
				want, got := d.byCommand(t, c.shoes), []string{}
				for _, e := range entries(t, d.live.journal) {
					got = append(got, words(t, e.Calls)...)
				}
				d.leave()
				if c.stops { // after each what is due is said again
					again := func(s string) bool { return slices.Contains([]string{"stopped", "released", "due"}, word([]byte(s))) }
					got, want = slices.DeleteFunc(got, again), slices.DeleteFunc(want, again)
				}
				if i := firstDifference(got, want); i >= 0 {
					t.Errorf("call %d of %d and %d:\nbuttons  %s\ncommands %s", i, len(got), len(want), got[min(i, len(got)-1)], want[min(i, len(want)-1)])
				}
				for _, m := range c.must {
					if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, m) }) {
						t.Errorf("the shoe had no %s", m)
					}
				}
			})
		})
	}
}

// firstDifference is where two lists differ, -1 for nowhere.
func firstDifference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}
