package gpio

import (
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Pattern is how a lamp is lit.
type Pattern uint8

// The patterns. Fast stays below three flashes a second, which nobody should have to look at; both begin lit.
const (
	Off Pattern = iota
	On
	SlowBlink // a second on, a second off
	FastBlink // 0.2 s on, 0.2 s off
)

const (
	slowHalf  = time.Second
	fastHalf  = 200 * time.Millisecond
	beepFor   = 100 * time.Millisecond
	paintEach = 50 * time.Millisecond // while it changes; divides all of them
	paintRest = time.Second           // while it does not: something else may have changed it
)

// Lights is what all outputs should be. Its zero value is dark and locked.
type Lights struct {
	Green, Amber, Red, Blue, Buzzer Pattern

	Open bool // the lock lets cards out
}

// stopped is what Halt shows, and what is left behind.
var stopped = Lights{Red: On}

// of is the pattern for a lamp's name.
func (l Lights) of(name string) Pattern {
	switch name {
	case Green:
		return l.Green
	case Amber:
		return l.Amber
	case Red:
		return l.Red
	case Blue:
		return l.Blue
	case Buzzer:
		return l.Buzzer
	case Lock:
		if l.Open {
			return On
		}
	}
	return Off
}

// lit says whether a lamp is lit so long after its pattern began.
func (p Pattern) lit(age time.Duration) bool {
	switch p {
	case On:
		return true
	case SlowBlink:
		return age/slowHalf%2 == 0
	case FastBlink:
		return age/fastHalf%2 == 0
	}
	return false
}

// order is what is to be painted, and since when. A new one is a new pointer.
type order struct {
	Lights
	since time.Duration
}

// lamp is an output that is painted.
type lamp struct {
	Lamp
	repaint chan struct{}
	mu      sync.Mutex // around looking at what is ordered and writing it
	out     output
	failed  atomic.Pointer[error] // the last write's error
	told    bool                  // that it failed; whoever lights knows
}

func newLamp(l Lamp, out output) *lamp {
	return &lamp{Lamp: l, out: out, repaint: make(chan struct{}, 1)}
}

// urgent outputs stop the deal.
func (l *lamp) urgent() bool { return l.Name == Lock || l.Name == Green || l.Name == Red }

// paint writes what is ordered, each time anew: what something else did to the output heals. It never waits for another goroutine that is just writing, perhaps for ever: that one sees afterwards that the
// order has changed, and writes again. So the last order is the last thing written, whoever writes it.
func (b *Board) paint(l *lamp) {
	for l.mu.TryLock() {
		o := b.order.Load()
		lit := o.of(l.Name).lit(b.now()-o.since) || l.Name == Buzzer && b.beeps()
		if err := l.out.Write(lit != l.ActiveLow); err == nil {
			l.failed.Store(nil)
		} else if !errors.Is(err, os.ErrClosed) {
			l.failed.Store(&err)
		}
		l.mu.Unlock()
		if b.order.Load() == o {
			return
		}
	}
}

// paintAgain is after what time a lamp is painted again if nothing is ordered.
func (b *Board) paintAgain(l *lamp) time.Duration {
	if p := b.order.Load().of(l.Name); p == SlowBlink || p == FastBlink || l.Name == Buzzer && b.beeps() {
		return paintEach
	}
	return paintRest
}

func (b *Board) beeps() bool { return b.now() < time.Duration(b.beep.Load()) }

// report logs a change of the output's health.
func (l *lamp) report(log *slog.Logger) {
	switch err := l.failed.Load(); {
	case err != nil && !l.told:
		log.Warn("a lamp cannot be set", "lamp", l.Name, "line", l.Line, "why", *err)
	case err == nil && l.told:
		log.Warn("a lamp can be set again", "lamp", l.Name, "line", l.Line)
	default:
		return
	}
	l.told = !l.told
}
