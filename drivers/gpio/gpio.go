// Package gpio is the table's box: contacts that people press, and lamps, buzzer and shoe lock that answer them.
//
// A [Board] has a goroutine for each contact, which makes presses of what its line does, and one for each output, which paints it, and blinks;
// Run's own hands the presses to the table. Whatever the table does, or a disk that hangs does to it, contacts are read on, and
// a contact that halts shows red and closes the lock at once, before the table hears of it.
//
// What a line did is known twice. The kernel notes each edge with its time, so a press is whole even if the program had no processor while it
// lasted; and the level itself is read at least four times a second, which heals what a kernel's full queue of edges forgets. At rest that is four short wakings a
// second for each contact, and one for each output. From an edge until the contact has settled the line is read every 5 ms, and not for each edge: a loose contact makes thousands a second.
// Chips without interrupts are read every 5 ms always.
//
// Lines are the character device's on every machine, by the names that the board gives them ("GPIO17"), whichever chip or
// kernel numbers them how. Periph finds chips, names and aliases. A line belongs to us alone while the board is open. Outputs have their first level before they
// become outputs, and are never read back.
//
// Fail-safe. No power is stop: a lamp that is dark and a lock without current mean that nobody deals. A pause contact is best wired
// normally closed, so that a cut wire is a press. Then a hold cannot be told from a wire that heals after a while; where that matters,
// the contact that resumes should be another one than the loop that pauses.
package gpio

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
)

// Pull is what holds an open contact's line. A contact with a pull down connects to the supply, all others to ground.
type Pull string

// The pulls; none is for a board that has its own resistor, to the supply.
const (
	PullUp   Pull = "up"
	PullDown Pull = "down"
	PullNone Pull = "none"
)

// Sense is a contact's: normally open, or normally closed.
type Sense string

// The senses. What opens a normally closed contact is a press, be it a finger or a pair of pliers.
const (
	NormallyOpen   Sense = "no"
	NormallyClosed Sense = "nc"
)

// Button is one contact.
type Button struct {
	Name string
	Line string // as the board names it, or its number there, or its place on the header, "P1_11"

	Pull     Pull          // "" is PullUp
	Sense    Sense         // "" is NormallyOpen
	Debounce time.Duration // a level counts when it stayed for so long; 0 is 20 ms
	Hold     time.Duration // after which Held is told; 0 is never

	// Latching is a contact that stays as it is left, a key switch or a mushroom: it may be down for ever.
	Latching bool

	// Halts is a contact that stops the deal: what it does outside the loop is at Config.Halt. It is down when in doubt, and so is found down at
	// the start. Its Held, and that of a normally closed contact, comes at the release, within 10 s: until then it may as well be a cut wire.
	Halts bool
}

// The lamps by their names. The lock is an output like them: it has current while the mouth is open.
const (
	Green  = "green"
	Amber  = "amber"
	Red    = "red"
	Blue   = "blue"
	Buzzer = "buzzer"
	Lock   = "lock"
)

var lampNames = []string{Green, Amber, Red, Blue, Buzzer, Lock}

// Lamp is one output.
type Lamp struct {
	Name      string // one of Green … Lock
	Line      string // see Button
	ActiveLow bool   // a low level lights it
}

// Config is what is connected.
type Config struct {
	Buttons []Button
	Lamps   []Lamp

	// Halt is called when a contact that halts goes down, from the goroutine that reads it, after the board's own outputs were stopped and before
	// the press is handed over. It must not block, and several may call it at once. May be nil.
	Halt func()
}

// Press is what happened at a button.
type Press struct {
	Button string
	Kind   Kind
	For    time.Duration // Held, Up, Stuck: how long it was down
	At     time.Time     // with its monotonic reading: a debounce after the contact moved, even if the program could not look then
}

// ErrNone says that the machine has no GPIO.
var ErrNone = errors.New("this machine has no GPIO")

const (
	defaultDebounce = 20 * time.Millisecond
	stuckAfter      = 30 * time.Second
	stuckLoopAfter  = 10 * time.Second // of a contact whose hold is told at the release, too late for a hold
)

// lines is a machine's GPIO. Tests have their own.
type lines interface {
	input(name string, pull Pull) (input, error)   // errUnknown: no line is called so
	output(name string, high bool) (output, error) // errUnknown; the line is high or low before it is an output
	names() []string
}

type input interface {
	// Wait waits for an edge, no longer than the limit, and gives all that came since it was called last, oldest first, and the level now.
	Wait(limit time.Duration) (edges []edge, high bool, err error)
	Close() error
}

// edge is a change of a line's level.
type edge struct {
	high bool // since then
	at   time.Time
}

type output interface {
	Write(high bool) error
	Close() error
}

var errUnknown = errors.New("unknown line")

// Open takes the lines. All outputs are dark and the lock is closed until Run.
//
// The first Open of a program looks for the machine's GPIO, which may close the standard input: call it before anything else opens files. Its
// errors say what to do; on a machine without GPIO it is an ErrNone.
func Open(c Config, log *slog.Logger) (*Board, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	m, err := findMachine(log)
	if err != nil {
		return nil, err
	}
	return open(c, m, log)
}

func open(c Config, m lines, log *slog.Logger) (*Board, error) {
	b := newBoard(c, log)
	var unknown []string
	for _, l := range c.Lamps {
		out, err := m.output(l.Line, l.ActiveLow)
		switch {
		case errors.Is(err, errUnknown):
			unknown = append(unknown, fmt.Sprintf("%s (lamp %s)", l.Line, l.Name))
		case err != nil:
			b.close()
			return nil, fmt.Errorf("gpio: lamp %s: %w", l.Name, err)
		default:
			b.lamps = append(b.lamps, newLamp(l, out))
		}
	}
	for _, d := range c.Buttons {
		in, err := m.input(d.Line, d.Pull)
		switch {
		case errors.Is(err, errUnknown):
			unknown = append(unknown, fmt.Sprintf("%s (button %s)", d.Line, d.Name))
		case err != nil:
			b.close()
			return nil, fmt.Errorf("gpio: button %s: %w", d.Name, err)
		default:
			b.buttons = append(b.buttons, newButton(d, in))
		}
	}
	if unknown != nil {
		b.close()
		return nil, fmt.Errorf("gpio: this machine has no line %s; it has %s", strings.Join(unknown, ", "), strings.Join(m.names(), " "))
	}
	return b, nil
}

// check refuses what makes no sense on any machine.
func (c Config) check() error {
	names, lines := map[string]bool{}, map[string]string{}
	claim := func(what, name, line string) error {
		switch other, taken := lines[line]; {
		case name == "" || line == "":
			return fmt.Errorf("gpio: a %s needs a name and a line, not %q and %q", what, name, line)
		case names[name]:
			return fmt.Errorf("gpio: two are called %s", name)
		case taken:
			return fmt.Errorf("gpio: %s and %s are both on line %s", other, name, line)
		}
		names[name], lines[line] = true, name
		return nil
	}
	for _, b := range c.Buttons {
		if err := errors.Join(claim("button", b.Name, b.Line), b.check()); err != nil {
			return err
		}
	}
	for _, l := range c.Lamps {
		if err := claim("lamp", l.Name, l.Line); err != nil {
			return err
		}
		if !slices.Contains(lampNames, l.Name) {
			return fmt.Errorf("gpio: no lamp is called %s; there are %s", l.Name, strings.Join(lampNames, ", "))
		}
	}
	return nil
}

func (b Button) check() error {
	switch {
	case !slices.Contains([]Pull{"", PullUp, PullDown, PullNone}, b.Pull):
		return fmt.Errorf("gpio: button %s: the pull is up, down or none, not %q", b.Name, b.Pull)
	case !slices.Contains([]Sense{"", NormallyOpen, NormallyClosed}, b.Sense):
		return fmt.Errorf("gpio: button %s: the sense is no or nc, not %q", b.Name, b.Sense)
	case b.Debounce < 0 || b.Debounce > 5*time.Second:
		return fmt.Errorf("gpio: button %s: a debounce of %v; 20 ms is usual, 5 s the most", b.Name, b.Debounce)
	case b.Hold < 0 || b.Hold > 5*time.Second:
		return fmt.Errorf("gpio: button %s: a hold of %v; 1 s is usual, 5 s the most", b.Name, b.Hold)
	}
	return nil
}
