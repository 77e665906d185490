// Package wheel is what only a wheel's port needs: to be asked, and to be told what to do.
//
// A SlingShot wheel says its status each half second, if it is set to. Whoever asks by "*X" hears it sooner, and from every wheel; and a wheel that is asked and says
// nothing is away. A [Poller] stands around the wheel's decoder and is a [shoe.Decoder] itself, so that a device of package serial runs it like
// any other: the questions go out with its ticks.
package wheel

import (
	"slices"
	"sync"
	"time"

	"sabot/shoe"
)

// minEvery is the maker's: a wheel must not be asked more often.
const minEvery = 100 * time.Millisecond

// Poller asks a wheel for its status and takes orders for it. The methods of the decoder are for the goroutine that runs it, Start and Reset for any.
type Poller struct {
	shoe.Decoder
	every time.Duration
	next  time.Duration // when to ask

	mu     sync.Mutex
	orders []string // to be sent, each once
}

// Poll puts a poller around a wheel's decoder. It asks this often, as far as the ticks allow, but at most each 100 ms.
func Poll(dec shoe.Decoder, every time.Duration) *Poller {
	return &Poller{Decoder: dec, every: max(every, minEvery)}
}

// Feed feeds the decoder, and sends the orders behind what it says. In a tick it asks.
func (p *Poller) Feed(now time.Duration, b []byte) ([]shoe.Report, []byte) {
	reports, out := p.Decoder.Feed(now, b)
	p.mu.Lock()
	for _, o := range p.orders {
		out = append(out, o...)
	}
	p.orders = nil
	p.mu.Unlock()
	if len(b) == 0 && now >= p.next {
		p.next = now + p.every
		out = append(out, "*X\r\n"...)
	}
	return reports, out
}

// Resume begins a conversation. Orders from before are forgotten: a wheel must not start when its cable is put back.
func (p *Poller) Resume(s shoe.Source) {
	p.mu.Lock()
	p.orders = nil
	p.mu.Unlock()
	p.Decoder.Resume(s)
}

// Start lets the wheel begin a game, where it is set to wait for that. It never blocks; what is ordered twice before it is sent is sent once.
func (p *Poller) Start() { p.order("*u 1\r\n") }

// Reset ends a void spin, or whatever else the wheel waits with, by hand. The decoder itself does it for the void spins that are on disk. It never
// blocks.
func (p *Poller) Reset() { p.order("*R\r\n") }

func (p *Poller) order(o string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.orders, o) {
		p.orders = append(p.orders, o)
	}
}
