package shoe

// Order is the order in which cards left a shoe, with NoCard for each that nobody was shown. It says whether they were shuffled at all.
//
// Two orders are looked for. In new decks a card lies beside its neighbours of the same suit; [Order.NewDecks] counts such pairs of
// cards drawn one after the other. After a shoe that was not shuffled, or only here and there, each card comes near the place it had; [Order.Repeats]
// counts those that come within reach of it, wherever the old order was cut and from whichever end it was dealt.
//
// Both look at one block of cards, a quarter of the shoe, and hold its count against a threshold that shuffled cards reach with a known small
// probability. Whatever has come before, the next card is one of those left, all equally likely; of those that would count at most
// k·decks are left of N-j, k being 2 neighbours, or the 2·reach+1 cards around a place. So the count is at most, in the stochastic order, a sum of
// independent yes-or-no's of probability k·decks/(N-j), whose tail is computed exactly (tail). Any block of a shuffled shoe is as the first one is, so
// j counts from its beginning. A shoe has at most four whole blocks and a last part: five counts of neighbours, each with a false alarm in at
// most 10⁻⁷, and five times all places and both directions at which an old order may begin, 832 with eight decks, each with 1.2·10⁻¹⁰: together
// less than one shoe in a million.
type Order struct {
	cards [MaxCards]Card
	n     int
}

// MaxCards is how many cards the largest shoe holds: eight decks.
const MaxCards = 8 * 52

const (
	reach        = 8            // how far from its old place a card still counts
	neighbours   = 1e-6 / 2 / 5 // the false alarms of one count of neighbours
	places       = neighbours   // of one block against all places of the old order
	surroundings = 2*reach + 1  // the cards within reach of a place
)

// Len is how many cards have left.
func (o *Order) Len() int { return o.n }

// Draw says that card number n, from 1, has left; nobody was shown it yet.
func (o *Order) Draw(n int) {
	if n < 1 || n > MaxCards {
		return
	}
	o.cards[n-1] = NoCard
	o.n = n
}

// Show says what card number n is.
func (o *Order) Show(n int, c Card) {
	if n >= 1 && n <= o.n && c.Known() {
		o.cards[n-1] = c
	}
}

// String is the order in the notation, two letters a card and "--" for one nobody was shown.
func (o *Order) String() string {
	b := make([]byte, 0, 2*MaxCards)
	for _, c := range o.cards[:o.n] {
		if c == NoCard {
			b = append(b, '-')
		}
		b = c.Append(b)
	}
	return string(b)
}

// ParseOrder reads what String wrote. What it cannot read are cards nobody was shown.
func ParseOrder(s string) Order {
	var o Order
	for o.n = 0; o.n < min(len(s)/2, MaxCards); o.n++ {
		o.cards[o.n], _ = ParseCard(s[2*o.n : 2*o.n+2])
		if !o.cards[o.n].Known() {
			o.cards[o.n] = NoCard
		}
	}
	return o
}

// NewDecks says that the cards from number from+1 to number to lie as in new decks, in whichever direction.
func (o *Order) NewDecks(from, to, decks int) bool {
	block := o.cards[from:to]
	return neighboursIn(block) >= threshold(len(block)-1, 1, 2*decks, 52*decks, neighbours)
}

// neighboursIn counts the pairs of cards drawn one after the other that are neighbours in a new deck.
func neighboursIn(block []Card) int {
	n := 0
	for i := 1; i < len(block); i++ {
		a, b := block[i-1], block[i]
		if apart := int(a.Rank()) - int(b.Rank()); a != NoCard && b != NoCard && a.Suit() == b.Suit() && (apart == 1 || apart == -1) {
			n++
		}
	}
	return n
}

// Repeats says that the cards from number from+1 to number to come in the order of an old shoe.
func (o *Order) Repeats(old *Order, from, to, decks int) bool {
	if old.n == 0 || to <= from {
		return false
	}
	block := o.cards[from:to]
	return mostWithin(block, old) >= threshold(len(block), 0, surroundings*decks, 52*decks, places/float64(2*old.n))
}

// mostWithin is the most cards of a block that come within reach of their old place, over all places at which the block may begin and both
// directions.
func mostWithin(block []Card, old *Order) int {
	var near [Values][]uint16 // by card, the places within reach of it
	for at := range old.n {
		var said uint64 // a card counts once, however many copies are within reach
		for _, c := range old.cards[max(0, at-reach):min(old.n, at+reach+1)] {
			if said>>c&1 == 0 && c != NoCard {
				near[c] = append(near[c], uint16(at))
			}
			said |= 1 << c
		}
	}
	var forth, back [2 * MaxCards]uint8 // by the place at which the block would begin, how many cards fit
	for i, c := range block {
		for _, at := range near[c] {
			forth[int(at)+old.n-i%old.n]++
			back[int(at)+i%old.n]++
		}
	}
	most := uint8(0)
	for begin := range old.n { // the old order may have been cut anywhere: behind its end comes its beginning
		most = max(most, forth[begin]+forth[begin+old.n], back[begin]+back[begin+old.n])
	}
	return int(most)
}

// threshold is the least count that independent yes-or-no's j = first, first+1 … of probability ones/(left-j), n of them, reach with a probability of at
// most rate.
func threshold(n, first, ones, left int, rate float64) int {
	if n < 1 {
		return 1
	}
	exactly := make([]float64, n+1) // the probability of each count
	exactly[0] = 1
	for j := range n {
		q := min(1, float64(ones)/float64(left-first-j))
		for k := j + 1; k > 0; k-- {
			exactly[k] = exactly[k]*(1-q) + exactly[k-1]*q
		}
		exactly[0] *= 1 - q
	}
	tail := 0.0
	for k := n; k >= 0; k-- {
		if tail += exactly[k]; tail > rate {
			return k + 1
		}
	}
	return 0
}
