package beetek

import (
	"bytes"
	"strings"
	"time"

	"sabot/shoe"
)

// Decoder is the host's side and is a [shoe.Decoder]. Its reports have no numbers.
//
// Invariant: a card in last that is not known has not been reported, and nothing that came later has.
type Decoder struct {
	device  string
	o       Options
	frame   frame
	now     time.Duration
	last    reading
	reports []shoe.Report // of this Feed

	understood uint64
}

// reading is the last card of which copies may come.
type reading struct {
	card   shoe.Card
	copies int // that came; 0 when there is no such card
	at     time.Duration
	raw    []byte // of one that waits
}

// New is a decoder for the device of that name in the configuration.
func New(device string, o Options) *Decoder { return &Decoder{device: device, o: o.usual()} }

// Feed takes bytes, or in the tick none. It never has any to send.
func (d *Decoder) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	d.now, d.reports = now, nil
	for _, b := range p {
		switch {
		case d.o.Codes == nil:
			if d.frame.token(b) {
				d.token(d.frame.words())
			}
		case d.frame.line(b):
			d.line()
			d.frame.begin()
		}
	}
	if now-d.last.at >= d.o.Window {
		d.settle()
	}
	return d.reports, nil
}

// Ack does nothing: the shoe keeps nothing for us.
func (d *Decoder) Ack(shoe.Source) []byte { return nil }

// Lock does nothing: the shoe has no lock.
func (d *Decoder) Lock(bool) []byte { return nil }

// Resume forgets half a token. A card's copies are known by their time, also across a break of the connection.
func (d *Decoder) Resume(shoe.Source) { d.frame.begin() }

// Understood counts tokens, or lines that are in the table.
func (d *Decoder) Understood() uint64 { return d.understood }

// token takes a whole token.
func (d *Decoder) token(mode, body []byte) {
	d.understood++
	name, isCard := bytes.CutPrefix(body, []byte("Card:"))
	alarm, isAlarm := bytes.CutPrefix(body, []byte("Alarm:"))
	switch {
	case isCard:
		d.card(readCard(string(name)), string(mode) != Manual)
	case len(mode) > 0 && bytes.Equal(body, mode):
		d.misread()
	case isAlarm:
		code, text, _ := strings.Cut(string(alarm), " ")
		if code == "E3" { // why the card before it was not read
			code = "misread"
		}
		d.say(shoe.Report{Kind: shoe.Faulted, Code: code, Text: text})
	case bytes.HasPrefix(body, []byte("W0x")):
		d.say(shoe.Report{Kind: shoe.Faulted, Code: string(body), Text: "the shoe's warning"})
	case len(mode) > 0:
		d.say(shoe.Report{Kind: shoe.Faulted, Code: "unknown-token", Text: "the shoe said what nobody knows"})
	}
}

// line takes a whole line.
func (d *Decoder) line() {
	c, known := d.o.Codes[string(d.frame.bytes())]
	if known && !d.frame.spoil {
		d.understood++
	}
	switch {
	case !known || d.frame.spoil:
		d.say(shoe.Report{Kind: shoe.Faulted, Code: "unknown-line", Text: "a line that is not in the table of codes"})
	case c.Known():
		d.card(c, true)
	case c == shoe.Unread:
		d.misread()
	}
}

// card takes a reading of a card, which may be a copy of the last one where the shoe repeats. One that names none waits for its copy.
func (d *Decoder) card(c shoe.Card, repeats bool) {
	if repeats && d.copied(c) {
		return
	}
	switch {
	case !c.Known() && (!repeats || d.o.Copies == 1):
		d.misread()
	case !c.Known():
		d.settle()
		d.last = reading{c, 1, d.now, bytes.Clone(d.frame.bytes())}
	default:
		d.say(shoe.Report{Kind: shoe.Drawn, Card: c})
		d.last = reading{card: c, at: d.now}
		if repeats {
			d.last.copies = 1
		}
	}
}

// copied says that a reading is a copy of the last one. It gives that its value, if it had none.
func (d *Decoder) copied(c shoe.Card) bool {
	l := &d.last
	if l.copies == 0 || l.copies == d.o.Copies || d.now-l.at >= d.o.Window || c != l.card && c.Known() && l.card.Known() {
		return false
	}
	l.copies++
	switch {
	case c.Known() && !l.card.Known():
		l.card = c
		d.say(shoe.Report{Kind: shoe.Drawn, Card: c})
	case l.copies == d.o.Copies:
		d.settle()
	}
	return true
}

// misread is a card that the shoe says it did not read.
func (d *Decoder) misread() {
	d.say(shoe.Report{Kind: shoe.Drawn, Card: shoe.Unread})
	d.last = reading{}
}

// settle reports the last card as unread if no copy has named it.
func (d *Decoder) settle() {
	if d.last.copies == 0 || d.last.card.Known() {
		return
	}
	raw := d.last.raw
	d.last = reading{}
	d.report(shoe.Report{Kind: shoe.Drawn, Card: shoe.Unread, Raw: raw})
}

// say reports r as of the frame that is whole now, behind a card that waits.
func (d *Decoder) say(r shoe.Report) {
	d.settle()
	r.Raw = bytes.Clone(d.frame.bytes())
	d.report(r)
}

func (d *Decoder) report(r shoe.Report) {
	r.Source.Device = d.device
	d.reports = append(d.reports, r)
}

// readCard is the card of a token. Whatever it says, a card left: what is no card's name is an unread card.
func readCard(name string) shoe.Card {
	if c, err := shoe.ParseCard(name); err == nil {
		return c
	}
	return shoe.Unread
}
