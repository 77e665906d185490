package display

import "strings"

// Rows is the height of every road.
const Rows = 6

// Roads are the score-boards of a baccarat shoe.
//
// The bead plate has every coup in order, six to a column. The big road has a column for each streak of one winner, and no place for ties, which are
// counted on the entry they follow. A streak that comes to the bottom, or upon an entry of another one, turns right: the dragon's tail.
//
// The three derived roads say how regular the big road is, and nothing of who wins: red for regular, blue for not. They look back over one column (big
// eye boy), two (small road) or three (cockroach pig). For an entry that begins a column: red when the column before it is as long as the one that many columns
// before that one. For an entry below others: red when the column looked back to has an entry in this row, or has none in the row above either; blue
// when it has just ended. They begin where there is something to look back to: in the second, third or fourth column below its first entry, or
// with the first entry of the column after. Length is a streak's, however its tail lies.
type Roads struct {
	Bead  []Bead `json:"bead"`
	Big   []Mark `json:"big"`
	Eye   []Mark `json:"eye"`
	Small []Mark `json:"small"`
	Pig   []Mark `json:"pig"`

	Player int `json:"player"` // coups won
	Banker int `json:"banker"`
	Tie    int `json:"tie"`
}

// Bead is a coup on the bead plate: P, B or T; Pairs adds 1 for the Player's pair and 2 for the Banker's.
type Bead struct {
	Won     string `json:"w"`
	Natural bool   `json:"n,omitempty"`
	Pairs   int    `json:"p,omitempty"`
}

// Mark is an entry of another road: P or B on the big road, "" for ties before any winner; R or B, red or blue, on a derived one.
type Mark struct {
	Column int    `json:"c"`
	Row    int    `json:"r"`
	Won    string `json:"w"`
	Ties   int    `json:"t,omitempty"`
	Pairs  int    `json:"p,omitempty"`
}

// RoadsOf draws the roads of a shoe's coups as a layout has them, the first one first.
func RoadsOf(coups []string) Roads {
	r := Roads{Bead: []Bead{}, Big: []Mark{}}
	var entries []Mark // the big road's, yet without places
	ties := 0          // before the first winner
	for _, c := range coups {
		b := beadOf(c)
		r.Bead = append(r.Bead, b)
		switch b.Won {
		case "T":
			r.Tie++
			if len(entries) > 0 {
				entries[len(entries)-1].Ties++
			} else {
				ties++
			}
			continue
		case "P":
			r.Player++
		case "B":
			r.Banker++
		}
		entries = append(entries, Mark{Won: b.Won, Pairs: b.Pairs})
	}
	switch {
	case len(entries) > 0:
		entries[0].Ties += ties
	case ties > 0:
		entries = append(entries, Mark{Ties: ties})
	}
	r.Big = laid(entries)
	streaks := streaksOf(entries)
	r.Eye, r.Small, r.Pig = derived(streaks, 1), derived(streaks, 2), derived(streaks, 3)
	return r
}

// beadOf reads a coup's mark; one that is none has won nothing.
func beadOf(coup string) Bead {
	won, more := coup[:min(len(coup), 1)], coup[min(len(coup), 1):]
	b := Bead{Won: won, Natural: strings.Contains(more, "n")}
	if strings.Contains(more, "p") {
		b.Pairs++
	}
	if strings.Contains(more, "b") {
		b.Pairs += 2
	}
	return b
}

// streaksOf are the lengths of the big road's columns.
func streaksOf(entries []Mark) []int {
	var lengths []int
	for i, e := range entries {
		if i == 0 || e.Won != entries[i-1].Won {
			lengths = append(lengths, 0)
		}
		lengths[len(lengths)-1]++
	}
	return lengths
}

// derived is the road that looks back over this many columns.
func derived(streaks []int, back int) []Mark {
	var marks []Mark
	for column, length := range streaks {
		for row := range length {
			var regular bool
			switch {
			case row == 0 && column-1-back >= 0:
				regular = streaks[column-1] == streaks[column-1-back]
			case row > 0 && column-back >= 0:
				regular = row != streaks[column-back]
			default:
				continue
			}
			won := "B"
			if regular {
				won = "R"
			}
			marks = append(marks, Mark{Won: won})
		}
	}
	return laid(marks)
}

// laid gives each entry its place: down while there is room, then to the right.
func laid(marks []Mark) []Mark {
	taken := map[[2]int]bool{}
	head, column, row := -1, 0, 0
	for i := range marks {
		m := &marks[i]
		switch {
		case i == 0 || m.Won != marks[i-1].Won:
			for head++; taken[[2]int{head, 0}]; head++ {
			}
			column, row = head, 0
		case column == head && row+1 < Rows && !taken[[2]int{column, row + 1}]:
			row++
		default:
			column++
		}
		m.Column, m.Row = column, row
		taken[[2]int{column, row}] = true
	}
	if marks == nil {
		return []Mark{}
	}
	return marks
}
