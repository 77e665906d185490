package roulette_test

import (
	"fmt"
	"slices"
	"testing"

	"sabot/table"
	"sabot/table/roulette"
	"sabot/table/tabletest"
)

// newGame makes the table a transcript asks for: `game roulette preset=roulette spin=after_bets …`.
func newGame(game string, settings map[string]string) (table.Game, error) {
	r, err := tabletest.Rules(roulette.Presets, settings, settingsOf)
	if game != "roulette" || err != nil {
		return nil, fmt.Errorf("no such table: %s: %w", game, err)
	}
	return table.NewRound(roulette.New(r, table.Opening{})), nil
}

// settingsOf are the rules' settings and the house's orders.
func settingsOf(r *roulette.Rules) table.Settings {
	return append(r.Settings(), r.Orders.Settings()...)
}

func TestTranscripts(t *testing.T) { tabletest.Transcripts(t, newGame) }

func TestLayouts(t *testing.T) { tabletest.Layouts(t, newGame) }

// felt is the layout of the table, as it is printed, with the colours of the wheel. A row is a street; its columns are the three columns.
var felt = []string{
	" 1 red    2 black  3 red", " 4 black  5 red    6 black", " 7 red    8 black  9 red", "10 black 11 black 12 red",
	"13 black 14 red   15 black", "16 red   17 black 18 red", "19 red   20 black 21 red", "22 black 23 red   24 black",
	"25 red   26 black 27 red", "28 black 29 black 30 red", "31 black 32 red   33 black", "34 red   35 black 36 red",
}

// calledFor are the calls of a spin that gives n, as JSON.
func calledFor(t *testing.T, n int) string {
	r := roulette.SingleZero()
	g := roulette.New(&r, table.Opening{Open: true})
	var calls []table.Call
	for _, line := range []string{"open", "ball", "close none", fmt.Sprint("result ", n)} {
		e, err := table.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		calls = g.Step(e, nil)
	}
	return string(table.AppendCalls(nil, calls[:1], table.ToAll))
}

func TestEveryPocket(t *testing.T) {
	want := map[int]string{0: `[{"call":"number","number":0,"colour":"green"}]`}
	for row, line := range felt {
		var n [3]int
		var colour [3]string
		if _, err := fmt.Sscan(line, &n[0], &colour[0], &n[1], &colour[1], &n[2], &colour[2]); err != nil {
			t.Fatal(err)
		}
		for column := range 3 {
			parity, half := []string{"even", "odd"}[n[column]%2], []string{"low", "high"}[row/6]
			want[n[column]] = fmt.Sprintf(`[{"call":"number","number":%d,"colour":%q,"dozen":%d,"column":%d,"parity":%q,"half":%q}]`, n[column], colour[column], row/4+1, column+1, parity, half)
		}
	}
	if len(want) != table.Pockets {
		t.Fatalf("the felt has %d numbers", len(want))
	}
	for n, calls := range want {
		if got := calledFor(t, n); got != calls {
			t.Errorf("%s; want %s", got, calls)
		}
	}
}

// TestEvenChances counts what each bet of several numbers covers: 18 or 12 of them, and never the zero.
func TestEvenChances(t *testing.T) {
	sets := map[string]func(n table.Number) bool{
		"red": func(n table.Number) bool { return n.Colour() == table.Red }, "black": func(n table.Number) bool { return n.Colour() == table.Black },
		"even": table.Number.Even, "odd": table.Number.Odd, "low": table.Number.Low, "high": table.Number.High,
	}
	for i := 1; i <= 3; i++ {
		sets[fmt.Sprint("dozen ", i)] = func(n table.Number) bool { return n.Dozen() == i }
		sets[fmt.Sprint("column ", i)] = func(n table.Number) bool { return n.Column() == i }
	}
	for name, covers := range sets {
		count := 0
		for n := range table.Number(table.Pockets) {
			if covers(n) {
				count++
			}
		}
		if want := map[bool]int{true: 18, false: 12}[len(name) < 6]; count != want || covers(0) {
			t.Errorf("%s covers %d numbers, the zero %v; want %d", name, count, covers(0), want)
		}
	}
}

// The day's last numbers stand in the layout, newest first; a void round has none.
func TestLastNumbers(t *testing.T) {
	r := roulette.SingleZero()
	g := table.NewRound(roulette.New(&r, table.Opening{Open: true}))
	if l := g.Layout(); l.Phase != table.Bets || l.Due.Kind != "open" || l.Spins != nil {
		t.Errorf("an open table begins with %+v", l)
	}
	seq := int64(0)
	do := func(events ...table.Event) {
		for _, e := range events {
			seq++
			e.Seq = seq
			g.Step(e, nil)
		}
	}
	expect := func(what string, want ...int) {
		t.Helper()
		if got := g.Layout().Spins; !slices.Equal(got, want) {
			t.Errorf("%s: the last numbers are %v; want %v", what, got, want)
		}
	}
	spin := func(n int64) {
		do(table.Event{Kind: table.Open}, table.Event{Kind: table.Close}, table.Event{Kind: table.Ball}, table.Event{Kind: table.Result, N: n})
	}
	spin(17)
	spin(0)
	spin(32)
	expect("three", 32, 0, 17)
	if l := g.Layout(); l.Spin == nil || *l.Spin != (table.LayoutSpin{Number: 32, Colour: "red"}) || l.Phase != table.Results {
		t.Errorf("the layout shows %+v in %v", l.Spin, l.Phase)
	}
	do(table.Event{Kind: table.Open})
	expect("a fourth round", 32, 0, 17)
	do(table.Event{Kind: table.Void, N: 4, Text: &table.Text{By: "S-1"}})
	expect("which is void", 32, 0, 17)
	spin(9)
	do(table.Event{Kind: table.Void, Text: &table.Text{By: "S-1"}})
	if l := g.Layout(); l.Spin != nil || l.Ended != "" || l.Phase != table.Results {
		t.Errorf("a void round shows %+v, %q in %v", l.Spin, l.Ended, l.Phase)
	}
	expect("void when it had ended", 32, 0, 17)
	spin(11)
	do(table.Event{Kind: table.Open})
	expect("another", 11, 32, 0, 17)
	do(table.Event{Kind: table.Void, N: 6, Text: &table.Text{By: "S-1"}})
	expect("void while the next one's bets are taken", 32, 0, 17)
	do(table.Event{Kind: table.Void, N: 7, Text: &table.Text{By: "S-1"}})
	for n := range int64(300) {
		spin(n % 37)
	}
	if got := g.Layout().Spins; len(got) != 200 || got[0] != 299%37 || got[199] != 100%37 {
		t.Errorf("of 303 numbers %d are shown: %v", len(got), got)
	}
	do(table.Event{Kind: table.TableClose})
	expect("a closed table")
	do(table.Event{Kind: table.Ball}, table.Event{Kind: table.TableOpen})
	if l := g.Layout(); l.Spins != nil || l.Spin != nil || l.Due.Kind != "open" {
		t.Errorf("a new day begins with %+v", l)
	}
}

func TestSettingsReadWhatTheyWrite(t *testing.T) {
	tabletest.ReadBack(t, roulette.SingleZero, settingsOf)
}

func TestProblems(t *testing.T) {
	r := roulette.SingleZero()
	if p := r.Problems(); p != nil {
		t.Errorf("the preset has problems: %v", p)
	}
	r.Decks, r.Seats = 8, 0
	if p := r.Problems(); len(p) != 2 || p[0].Field != "decks" || p[1].Field != "seats" {
		t.Errorf("%v", p)
	}
}

// BenchmarkSpin is a round: open, ball, close, result. No step may allocate.
func BenchmarkSpin(b *testing.B) {
	r := roulette.SingleZero()
	g := roulette.New(&r, table.Opening{Open: true})
	calls := make([]table.Call, 0, 16)
	n := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		n = (n + 23) % table.Pockets
		for _, e := range [...]table.Event{{Kind: table.Open}, {Kind: table.Ball}, {Kind: table.Close}, {Kind: table.Result, N: n}} {
			calls = g.Step(e, calls[:0])
		}
	}
}
