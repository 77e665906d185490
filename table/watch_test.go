package table_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
)

// coups plays coups with the cards of a shoe as long as nothing stops the table, and gives all that was said of them.
func coups(t *testing.T, cards []shoe.Card, games ...table.Game) []byte {
	t.Helper()
	var first []byte
	next := 0
	for seq := int64(1000); next < len(cards); seq++ {
		l := games[0].Layout()
		line := "close none"
		switch {
		case l.Stopped != nil:
			return first
		case l.Due.Kind == "open":
			line = "open"
		case l.Due.Kind == "card":
			line = fmt.Sprintf("draw %v", cards[next])
			next++
		}
		e, err := table.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		e.Seq = seq
		var x []byte
		for i, g := range games {
			b := said(g.Step(e, nil))
			if i > 0 && !bytes.Equal(b, x) {
				t.Fatalf("%s: one table says\n%s\nthe other\n%s", line, x, b)
			}
			x = b
		}
		first = append(first, x...)
	}
	return first
}

// TestTheLastShoeSurvivesItsSegment: a table made anew of what a segment of the record opens with finds the last shoe's order as one that played it.
func TestTheLastShoeSurvivesItsSegment(t *testing.T) {
	r := baccarat.PuntoBanco()
	r.Burn = table.BurnRule{}
	g := table.NewRound(baccarat.New(&r, table.Opening{Open: true, Shoe: 1}))
	rng := rand.New(rand.NewPCG(3, 3))
	var cards []shoe.Card
	for range 8 {
		cards = append(cards, shoe.Deck()...)
	}
	rng.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	if all := coups(t, cards[:300], g); bytes.Contains(all, []byte("ORDER")) {
		t.Fatal("a shuffled shoe is taken for none")
	}
	for _, line := range []string{"void by S-1", "retire by S-1", "shoe 2 by S-1"} {
		e, _ := table.Parse(line)
		g.Step(e, nil)
	}
	o := g.Opening()
	if len(o.Last) != 600 || !strings.HasPrefix(o.Last, cards[0].String()+cards[1].String()) {
		t.Fatalf("the opening has %q", o.Last)
	}
	again := table.NewRound(baccarat.New(&r, o)).After(o)
	all := coups(t, append(append([]shoe.Card{}, cards[100:]...), cards[:100]...), g, again)
	if !bytes.Contains(all, []byte("LAST_SHOE_ORDER")) {
		t.Error("the same shoe, cut, was not found")
	}
}

// TestTheOrderHoldsNoSecret: burnt cards, cards aside and the hole card before its turn are in no order.
func TestTheOrderHoldsNoSecret(t *testing.T) {
	r := blackjack.Deluxe()
	g := table.NewRound(blackjack.New(&r, table.Opening{Open: true, Shoe: 1}))
	for i, line := range []string{
		"draw 2c", "draw 3c", "draw 4c", "open", "close 1", "draw 5c", "draw 6c", "draw 7c", "draw 8c", "draw 9c", "release 10 burn by S-1", "stop", "void by S-1", "retire by S-1", "shoe 2 by S-1",
	} {
		e, _ := table.Parse(line)
		e.Seq = int64(i + 1)
		g.Step(e, nil)
	}
	if last := g.Opening().Last; last != "2c----5c6c7c----" {
		t.Errorf("the order is %s", last)
	}
}

// TestStopsStandInTheOrderOfTheirRelease: what holds the table later stands behind what holds it now, though it is older.
func TestStopsStandInTheOrderOfTheirRelease(t *testing.T) {
	r := baccarat.PuntoBanco()
	r.Burn, r.Decks = table.BurnRule{}, 1
	g := table.NewRound(baccarat.New(&r, table.Opening{Open: true, Shoe: 1}))
	for i, line := range []string{"open", "close none", "draw 2c", "draw 2c", "stop", "draw 3c", "draw 4c"} {
		e, _ := table.Parse(line)
		e.Seq = int64(i + 1)
		g.Step(e, nil)
	}
	var stops []string
	for _, s := range table.Stops(g) {
		stops = append(stops, fmt.Sprint(s.Irregularity, " ", s.Code, " ", s.Later))
	}
	if got := strings.Join(stops, ", "); got != "5 STOP false, 7 CARD_HELD false, 4 CARD_COPIES true" {
		t.Errorf("the stops are %s", got)
	}
}
