package main

import (
	"slices"

	"sabot/shoe"
	"sabot/shoe/uid"
)

// enrolment is a file of tags being filled. It always knows which card is due: the one that follows the last in the order of new decks,
// as far as copies of it are missing. So whoever takes new decks just draws, and looks whether the card in his hand is the one that was named; for any other
// order he types the card first. A file that is half full goes on where it stands.
type enrolment struct {
	file  string
	cards *uid.Cards
	decks int
	order []shoe.Card // of a new deck

	due     shoe.Card // shoe.NoCard for the cut card
	at      int       // the place in the order of the last card that was due
	done    bool      // nothing is due
	cutless bool      // the cut card has no tag
	last    []string  // the tags enrolled since the start, for undo
}

const enrolHelp = `Draw the card that is named, one at a time; each is kept as soon as it is read.
  9s         the next card is this one, and the order goes on from it; cut for the cut card
  undo       the last one was another card: take it out again
  skip       leave this one out for now
  done       end (Ctrl-D too)`

// begin finds the first card that is due: in a file half full, the one of which the fewest are there.
func (n *enrolment) begin() {
	n.at = len(n.order) - 1
	n.advance()
	least := n.decks
	for i, c := range n.order {
		if have := n.have(c); have < least {
			least, n.due, n.at = have, c, i
		}
	}
}

// have is how many tags a card has.
func (n *enrolment) have(c shoe.Card) int { return len(n.cards.UIDs(c)) }

// enrolled is how many cards have a tag, the cut card not counted.
func (n *enrolment) enrolled() int { return n.cards.Len() - n.have(shoe.NoCard) }

// advance goes on to the next card in the order of which copies are missing, then to the cut card.
func (n *enrolment) advance() {
	for step := 1; step <= len(n.order); step++ {
		at := (n.at + step) % len(n.order)
		if c := n.order[at]; n.have(c) < n.decks {
			n.due, n.at = c, at
			return
		}
	}
	n.due = shoe.NoCard
	n.done = n.cutless || n.have(shoe.NoCard) > 0
}

// turnTo makes a card the one that is due. Behind the cut card comes the card that was due before it.
func (n *enrolment) turnTo(c shoe.Card) {
	if c != shoe.NoCard {
		n.at = slices.Index(n.order, c)
	} else if n.due != shoe.NoCard {
		n.at += len(n.order) - 1
	}
	n.due, n.done = c, false
}

// cardName is a card as a person calls it.
func cardName(c shoe.Card) string {
	if c == shoe.NoCard {
		return "the cut card"
	}
	return c.String()
}

// walk enrols until nothing is due or nobody wants to go on. Its error is one with which that is not possible.
func (n *enrolment) walk(e *env, b *workbench) error {
	b.say("%s\n%d of %d cards are enrolled in %s", enrolHelp, n.enrolled(), 52*n.decks, n.file)
	n.ask(b)
	for !n.done {
		var err error
		select {
		case <-e.ctx.Done():
			return nil
		case r := <-b.heard:
			err = n.hear(b, r)
		case line, more := <-b.typed:
			if !more || line == "done" {
				return nil
			}
			err = n.obey(b, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ask names the card that is due.
func (n *enrolment) ask(b *workbench) {
	switch {
	case n.done:
	case n.due == shoe.NoCard:
		b.say("draw the cut card, or skip if it has no tag")
	default:
		b.say("draw %v", n.due)
	}
}

// hear takes what the reader says.
func (n *enrolment) hear(b *workbench, r shoe.Report) error {
	switch r.Kind {
	case shoe.Tagged:
		return n.take(b, r.Code)
	case shoe.Lost, shoe.Found:
		return b.away(r)
	case shoe.Faulted:
		b.refuse("the reader reports %s (%s); draw %s again", r.Code, r.Text, cardName(n.due))
	}
	return nil
}

// take enrols a tag as the card that is due, and keeps it.
func (n *enrolment) take(b *workbench, id string) error {
	if was, ok := n.cards.Card(id); ok {
		b.refuse("this tag is enrolled already, as %s; %s is due", cardName(was), cardName(n.due))
		return nil
	}
	if err := n.cards.Add(id, n.due); err != nil {
		b.refuse("%v", err)
		return nil
	}
	if err := n.save(); err != nil {
		return err
	}
	n.last = append(n.last, id)
	b.say("%s%4d of %d: %s", b.bell, n.enrolled(), 52*n.decks, cardName(n.due))
	n.advance()
	n.ask(b)
	return nil
}

// obey does what is typed.
func (n *enrolment) obey(b *workbench, line string) error {
	c, err := shoe.ParseCard(line)
	switch {
	case line == "":
	case line == "undo":
		return n.undo(b)
	case line == "skip":
		n.skip()
	case line == cutWord:
		n.turnTo(shoe.NoCard)
	case err != nil || !c.Known():
		b.refuse("%q is no card and no command\n%s", line, enrolHelp)
	case n.have(c) >= n.decks:
		b.refuse("all %d of %v are enrolled", n.decks, c)
	default:
		n.turnTo(c)
	}
	n.ask(b)
	return nil
}

// cutWord is what is typed, and drawn in a script, for the cut card.
const cutWord = "cut"

// skip leaves out what is due. A card comes again behind all others; a cut card without a tag does not.
func (n *enrolment) skip() {
	n.cutless = n.cutless || n.due == shoe.NoCard
	n.advance()
}

// undo takes out the tag enrolled last; its card is due again.
func (n *enrolment) undo(b *workbench) error {
	if len(n.last) == 0 {
		b.refuse("nothing was enrolled since the start; what was before is taken out of the file by hand")
		return nil
	}
	id := n.last[len(n.last)-1]
	n.last = n.last[:len(n.last)-1]
	card, _ := n.cards.Card(id)
	n.cards.Remove(id)
	if err := n.save(); err != nil {
		return err
	}
	b.say("taken out: %s", cardName(card))
	n.turnTo(card)
	n.ask(b)
	return nil
}
