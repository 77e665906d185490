package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sabot/shoe"
	"sabot/table"
)

// emulateFlags are what the command line says of a device that is none.
type emulateFlags struct {
	link, listen string
	options      options
	script       string
	seed         uint64
	decks        int
	every        time.Duration
	faults       faults
	made         string // the enrolment that was not there
}

// options are a protocol's settings, KEY=VALUE each, by the keys of a configuration.
type options []string

func (o *options) String() string { return strings.Join(*o, " ") }

// Set adds one.
func (o *options) Set(v string) error {
	*o = append(*o, v)
	if !strings.Contains(v, "=") {
		return errors.New("write KEY=VALUE")
	}
	return nil
}

// emulate offers a device that is none on a pty or a TCP port, for training and for tests of whoever reads it.
func emulate(e *env, args []string) error {
	var m emulateFlags
	f := e.flags()
	m.define(f)
	rest, err := e.parse(f, args, 1, 1)
	if err != nil {
		return err
	}
	if err := m.check(); err != nil {
		return err
	}
	dev, kind, err := m.model(rest[0])
	if err != nil {
		return err
	}
	words, err := m.words(kind)
	if err != nil {
		return err
	}
	m.faults.rng = rand.New(rand.NewPCG(m.seed, 2))
	v, err := plugIn(e.ctx, m.cable(), dev, m.faults)
	if err != nil {
		return err
	}
	defer v.Unplug()
	defer func() {
		if n := v.injected(); n != (injected{}) {
			fmt.Fprintf(e.stdout, "faults: %v\n", n)
		}
	}()
	fmt.Fprintf(e.stdout, "%s is at %s\n", emulated[kind].what, v.at())
	if m.made != "" {
		fmt.Fprintf(e.stdout, "its tags are made up, and enrolled in %s; write that under shoe: cards: into the configuration\n", m.made)
	}
	defer v.heardOut(e.ctx)
	if m.every > 0 {
		return m.play(e, v, words)
	}
	fmt.Fprintf(e.stdout, "%s; `unplug`, `plug`; end with Ctrl-D\n", emulated[kind].typed)
	return typed(e, v, words)
}

// emulated are the kinds of devices there are, and what can be typed for them.
var emulated = map[string]struct{ what, typed string }{
	"shoe":    {"a virtual shoe", "Enter draws the next card; `9s` draws that one, `??` one it cannot read, `cut` the cut card; `fault CODE`, `clear CODE`"},
	"wheel":   {"a virtual wheel", "Enter spins, and Enter again lets the ball fall; `17` lets it fall there, `no-spin` spoils it; `fault CODE`, `clear CODE`"},
	"buttons": {"a virtual button box", "a button's name presses it: next, hit, stand, double, split, stop, key; `key 1.5s` holds it so long"},
}

func (m *emulateFlags) define(f *flag.FlagSet) {
	f.StringVar(&m.link, "link", filepath.Join(os.TempDir(), "sabot-device"), "the path to offer the port at")
	f.StringVar(&m.listen, "listen", "", "offer it on this TCP address instead, such as 127.0.0.1:4001")
	f.Var(&m.options, "option", "a setting of the protocol, KEY=VALUE as in a configuration; may be given several times")
	f.StringVar(&m.script, "script", "", "a transcript: the cards, cut cards and spins in it are what the device says, one after the other")
	f.Uint64Var(&m.seed, "seed", 1, "shuffles the shoe and throws the faults' dice: the same seed gives the same")
	f.IntVar(&m.decks, "decks", 8, "decks in the shoe, 1 to 8")
	f.DurationVar(&m.every, "every", 0, "go on this often, instead of with each line typed, once somebody has opened the port")
	f.IntVar(&m.faults.Repeat, "repeat", 0, "say each message this many times more")
	f.Float64Var(&m.faults.Misread, "misread", 0, "how often a card is not read, 0 to 1")
	f.Float64Var(&m.faults.Noise, "noise", 0, "how often noise comes before a message, 0 to 1")
	f.Float64Var(&m.faults.Drop, "drop", 0, "how often a message is lost, 0 to 1")
	f.DurationVar(&m.faults.Unplug, "unplug", 0, "pull the cable this often, for 2 s; 0 for never")
}

// check refuses what no device does.
func (m *emulateFlags) check() error {
	f := &m.faults
	for _, often := range []struct {
		flag string
		p    float64
	}{{"misread", f.Misread}, {"noise", f.Noise}, {"drop", f.Drop}} {
		if !(often.p >= 0 && often.p <= 1) {
			return usageError(fmt.Sprintf("emulate: --%s is how often, from 0 to 1, such as 0.02", often.flag))
		}
	}
	switch {
	case m.decks < 1 || m.decks > 8:
		return usageError("emulate: --decks must be from 1 to 8")
	case f.Repeat < 0 || f.Repeat > 100:
		return usageError("emulate: --repeat must be from 0 to 100")
	case f.Unplug != 0 && f.Unplug <= pulled:
		return usageError(fmt.Sprintf("emulate: --unplug must be longer than the %v that the cable is out", pulled))
	}
	return nil
}

// cable is what the device hangs on.
func (m *emulateFlags) cable() cable {
	if m.listen != "" {
		return &tcpCable{address: m.listen}
	}
	return &ptyCable{link: m.link}
}

// model makes the device of a protocol, and says what kind it is.
func (m *emulateFlags) model(name string) (model, string, error) {
	kind, protocol := "shoe", name
	switch name {
	case "buttons":
		kind, protocol = name, "line"
	case "wheel":
		kind, protocol = name, "slingshot"
	}
	section := kind
	if section == "buttons" {
		section = "shoe"
	}
	p, ok := devices[section][protocol]
	if !ok {
		return nil, "", usageError(fmt.Sprintf("emulate: there is no %q to emulate; write %s", name, oneOf(append(sorted(devices["shoe"]), "wheel", "buttons"))))
	}
	d := p.dialect()
	if err := m.set(d); err != nil {
		return nil, "", err
	}
	if tags, ok := d.(*uidDialect); ok {
		made, err := tags.makeUp(m.decks)
		if err != nil {
			return nil, "", fmt.Errorf("emulate: %w", err)
		}
		if made {
			m.made = tags.cards
		}
	}
	dev, err := d.model()
	if err != nil {
		return nil, "", fmt.Errorf("emulate: %s: %w; --option KEY=VALUE sets it", name, err)
	}
	return dev, kind, nil
}

// set gives a dialect the options of the command line, read as a configuration's section.
func (m *emulateFlags) set(d dialect) error {
	text := ""
	for _, o := range m.options {
		k, v, _ := strings.Cut(o, "=")
		text += k + ": " + v + "\n"
	}
	r := newReader("--option")
	if root := r.document(text); root != nil {
		r.section(root, "", d.keys(r, ""))
	}
	if len(r.problems) > 0 {
		return r.problems
	}
	return nil
}

// words are what the device will do, as it would be typed.
func (m *emulateFlags) words(kind string) ([]string, error) {
	if m.script != "" {
		return readScript(m.script)
	}
	var words []string
	switch kind {
	case "shoe":
		for _, c := range shuffled(m.decks, m.seed, 1) {
			words = append(words, c.String())
		}
	case "wheel":
		rng := rand.New(rand.NewPCG(m.seed, 1))
		for range 10_000 {
			words = append(words, "spin", strconv.Itoa(rng.IntN(table.Pockets)))
		}
	}
	return words, nil
}

// readScript are the words for a transcript: what in it is a device's.
func readScript(file string) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var words []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		e, err := table.Parse(strings.TrimSpace(lines.Text()))
		if err != nil {
			continue // a heading, or what is expected of a table
		}
		switch e.Kind {
		case table.Draw:
			words = append(words, e.Card.String())
		case table.Cut:
			words = append(words, "cut")
		case table.Ball:
			words = append(words, "spin")
		case table.Result:
			words = append(words, strconv.Itoa(int(e.N)))
		case table.NoSpin:
			words = append(words, "no-spin")
		}
	}
	if err := lines.Err(); err != nil || len(words) > 0 {
		return words, err
	}
	return nil, fmt.Errorf("emulate: %s has no card and no spin; `sabot replay` reads the same transcripts", file)
}

// shuffled is shoe number n of a seed.
func shuffled(decks int, seed uint64, n uint32) []shoe.Card {
	var cards []shoe.Card
	for range decks {
		cards = append(cards, shoe.Deck()...)
	}
	rand.New(rand.NewPCG(seed, uint64(n))).Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return cards
}

// play does one word after the other, from when somebody reads what they make the device say; a locked mouth is tried again.
func (m *emulateFlags) play(e *env, v *virtual, words []string) error {
	fmt.Fprintf(e.stdout, "it begins %v after somebody has opened its port\n", calm)
	for !v.attended() && pause(e.ctx, time.Second) {
	}
	pause(e.ctx, calm)
	defer pause(e.ctx, calm)
	tick := time.NewTicker(m.every)
	defer tick.Stop()
	for len(words) > 0 {
		select {
		case <-e.ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := act(e, v, words[0]); err == nil {
			words = words[1:]
		} else if !errors.Is(err, errLocked) {
			return err
		}
	}
	return nil
}

// calm is how long nothing is said to a host that has just come, and looks first what the device kept, and to one that heard all, and looks whether there is more.
const calm = 4 * time.Second

// pause waits; false when the context ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// typed does what is typed, until there is no more.
func typed(e *env, v *virtual, words []string) error {
	lines := bufio.NewScanner(e.stdin)
	for e.ctx.Err() == nil && lines.Scan() {
		word := strings.TrimSpace(lines.Text())
		next := word == ""
		if next && len(words) == 0 {
			fmt.Fprintln(e.stdout, "there is no more")
			continue
		}
		if next {
			word = words[0]
		}
		err := act(e, v, word)
		switch {
		case errors.Is(err, errLocked):
			fmt.Fprintln(e.stdout, "locked: nothing leaves the shoe; the table stopped, takes bets or is closed, or no host has spoken for 3 s")
			continue
		case err != nil:
			fmt.Fprintln(e.stdout, err)
			continue
		case next:
			words = words[1:]
		}
		fmt.Fprintln(e.stdout, word)
	}
	return lines.Err()
}

// spinner is a model of a wheel, presser one of a button box.
type (
	spinner interface {
		Spin() []byte
		NoSpin() []byte
		Win(n uint8) []byte
	}
	presser interface {
		Button(name string, down bool) []byte
	}
)

// act does what a word says.
func act(e *env, v *virtual, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "cut":
		return v.Cut()
	case "unplug":
		v.Unplug()
		return nil
	case "plug":
		return v.Plug()
	case "fault":
		v.tell(func() []byte { return v.Fault(rest, "by hand") })
		return nil
	case "clear":
		v.tell(func() []byte { return v.ClearFault(rest) })
		return nil
	}
	if s, ok := v.model.(spinner); ok && spin(v, s, word) {
		return nil
	}
	c, err := shoe.ParseCard(word)
	if err == nil {
		return v.Draw(c)
	}
	if p, ok := v.model.(presser); ok {
		return press(e, v, p, word, rest)
	}
	return err
}

// spin does what a word tells a wheel; false when it tells it nothing.
func spin(v *virtual, s spinner, word string) bool {
	n, err := strconv.ParseUint(word, 10, 8)
	switch {
	case word == "spin":
		v.tell(s.Spin)
	case word == "no-spin":
		v.tell(s.NoSpin)
	case err == nil && n < table.Pockets:
		v.tell(func() []byte { return s.Win(uint8(n)) })
	default:
		return false
	}
	return true
}

// tapped is for how long a finger stays on a button.
const tapped = 80 * time.Millisecond

// press presses a button, and lets it go after a while.
func press(e *env, v *virtual, p presser, name, held string) error {
	d := tapped
	if held != "" {
		var err error
		if d, err = time.ParseDuration(held); err != nil {
			return fmt.Errorf("%q is no time; write 1.5s", held)
		}
	}
	v.tell(func() []byte { return p.Button(name, true) })
	pause(e.ctx, d)
	v.tell(func() []byte { return p.Button(name, false) })
	return nil
}
