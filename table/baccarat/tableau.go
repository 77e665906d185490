package baccarat

import "sabot/shoe"

// tableau is the drawing rules as data (rule sheet 003 with D1). Sets of totals and of points have a bit for each.
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
	total := h.total + rules.points[c.Rank()]
	if total >= 10 {
		total -= 10
	}
	h.total = total
}

// natural says that two cards make 8 or 9.
func (h *hand) natural() bool { return h.n == 2 && has(rules.natural, h.total) }

// pair says that the first two cards have the same rank (D5).
func (h *hand) pair() bool { return h.cards[0].Rank() == h.cards[1].Rank() }
