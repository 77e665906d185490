package main

import (
	"flag"
	"math/rand/v2"
	"testing"

	"sabot/shoe"
	"sabot/table"
)

var cleanRounds = flag.Int("rounds", 1000, "how many rounds of each preset TestCleanRoundsRaiseNothing plays")

// clean is a table at which nobody errs: shuffled shoes, their cut card in the last quarter, every card where it is due.
type clean struct {
	t      *testing.T
	name   string
	rng    *rand.Rand
	game   table.Game
	decks  int
	cards  []shoe.Card
	drawn  int
	cutAt  int
	seq    int64
	shoes  int64
	rounds int
	calls  []table.Call
}

// TestCleanRoundsRaiseNothing plays every preset with the whole procedure around it, ledger, order of the shoe and end count included: nothing may be called
// irregular, and no command refused. -args -rounds 1000000 plays so many of each.
func TestCleanRoundsRaiseNothing(t *testing.T) {
	total, shoes := 0, int64(0)
	for _, game := range sorted(games) {
		for _, preset := range sorted(games[game]) {
			p, err := newPlay(game, map[string]string{"preset": preset, "bets": "on"})
			if err != nil {
				t.Fatal(err)
			}
			c := &clean{t: t, name: preset, rng: rand.New(rand.NewPCG(2026, 7)), game: p.New(table.Opening{}), decks: int(p.House.Decks)}
			c.do(table.Event{Kind: table.TableOpen, Text: &table.Text{By: "S-1"}})
			for c.rounds < *cleanRounds {
				c.turn()
			}
			total, shoes = total+c.rounds, shoes+c.shoes
		}
	}
	t.Logf("%d rounds of %d shoes, all games: nothing was called irregular, nothing refused", total, shoes)
}

func (c *clean) do(e table.Event) {
	c.t.Helper()
	c.seq++
	e.Seq = c.seq
	if e.Asked() {
		if code := c.game.Check(e); code != table.OK {
			c.t.Fatalf("%s, round %d: %v is refused: %v", c.name, c.rounds, e, code)
		}
	}
	c.calls = c.game.Step(e, c.calls[:0])
	for i := range c.calls {
		switch c.calls[i].Word {
		case table.CallIrregular:
			c.t.Fatalf("%s, shoe %d, round %d: %v raises %v", c.name, c.shoes, c.rounds, e, c.calls[i].Code)
		case table.CallEnd:
			c.rounds++
		}
	}
}

// turn does what is due.
func (c *clean) turn() {
	l := c.game.Layout()
	by := &table.Text{By: "S-1"}
	switch l.Due.Kind {
	case "shoe":
		if c.shoes > 0 {
			c.do(table.Event{Kind: table.Count, N: int64(len(c.cards) - c.drawn), Text: by})
		}
		c.shoes++
		c.fill()
		c.do(table.Event{Kind: table.NewShoe, N: c.shoes, Text: by})
	case "open":
		c.do(table.Event{Kind: table.Open})
	case "close":
		for _, slip := range slips[l.Game] {
			e, err := table.Parse(slip)
			if err != nil {
				c.t.Fatal(err)
			}
			c.do(e)
		}
		c.do(table.Event{Kind: table.Close, Seats: table.Seat(1) | table.Seat(2)})
	case "card", "burn":
		c.draw()
	case "insurance":
		c.do(table.Event{Kind: table.Decline, Hand: table.SeatHand(l.Due.Seats[0], 0)})
	case "decision":
		c.do(table.Event{Kind: table.ParseKind(l.Due.May[c.rng.IntN(len(l.Due.May))])})
	case "ball":
		c.do(table.Event{Kind: table.Ball})
	case "result":
		c.do(table.Event{Kind: table.Result, N: int64(c.rng.IntN(37))})
	default:
		c.t.Fatalf("%s: nobody here does %q", c.name, l.Due.Kind)
	}
}

// slips are what is bet each round, by game.
var slips = map[string][]string{"blackjack": {"bet P-1 1 100", "bet P-2 2 100"}, "baccarat": {"bet P-1 player 100, tie 10", "bet P-2 banker 50"}, "roulette": {"bet P-1 red 20, straight 17 10"}}

func (c *clean) fill() {
	c.cards, c.drawn = c.cards[:0], 0
	for range c.decks {
		c.cards = append(c.cards, shoe.Deck()...)
	}
	c.rng.Shuffle(len(c.cards), func(i, j int) { c.cards[i], c.cards[j] = c.cards[j], c.cards[i] })
	c.cutAt = len(c.cards)*4/5 + c.rng.IntN(16)
}

// draw draws the next card, the cut card where it lies.
func (c *clean) draw() {
	if c.drawn == c.cutAt {
		c.cutAt = -1
		c.do(table.Event{Kind: table.Cut})
		return
	}
	c.do(table.Event{Kind: table.Draw, Card: c.cards[c.drawn]})
	c.drawn++
}
