package baccarat

import (
	"sabot/shoe"
	"sabot/table"
)

// tableau is the drawing rules as data: the usual ones, because rule sheet 003 leaves them out. Sets of totals and of points have a bit for each.
//
//	Player, on his two cards        0-5 draws, 6 and 7 stand
//	Banker, when the Player stood   0-5 draws, 6 and 7 stand
//	Banker, by the Player's third   0-2 any   3 all but 8   4 on 2-7   5 on 4-7   6 on 6 and 7   7 stands
type tableau struct {
	points  [16]uint8  // a rank's: ace 1, ten and pictures 0
	natural uint16     // totals of two cards that end the coup
	player  uint16     // totals on which the Player draws
	stood   uint16     // totals on which the Banker draws when the Player stood
	banker  [10]uint16 // for each of his totals, the points of the Player's third card on which the Banker draws
}

var rules = tableau{
	points:  [16]uint8{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9},
	natural: 1<<8 | 1<<9,
	player:  upTo5,
	stood:   upTo5,
	banker: [10]uint16{
		0: anyPoints,
		1: anyPoints,
		2: anyPoints,
		3: anyPoints &^ (1 << 8),
		4: 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<7,
		5: 1<<4 | 1<<5 | 1<<6 | 1<<7,
		6: 1<<6 | 1<<7,
	},
}

const (
	upTo5     = 1<<6 - 1
	anyPoints = 1<<10 - 1
)

// due is the hand the next card goes to, or NoHand and why there is none.
type due struct {
	to   table.Hand
	over table.Code
}

// dealt and third are what the tableau comes to, worked out once for each coup there can be: by the Player's and the Banker's totals of
// two cards, and by the Banker's total and the points of the Player's third card. A coup so has one branch that nobody can foretell
// where it had four.
var dealt, third = rules.work()

func (t *tableau) work() (dealt, third [10][10]due) {
	for p := range uint8(10) {
		for b := range uint8(10) {
			dealt[p][b] = t.afterDeal(p, b)
			third[b][p] = due{over: table.BacBankerStands}
			if has(t.banker[b], p) {
				third[b][p] = due{to: table.BankerHand}
			}
		}
	}
	return dealt, third
}

func (t *tableau) afterDeal(player, banker uint8) due {
	switch {
	case has(t.natural, player) || has(t.natural, banker):
		return due{over: table.BacNatural}
	case has(t.player, player):
		return due{to: table.PlayerHand}
	case has(t.stood, banker):
		return due{to: table.BankerHand}
	}
	return due{over: table.BacBothStand}
}

// has says that a set has n.
func has(set uint16, n uint8) bool { return set>>n&1 != 0 }

// hand is one side's cards. total is kept as they come.
type hand struct {
	cards [3]shoe.Card
	n     uint8
	total uint8
}

func (h *hand) add(c shoe.Card) {
	h.cards[h.n] = c
	h.n++
	total := int(h.total) + int(rules.points[c.Rank()]) // in words, because only those are chosen between without a branch
	if total >= 10 {
		total -= 10
	}
	h.total = uint8(total)
}

// natural says that two cards make 8 or 9.
func (h *hand) natural() bool { return h.n == 2 && has(rules.natural, h.total) }

// pair says that the first two cards have the same rank. It is reported; rule sheet 003 has no bet on it.
func (h *hand) pair() bool { return h.cards[0].Rank() == h.cards[1].Rank() }
