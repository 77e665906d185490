package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"sabot/shoe"
	"sabot/table"
)

// pile are the cards of some decks that have gone through a shoe.
type pile struct {
	decks   int
	cards   int // that came, whatever they were
	have    [shoe.Values]int
	unread  int
	foreign int // that are of no deck of ours
	twice   int // tags that came again: a card pushed back, or a copy of its tag
	cut     int
	faults  int  // what else the shoe reported that may have hidden a card
	blank   bool // the last card was not read
	order   shoe.Order
}

// all is how many cards are to come.
func (p *pile) all() int { return 52 * p.decks }

// take counts what the shoe reports, and says what is irregular about it; "" for nothing.
func (p *pile) take(r shoe.Report) (why string) {
	blank := p.blank
	p.blank = false
	switch r.Kind {
	case shoe.Drawn:
		return p.draw(r.Card)
	case shoe.Reread:
		if blank && r.Card.Known() {
			p.unread--
			p.order.Show(p.cards, r.Card)
			return p.count(r.Card)
		}
		p.blank = blank
	case shoe.CutOut:
		p.cut++
	case shoe.Faulted:
		return p.fault(r.Code, blank)
	case shoe.Gap, shoe.Conflict, shoe.Booted, shoe.Lost:
		p.faults++
		return "the shoe reports " + r.Kind.String() + ": cards may have gone by uncounted"
	}
	return ""
}

func (p *pile) draw(c shoe.Card) string {
	p.cards++
	p.order.Draw(p.cards)
	if !c.Known() {
		p.unread++
		p.blank = true
		return "it was not read"
	}
	p.order.Show(p.cards, c)
	return p.count(c)
}

func (p *pile) count(c shoe.Card) string {
	p.have[c]++
	if p.have[c] > p.decks {
		return fmt.Sprintf("it is %v number %d", c, p.have[c])
	}
	return ""
}

// fault counts a device's fault. What takes a place as an unread card and is called foreign behind it was read well enough.
func (p *pile) fault(code string, blank bool) string {
	switch code {
	case "foreign", "foreign-card":
		p.foreign++
		if blank {
			p.unread--
		}
		return "it is of none of these decks"
	case "same-uid", "same-tag":
		p.twice++
		return "a tag came that had come before"
	}
	p.faults++
	return "the shoe reports the fault " + code
}

// differing are the cards of which there are fewer, or more, than decks, each with how many.
func (p *pile) differing(more bool) (list []string) {
	for _, c := range shoe.Deck() {
		n := p.decks - p.have[c]
		if more {
			n = -n
		}
		if n > 0 {
			list = append(list, fmt.Sprintf("%v %d", c, n))
		}
	}
	return list
}

// complete says that all cards came, each once, and nothing else did.
func (p *pile) complete() bool {
	return len(p.differing(false))+len(p.differing(true))+p.unread+p.foreign+p.twice == 0
}

// lies says in what order the cards lie that is no shuffle: that of new decks, that of the last shoe. It looks at quarters, as a table does in play, but at no
// fewer cards than a deck: a quarter of one tells too little.
func (p *pile) lies(last *shoe.Order) (newDecks, lastShoe bool) {
	for from, block := 0, max(13*p.decks, 52); from < p.order.Len(); from += block {
		to := min(from+block, p.order.Len())
		newDecks = newDecks || p.order.NewDecks(from, to, p.decks)
		lastShoe = lastShoe || p.order.Repeats(last, from, to, p.decks)
	}
	return newDecks, lastShoe
}

// orders are the words for the order by whether it is that of new decks, and whether that of the last shoe: for the record, and for people.
var orders = map[[2]bool][2]string{
	{false, false}: {"mixed", "neither that of new decks nor that of the last shoe"},
	{true, false}:  {"new-decks", "that of new decks: shuffle them"},
	{false, true}:  {"last-shoe", "that of the last shoe: shuffle them"},
	{true, true}:   {"new-decks last-shoe", "that of new decks, and of the last shoe: shuffle them"},
}

func (p *pile) inOrder(last *shoe.Order) [2]string {
	newDecks, lastShoe := p.lies(last)
	return orders[[2]bool{newDecks, lastShoe}]
}

// underWay are the words of a check that is not over.
const underWay = "under way"

// soFar is the entry of a check under way.
func (p *pile) soFar(by string) table.Event {
	return table.Event{Kind: table.Checked, N: int64(p.decks), Text: &table.Text{Detail: fmt.Sprintf("cards %d, %s", p.cards, underWay), By: by}}
}

// event is the entry of the record.
func (p *pile) event(by string, last *shoe.Order) table.Event {
	list := func(of []string) string { return strings.ToLower(cmp.Or(strings.Join(of, " "), "none")) }
	found := fmt.Sprintf("cards %d, missing %s, extra %s, foreign %d, unread %d, twice %d, cut %d, faults %d, order %s",
		p.cards, list(p.differing(false)), list(p.differing(true)), p.foreign, p.unread, p.twice, p.cut, p.faults, p.inOrder(last)[0])
	return table.Event{Kind: table.Checked, N: int64(p.decks), Text: &table.Text{Detail: found, By: by}}
}

// tell tells what was found. Its error is that the decks are not complete.
func (p *pile) tell(w io.Writer, by string, last *shoe.Order) error {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-10s%s\n", name, fmt.Sprintf(format, args...))
	}
	count := func(name string, n int, what string) {
		if n > 0 {
			line(name, "%d%s", n, what)
		}
	}
	verdict := map[bool]string{true: "complete", false: "NOT COMPLETE"}[p.complete()]
	fmt.Fprintf(w, "%s, checked by %s: %s\n", plural(p.decks, "deck", "decks"), by, verdict)
	line("cards", "%d of %d, and %s", p.cards, p.all(), plural(p.cut, "cut card", "cut cards"))
	for _, one := range p.differing(false) {
		line("missing", "%s", one)
	}
	for _, one := range p.differing(true) {
		line("extra", "%s", one)
	}
	count("foreign", p.foreign, ", of none of these decks")
	count("unread", p.unread, "; they are among the missing")
	count("twice", p.twice, ": tags that came again, of a card pushed back or a copy")
	count("faults", p.faults, " reported by the shoe; cards may have gone by uncounted")
	line("order", "%s", p.inOrder(last)[1])
	if !p.complete() {
		return errors.New("deckcheck: the decks are not complete")
	}
	return nil
}
