package baccarat_test

import (
	"fmt"
	"strings"
	"testing"

	"sabot/table"
	"sabot/table/baccarat"
)

// coups is a table at which lines of the notation happen.
type coups struct {
	table.Game
	t   *testing.T
	seq int64
}

func newCoups(t *testing.T) *coups {
	rules := baccarat.PuntoBanco()
	rules.Burn = table.BurnRule{}
	return &coups{Game: table.NewRound(baccarat.New(&rules, table.Opening{})), t: t}
}

// do has lines happen, none of which may be refused.
func (g *coups) do(lines ...string) {
	g.t.Helper()
	for _, line := range lines {
		e, err := table.Parse(line)
		if err != nil {
			g.t.Fatal(err)
		}
		g.seq++
		if e.Seq = g.seq; e.Asked() && g.Check(e) != table.OK {
			g.t.Fatalf("%s is refused: %v", line, g.Check(e))
		}
		g.Step(e, nil)
	}
}

// The shoe's coups stand in the layout as roads need them: none of a void round, a corrected one as it was corrected, and of another shoe none.
func TestCoupsOfAShoe(t *testing.T) {
	g := newCoups(t)
	expect := func(what, want string) {
		t.Helper()
		if got := strings.Join(g.Layout().Coups, " "); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	coup := func(cards ...string) {
		t.Helper()
		g.do("open", "close none")
		for _, c := range cards {
			g.do("draw " + c)
		}
	}
	g.do("table open by S-1", "shoe 1 by S-1")
	expect("a new shoe", "")
	coup("9s", "2d", "Kh", "5c")
	expect("a natural", "Pn")
	coup("3s", "4d", "3h", "4c")
	expect("two pairs, a natural", "Pn Bnpb")
	g.do("open", "close none", "draw 2s", "draw 3s")
	expect("a coup under way", "Pn Bnpb")
	g.do("void by S-1 because \"misdealt\"")
	expect("it is void", "Pn Bnpb")
	coup("7s", "7d", "Kh", "Kc")
	expect("a tie", "Pn Bnpb T")
	g.do("correct " + fmt.Sprint(g.seq) + " Tc by S-1 because \"misread\"")
	expect("corrected to the same", "Pn Bnpb T")
	g.do("correct " + fmt.Sprint(g.seq-2) + " 2c by S-1 because \"misread\"") // the Player's second card
	expect("corrected", "Pn Bnpb Pn")
	g.do("open")
	g.do("correct " + fmt.Sprint(g.seq-4) + " Kd by S-1 because \"it was right\"") // of the last round, while the next one's bets are taken
	expect("the last coup corrected", "Pn Bnpb T")
	g.do("close none", "draw 2s", "draw 9s", "draw 2s", "draw Ks")
	expect("the next", "Pn Bnpb T Bnp")
	shown := g.Layout()
	g.do("correct " + fmt.Sprint(g.seq) + " 9d by S-1 because \"misread\"")
	if expect("corrected at once", "Pn Bnpb T Bnpb"); strings.Join(shown.Coups, " ") != "Pn Bnpb T Bnp" {
		t.Errorf("a layout that was shown is changed: %v", shown.Coups)
	}
	g.do("retire by S-1 because \"a card is marked\"")
	expect("the shoe retired", "Pn Bnpb T Bnpb")
	g.do("shoe 2 by S-1")
	expect("another shoe", "")
	coup("9s", "2d", "Kh", "5c")
	expect("its first", "Pn")
	g.do("table close by S-1")
	expect("a closed table", "")
}

// A coup that is void although it had ended leaves the roads: at once, and from behind while the next one's bets are taken.
func TestCoupsOfVoidRounds(t *testing.T) {
	g := newCoups(t)
	for _, x := range []struct{ lines, want string }{
		{"table open by S-1, shoe 1 by S-1, open, close none, draw 9s, draw 2d, draw Kh, draw 5c", "Pn"},
		{"open, close none, draw 3s, draw 4d, draw 3h, draw 4c", "Pn Bnpb"},
		{"void by S-1", "Pn"},
		{"open, close none, draw 7s, draw 7d, draw Kh, draw Kc", "Pn T"},
		{"open", "Pn T"},
		{"void 3 by S-1", "Pn"},
		{"close none, draw 9s, draw 2d, draw Kh, draw 5c", "Pn Pn"},
		{"open, void 5 by S-1", "Pn Pn"}, // before its first card
		{"void 4 by S-1", "Pn"},          // the one before it is in reach still
		{"open, close none, draw 2s, draw 9s, draw 2s, draw 9d", "Pn Bnpb"},
		{"table close by S-1", ""},
		{"void 6 by S-1", ""},
	} {
		g.do(strings.Split(x.lines, ", ")...)
		l := g.Layout()
		if got := strings.Join(l.Coups, " "); got != x.want || strings.HasPrefix(x.lines, "void") && (l.Coup != nil || l.Player != nil) {
			t.Errorf("%s: %q, %+v; want %q", x.lines, got, l, x.want)
		}
	}
}
