package blackjack

import (
	"sabot/shoe"
	"sabot/table"
)

// maxCards is the most a hand can hold without being bust: 21 aces; and the card that busts it.
const maxCards = 22

// hand is one hand's cards and how far it has been played.
//
// Invariant: total is the cards' better value, which does not bust if there is one, and soft says that an ace counts 11 in it;
// status is Playing as long as the hand may act.
type hand struct {
	cards   [maxCards]shoe.Card
	n       uint8
	total   uint8
	soft    bool
	status  table.Status
	split   bool
	doubled bool
	acted   bool       // took a decision: no surrender any more
	auto    bool       // its clock ran out: it draws by the rule
	short   bool       // its balance fails at its next decision
	plan    table.Kind // what it will do when its turn comes
}

// points are a rank's, with the ace as 1.
var points = [16]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 0, 0}

func (h *hand) add(c shoe.Card) {
	p := points[c.Rank()]
	h.cards[h.n] = c
	h.n++
	h.total += p
	switch {
	case p == 1 && h.total <= 11:
		h.total, h.soft = h.total+10, true
	case h.soft && h.total > 21:
		h.total, h.soft = h.total-10, false
	}
}

// natural says that the two cards are an ace and a ten. That a split hand's 21 is none is the caller's to know.
func (h *hand) natural() bool { return h.n == 2 && h.total == 21 }

// live says that the hand's result still depends on the dealer's cards beyond a natural.
func (h *hand) live() bool {
	switch h.status {
	case table.Stood, table.TwentyOne, table.Doubled, table.SplitAce:
		return true
	}
	return false
}

// done is the code of a complete hand.
var done = [...]table.Code{
	table.Playing: table.OK, table.Stood: table.HandDoneStood, table.TwentyOne: table.HandDone21, table.Blackjack: table.HandDoneBlackjack,
	table.Bust: table.HandDoneBust, table.Doubled: table.HandDoneDoubled, table.SplitAce: table.HandDoneSplitAce,
	table.Surrendered: table.HandDoneSurrendered, table.TookEvenMoney: table.HandDoneEvenMoney, table.Unplayed: table.RoundOver,
}

// stakes is what lies on the hand, in half units.
func (h *hand) stakes() int8 {
	if h.doubled {
		return 4
	}
	return 2
}

// pairOf is the class of a seat's two cards against the up card (000, L170-180). Equality is by rank: by points the bet
// would return 196 %.
func pairOf(a, b, up shoe.Card) table.Pair {
	switch {
	case a.Rank() != b.Rank():
		return table.NoPair
	case a == b && a == up:
		return table.SuitedTrips
	case a == b:
		return table.PerfectPair
	case a.Red() == b.Red():
		return table.ColouredPair
	}
	return table.MixedPair
}
