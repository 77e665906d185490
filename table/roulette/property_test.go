package roulette_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"sabot/table"
	"sabot/table/roulette"
)

// lines are what may happen at a table, right or wrong; a number is added to "result".
var lines = []string{
	"open", "close none", "close 1,3", "timeout bets", "ball", "ball", "result ", "result ", "result ", "no-spin", "no-more-bets", "proposed 17", "proposed 37", "stop", "pause by S-1", "resume by S-1", "resume by S-1",
	"void by S-1", "restart 3s", "lost wheel", "found wheel", "draw 9s", "cut", "shoe 1 by S-1", "retire by S-1", "table open by S-1", "table close by S-1",
}

// happens is what is due, and every third time anything.
func happens(rng *rand.Rand, g *roulette.Game) table.Event {
	l := g.Layout()
	stops := table.Stops(g)
	switch chance := rng.IntN(3) == 0; {
	case chance:
		return anything(rng)
	case len(stops) > 0:
		return table.Event{Kind: table.Release, N: stops[0].Irregularity, Text: &table.Text{By: "S-1"}}
	case l.Stopped != nil:
		return table.Event{Kind: table.Resume, Text: &table.Text{By: "S-1"}}
	case l.Phase == table.Closed:
		return table.Event{Kind: table.TableOpen, Text: &table.Text{By: "S-1"}}
	}
	return table.Event{Kind: table.ParseKind(l.Due.Kind), N: int64(rng.IntN(table.Pockets))}
}

func anything(rng *rand.Rand) table.Event {
	e, _ := table.Parse(lines[rng.IntN(len(lines))])
	if e.Kind == table.NoEvent {
		e = table.Event{Kind: table.Result, N: int64(rng.IntN(table.Pockets + 2))}
		if rng.IntN(4) == 0 {
			e.Text = &table.Text{By: "S-1"}
		}
	}
	return e
}

// TestRandomPlayKeepsItsPromises: two games do the same; what is refused or asked changes nothing; a number is called to all once a
// round, of a wheel's pockets, with the bets closed and the table going on.
func TestRandomPlayKeepsItsPromises(t *testing.T) {
	rules := roulette.SingleZero()
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := roulette.New(&rules, table.Opening{})
		twin := g
		numbers, last := 0, uint32(0)
		for i := range int64(2000) {
			e := happens(rng, &g)
			before := g
			if code := g.Check(e); g != before || e.Asked() && code != table.OK {
				if g != before {
					t.Fatalf("seed %d: asking %q changed the game", seed, e)
				}
				continue
			}
			e.Seq = i + 1
			calls := g.Step(e, nil)
			twin.Step(e, nil)
			if g != twin {
				t.Fatalf("seed %d: %q makes two games differ", seed, e)
			}
			for _, c := range calls {
				if c.Word != table.CallNumber || c.To != table.ToAll {
					continue
				}
				if e.Kind == table.Proposed || e.Kind == table.NoMoreBets {
					t.Fatalf("seed %d: %q is a result", seed, e)
				}
				numbers++
				if before.Phase != table.Spin || g.Stopped() || g.Round == last || c.N < 0 || c.N > 36 {
					t.Fatalf("seed %d: %q called %d in %v, round %d after %d", seed, e, c.N, before.Phase, g.Round, last)
				}
				last = g.Round
			}
		}
		if numbers < 100 {
			t.Errorf("seed %d: only %d numbers in 2000 events", seed, numbers)
		}
	}
}

// TestAWaitingNumberIsNotPublic lets two numbers fall on a table that is stopped, wherever random play has come to.
func TestAWaitingNumberIsNotPublic(t *testing.T) {
	rules := roulette.SingleZero()
	held := 0
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := roulette.New(&rules, table.Opening{})
		for i := range int64(500) {
			if e := happens(rng, &g); !e.Asked() || g.Check(e) == table.OK {
				e.Seq = i + 1
				g.Step(e, nil)
			}
			if x, y := public(g, table.Proposed, 5), public(g, table.Proposed, 6); !bytes.Equal(x, y) {
				t.Fatalf("seed %d: the proposals 5 and 6 differ:\n%s\n%s", seed, x, y)
			}
			if !g.Stopped() {
				continue
			}
			held++
			if x, y := public(g, table.Result, 5), public(g, table.Result, 6); !bytes.Equal(x, y) {
				t.Fatalf("seed %d: 5 and 6 differ on a stopped table:\n%s\n%s", seed, x, y)
			}
		}
	}
	if held < 1000 {
		t.Errorf("the table was stopped only %d times", held)
	}
}

// public is every byte that everybody may see of a number.
func public(g roulette.Game, kind table.Kind, n int64) []byte {
	calls := g.Step(table.Event{Seq: 1 << 20, Kind: kind, N: n}, nil)
	layout, err := json.Marshal(g.Layout())
	if err != nil {
		panic(err)
	}
	return append(table.AppendCalls(nil, calls, table.ToAll), layout...)
}

func TestTheRecapTellsTheNumber(t *testing.T) {
	var recap *table.Recap
	recap = recap.Fold([]table.Call{{Word: table.CallNumber, N: 0}, {Word: table.CallEnd, N: 9, Ended: table.EndedPlayedOut}})
	if recap == nil || recap.Spin == nil || *recap.Spin != (table.LayoutSpin{Number: 0, Colour: "green"}) || recap.Round != 9 {
		t.Errorf("%+v", recap)
	}
}
