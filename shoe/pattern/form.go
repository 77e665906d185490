package pattern

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sabot/shoe"
)

// form is what lines mean: Options made ready. The tables it has are complete, the words that go without saying among them.
type form struct {
	expr      *regexp.Regexp
	groups    map[string]int // the number of each named group that there is
	codes     map[string]reading
	positions map[string]shoe.Claim
	suits     map[string]shoe.Suit
	ranks     map[string]shoe.Rank
}

// reading is what a line says.
type reading struct {
	kind    shoe.Kind // Drawn or CutOut
	card    shoe.Card
	claim   shoe.Claim
	foreign bool // it was a card, but none of ours
}

var groupNames = []string{"rank", "suit", "code", "position", "misread", "cut"}

// newForm reads the options, or says all that is wrong with them.
func newForm(o Options) (*form, error) {
	f := &form{groups: map[string]int{}}
	if err := f.compile(o.Expression); err != nil {
		return nil, err
	}
	return f, errors.Join(f.checkGroups(o), f.readTables(o))
}

// compile reads the expression and finds its groups.
func (f *form) compile(expression string) (err error) {
	if expression == "" {
		return errors.New("pattern: there is no expression")
	}
	if f.expr, err = regexp.Compile("^(?:" + expression + ")$"); err != nil {
		return fmt.Errorf("pattern: the expression %q is none: %w", expression, err)
	}
	for i, name := range f.expr.SubexpNames() {
		if name == "" {
			continue
		}
		if !slices.Contains(groupNames, name) {
			return fmt.Errorf("pattern: the expression has a group %q; groups are %s", name, strings.Join(groupNames, " "))
		}
		f.groups[name] = i
	}
	return nil
}

// checkGroups sees that a card can be read, and that each table has its group.
func (f *form) checkGroups(o Options) error {
	var problems []error
	_, rank := f.groups["rank"]
	_, suit := f.groups["suit"]
	_, code := f.groups["code"]
	switch {
	case rank && !suit:
		problems = append(problems, errors.New("pattern: the expression has a group rank but no group suit"))
	case suit && !rank:
		problems = append(problems, errors.New("pattern: the expression has a group suit but no group rank"))
	case !rank && !code:
		problems = append(problems, errors.New("pattern: the expression names no card: it needs a group code, or the groups rank and suit"))
	}
	for _, table := range []struct {
		name, group string
		entries     int
	}{{"codes", "code", len(o.Codes)}, {"positions", "position", len(o.Positions)}, {"suits", "suit", len(o.Suits)}, {"ranks", "rank", len(o.Ranks)}} {
		if _, ok := f.groups[table.group]; table.entries > 0 && !ok {
			problems = append(problems, fmt.Errorf("pattern: there are %s, but the expression has no group %s", table.name, table.group))
		}
	}
	if o.Repeat < 0 {
		problems = append(problems, fmt.Errorf("pattern: repeat is %v; it is a time, or 0", o.Repeat))
	}
	return errors.Join(problems...)
}

// readTables fills the tables, from the options or with the words that go without saying.
func (f *form) readTables(o Options) error {
	var errs [4]error
	f.ranks, errs[0] = readTable("ranks", "rank (A 2 3 4 5 6 7 8 9 T J Q K)", o.Ranks, plainRanks())
	f.suits, errs[1] = readTable("suits", "suit (c d h s)", o.Suits, plainSuits())
	f.codes, errs[2] = readTable("codes", "card (9s, ??, cut)", o.Codes, plainCodes())
	f.positions, errs[3] = readTable("positions", `position (P1 P2 P3 B1 B2 B3 BURN OUT, or "" for none)`, o.Positions, plainPositions())
	return errors.Join(errs[:]...)
}

// readTable translates the values of a configured table by the plain one, which stands in where none is configured.
func readTable[V any](name, what string, configured map[string]string, plain map[string]V) (map[string]V, error) {
	if len(configured) == 0 {
		return plain, nil
	}
	table := map[string]V{}
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(configured)) {
		v, ok := plain[configured[key]]
		switch {
		case key == "":
			problems = append(problems, fmt.Errorf("pattern: %s: an entry has no name", name))
		case !ok:
			problems = append(problems, fmt.Errorf("pattern: %s: %q is %q, which is no %s", name, key, configured[key], what))
		}
		table[key] = v
	}
	return table, errors.Join(problems...)
}

// bothCases enters a word in lower and in upper case.
func bothCases[V any](table map[string]V, word string, v V) {
	table[strings.ToLower(word)], table[strings.ToUpper(word)] = v, v
}

func plainRanks() map[string]shoe.Rank {
	table := map[string]shoe.Rank{"10": 10}
	for r := shoe.Rank(1); r <= 13; r++ {
		bothCases(table, shoe.New(r, 0).String()[:1], r)
	}
	return table
}

func plainSuits() map[string]shoe.Suit {
	table := map[string]shoe.Suit{}
	for s := shoe.Clubs; s <= shoe.Spades; s++ {
		bothCases(table, shoe.New(1, s).String()[1:], s)
	}
	return table
}

func plainCodes() map[string]reading {
	table := map[string]reading{"??": {kind: shoe.Drawn, card: shoe.Unread}}
	bothCases(table, "cut", reading{kind: shoe.CutOut})
	for rank, r := range plainRanks() {
		for suit, s := range plainSuits() {
			table[rank+suit] = reading{kind: shoe.Drawn, card: shoe.New(r, s)}
		}
	}
	return table
}

func plainPositions() map[string]shoe.Claim {
	table := map[string]shoe.Claim{"": {}}
	bothCases(table, "burn", shoe.Claim{Side: shoe.ToBurn})
	bothCases(table, "out", shoe.Claim{Side: shoe.Outside})
	for index := uint8(1); index <= 3; index++ {
		digit := string('0' + rune(index))
		bothCases(table, "p"+digit, shoe.Claim{Side: shoe.ToPlayer, Index: index})
		bothCases(table, "b"+digit, shoe.Claim{Side: shoe.ToBanker, Index: index})
	}
	return table
}

// read is what a line says. ok is false where it does not fit.
func (f *form) read(line []byte) (r reading, ok bool) {
	at := f.expr.FindSubmatchIndex(line)
	if at == nil {
		return reading{}, false
	}
	group := func(name string) []byte {
		if i, ok := f.groups[name]; ok && at[2*i] >= 0 {
			return line[at[2*i]:at[2*i+1]]
		}
		return nil
	}
	rank, suit, code := group("rank"), group("suit"), group("code")
	switch {
	case len(group("misread")) > 0:
		r = reading{kind: shoe.Drawn, card: shoe.Unread}
	case len(group("cut")) > 0:
		return reading{kind: shoe.CutOut}, true
	case len(code) > 0:
		r = f.codes[string(code)]
	case len(rank) > 0 && len(suit) > 0:
		r = f.card(rank, suit)
	default:
		return reading{}, false
	}
	if r.kind == 0 {
		r = reading{kind: shoe.Drawn, card: shoe.Unread, foreign: true}
	}
	if r.kind == shoe.Drawn {
		r.claim = f.positions[string(group("position"))]
	}
	return r, true
}

// card is the card of a rank and a suit, the zero reading where they are none.
func (f *form) card(rank, suit []byte) reading {
	r, known := f.ranks[string(rank)]
	s, ok := f.suits[string(suit)]
	if !known || !ok {
		return reading{}
	}
	return reading{kind: shoe.Drawn, card: shoe.New(r, s)}
}
