package wheel

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"sabot/shoe"
)

// Decoder is the host's side: it reads a wheel and is a [shoe.Decoder].
//
// Times come only from Feed's now, which is one for all bytes of a call, so how bytes are cut into pieces makes no difference.
type Decoder struct {
	device  string
	frame   framer
	state   uint8         // of the last status; 0 for none
	since   time.Duration // when that state began
	seen    time.Duration // when the ball was last in its place
	spin    spin
	told    uint8 // the number that came alone, or blank
	due     verdict
	dueRaw  []byte
	dueAt   time.Duration
	last    shoe.Source // what was decided last
	durable bool        // and it is on disk
	waiting bool        // the wheel waits for *R
	faults  []string    // that stand

	understood uint64

	reports []shoe.Report // of this Feed
	out     []byte
}

// spin is how far a spin is.
type spin uint8

const (
	idle    spin = iota
	rolling      // the ball is in the rim
	falling      // and no more bets are taken
	decided      // it had its number, or was void
)

// verdict is what decides a spin. The zero value decides nothing.
type verdict struct {
	kind shoe.Kind
	seq  uint32 // of its source
	spin uint32
}

// New is a decoder for the wheel of that name in the configuration.
func New(device string) *Decoder { return &Decoder{device: device, told: blank} }

// Feed takes bytes, or in the tick none.
func (d *Decoder) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	d.reports, d.out = nil, nil
	for _, b := range p {
		if line, ok := d.frame.feed(b); ok {
			d.take(now, line)
		}
	}
	if len(p) == 0 && d.due.kind != 0 && now-d.dueAt >= unopposed {
		d.decide(d.dueRaw)
	}
	return d.reports, d.out
}

// Ack lets a wheel that waits with a void spin go on.
func (d *Decoder) Ack(s shoe.Source) []byte {
	if s.Epoch != d.last.Epoch || s.Seq != d.last.Seq {
		return nil
	}
	d.durable = true
	return d.reset()
}

// Lock does nothing: a wheel has no mouth.
func (d *Decoder) Lock(bool) []byte { return nil }

// Resume says what the record holds of this wheel. All that was seen of a spin is forgotten, for it may be another one by now.
func (d *Decoder) Resume(s shoe.Source) {
	if d.last.Seq == 0 {
		d.last = d.source(s.Epoch, s.Seq)
	}
	d.durable = d.last.Seq == s.Seq && d.last.Epoch == s.Epoch
	d.frame = framer{}
	d.state, d.spin, d.told, d.waiting = 0, idle, blank, false
	d.due, d.dueRaw = verdict{}, nil
}

// Understood counts status lines.
func (d *Decoder) Understood() uint64 { return d.understood }

func (d *Decoder) source(spin, seq uint32) shoe.Source {
	return shoe.Source{Device: d.device, Epoch: spin, Seq: seq}
}

func (d *Decoder) take(now time.Duration, line []byte) {
	if s, ok := readStatus(line); ok {
		d.status(now, s, line)
		return
	}
	if n, ok := readNumber(line); ok {
		d.told = n
		return
	}
	if n, ok := readComponent(line); ok {
		d.fault(component+n, "the wheel reports a fault of component "+n, line)
	}
}

// component begins the code of a component's fault.
const component = "component-"

func (d *Decoder) status(now time.Duration, s status, line []byte) {
	d.understood++
	d.health(s, line)
	if s.state != d.state {
		d.since = now
	}
	if d.state == 0 && d.known(s) {
		d.spin = decided
	}
	if d.state == 0 || s.state != noMoreBets || s.warn&noBall == 0 {
		d.seen = now
	}
	if s.state != noMoreBets && s.state != winning {
		d.told = blank
	}
	d.follow(s, line)
	d.weigh(now, d.judge(now, s), s.number, line)
	d.state = s.state
	d.waiting = s.state == inRim && s.warn&withRotor != 0 && d.spin == decided
	if d.durable {
		d.out = append(d.out, d.reset()...)
	}
}

// known says that what stands there at the beginning was said already.
func (d *Decoder) known(s status) bool {
	standing := uint32(0)
	switch {
	case s.state == winning && s.number != blank:
		standing = uint32(s.number) + 1
	case s.state == inRim && s.warn&withRotor != 0:
		standing = voidWord
	}
	return standing != 0 && d.last == d.source(s.spin, standing)
}

// follow says what a state tells by itself. A spin begins in state 3, or in 4 if 3 was missed.
func (d *Decoder) follow(s status, line []byte) {
	switch s.state {
	case before, placeBets, closed:
		if d.spin == decided {
			d.spin = idle
		}
	case inRim:
		if d.spin == idle || d.spin == decided && d.state != inRim && d.state != 0 {
			d.launch(line)
		}
	case noMoreBets:
		if d.spin == idle {
			d.launch(line)
		}
		if d.spin == rolling {
			d.spin = falling
			d.say(shoe.Report{Kind: shoe.BetsOver}, line)
		}
	}
}

func (d *Decoder) launch(line []byte) {
	d.spin = rolling
	d.say(shoe.Report{Kind: shoe.BallIn}, line)
}

// judge is what a status makes of the spin.
func (d *Decoder) judge(now time.Duration, s status) verdict {
	if s.state == winning {
		return d.landed(s)
	}
	void := false
	switch s.state {
	case before, placeBets, undetected:
		void = true
	case inRim:
		void = s.warn&withRotor != 0 || s.warn&badLaunch != 0 && now-d.since >= launching
	case noMoreBets:
		void = now-d.seen >= searching
	}
	if !void || d.spin != rolling && d.spin != falling {
		return verdict{}
	}
	return verdict{shoe.NoSpin, voidWord, s.spin}
}

// landed is what a number that stands there is.
func (d *Decoder) landed(s status) verdict {
	v := verdict{shoe.Proposed, uint32(s.number) + 1, s.spin}
	switch {
	case s.number == blank:
		return verdict{}
	case d.spin == falling:
		v.kind = shoe.Number
	case d.last == d.source(v.spin, v.seq):
		return verdict{}
	case d.spin == decided && d.last.Epoch == v.spin && d.last.Seq != voidWord:
		v.kind = shoe.Conflict
	}
	if s.number == DoubleZero {
		v.kind = shoe.Faulted
	}
	return v
}

// weigh decides when a verdict comes the second time, or bears out the number that came alone.
func (d *Decoder) weigh(now time.Duration, v verdict, number uint8, line []byte) {
	again := v == d.due || v.kind != shoe.NoSpin && number == d.told
	if v != d.due {
		d.due, d.dueRaw, d.dueAt = v, bytes.Clone(line), now
	}
	if v.kind != 0 && again {
		d.decide(line)
	}
}

// decide ends the spin with the verdict that is due.
func (d *Decoder) decide(line []byte) {
	v := d.due
	d.due, d.dueRaw = verdict{}, nil
	d.spin, d.last, d.durable = decided, d.source(v.spin, v.seq), false
	switch v.kind {
	case shoe.Faulted:
		d.fault(doubleZero, "the ball fell on the double zero, which this table does not have", line)
		return
	case shoe.Number:
		d.mend(component, line)
	}
	r := shoe.Report{Kind: v.kind, Source: d.last}
	if v.seq != voidWord {
		r.N = uint8(v.seq - 1)
	}
	d.say(r, line)
}

// reset is the permission to go on from a void spin, if the wheel waits for it.
func (d *Decoder) reset() []byte {
	if !d.waiting {
		return nil
	}
	return []byte("*R\r\n")
}

const doubleZero = "double-zero"

// health compares the faults that a status shows with those that stand.
func (d *Decoder) health(s status, line []byte) {
	if s.state != winning {
		d.mend(doubleZero, line)
	}
	if s.state == closed {
		d.fault("closed", "the wheel is closed", line)
	} else {
		d.mend("closed", line)
	}
	if s.warn&sensor != 0 {
		d.fault("sensor", "the wheel warns of a sensor, its motor or its encoder", line)
	} else {
		d.mend("sensor", line)
	}
}

// fault reports a fault that does not stand yet.
func (d *Decoder) fault(code, text string, line []byte) {
	if slices.Contains(d.faults, code) || len(d.faults) == maxFaults {
		return
	}
	d.faults = append(d.faults, code)
	d.say(shoe.Report{Kind: shoe.Faulted, Code: code, Text: text}, line)
}

// mend reports that the faults whose codes begin so are over.
func (d *Decoder) mend(codes string, line []byte) {
	d.faults = slices.DeleteFunc(d.faults, func(code string) bool {
		over := strings.HasPrefix(code, codes)
		if over {
			d.say(shoe.Report{Kind: shoe.Cleared, Code: code}, line)
		}
		return over
	})
}

// say reports r, which came by this line.
func (d *Decoder) say(r shoe.Report, line []byte) {
	r.Source.Device, r.Raw = d.device, bytes.Clone(line)
	d.reports = append(d.reports, r)
}
