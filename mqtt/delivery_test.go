package mqtt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"sabot/mqtt/mqtttest"
	"sabot/table"
)

func TestEveryEntryIsCalledOnceInOrder(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	r.play(30) // before the link
	c, _ := runClient(t, r, b.Addr(), nil)
	r.play(300) // and while it runs
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	last, twice := w.ordered("call")
	if last != r.seq || twice != 0 {
		t.Errorf("heard calls up to %d of %d, %d of them twice", last, r.seq, twice)
	}
	if last, twice := w.ordered("floor"); last != r.seq || twice != 0 { // the last entry is a release
		t.Errorf("heard the floor up to %d of %d, %d of it twice", last, r.seq, twice)
	}
	if n := len(w.on("floor")); n != int(r.seq)*2/5 {
		t.Errorf("%d messages for the floor, want %d", n, r.seq*2/5)
	}
}

// What is private in an entry is on no topic.
func TestNothingPrivateIsPublished(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	c, _ := runClient(t, r, b.Addr(), nil)
	r.play(10)
	c.Show(r.snapshot())
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq && len(w.on("layout")) > 0 })
	w.drain()
	for _, h := range w.heard {
		for _, secret := range []string{"Qc", "qc", "4h", "draw ", "raw of it", "726177206f66"} {
			if strings.Contains(string(h.payload), secret) {
				t.Errorf("%s says %q: %s", h.topic, secret, h.payload)
			}
		}
	}
	var m floorMessage
	json.Unmarshal(w.on("floor")[1].payload, &m)
	if m.Event != "release" || m.By != "S-2" || m.Because != "<it> & all" || m.Prev != 4 {
		t.Errorf("the floor hears of a release: %+v", m)
	}
}

// starter starts a broker anew and says where it is and how it is killed.
type starter func() (addr string, kill func())

// testOutages breaks the link, and then the broker, in mid-stream.
func testOutages(t *testing.T, start starter) {
	r := openRecord(t, t.TempDir())
	addr, kill := start()
	w := watch(t, addr)
	link := newCable(t, addr)
	c, _ := runClient(t, r, link.Addr().String(), nil)
	c.Show(r.snapshot())
	stop, played := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(played)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if r.Durable() < c.Stats().Acknowledged+500 {
				r.play(5)
			}
		}
	}()
	for round := range 6 {
		more := c.Stats().Acknowledged + 100
		eventually(t, "messages at speed", func() bool { return c.Stats().Acknowledged > more })
		link.pull()
		w.drain() // a reader that is there when the link fails has lost nothing
		if round%2 == 1 {
			kill()
			addr, kill = start()
			w.join(addr)
		}
		link.plug(addr)
	}
	close(stop)
	<-played
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.Durable() })
	w.drain()
	for _, topic := range []string{"call", "floor", "settlement"} {
		last, twice := w.ordered(topic)
		t.Logf("%s: %d entries, %d came twice, %d connections", topic, last, twice, c.Stats().Connections)
		if last != r.Durable() {
			t.Errorf("%s: heard up to %d of %d", topic, last, r.Durable())
		}
	}
	testRetained(t, r, addr)
	kill()
}

// testRetained asks a broker, as one who comes later, for what it holds.
func testRetained(t *testing.T, r *record, addr string) {
	t.Helper()
	late := watch(t, addr)
	late.drain()
	for _, topic := range []string{"status", "layout", "floor/state"} {
		list := late.on(topic)
		if len(list) == 0 || !list[0].retained {
			t.Errorf("%s is not retained", topic)
			continue
		}
		if late.last(topic)["record"] != r.Record() {
			t.Errorf("%s: %s", topic, list[0].payload)
		}
	}
	if late.last("status")["state"] != "online" {
		t.Errorf("status: %v", late.last("status"))
	}
	for _, topic := range []string{"call", "floor", "settlement", "reply/game"} {
		for _, h := range late.on(topic) {
			if h.retained {
				t.Errorf("%s is retained: %s", topic, h.payload)
			}
		}
	}
}

func TestOutagesLoseAndReorderNothing(t *testing.T) {
	addr := ""
	testOutages(t, func() (string, func()) {
		b := startBroker(t, addr)
		addr = b.Addr()
		return addr, func() { b.Close() }
	})
}

// A game server that lives through a broker killed at any moment fills its gaps with "since".
func TestGapsAreFilledBySince(t *testing.T) {
	r := openRecord(t, t.TempDir())
	b := startBroker(t, "")
	c, _ := runClient(t, r, b.Addr(), nil)
	seen := map[int64]string{}
	for range 3 {
		w := watch(t, b.Addr())
		more := c.Stats().Acknowledged
		r.play(100)
		eventually(t, "messages", func() bool { return c.Stats().Acknowledged > more+20 })
		b.Close()
		for _, h := range w.on("call") {
			see(t, seen, h.payload)
		}
		b = startBroker(t, b.Addr())
	}
	w := watch(t, b.Addr())
	eventually(t, "the table", func() bool { return w.last("status")["state"] == online })
	for next, n := int64(0), 0; next >= 0; n++ {
		id := fmt.Sprint("page-", n)
		w.command("game", fmt.Sprintf(`{"v":1,"id":%q,"do":"since","seq":%d}`, id, next))
		var page pageMessage
		eventually(t, id, func() bool {
			for _, h := range w.on("reply/game") {
				page = pageMessage{}
				if json.Unmarshal(h.payload, &page); page.ID == id {
					return true
				}
			}
			return false
		})
		if len(page.Messages) > maxPage || !page.OK {
			t.Fatalf("page %d: ok %v, %d messages", n, page.OK, len(page.Messages))
		}
		for _, m := range page.Messages {
			see(t, seen, m)
		}
		if next = page.Next; next == 0 {
			next = -1
		}
	}
	for seq := int64(1); seq <= r.seq; seq++ {
		if seen[seq] == "" {
			t.Errorf("never heard of %d", seq)
		}
	}
}

// see notes a call message; one that comes again must be the same.
func see(t *testing.T, seen map[int64]string, payload []byte) {
	t.Helper()
	var n numbered
	if err := json.Unmarshal(payload, &n); err != nil {
		t.Fatal(err)
	}
	if was := seen[n.Seq]; was != "" && was != string(payload) {
		t.Errorf("%d was %s and is %s", n.Seq, was, payload)
	}
	seen[n.Seq] = string(payload)
}

// deaf is a broker that acknowledges what it does not hand on, as brokers do where access rules forbid it.
type deaf struct {
	mochi.HookBase
	drop atomic.Pointer[string]
}

func (d *deaf) ID() string { return "deaf" }
func (d *deaf) Provides(b byte) bool {
	return b == mochi.OnPublish || b == mochi.OnConnectAuthenticate || b == mochi.OnACLCheck
}
func (d *deaf) OnConnectAuthenticate(*mochi.Client, packets.Packet) bool { return true }
func (d *deaf) OnACLCheck(*mochi.Client, string, bool) bool              { return true }
func (d *deaf) OnPublish(_ *mochi.Client, pk packets.Packet) (packets.Packet, error) {
	if strings.HasSuffix(pk.TopicName, *d.drop.Load()) {
		return pk, packets.CodeSuccessIgnore
	}
	return pk, nil
}

func startDeaf(t *testing.T, drop string) (*deaf, string) {
	t.Helper()
	d := &deaf{}
	d.drop.Store(&drop)
	return d, startHooked(t, d)
}

// startHooked starts a broker that does as the hook says.
func startHooked(t *testing.T, hook mochi.Hook) (addr string) {
	t.Helper()
	s := mochi.New(&mochi.Options{Logger: slog.New(slog.DiscardHandler)})
	tcp := listeners.NewTCP(listeners.Config{ID: "t", Address: "127.0.0.1:0"})
	for _, err := range []error{s.AddHook(hook, nil), s.AddListener(tcp), s.Serve()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { s.Close() })
	return tcp.Address()
}

// leaky is a broker that now and then loses a message and hands on the ones behind it, as a cluster may whose node dies.
type leaky struct {
	deaf
	calls atomic.Int64
}

func (l *leaky) OnPublish(_ *mochi.Client, pk packets.Packet) (packets.Packet, error) {
	if strings.HasSuffix(pk.TopicName, "/call") && l.calls.Add(1)%40 == 0 {
		return pk, packets.CodeSuccessIgnore
	}
	return pk, nil
}

// A message that the broker lost is not overtaken.
func TestLostMessageIsNotOvertaken(t *testing.T) {
	addr := startHooked(t, &leaky{})
	r := openRecord(t, t.TempDir())
	w := watch(t, addr)
	c, _ := runClient(t, r, addr, func(c *Client) { c.pace.echo = 300 * time.Millisecond })
	r.play(100)
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	if last, _ := w.ordered("call"); last != r.seq || c.Stats().Connections < 3 {
		t.Errorf("heard up to %d of %d, by %d connections", last, r.seq, c.Stats().Connections)
	}
}

// links keeps what OnLink heard.
type links struct{ heard chan error }

func (l links) onLink(_ bool, why error) {
	select {
	case l.heard <- why:
	default:
	}
}

// until waits for a report of the kind.
func (l links) until(t *testing.T, what string, ok func(error) bool) {
	t.Helper()
	for end := time.After(patience); ; {
		select {
		case why := <-l.heard:
			if ok(why) {
				return
			}
		case <-end:
			t.Fatalf("never reported: %s", what)
		}
	}
}

func up(why error) bool { return why == nil }

func about(word string) func(error) bool {
	return func(why error) bool { return why != nil && strings.Contains(why.Error(), word) }
}

func TestSilentRefusalIsAnAlarmAndMovesNoCursor(t *testing.T) {
	for _, topic := range []string{"/call", "/floor", "/settlement", "/status"} {
		t.Run(topic[1:], func(t *testing.T) {
			d, addr := startDeaf(t, topic)
			r := openRecord(t, t.TempDir())
			r.play(5) // the fourth is the first for the floor, the fifth for the game server
			l := links{make(chan error, 100)}
			c, stop := runClient(t, r, addr, func(c *Client) {
				c.pace.echo = 300 * time.Millisecond
				c.config.OnLink = l.onLink
			})
			l.until(t, "an alarm", about("BJ-1"+topic+" does not come back"))
			eventually(t, "a third attempt", func() bool { return c.Stats().Connections > 2 })
			if got, most := c.Stats().Acknowledged, map[string]int64{"/call": 0, "/floor": 3, "/settlement": 4, "/status": 0}[topic]; got != most || c.Stats().Up {
				t.Errorf("acknowledged %d, want %d, up %v", got, most, c.Stats().Up)
			}
			nothing := "nothing"
			d.drop.Store(&nothing)
			l.until(t, "that it is well", up)
			eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == 5 })
			stop()
		})
	}
}

func TestCursorOutlivesTheProgram(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	for range 3 {
		c, stop := runClient(t, r, b.Addr(), nil)
		r.play(7)
		eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
		stop()
	}
	w.drain()
	if last, twice := w.ordered("call"); last != r.seq || twice != 0 {
		t.Errorf("heard up to %d of %d, %d twice", last, r.seq, twice)
	}
	for _, topic := range []string{"floor", "settlement"} {
		if last, twice := w.ordered(topic); last == 0 || twice != 0 {
			t.Errorf("%s: heard up to %d, %d twice", topic, last, twice)
		}
	}
	os.Remove(filepath.Join(r.dir, "cursor"))
	c, _ := runClient(t, r, b.Addr(), nil)
	eventually(t, "all acknowledged again", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	if last, twice := w.ordered("call"); last != r.seq || twice != int(r.seq) {
		t.Errorf("a lost cursor: heard up to %d of %d, %d twice", last, r.seq, twice)
	}
}

func TestCursorThatDoesNotFit(t *testing.T) {
	r := openRecord(t, t.TempDir())
	r.play(5)
	other := strings.Repeat("0", 32)
	for content, want := range map[string]string{
		`{"record":"` + other + `","seq":3,"floor":0}`:            "it is of the record " + other,
		`{"record":"` + r.Record() + `","seq":6,"floor":0}`:       "the record ends at 5",
		`{"record":"` + r.Record() + `","seq":-1}`:                "no cursor",
		`{"record":"` + r.Record() + `","seq":1,"floor":2}`:       "no cursor",
		`{"record":"` + r.Record() + `","seq":1,"settlement":2}`:  "no cursor",
		`{"record":"` + r.Record() + `","seq":1,"settlement":-2}`: "no cursor",
		"": "no cursor",
	} {
		os.WriteFile(filepath.Join(r.dir, "cursor"), []byte(content), 0o600)
		_, err := New(Config{Broker: "127.0.0.1:1", Table: tableName, CursorDir: r.dir}, r.Journal)
		var bad *CursorError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", content, err)
		}
	}
}

func TestStatus(t *testing.T) { testStatus(t, startBroker(t, "").Addr()) }

func testStatus(t *testing.T, addr string) {
	r := openRecord(t, t.TempDir())
	w := watch(t, addr)
	link := newCable(t, addr)
	c, stop := runClient(t, r, link.Addr().String(), nil)
	state := func(want string) func() bool { return func() bool { return w.last("status")["state"] == want } }
	eventually(t, "online", state(online))
	w.publish("sabot/BJ-1/status", true, string(encode(statusMessage{V: 1, State: lost, Since: "2026-01-01T00:00:00.000Z", Record: r.Record(), Instance: c.config.Instance})))
	eventually(t, "online, though a will of an old connection came", state(online))
	n := len(w.on("status"))
	eventually(t, "the status again and again", func() bool { return len(w.on("status")) > n+2 })
	link.pull()
	eventually(t, "lost", state(lost))
	link.plug(addr)
	eventually(t, "online again", state(online))
	stop()
	eventually(t, "offline", state(offline))
	w.drain()
	late := watch(t, addr)
	late.drain()
	if s := late.on("status"); len(s) != 1 || !s[0].retained || late.last("status")["state"] != offline {
		t.Errorf("what is left: %v", late.last("status"))
	}
}

// Whatever a broker still says of an earlier connection of ours is put right at once, not at the next repetition.
func TestOwnWillIsContradicted(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	c, _ := runClient(t, r, b.Addr(), func(c *Client) { c.pace.status = time.Hour })
	eventually(t, "up", func() bool { return c.Stats().Up })
	ours := func() (n int) {
		for _, h := range w.on("status") {
			if strings.Contains(string(h.payload), online) && strings.Contains(string(h.payload), c.config.Instance) {
				n++
			}
		}
		return n
	}
	for _, instance := range []string{c.config.Instance, "earlier"} {
		w.drain()
		n := ours()
		w.publish("sabot/BJ-1/status", true, string(encode(statusMessage{V: 1, State: lost, Since: "2026-01-01T00:00:00.000Z", Record: r.Record(), Instance: instance})))
		eventually(t, "online", func() bool { return ours() > n })
	}
	late := watch(t, b.Addr())
	if late.last("status")["state"] != online {
		t.Errorf("the broker holds %v", late.last("status"))
	}
}

func TestLayoutIsTheLatest(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	idle, err := New(Config{Broker: "127.0.0.1:1", Table: tableName, CursorDir: r.dir}, r.Journal)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		idle.Show(r.snapshot()) // nobody takes it, and it does not wait
	}
	w := watch(t, b.Addr())
	c, _ := runClient(t, r, b.Addr(), nil)
	for range 500 {
		r.seq++
		c.Show(r.snapshot())
	}
	eventually(t, "the last layout", func() bool { return w.last("layout")["seq"] == float64(r.seq) })
	before := int64(0)
	for _, h := range w.on("layout") {
		var n numbered
		json.Unmarshal(h.payload, &n)
		if n.Seq < before {
			t.Errorf("layout %d after %d", n.Seq, before)
		}
		before = n.Seq
	}
	if n := len(w.on("floor/state")); n > 2 { // one at most from the broker's memory
		t.Errorf("the floor's state, which never changed, was published %d times", n)
	}
	s := r.snapshot()
	s.Floor.Paused = true
	c.Show(s)
	eventually(t, "the floor's state changed", func() bool { return w.last("floor/state")["paused"] == true })
}

func TestLeftIsWhatIsLeftWhenItIsSent(t *testing.T) {
	r := openRecord(t, t.TempDir())
	now := time.Now()
	s := shown{r.snapshot(), now}
	for after, want := range map[time.Duration]float64{0: 8200, 3 * time.Second: 5200, time.Minute: 1} {
		var l struct{ Due map[string]any }
		json.Unmarshal(layoutOf(s, now.Add(after)), &l)
		if l.Due["left_ms"] != want {
			t.Errorf("after %v: %v left, want %v", after, l.Due["left_ms"], want)
		}
	}
	if s.Layout.Due.LeftMs != 8200 {
		t.Error("the snapshot was changed")
	}
}

// Two programs under one table's name both stop, and the one that stays goes on.
func TestAnotherInstance(t *testing.T) { testAnotherInstance(t, startBroker(t, "").Addr()) }

func testAnotherInstance(t *testing.T, addr string) {
	w := watch(t, addr)
	first, second := openRecord(t, t.TempDir()), openRecord(t, t.TempDir())
	a := links{make(chan error, 100)}
	z := links{make(chan error, 100)}
	ca, stopA := runClient(t, first, addr, func(c *Client) { c.config.OnLink = a.onLink })
	a.until(t, "up", up)
	first.play(5)
	eventually(t, "the first's calls", func() bool { return ca.Stats().Acknowledged == 5 })
	second.play(5) // the newcomer has something to say at once
	cz, _ := runClient(t, second, addr, func(c *Client) {
		c.config.OnLink = z.onLink
		c.pace.status = time.Hour
	})
	a.until(t, "the second", about("another program"))
	z.until(t, "the first", about("another program"))
	w.drain()
	calls := len(w.on("call"))
	for _, m := range w.on("call") {
		if strings.Contains(string(m.payload), second.Record()) {
			t.Errorf("the newcomer spoke before it looked: %s", m.payload)
		}
	}
	first.play(5)
	second.play(5)
	w.command("floor", `{"v":1,"id":"x","do":"pause","by":"S-2"}`)
	before := len(w.on("status"))
	eventually(t, "some more of both", func() bool { return len(w.on("status")) > before+6 })
	if n := len(w.on("call")); n != calls || ca.Stats().Up || cz.Stats().Up {
		t.Errorf("%d calls were published while two used the name; up: %v %v", n-calls, ca.Stats().Up, cz.Stats().Up)
	}
	for _, h := range w.on("status")[before:] {
		if strings.Contains(string(h.payload), online) {
			t.Errorf("online, and the felt grows old: %s", h.payload)
		}
	}
	stopA()
	z.until(t, "up", up)
	eventually(t, "the second's calls", func() bool { return cz.Stats().Acknowledged == 10 })
	eventually(t, "its status", func() bool {
		return w.last("status")["state"] == online && w.last("status")["record"] == second.Record()
	})
}

// A status that an earlier program left behind says nothing of now.
func TestRetainedStatusOfAnotherIsOld(t *testing.T) {
	b := startBroker(t, "")
	w := watch(t, b.Addr())
	w.publish("sabot/BJ-1/status", true, string(encode(statusMessage{V: 1, State: online, Since: "2026-01-01T00:00:00.000Z", Record: strings.Repeat("0", 32), Instance: "earlier"})))
	r := openRecord(t, t.TempDir())
	r.play(5)
	c, _ := runClient(t, r, b.Addr(), func(c *Client) { c.pace.gone = time.Hour })
	eventually(t, "calls", func() bool { return c.Stats().Acknowledged == 5 })
}

// A vanished instance that never said so is forgotten.
func TestAnotherInstanceThatIsSilent(t *testing.T) {
	b := startBroker(t, "")
	w := watch(t, b.Addr())
	r := openRecord(t, t.TempDir())
	l := links{make(chan error, 100)}
	c, _ := runClient(t, r, b.Addr(), func(c *Client) {
		c.config.OnLink = l.onLink
		c.pace.gone = time.Second
	})
	l.until(t, "up", up)
	w.publish("sabot/BJ-1/status", true, string(encode(statusMessage{V: 1, State: online, Since: "2026-01-01T00:00:00.000Z", Record: strings.Repeat("0", 32), Instance: "ghost"})))
	l.until(t, "the ghost", about("another program"))
	r.play(5)
	l.until(t, "up again", up)
	eventually(t, "calls", func() bool { return c.Stats().Acknowledged == 5 })
}

// Words of somebody else on our topics are not taken for an echo.
func TestForgedEcho(t *testing.T) {
	drop := "/call"
	d, addr := startDeaf(t, drop)
	r := openRecord(t, t.TempDir())
	w := watch(t, addr)
	c, _ := runClient(t, r, addr, nil)
	r.play(1)
	eventually(t, "the call sent", func() bool { return c.Stats().Published >= 5 }) // after the status twice and what is retained
	nothing := "nothing"
	d.drop.Store(&nothing)
	w.publish("sabot/BJ-1/call", false, `{"v":1,"record":"`+r.Record()+`","seq":1,"forged":true,"calls":[]}`)
	w.publish("sabot/BJ-1/layout", true, `{"forged":true}`)
	eventually(t, "the felt said again, and so the echo heard before", func() bool {
		list := w.on("layout")
		return len(list) > 1 && strings.Contains(string(list[len(list)-2].payload), "forged") && w.last("layout")["table"] == tableName
	})
	if got := c.Stats().Acknowledged; got != 0 && len(w.on("call")) < 2 {
		t.Errorf("acknowledged %d by a forged echo", got)
	}
}

func TestBrokerAddress(t *testing.T) {
	for in, want := range map[string]string{
		"broker:1883": "tcp://broker:1883", "tcp://[::1]:1883": "tcp://[::1]:1883", "ssl://b:8883": "ssl://b:8883",
		"ws://b:80": "ws://b:80/mqtt", "wss://b:443/x": "wss://b:443/x",
		"": "", "broker": "", "http://b:80": "", "tcp://u:p@b:1883": "", "tcp://:1883": "", "b:x": "",
	} {
		got, err := brokerURL(in, false)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", in, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "u:p") {
			t.Errorf("a password is in %v", err)
		}
	}
	if got, _ := brokerURL("b:8883", true); got != "ssl://b:8883" {
		t.Errorf("with TLS: %s", got)
	}
	if got, err := brokerURLs("a:1, tcp://b:2", false); !slices.Equal(got, []string{"tcp://a:1", "tcp://b:2"}) || err != nil {
		t.Errorf("two nodes: %v, %v", got, err)
	}
	if _, err := brokerURLs("a:1,", false); err == nil {
		t.Error("a node without a name was accepted")
	}
	r := openRecord(t, t.TempDir())
	for _, name := range []string{"", "a/b", "a+", "#", "$SYS", "a b", "é", strings.Repeat("x", 65)} {
		if _, err := New(Config{Broker: "b:1", Table: name, CursorDir: r.dir}, r.Journal); err == nil {
			t.Errorf("table %q was accepted", name)
		}
	}
}

// Of a cluster whose first node does not answer, the next one is asked; and when that dies, the one after it.
func TestNodesTakeTurns(t *testing.T) {
	one, two := startBroker(t, ""), startBroker(t, "")
	nodes := strings.Join([]string{mqtttest.FreeAddr(t), one.Addr(), two.Addr()}, ", ")
	r := openRecord(t, t.TempDir())
	r.play(5)
	c, _ := runClient(t, r, nodes, nil)
	eventually(t, "all acknowledged by the second", func() bool { return c.Stats().Acknowledged == 5 })
	one.Close()
	w := watch(t, two.Addr())
	r.play(5)
	eventually(t, "all acknowledged by the third", func() bool { return c.Stats().Acknowledged == 10 && len(w.on("layout")) > 0 })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	desk, err := Dial(ctx, Config{Broker: nodes, Table: tableName})
	if err != nil {
		t.Fatal(err)
	}
	defer desk.Close()
	if s, err := desk.State(ctx); err != nil || s.State != online {
		t.Errorf("a console that knows all three: %+v, %v", s, err)
	}
}

// A reply that is given while the link is down is sent when it is up.
func TestReplyWaitsForTheLink(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	link := newCable(t, b.Addr())
	taken := make(chan func(table.Reply), 1)
	c, _ := runClient(t, r, link.Addr().String(), func(c *Client) {
		c.config.Command = func(cmd table.Command, reply func(table.Reply)) { taken <- reply }
	})
	w := watch(t, b.Addr())
	eventually(t, "up", func() bool { return c.Stats().Up })
	w.command("floor", `{"v":1,"id":"p1","do":"pause","by":"S-2"}`)
	answer := <-taken
	link.pull()
	eventually(t, "down", func() bool { return !c.Stats().Up })
	answer(table.Reply{ID: "p1", OK: true, Seq: 9})
	link.plug(b.Addr())
	eventually(t, "the reply", func() bool { return w.last("reply/floor")["id"] == "p1" && w.last("reply/floor")["seq"] == 9.0 })
}

// A link may hear and not speak: what the broker sends comes, and nothing that we publish does. A table at which nothing happens finds that out by its own status, which must come
// back each time it is repeated.
func TestALinkThatOnlyHearsIsAnAlarm(t *testing.T) {
	nothing, status := "nothing", "/status"
	d, addr := startDeaf(t, nothing)
	r := openRecord(t, t.TempDir())
	l := links{make(chan error, 100)}
	c, _ := runClient(t, r, addr, func(c *Client) {
		c.pace.echo = 300 * time.Millisecond
		c.config.OnLink = l.onLink
	})
	l.until(t, "that it is well", up)
	d.drop.Store(&status)
	l.until(t, "an alarm", about("BJ-1/status does not come back"))
	d.drop.Store(&nothing)
	l.until(t, "that it is well again", up)
	if c.Stats().Connections < 2 {
		t.Error("it is the same link")
	}
}
