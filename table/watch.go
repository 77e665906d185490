package table

import "sabot/shoe"

// watch watches a shoe from its first card to its change: the order in which its cards come, its end, its cut card. It goes by what everybody could see:
// a card that lies face down is none it knows, so that nothing that follows from it tells one. It speaks between rounds alone,
// because what it finds puts the shoe in doubt and not the deal.
//
// It lies beside the game, not in it: the order is four hundred bytes, and a game is copied at each step.
type watch struct {
	order  shoe.Order
	last   string // the order of the last shoe
	looked int    // how many of the order's cards were held against others
	hole   int    // the number of the hole card, or of the last one
	cut    bool   // the cut card came
	empty  bool   // the shoe is empty, and that was seen
}

// see takes an event and what was called of it, and gives what it found.
func (w *watch) see(e *Event, calls []Call, layout func() Layout) []Code {
	switch e.Kind {
	case NewShoe:
		found := w.lastPart(layout)
		*w = watch{last: w.order.String()}
		return found
	case Draw:
		w.draw(layout().Shoe.Dealt, calls)
	}
	ended := false
	for i := range calls {
		switch calls[i].Word {
		case CallReveal:
			w.order.Show(w.hole, calls[i].Card)
		case CallCut:
			w.cut = true
		case CallEnd, CallVoid:
			ended = true
		}
	}
	if !ended {
		return nil
	}
	return w.roundEnded(layout())
}

// draw takes a card to its place in the order, if one left the shoe. A card dealt later than it was drawn stays one nobody knows.
func (w *watch) draw(dealt int, calls []Call) {
	if dealt == w.order.Len() { // another reading of one that had left
		return
	}
	w.order.Draw(dealt)
	for i := range calls {
		c := &calls[i]
		switch {
		case c.Word == CallCard && c.Card == shoe.NoCard:
			w.hole = dealt
		case c.Word == CallCard || c.Word == CallBurn:
			w.order.Show(dealt, c.Card)
		}
	}
}

// roundEnded looks at the blocks that are whole, and whether anything is left. The cut card may lie behind the last card, and come after it in the same round.
func (w *watch) roundEnded(l Layout) (found []Code) {
	decks := (l.Shoe.Dealt + l.Shoe.Left) / 52
	for block := 13 * decks; block > 0 && w.looked+block <= w.order.Len(); w.looked += block {
		found = w.look(found, w.looked, w.looked+block, decks)
	}
	if l.Shoe.Left == 0 && l.Shoe.Dealt > 0 && !w.empty {
		w.empty = true
		if !w.cut {
			found = append(found, CutUnseen)
		}
	}
	return found
}

// lastPart looks at what is left as the shoe is changed.
func (w *watch) lastPart(layout func() Layout) (found []Code) {
	l := layout() // of the new shoe, which holds as many decks
	if w.order.Len() > w.looked {
		found = w.look(found, w.looked, w.order.Len(), l.Shoe.Left/52)
	}
	if w.order.Len() >= l.Shoe.Left && l.Shoe.Left > 0 && !w.cut && !w.empty { // it was emptied through its mouth
		found = append(found, CutUnseen)
	}
	return found
}

// look holds a part of the order against new decks and the last shoe.
func (w *watch) look(found []Code, from, to, decks int) []Code {
	if decks == 0 {
		return found
	}
	if w.order.NewDecks(from, to, decks) {
		found = append(found, NewDeckOrder)
	}
	if last := shoe.ParseOrder(w.last); w.order.Repeats(&last, from, to, decks) {
		found = append(found, LastShoeOrder)
	}
	return found
}
