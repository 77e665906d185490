package gpio

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// desk is a machine of wires: its contacts are pushed, and what its outputs were is remembered.
type desk struct {
	wires map[string]*wire
	busy  string // a line that somebody else has
}

// wire is one line. Nobody pushes: high.
type wire struct {
	name  string
	mu    sync.Mutex
	high  bool
	fail  error
	deaf  bool          // it has no edges
	stall chan struct{} // who reads it gets no processor until then

	moved chan struct{}
	edges []edge // the last 16 that were not read

	hang chan struct{} // a write waits for it

	first         bool // the level it had when it became an output
	waits, writes int
	open, output  bool
}

func newDesk(names ...string) *desk {
	d := &desk{wires: map[string]*wire{}}
	for _, n := range names {
		d.wires[n] = &wire{name: n, high: true, moved: make(chan struct{}, 1)}
	}
	return d
}

func (d *desk) take(name string) (*wire, error) {
	w := d.wires[name]
	switch {
	case w == nil:
		return nil, errUnknown
	case name == d.busy:
		return nil, errors.New("line " + name + ` is taken by "other"`)
	}
	w.open = true
	return w, nil
}

func (d *desk) input(name string, _ Pull) (input, error) {
	w, err := d.take(name)
	if err != nil {
		return nil, err
	}
	return w, nil
}

func (d *desk) output(name string, high bool) (output, error) {
	w, err := d.take(name)
	if err != nil {
		return nil, err
	}
	w.high, w.first, w.output = high, high, true
	return w, nil
}

func (d *desk) names() []string {
	var all []string
	for n := range d.wires {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

func (w *wire) Wait(limit time.Duration) (list []edge, high bool, err error) {
	w.mu.Lock()
	stall, deaf := w.stall, w.deaf
	w.waits++
	w.mu.Unlock()
	switch {
	case stall != nil:
		<-stall
	case deaf:
		time.Sleep(min(limit, pollEvery))
	case limit > 0:
		select {
		case <-w.moved:
		case <-time.After(limit):
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.output {
		panic("an output is read")
	}
	list, w.edges = w.edges, nil
	return list, w.high, w.fail
}

func (w *wire) Write(high bool) error {
	w.mu.Lock()
	hang := w.hang
	w.mu.Unlock()
	if hang != nil {
		<-hang
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		return os.ErrClosed
	}
	w.writes++
	if w.fail == nil {
		w.high = high
	}
	return w.fail
}

func (w *wire) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = false
	return nil
}

func (w *wire) set(high bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if high == w.high {
		return
	}
	w.high = high
	if w.deaf {
		return
	}
	w.edges = append(w.edges, edge{high, time.Now()})
	w.edges = w.edges[max(0, len(w.edges)-16):]
	select {
	case w.moved <- struct{}{}:
	default:
	}
}

func (w *wire) damage(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail = err
}

// starve keeps the processor from who reads the line.
func (w *wire) starve(d time.Duration) {
	stall := make(chan struct{})
	w.mu.Lock()
	w.stall = stall
	w.mu.Unlock()
	time.AfterFunc(d, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.stall = nil
		close(stall)
	})
}

func (w *wire) makeDeaf() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deaf = true
}

func (w *wire) block(hang chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hang = hang
}

func (w *wire) unblock() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.hang)
	w.hang = nil
}

func (w *wire) level() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.high
}

// pushed presses a contact to ground for some time.
func (w *wire) pushed(d time.Duration) {
	w.set(false)
	time.Sleep(d)
	w.set(true)
}

// box is a running board in a bubble of fake time.
type box struct {
	*desk
	*Board
	t      *testing.T
	log    strings.Builder // read only when the bubble rests
	mu     sync.Mutex
	heard  []Press
	halted int           // calls of Config.Halt
	slow   chan struct{} // the sink waits for it, one press each
	cancel func()
	done   chan error
}

// dealerBox has two buttons and a pause loop, and all lamps; those behind relays are active low.
var dealerBox = Config{
	Buttons: []Button{{Name: "hit", Line: "GPIO17"}, {Name: "split", Line: "GPIO27", Hold: time.Second}, {Name: "key", Line: "GPIO22", Sense: NormallyClosed, Hold: time.Second, Halts: true}},
	Lamps: []Lamp{{Green, "GPIO5", false}, {Red, "GPIO6", false}, {Lock, "GPIO13", true}, {Blue, "GPIO19", false},
		{Amber, "GPIO26", false}, {Buzzer, "GPIO16", false}},
}

// inBox runs a test with a board that runs, its contacts at rest.
func inBox(t *testing.T, do func(b *box)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &box{t: t, desk: newDesk("GPIO17", "GPIO27", "GPIO22", "GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO26", "GPIO16"), done: make(chan error, 1)}
		b.wires["GPIO22"].set(false)
		c := dealerBox
		c.Halt = func() { b.mu.Lock(); b.halted++; b.mu.Unlock() }
		var err error
		if b.Board, err = open(c, b.desk, slog.New(slog.NewTextHandler(&b.log, nil))); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		b.cancel = cancel
		go func() { b.done <- b.Run(ctx, func(p Press) { b.sink(ctx, p) }) }()
		synctest.Wait()
		do(b)
		cancel()
		if err := <-b.done; err != nil {
			t.Error(err)
		}
	})
}

func (b *box) sink(ctx context.Context, p Press) {
	b.mu.Lock()
	slow := b.slow
	b.mu.Unlock()
	if slow != nil {
		select {
		case <-slow:
		case <-ctx.Done():
		}
	}
	b.mu.Lock()
	b.heard = append(b.heard, p)
	b.mu.Unlock()
}

// stall makes the sink hang; the returned function lets it go on.
func (b *box) stall() (release func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	slow := make(chan struct{})
	b.slow = slow
	return func() {
		b.mu.Lock()
		b.slow = nil
		b.mu.Unlock()
		close(slow)
		synctest.Wait()
	}
}

// presses is what the sink heard since it was asked last.
func (b *box) presses() string {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []string
	for _, p := range b.heard {
		list = append(list, p.Button+" "+p.Kind.String())
	}
	b.heard = nil
	return strings.Join(list, ", ")
}

func (b *box) expect(want string) {
	b.t.Helper()
	if got := b.presses(); got != want {
		b.t.Errorf("heard %q, want %q", got, want)
	}
}

// lit is what is lit, as somebody sees who looks at the outputs.
func (b *box) lit() string {
	synctest.Wait()
	return b.looks()
}

func (b *box) looks() string {
	var list []string
	for _, l := range dealerBox.Lamps {
		if b.wires[l.Line].level() != l.ActiveLow {
			list = append(list, l.Name)
		}
	}
	return strings.Join(list, " ")
}

func (b *box) shows(want string) {
	b.t.Helper()
	if got := b.lit(); got != want {
		b.t.Errorf("lit: %q, want %q", got, want)
	}
}
