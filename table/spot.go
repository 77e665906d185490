package table

import "strconv"

// BetKind is what a bet is on. It is here because the notation, calls and ledgers all speak of it.
type BetKind uint8

// The kinds of bet. Insurance is no part of a slip: it is an answer, see Insure.
const (
	NoBet        BetKind = iota
	BetSeat              // a player's own seat
	BetBehind            // behind the player on a seat
	BetPair              // the Pair of a seat's first two cards
	BetInsurance         // half a bet, against the dealer's natural
	BetPlayer            // baccarat's three
	BetBanker
	BetTie
	BetStraight // roulette's: one number
	BetSplit    // two neighbours
	BetStreet   // a row
	BetTrio     // 0-1-2 or 0-2-3
	BetCorner   // four in a square
	BetFirstFour
	BetSixLine // two neighbouring rows
	BetColumn
	BetDozen
	BetRed
	BetBlack
	BetEven
	BetOdd
	BetLow
	BetHigh
	BetKinds // how many there are
)

var betWords = [BetKinds]string{
	"none", "seat", "behind", "pair", "insurance", "player", "banker", "tie", "straight", "split", "street", "trio", "corner", "first-four", "six-line",
	"column", "dozen", "red", "black", "even", "odd", "low", "high",
}

// String is the kind in a word.
func (k BetKind) String() string { return betWords[k] }

// ParseBetKind finds a kind by its word; NoBet means that there is none.
func ParseBetKind(word string) BetKind {
	for k := BetSeat; k < BetKinds; k++ {
		if betWords[k] == word {
			return k
		}
	}
	return NoBet
}

// Seated says that the bet lies at a seat.
func (k BetKind) Seated() bool { return k >= BetSeat && k <= BetInsurance }

// Layout says that there are several bets of the kind, and which one must be said.
func (k BetKind) Layout() bool { return k >= BetStraight && k <= BetDozen && k != BetFirstFour }

// Spot is where a bet lies. At is the seat of a bet at one; of a bet on numbers it says which of its kind, in a way only
// Numbers knows.
type Spot struct {
	Bet BetKind
	At  uint8
}

// NumberSet is a set of pockets, a bit for each.
type NumberSet uint64

// Has says whether n is in the set.
func (s NumberSet) Has(n Number) bool { return s>>n&1 != 0 }

// Numbers are the pockets a bet of roulette covers; none for a spot that is not on the felt. Rows are 1-2-3, 4-5-6 … 34-35-36;
// neighbours stand beside each other in a row, or in the same place of two rows; the zero neighbours 1, 2 and 3.
func (s Spot) Numbers() NumberSet {
	at := s.At
	rowStart, lastInRow := at%3 == 1, at%3 == 0
	switch {
	case s.Bet == BetStraight && at < Pockets:
		return 1 << at
	case s.Bet == BetSplit:
		return splitNumbers(at>>2, at&3)
	case s.Bet == BetStreet && rowStart && at <= 34:
		return 7 << at
	case s.Bet == BetTrio && (at == 1 || at == 2):
		return 1 | 3<<at
	case s.Bet == BetCorner && !lastInRow && at <= 32:
		return 1<<at | 1<<(at+1) | 1<<(at+3) | 1<<(at+4)
	case s.Bet == BetFirstFour && at == 0:
		return 15
	case s.Bet == BetSixLine && rowStart && at <= 31:
		return 63 << at
	case s.Bet >= BetColumn:
		return s.matching()
	}
	return 0
}

// splitNumbers are low and low+apart where those two are neighbours, else none.
func splitNumbers(low, apart uint8) NumberSet {
	across, along := apart == 1 && low%3 != 0 && low < 36, apart == 3 && low <= 33
	if low == 0 && apart > 0 || low > 0 && (across || along) {
		return 1<<low | 1<<(low+apart)
	}
	return 0
}

// matching are the numbers of a bet on a property.
func (s Spot) matching() NumberSet {
	var set NumberSet
	for n := Number(1); n < Pockets; n++ {
		if s.fits(n) {
			set |= 1 << n
		}
	}
	return set
}

func (s Spot) fits(n Number) bool {
	switch s.Bet {
	case BetColumn:
		return n.Column() == int(s.At)
	case BetDozen:
		return n.Dozen() == int(s.At)
	case BetRed:
		return n.Colour() == Red
	case BetBlack:
		return n.Colour() == Black
	case BetEven:
		return n.Even()
	case BetOdd:
		return n.Odd()
	case BetLow:
		return n.Low()
	}
	return n.High()
}

// maxAt is the greatest At any spot has: the split of 35 and 36.
const maxAt = 35<<2 | 1

// FindSpot is the spot of a kind that covers exactly these numbers; false when the felt has none.
func FindSpot(k BetKind, numbers NumberSet) (Spot, bool) {
	for at := range uint8(maxAt + 1) {
		if s := (Spot{k, at}); numbers != 0 && s.Numbers() == numbers {
			return s, true
		}
	}
	return Spot{}, false
}

// spot writes the spot's members of a JSON object. A hand says more than its seat.
func (j *object) spot(s Spot, h Hand) {
	j.str("bet", s.Bet.String())
	switch {
	case h != NoHand:
		j.hand("hand", h)
	case s.Bet.Seated():
		j.num("seat", int64(s.At))
	case s.Bet == BetColumn || s.Bet == BetDozen:
		j.num("which", int64(s.At))
	case s.Bet.Layout():
		j.key("numbers")
		j.b = s.Numbers().append(append(j.b, '['))
	}
}

func (s NumberSet) append(b []byte) []byte {
	for n := Number(0); n < Pockets; n++ {
		if s.Has(n) {
			b = append(strconv.AppendInt(b, int64(n), 10), ',')
		}
	}
	b[len(b)-1] = ']'
	return b
}
