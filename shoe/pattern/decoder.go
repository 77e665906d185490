package pattern

import (
	"bytes"
	"time"

	"sabot/shoe"
)

// The control bytes that frame a reading.
const (
	nul = 0x00
	stx = 0x02
	etx = 0x03
)

// Decoder is the host's side: it reads lines and is a [shoe.Decoder]. It has nothing to say to the device.
//
// Invariant: n ≤ maxFrame. Timers run only in the tick, so how bytes are cut into pieces makes no difference.
type Decoder struct {
	device string
	form   *form
	repeat time.Duration

	buf     [maxFrame]byte
	n       int
	spoilt  bool // what is being read cannot be a reading
	printed bool // there was a printable character in it
	byteAt  time.Duration

	last   []byte // the line before, where repeats are dropped
	lastAt time.Duration

	understood uint64

	reports []shoe.Report // of this Feed
}

// New is a decoder for the device of that name in the configuration. Its error is what is wrong with the options, in words for who wrote them.
func New(device string, o Options) (*Decoder, error) {
	f, err := newForm(o)
	if err != nil {
		return nil, err
	}
	return &Decoder{device: device, form: f, repeat: o.Repeat}, nil
}

// Feed takes bytes, or in the tick none.
func (d *Decoder) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	d.reports = nil
	for _, b := range p {
		d.take(now, b)
	}
	switch {
	case len(p) > 0:
		d.byteAt = now
	case now-d.byteAt >= idle:
		d.cutOff(now)
	}
	return d.reports, nil
}

// Ack does nothing: the device remembers nothing.
func (d *Decoder) Ack(shoe.Source) []byte { return nil }

// Lock does nothing: the device has no lock.
func (d *Decoder) Lock(bool) []byte { return nil }

// Resume forgets a half-received line, and the line before: after a reconnection none is a repeat.
func (d *Decoder) Resume(shoe.Source) {
	d.begin()
	d.last = nil
}

// Understood counts the lines that fit.
func (d *Decoder) Understood() uint64 { return d.understood }

func (d *Decoder) begin() { d.n, d.spoilt, d.printed = 0, false, false }

func (d *Decoder) take(now time.Duration, b byte) {
	switch b {
	case stx:
		d.cutOff(now)
	case '\r', '\n', etx, nul:
		d.end(now)
	default:
		d.add(b)
	}
}

// add keeps a byte. One that is no text may be a character the line damaged: whatever it was, the reading is none.
func (d *Decoder) add(b byte) {
	text := b >= ' ' && b <= '~'
	d.printed = d.printed || text
	if !text || d.n == maxFrame {
		d.spoilt = true
	}
	if d.n < maxFrame {
		d.buf[d.n] = b
		d.n++
	}
}

// cutOff ends what has no end. Bytes without a character among them are noise.
func (d *Decoder) cutOff(now time.Duration) {
	d.spoilt = true
	if d.printed {
		d.end(now)
	}
	d.begin()
}

// end judges a line.
func (d *Decoder) end(now time.Duration) {
	line, spoilt := d.buf[:d.n], d.spoilt
	d.begin()
	r, ok := reading{}, false
	if !spoilt {
		r, ok = d.form.read(line)
	}
	if ok {
		d.understood++
	}
	if len(line) == 0 || d.again(now, line) {
		return
	}
	switch {
	case !ok:
		d.say(line, shoe.Report{Kind: shoe.Faulted, Code: "unknown-reading", Text: "a reading that the pattern does not know"})
	case r.foreign:
		d.say(line, shoe.Report{Kind: r.kind, Card: r.card, Claim: r.claim})
		d.say(line, shoe.Report{Kind: shoe.Faulted, Code: "foreign", Text: "a card that the pattern does not know"})
	default:
		d.say(line, shoe.Report{Kind: r.kind, Card: r.card, Claim: r.claim})
	}
}

// again says that a line is the reading before, said once more.
func (d *Decoder) again(now time.Duration, line []byte) bool {
	if d.repeat == 0 {
		return false
	}
	same := d.last != nil && now-d.lastAt < d.repeat && bytes.Equal(line, d.last)
	d.last, d.lastAt = append(d.last[:0], line...), now
	return same
}

func (d *Decoder) say(line []byte, r shoe.Report) {
	r.Source.Device, r.Raw = d.device, bytes.Clone(line)
	d.reports = append(d.reports, r)
}
