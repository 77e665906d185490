package strategy

import (
	"fmt"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/table"
	_ "sabot/table/tabletest" // its flags must be known to every test below table
)

func load(t testing.TB, name string) *Table {
	t.Helper()
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// actions makes a set of decisions.
func actions(kinds ...table.Kind) table.Actions {
	var a table.Actions
	for _, k := range kinds {
		a |= table.Can(k)
	}
	return a
}

var (
	some = actions(table.Hit, table.Stand)
	all  = actions(table.Hit, table.Stand, table.Double, table.Split, table.Surrender)
)

func cards(t testing.TB, text string) []shoe.Card {
	t.Helper()
	var list []shoe.Card
	for _, w := range strings.Fields(text) {
		c, err := shoe.ParseCard(w)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func TestDecide(t *testing.T) {
	tests := []struct {
		cards string
		up    shoe.Rank
		may   table.Actions
		want  table.Kind
	}{
		{"9s 2d", 6, all, table.Double},
		{"9s 2d", 6, some, table.Hit},               // DH without double
		{"As 7d", 4, all, table.Double},             // soft 18
		{"As 7d", 4, some, table.Stand},             // DS without double
		{"As 7d", 9, all, table.Hit},                //
		{"Ts 6d", 9, all, table.Surrender},          // the one RH of the table
		{"Ts 6d", 9, some, table.Hit},               // RH without surrender
		{"Ts 6d", 10, all, table.Hit},               //
		{"8s 8d", 13, all, table.Split},             // a king is a ten
		{"8s 8d", 9, some, table.Hit},               // 16 without split and surrender
		{"8s 8d", 6, some, table.Stand},             //
		{"As Ad", 6, all, table.Split},              //
		{"As Ad", 6, some, table.Hit},               // soft 12
		{"Ks Qd", 6, all, table.Stand},              // a pair of tens stays
		{"5s 5d", 9, all, table.Double},             // 10
		{"4s 4d", 5, all, table.Split},              //
		{"4s 4d", 4, all, table.Hit},                //
		{"2s 2d", 4, some, table.Hit},               // hard 4
		{"9s 9d", 1, all, table.Stand},              //
		{"9s 9d", 7, all, table.Stand},              //
		{"2s 2d 2h 2c 2s", 4, some, table.Hit},      // no pair any more
		{"As 2d 3h", 6, some, table.Hit},            // soft 16
		{"As 5d Th", 6, some, table.Stand},          // hard 16
		{"As Ad Ac 8h", 10, some, table.Stand},      // soft 21
		{"Ts 6d 9h", 2, some, table.NoEvent},        // bust
		{"2s", 2, some, table.NoEvent},              //
		{"9s 2d", shoe.Rank(0), all, table.NoEvent}, // no up card
	}
	s := load(t, "deluxe")
	for _, test := range tests {
		if got := s.Decide(cards(t, test.cards), test.up, test.may); got != test.want {
			t.Errorf("%s against %d, of %v: %v, want %v", test.cards, test.up, test.may.Words(), got.Word(), test.want.Word())
		}
	}
}

// Every embedded table decides every hand of two cards, and only for what it may.
func TestEveryTableDecidesEveryHand(t *testing.T) {
	for _, name := range Names {
		s := load(t, name)
		for _, a := range shoe.Deck() {
			for _, b := range shoe.Deck() {
				h := []shoe.Card{a, b}
				for up := shoe.Rank(1); up <= 13; up++ {
					for _, may := range []table.Actions{some, all, some | table.Can(table.Double), some | table.Can(table.Split)} {
						if k := s.Decide(h, up, may); !may.Has(k) {
							t.Fatalf("%s: %v %v against %d, of %v: %v", name, a, b, up, may.Words(), k.Word())
						}
					}
				}
			}
		}
	}
}

// The tables differ where their rules do; a file copied under a wrong name would show.
func TestTablesAreTheirRules(t *testing.T) {
	tests := []struct {
		name, cards string
		up          shoe.Rank
		want        table.Kind
	}{
		{"deluxe", "Ts 6d", 9, table.Surrender}, {"classic", "Ts 6d", 9, table.Hit},
		{"classic", "As Ad", 1, table.Split}, {"live", "As Ad", 1, table.Hit},
		{"didactic", "9s 2d", 10, table.Double}, {"live", "9s 2d", 10, table.Hit},
	}
	for _, test := range tests {
		if got := load(t, test.name).Decide(cards(t, test.cards), test.up, all); got != test.want {
			t.Errorf("%s: %s against %d: %v, want %v", test.name, test.cards, test.up, got.Word(), test.want.Word())
		}
	}
}

func TestLoadNamesTheTables(t *testing.T) {
	if _, err := Load("../strategy"); err == nil || !strings.Contains(err.Error(), "deluxe, classic") {
		t.Errorf("Load of no table: %v", err)
	}
}

func text(t testing.TB) string {
	t.Helper()
	b, err := files.ReadFile("deluxe.csv")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestParseRefuses(t *testing.T) {
	good := text(t)
	tests := []struct{ name, old, new, want string }{
		{"header", "hand,2", "hand,3", "line 1, column 1: "},
		{"decision", "H9,H,DH", "H9,H,DX", `line 7, column 6: "DX" is no decision for H9`},
		{"split of a total", "H9,H,DH", "H9,H,P", `line 7, column 6: "P" is no decision for H9`},
		{"row", "H9,", "H3,", `line 7, column 1: "H3" is no row`},
		{"row with a plus", "H9,", "H+9,", `line 7, column 1: "H+9" is no row`},
		{"row with zeros", "H9,", "H09,", `line 7, column 1: "H09" is no row`},
		{"row twice", "H9,", "H8,", "line 7, column 1: row H8 is there twice"},
		{"one too many", "H4,H", "H4,H,H", "line 2, column 24: more than 10 decisions"},
		{"one too few", "H4,H,", "H4,", "line 2, column 21: 9 decisions instead of 10"},
		{"blank line", "H5,", "\nH5,", `line 3, column 1: "" is no row`},
		{"row missing", "H5,H,H,H,H,H,H,H,H,H,H\n", "", "line 39, column 1: 1 of 38 rows are missing"},
	}
	for _, test := range tests {
		bad := strings.Replace(good, test.old, test.new, 1)
		if _, err := Parse(strings.NewReader(bad)); err == nil || !strings.HasPrefix(err.Error(), "strategy: "+test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
	if _, err := Parse(strings.NewReader(good + strings.Repeat("\n", maxFile))); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("too long: %v", err)
	}
	if _, err := Parse(strings.NewReader(strings.ReplaceAll(good, "\n", "\r\n"))); err != nil {
		t.Errorf("CRLF: %v", err)
	}
}

func TestDecideDoesNotAllocate(t *testing.T) {
	s := load(t, "deluxe")
	hand := cards(t, "8s 8d")
	if n := testing.AllocsPerRun(100, func() { s.Decide(hand, 6, all) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What Parse takes has exactly the rows and says the same again.
func FuzzParse(f *testing.F) {
	f.Add(text(f))
	f.Add(header + "\nH4,H\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "strategy: ") {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := Parse(strings.NewReader(s.csv()))
		if err != nil || *again != *s {
			t.Fatalf("written and read back: %v\n%s", err, s.csv())
		}
	})
}

// csv writes the table.
func (t *Table) csv() string {
	words := map[move]string{}
	for w, m := range codes {
		words[m] = w
	}
	b := header + "\n"
	line := func(name string) {
		b += name
		for _, c := range columns {
			b += "," + words[t.row(name)[c]]
		}
		b += "\n"
	}
	for n := range 22 {
		for _, name := range []string{fmt.Sprint("H", n), fmt.Sprint("S", n), fmt.Sprint("P", n)} {
			if t.row(name) != nil {
				line(name)
			}
		}
	}
	line("PA")
	return b
}

func BenchmarkDecide(b *testing.B) {
	s := load(b, "deluxe")
	hand := cards(b, "9s 2d")
	b.ReportAllocs()
	for b.Loop() {
		s.Decide(hand, 6, all)
	}
}
