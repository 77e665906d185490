package uid

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sabot/shoe"
)

// Cards is an enrolment: which card each tag is glued into. Its file has a line for each tag, in any order:
//
//	# blue decks, May
//	decks 8
//	04AABBCCDD11 9s
//	04AABBCCDD12 Th # corner bent
//	04AABBCCDD13 cut
//
// "decks" says how many decks it is meant for. "#" begins a comment; those before the first line and behind a tag are kept when the file is
// written again. A UID may have colons or dashes between its bytes. The zero value is an empty enrolment.
type Cards struct {
	Decks int // what the file is meant for; 0 where it does not say

	head []string // comments before the first line
	tags map[string]tag
}

// tag is where a UID is glued into. The cut card is shoe.NoCard.
type tag struct {
	card shoe.Card
	note string
	line int // where it was read; 0 where it was not
}

// cutWord is how a file says the cut card.
const cutWord = "cut"

// Count is how many tags there are of a card, and how many there should be.
type Count struct {
	Card       shoe.Card
	Have, Want int
}

// manyProblems is as many as somebody mends in one go.
const manyProblems = 10

// Parse reads an enrolment. Its error names what is wrong, with the line; it is nil for an empty text.
func Parse(text string) (*Cards, error) {
	c := &Cards{}
	var problems []error
	for i, line := range strings.Split(text, "\n") {
		err := c.parseLine(i+1, strings.TrimSuffix(line, "\r"))
		if err == nil {
			continue
		}
		problems = append(problems, fmt.Errorf("uid: line %d: %w", i+1, err))
		if len(problems) == manyProblems {
			problems = append(problems, errors.New("uid: and maybe more"))
			break
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return c, nil
}

func (c *Cards) parseLine(n int, line string) error {
	body, note, commented := strings.Cut(line, "#")
	words := strings.Fields(body)
	switch {
	case len(words) == 0:
		if commented && len(c.tags) == 0 && c.Decks == 0 {
			c.head = append(c.head, strings.TrimSpace(note))
		}
		return nil
	case len(words) != 2:
		return fmt.Errorf("%q is not a UID and its card", strings.TrimSpace(body))
	case words[0] == "decks":
		return c.parseDecks(words[1])
	}
	id, err := Canonical(words[0])
	if err != nil {
		return err
	}
	card, err := parseCard(words[1])
	if err != nil {
		return err
	}
	if was, ok := c.tags[id]; ok {
		return fmt.Errorf("%s is in line %d already, as %s", id, was.line, writeCard(was.card))
	}
	c.put(id, tag{card, strings.TrimSpace(note), n})
	return nil
}

func (c *Cards) parseDecks(word string) error {
	n, err := strconv.Atoi(word)
	switch {
	case err != nil || n < 1 || n > 99:
		return fmt.Errorf("decks %q: from 1 to 99", word)
	case c.Decks != 0:
		return errors.New("decks was said already")
	}
	c.Decks = n
	return nil
}

func (c *Cards) put(id string, t tag) {
	if c.tags == nil {
		c.tags = map[string]tag{}
	}
	c.tags[id] = t
}

// parseCard reads what a tag is glued into.
func parseCard(word string) (shoe.Card, error) {
	if strings.EqualFold(word, cutWord) {
		return shoe.NoCard, nil
	}
	card, err := shoe.ParseCard(word)
	if err != nil || !card.Known() {
		return shoe.NoCard, fmt.Errorf("%q is no card (9s, Th) and not %q", word, cutWord)
	}
	return card, nil
}

func writeCard(c shoe.Card) string {
	if c == shoe.NoCard {
		return cutWord
	}
	return c.String()
}

// Canonical is a UID as this package writes it: in capitals, without anything between the bytes. The error says that it is none.
func Canonical(id string) (string, error) {
	digits := strings.ToUpper(strings.NewReplacer(":", "", "-", "").Replace(id))
	if strings.Trim(digits, "0123456789ABCDEF") != "" || len(digits) < 4 || len(digits) > 2*maxUID || len(digits)%2 != 0 {
		return "", fmt.Errorf("%q is no UID: 2 to %d bytes in hexadecimal", id, maxUID)
	}
	return digits, nil
}

// Card is the card of a tag, shoe.NoCard for the cut card. ok is false for a tag that is not enrolled. The UID may be written in any way.
func (c *Cards) Card(id string) (card shoe.Card, ok bool) {
	t, ok := c.tags[id]
	if !ok {
		if id, err := Canonical(id); err == nil {
			t, ok = c.tags[id]
		}
	}
	return t.card, ok
}

// Add enrols a tag; shoe.NoCard is the cut card. A tag is enrolled once.
func (c *Cards) Add(id string, card shoe.Card) error {
	id, err := Canonical(id)
	if err != nil {
		return fmt.Errorf("uid: %w", err)
	}
	if was, ok := c.tags[id]; ok {
		return fmt.Errorf("uid: %s is enrolled already, as %s", id, writeCard(was.card))
	}
	if card != shoe.NoCard && !card.Known() {
		return fmt.Errorf("uid: %v is no card to enrol", card)
	}
	c.put(id, tag{card: card})
	return nil
}

// Remove takes a tag out again. ok is false for one that is not enrolled.
func (c *Cards) Remove(id string) (ok bool) {
	id, err := Canonical(id)
	if _, ok = c.tags[id]; err != nil || !ok {
		return false
	}
	delete(c.tags, id)
	return true
}

// Len is how many tags are enrolled, those of cut cards among them.
func (c *Cards) Len() int { return len(c.tags) }

// UIDs are the tags of a card, in order; those of shoe.NoCard are the cut cards'.
func (c *Cards) UIDs(card shoe.Card) (all []string) {
	for _, id := range slices.Sorted(maps.Keys(c.tags)) {
		if c.tags[id].card == card {
			all = append(all, id)
		}
	}
	return all
}

// Missing are the cards of which this many decks have more copies than there are tags, in new-deck order. An enrolment is complete when none is missing and none is extra.
func (c *Cards) Missing(decks int) []Count {
	return c.counts(decks, func(n Count) bool { return n.Have < n.Want })
}

// Extra are the cards of which there are more tags than copies in this many decks.
func (c *Cards) Extra(decks int) []Count {
	return c.counts(decks, func(n Count) bool { return n.Have > n.Want })
}

func (c *Cards) counts(decks int, wanted func(Count) bool) (list []Count) {
	var have [shoe.Values]int
	for _, t := range c.tags {
		have[t.card]++
	}
	for _, card := range shoe.Deck() {
		if n := (Count{card, have[card], decks}); wanted(n) {
			list = append(list, n)
		}
	}
	return list
}

// Format writes the file: by card in new-deck order, the cut cards last, then by UID, so that a change of one tag is a change of one line.
func (c *Cards) Format() string {
	var b strings.Builder
	for _, line := range c.head {
		b.WriteString(strings.TrimSpace("# "+line) + "\n")
	}
	if c.Decks > 0 {
		fmt.Fprintf(&b, "decks %d\n", c.Decks)
	}
	order := func(card shoe.Card) int { return (int(card) + shoe.Values - 1) % shoe.Values } // NoCard, which is 0, last
	ids := slices.SortedFunc(maps.Keys(c.tags), func(x, y string) int {
		return cmp.Or(order(c.tags[x].card)-order(c.tags[y].card), strings.Compare(x, y))
	})
	for _, id := range ids {
		t := c.tags[id]
		b.WriteString(id + " " + writeCard(t.card))
		if t.note != "" {
			b.WriteString(" # " + t.note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
