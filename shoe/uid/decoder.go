package uid

import (
	"bytes"
	"time"

	"sabot/shoe"
)

// Decoder is the host's side: it reads a reader of tags and is a [shoe.Decoder].
//
// Invariants: left holds no more than the enrolment and manyStrays others, sights no more than manySights. Timers run only in the
// tick, so how bytes are cut into pieces makes no difference.
type Decoder struct {
	device string
	linger time.Duration
	frames framer
	byteAt time.Duration

	tags   *Tags
	sights []sight // of late

	spoilt   []byte // a frame that no good one has followed yet
	spoiltAt time.Duration

	heard  bool // a line that is counted came, or a boot
	reader string
	seq    *uint32 // the last line's; nil where it had none
	line   []byte

	ask   []question
	asked int // the one that awaits its answer
	askAt time.Duration

	understood uint64

	reports []shoe.Report // of this Feed
	out     []byte
}

// sight is when a tag was seen last.
type sight struct {
	id string
	at time.Duration
}

// New is a decoder for the device of that name in the configuration. Its error is all that is wrong with the options, in words for who wrote them.
func New(device string, o Options) (*Decoder, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	d := &Decoder{device: device, tags: NewTags(o.Cards), linger: o.Linger, frames: newFramer(o.Format)}
	if d.linger == 0 {
		d.linger = linger
	}
	d.ask, _ = questions(o.Ask)
	return d, nil
}

// NewShoe says that the shoe was filled afresh: every tag may leave it once. No bytes say so, therefore the caller does.
func (d *Decoder) NewShoe() { d.tags.NewShoe() }

// Feed takes bytes, or in the tick none.
func (d *Decoder) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	d.reports, d.out = nil, nil
	for _, b := range p {
		d.takeAll(now, d.frames.feed(b))
	}
	if len(p) > 0 {
		d.byteAt = now
	} else {
		d.tick(now)
	}
	return d.reports, d.out
}

// Ack does nothing: these readers remember nothing.
func (d *Decoder) Ack(shoe.Source) []byte { return nil }

// Lock does nothing: these readers have no lock.
func (d *Decoder) Lock(bool) []byte { return nil }

// Resume forgets a half-received frame and begins to ask anew. What left the shoe stays known.
func (d *Decoder) Resume(shoe.Source) {
	d.frames.reset()
	d.askAt = 0
}

// Understood counts frames, or lines.
func (d *Decoder) Understood() uint64 { return d.understood }

func (d *Decoder) tick(now time.Duration) {
	if now-d.byteAt >= idle {
		d.takeAll(now, d.frames.flush())
	}
	if d.spoilt != nil && now-d.spoiltAt >= repair {
		d.unknown(d.spoilt)
		d.spoilt = nil
	}
	if len(d.ask) > 0 && now >= d.askAt {
		d.asked = 0
		d.question(now)
	}
}

func (d *Decoder) takeAll(now time.Duration, list []message) {
	for _, m := range list {
		d.take(now, m)
	}
}

func (d *Decoder) take(now time.Duration, m message) {
	if m.word != "spoilt" {
		d.understood++
	}
	if m.seq != nil && !d.count(m) {
		return
	}
	switch m.word {
	case "card":
		d.spoilt = nil
		d.see(now, m)
	case "error":
		d.say(m.raw, shoe.Report{Kind: shoe.Faulted, Code: clean(m.code), Text: "the reader reports an error"})
	case "boot":
		d.boot(m)
	case "spoilt":
		d.spoil(now, m.raw)
	case "answer":
		d.answered(now, m.answer)
	}
}

// see judges a tag on the antenna.
func (d *Decoder) see(now time.Duration, m message) {
	if d.lies(now, m.id) {
		return
	}
	for _, r := range d.tags.Leave(m.id) {
		d.say(m.raw, r)
	}
}

// lies says that a tag was never away, and remembers that it was seen.
func (d *Decoder) lies(now time.Duration, id string) bool {
	oldest := 0
	for i := range d.sights {
		s := &d.sights[i]
		if s.id == id {
			was := s.at
			s.at = now
			return now-was < d.linger
		}
		if s.at < d.sights[oldest].at {
			oldest = i
		}
	}
	if len(d.sights) < manySights {
		d.sights = append(d.sights, sight{id, now})
	} else {
		d.sights[oldest] = sight{id, now}
	}
	return false
}

// spoil notes that a tag was there and its frame is no good. A reader that repeats says it again, one that is asked is asked again.
func (d *Decoder) spoil(now time.Duration, raw []byte) {
	if _, saidOnce := d.frames.(*lines); saidOnce {
		d.unknown(raw)
		return
	}
	if d.spoilt == nil {
		d.spoilt, d.spoiltAt = raw, now
	}
	if len(d.ask) > 0 {
		d.question(now)
	}
}

func (d *Decoder) unknown(raw []byte) {
	d.say(raw, shoe.Report{Kind: shoe.Faulted, Code: "unknown-reading", Text: "a reading that was spoilt on its way"})
}

// boot begins the count anew, and says so where there was one.
func (d *Decoder) boot(m message) {
	if d.heard {
		d.say(m.raw, shoe.Report{Kind: shoe.Booted})
	}
	d.hear(m)
}

// hear takes a line for the last one.
func (d *Decoder) hear(m message) {
	d.heard, d.reader, d.line, d.seq = true, m.reader, m.raw, m.seq
}

// count compares a line's number with the one before. It is false for the last line once more.
func (d *Decoder) count(m message) bool {
	switch {
	case m.word == "boot":
		return true
	case !d.heard:
	case m.reader != d.reader:
		d.say(m.raw, shoe.Report{Kind: shoe.Booted})
	case d.seq == nil || *m.seq == *d.seq+1:
	case *m.seq == *d.seq && bytes.Equal(m.raw, d.line):
		return false
	case *m.seq > *d.seq:
		d.say(m.raw, shoe.Report{Kind: shoe.Gap})
	default:
		d.say(m.raw, shoe.Report{Kind: shoe.Conflict})
	}
	d.hear(m)
	return true
}

// answered goes on to the next question.
func (d *Decoder) answered(now time.Duration, code byte) {
	if len(d.ask) == 0 || d.ask[d.asked].answer != code {
		return
	}
	d.asked = min(d.asked+1, len(d.ask)-1)
	d.question(now)
}

// question asks, up to the first that awaits an answer. The last one does.
func (d *Decoder) question(now time.Duration) {
	for d.ask[d.asked].answer == 0 {
		d.out = append(d.out, d.ask[d.asked].bytes...)
		d.asked++
	}
	d.out = append(d.out, d.ask[d.asked].bytes...)
	d.askAt = now + askAgain
}

func (d *Decoder) say(raw []byte, r shoe.Report) {
	r.Source.Device, r.Raw = d.device, raw
	d.reports = append(d.reports, r)
}

// clean is an error's code without what a name cannot bear.
func clean(code string) string {
	b := []byte(code[:min(len(code), 32)])
	for i, c := range b {
		if c <= ' ' || c > '~' {
			b[i] = '-'
		}
	}
	return string(b)
}
