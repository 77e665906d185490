package line

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sabot/shoe"
)

// world is a device, a host and a bad line between them, driven by one seed. What the host reports waits in a queue
// before it is on disk, as in the real loop.
type world struct {
	t      *testing.T
	r      *rand.Rand
	seed   uint64
	noise  float64 // chance for each sentence to be lost, doubled or spoilt
	forget bool    // the device may lose its memory

	now     time.Duration
	dev     *Device
	host    *Decoder
	epoch   uint32
	up      []byte // device to host, in flight
	down    []byte
	queue   []shoe.Report // reported, not on disk
	record  []shoe.Report // on disk
	drawn   []shoe.Report // what really left the shoe
	unsafe  map[uint32]bool
	reboots int
}

func newWorld(t *testing.T, seed uint64, noise float64, forget bool) *world {
	w := &world{t: t, seed: seed, noise: noise, forget: forget, epoch: 1, unsafe: map[uint32]bool{}}
	w.r = rand.New(rand.NewPCG(seed, 1))
	w.dev = NewDevice("sim", "1", w.epoch)
	w.host = New("shoe")
	w.host.Resume(shoe.Source{})
	w.up = w.dev.Hello()
	return w
}

func (w *world) chance(p float64) bool { return w.r.Float64() < p }

// send puts sentences on the line, each of which the line may spoil.
func (w *world) send(to *[]byte, p []byte) {
	for _, s := range bytes.SplitAfter(p, []byte("\n")) {
		if len(s) == 0 {
			continue
		}
		switch s = bytes.Clone(s); {
		case w.chance(w.noise):
			continue
		case w.chance(w.noise):
			*to = append(*to, s...)
		case w.chance(w.noise):
			s[w.r.IntN(len(s))] ^= byte(1 + w.r.IntN(255))
		case w.chance(w.noise):
			s = s[:w.r.IntN(len(s))]
		}
		*to = append(*to, s...)
	}
}

// take is a piece of what is in flight.
func (w *world) take(from *[]byte) []byte {
	n := len(*from)
	if n > 0 && w.chance(0.5) {
		n = 1 + w.r.IntN(n)
	}
	p := (*from)[:n]
	*from = (*from)[n:]
	return p
}

func (w *world) draw() {
	before := w.dev.seq
	c := shoe.Deck()[w.r.IntN(52)]
	p := w.dev.Draw(c)
	if w.dev.seq > before {
		w.drawn = append(w.drawn, shoe.Report{Card: c, Source: shoe.Source{Epoch: w.dev.epoch, Seq: w.dev.seq}})
	}
	w.send(&w.up, p)
}

func (w *world) reboot() {
	w.reboots++
	old := w.epoch
	w.epoch++
	w.up = w.up[:w.r.IntN(len(w.up)+1)]
	w.down = nil
	if w.forget && w.chance(0.5) {
		for _, k := range w.dev.kept {
			w.unsafe[k.epoch] = true
		}
		w.unsafe[old] = true
		w.dev = NewDevice("sim", "1", w.epoch)
		w.send(&w.up, w.dev.Feed(w.now, nil))
		return
	}
	w.send(&w.up, w.dev.Reboot(w.epoch))
}

// last is what the record knows of the device.
func (w *world) last() shoe.Source {
	if len(w.record) == 0 {
		return shoe.Source{}
	}
	return w.record[len(w.record)-1].Source
}

func (w *world) step() {
	switch p := w.r.Float64(); {
	case p < 0.25 && !w.dev.Locked():
		w.draw()
	case p < 0.30:
		if w.forget || len(w.dev.kept) < memory { // else it would be lost
			w.send(&w.up, w.dev.Button("b", true))
		}
	case p < 0.31: // the cable
		w.up, w.down = nil, nil
		w.host.Resume(w.last())
	case p < 0.32: // the host dies; what is not on disk is gone
		w.up, w.down, w.queue = nil, nil, nil
		w.host = New("shoe")
		w.host.Resume(w.last())
	case p < 0.33:
		w.reboot()
	case p < 0.60 && len(w.queue) > 0:
		w.record = append(w.record, w.queue[0])
		w.send(&w.down, w.host.Ack(w.queue[0].Source))
		w.queue = w.queue[1:]
	}
	w.pass(time.Duration(w.r.IntN(100)) * time.Millisecond)
}

// pass lets time pass and moves bytes.
func (w *world) pass(d time.Duration) {
	w.now += d
	for _, p := range [][]byte{w.take(&w.up), nil} {
		reports, out := w.host.Feed(w.now, p)
		w.queue = append(w.queue, reports...)
		w.send(&w.down, out)
	}
	w.send(&w.up, w.dev.Feed(w.now, w.take(&w.down)))
}

// finish lets everything arrive over a line that has recovered.
func (w *world) finish() {
	w.noise = 0
	for range 1000 {
		w.pass(50 * time.Millisecond)
		for _, r := range w.queue {
			w.record = append(w.record, r)
			w.send(&w.down, w.host.Ack(r.Source))
		}
		w.queue = nil
	}
	if n := len(w.dev.kept); n > 0 {
		w.t.Errorf("seed %d: the device still keeps %d sentences", w.seed, n)
	}
}

// check holds the record against what left the shoe: each card once and in order, or a gap that covers it.
func (w *world) check() (gaps int) {
	at := map[shoe.Source]int{}
	for i, d := range w.drawn {
		at[d.Source] = i
	}
	next, last := 0, shoe.Source{}
	lost := func(until int) { // w.drawn[next:until] are missing and must be covered
		for ; next < until; next++ {
			if !w.unsafe[w.drawn[next].Source.Epoch] {
				w.t.Errorf("seed %d: %v of %v is missing and nothing says so", w.seed, w.drawn[next].Card, w.drawn[next].Source)
			}
		}
	}
	for _, r := range w.record {
		s := shoe.Source{Epoch: r.Source.Epoch, Seq: r.Source.Seq}
		switch r.Kind {
		case shoe.Drawn:
			i, ok := at[s]
			if !ok || w.drawn[i].Card != r.Card {
				w.t.Fatalf("seed %d: %v of %v never left the shoe", w.seed, r.Card, s)
			}
			if i < next {
				w.t.Fatalf("seed %d: %v of %v came twice, or too late", w.seed, r.Card, s)
			}
			lost(i)
			next = i + 1
		case shoe.Gap:
			gaps++
			lost(max(next, slices.IndexFunc(w.drawn, func(d shoe.Report) bool { return d.Source.Epoch == s.Epoch })))
			for next < len(w.drawn) && w.drawn[next].Source.Epoch == s.Epoch && w.drawn[next].Source.Seq <= s.Seq {
				next++
			}
		case shoe.Conflict:
			w.t.Fatalf("seed %d: conflict at %v, and nothing was used twice", w.seed, s)
		}
		if last.Epoch == s.Epoch && s.Seq < last.Seq {
			w.t.Fatalf("seed %d: the record's number runs from %v back to %v", w.seed, last, s)
		}
		last = s
	}
	lost(len(w.drawn))
	return gaps
}

func (w *world) run(steps int) (gaps int) {
	for range steps {
		w.step()
	}
	w.finish()
	return w.check()
}

// TestEveryCardOnceOverAQuietLine cuts cables, reboots the device with its memory and kills the host: nothing may be lost,
// doubled or called irregular.
func TestEveryCardOnceOverAQuietLine(t *testing.T) {
	cards, reboots := 0, 0
	for seed := range uint64(150) {
		w := newWorld(t, seed, 0, false)
		if gaps := w.run(600); gaps > 0 {
			t.Errorf("seed %d: %d gaps where nothing was lost", seed, gaps)
		}
		cards, reboots = cards+len(w.drawn), reboots+w.reboots
	}
	if cards < 10000 || reboots < 500 {
		t.Errorf("the worlds were too quiet: %d cards, %d reboots", cards, reboots)
	}
}

// TestEveryCardOnceOrAGapOverABadLine adds a line that loses, doubles, spoils and cuts, and devices that forget.
func TestEveryCardOnceOrAGapOverABadLine(t *testing.T) {
	cards, gaps := 0, 0
	for seed := range uint64(150) {
		w := newWorld(t, seed, 0.05, seed%2 == 1)
		gaps += w.run(600)
		cards += len(w.drawn)
		if t.Failed() {
			return
		}
	}
	if cards < 10000 || gaps == 0 {
		t.Errorf("the worlds were too quiet: %d cards, %d gaps", cards, gaps)
	}
	t.Logf("%d cards, %d gaps", cards, gaps)
}
