package main

import (
	"flag"
	"testing"

	"sabot/table"
	"sabot/table/sim"
)

var cleanRounds = flag.Int("rounds", 1000, "how many rounds of each preset TestCleanRoundsRaiseNothing plays")

// clean is a table at which nobody errs.
type clean struct {
	t      *testing.T
	name   string
	people *sim.People
	game   table.Game
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
			c := &clean{t: t, name: preset, people: sim.NewPeople(int(p.House.Decks), true, 2026), game: p.New(table.Opening{})}
			for c.rounds < *cleanRounds {
				l := c.game.Layout()
				c.do(c.people.Next(&l))
			}
			total, shoes = total+c.rounds, shoes+c.shoes
		}
	}
	t.Logf("%d rounds of %d shoes, all games: nothing was called irregular, nothing refused", total, shoes)
}

func (c *clean) do(e table.Event) {
	c.t.Helper()
	if e.Kind == table.NoEvent {
		c.t.Fatalf("%s: nobody does what is due of %+v", c.name, c.game.Layout())
	}
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
		case table.CallShoe:
			c.shoes++
		}
	}
}
