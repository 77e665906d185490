package pattern

import (
	"maps"
	"regexp/syntax"
	"slices"
	"strings"
	"time"

	"sabot/shoe"
)

// Device is the reader's side: it writes the lines its expression fits. It is used by one goroutine.
//
// An expression says which lines are right, not how one is written. The device writes the plainest line the expression allows with the right words in
// its groups, and lets the form read it back before it says it: what an expression cannot say, the device does not.
type Device struct {
	form *form
	tree *syntax.Regexp
}

// NewDevice is a reader with these options. Its error is that of [New].
func NewDevice(o Options) (*Device, error) {
	f, err := newForm(o)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(o.Expression, syntax.Perl)
	return &Device{f, tree}, err
}

// Boot is silence.
func (d *Device) Boot() []byte { return nil }

// Draw is a card that was read; shoe.Unread where it could not be.
func (d *Device) Draw(c shoe.Card) []byte { return d.DrawAt(c, shoe.Claim{}) }

// DrawAt is Draw at a position.
func (d *Device) DrawAt(c shoe.Card, where shoe.Claim) []byte {
	want := reading{kind: shoe.Drawn, card: c, claim: where}
	positions := keysOf(d.form.positions, where)
	if where == (shoe.Claim{}) {
		positions = append(positions, "")
	}
	for _, position := range positions {
		for _, words := range d.spell(want) {
			if position != "" {
				words["position"] = position
			}
			if line := d.write(words, want); line != nil {
				return line
			}
		}
	}
	return nil
}

// Cut is the cut card that was read.
func (d *Device) Cut() []byte {
	want := reading{kind: shoe.CutOut}
	for _, words := range d.spell(want) {
		if line := d.write(words, want); line != nil {
			return line
		}
	}
	return nil
}

// Fault is nothing such a device could say.
func (d *Device) Fault(code, text string) []byte { return nil }

// ClearFault is nothing such a device could say.
func (d *Device) ClearFault(code string) []byte { return nil }

// Locked is never: there is no lock.
func (d *Device) Locked() bool { return false }

// Feed hears nothing and has no habits.
func (d *Device) Feed(now time.Duration, p []byte) []byte { return nil }

// spell is the ways to say a reading: words for groups.
func (d *Device) spell(want reading) (ways []map[string]string) {
	want.claim = shoe.Claim{}
	switch {
	case want.kind == shoe.CutOut:
		ways = append(ways, map[string]string{"cut": ""})
	case want.card == shoe.Unread:
		ways = append(ways, map[string]string{"misread": ""})
	case want.card.Known():
		for _, rank := range keysOf(d.form.ranks, want.card.Rank()) {
			for _, suit := range keysOf(d.form.suits, want.card.Suit()) {
				ways = append(ways, map[string]string{"rank": rank, "suit": suit})
			}
		}
	}
	for _, code := range keysOf(d.form.codes, want) {
		ways = append(ways, map[string]string{"code": code})
	}
	return ways
}

// write is the line with these words in its groups, nil where none of the expression says what is wanted.
func (d *Device) write(words map[string]string, want reading) []byte {
	line := generate(d.tree, words)
	if r, ok := d.form.read([]byte(line)); !ok || r != want {
		return nil
	}
	return []byte(line + "\r")
}

// keysOf are the words a table has for v, in order.
func keysOf[V comparable](table map[string]V, v V) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if table[key] == v {
			keys = append(keys, key)
		}
	}
	return keys
}

// generate writes the plainest text a part of an expression fits, with the words given for its groups; a group given "" may write what it likes.
func generate(part *syntax.Regexp, words map[string]string) string {
	switch part.Op {
	case syntax.OpLiteral:
		return string(part.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return plainest(part)
	case syntax.OpCapture:
		if word := words[part.Name]; word != "" {
			return word
		}
		return generate(part.Sub[0], words)
	case syntax.OpAlternate:
		return generate(slices.MaxFunc(part.Sub, func(a, b *syntax.Regexp) int { return said(a, words) - said(b, words) }), words)
	case syntax.OpQuest, syntax.OpStar:
		if said(part, words) == 0 {
			return ""
		}
		return generate(part.Sub[0], words)
	case syntax.OpPlus:
		return generate(part.Sub[0], words)
	case syntax.OpRepeat:
		return strings.Repeat(generate(part.Sub[0], words), max(part.Min, min(1, said(part, words))))
	}
	var b strings.Builder
	for _, sub := range part.Sub {
		b.WriteString(generate(sub, words))
	}
	return b.String()
}

// said is how many of the groups wanted are in a part.
func said(part *syntax.Regexp, words map[string]string) (n int) {
	if _, ok := words[part.Name]; ok && part.Op == syntax.OpCapture {
		n++
	}
	for _, sub := range part.Sub {
		n += said(sub, words)
	}
	return n
}

// plainest is the first printable character of a class.
func plainest(class *syntax.Regexp) string {
	if class.Op != syntax.OpCharClass {
		return "0"
	}
	for i := 0; i+1 < len(class.Rune); i += 2 {
		if lo := max(class.Rune[i], '!'); lo <= min(class.Rune[i+1], '~') {
			return string(lo)
		}
	}
	return ""
}
