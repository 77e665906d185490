package shoe

import (
	"flag"
	"math/rand/v2"
	"testing"
)

// filled is an order of these cards.
func filled(cards []Card) Order {
	var o Order
	for i, c := range cards {
		o.Draw(i + 1)
		o.Show(i+1, c)
	}
	return o
}

func newDecks(decks int) []Card {
	var cards []Card
	for range decks {
		cards = append(cards, Deck()...)
	}
	return cards
}

// riffle is one riffle as people do it: cut about in the middle, then cards fall from either half in proportion to what is left of it (Gilbert, Shannon, Reeds).
func riffle(rng *rand.Rand, cards []Card) []Card {
	cut := 0
	for range cards {
		cut += rng.IntN(2)
	}
	a, b := cards[:cut], cards[cut:]
	out := make([]Card, 0, len(cards))
	for len(a)+len(b) > 0 {
		if rng.IntN(len(a)+len(b)) < len(a) {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

func cutAt(rng *rand.Rand, cards []Card) []Card {
	at := rng.IntN(len(cards))
	return append(append([]Card{}, cards[at:]...), cards[:at]...)
}

// washed moves each card a few places at most: it shuffles within pieces of the length.
func washed(rng *rand.Rand, cards []Card, length int) []Card {
	out := append([]Card{}, cards...)
	for i := 0; i < len(out); i += length {
		piece := out[i:min(i+length, len(out))]
		rng.Shuffle(len(piece), func(a, b int) { piece[a], piece[b] = piece[b], piece[a] })
	}
	return out
}

func reversed(cards []Card) []Card {
	out := make([]Card, len(cards))
	for i, c := range cards {
		out[len(cards)-1-i] = c
	}
	return out
}

// dealt looks at the shoe block by block, as a table does, when a number of its cards are out.
func dealt(cards []Card, old *Order, decks, out int) (alarm string) {
	o := filled(cards[:out])
	block := 13 * decks
	for from := 0; from < out; from += block {
		to := min(from+block, out)
		switch {
		case o.NewDecks(from, to, decks):
			return "new decks"
		case o.Repeats(old, from, to, decks):
			return "last shoe"
		}
	}
	return ""
}

var shoes = flag.Int("shoes", 3000, "how many shuffled shoes to look at, of each size")

// TestShuffledShoesRaiseNothing: the computed rate is less than one in a million; -args -shoes 100000 looks at 100,000, in a minute.
func TestShuffledShoesRaiseNothing(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, decks := range []int{8, 6, 1} {
		cards := newDecks(decks)
		old := filled(cards)
		for i := range *shoes {
			rng.Shuffle(len(cards), func(a, b int) { cards[a], cards[b] = cards[b], cards[a] })
			if alarm := dealt(cards, &old, decks, len(cards)); alarm != "" {
				t.Fatalf("seed %d, %d decks: shuffled shoe %d is taken for %s", seed, decks, i, alarm)
			}
			old = filled(cards[:len(cards)*3/4])
		}
	}
	t.Logf("%d shuffled shoes, a third each of 8 decks, 6 and 1: none was taken for unshuffled", 3**shoes)
}

// TestBadShapesAreFound: of each shape the share that must be found, out of shoes of eight decks dealt to three quarters.
func TestBadShapesAreFound(t *testing.T) {
	shapes := []struct {
		name string
		make func(rng *rand.Rand, last []Card) []Card
		want int // of a hundred
	}{
		{"new decks, cut", func(rng *rand.Rand, _ []Card) []Card { return cutAt(rng, newDecks(8)) }, 100},
		{"new decks, riffled once", func(rng *rand.Rand, _ []Card) []Card { return riffle(rng, newDecks(8)) }, 100},
		{"new decks, riffled twice", func(rng *rand.Rand, _ []Card) []Card { return riffle(rng, riffle(rng, newDecks(8))) }, 95},
		{"new decks, riffled three times", func(rng *rand.Rand, _ []Card) []Card { return riffle(rng, riffle(rng, riffle(rng, newDecks(8)))) }, 0},
		{"the last shoe", func(_ *rand.Rand, last []Card) []Card { return last }, 100},
		{"the last shoe, cut", cutAt, 100},
		{"the last shoe from its other end", func(rng *rand.Rand, last []Card) []Card { return cutAt(rng, reversed(last)) }, 100},
		{"the last shoe, washed by 8", func(rng *rand.Rand, last []Card) []Card { return cutAt(rng, washed(rng, last, 8)) }, 100},
		{"the last shoe, washed by 20", func(rng *rand.Rand, last []Card) []Card { return cutAt(rng, washed(rng, last, 20)) }, 95},
		{"the last shoe, washed by 30", func(rng *rand.Rand, last []Card) []Card { return cutAt(rng, washed(rng, last, 30)) }, 0},
		{"the last shoe, riffled once", func(rng *rand.Rand, last []Card) []Card { return riffle(rng, last) }, 0},
	}
	const seed = 11
	for _, s := range shapes {
		rng := rand.New(rand.NewPCG(seed, 2))
		found := 0
		for range 100 {
			last := newDecks(8)
			rng.Shuffle(len(last), func(a, b int) { last[a], last[b] = last[b], last[a] })
			old := filled(last)
			if dealt(s.make(rng, last), &old, 8, 312) != "" {
				found++
			}
		}
		t.Logf("%s: %d of 100 found", s.name, found)
		if found < s.want {
			t.Errorf("seed %d: %s: %d of 100 found, want %d", seed, s.name, found, s.want)
		}
	}
}

func TestOrderReadsBack(t *testing.T) {
	o := filled([]Card{New(1, Hearts), NoCard, New(10, Spades), New(13, Clubs)})
	if s := o.String(); s != "Ah--TsKc" || ParseOrder(s) != o {
		t.Errorf("%s reads back as %s", s, func() string { p := ParseOrder(s); return p.String() }())
	}
	if p := ParseOrder("9s1xA"); p.Len() != 2 || p.String() != "9s--" {
		t.Errorf("nonsense is %s", p.String())
	}
}

func BenchmarkOrder(b *testing.B) {
	cards := newDecks(8)
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(cards), func(a, b int) { cards[a], cards[b] = cards[b], cards[a] })
	old := filled(cards)
	rng.Shuffle(len(cards), func(a, b int) { cards[a], cards[b] = cards[b], cards[a] })
	o := filled(cards)
	for b.Loop() {
		o.NewDecks(0, 104, 8)
		o.Repeats(&old, 0, 104, 8)
	}
}
