package angel

import (
	"bytes"
	"fmt"
	"time"

	"sabot/shoe"
)

// remembered is how many of the last messages copies are known of, should the copies of several mix.
const remembered = 8

// Decoder is the host's side and is a [shoe.Decoder]. Its reports have no numbers: the shoe's seq does not last.
//
// Invariant: a frame within Window of one in recent is never reported; everything else that is whole is, but standby, the key lock and the
// burn count.
type Decoder struct {
	device string
	o      Options
	frame  framer
	now    time.Duration

	recent [remembered]seen
	oldest int
	places [2][3]shoe.Card // the coup's cards by side and index
	over   bool            // the next Player 1 begins a coup
	unread cause           // the last message was an unread card
	cut    bool            // the cut card was drawn since the last S
	errors uint64          // a bit for each code that keeps the shoe in error mode

	closed   *bool // what the lock was last told
	asked    int   // commands without an answer
	answerBy time.Duration
	refusing bool // a code is to follow
	refused  bool // the last answer was a refusal

	understood uint64

	reports []shoe.Report // of this Feed
	out     []byte
}

// seen is a frame and when it came first.
type seen struct {
	frame [maxFrame]byte
	n     int
	at    time.Duration
}

// cause is how an unread card was said.
type cause uint8

const (
	notUnread cause = iota
	byCard
	byError
)

// New is a decoder for the device of that name in the configuration.
func New(device string, o Options) *Decoder {
	if o.Window == 0 {
		o.Window = usualWindow
	}
	return &Decoder{device: device, o: o, over: true}
}

// Feed takes bytes, or in the tick none.
func (d *Decoder) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	d.now, d.reports, d.out = now, nil, nil
	for _, b := range p {
		if d.refusing && d.refuse(b) {
			continue
		}
		switch d.frame.feed(b) {
		case whole:
			d.take(d.frame.bytes())
		case outside:
			d.answer(b)
		}
	}
	return d.reports, d.out
}

// Ack does nothing: the shoe keeps nothing for us.
func (d *Decoder) Ack(shoe.Source) []byte { return nil }

// Lock closes or opens the mouth. Errors that keep the shoe from dealing are cleared before it opens.
func (d *Decoder) Lock(closed bool) []byte {
	d.closed = &closed
	return d.lock()
}

// Resume forgets what cannot be compared across a break of the connection: half a frame, copies, and places.
func (d *Decoder) Resume(shoe.Source) {
	d.frame = framer{}
	d.asked, d.refusing = 0, false
	d.forget()
}

// Understood counts frames, copies too, and answers.
func (d *Decoder) Understood() uint64 { return d.understood }

// forget is at S and at a reconnection.
func (d *Decoder) forget() {
	d.recent = [remembered]seen{}
	d.places = [2][3]shoe.Card{}
	d.over, d.unread = true, notUnread
}

func (d *Decoder) lock() (out []byte) {
	switch {
	case d.closed == nil:
	case *d.closed:
		out = d.order("LK02")
	default:
		for code := range 64 {
			if d.errors>>code&1 != 0 {
				out = append(out, d.order(fmt.Sprintf("EC%02d", code))...)
			}
		}
		out = append(out, d.order("LK01")...)
	}
	return out
}

// order is a command that an answer is expected to.
func (d *Decoder) order(word string) []byte {
	if d.now > d.answerBy {
		d.asked = 0
	}
	d.asked++
	d.answerBy = d.now + waitAnswer
	return d.o.command(word)
}

// answer takes a byte that is of no frame. Answers are bare bytes, so without a question they are noise.
func (d *Decoder) answer(b byte) {
	if d.asked == 0 || d.now > d.answerBy || b != ack && b != nak {
		return
	}
	d.asked--
	d.understood++
	d.refusing = b == nak
	if b == ack && d.refused {
		d.refused = false
		d.say(shoe.Report{Kind: shoe.Cleared, Code: "refused", Raw: []byte{b}})
	}
}

// refuse takes the code of a refusal. Where a message begins instead, its byte is not taken: a card matters more than a code.
func (d *Decoder) refuse(b byte) (taken bool) {
	d.refusing, d.refused = false, true
	raw := []byte{nak, b}
	if b == enq {
		raw = raw[:1]
	}
	d.say(shoe.Report{Kind: shoe.Faulted, Code: "refused", Text: "the shoe refused a command", Raw: raw})
	return b != enq
}

// take takes a whole frame: 05, seq, letter, payload, 03 and two digits.
func (d *Decoder) take(frame []byte) {
	d.understood++
	if d.copied(frame) {
		return
	}
	letter, payload := frame[2], frame[3:len(frame)-3]
	if letter == 'S' {
		d.forget()
	}
	d.remember(frame)
	if n, known := payloads[letter]; !known || n != len(payload) || letter != 'M' && !highBits(payload) {
		d.say(shoe.Report{Kind: shoe.Faulted, Code: "unknown-message", Text: "the shoe said what nobody knows"})
		return
	}
	before := d.unread
	d.unread = notUnread
	switch letter {
	case 'S':
		d.start()
	case 'P':
		d.over, d.places = true, [2][3]shoe.Card{}
	case 'D':
		d.inGame(payload, before)
	case 'd':
		d.drawn(readCard(payload[1]), shoe.Claim{Side: shoe.Outside}, notUnread) // the error was for a card of the game
	case 'R':
		d.again(readCard(payload[1]), readClaim(payload[0]))
	case 'G':
		d.over = true
		d.say(shoe.Report{Kind: shoe.Claimed, Result: readResult(payload[0])})
	case 'C':
		d.cut = true
		d.say(shoe.Report{Kind: shoe.CutOut})
	case 'E', 'e':
		d.fault(letter == 'E', payload[0], before)
	case 'M':
		d.say(shoe.Report{Kind: shoe.Faulted, Code: "preset-changed", Text: "a preset of the shoe was changed: " + printable(payload)})
	}
}

// copied says that a frame is a copy of a recent one.
func (d *Decoder) copied(frame []byte) bool {
	for i := range d.recent {
		if s := &d.recent[i]; s.n == len(frame) && d.now-s.at < d.o.Window && bytes.Equal(s.frame[:s.n], frame) {
			return true
		}
	}
	return false
}

func (d *Decoder) remember(frame []byte) {
	s := &d.recent[d.oldest]
	d.oldest = (d.oldest + 1) % remembered
	s.n, s.at = copy(s.frame[:], frame), d.now
}

// start is the shoe's own start.
func (d *Decoder) start() {
	code := Reboot
	if d.cut {
		code = NewShoe
	}
	d.cut, d.errors = false, 0
	d.say(shoe.Report{Kind: shoe.Booted, Code: code})
	d.out = append(d.out, d.lock()...)
}

// inGame takes a D. What lies in the coup's places already is judged by place and card, since the shoe may say it under a new seq.
// Player 1 begins the next coup if the last one is over.
func (d *Decoder) inGame(payload []byte, before cause) {
	if payload[0]>>4&7 == burnCount {
		return
	}
	c, claim := readCard(payload[1]), readClaim(payload[0])
	if d.over && claim == (shoe.Claim{Side: shoe.ToPlayer, Index: 1}) {
		d.over, d.places = false, [2][3]shoe.Card{}
	}
	place := d.place(claim)
	switch {
	case place == nil:
		d.drawn(c, claim, before)
	case *place == shoe.NoCard:
		*place = c
		d.drawn(c, claim, before)
	case *place == c:
	case *place == shoe.Unread:
		d.again(c, claim)
	default:
		d.say(shoe.Report{Kind: shoe.Conflict})
	}
}

// again reports another reading of a card, which is the value of the one that lies unread there.
func (d *Decoder) again(c shoe.Card, claim shoe.Claim) {
	if place := d.place(claim); place != nil && *place == shoe.Unread {
		*place = c
	}
	d.say(shoe.Report{Kind: shoe.Reread, Card: c, Claim: claim})
}

// place is a claimed place of the coup, nil where it is none.
func (d *Decoder) place(claim shoe.Claim) *shoe.Card {
	if claim.Side != shoe.ToPlayer && claim.Side != shoe.ToBanker || claim.Index < 1 || claim.Index > 3 {
		return nil
	}
	return &d.places[claim.Side-shoe.ToPlayer][claim.Index-1]
}

// drawn reports a card that left, unless it is the unread one that an error has just told of.
func (d *Decoder) drawn(c shoe.Card, claim shoe.Claim, before cause) {
	if c == shoe.Unread {
		if before == byError {
			return
		}
		d.unread = byCard
	}
	d.say(shoe.Report{Kind: shoe.Drawn, Card: c, Claim: claim})
}

// fault takes an error or its end.
func (d *Decoder) fault(begins bool, b byte, before cause) {
	code := b & 0x3f
	name, words := errorName(code)
	d.errors &^= 1 << code
	if !begins {
		d.say(shoe.Report{Kind: shoe.Cleared, Code: name})
		return
	}
	if b&errorMode != 0 {
		d.errors |= 1 << code
	}
	if code == misread && before != byCard {
		d.say(shoe.Report{Kind: shoe.Drawn, Card: shoe.Unread})
		d.unread = byError
	}
	d.say(shoe.Report{Kind: shoe.Faulted, Code: name, Text: words})
}

// say reports r of this device, as of the frame that is whole now where it brings no bytes.
func (d *Decoder) say(r shoe.Report) {
	r.Source.Device = d.device
	if r.Raw == nil {
		r.Raw = bytes.Clone(d.frame.bytes())
	}
	d.reports = append(d.reports, r)
}

// highBits says that all bytes have bit 7 set.
func highBits(p []byte) bool {
	for _, b := range p {
		if b < 0x80 {
			return false
		}
	}
	return true
}

// printable is a payload of characters as text, whether or not their bit 7 is set.
func printable(p []byte) string {
	text := make([]byte, len(p))
	for i, b := range p {
		if text[i] = b & 0x7f; text[i] < ' ' || text[i] > '~' {
			text[i] = '.'
		}
	}
	return string(text)
}
