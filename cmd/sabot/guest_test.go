//go:build real

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// guest is a small arm64 board in QEMU, with Debian's own kernel: eight GPIO lines under names that boards use, a USB port for a serial
// adapter, and a network in which 10.0.2.2 is this machine. testdata/guest has what it boots; `make parts` brings the rest.
//
// Nothing here asks the program under test what it did: lines are moved and read at the chip, adapters are pulled at the USB port, bytes are
// taken at the adapter's other end.
type guest struct {
	t       *testing.T
	dir     string
	qemu    *exec.Cmd
	ended   chan struct{}
	typed   io.Writer
	console screen
	shells  int

	mu      sync.Mutex // guards what follows
	monitor *json.Encoder
	answers *json.Decoder
	qtest   *bufio.ReadWriter
	chip    string // the GPIO chip's path in QEMU
}

// boardLines are the lines of the guest's GPIO chip by number, named as on a Raspberry Pi.
var boardLines = []string{"GPIO4", "GPIO22", "GPIO27", "GPIO23", "GPIO17", "GPIO5", "GPIO6", "GPIO13"}

// screen is what a guest said.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (c *screen) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text.Write(bytes.ReplaceAll(p, []byte("\r"), nil))
	return len(p), nil
}

// since is what was said from a place on.
func (c *screen) since(from int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()[from:]
}

// cached is where `make parts` put the guest's kernel and archive.
func cached(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "sabot", "guest", name)
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("the guest's parts are missing, run make parts: %v", err)
	}
	return file
}

// command runs a program of this machine to its end.
func command(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", c, err, out)
	}
}

// forArm builds a program of ours for the guest.
func forArm(t *testing.T, dir string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	c := exec.Command("go", "build", "-pgo=off", "-trimpath", "-ldflags=-s -w", "-o", file, dir)
	c.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	command(t, c)
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// archive packs executable files as the kernel unpacks them at its start: cpio in the portable format with hexadecimal numbers.
func archive(files map[string][]byte) []byte {
	var b bytes.Buffer
	add := func(name string, mode int, content []byte) {
		pad := func() { b.Write(make([]byte, -b.Len()&3)) }
		head := []any{0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0}
		fmt.Fprintf(&b, "070701"+strings.Repeat("%08x", len(head)), head...)
		b.WriteString(name + "\x00")
		pad()
		b.Write(content)
		pad()
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		add(name, 0o100755, files[name])
	}
	add("TRAILER!!!", 0, nil)
	return b.Bytes()
}

// boot starts a guest with some files of its own.
func boot(t *testing.T, files map[string][]byte) *guest {
	t.Helper()
	g := newGuest(t, files)
	g.start("ttyAMA0", append(g.board(), "-serial", "chardev:console",
		"-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile=", "-device", "qemu-xhci,id=usb", "-chardev", "null,id=other"))
	for _, line := range boardLines {
		g.set(line, 1)
	}
	return g
}

// newGuest packs what a guest boots.
func newGuest(t *testing.T, files map[string][]byte) *guest {
	t.Helper()
	g := &guest{t: t, dir: t.TempDir(), ended: make(chan struct{})}
	for name, at := range map[string]string{"init": "init", "by-id": "bin/by-id", "mdev.conf": "etc/mdev.conf"} {
		content, err := os.ReadFile(filepath.Join("testdata", "guest", name))
		if err != nil {
			t.Fatal(err)
		}
		files[at] = content
	}
	base, err := os.ReadFile(cached(t, "base.cpio.gz"))
	if err != nil {
		t.Fatal(err)
	}
	base = append(base, make([]byte, -len(base)&3)...) // the kernel wants the next archive aligned
	if err := os.WriteFile(g.path("initrd"), append(base, archive(files)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *guest) path(name string) string { return filepath.Join(g.dir, name) }

// board is the machine. QEMU writes its device tree, in which its GPIO lines get their names and the power button leaves them.
func (g *guest) board() []string {
	tree, machine := g.path("dtb"), []string{"-cpu", "cortex-a53", "-smp", "2", "-m", "512", "-nodefaults"}
	command(g.t, exec.Command("qemu-system-aarch64", append([]string{"-M", "virt,dumpdtb=" + tree}, machine...)...))
	command(g.t, exec.Command("fdtput", append([]string{"-t", "s", tree, "/pl061@9030000", "gpio-line-names"}, boardLines...)...))
	command(g.t, exec.Command("fdtput", "-r", tree, "/gpio-keys"))
	return append([]string{"-M", "virt", "-accel", "tcg,thread=multi", "-dtb", tree}, machine...)
}

// start runs a machine in QEMU until the test ends, and waits until it takes commands.
func (g *guest) start(console string, machine []string) {
	g.t.Helper()
	g.qemu = exec.Command("qemu-system-aarch64", append(machine, "-no-reboot", "-display", "none",
		"-chardev", "stdio,id=console,signal=off", "-chardev", "socket,id=shoe,path="+g.path("shoe")+",server=on,wait=off",
		"-qmp", "unix:"+g.path("qmp")+",server=on,wait=off", "-qtest", "unix:"+g.path("qtest")+",server=on,wait=off", "-qtest-log", "none",
		"-kernel", cached(g.t, "Image"), "-initrd", g.path("initrd"), "-append", "quiet loglevel=3 panic=-1 console="+console)...)
	g.qemu.Stdout, g.qemu.Stderr = &g.console, &g.console
	var err error
	if g.typed, err = g.qemu.StdinPipe(); err != nil {
		g.t.Fatal(err)
	}
	if err := g.qemu.Start(); err != nil {
		g.t.Fatalf("qemu-system-aarch64 is needed (package qemu-system-arm): %v", err)
	}
	go func() {
		g.qemu.Wait()
		close(g.ended)
	}()
	t := g.t
	t.Cleanup(func() {
		g.qemu.Process.Kill()
		<-g.ended
		if t.Failed() {
			t.Logf("QEMU ended: %v; the guest's console:\n%s", g.qemu.ProcessState, g.console.since(0))
		}
	})
	g.connect()
	g.wait("the guest to start", 0, `guest up: .*\n`)
}

// connect opens the ways into QEMU: the monitor, and the test port that moves lines.
func (g *guest) connect() {
	g.t.Helper()
	monitor := g.dial("qmp")
	g.monitor, g.answers = json.NewEncoder(monitor), json.NewDecoder(monitor)
	var greeting any
	if err := g.answers.Decode(&greeting); err != nil {
		g.t.Fatal(err)
	}
	_, err := g.ask("qmp_capabilities", nil)
	list, failed := g.ask("qom-list", map[string]any{"path": "/machine/unattached"})
	var parts []struct{ Name, Type string }
	if err := errors.Join(err, failed, json.Unmarshal(list, &parts)); err != nil {
		g.t.Fatal(err)
	}
	for _, p := range parts {
		if p.Type == "child<pl061>" {
			g.chip = "/machine/unattached/" + p.Name
		}
	}
	qtest := g.dial("qtest")
	g.qtest = bufio.NewReadWriter(bufio.NewReader(qtest), bufio.NewWriter(qtest))
}

// dial connects to a socket that QEMU is about to offer.
func (g *guest) dial(name string) (c net.Conn) {
	g.t.Helper()
	err := fmt.Errorf("not tried")
	for limit := time.Now().Add(patience); err != nil && time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		c, err = net.Dial("unix", g.path(name))
	}
	if err != nil {
		g.t.Fatalf("%v\n%s", err, g.console.since(0))
	}
	g.t.Cleanup(func() { c.Close() })
	return c
}

// ask has QEMU's monitor do something, and gives its answer.
func (g *guest) ask(do string, arguments map[string]any) (json.RawMessage, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	order := map[string]any{"execute": do}
	if arguments != nil {
		order["arguments"] = arguments
	}
	if err := g.monitor.Encode(order); err != nil {
		return nil, err
	}
	for {
		var a struct {
			Return json.RawMessage
			Error  *struct{ Desc string }
		}
		err := g.answers.Decode(&a)
		switch {
		case err != nil:
			return nil, err
		case a.Error != nil:
			return nil, fmt.Errorf("%s: %s", do, a.Error.Desc)
		case a.Return != nil: // all else is an event
			return a.Return, nil
		}
	}
}

// poke says a line to QEMU's test port and gives its answer.
func (g *guest) poke(format string, args ...any) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	fmt.Fprintf(g.qtest, format+"\n", args...)
	g.qtest.Flush()
	answer, err := g.qtest.ReadString('\n')
	value, ok := strings.CutPrefix(answer, "OK")
	if !ok {
		g.t.Errorf("qtest: %q: %q, %v", fmt.Sprintf(format, args...), answer, err)
	}
	return strings.TrimSpace(value)
}

// set moves a line from outside.
func (g *guest) set(line string, level int) {
	g.poke("set_irq_in %s unnamed-gpio-in %d %d", g.chip, slices.Index(boardLines, line), level)
}

// plug plugs in a serial adapter: the shoe's, or another one. One that was just pulled is not free at once.
func (g *guest) plug(name string) error {
	adapter := map[string]any{"driver": "usb-serial", "id": name, "chardev": name, "bus": "usb.0", "serial": name, "always-plugged": true}
	for limit := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		_, err := g.ask("device_add", adapter)
		if err == nil || !strings.Contains(err.Error(), "in use") || time.Now().After(limit) {
			return err
		}
	}
}

// pull pulls an adapter out.
func (g *guest) pull(name string) error {
	_, err := g.ask("device_del", map[string]any{"id": name})
	return err
}

// said is how much the console has said.
func (g *guest) said() int { return len(g.console.since(0)) }

// wait waits until what the console said from a place on matches a pattern, and gives the pattern's parts.
func (g *guest) wait(what string, from int, pattern string) []string {
	g.t.Helper()
	re := regexp.MustCompile("(?s)" + pattern)
	for limit := time.Now().Add(3 * patience); time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		if parts := re.FindStringSubmatch(g.console.since(from)); parts != nil {
			return parts
		}
		select {
		case <-g.ended:
			g.t.Fatalf("the guest died before %s", what)
		default:
		}
	}
	g.t.Fatalf("waited in vain for %s", what)
	return nil
}

// sh runs a command in the guest, which must succeed, and gives what the console said meanwhile.
func (g *guest) sh(command string) string {
	g.t.Helper()
	g.shells++
	from := g.said()
	fmt.Fprintf(g.typed, "%s\necho @%d:$?\n", command, g.shells)
	parts := g.wait(command, from, fmt.Sprintf(`^(.*)@%d:(\d+)\n`, g.shells))
	if parts[2] != "0" {
		g.t.Fatalf("in the guest, exit %s: %s\n%s", parts[2], command, parts[1])
	}
	return parts[1]
}

// TestGuest runs Sabot on another machine, whose kernel, ports and lines are real ones. It boots once: that is what takes the time.
func TestGuest(t *testing.T) {
	t.Parallel()
	g := boot(t, map[string][]byte{"bin/sabot": forArm(t, "."), "bin/box": forArm(t, "./testdata/guest/box")})
	if out := g.sh("sabot version"); !strings.Contains(out, "linux/arm64") {
		t.Errorf("on the guest, sabot version says %s", out)
	}
	for _, part := range []struct { // lamps come last: a line that was an output cannot be moved from outside until it is an input again
		name string
		test func(*testing.T, *guest)
	}{{"table", testGuestTable}, {"buttons", testGuestButtons}, {"taken", testGuestTaken}, {"box", testGuestBox}, {"lamps", testGuestLamps}} {
		t.Run(part.name, func(t *testing.T) {
			g.t = t
			part.test(t, g)
		})
	}
}
