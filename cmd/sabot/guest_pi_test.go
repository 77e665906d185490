//go:build real

package main

import (
	"net"
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"sabot/drivers/gpio"
	"sabot/shoe/line"
)

// pl011 is the wire at a Raspberry Pi's own serial port, which nobody pulls.
type pl011 struct {
	g    *guest
	wire net.Conn
}

func (c *pl011) at() string { return "/dev/ttyAMA0" }

func (c *pl011) plug(heard func([]byte)) error {
	c.wire = c.g.dial("shoe")
	go listen(c.wire, heard)
	return nil
}

func (c *pl011) unplug() {}

func (c *pl011) share(bool) {}

func (c *pl011) attended() bool { return true }

func (c *pl011) unheard() bool { return false }

func (c *pl011) send(p []byte) { c.wire.Write(p) }

// piConfig is a table on a Pi without a network.
const piConfig = `table: DEMO
game: blackjack
rules: deluxe
journal: /tmp/journal
shoe: {protocol: line, port: /dev/ttyAMA0}
mqtt: {embedded: {listen: "127.0.0.1:1883"}}
`

// TestPi runs Sabot on a Raspberry Pi 3 as QEMU has it: a lamp on the board's own chip, by the name that the board's maker gives the line and the
// kernel does not (SDA1), and the shoe at the board's own serial port. QEMU's model of that chip has no inputs from outside.
func TestPi(t *testing.T) {
	g := newGuest(t, map[string][]byte{"bin/sabot": forArm(t, "."), "bin/box": forArm(t, "./testdata/guest/box")})
	tree := g.path("dtb")
	command(t, exec.Command("cp", cached(t, "raspi3b.dtb"), tree))
	command(t, exec.Command("fdtput", "-r", tree, "/soc/serial@7e201000/bluetooth")) // as dtoverlay=disable-bt does, which leaves the port to us
	g.start("ttyS1", []string{"-M", "raspi3b", "-accel", "tcg,thread=single", "-dtb", tree, "-serial", "chardev:shoe", "-serial", "chardev:console"})
	lit := func() bool { return g.register(0x3f200034)>>2&1 == 1 } // in the chip's level register
	b := guestBox{Lamps: []gpio.Lamp{{Name: gpio.Green, Line: "GPIO2"}}, Shows: []gpio.Lights{{Green: gpio.On}, {}}}
	b.start(g)
	g.until("the lamp to be lit", lit)
	g.sh("kill -USR1 $!")
	g.until("the lamp to be dark", func() bool { return !lit() })
	b.stop(g)

	device := line.NewDevice("virtual", "test", 7)
	v, err := plugIn(t.Context(), &pl011{g: g}, lineModel{device}, faults{})
	if err != nil {
		t.Fatal(err)
	}
	g.daemon(piConfig, "/dev/ttyAMA0")
	var drawn, recorded []string
	for _, c := range shuffled(1, 1, 1) {
		v.tell(func() []byte { return device.Draw(c) }) // the table is closed: cards are recorded, and no more
		drawn = append(drawn, c.String())
	}
	g.until("all cards to be recorded", func() bool {
		said := g.sh(`sed -n 's/.*"event":"draw \([^ "]*\).*/\1/p' /tmp/journal/*.journal 2>/dev/null || true`)
		recorded = regexp.MustCompile(`(?m)^..$`).FindAllString(said, -1) // the program's log stands between them
		return len(recorded) >= len(drawn)
	})
	if !slices.Equal(drawn, recorded) {
		t.Errorf("drawn were %v, and recorded %v", drawn, recorded)
	}
	g.sh("kill $!; wait $!")
}
