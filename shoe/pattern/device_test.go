package pattern

import (
	"math/rand/v2"
	"testing"
	"time"

	"sabot/shoe"
)

var claims = []shoe.Claim{
	{}, {Side: shoe.ToPlayer, Index: 1}, {Side: shoe.ToPlayer, Index: 3}, {Side: shoe.ToBanker, Index: 1}, {Side: shoe.ToBanker, Index: 2}, {Side: shoe.ToBurn}, {Side: shoe.Outside},
}

// expressions are readers of all sorts.
var expressions = map[string]Options{
	"barcode":  Presets["barcode"],
	"five":     Presets["five"],
	"prefix":   {Expression: `(?i)~?card:(?P<code>[^@\s]{2,3})(?:@(?P<position>[PB][123]|BURN|OUT))?`},
	"parts":    {Expression: `(?:(?P<suit>[A-D])-(?P<rank>\d+)|X{2,4}(?P<misread>Z)|(?P<cut>C+))\s*`, Suits: map[string]string{"A": "c", "B": "d", "C": "h", "D": "s"}, Ranks: numbered()},
	"anchored": {Expression: `^(?P<rank>[A-Z0-9])(?P<suit>[a-z])$`},
	"optional": {Expression: `(?:<(?P<position>..)>){0,1}(?P<code>..)`, Positions: map[string]string{"p1": "P1", "b2": "B2"}},
}

// numbered are ranks as numbers.
func numbered() map[string]string {
	table := map[string]string{}
	for i, r := range []string{"A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"} {
		table[decimal(i+1)] = r
	}
	return table
}

func decimal(n int) string {
	if n > 9 {
		return "1" + decimal(n-10)
	}
	return string(rune('0' + n))
}

// TestTheModelSaysWhatTheDecoderReads has each device say all it can. Every one can say every card.
func TestTheModelSaysWhatTheDecoderReads(t *testing.T) {
	sayings := map[string]int{}
	for name, o := range expressions {
		dev, err := NewDevice(o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d := decoder(t, o)
		for _, c := range append(shoe.Deck(), shoe.Unread) {
			for _, claim := range claims {
				line := dev.DrawAt(c, claim)
				if line == nil {
					continue
				}
				sayings[name]++
				r, _ := d.Feed(0, line)
				if len(r) != 1 || r[0].Kind != shoe.Drawn || r[0].Card != c || r[0].Claim != claim {
					t.Errorf("%s: %v %v is said %q and read %s", name, c, claim, line, saidAll(r))
				}
			}
			if c.Known() && dev.Draw(c) == nil {
				t.Errorf("%s: cannot say %v", name, c)
			}
		}
		if line := dev.Cut(); line != nil {
			sayings[name]++
			expect(t, name+": the cut card", feed(d, 0, string(line)), "cut")
		}
	}
	// 52 cards, misreads, cut cards, claims.
	for name, want := range map[string]int{"barcode": 54, "five": 52 * 4, "prefix": 53*7 + 1, "parts": 54, "anchored": 52, "optional": 53 * 3} {
		if sayings[name] != want {
			t.Errorf("%s: %d sayings, want %d", name, sayings[name], want)
		}
	}
}

func TestWhatAScannerCannotSay(t *testing.T) {
	dev, err := NewDevice(Presets["five"])
	if err != nil {
		t.Fatal(err)
	}
	silent := [][]byte{dev.Boot(), dev.Cut(), dev.Draw(shoe.Unread), dev.Draw(shoe.NoCard), dev.Fault("E3", "x"), dev.ClearFault("E3"), dev.Feed(time.Hour, []byte("x")),
		dev.DrawAt(shoe.New(1, shoe.Spades), shoe.Claim{Side: shoe.ToBurn})}
	for i, p := range silent {
		if p != nil {
			t.Errorf("%d: %q", i, p)
		}
	}
	if dev.Locked() {
		t.Error("locked")
	}
	d := decoder(t, Presets["five"])
	if d.Ack(shoe.Source{}) != nil || d.Lock(true) != nil {
		t.Error("the decoder talks to a scanner")
	}
}

// TestNoisyShoe draws eight decks over a line that adds noise between readings, damages some and cuts some off: what arrives whole is the card
// drawn, and what does not is a fault. None is lost without a word, none is another card.
func TestNoisyShoe(t *testing.T) {
	for name, o := range expressions {
		for seed := range uint64(4) {
			dev, err := NewDevice(o)
			if err != nil {
				t.Fatal(err)
			}
			r, d, now := rand.New(rand.NewPCG(seed, 1)), decoder(t, o), time.Duration(0)
			for i, c := range shuffled(r, 8) {
				line, want := damage(r, dev.Draw(c), "drawn "+c.String())
				half := r.IntN(len(line))
				got := feed(d, now, unprintable(r))
				now += idle
				got += feed(d, now, "") + feed(d, now, string(line[:half]))
				now += time.Duration(r.IntN(int(idle)))
				got += feed(d, now, "") + feed(d, now, string(line[half:])) + feed(d, now, unprintable(r))
				now += idle
				got += feed(d, now, "")
				if got != want {
					t.Fatalf("%s, seed %d, card %d %q: got %s, want %s", name, seed, i, line, got, want)
				}
			}
		}
	}
}

// shuffled is a number of decks, shuffled.
func shuffled(r *rand.Rand, decks int) (cards []shoe.Card) {
	for range decks {
		cards = append(cards, shoe.Deck()...)
	}
	r.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return cards
}

// damage is what a bad line makes of one reading in five.
func damage(r *rand.Rand, line []byte, said string) (damaged []byte, want string) {
	switch p := r.Float64(); {
	case p < 0.1:
		line[r.IntN(len(line)-1)] |= 0x80
	case p < 0.2:
		line = line[:1+r.IntN(len(line)-1)]
	default:
		return line, said
	}
	return line, "faulted unknown-reading"
}

// unprintable is noise that is no text and ends no line, often none.
func unprintable(r *rand.Rand) string {
	p := make([]byte, r.IntN(3))
	for i := range p {
		p[i] = byte(0x80 + r.IntN(128))
	}
	return string(p)
}
