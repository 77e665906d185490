package beetek

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sabot/shoe"
)

// spoil loses, cuts or breaks a token, or leaves it. What turns one card into another nobody can find without a checksum.
func spoil(r *rand.Rand, token []byte) []byte {
	token = bytes.Clone(token)
	switch i := r.IntN(len(token)); r.IntN(5) {
	case 0:
		return nil
	case 1:
		return token[:i]
	case 2:
		token[i] = byte(r.IntN(32))
	case 3:
		token[i] |= 0x80
	case 4:
		token[len(token)-3-r.IntN(2)] = "XZ#"[r.IntN(3)] // in the card's name
	}
	return token
}

// noise is bytes between tokens, without those that begin one, or that end one cut short just there.
func noise(r *rand.Rand) []byte {
	p := make([]byte, r.IntN(6))
	for i := range p {
		for p[i] = byte(r.IntN(256)); p[i] == '[' || p[i] == '<' || p[i] == '>'; p[i] = byte(r.IntN(256)) {
		}
	}
	return p
}

// TestEveryCardOnceOverABadLine draws shoes over a line on which of two copies one may be lost, cut or broken, and noise stands between.
func TestEveryCardOnceOverABadLine(t *testing.T) {
	total, neighbours := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		mode := []string{Game, Manual}[seed%2]
		dev, host := NewDevice(Options{}, mode), New("shoe", Options{})
		var drawn, got []shoe.Card
		for i := range 416 {
			c := append(shoe.Deck(), shoe.Unread)[r.IntN(53)]
			if i > 0 && r.IntN(3) == 0 {
				c = drawn[i-1]
				neighbours++
			}
			drawn = append(drawn, c)
			var p []byte
			tokens := bytes.SplitAfter(bytes.TrimSuffix(dev.Draw(c), []byte("> ")), []byte("> "))
			tokens[len(tokens)-1] = append(tokens[len(tokens)-1], "> "...)
			spared := r.IntN(len(tokens))
			for i, token := range tokens {
				if i != spared {
					token = spoil(r, token)
				}
				p = append(append(p, noise(r)...), token...)
			}
			for _, report := range host.hear(time.Duration(i)*(usualWindow+time.Millisecond), p, 1+r.IntN(40)) {
				if report.Kind == shoe.Drawn {
					got = append(got, report.Card)
				}
			}
		}
		if !slices.Equal(got, drawn) {
			t.Fatalf("seed %d: drew %v\nheard %v", seed, drawn, got)
		}
		total += len(got)
	}
	if total < 20000 || neighbours < 5000 {
		t.Errorf("the shoes were too dull: %d cards, %d identical neighbours", total, neighbours)
	}
}
