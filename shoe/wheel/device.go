package wheel

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

const (
	statusEvery = 500 * time.Millisecond
	pollSpacing = 100 * time.Millisecond
	startTime   = time.Second      // from before the game to place your bets
	showing     = 3                // turns of the rotor that a number is shown for
	pushed      = 280              // tenths of a turn a minute: the rotor as the ball is launched
	slowest     = 120              // and when it is left alone
	slowing     = 40 * time.Second // in which its speed falls to 1/e
)

// Device is the wheel's side: what the electronics do, and a dealer's hand that launches the ball and lets it fall. Its methods return the bytes
// to send, which may be none. It is used by one goroutine.
//
// The maker's guide is not at hand for all of it. A change of state is said at once, beside the status every 500 ms; closing is what "*P 0" and a
// fault named "closed" do, and "*P 1" opens again; "*u 1" ends the wait before a game. "*K", "*S", "*V" and "*F" are taken without an answer.
type Device struct {
	state   uint8
	spin    uint32
	number  uint8
	warn    uint8
	speed   float64 // tenths of a turn a minute
	turning byte
	faults  []string

	frame   framer
	now     time.Duration
	since   time.Duration // when the state began
	saidAt  time.Duration // the last status of its own
	askedAt time.Duration // the last answer to *X
}

// NewDevice is a wheel just switched on.
func NewDevice() *Device {
	return &Device{state: before, number: blank, speed: slowest, askedAt: -pollSpacing}
}

// Boot is the wheel switched on, or plugged in: it forgets its count and its numbers.
func (d *Device) Boot() []byte {
	*d = *NewDevice()
	return d.status()
}

// Spin is a ball launched into the rim, the other way round each time. It must not run already, nor the wheel be closed.
func (d *Device) Spin() []byte {
	if d.state == inRim || d.state == noMoreBets || d.state == closed {
		return nil
	}
	d.speed, d.turning = pushed, d.turning^1
	return d.enter(inRim)
}

// NoMoreBets is the ball about to leave the rim.
func (d *Device) NoMoreBets() []byte {
	if d.state != inRim || d.warn&withRotor != 0 {
		return nil
	}
	return d.enter(noMoreBets)
}

// Win is the ball in a pocket, 0 to 36 or DoubleZero.
func (d *Device) Win(n uint8) []byte {
	if d.state != noMoreBets || n > DoubleZero {
		return nil
	}
	d.number, d.spin = n, d.spin%maxSpin+1
	return append([]byte(writeNumber(n)+"\r\n"), d.enter(winning)...)
}

// NoSpin is a ball that runs with the rotor, for as long as the host does not reset the wheel; or, when no more bets are taken, one that is
// not found.
func (d *Device) NoSpin() []byte {
	switch d.state {
	case inRim:
		d.warn |= withRotor
		return d.status()
	case noMoreBets:
		return d.enter(undetected)
	}
	return nil
}

// Fault is a fault that began: "closed", or a component's number of up to three digits. There are no words for people on this line.
func (d *Device) Fault(code, _ string) []byte {
	line := []byte("*F " + code + "\r\n")
	_, component := readComponent(line[:len(line)-2])
	switch {
	case code == "closed":
		return d.enter(closed)
	case !component || slices.Contains(d.faults, code):
		return nil
	}
	d.faults = append(d.faults, code)
	d.warn |= sensor
	return append(line, d.status()...)
}

// ClearFault is a fault that is over.
func (d *Device) ClearFault(code string) []byte {
	if code == "closed" {
		return d.open()
	}
	d.faults = slices.DeleteFunc(d.faults, func(f string) bool { return f == code })
	if len(d.faults) > 0 || d.warn&sensor == 0 {
		return nil
	}
	d.warn &^= sensor
	return d.status()
}

// Feed takes what the host sent, or nothing; it should be called a few times a second.
func (d *Device) Feed(now time.Duration, p []byte) (out []byte) {
	d.slow(now - d.now)
	d.now = now
	for _, b := range p {
		if line, ok := d.frame.feed(b); ok {
			out = append(out, d.obey(strings.TrimSpace(string(line)))...)
		}
	}
	rest := now - d.since
	switch {
	case d.state == before && rest >= startTime, d.state == undetected && rest >= startTime:
		out = append(out, d.enter(placeBets)...)
	case d.state == winning && rest >= d.turns(showing):
		out = append(out, d.enter(before)...)
	case now-d.saidAt >= statusEvery:
		out = append(out, d.status()...)
	}
	return out
}

// obey is what a command does.
func (d *Device) obey(command string) []byte {
	switch command {
	case "*X":
		if d.now-d.askedAt >= pollSpacing {
			d.askedAt = d.now
			return d.line()
		}
	case "*R":
		if d.warn&withRotor != 0 {
			d.warn &^= withRotor
			return d.enter(placeBets)
		}
	case "*u 1":
		if d.state == before {
			return d.enter(placeBets)
		}
	case "*P 0":
		return d.enter(closed)
	case "*P 1":
		return d.open()
	}
	return nil
}

func (d *Device) open() []byte {
	if d.state != closed {
		return nil
	}
	return d.enter(before)
}

// enter goes to a state and says so.
func (d *Device) enter(state uint8) []byte {
	d.state, d.since = state, d.now
	if state == closed {
		d.warn &^= withRotor
	}
	return d.status()
}

// status is the line the wheel says by itself.
func (d *Device) status() []byte {
	d.saidAt = d.now
	return d.line()
}

func (d *Device) line() []byte {
	return fmt.Appendf(nil, "*X;%d;%03d;%s;%X;%03.0f;%d\r\n", d.state, d.spin, writeNumber(d.number), d.warn, d.speed, d.turning)
}

// slow lets the rotor run by itself for a time.
func (d *Device) slow(t time.Duration) {
	d.speed = max(slowest, d.speed*math.Exp(-t.Seconds()/slowing.Seconds()))
}

// turns is how long the rotor takes for n turns.
func (d *Device) turns(n float64) time.Duration {
	return time.Duration(n * 600 / d.speed * float64(time.Second))
}
