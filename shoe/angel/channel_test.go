package angel

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sabot/shoe"
)

// channel is a bad line: it spoils messages, yet of the copies of each at least one comes through.
type channel struct {
	r      *rand.Rand
	copies int
}

// send gives what comes of what the device said.
func (c *channel) send(p []byte) (out []byte) {
	messages := bytes.SplitAfterN(p, []byte{enq}, -1)[1:] // the start byte stands at the end of the one before
	for i, m := range messages {
		m = bytes.Clone(append([]byte{enq}, bytes.TrimSuffix(m, []byte{enq})...))
		if i%c.copies != c.good(i/c.copies) {
			m = c.spoil(m)
		}
		out = append(append(out, c.noise()...), m...)
	}
	return out
}

// good is the copy of a message that is spared.
func (c *channel) good(message int) int { return (message*7 + c.copies - 1) % c.copies }

// spoil loses, cuts or changes a message, or leaves it. One changed byte is what a XOR surely finds.
func (c *channel) spoil(m []byte) []byte {
	switch i := c.r.IntN(len(m)); c.r.IntN(4) {
	case 0:
		return nil
	case 1:
		return m[:i]
	case 2:
		m[i] ^= byte(1 + c.r.IntN(255))
	}
	return m
}

// noise is bytes between messages; 05 among them is a frame begun and never ended.
func (c *channel) noise() []byte {
	p := make([]byte, c.r.IntN(6))
	for i := range p {
		p[i] = byte(c.r.IntN(256))
	}
	return p
}

// TestEveryCardOnceOverABadLine draws shoes over a line on which of three copies up to two are lost, cut or changed.
func TestEveryCardOnceOverABadLine(t *testing.T) {
	total, neighbours := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		line := channel{r, 3}
		dev, host := NewDevice(Options{}, Habits{Copies: 3, Burn: true}), New("shoe", Options{})
		var drawn, got []shoe.Card
		now := time.Duration(0)
		hear := func(p []byte) {
			for p = line.send(p); len(p) > 0; {
				n := 1 + r.IntN(len(p))
				reports, _ := host.Feed(now, p[:n])
				for _, r := range reports {
					if r.Kind == shoe.Drawn {
						got = append(got, r.Card)
					}
				}
				p = p[n:]
			}
			now += 300 * time.Millisecond // faster than any hand
		}
		hear(dev.Boot())
		for range 416 {
			c := shoe.Deck()[r.IntN(52)]
			if r.IntN(3) == 0 && len(drawn) > 0 {
				c = drawn[len(drawn)-1]
			}
			if r.IntN(50) == 0 {
				c = shoe.Unread
			}
			if n := len(drawn); n > 0 && drawn[n-1] == c {
				neighbours++
			}
			drawn = append(drawn, c)
			hear(dev.Draw(c))
			if c == shoe.Unread {
				hear(dev.Feed(now, append(host.Lock(true), host.Lock(false)...)))
			}
		}
		if !slices.Equal(got, drawn) {
			t.Fatalf("seed %d: drew %v\nheard %v", seed, drawn, got)
		}
		total += len(got)
	}
	if total < 15000 || neighbours < 3000 {
		t.Errorf("the shoes were too dull: %d cards, %d identical neighbours", total, neighbours)
	}
}
