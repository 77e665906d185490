//go:build real

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sabot/drivers/gpio"
	"sabot/mqtt/mqtttest"
	"sabot/shoe"
	"sabot/table"
)

// In earnest: -args -presses 1000
var guestPresses = flag.Int("presses", 60, "how often the buttons of the guest are pressed")

// settles is for how long the contacts of these tests must be quiet. It is long, so that a bounce is one although this machine stood still for a moment.
const settles = 100 * time.Millisecond

// guestBox is what testdata/guest/box is told.
type guestBox struct {
	Buttons []gpio.Button
	Lamps   []gpio.Lamp
	Shows   []gpio.Lights
	Hangs   string
}

// start runs a box in the guest until stop, and says where its words begin on the console.
func (b guestBox) start(g *guest) (from int) {
	g.t.Helper()
	told, err := json.Marshal(b)
	if err != nil {
		g.t.Fatal(err)
	}
	from = g.said()
	g.sh(fmt.Sprintf("box '%s' &", told))
	g.wait("the box to open its lines", from, "box: ready\n")
	return from
}

func (b guestBox) stop(g *guest) { g.sh("kill $!; wait $!") }

// register is a register of the guest's hardware, read from outside.
func (g *guest) register(address uint64) uint64 {
	v, err := strconv.ParseUint(strings.TrimPrefix(g.poke("readl %#x", address), "0x"), 16, 64)
	if err != nil {
		g.t.Errorf("register %#x: %v", address, err)
	}
	return v
}

// levels are the lines as they are at the chip, in its data register. Bit n is line n.
func (g *guest) levels() uint64 { return g.register(0x90303fc) }

// until waits for something to become true.
func (g *guest) until(what string, true func() bool) {
	g.t.Helper()
	for limit := time.Now().Add(patience); !true(); {
		if time.Now().After(limit) {
			g.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// shows waits until those of the outputs are high that should be, and no other.
func (g *guest) shows(outputs, high uint64) {
	g.t.Helper()
	g.until(fmt.Sprintf("of the outputs %08b only %08b to be high", outputs, high), func() bool { return g.levels()&outputs == high })
}

// bounce moves contacts as fingers do, several at once: each goes to and fro a few times before it stays. It says how long it lasted.
func (g *guest) bounce(rng *rand.Rand, lines []string, level int) time.Duration {
	begin := time.Now()
	for _, line := range lines {
		g.set(line, level)
	}
	for range 2 * len(lines) {
		line := lines[rng.IntN(len(lines))]
		time.Sleep(time.Duration(rng.IntN(1500)) * time.Microsecond)
		g.set(line, 1-level)
		time.Sleep(time.Duration(rng.IntN(1500)) * time.Microsecond)
		g.set(line, level)
	}
	return time.Since(begin)
}

// presses are the words a box said about each button since a place on the console.
func (g *guest) presses(from int) map[string]string {
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`box: (\w+) (\w+)\n`).FindAllStringSubmatch(g.console.since(from), -1) {
		all[m[1]] += m[2] + " "
	}
	return all
}

// all waits until a box has said so many words about each button.
func (g *guest) all(from int, buttons []gpio.Button, words int) bool {
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		said := g.presses(from)
		if !slices.ContainsFunc(buttons, func(b gpio.Button) bool { return strings.Count(said[b.Name], " ") < words }) {
			return true
		}
	}
	return false
}

// awake waits until a box watches its buttons: one that it finds down at its start is not a press.
func (g *guest) awake(from int, buttons []gpio.Button) {
	for limit := time.Now().Add(patience); len(g.presses(from)) < len(buttons) && time.Now().Before(limit); {
		for level := range 2 {
			for _, b := range buttons {
				g.set(b.Line, level)
			}
			time.Sleep(2 * settles)
		}
	}
}

// testGuestButtons presses six buttons, and cuts the pause loop, from outside the machine.
func testGuestButtons(t *testing.T, g *guest) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	const lock, cuts = 1 << 7, 50
	b := guestBox{
		Lamps: []gpio.Lamp{{Name: gpio.Lock, Line: "GPIO13"}},
		Shows: slices.Repeat([]gpio.Lights{{Open: true}}, 1+cuts),
		Hangs: "stop",
	}
	var lines []string
	for i, name := range []string{"next", "hit", "stand", "double", "split"} {
		b.Buttons = append(b.Buttons, gpio.Button{Name: name, Line: boardLines[i], Debounce: settles})
		lines = append(lines, boardLines[i])
	}
	fingers := b.Buttons
	b.Buttons = append(b.Buttons, gpio.Button{Name: "stop", Line: "GPIO5"}, gpio.Button{Name: "pause", Line: "GPIO6", Sense: gpio.NormallyClosed, Halts: true})
	g.set("GPIO6", 0) // the loop is whole
	g.awake(b.start(g), fingers)
	g.shows(lock, lock)

	presses := 0
	for presses < *guestPresses {
		from := g.said()
		long := g.bounce(rng, lines, 0)
		heard := g.all(from, fingers, 1)
		long = max(long, g.bounce(rng, lines, 1))
		heard = heard && g.all(from, fingers, 2)
		time.Sleep(settles)
		if long >= settles { // this machine stood still: that may have been a press of its own
			continue
		}
		said := g.presses(from)
		for _, f := range fingers {
			if !heard || said[f.Name] != "down up " {
				t.Fatalf("seed %d, after %d presses: a press of %s gave %q; levels are %08b", seed, presses, f.Name, said[f.Name], g.levels())
			}
			presses++
		}
	}

	t.Logf("%d presses with bounce, each heard once", presses)

	var after []time.Duration
	for range cuts {
		from := g.said()
		after = append(after, g.cut(lock))
		g.set("GPIO6", 0)
		g.wait("the loop to be whole", from, "box: pause up\n")
		g.sh("kill -USR1 $!")
		g.shows(lock, lock)
	}
	t.Logf("the pause loop cut %d times: the lock closed after %v in the median, p99 %v; 20 ms of it are the contact's debounce", cuts, quantile(after, 0.5), quantile(after, 0.99))

	from := g.said()
	g.set("GPIO5", 0)
	g.wait("the table to hang", from, "box: stop down\n")
	t.Logf("with a table that hangs: after %v", g.cut(lock))
	g.wait("the halt", from, "box: halt\n")
	b.stop(g)
}

// cut cuts the pause loop, and says how long it took until an output was low.
func (g *guest) cut(output uint64) time.Duration {
	g.t.Helper()
	begin := time.Now()
	g.set("GPIO6", 1)
	g.shows(output, 0)
	return time.Since(begin).Round(10 * time.Microsecond)
}

// boxConfig is a table whose box hangs on the guest's lines: seven contacts, the key's loop closed, and the red lamp.
const boxConfig = `table: DEMO
game: blackjack
rules: {preset: deluxe, burn: none}
journal: /tmp/box
shoe: {protocol: line, port: %s}
box:
  buttons:
    next: {line: GPIO4, debounce: 100ms}
    hit: {line: GPIO22, debounce: 100ms}
    stand: {line: GPIO27, debounce: 100ms}
    double: {line: GPIO23, debounce: 100ms}
    split: {line: P1_11, debounce: 100ms} # GPIO17
    stop: {line: GPIO5, debounce: 100ms}
    key: {line: GPIO6, debounce: 100ms}
  lamps: {red: GPIO13}
procedure: {decisions: buttons, hit: implied, peek: button, reveal: button}
mqtt: {broker: "tcp://10.0.2.2:%s"}
`

// boxedGuest is such a table, seen from outside the machine: by contacts that are moved, cards that are drawn, and what the broker tells.
type boxedGuest struct {
	*rig
	g   *guest
	rng *rand.Rand
}

// sitAtGuest starts such a table.
func sitAtGuest(t *testing.T, g *guest) *boxedGuest {
	t.Helper()
	addr, usb := mqtttest.FreeAddr(t), &usbCable{g: g}
	mosquitto(t, addr)
	for _, line := range boardLines {
		g.set(line, 1)
	}
	g.set("GPIO6", 0)
	d := &boxedGuest{guestRig(t, demoFlags{game: "blackjack", rules: "deluxe"}, usb, addr), g, rand.New(rand.NewPCG(1, 1))}
	g.daemon(fmt.Sprintf(boxConfig, usb.at(), port(addr)), usb.at())
	return d
}

// until waits for the table to come to something, as the people hear of it.
func (d *boxedGuest) until(what string, true func(*studio) bool) {
	d.t.Helper()
	p := d.people
	if err := p.until(d.ctx, what, func() bool { return p.layout.V == 1 && p.floor.V == 1 && true(p) }); err != nil {
		d.t.Fatalf("%v: %+v, due %+v, stops %+v", err, p.layout, p.layout.Due, p.floor.Stops)
	}
}

func (d *boxedGuest) phase(now table.Phase) {
	d.t.Helper()
	d.until(now.String(), func(p *studio) bool { return p.layout.Phase == now && p.layout.Stopped == nil })
}

func (d *boxedGuest) due(k table.DueKind) {
	d.t.Helper()
	d.until(k.String(), func(p *studio) bool {
		return p.layout.Stopped == nil && p.layout.Due != nil && p.layout.Due.Kind == k.String()
	})
}

// push presses a contact to ground for a while; the key's loop it opens.
func (d *boxedGuest) push(line string, presses time.Duration) {
	level := 0
	if line == "GPIO6" {
		level = 1
	}
	d.g.bounce(d.rng, []string{line}, level)
	time.Sleep(presses)
	d.g.bounce(d.rng, []string{line}, 1-level)
	time.Sleep(2 * settles)
}

// chord presses NEXT while the key is down.
func (d *boxedGuest) chord() {
	d.g.set("GPIO6", 1)
	time.Sleep(2 * settles)
	d.push("GPIO4", 2*settles)
	d.g.set("GPIO6", 0)
}

func (d *boxedGuest) draw(cards ...string) {
	d.t.Helper()
	for _, text := range cards {
		c, err := shoe.ParseCard(text)
		if err == nil {
			err = d.people.draw(d.ctx, c)
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
}

// testGuestBox plays a round with nothing but the shoe at the USB port and the contacts on the lines, from the closed table to the result, with a stop by the
// dealer and a key whose wire is cut. The red lamp is read at the chip.
func testGuestBox(t *testing.T, g *guest) {
	const next, yes, stand, stop, key, short, long = "GPIO4", "GPIO22", "GPIO27", "GPIO5", "GPIO6", 2 * settles, 12 * settles
	const red = 1 << 7
	d := sitAtGuest(t, g)
	d.phase(table.Closed)
	g.shows(red, 0)
	d.chord() // the table opens
	d.phase(table.ShoeChange)
	d.chord() // a shoe is put into play
	d.due(table.DueOpen)
	d.push(next, short)
	d.due(table.DueClose)
	d.push(yes, short) // seat 1 plays
	d.push(next, short)
	d.due(table.DueCard)
	d.draw("5s", "9c", "6d", "Th", "3h") // the last one is an implied hit
	d.due(table.DueDecision)
	d.push(stop, short)
	d.until("the dealer's stop", func(p *studio) bool { return len(p.floor.Stops) == 1 && p.layout.Stopped != nil })
	g.shows(red, red)
	d.push(key, long) // releases
	d.due(table.DueDecision)
	g.shows(red, 0)
	g.set(key, 1) // its wire is cut
	d.until("the pause", func(p *studio) bool { return p.floor.Paused && len(p.floor.Stops) == 0 })
	for range 2 { // it blinks
		g.shows(red, red)
		g.shows(red, 0)
	}
	g.set(key, 0)
	time.Sleep(short)
	d.push(key, long) // resumes
	d.due(table.DueDecision)
	d.push(stand, short)
	d.due(table.DueReveal)
	d.push(next, short)
	d.phase(table.Results)
	d.until("nothing that holds the table", func(p *studio) bool { return len(p.floor.Stops) == 0 && !p.floor.Paused })
	g.sh("kill $!; wait $!")
	g.shows(red, red) // what is left behind
}

// takenConfig is a table of a name whose box has two of the guest's lines.
const takenConfig = `table: %s
game: blackjack
rules: deluxe
journal: /tmp/%[1]s
shoe: {protocol: line, port: /dev/ttyUSB0}
box: {buttons: {next: GPIO4, stop: GPIO5}}
mqtt: {embedded: {listen: "127.0.0.1:1883"}}
`

// testGuestTaken starts a table while another program has one of its lines: it says who, and so does the doctor; when the line is free it runs. Then another table wants the same lines.
func testGuestTaken(t *testing.T, g *guest) {
	says := func(out string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("not said: %s\n%s", w, out)
			}
		}
	}
	for _, name := range []string{"T-1", "T-2"} {
		g.sh(fmt.Sprintf("cat > /etc/"+name+".yaml <<'END'\n"+takenConfig+"END", name))
	}
	other := guestBox{Buttons: []gpio.Button{{Name: "hold", Line: "GPIO5"}}}
	other.start(g)
	says(g.sh("sabot run /etc/T-1.yaml; echo exit $?; sabot doctor /etc/T-1.yaml; true"),
		`gpio: button stop: line GPIO5 is taken by "box@`, "exit 1", "good  box            next on GPIO4", "bad   box            stop: GPIO5 is taken by box@", "-> end that program, or write another line")
	other.stop(g)
	from := g.said()
	g.sh("sabot run /etc/T-1.yaml &")
	g.wait("the table to run", from, "msg=ready table=T-1")
	says(g.sh("sabot doctor /etc/T-1.yaml; sabot doctor /etc/T-2.yaml; true"), "good  box            stop on GPIO5", "bad   box            stop: GPIO5 is taken by another sabot, process ")
	g.sh("kill $!; wait $!")
}

// testGuestLamps lights every output and reads it at the chip; ends the program, and reads them again.
func testGuestLamps(t *testing.T, g *guest) {
	b := guestBox{Lamps: []gpio.Lamp{
		{Name: gpio.Green, Line: "GPIO4"}, {Name: gpio.Amber, Line: "GPIO22", ActiveLow: true}, {Name: gpio.Red, Line: "GPIO27"},
		{Name: gpio.Blue, Line: "GPIO23"}, {Name: gpio.Buzzer, Line: "GPIO17"}, {Name: gpio.Lock, Line: "GPIO5"},
	}}
	const green, amber, red, blue, buzzer, lock, all = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1<<6 - 1
	steady := []struct {
		lights gpio.Lights
		high   uint64
	}{
		{gpio.Lights{Green: gpio.On, Open: true}, green | amber | lock}, // the amber lamp is dark while its line is high
		{gpio.Lights{Amber: gpio.On}, 0},
		{gpio.Lights{Blue: gpio.On, Buzzer: gpio.On}, blue | buzzer | amber},
		{gpio.Lights{}, amber},
	}
	for _, s := range steady {
		b.Shows = append(b.Shows, s.lights)
	}
	b.Shows = append(b.Shows, gpio.Lights{Red: gpio.FastBlink})
	b.start(g)
	for _, s := range steady {
		g.shows(all, s.high)
		g.sh("kill -USR1 $!")
	}
	for range 3 {
		g.shows(all, amber|red)
		g.shows(all, amber)
	}
	b.stop(g)
	g.shows(all, amber|red)
}
