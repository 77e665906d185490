//go:build real

package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/mqtttest"
	"sabot/shoe/line"
	"sabot/table"
	"sabot/table/journal"
)

// byID is the shoe's adapter in the guest, whatever number its port has.
const byID = "/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_shoe-if00-port0"

// usbCable is a USB serial adapter at a guest. While it is pulled, what the device says is lost.
type usbCable struct {
	g *guest

	mu      sync.Mutex
	wire    net.Conn // the adapter's other end
	plugged bool
	torn    chan struct{} // closed when the adapter was pulled in mid-frame, as ordered; nil without that order
}

func (c *usbCable) at() string { return byID }

func (c *usbCable) share(bool) {}

func (c *usbCable) attended() bool { return true }

func (c *usbCable) unheard() bool { return false }

func (c *usbCable) plug(heard func([]byte)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wire == nil {
		c.wire = c.g.dial("shoe")
		go listen(c.wire, heard)
	}
	c.plugged = true
	return c.g.plug("shoe")
}

func (c *usbCable) unplug() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.plugged {
		c.g.pull("shoe") // at the test's end the guest may be gone before
		c.plugged = false
	}
}

// tear pulls the adapter in the middle of the next card's sentence. The channel is closed when that is done.
func (c *usbCable) tear() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.torn = make(chan struct{})
	return c.torn
}

func (c *usbCable) send(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.plugged:
	case c.torn == nil || !bytes.HasPrefix(p, []byte("$SBCRD,")):
		c.wire.Write(p)
	default:
		c.wire.Write(p[:len(p)/2])
		time.Sleep(100 * time.Millisecond) // the half is on its way through the guest
		c.g.pull("shoe")
		c.plugged = false
		close(c.torn)
		c.torn = nil
	}
}

// keeper is a record-keeper at the broker: it keeps every call it hears, and asks for those it missed while the broker was away.
type keeper struct {
	t      *testing.T
	client paho.Client
	mu     sync.Mutex
	calls  map[int64]string // by seq
	last   int64
	missed int  // of calls, what only an answer told
	page   page // the last one
}

// page is an answer to "since".
type page struct {
	ID       string
	Next     int64
	Messages []json.RawMessage
}

func keep(t *testing.T, addr string) *keeper {
	t.Helper()
	k := &keeper{t: t, calls: map[int64]string{}}
	o := paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("keeper").SetOrderMatters(true).SetMaxReconnectInterval(100 * time.Millisecond)
	o.SetOnConnectHandler(func(c paho.Client) {
		c.Subscribe("sabot/"+demoTable+"/call", 1, func(_ paho.Client, m paho.Message) { k.hear(m.Payload()) })
		c.Subscribe("sabot/"+demoTable+"/reply/game", 1, func(_ paho.Client, m paho.Message) {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.page = page{}
			json.Unmarshal(m.Payload(), &k.page)
		})
	})
	k.client = paho.NewClient(o)
	if tk := k.client.Connect(); !tk.WaitTimeout(patience) || tk.Error() != nil {
		t.Fatal(tk.Error())
	}
	t.Cleanup(func() { k.client.Disconnect(50) })
	return k
}

// hear takes a call from its topic, where those heard for the first time come in order.
func (k *keeper) hear(payload []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if seq, first := k.take(payload); first {
		if seq <= k.last {
			k.t.Errorf("call %d came after %d", seq, k.last)
		}
		k.last = seq
	}
}

// take keeps a call. One that is known must be the same again.
func (k *keeper) take(payload []byte) (seq int64, first bool) {
	var m struct{ Seq int64 }
	if err := json.Unmarshal(payload, &m); err != nil {
		k.t.Errorf("no call: %v: %s", err, payload)
	}
	was, again := k.calls[m.Seq]
	if again && was != string(payload) {
		k.t.Errorf("call %d came twice and differs:\n%s\n%s", m.Seq, was, payload)
	}
	k.calls[m.Seq] = string(payload)
	return m.Seq, !again
}

// fill asks for all calls of the record, page by page.
func (k *keeper) fill() {
	k.t.Helper()
	for next, n := int64(0), 0; n == 0 || next > 0; n++ {
		p := k.ask(fmt.Sprint("page-", n), next)
		next = p.Next
		k.mu.Lock()
		for _, m := range p.Messages {
			if _, first := k.take(m); first {
				k.missed++
			}
		}
		k.mu.Unlock()
	}
}

// ask asks for one page, again under the same id where no answer comes.
func (k *keeper) ask(id string, since int64) page {
	k.t.Helper()
	order := fmt.Sprintf(`{"v":1,"id":%q,"do":"since","seq":%d}`, id, since)
	for limit, due := time.Now().Add(patience), time.Now(); time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		if !time.Now().Before(due) {
			k.client.Publish("sabot/"+demoTable+"/command/game", 1, false, order)
			due = time.Now().Add(time.Second)
		}
		k.mu.Lock()
		p := k.page
		k.mu.Unlock()
		if p.ID == id {
			return p
		}
	}
	k.t.Fatalf("no answer to %s", id)
	return page{}
}

// trouble is something that happens to a table once, at the first moment that suits.
type trouble struct {
	when func(table.Layout) bool
	make func()
}

// troubles are what cables and brokers do in the middle of play, one after the other.
func troubles(r *rig, usb *usbCable, kill, revive func()) []trouble {
	round := func(n uint32, due string) func(table.Layout) bool {
		return func(l table.Layout) bool {
			return l.Round >= n && l.Stopped == nil && l.Due != nil && l.Due.Kind == due && l.Phase != table.Burning
		}
	}
	return []trouble{
		{round(1, "card"), func() { // in mid-frame; and then another adapter takes the number of its port
			r.people.err(table.DeviceLost)
			torn := usb.tear()
			go func() {
				<-torn
				err := r.people.until(r.ctx, "the shoe to be lost", func() bool { return r.people.floor.Devices["shoe"] == "lost" })
				if err := errors.Join(err, usb.g.plug("other"), r.shoe.Plug()); err != nil {
					r.t.Error(err)
				}
			}()
		}},
		{round(2, "decision"), func() { // in mid-round, between frames
			if err := r.people.pullCable(r.ctx); err != nil {
				r.t.Error(err)
			}
		}},
		{round(3, "card"), func() { // the broker dies with all it knows, and comes back
			kill()
			time.AfterFunc(time.Second, revive)
		}},
	}
}

// mosquitto runs a broker that keeps nothing. It is killed without warning, at the latest at the test's end.
func mosquitto(t *testing.T, addr string) (kill func()) {
	file := filepath.Join(t.TempDir(), "mosquitto.conf")
	conf := fmt.Sprintf("listener %s 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type error\n", port(addr))
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Error(err)
	}
	c := exec.Command("mosquitto", "-c", file)
	if err := c.Start(); err != nil {
		t.Errorf("mosquitto is needed (package mosquitto): %v", err)
		return func() {}
	}
	kill = func() {
		c.Process.Kill()
		c.Wait()
	}
	t.Cleanup(kill)
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			return kill
		}
	}
	t.Error("mosquitto does not listen")
	return kill
}

// guestRig is a rig whose daemon is to run in a guest: its shoe hangs on the guest's USB port, its record comes when the guest brings it.
func guestRig(t *testing.T, d demoFlags, usb *usbCable, addr string) *rig {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	device := line.NewDevice("virtual", "test", uint32(d.seed)|1)
	v, err := plugIn(ctx, usb, lineModel{device}, faults{})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, ctx: ctx, dir: t.TempDir(), shoe: &virtualShoe{v, device}}
	if r.people, err = d.people(r.shoe, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.people.join(addr); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.people.broker.Disconnect(50)
		r.shoe.Unplug()
	})
	return r
}

// daemon starts `sabot run` in the guest, when its shoe's port is there.
func (g *guest) daemon(config, shoe string) {
	g.t.Helper()
	g.sh("cat > /etc/sabot.yaml <<'END'\n" + config + "END")
	g.sh("until [ -e " + shoe + " ]; do usleep 50000; done; sabot run /etc/sabot.yaml &")
}

// testGuestTable plays at a table whose shoe hangs on a USB adapter and whose broker is another machine, while both fail.
func testGuestTable(t *testing.T, g *guest) {
	d := demoFlags{game: "blackjack", rules: "deluxe", journal: "/tmp/journal", seed: rand.Uint64()}
	t.Logf("seed %d", d.seed)
	addr, usb := mqtttest.FreeAddr(t), &usbCable{g: g}
	kill := mosquitto(t, addr)
	r, k := guestRig(t, d, usb, addr), keep(t, addr)
	g.daemon(d.config("10.0.2.2:"+port(addr), usb.at()), usb.at())
	left := troubles(r, usb, kill, func() { mosquitto(t, addr) })
	r.people.pace = func(time.Duration) {
		if len(left) > 0 && left[0].when(r.people.now()) {
			now := left[0]
			left = left[1:]
			now.make()
		}
	}
	if err := r.people.run(r.ctx, 5); err != nil {
		t.Fatalf("seed %d: %v", d.seed, err)
	}
	if err := r.people.verdict(); err != nil || len(left) > 0 {
		t.Errorf("seed %d: %v; %d troubles never came", d.seed, err, len(left))
	}
	k.fill()
	if port := g.sh("readlink " + usb.at()); !strings.Contains(port, "/ttyUSB1\n") {
		t.Errorf("at last the shoe was at %s", port)
	}
	g.sh("kill $!; wait $!")
	g.bring("/tmp", "journal", r.dir)
	r.sameCards(d.seed)
	k.compare(r.entries())
	t.Logf("%d calls, %d of them asked for after the broker was back; %d cards", len(k.calls), k.missed, r.people.dealt)
}

// compare holds what was heard against the record: every entry's calls, and no other.
func (k *keeper) compare(entries []journal.Entry) {
	k.t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, e := range entries {
		var m struct{ Calls json.RawMessage }
		json.Unmarshal([]byte(k.calls[e.Seq]), &m)
		if !bytes.Equal(m.Calls, e.Calls) {
			k.t.Errorf("entry %d has the calls %s, and heard were %s", e.Seq, e.Calls, m.Calls)
		}
	}
	if len(k.calls) != len(entries) {
		k.t.Errorf("%d calls were heard of %d entries", len(k.calls), len(entries))
	}
}

// bring copies a folder out of the guest.
func (g *guest) bring(parent, name, to string) {
	g.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		g.t.Fatal(err)
	}
	defer l.Close()
	came := make(chan error, 1)
	go func() { came <- receive(l, to) }()
	g.sh(fmt.Sprintf("tar -c -C %s %s | nc 10.0.2.2 %s", parent, name, port(l.Addr().String())))
	if err := <-came; err != nil {
		g.t.Fatalf("%s/%s: %v", parent, name, err)
	}
}

// receive unpacks an archive from who connects.
func receive(l net.Listener, to string) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	for r := tar.NewReader(c); ; {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		file := filepath.Join(to, filepath.Clean("/"+h.Name))
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(file, 0o700)
		} else {
			err = save(file, r)
		}
		if err != nil {
			return err
		}
	}
}

func save(file string, from io.Reader) error {
	content, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}
