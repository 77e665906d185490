// Package strategy is the basic strategy of blackjack: which decision loses least, knowing only one's own hand and the
// dealer's up card.
//
// It is a table, worked out once for a set of rules and embedded here as a CSV file. Its columns are the up card, 2 to 10 and A; its rows
// are hard totals H4 to H21, soft totals S12 to S21, in which an ace counts 11, and pairs PA and P2 to P10, where P10 is any
// two ten-valued cards. A cell is one of six words: H hit, S stand, P split, DH or DS double and, where that is not allowed,
// hit or stand, RH surrender and, where that is not allowed, hit. A pair that may not be split is played by its total.
//
// The demonstration's players and the simulator decide by it. The product never advises a player.
package strategy

import (
	"embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sabot/shoe"
	"sabot/table"
)

//go:embed *.csv
var files embed.FS

// Names are the tables embedded, by the rules they were worked out for.
var Names = []string{"deluxe", "classic", "classic_literal", "live", "live_6_decks", "didactic"}

// move is a cell: what to do, and what instead where that is not allowed.
type move struct{ first, instead table.Kind }

// codes are the words of cells.
var codes = map[string]move{
	"H":  {table.Hit, table.Hit},
	"S":  {table.Stand, table.Stand},
	"P":  {table.Split, table.NoEvent}, // instead of a split comes the row of the total
	"DH": {table.Double, table.Hit},
	"DS": {table.Double, table.Stand},
	"RH": {table.Surrender, table.Hit},
}

// row is the moves against each up card. The points of cards index rows and columns: 1 is the ace, 10 every ten-valued card. Columns 0 are not used.
type row [11]move

// Table is one basic strategy. The zero value decides nothing.
type Table struct {
	hard [22]row
	soft [22]row
	pair [11]row
}

// Load reads one of the embedded tables, see [Names].
func Load(name string) (*Table, error) {
	f, err := files.Open(name + ".csv")
	if err != nil {
		return nil, fmt.Errorf("strategy: there is no table %q; there are %s", name, strings.Join(Names, ", "))
	}
	defer f.Close()
	return Parse(f)
}

// Decide is the decision for a hand's cards against an up card, out of those it may take. It is table.NoEvent for a hand that the
// table has no row for, because nobody asks it: one bust, or of a single card.
func (t *Table) Decide(hand []shoe.Card, up shoe.Rank, may table.Actions) table.Kind {
	total, soft := add(hand)
	column := points(up)
	if len(hand) < 2 || total > 21 || column < 1 {
		return table.NoEvent
	}
	if len(hand) > 2 || points(hand[0].Rank()) != points(hand[1].Rank()) {
		may &^= table.Can(table.Split)
	}
	return t.Choose(uint8(total), soft, up, may)
}

// Choose is Decide for a hand whose total is known. It may split only if it is a pair, whose points are then half its total.
func (t *Table) Choose(total uint8, soft bool, up shoe.Rank, may table.Actions) table.Kind {
	m, column := &t.hard[total], points(up)
	switch split := may.Has(table.Split); {
	case split && soft:
		m = &t.pair[1]
	case split:
		m = &t.pair[total/2]
	case soft:
		m = &t.soft[total]
	}
	if may.Has(m[column].first) {
		return m[column].first
	}
	return m[column].instead
}

// add is a hand's better total, and whether an ace counts 11 in it.
func add(hand []shoe.Card) (total int, soft bool) {
	ace := false
	for _, c := range hand {
		total += points(c.Rank())
		ace = ace || c.Rank() == 1
	}
	if ace && total <= 11 {
		return total + 10, true
	}
	return total, false
}

func points(r shoe.Rank) int { return min(int(r), 10) }

// columns are the up cards in the order of the file.
var columns = [...]int{2, 3, 4, 5, 6, 7, 8, 9, 10, 1}

const header = "hand,2,3,4,5,6,7,8,9,10,A"

// rows is how many rows a table has: 18 hard, 10 soft, 10 pairs.
const rows = 18 + 10 + 10

// maxFile bounds a table's file in bytes; a whole one has less than a thousand.
const maxFile = 16 << 10

// Parse reads a table. It must have each row exactly once, in any order, and nothing else. An error names line and column.
func Parse(r io.Reader) (*Table, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("strategy: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("strategy: longer than %d bytes", maxFile)
	}
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), "\n")
	if lines[0] != header {
		return nil, fmt.Errorf("strategy: line 1, column 1: %.40q is not the header %s", lines[0], header)
	}
	t := new(Table)
	for i, line := range lines[1:] {
		if column, err := t.parseRow(line); err != nil {
			return nil, fmt.Errorf("strategy: line %d, column %d: %w", i+2, column, err)
		}
	}
	if n := len(lines) - 1; n < rows {
		return nil, fmt.Errorf("strategy: line %d, column 1: %d of %d rows are missing", len(lines)+1, rows-n, rows)
	}
	return t, nil
}

// parseRow reads a line; with an error comes the byte column it is about, from 1.
func (t *Table) parseRow(line string) (column int, err error) {
	cells := strings.Split(line, ",")
	to := t.row(cells[0])
	switch {
	case to == nil:
		return 1, fmt.Errorf("%.40q is no row (H4 to H21, S12 to S21, PA, P2 to P10)", cells[0])
	case to[1] != move{}:
		return 1, fmt.Errorf("row %s is there twice", cells[0])
	}
	column = len(cells[0]) + 2
	for i, cell := range cells[1:] {
		if i == len(columns) {
			return column, fmt.Errorf("more than %d decisions", len(columns))
		}
		m, known := codes[cell]
		if !known || m.first == table.Split && cells[0][0] != 'P' {
			return column, fmt.Errorf("%.40q is no decision for %s (H, S, DH, DS, RH, and P for a pair)", cell, cells[0])
		}
		to[columns[i]] = m
		column += len(cell) + 1
	}
	if n := len(cells) - 1; n < len(columns) {
		return column - 1, fmt.Errorf("%d decisions instead of %d", n, len(columns))
	}
	return 0, nil
}

// row finds a row by its name; nil when there is none.
func (t *Table) row(name string) *row {
	if name == "PA" {
		return &t.pair[1]
	}
	if len(name) < 2 {
		return nil
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || strconv.Itoa(n) != name[1:] {
		return nil
	}
	switch kind := name[0]; {
	case kind == 'H' && n >= 4 && n <= 21:
		return &t.hard[n]
	case kind == 'S' && n >= 12 && n <= 21:
		return &t.soft[n]
	case kind == 'P' && n >= 2 && n <= 10:
		return &t.pair[n]
	}
	return nil
}
