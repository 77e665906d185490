package beetek

import (
	"maps"
	"slices"
	"strings"
	"time"

	"sabot/shoe"
)

// Device is the shoe's side, without the hardware: a reader that speaks of cards and hears nothing. Its methods return the bytes to send; nil is what
// the shoe has no word for.
type Device struct {
	o     Options
	mode  string
	codes map[shoe.Card]string // nil in dialect spaced
}

// NewDevice is a shoe in mode Game or Manual. Dialect lines knows no modes, but repeats as Game does unless it is Manual.
func NewDevice(o Options, mode string) *Device {
	d := &Device{o: o.usual(), mode: mode}
	if o.Codes == nil {
		return d
	}
	d.codes = map[shoe.Card]string{}
	for _, code := range slices.Sorted(maps.Keys(o.Codes)) {
		if c := o.Codes[code]; d.codes[c] == "" {
			d.codes[c] = code
		}
	}
	return d
}

// Boot says nothing.
func (d *Device) Boot() []byte { return nil }

// Draw is a card that left; shoe.Unread where it could not be read.
func (d *Device) Draw(c shoe.Card) []byte {
	one := d.reading(c)
	if one == nil || c == shoe.Unread || d.mode == Manual {
		return one
	}
	return slices.Repeat(one, d.o.Copies)
}

// Cut says nothing: the shoe has no word for the cut card.
func (d *Device) Cut() []byte { return nil }

// Fault is an alarm.
func (d *Device) Fault(code, text string) []byte {
	if d.codes != nil {
		return nil
	}
	return token("GameAlarm", "Alarm:"+clean(code, 16)+" "+clean(text, 36))
}

// ClearFault says nothing: the shoe has no word for an alarm's end.
func (d *Device) ClearFault(string) []byte { return nil }

// Feed says nothing, whatever the host sent.
func (d *Device) Feed(time.Duration, []byte) []byte { return nil }

// Locked is never so: the shoe has no lock.
func (d *Device) Locked() bool { return false }

// reading is one copy of a card.
func (d *Device) reading(c shoe.Card) []byte {
	switch {
	case d.codes != nil && d.codes[c] == "":
		return nil
	case d.codes != nil:
		return []byte(d.codes[c] + "\r\n")
	case c == shoe.Unread:
		return token(d.mode, d.mode)
	}
	return token(d.mode, "Card:"+strings.ToUpper(c.String()))
}

func token(mode, body string) []byte { return []byte(" [" + mode + "]<" + body + "> ") }

// clean makes text safe to be part of a token, at most n characters of it.
func clean(text string, n int) string {
	safe := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune("[]<>", r) {
			return '.'
		}
		return r
	}, text)
	return safe[:min(n, len(safe))]
}
