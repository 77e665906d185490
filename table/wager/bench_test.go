package wager_test

import (
	"fmt"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/wager"
)

// full is a table with a full ledger: seven seats, each doubled on and followed by many behind, and the events of a round.
func full(t testing.TB) (*betting, []table.Event) {
	rules, bets := blackjack.Deluxe(), wager.Deluxe()
	rules.Burn = table.BurnRule{}
	bets.SeatsEach = table.MaxSeats
	g := wager.New(blackjack.New(&rules, table.Opening{}), &bets)
	step := func(line string) table.Event {
		e, err := table.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	g.Step(step("table open by S-1"), nil)
	g.Step(step("shoe 1 by S-1"), nil)
	lines := []string{"open", "bet " + strings.Repeat("x", table.MaxReference) + " 1 1000000000000, 2 1000000000000, 3 1000000000000, 4 1000000000000, 5 1000000000000, 6 1000000000000, 7 1000000000000"}
	for i := range 89 {
		lines = append(lines, fmt.Sprintf("bet bettor-%017d %d 1000000000000 behind", i, i%7+1))
	}
	lines = append(lines, "close 1,2,3,4,5,6,7")
	var events []table.Event
	for _, line := range lines {
		events = append(events, step(line))
	}
	return &g, events
}

// deal deals the round: eights for all against an ace, insured by all, every hand split and stood.
func deal(g *betting, do func(table.Event)) {
	rank := shoe.Rank(8)
	for range 500 {
		l := g.Layout()
		if l.Due == nil || l.Due.Kind == "open" {
			return
		}
		switch l.Due.Kind {
		case "card":
			rank = 8
			if l.Due.Hand == "dealer" {
				rank = map[bool]shoe.Rank{true: 1, false: 9}[len(l.Seats[0].Hands[0].Cards) == 1]
			}
			do(table.Event{Kind: table.Draw, Card: shoe.New(rank, shoe.Suit(len(l.Seats[0].Hands[0].Cards)%4))})
		case "insurance":
			for i := range 89 {
				do(table.Event{Kind: table.Insure, Hand: table.SeatHand(i%7+1, 0), Text: &table.Text{Name: fmt.Sprintf("bettor-%017d", i)}})
			}
			for n := 1; n <= table.MaxSeats; n++ {
				do(table.Event{Kind: table.Insure, Hand: table.SeatHand(n, 0)})
			}
		case "decision":
			hand := table.ParseHand(l.Due.Hand)
			for i := range 89 {
				if i%7+1 == hand.Seat() {
					do(table.Event{Kind: table.Follow, Hand: hand, Action: table.Split, Text: &table.Text{Name: fmt.Sprintf("bettor-%017d", i)}})
				}
			}
			if strings.HasSuffix(l.Due.Hand, "a") && g.Check(table.Event{Kind: table.Split, Hand: hand}) == table.OK {
				do(table.Event{Kind: table.Split, Hand: hand})
				continue
			}
			do(table.Event{Kind: table.Stand, Hand: hand})
		}
	}
}

// A full ledger's settlement fits one entry of the record, and one message: 64 KiB with what else they hold.
func TestFullLedgerFitsAnEntry(t *testing.T) {
	g, events := full(t)
	most, paid := 0, 0
	do := func(e table.Event) {
		if code := g.Check(e); e.Kind != table.Draw && code != table.OK {
			t.Fatalf("%q: %v", e, code)
		}
		calls := g.Step(e, nil)
		for _, c := range calls {
			if c.Word == table.CallPaid {
				paid++
			}
		}
		most = max(most, len(table.AppendCalls(nil, calls, table.ToGame))+len(table.AppendCalls(nil, calls, table.ToAll)))
	}
	for _, e := range events {
		do(e)
	}
	deal(g, do)
	if paid != 3*96 { // each bet's two hands and its insurance
		t.Errorf("%d payments", paid)
	}
	if most > 60<<10 {
		t.Errorf("one entry has %d bytes of calls", most)
	}
	t.Logf("%d payments; the largest entry has %d bytes of calls", paid, most)
}

// A round of a full ledger allocates nothing, but for what its slips say.
func TestStepsDoNotAllocate(t *testing.T) {
	calls := make([]table.Call, 0, 1024)
	g, events := full(t)
	start := *g
	for _, e := range events {
		calls = g.Step(e, calls[:0])
	}
	var played []table.Event
	deal(g, func(e table.Event) {
		played = append(played, e)
		calls = g.Step(e, calls[:0])
	})
	if n := testing.AllocsPerRun(5, func() {
		*g = start
		for _, e := range events {
			calls = g.Step(e, calls[:0])
		}
		for _, e := range played {
			calls = g.Step(e, calls[:0])
		}
	}); n != 0 {
		t.Errorf("%v allocations in %d steps", n, len(events)+len(played))
	}
}

// BenchmarkSlip replaces a slip in a full ledger.
func BenchmarkSlip(b *testing.B) {
	g, events := full(b)
	calls := make([]table.Call, 0, 1024)
	for _, e := range events[:len(events)-1] {
		calls = g.Step(e, calls[:0])
	}
	slip := events[len(events)-2]
	b.ReportAllocs()
	for b.Loop() {
		if g.Check(slip) != table.OK {
			b.Fatal("refused")
		}
		calls = g.Step(slip, calls[:0])
	}
}
