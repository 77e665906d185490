package uid

import "sabot/shoe"

// Tags are those of one shoe: which card each is, and which of them have left. Any decoder that hears of tags may judge them by it.
type Tags struct {
	cards  *Cards          // nil: nobody has said yet
	left   map[string]bool // the tags that left this shoe
	strays int             // of them, those that are not enrolled
}

// NewTags are the tags of a shoe just filled, by an enrolment; with none, each tag is reported as such.
func NewTags(cards *Cards) *Tags { return &Tags{cards: cards, left: map[string]bool{}} }

// NewShoe says that the shoe was filled afresh: every tag may leave it once.
func (t *Tags) NewShoe() { t.left, t.strays = map[string]bool{}, 0 }

// Leave is what there is to report of a tag that left, see the package.
func (t *Tags) Leave(id string) []shoe.Report {
	if t.cards == nil {
		return []shoe.Report{{Kind: shoe.Tagged, Code: id}}
	}
	card, enrolled := t.cards.Card(id)
	switch {
	case t.left[id]:
		return []shoe.Report{{Kind: shoe.Faulted, Code: "same-uid", Text: "a tag that left this shoe before"}}
	case !enrolled:
		t.stray(id)
		return []shoe.Report{{Kind: shoe.Drawn, Card: shoe.Unread}, {Kind: shoe.Faulted, Code: "foreign", Text: "a tag that is not enrolled"}}
	}
	t.left[id] = true
	if card == shoe.NoCard {
		return []shoe.Report{{Kind: shoe.CutOut}}
	}
	return []shoe.Report{{Kind: shoe.Drawn, Card: card}}
}

// stray remembers a foreign tag, unless there are too many: then each sight of one is a card.
func (t *Tags) stray(id string) {
	if t.strays < manyStrays {
		t.strays++
		t.left[id] = true
	}
}
