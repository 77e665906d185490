package serial

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"sabot/shoe"
)

const (
	tickEvery    = 250 * time.Millisecond
	writeTimeout = 2 * time.Second // a device that takes nothing for so long is reopened
	minWait      = 100 * time.Millisecond
	maxWait      = time.Second
	steady       = time.Second // a port open for so long is tried again soon, and its device is there, should it say nothing by itself

	unreadable = "unreadable"     // the fault of a device that is not understood
	muchJunk   = 16               // bytes of it, which a bad contact makes less of
	junkWaits  = 2 * time.Second  // for a message to be whole after all
	junkFor    = 10 * time.Second // after which it is forgotten: a line that picks up a byte now and then
)

// Config is one attached device.
type Config struct {
	Name   string      // in reports and in the log
	Path   string      // see Open
	Baud   int         // bits per second
	Resume shoe.Source // up to where the record already holds its reports

	// Silence is for how long a device may say nothing before it is lost although its port is open. It is for devices
	// with a heartbeat; 0 is for those that speak only of cards.
	Silence time.Duration

	// Link hears how the device is whenever that changes, in a word: ok, or why it is away: lost, busy, denied, silent. It must not block; nil hears nothing.
	Link func(state string)

	Log *slog.Logger
}

// Arrival is a report and when its last byte came, with a monotonic reading.
type Arrival struct {
	Report shoe.Report
	At     time.Time
}

// Device is one attached device. Two goroutines work for it while its port is open: one reads, always; Run's own has the
// decoder, calls the sink, and writes.
type Device struct {
	config Config
	dec    shoe.Decoder
	sink   func(Arrival)
	open   func(context.Context) (Port, error)
	start  time.Time
	wake   chan struct{}
	lost   string // why it is lost; "" while it is not

	understood uint64    // what the decoder had when it was looked at last
	heard      time.Time // when it had understood something, or the port was opened
	junk       int       // bytes since then
	junkAt     time.Time // when the first of them came
	strange    bool      // they were called a fault
	babble     babble

	mu     sync.Mutex
	acked  shoe.Source
	closed bool
	ackDue bool
	lock   lockOrder
}

type lockOrder uint8

const (
	noLock  lockOrder = iota // never ordered
	lockDue                  // to be told
	lockTold
)

// NewDevice attaches a device; Run runs it. The sink is called from Run with each report, in order; it may block, and must give up
// when Run's context ends.
func NewDevice(c Config, dec shoe.Decoder, sink func(Arrival)) *Device {
	if c.Link == nil {
		c.Link = func(string) {}
	}
	return &Device{
		config: c, dec: dec, sink: sink, acked: c.Resume, babble: babble{device: c.Name},
		open:  func(ctx context.Context) (Port, error) { return Open(ctx, c.Path, Mode{Baud: c.Baud}) },
		start: time.Now(),
		wake:  make(chan struct{}, 1),
	}
}

// Ack says that everything up to s is on disk. It never blocks and may be called from any goroutine, in the order of the
// reports. A source without numbers, as Lost and Found have it, says nothing.
func (d *Device) Ack(s shoe.Source) {
	if s.Epoch == 0 && s.Seq == 0 {
		return
	}
	d.mu.Lock()
	d.acked, d.ackDue = s, true
	d.mu.Unlock()
	d.nudge()
}

// Lock closes or opens the shoe's mouth, now or as soon as the device is there. It never blocks and may be called from any goroutine.
func (d *Device) Lock(closed bool) {
	d.mu.Lock()
	d.closed, d.lock = closed, lockDue
	d.mu.Unlock()
	d.nudge()
}

func (d *Device) nudge() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Run keeps the device attached until ctx ends, then closes its port and returns nil: nothing that a port does ends it, not even another program
// that holds the port from the start on. The error is for who runs it beside what may fail.
func (d *Device) Run(ctx context.Context) error {
	wait := minWait
	for {
		up, why := d.attend(ctx)
		if ctx.Err() != nil {
			return nil
		}
		d.lose(why)
		if up >= steady {
			wait = minWait
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Duration(float64(wait) * (0.75 + rand.Float64()/2))):
		}
		wait = min(2*wait, maxWait)
	}
}

// attend opens the port and converses over it until it fails. It says for how long it was open, and why it ended.
func (d *Device) attend(ctx context.Context) (up time.Duration, why error) {
	port, err := d.open(ctx)
	if err != nil {
		return 0, err
	}
	opened := time.Now()
	d.heard, d.junk = opened, 0
	in := &ring{wake: d.nudge}
	var reader sync.WaitGroup
	reader.Go(func() { in.fill(port) })
	why = d.converse(ctx, port, in)
	port.Close()
	reader.Wait()
	d.drain(in) // what came before the end
	return time.Since(opened), why
}

// converse is the conversation over one connection.
func (d *Device) converse(ctx context.Context, port Port, in *ring) error {
	d.begin()
	out := d.feed(d.heard, nil)
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for {
		if err := d.write(port, append(out, d.orders()...)); err != nil { // what the decoder said may repeat an order that is outdated by now
			return err
		}
		out = nil
		select {
		case <-ctx.Done():
			return ctx.Err()
		case now := <-tick.C:
			switch quiet := now.Sub(d.heard); {
			case d.config.Silence > 0 && quiet > d.config.Silence:
				return d.silent()
			case d.config.Silence == 0 && quiet >= steady:
				d.find()
			}
			out = d.feed(now, nil)
		case <-d.wake:
			var err error
			if out, err = d.drain(in); err != nil {
				return fmt.Errorf("serial: %s: the connection ended: %w", d.config.Path, err)
			}
		}
	}
}

// begin prepares a conversation: half a frame of the one before is forgotten, and the lock is told again.
func (d *Device) begin() {
	d.mu.Lock()
	acked := d.acked
	if d.lock == lockTold {
		d.lock = lockDue
	}
	d.mu.Unlock()
	d.dec.Resume(acked)
}

// orders is what Ack and Lock left to be sent.
func (d *Device) orders() (out []byte) {
	d.mu.Lock()
	acked, ackDue, closed, lock := d.acked, d.ackDue, d.closed, d.lock
	d.ackDue = false
	if lock == lockDue {
		d.lock = lockTold
	}
	d.mu.Unlock()
	if lock == lockDue {
		out = append(out, d.dec.Lock(closed)...)
	}
	if ackDue {
		out = append(out, d.dec.Ack(acked)...)
	}
	return out
}

// drain feeds all that came. Its error is the reader's.
func (d *Device) drain(in *ring) (out []byte, err error) {
	for {
		switch p := in.take(); {
		case len(p.bytes) > 0:
			out = append(out, d.feed(p.at, p.bytes)...)
		case p.hole:
			d.missed()
		default:
			return out, p.err
		}
	}
}

// feed gives the decoder bytes, or a tick, and hands on what it reports.
func (d *Device) feed(at time.Time, p []byte) []byte {
	reports, out := d.decode(at, p)
	d.weigh(at, len(p))
	for _, r := range reports {
		d.tell(d.babble.pass(r, at), at)
	}
	d.tell(d.babble.rest(at), at)
	return out
}

func (d *Device) tell(reports []shoe.Report, at time.Time) {
	for _, r := range reports {
		d.sink(Arrival{r, at})
	}
}

// missed takes bytes that were lost because more came than was read.
func (d *Device) missed() {
	d.mu.Lock()
	acked := d.acked
	d.mu.Unlock()
	d.dec.Resume(acked)
	now := time.Now()
	told := d.babble.pass(shoe.Report{Kind: shoe.Gap, Source: shoe.Source{Device: d.config.Name}}, now)
	if len(told) > 0 {
		d.config.Log.Warn("bytes lost: more came than was read", "device", d.config.Name)
	}
	d.tell(told, now)
}

// weigh judges whether the device is what it should be: by what its decoder understood, and not by bytes, of which another device, or this one at another
// speed, has as many. One with a heartbeat is there when it is understood; of one without, what goes on without being understood is a fault.
func (d *Device) weigh(at time.Time, n int) {
	understood := d.dec.Understood()
	switch {
	case understood != d.understood:
		d.understood, d.heard, d.junk = understood, at, 0
		d.find()
		if d.strange {
			d.strange = false
			d.say(shoe.Cleared, unreadable, "")
		}
	case n > 0 && (d.junk == 0 || at.Sub(d.junkAt) > junkFor):
		d.junk, d.junkAt = n, at
	case n > 0:
		d.junk += n
	case d.junk >= muchJunk && at.Sub(d.junkAt) >= junkWaits && d.config.Silence == 0 && !d.strange:
		d.strange = true
		d.config.Log.Warn("nothing that comes is understood: is it the right device, protocol and baud?", "device", d.config.Name, "port", d.config.Path, "bytes", d.junk)
		d.say(shoe.Faulted, unreadable, "nothing that comes is understood")
	}
}

// silent is why a device with a heartbeat is lost though its port is open.
func (d *Device) silent() error {
	if d.junk > 0 {
		return fmt.Errorf("serial: %s: %w that is understood for %v, but bytes: is it the right device, protocol and baud?", d.config.Path, errSilent, d.config.Silence)
	}
	return fmt.Errorf("serial: %s: %w for %v", d.config.Path, errSilent, d.config.Silence)
}

// decode is the decoder's Feed. Should it panic, the bytes are reported as a fault and the decoder continues after them.
func (d *Device) decode(at time.Time, p []byte) (reports []shoe.Report, out []byte) {
	defer func() {
		if recover() != nil {
			source := shoe.Source{Device: d.config.Name}
			reports, out = []shoe.Report{{Kind: shoe.Faulted, Code: "decoder", Text: "these bytes broke the decoder", Source: source, Raw: p}}, nil
			d.config.Log.Error("the decoder failed", "device", d.config.Name)
		}
	}()
	return d.dec.Feed(at.Sub(d.start), p)
}

func (d *Device) write(port Port, p []byte) error {
	if len(p) == 0 {
		return nil
	}
	port.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := port.Write(p); err != nil {
		return fmt.Errorf("serial: %s: the device takes no bytes: %w", d.config.Path, err)
	}
	return nil
}

// say reports what no decoder can know.
func (d *Device) say(kind shoe.Kind, code, text string) {
	d.sink(Arrival{shoe.Report{Kind: kind, Code: code, Text: text, Source: shoe.Source{Device: d.config.Name}}, time.Now()})
}

// lose reports a loss once. It is logged again when another reason keeps the device away.
func (d *Device) lose(why error) {
	was, code := d.lost, lossCode(why)
	d.lost = code
	if was != code {
		d.config.Log.Warn("device lost", "device", d.config.Name, "port", d.config.Path, "why", why)
		d.config.Link(code)
	}
	if was == "" {
		d.say(shoe.Lost, code, why.Error())
	}
}

// find reports a return once.
func (d *Device) find() {
	if d.lost == "" {
		return
	}
	d.lost = ""
	d.config.Log.Warn("device found", "device", d.config.Name, "port", d.config.Path)
	d.config.Link("ok")
	d.say(shoe.Found, "", "")
}

// lossCode is why a device is away, in a word: a pulled cable heals itself, the others need somebody.
func lossCode(why error) string {
	switch {
	case errors.Is(why, ErrDenied):
		return "denied"
	case errors.Is(why, ErrBusy):
		return "busy"
	case errors.Is(why, errSilent):
		return "silent"
	}
	return "lost"
}

var errSilent = errors.New("the device said nothing")
