package display

import (
	"fmt"
	"strings"
	"testing"
)

// coupsOf makes coups of letters: P B T; p and b are won with both pairs.
func coupsOf(letters string) []string {
	list := []string{}
	for _, l := range letters {
		mark := strings.ToUpper(string(l))
		if mark != string(l) {
			mark += "pb"
		}
		list = append(list, mark)
	}
	return list
}

// nested are streaks of these lengths, of either winner in turn.
func nested(lengths ...int) string {
	var b strings.Builder
	for i, n := range lengths {
		b.WriteString(strings.Repeat("PB"[i%2:i%2+1], n))
	}
	return b.String()
}

// drawn is a road as a picture, a line a row.
func drawn(marks []Mark) string {
	var rows [Rows][]byte
	for _, m := range marks {
		for len(rows[m.Row]) <= m.Column {
			rows[m.Row] = append(rows[m.Row], '.')
		}
		c := byte('-')
		if m.Won != "" {
			c = m.Won[0]
		}
		rows[m.Row][m.Column] = c
	}
	var lines []string
	for _, r := range rows {
		if r != nil {
			lines = append(lines, string(r))
		}
	}
	return strings.Join(lines, " ")
}

func won(marks []Mark) string {
	var b strings.Builder
	for _, m := range marks {
		b.WriteString(m.Won)
	}
	return b.String()
}

func TestBigRoad(t *testing.T) {
	tests := []struct{ name, coups, want string }{
		{"nothing", "", ""},
		{"one", "P", "P"},
		{"columns", "PPBPBB", "PBPB P..B"},
		{"ties stand on what they follow", "PTTBT", "PB"},
		{"ties alone", "TT", "-"},
		{"ties first", "TTBB", "B B"},
		{"a dragon of eight", "PPPPPPPP", "P P P P P PPP"},
		{"a streak beside a dragon stops above its tail", "PPPPPPPP" + "BBBBBBB", "PB PB PB PB PBBB PPP"},
		{"a new streak passes over tails at the top", "PPPPPPPP" + "BBBBBBB" + "PPPPPP", "PBP PBP PBP PBPPP PBBB PPP"},
		{"tails upon tails up to the top row, and the next streak beyond them", nested(14, 12, 10, 8, 6, 3, 1), "PBPBPBBBP PBPBPPPPP PBPBBBBBB PBPPPPPPP PBBBBBBBB PPPPPPPPP"},
	}
	for _, test := range tests {
		if got := drawn(RoadsOf(coupsOf(test.coups)).Big); got != test.want {
			t.Errorf("%s: %s\n got %q\nwant %q", test.name, test.coups, got, test.want)
		}
	}
	r := RoadsOf(coupsOf("TTPTbT"))
	if got := fmt.Sprint(r.Big); got != "[{0 0 P 3 0} {1 0 B 1 3}]" {
		t.Errorf("ties and pairs: %s", got)
	}
	if r.Player != 1 || r.Banker != 1 || r.Tie != 4 || len(r.Bead) != 6 || r.Bead[4].Pairs != 3 {
		t.Errorf("%+v", r)
	}
}

// Each entry's rule, worked by hand on the big road in the comment.
func TestDerivedRoads(t *testing.T) {
	tests := []struct{ coups, eye, small, pig string }{
		{"P", "", "", ""},
		{"PB", "", "", ""},
		{"PBB", "B", "", ""},  // the first column has just ended: irregular
		{"PPBB", "R", "", ""}, // it has an entry there
		{"PBBB", "BR", "", ""},
		{"PBP", "R", "", ""}, // no second row: the third column's first entry begins it, two columns of one
		{"PPBP", "B", "", ""},
		// columns 2 2 2 2 2: everything regular; each road begins below the first entry of its column
		{"PPBBPPBBPP", "RRRRRRR", "RRRRR", "RRR"},
		// columns 1 2 3 4: the second row of 2 is new (B); each further column begins after unequal ones, and each grows past the one before
		{"PBBPPPBBBB", "BBRBBRRB", "BRBRBR", "BRR"},
		// ties change nothing
		{"TPTBTBTP", "BB", "", ""},
	}
	for _, test := range tests {
		r := RoadsOf(coupsOf(test.coups))
		if eye, small, pig := won(r.Eye), won(r.Small), won(r.Pig); eye != test.eye || small != test.small || pig != test.pig {
			t.Errorf("%s: big eye boy %s, small road %s, cockroach pig %s; want %s, %s, %s", test.coups, eye, small, pig, test.eye, test.small, test.pig)
		}
	}
}

// What a table of the roads' definition says, cell by cell, against another reading of it: look at the drawn columns as lists.
func TestDerivedRoadsAgreeWithTheirDefinition(t *testing.T) {
	for n := range 1 << 12 {
		letters := ""
		for i := range 12 {
			letters += string("PB"[n>>i&1])
		}
		columns := [][]int{}
		for i := range letters {
			if i == 0 || letters[i] != letters[i-1] {
				columns = append(columns, nil)
			}
			columns[len(columns)-1] = append(columns[len(columns)-1], i)
		}
		r := RoadsOf(coupsOf(letters))
		for back, road := range [][]Mark{r.Eye, r.Small, r.Pig} {
			if got, want := won(road), defined(columns, back+1); got != want {
				t.Fatalf("%s looking back %d: %s, want %s", letters, back+1, got, want)
			}
		}
	}
}

func defined(columns [][]int, back int) string {
	has := func(c, r int) bool { return r < len(columns[c]) }
	var b strings.Builder
	for c := range columns {
		for r := range columns[c] {
			if r == 0 && c > back {
				b.WriteByte("BR"[map[bool]int{true: 1}[len(columns[c-1]) == len(columns[c-1-back])]])
			}
			if r > 0 && c >= back {
				b.WriteByte("BR"[map[bool]int{true: 1}[has(c-back, r) == has(c-back, r-1)]])
			}
		}
	}
	return b.String()
}

func TestNoPlaceIsTakenTwice(t *testing.T) {
	for n := range 1 << 14 {
		letters := ""
		for i := range 14 {
			letters += string("PB"[n>>i&1])
		}
		letters = strings.Repeat(letters[:1], 7) + letters
		taken := map[[2]int]bool{}
		for _, m := range RoadsOf(coupsOf(letters)).Big {
			at := [2]int{m.Column, m.Row}
			if taken[at] || m.Row >= Rows {
				t.Fatalf("%s: %v is taken twice, or outside", letters, at)
			}
			taken[at] = true
		}
	}
}
