package line

import (
	"strings"
	"time"

	"sabot/shoe"
)

// Device is the shoe's side: what firmware does, without the hardware. Its methods return the bytes to send, which may
// be none. It is used by one goroutine.
//
// Invariant: kept is in the order things happened, and the conversation is about the epoch of the first of it.
type Device struct {
	name, serial string
	epoch, seq   uint32 // of this boot
	kept         []kept // not acknowledged
	answered     bool   // the host answered our hello

	frame    framer
	now      time.Duration
	helloAt  time.Duration // when hello is due again
	beatAt   time.Duration
	heardAt  time.Duration // when HST came last
	recorded bool          // what it said
	closed   bool          // what LCK said last
}

// kept is a sentence and where it belongs.
type kept struct {
	epoch, seq uint32
	bytes      []byte
}

// NewDevice is a device that just booted with an empty memory. Its epoch must be new, and not 0.
func NewDevice(name, serial string, epoch uint32) *Device {
	return &Device{name: clean(name, 16), serial: clean(serial, 16), epoch: epoch}
}

// Reboot is a restart of a device that keeps its memory.
func (d *Device) Reboot(epoch uint32) []byte {
	*d = Device{name: d.name, serial: d.serial, epoch: epoch, kept: d.kept, now: d.now}
	return d.Hello()
}

// Hello begins the conversation, again if need be.
func (d *Device) Hello() []byte {
	d.answered = false
	d.helloAt = d.now + helloBeat
	epoch, last := d.speaking()
	oldest := last + 1
	if len(d.kept) > 0 {
		oldest = d.kept[0].seq
	}
	return write("HEL", "1", d.name, d.serial, decimal(epoch), decimal(epoch)+":"+decimal(oldest))
}

// Draw is a card that left; shoe.Unread where it could not be read.
func (d *Device) Draw(c shoe.Card) []byte { return d.DrawAt(c, shoe.Claim{}) }

// DrawAt is Draw with the shoe's opinion where the card went.
func (d *Device) DrawAt(c shoe.Card, where shoe.Claim) []byte {
	card := strings.ToUpper(c.String())
	if claim := writeClaim(where); claim != "" {
		return d.say("CRD", card, claim)
	}
	return d.say("CRD", card)
}

// Cut is the cut card that left.
func (d *Device) Cut() []byte { return d.say("CUT") }

// Spin is a wheel whose ball runs in the rim.
func (d *Device) Spin() []byte { return d.say("WHL", "3") }

// NoSpin is a spin that does not count.
func (d *Device) NoSpin() []byte { return d.say("WHL", "7") }

// Win is a wheel's winning number.
func (d *Device) Win(n uint8) []byte { return d.say("WIN", decimal(uint32(n))) }

// Button is a button on the device, pressed or let go.
func (d *Device) Button(name string, down bool) []byte {
	return d.say("BTN", clean(name, 16), flag(down))
}

// Fault is a fault that began. The text is for people.
func (d *Device) Fault(code, text string) []byte {
	return d.say("ERR", clean(code, 16), clean(text, 36))
}

// ClearFault is a fault that is over.
func (d *Device) ClearFault(code string) []byte { return d.say("CLR", clean(code, 16)) }

// Locked says that the mouth is closed: no card can leave.
func (d *Device) Locked() bool {
	return d.closed || !d.recorded || d.now-d.heardAt >= hostAway || len(d.kept) >= memory-reserve
}

// Feed takes what the host sent, or nothing; it should be called a few times a second.
func (d *Device) Feed(now time.Duration, p []byte) (out []byte) {
	d.now = now
	for _, b := range p {
		if s, ok := d.frame.feed(b); ok {
			out = append(out, d.take(s)...)
		}
	}
	switch {
	case !d.answered && now >= d.helloAt:
		out = append(out, d.Hello()...)
	case d.answered && now >= d.beatAt:
		d.beatAt = now + devBeat
		_, last := d.speaking()
		out = append(out, write("HRT", decimal(last))...)
	}
	return out
}

func (d *Device) take(s sentence) []byte {
	n, ok := s.number(0)
	if !ok {
		return nil
	}
	switch s.word {
	case "ACK":
		if epoch, ok := s.number(1); ok {
			return d.forget(epoch, n)
		}
	case "GET":
		if n == 0 || !d.answered {
			return d.Hello()
		}
		return d.from(n)
	case "LCK":
		d.closed = n == 1
	case "HST":
		d.recorded, d.heardAt = n == 1, d.now
	}
	return nil
}

// say numbers and keeps what happened. When the memory is full only the number is taken, which the host misses: the mouth was closed long before, but a STOP may be pressed.
func (d *Device) say(word string, fields ...string) []byte {
	d.seq++
	if len(d.kept) == memory {
		return nil
	}
	k := kept{d.epoch, d.seq, write(word, append([]string{decimal(d.seq)}, fields...)...)}
	d.kept = append(d.kept, k)
	if epoch, _ := d.speaking(); !d.answered || epoch != d.epoch {
		return nil
	}
	return k.bytes
}

// speaking is the epoch the conversation is about, and its last number.
func (d *Device) speaking() (epoch, last uint32) {
	epoch, last = d.epoch, d.seq
	if len(d.kept) == 0 || d.kept[0].epoch == epoch {
		return epoch, last
	}
	epoch = d.kept[0].epoch
	for _, k := range d.kept {
		if k.epoch == epoch {
			last = k.seq
		}
	}
	return epoch, last
}

// forget takes an acknowledgement. The first one answers the hello, and is answered with all that is kept.
func (d *Device) forget(epoch, seq uint32) []byte {
	speaking, last := d.speaking()
	if epoch != speaking || seq > last {
		return nil
	}
	n := 0
	for n < len(d.kept) && d.kept[n].epoch == epoch && d.kept[n].seq <= seq {
		n++
	}
	d.kept = append([]kept(nil), d.kept[n:]...)
	if next, _ := d.speaking(); next != epoch {
		return d.Hello()
	}
	if d.answered {
		return nil
	}
	d.answered = true
	return d.from(1)
}

// from is all that is kept of the epoch spoken in, from a number on.
func (d *Device) from(seq uint32) (out []byte) {
	epoch, _ := d.speaking()
	for _, k := range d.kept {
		if k.epoch == epoch && k.seq >= seq {
			out = append(out, k.bytes...)
		}
	}
	return out
}
