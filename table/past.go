package table

import "sabot/shoe"

// What a supervisor can still change of the past he names by its entries: the decision that an undo takes back, and the cards of the rounds in reach of a correction. Whether a
// card can be corrected to another one is known only when that is asked for, see [Round].

// PastDecision is the decision that an undo takes back.
type PastDecision struct {
	Seq      int64  `json:"seq"`
	Hand     string `json:"hand"`
	Decision string `json:"decision"`
}

// PastCard is a card that was dealt.
type PastCard struct {
	Seq   int64  `json:"seq"` // of its draw
	Round uint32 `json:"round"`
	Hand  string `json:"hand"` // the hand that got it, as it was called then
	Card  string `json:"card"` // "back" while it lies face down
}

// Past is what of a game's past can still be changed: the decision, nil for none, and the cards, oldest first.
func Past(g Game) (*PastDecision, []PastCard) {
	if r, ok := g.(interface {
		past() (*PastDecision, []PastCard)
	}); ok {
		return r.past()
	}
	return nil, nil
}

func (r *Round[G, P]) past() (undo *PastDecision, cards []PastCard) {
	cards, _ = memory[G, P](&r.last)
	now, said := memory[G, P](&r.log)
	if i := r.undoable(); i >= 0 {
		undo = &PastDecision{r.log.events[i].Seq, said[i].Hand.String(), r.log.events[i].Kind.Word()}
	}
	return undo, append(cards, now...)
}

// memory are the cards of a round that can be corrected, and by event the card, decision or answer that was called of it.
func memory[G any, P interface {
	*G
	Game
}](l *log[G]) (cards []PastCard, said []Call) {
	if len(l.events) == 0 || l.void() {
		return nil, nil
	}
	game, hole := l.start, -1
	var calls []Call
	for i, e := range l.events {
		calls = P(&game).Step(e.Event, calls[:0])
		var told Call
		for _, w := range []Word{CallInsured, CallDecision, CallCard} {
			if c := word(calls, w); c != nil {
				told = *c
			}
		}
		said = append(said, told)
		if told.Why == WhyHole {
			hole = i
		}
		if c := word(calls, CallReveal); c != nil && hole >= 0 {
			said[hole].Card = c.Card
		}
	}
	round := P(&game).Layout().Round
	for _, e := range l.events {
		if e.Kind != Draw {
			continue
		}
		if i := l.find(e.Seq); i >= 0 && said[i].Word == CallCard {
			cards = append(cards, PastCard{e.Seq, round, said[i].Hand.String(), faceOf(said[i].Card)})
		}
	}
	return cards, said
}

// faceOf is a card as it lies.
func faceOf(c shoe.Card) string {
	if c == shoe.NoCard {
		return Back
	}
	return c.String()
}
