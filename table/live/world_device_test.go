package live

import (
	"bytes"
	"fmt"
	"regexp"
	"time"

	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/table"
)

// cable is the device a game is played with, a shoe or a wheel that speaks the neutral line, and its cable.
type cable struct {
	device   *line.Device
	epoch    uint32 // the device's
	sent     uint32 // so many things it said in it
	plugged  bool
	back     time.Time // when it is plugged in again
	toHost   []byte
	toDevice []byte
	noise    int // of a hundred sentences so many are disturbed
	dropped  map[string]bool
	rebooted bool // the table did not call it yet
	faulty   bool // a fault stands
}

func newCable(seed uint64) cable {
	epoch := uint32(seed) | 1
	return cable{device: line.NewDevice("virtual", "world", epoch), epoch: epoch, plugged: true, noise: 5, dropped: map[string]bool{}}
}

// says lets the device say something. What goes into a cable that is out the device says again.
func (w *world) says(sentence []byte) {
	w.sent++
	w.toHost = append(w.toHost, sentence...)
}

var sentence = regexp.MustCompile(`\$[^\r\n]*\r\n`)

// wire carries what shoe and program say to each other, and does to it what wires do. Each sentence is lost at most once: one that is lost for good is called a gap.
func (w *world) wire(p *program) bool {
	p.mu.Lock()
	acks, lock := p.acks, p.shown.Locked() || p.halted
	p.acks = nil
	p.mu.Unlock()
	for _, s := range acks {
		w.toDevice = append(w.toDevice, p.decoder.Ack(s)...)
	}
	if p.told == nil || *p.told != lock {
		p.told = &lock
		w.toDevice = append(w.toDevice, p.decoder.Lock(lock)...)
	}
	moved := len(acks)+len(w.toHost)+len(w.toDevice) > 0
	up, down := w.toHost, w.toDevice
	w.toHost, w.toDevice = nil, nil
	if !w.plugged {
		return false
	}
	now := time.Since(w.began)
	if up = w.disturb(up); len(up) > 0 {
		w.hears(p, now, up)
	}
	if down = w.loseAcks(down); len(down) > 0 {
		w.toHost = append(w.toHost, w.device.Feed(now, down)...)
	}
	return moved
}

// hears is the program's driver.
func (w *world) hears(p *program, now time.Duration, bytes []byte) {
	reports, out := p.decoder.Feed(now, bytes)
	w.toDevice = append(w.toDevice, out...)
	for _, r := range reports {
		w.arrives(r)
	}
}

// arrives is a report that goes to the loop.
func (w *world) arrives(r shoe.Report) {
	e, ok := table.FromReport(r)
	if !ok {
		return
	}
	p := w.program
	p.heard = r.Source
	p.live.Device(Input{Event: e, Source: r.Source, Raw: r.Raw, At: time.Now(), Done: func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		w.rebooted = w.rebooted && r.Kind != shoe.Booted
		if r.Source.Seq > 0 || r.Source.Epoch > 0 {
			p.acks = append(p.acks, r.Source)
		}
	}})
}

func (w *world) disturb(p []byte) (out []byte) {
	for _, s := range sentence.FindAll(p, -1) {
		numbered := !bytes.HasPrefix(s, []byte("$SBH"))
		switch n := w.dice.IntN(100); {
		case n >= w.noise:
			out = append(out, s...)
		case n%4 == 0:
			w.count("wire: noise")
			out = append(append(out, "\x00\xff$SBCRD,9,9S*00\r\n"...), s...)
		case n%4 == 1 && numbered && !w.dropped[string(s)]:
			w.count("wire: sentence lost")
			w.dropped[string(s)] = true
		default:
			w.count("wire: sentence twice")
			out = append(append(out, s...), s...)
		}
	}
	return out
}

func (w *world) loseAcks(p []byte) (out []byte) {
	for _, s := range sentence.FindAll(p, -1) {
		if bytes.HasPrefix(s, []byte("$SBACK")) && w.dice.IntN(100) < w.noise {
			w.count("wire: acknowledgement lost")
			continue
		}
		out = append(out, s...)
	}
	return out
}

// tick is time that has passed: for the device, the wire, and who mends what was broken.
func (w *world) tick() {
	now := time.Since(w.began)
	w.toHost = append(w.toHost, w.device.Feed(now, nil)...)
	w.croupier.tick()
	if w.program != nil && w.plugged {
		w.hears(w.program, now, nil)
	}
	if !w.plugged && !w.back.IsZero() && time.Now().After(w.back) {
		w.plug()
	}
	if !w.online.IsZero() && time.Now().After(w.online) {
		w.online = time.Time{}
		w.post.back()
	}
	if !w.room.IsZero() && time.Now().After(w.room) {
		w.room = time.Time{}
		w.tell("somebody makes room on the disk")
		w.roomy = time.Now()
		w.drive.fill(0)
	}
}

// once does what is called by one code, once: or not at all, if the program dies over it.
func (w *world) once(code table.Code, do func()) {
	p := w.program
	w.must(code)
	do()
	w.pump()
	if w.program != p || w.drive.slow() {
		w.perhaps(code)
	}
}

func (w *world) unplug() {
	w.count("device: unplugged")
	w.plugged, w.back = false, time.Now().Add(time.Duration(1+w.dice.IntN(20))*time.Second)
	w.toHost, w.toDevice = nil, nil
	if w.program != nil {
		w.once(table.DeviceLost, func() { w.arrives(shoe.Report{Kind: shoe.Lost, Source: shoe.Source{Device: w.played.device}}) })
	}
}

func (w *world) plug() {
	if w.plugged {
		return
	}
	w.tell("the device is plugged in")
	w.plugged, w.back = true, time.Time{}
	if p := w.program; p != nil {
		p.decoder.Resume(p.live.Resume(w.played.device))
		p.told = nil
		w.arrives(shoe.Report{Kind: shoe.Found, Source: shoe.Source{Device: w.played.device}})
	}
	w.toHost = append(w.toHost, w.device.Hello()...)
}

// reboot is a device that starts afresh, and keeps what was not acknowledged.
func (w *world) reboot() {
	if w.sent == 0 || w.rebooted {
		return
	}
	w.count("device: starts afresh")
	w.epoch, w.sent, w.rebooted = w.dice.Uint32()|1, 0, true
	w.toHost = append(w.toHost, w.device.Reboot(w.epoch)...)
	w.must(table.DeviceRestart)
}

// conflict is a number of the device's that comes again with other content.
func (w *world) conflict() {
	p := w.program
	if !w.plugged || p.heard.Seq == 0 || p.live.Resume(w.played.device) != p.heard {
		return
	}
	w.count("device: a number for two things")
	body := fmt.Sprintf("SBCRD,%d,OTHER", p.heard.Seq)
	sum := byte(0)
	for _, b := range []byte(body) {
		sum ^= b
	}
	w.once(table.SequenceConflict, func() { w.hears(p, time.Since(w.began), fmt.Appendf(nil, "$%s*%02X\r\n", body, sum)) })
}

// fault is one that the device finds in itself, or that is over.
func (w *world) fault() {
	if w.faulty = !w.faulty; !w.faulty {
		w.says(w.device.ClearFault("jam"))
		return
	}
	w.count("device: a fault")
	w.must(table.DeviceFault)
	w.says(w.device.Fault("jam", "something is stuck"))
}
