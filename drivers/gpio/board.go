package gpio

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Board is an open box.
type Board struct {
	config  Config
	log     *slog.Logger
	start   time.Time
	buttons []*button
	lamps   []*lamp
	queue   queue

	order   atomic.Pointer[order]
	halts   atomic.Int64 // presses that halt and that the table has not heard of yet
	ended   atomic.Bool
	dropped atomic.Int64 // presses, not logged yet
	beep    atomic.Int64 // until when the buzzer sounds, since start
}

func newBoard(c Config, log *slog.Logger) *Board {
	b := &Board{config: c, log: log, start: time.Now(), queue: queue{wake: make(chan struct{}, 1)}}
	b.order.Store(&order{Lights: stopped})
	return b
}

func (b *Board) now() time.Duration { return time.Since(b.start) }

// Run works until ctx ends; then the outputs stop the deal, the lines are given back, and it returns nil. A board runs once.
//
// The sink is called from Run with each press, in order. It may block, and must give up when ctx ends; meanwhile each button may have 32 kinds waiting, some 16 presses. Its
// next presses are dropped whole, and logged, but for a contact that halts: there the older ones go, and the last is always heard.
func (b *Board) Run(ctx context.Context, sink func(Press)) error {
	var work sync.WaitGroup
	for _, d := range b.buttons {
		work.Go(func() { b.watch(ctx, d) })
	}
	for _, l := range b.lamps {
		work.Go(func() { b.light(ctx, l) })
	}
	work.Go(func() { b.end(ctx) })
	for ctx.Err() == nil {
		e, ok := b.queue.take()
		if !ok {
			select {
			case <-b.queue.wake:
			case <-ctx.Done():
			}
			continue
		}
		b.report(e)
		sink(e.Press)
		if e.halting() {
			b.halts.Add(-1)
		}
	}
	work.Wait()
	b.close()
	return nil
}

// report logs what the technician should know. It is done here, because a log may hang as a disk does, and those who watch and light must not.
func (b *Board) report(e entry) {
	if e.Kind > Up {
		b.log.Warn("a contact changed its health", "button", e.Button, "line", e.of.Line, "is", e.Kind)
	}
	if n := b.dropped.Swap(0); n > 0 {
		b.log.Warn("the table was too slow: presses are dropped", "number", n)
	}
}

// Show says what the outputs should be from now on. It ends a Halt, except that while a press of a contact that halts
// is on its way to the sink it does nothing: what it wants to show was decided before. It never blocks and may be called from any goroutine.
func (b *Board) Show(l Lights) {
	for {
		old := b.order.Load()
		if b.halts.Load() > 0 || b.ended.Load() || old.Lights == l {
			return
		}
		if b.order.CompareAndSwap(old, &order{l, b.now()}) {
			b.nudge()
			return
		}
	}
}

// Beep sounds the buzzer shortly. It never blocks and may be called from any goroutine.
func (b *Board) Beep() {
	b.beep.Store(int64(b.now() + beepFor))
	b.nudge()
}

// Halt lights red, puts out the other lamps and closes the lock. Lock, green and red have changed when it returns; it waits for no lock and no goroutine, and may
// be called from any. It holds until the next Show.
func (b *Board) Halt() {
	b.order.Store(&order{stopped, b.now()})
	b.nudge()
	for _, l := range b.lamps {
		if l.urgent() {
			b.paint(l)
		}
	}
}

func (b *Board) nudge() {
	for _, l := range b.lamps {
		select {
		case l.repaint <- struct{}{}:
		default:
		}
	}
}

// light paints one output until the end. Each has its own, so one that hangs is alone with it.
func (b *Board) light(ctx context.Context, l *lamp) {
	for {
		b.paint(l)
		l.report(b.log)
		select {
		case <-ctx.Done():
			return
		case <-l.repaint:
		case <-time.After(b.paintAgain(l)):
		}
	}
}

// end stops the deal for good. It has a goroutine of its own, so it is done at once even while the sink and the others hang.
func (b *Board) end(ctx context.Context) {
	<-ctx.Done()
	b.ended.Store(true)
	b.Halt()
	for _, l := range b.lamps {
		b.paint(l)
	}
}

// watch reads a contact until the end.
func (b *Board) watch(ctx context.Context, d *button) {
	for ctx.Err() == nil {
		for _, p := range d.watch(b.start) {
			b.hear(p, d)
		}
	}
}

// hear stops the deal if it must, and then queues the press.
func (b *Board) hear(p Press, of *button) {
	if (entry{p, of}).halting() {
		b.halts.Add(1)
		b.Halt()
		if b.config.Halt != nil {
			b.config.Halt()
		}
	}
	ok, gone := b.queue.put(p, of)
	b.halts.Add(int64(-gone))
	if gone > 0 || !ok && p.Kind == Down {
		b.dropped.Add(max(1, int64(gone)))
	}
}

// close gives back the lines.
func (b *Board) close() {
	for _, l := range b.lamps {
		l.mu.Lock()
		l.out.Close()
		l.mu.Unlock()
	}
	for _, d := range b.buttons {
		d.in.Close()
	}
}
