package uid

import (
	"encoding/hex"
	"fmt"
	"time"

	"sabot/shoe"
)

// stay is how long a model's tag lies on the antenna.
const stay = 200 * time.Millisecond

// deviceName is what a model calls itself.
const deviceName = "sabot"

// Device is the reader's side, and the shoe's: it knows the tags that are left in it. It is used by one goroutine.
//
// A PN532 that is to be asked says nothing before it is; tags wait for the question, which a real one would not make them.
type Device struct {
	format string
	cards  *Cards
	asks   bool // it waits to be asked

	used    map[string]bool
	seq     uint32
	now     time.Duration
	lying   []byte // what is said again while the tag lies there
	until   time.Duration
	frames  packets
	asked   bool
	waiting [][]byte
}

// NewDevice is a reader over a full shoe of the cards enrolled. Its error is that of [New].
func NewDevice(o Options) (*Device, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	d := &Device{format: o.Format, cards: o.Cards, asks: len(o.Ask) > 0}
	if d.cards == nil {
		d.cards = &Cards{}
	}
	d.NewShoe()
	return d, nil
}

// NewShoe puts all tags back.
func (d *Device) NewShoe() { d.used = map[string]bool{} }

// Boot is what it says when it is plugged in: only clients in JSON say anything.
func (d *Device) Boot() []byte {
	if d.format != "jsonl" {
		return nil
	}
	d.seq = 1
	return fmt.Appendf(nil, "{\"type\":\"boot\",\"seq\":1,\"device_id\":%q}\n", deviceName)
}

// Draw is a card that left, by the first of its tags that is still in the shoe. It is nil when there is none, and for a card that
// nobody could read: a reader of tags does not notice.
func (d *Device) Draw(c shoe.Card) []byte {
	if !c.Known() {
		return nil
	}
	return d.next(c)
}

// Cut is the cut card that left, where it has a tag.
func (d *Device) Cut() []byte { return d.next(shoe.NoCard) }

func (d *Device) next(c shoe.Card) []byte {
	for _, id := range d.cards.UIDs(c) {
		if !d.used[id] {
			d.used[id] = true
			return d.Tag(id)
		}
	}
	return nil
}

// Tag is any tag that came before the antenna, nil where the reader cannot say its UID.
func (d *Device) Tag(id string) []byte {
	id, err := Canonical(id)
	if err != nil {
		return nil
	}
	p, _ := hex.DecodeString(id)
	switch d.format {
	case "jsonl":
		d.seq++
		return fmt.Appendf(nil, "{\"type\":\"card\",\"seq\":%d,\"device_id\":%q,\"card_uid\":%q}\n", d.seq, deviceName, id)
	case "pn532":
		return d.list(p)
	}
	if 2*len(p) != tagDigits {
		return nil
	}
	end := "\x03"
	if d.format == "id12" {
		end = "\r\n\x03"
	}
	d.lying, d.until = fmt.Appendf(nil, "\x02%s%02X%s", id, xor(p), end), d.now+stay
	return d.lying
}

// list is a PN532's answer with one tag, kept until it is asked for.
func (d *Device) list(id []byte) []byte {
	p := packet(append([]byte{fromChip, listedTags, 1, 1, 0, 4, 0, byte(len(id))}, id...))
	if d.asks && !d.asked {
		d.waiting = append(d.waiting, p)
		return nil
	}
	d.asked = false
	return p
}

// Fault is an error of a client in JSON; the words have no place in it.
func (d *Device) Fault(code, text string) []byte {
	if d.format != "jsonl" {
		return nil
	}
	return fmt.Appendf(nil, "{\"type\":\"error\",\"code\":%q}\n", clean(code))
}

// ClearFault is nothing any of them says.
func (d *Device) ClearFault(code string) []byte { return nil }

// Locked is never: there is no lock.
func (d *Device) Locked() bool { return false }

// Feed hears questions, and says a tag again while it lies on the antenna.
func (d *Device) Feed(now time.Duration, p []byte) (out []byte) {
	d.now = now
	if d.lying != nil && now < d.until {
		out = append(out, d.lying...)
	}
	if d.format != "pn532" {
		return out
	}
	for _, b := range p {
		d.frames.buf = append(d.frames.buf, b)
		for c, more := d.frames.next(false); more; c, more = d.frames.next(false) {
			if data := c.data(); c.proved && len(data) > 1 && data[0] == fromHost {
				out = append(out, d.hear(data[1])...)
			}
		}
	}
	return out
}

// acknowledged is a PN532's first answer to anything.
var acknowledged = []byte{0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00}

// hear answers a question: at once, or when there is a tag to list.
func (d *Device) hear(command byte) []byte {
	out := append([]byte(nil), acknowledged...)
	switch {
	case command+1 != listedTags:
		return append(out, packet([]byte{fromChip, command + 1})...)
	case len(d.waiting) == 0:
		d.asked = true
		return out
	}
	out = append(out, d.waiting[0]...)
	d.waiting, d.asked = d.waiting[1:], false
	return out
}
