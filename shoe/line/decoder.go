package line

import (
	"cmp"
	"slices"
	"time"

	"sabot/shoe"
)

// Decoder is the host's side: it reads a device and is a [shoe.Decoder]. Its reports come in the order of their numbers, each
// once.
//
// Invariants: durable ≤ reported; everything up to reported was reported or needed no report; aside is in order and
// all of it beyond reported+1. Timers run only in the tick, so how bytes are cut into pieces makes no difference.
type Decoder struct {
	device  string
	leave   func(tag string) []shoe.Report // what a tag's leaving is; nil where tags are nothing to report
	frame   framer
	resumed bool // the record is there
	known   bool // epoch is that of the device
	greeted bool // and it said so on this connection

	epoch    uint32
	before   []uint32         // epochs that are over, oldest first
	recent   [memory]sentence // what was reported, at its number modulo memory
	reported uint32
	durable  uint32 // up to here it is on disk
	highest  uint32 // the device is known to have counted so far

	aside    []sentence // came before what was missing
	asked    uint32     // what GET was sent for
	deadline time.Duration

	understood uint64
	closed     *bool // what the lock was last told
	askAt      time.Duration
	beatAt     time.Duration
	ackDue     bool
	reports    []shoe.Report // of this Feed
	out        []byte
}

// New is a decoder for the device of that name in the configuration.
func New(device string) *Decoder { return &Decoder{device: device} }

// NewTagged is New for a device that names tags: leave says what there is to report of one that left.
func NewTagged(device string, leave func(tag string) []shoe.Report) *Decoder {
	return &Decoder{device: device, leave: leave}
}

// Feed takes bytes, or in the tick none.
func (d *Decoder) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	d.reports, d.out, d.ackDue = nil, nil, false
	for _, b := range p {
		if s, ok := d.frame.feed(b); ok {
			d.take(now, s)
		}
	}
	if len(p) == 0 {
		d.tick(now)
	}
	if d.ackDue {
		d.out = append(d.out, d.ack()...)
	}
	return d.reports, d.out
}

// Ack tells the device that everything up to s is on disk, unless s is of another epoch than the one it speaks in.
func (d *Decoder) Ack(s shoe.Source) []byte {
	if s.Epoch != d.epoch || s.Seq <= d.durable || s.Seq > d.reported {
		return nil
	}
	d.durable = s.Seq
	d.skipQuiet()
	if !d.greeted {
		return nil
	}
	return d.ack()
}

// Lock closes or opens the mouth.
func (d *Decoder) Lock(closed bool) []byte {
	d.closed = &closed
	return d.lock()
}

// Resume says up to where the record holds this device's reports. What this decoder has reported since is on its way to the
// record and not forgotten.
func (d *Decoder) Resume(s shoe.Source) {
	switch {
	case !d.known && (s.Epoch != unnamed || s.Seq > 0):
		d.begin(s.Epoch, s.Seq)
	case s.Epoch == d.epoch && s.Seq <= d.reported:
		d.durable = max(d.durable, s.Seq)
	}
	d.resumed, d.greeted = true, false
	d.frame = framer{}
	d.forgetMissing()
}

// Understood counts sentences. Our own, echoed by the line, are none.
func (d *Decoder) Understood() uint64 { return d.understood }

func (d *Decoder) ack() []byte { return write("ACK", decimal(d.durable), decimal(d.epoch)) }

func (d *Decoder) lock() []byte {
	if d.closed == nil {
		return nil
	}
	return write("LCK", flag(*d.closed))
}

// begin starts an epoch of which everything up to seq is known.
func (d *Decoder) begin(epoch, seq uint32) {
	if d.known {
		d.before = append(d.before, d.epoch)
		d.before = d.before[max(0, len(d.before)-epochs):]
	}
	d.known, d.epoch, d.reported, d.durable = true, epoch, seq, seq
	d.recent = [memory]sentence{}
	d.forgetMissing()
}

func (d *Decoder) forgetMissing() {
	d.highest, d.aside, d.asked, d.deadline = d.reported, nil, 0, 0
}

func (d *Decoder) take(now time.Duration, s sentence) {
	switch s.word {
	case "HEL":
		d.hello(s)
	case "HRT":
		d.heart(now, s)
	case "ACK", "GET", "LCK", "HST": // our own, echoed by the line
		return
	default:
		d.numbered(now, s)
	}
	d.understood++
}

// hello begins the conversation, and an epoch if it names another one.
func (d *Decoder) hello(s sentence) {
	epoch, oldest, ok := s.hello()
	if !ok {
		return
	}
	if !d.greeted || epoch == d.epoch {
		d.forgetMissing() // what lies aside is about to come again, and before a hello nobody knows of which epoch it is
	}
	switch {
	case !d.known:
		d.begin(epoch, oldest-1)
	case epoch != d.epoch:
		for d.missing() { // what the old epoch still owes will not come
			d.giveUp()
		}
		kind := shoe.Booted
		if slices.Contains(d.before, epoch) {
			kind = shoe.Conflict
		}
		d.begin(epoch, 0)
		d.say(shoe.Report{Kind: kind, Raw: []byte(s.raw)})
	}
	d.greeted, d.ackDue = true, true
	d.out = append(d.out, d.lock()...)
}

// heart compares the device's count with ours.
func (d *Decoder) heart(now time.Duration, s sentence) {
	seq, ok := s.number(0)
	if !ok || !d.greeted {
		return
	}
	if seq < d.reported { // it began again without a new epoch
		d.begin(d.epoch, 0)
		d.say(shoe.Report{Kind: shoe.Conflict, Raw: []byte(s.raw)})
	}
	d.highest = max(d.highest, seq)
	d.settle(now)
	d.ackDue = true
}

func (d *Decoder) numbered(now time.Duration, s sentence) {
	if s.seq == 0 {
		return
	}
	if !d.greeted {
		if len(d.aside) == 0 {
			d.deadline = now + waitHello
		}
		d.layAside(s)
		return
	}
	switch {
	case s.seq <= d.reported:
		d.again(s)
	case s.seq == d.reported+1:
		d.report(s)
	default:
		d.layAside(s)
	}
	d.settle(now)
}

// again judges a number that was reported before.
func (d *Decoder) again(s sentence) {
	if was := d.recent[s.seq%memory]; was.seq == s.seq && !was.same(s) {
		d.say(shoe.Report{Kind: shoe.Conflict, Raw: []byte(s.raw)})
		return
	}
	if s.seq <= d.durable {
		d.ackDue = true
	}
}

// report reports the next sentence, or counts it where there is nothing to report.
func (d *Decoder) report(s sentence) {
	list := d.reportsOf(s)
	s.quiet = len(list) == 0 || list[0].Kind == shoe.Pressed
	d.reported = s.seq
	d.highest = max(d.highest, s.seq)
	d.recent[s.seq%memory] = s
	for _, r := range list {
		r.Raw = []byte(s.raw)
		d.say(r)
	}
	if s.quiet && d.skipQuiet() {
		d.ackDue = true
	}
}

// reportsOf is what a numbered sentence says: mostly one thing, of a foreign tag two.
func (d *Decoder) reportsOf(s sentence) []shoe.Report {
	if s.word == "UID" && d.leave != nil {
		return d.leave(s.field(1))
	}
	if r, ok := s.report(); ok {
		return []shoe.Report{r}
	}
	return nil
}

// Tag is the tag that a sentence names, as a report's Raw has it; ok is false for any other sentence.
func Tag(raw []byte) (tag string, ok bool) {
	s, ok := parse(string(raw))
	return s.field(1), ok && s.word == "UID"
}

// say reports r as of the number reached. A conflict and a gap bear it too, so that the record's last number never runs
// backwards.
func (d *Decoder) say(r shoe.Report) {
	r.Source = shoe.Source{Device: d.device, Epoch: d.epoch, Seq: d.reported}
	d.reports = append(d.reports, r)
}

// skipQuiet counts as on disk what follows there and is not recorded, once there is much of it. It says whether it did.
func (d *Decoder) skipQuiet() bool {
	n := d.durable
	for n < d.reported && d.recent[(n+1)%memory].seq == n+1 && d.recent[(n+1)%memory].quiet {
		n++
	}
	if n-d.durable < manyQuiet {
		return false
	}
	d.durable = n
	return true
}

// layAside keeps a sentence that came too early. When the places are used up before a hello, the device still has it.
func (d *Decoder) layAside(s sentence) {
	i, there := slices.BinarySearchFunc(d.aside, s.seq, func(a sentence, seq uint32) int {
		return cmp.Compare(a.seq, seq)
	})
	switch {
	case there && !d.aside[i].same(s):
		d.say(shoe.Report{Kind: shoe.Conflict, Raw: []byte(s.raw)})
	case !there && len(d.aside) < memory:
		d.aside = slices.Insert(d.aside, i, s)
	}
}

func (d *Decoder) missing() bool { return len(d.aside) > 0 || d.highest > d.reported }

// settle reports what lies aside as far as it joins, and asks once for what is missing then.
func (d *Decoder) settle(now time.Duration) {
	d.join()
	for len(d.aside) == memory {
		d.giveUp()
	}
	if !d.missing() || d.asked == d.reported+1 {
		return
	}
	d.asked, d.deadline = d.reported+1, now+waitGap
	d.out = append(d.out, write("GET", decimal(d.asked))...)
}

func (d *Decoder) join() {
	for len(d.aside) > 0 && d.aside[0].seq <= d.reported+1 {
		next := d.aside[0]
		d.aside = d.aside[1:]
		if next.seq > d.reported {
			d.report(next)
		} else {
			d.again(next)
		}
	}
}

// giveUp reports the first hole as lost and what follows it.
func (d *Decoder) giveUp() {
	d.reported = d.highest
	if len(d.aside) > 0 {
		d.reported = d.aside[0].seq - 1
	}
	d.say(shoe.Report{Kind: shoe.Gap})
	d.join()
}

// tick is when time has passed.
func (d *Decoder) tick(now time.Duration) {
	if !d.greeted && d.resumed && now >= d.askAt {
		d.askAt = now + askHello
		d.out = append(d.out, write("GET", "0")...)
	}
	if now >= d.beatAt {
		d.beatAt = now + hostBeat
		d.out = append(d.out, write("HST", flag(d.resumed))...)
	}
	switch {
	case !d.missing() || now < d.deadline:
	case !d.greeted:
		d.presume(now)
	default:
		d.giveUp()
		d.settle(now)
	}
}

// presume takes what came without a hello for the sentences of a device that knows none.
func (d *Decoder) presume(now time.Duration) {
	waiting := d.aside
	if d.known && d.epoch != unnamed {
		d.say(shoe.Report{Kind: shoe.Gap})
	}
	if !d.known || d.epoch != unnamed {
		d.begin(unnamed, waiting[0].seq-1)
	}
	d.greeted, d.aside = true, waiting
	d.settle(now)
}
