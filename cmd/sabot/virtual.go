package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/shoe/wheel"
)

// model is a device as its firmware would be, without hardware: every package of a protocol has one. Its methods return what the device sends;
// what it cannot say is nothing.
type model interface {
	Boot() []byte
	Draw(shoe.Card) []byte // shoe.Unread where it could not be read
	Cut() []byte
	Fault(code, text string) []byte
	ClearFault(code string) []byte
	Feed(now time.Duration, p []byte) []byte // what the host sends, or nothing: the tick
	Locked() bool
}

// lineModel is the neutral line's device. Plugged in, it says hello.
type lineModel struct{ *line.Device }

// Boot says hello.
func (m lineModel) Boot() []byte { return m.Hello() }

// virtual is a device without hardware on a cable, with the faults of real ones.
type virtual struct {
	cable
	model
	faults faults
	start  time.Time

	mu    sync.Mutex // guards the model, the faults' dice and what follows
	heard time.Duration
	out   bool // the cable is
	done  injected
}

// faults are what cables and readers do to a device. Probabilities are per message.
type faults struct {
	Repeat  int           // each message is sent this many times more
	Misread float64       // a card is drawn that could not be read
	Noise   float64       // bytes that are no message come before one
	Drop    float64       // a message is lost
	Unplug  time.Duration // the cable is pulled this often; 0 for never
	rng     *rand.Rand
}

// injected is how often each fault was made.
type injected struct{ Repeats, Misreads, Noises, Drops, Unplugs, Unheard int } // unheard: said while the cable was out

// String is the faults that were made, for people.
func (n injected) String() string {
	var parts []string
	for _, f := range []struct {
		n    int
		what string
	}{{n.Misreads, "cards not read"}, {n.Repeats, "messages repeated"}, {n.Noises, "bursts of noise"}, {n.Drops, "messages lost"}, {n.Unplugs, "times unplugged"}, {n.Unheard, "messages said meanwhile"}} {
		if f.n > 0 {
			parts = append(parts, fmt.Sprint(f.what, " ", f.n))
		}
	}
	return strings.Join(parts, ", ")
}

// pulled is for how long a cable is out.
const pulled = 2 * time.Second

// errLocked is a draw from a shoe whose mouth is closed.
var errLocked = errors.New("the shoe is locked")

// plugIn offers a device until the context ends.
func plugIn(ctx context.Context, c cable, m model, f faults) (*virtual, error) {
	if f.rng == nil {
		f.rng = rand.New(rand.NewPCG(1, 1))
	}
	v := &virtual{cable: c, model: m, faults: f, start: time.Now()}
	if err := v.Plug(); err != nil {
		return nil, err
	}
	go v.live(ctx)
	return v, nil
}

// Plug connects the device; what it kept while it was unplugged follows.
func (v *virtual) Plug() error {
	if err := v.plug(v.feed); err != nil {
		return fmt.Errorf("virtual device: %w", err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.out = false
	v.send(v.Boot())
	return nil
}

// Unplug pulls the cable.
func (v *virtual) Unplug() {
	v.unplug()
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.out {
		v.out = true
		v.done.Unplugs++
	}
}

// heardOut waits until the host has read all that was said, which the end of the device would take from it: with a pty goes what nobody has read. Who reads
// nothing for a while is not waited for. The kernel counts a byte only once it has passed it on: so two looks.
func (v *virtual) heardOut(ctx context.Context) {
	quiet := 0
	for limit := time.Now().Add(pulled); quiet < 2 && time.Now().Before(limit) && pause(ctx, 20*time.Millisecond); quiet++ {
		if v.unheard() {
			quiet = -1
		}
	}
}

// injected is how often each fault was made so far.
func (v *virtual) injected() injected {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.done
}

// Draw is a card that leaves the mouth, which must be open.
func (v *virtual) Draw(c shoe.Card) error {
	return v.leave(func() []byte {
		if v.faults.hits(v.faults.Misread) {
			c = shoe.Unread
			v.done.Misreads++
		}
		return v.model.Draw(c)
	})
}

// Cut is the cut card that leaves the mouth.
func (v *virtual) Cut() error { return v.leave(v.model.Cut) }

// leave says what leaves the mouth.
func (v *virtual) leave(what func() []byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.Locked() {
		return errLocked
	}
	v.say(what())
	return nil
}

// tell says what no lock holds back.
func (v *virtual) tell(what func() []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.say(what())
}

// say sends a message with what happens to it on its way.
func (v *virtual) say(message []byte) {
	f, n := &v.faults, &v.done
	if f.hits(f.Noise) {
		n.Noises++
		v.send(f.noise())
	}
	switch {
	case len(message) == 0:
		return
	case v.out:
		n.Unheard++
	case f.hits(f.Drop):
		n.Drops++
		return
	}
	v.send(message)
	for range f.Repeat {
		n.Repeats++
		v.send(message)
	}
}

// hits throws the dice.
func (f *faults) hits(p float64) bool { return p > 0 && f.rng.Float64() < p }

// noise is a few bytes as a bad contact makes them.
func (f *faults) noise() []byte {
	p := make([]byte, 1+f.rng.IntN(12))
	for i := range p {
		p[i] = byte(f.rng.Uint32())
	}
	return p
}

// Disturb puts bytes on the line that are no message, or a piece of one.
func (v *virtual) Disturb(noise []byte) { v.send(noise) }

func (v *virtual) feed(p []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := time.Since(v.start)
	if len(p) > 0 {
		v.heard = now
	}
	if out := v.Feed(now, p); len(out) > 0 {
		v.send(out)
	}
}

// idle says that no host was heard for a while.
func (v *virtual) idle() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return time.Since(v.start)-v.heard > 3*time.Second
}

// live ticks the device, and pulls its cable and puts it back when that is wanted.
func (v *virtual) live(ctx context.Context) {
	every := time.NewTicker(100 * time.Millisecond)
	defer every.Stop()
	var pull, plug <-chan time.Time
	if v.faults.Unplug > 0 {
		puller := time.NewTicker(v.faults.Unplug)
		defer puller.Stop()
		pull = puller.C
	}
	for {
		select {
		case <-ctx.Done():
			v.unplug()
			return
		case <-pull:
			v.Unplug()
			plug = time.After(pulled)
		case <-plug:
			if plug = nil; v.Plug() != nil { // its place is taken, perhaps for a moment
				plug = time.After(pulled)
			}
		case <-every.C:
			v.feed(nil)
			v.share(v.idle())
		}
	}
}

// wheelModel is the SlingShot's device, which has no cards. It calls no more bets before a ball falls.
type wheelModel struct{ *wheel.Device }

// Draw says nothing.
func (wheelModel) Draw(shoe.Card) []byte { return nil }

// Cut says nothing.
func (wheelModel) Cut() []byte { return nil }

// Locked is never: a wheel has no mouth.
func (wheelModel) Locked() bool { return false }

// Win lets the ball fall.
func (m wheelModel) Win(n uint8) []byte { return append(m.NoMoreBets(), m.Device.Win(n)...) }

// newEpoch is an epoch for a line device that boots now.
func newEpoch() uint32 { return rand.Uint32() | 1 }
