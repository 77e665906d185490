package shoe

import "fmt"

// Rank is a card's rank: 1 is the ace, 11 the jack, 12 the queen, 13 the king.
type Rank uint8

// Suit is a card's suit.
type Suit uint8

// The suits in the order of the alphabet, which is also the notation's.
const (
	Clubs Suit = iota
	Diamonds
	Hearts
	Spades
)

// Card is one card of a 52-card deck, or one of the two values that are no card: NoCard and Unread.
// It fits a byte (suit in bits 4-5, rank in bits 0-3), so tables over cards are small arrays.
type Card uint8

const (
	NoCard Card = 0    // nothing: the zero value
	Unread Card = 0x0f // a card left the shoe and nobody could read it; it still takes a place
)

// Values is the length of an array indexed by Card.
const Values = 64

// New makes a card of a rank from 1 to 13.
func New(r Rank, s Suit) Card { return Card(s)<<4 | Card(r) }

// Rank is the card's rank, 0 for NoCard and 15 for Unread.
func (c Card) Rank() Rank { return Rank(c & 15) }

// Suit is the card's suit; only a Known card has one.
func (c Card) Suit() Suit { return Suit(c >> 4) }

// known has a bit for each of the 52 cards.
const known uint64 = 0x3ffe_3ffe_3ffe_3ffe

// Known says that c is one of the 52 cards.
func (c Card) Known() bool { return known>>c&1 != 0 }

// Red says that the card is a diamond or a heart.
func (c Card) Red() bool { return c.Suit() == Diamonds || c.Suit() == Hearts }

const (
	ranks = "?A23456789TJQK"
	suits = "cdhs"
)

// String is the card in the notation: "9s", "Td", "Ah", "??" for Unread and "-" for NoCard.
func (c Card) String() string {
	switch {
	case c == Unread:
		return "??"
	case !c.Known():
		return "-"
	}
	return ranks[c.Rank():c.Rank()+1] + suits[c.Suit():c.Suit()+1]
}

// Append appends String to b without allocating.
func (c Card) Append(b []byte) []byte {
	switch {
	case c == Unread:
		return append(b, "??"...)
	case !c.Known():
		return append(b, '-')
	}
	return append(b, ranks[c.Rank()], suits[c.Suit()])
}

// MarshalText is String.
func (c Card) MarshalText() ([]byte, error) { return c.Append(nil), nil }

// UnmarshalText reads what MarshalText wrote, NoCard among it.
func (c *Card) UnmarshalText(b []byte) (err error) {
	if string(b) == NoCard.String() {
		*c = NoCard
		return nil
	}
	*c, err = ParseCard(string(b))
	return err
}

// ParseCard reads a card in any case, with "T" or "10" for the ten, or "??".
func ParseCard(s string) (Card, error) {
	if s == "??" {
		return Unread, nil
	}
	text := s
	if len(text) == 3 && text[0] == '1' && text[1] == '0' {
		text = "T" + text[2:]
	}
	if len(text) != 2 {
		return NoCard, fmt.Errorf("shoe: %q is no card (rank A23456789TJQK, suit cdhs, or ??)", s)
	}
	r, u := indexFold(ranks[1:], text[0]), indexFold(suits, text[1])
	if r < 0 || u < 0 {
		return NoCard, fmt.Errorf("shoe: %q is no card (rank A23456789TJQK, suit cdhs, or ??)", s)
	}
	return New(Rank(r+1), Suit(u)), nil
}

// indexFold finds the ASCII letter or digit b in set, whatever its case; -1 when it is not there.
func indexFold(set string, b byte) int {
	for i := 0; i < len(set); i++ {
		if set[i] == b || (set[i]|0x20 == b|0x20 && b|0x20 >= 'a' && b|0x20 <= 'z') {
			return i
		}
	}
	return -1
}

// Deck is the 52 cards in new-deck order: ace to king of clubs, diamonds, hearts, spades.
func Deck() []Card {
	deck := make([]Card, 0, 52)
	for s := Clubs; s <= Spades; s++ {
		for r := Rank(1); r <= 13; r++ {
			deck = append(deck, New(r, s))
		}
	}
	return deck
}
