package mqtt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/broker"
	"sabot/table"
)

// hour is about what a full table records in one, at its fastest.
const hour = 4000

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestBrokerAwayForAnHour: an hour's play with nobody to tell waits in the record and not in memory. A broker that comes back knowing nothing is told all of it,
// once and in order, and of what stands on the felt only the last.
func TestBrokerAwayForAnHour(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	link := newCable(t, b.Addr())
	l := links{make(chan error, 100)}
	c, _ := runClient(t, r, link.Addr().String(), func(c *Client) { c.config.OnLink = l.onLink })
	l.until(t, "up", up)
	link.pull()
	b.Close()
	l.until(t, "that the broker is away", func(why error) bool { return why != nil })
	before := heap()
	for range hour {
		r.play(1)
		c.Show(r.snapshot())
	}
	for i := range 2 * maxReplies {
		c.answer(table.ToGame, table.Reply{ID: fmt.Sprint(i), OK: true})
	}
	if grown := heap() - before; grown > 2<<20 {
		t.Errorf("%d bytes more in use after %d entries that nobody takes", grown, hour)
	}
	if n := c.Stats().Dropped; n < maxReplies {
		t.Errorf("of %d replies %d were dropped", 2*maxReplies, n)
	}
	b = startBroker(t, "")
	w := watch(t, b.Addr())
	link.plug(b.Addr())
	l.until(t, "up again", up)
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	for _, topic := range []string{"call", "floor", "settlement"} {
		if last, twice := w.ordered(topic); last != r.seq || twice != 0 {
			t.Errorf("%s: heard up to %d of %d, %d twice", topic, last, r.seq, twice)
		}
	}
	if list := w.on("layout"); len(list) != 1 || w.last("layout")["seq"] != float64(r.seq) {
		t.Errorf("%d layouts, the last %v", len(list), w.last("layout")["seq"])
	}
	testRetained(t, r, b.Addr())
}

// TestSlowBroker: over a link that carries little and late everything arrives once and in order, though what comes back is often missed, and of the felt
// fewer states are sent than were shown.
func TestSlowBroker(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	link := newCable(t, b.Addr())
	link.mu.Lock()
	link.slow = 4 * time.Millisecond
	link.mu.Unlock()
	c, _ := runClient(t, r, link.Addr().String(), func(c *Client) { c.pace.echo = 500 * time.Millisecond })
	const n = 150
	for range n {
		r.play(1)
		c.Show(r.snapshot())
	}
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	eventually(t, "the last layout", func() bool { return w.last("layout")["seq"] == float64(r.seq) })
	w.drain()
	for _, topic := range []string{"call", "floor", "settlement"} {
		last, twice := w.ordered(topic)
		t.Logf("%s: %d, %d twice, %d connections", topic, last, twice, c.Stats().Connections)
		if last != r.seq {
			t.Errorf("%s: heard up to %d of %d", topic, last, r.seq)
		}
	}
	if got := len(w.on("layout")); got >= n {
		t.Errorf("%d layouts were sent of %d shown", got, n)
	}
}

// TestStalledBroker: a broker that takes connections and then says nothing is left, again and again, and what was to be said is said by the next one.
func TestStalledBroker(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	link := newCable(t, b.Addr())
	l := links{make(chan error, 100)}
	c, _ := runClient(t, r, link.Addr().String(), func(c *Client) {
		c.pace.echo, c.pace.status = 2*time.Second, time.Hour
		c.config.OnLink = l.onLink
	})
	eventually(t, "online", func() bool { return w.last("status")["state"] == online })
	link.stall(true)
	before := c.Stats().Published
	r.play(100)
	for range 200 {
		c.Show(r.snapshot())
		time.Sleep(time.Millisecond)
	}
	if n := c.Stats().Published - before; c.Stats().Connections == 1 && n > kinds+2 {
		t.Errorf("%d messages were sent to one who takes none", n)
	}
	l.until(t, "that nothing comes back", about("does not come back"))
	link.stall(false)
	l.until(t, "up again", up)
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	if last, _ := w.ordered("call"); last != r.seq {
		t.Errorf("heard up to %d of %d", last, r.seq)
	}
}

// TestStolenName: somebody who connects under our client's name ends our connection each time. Nothing is lost by it, and nobody can learn the name.
func TestStolenName(t *testing.T) { testStolenName(t, startBroker(t, "").Addr()) }

func testStolenName(t *testing.T, addr string) {
	r := openRecord(t, t.TempDir())
	w := watch(t, addr)
	l := links{make(chan error, 100)}
	c, _ := runClient(t, r, addr, func(c *Client) { c.config.OnLink = l.onLink })
	for range 5 {
		l.until(t, "up", up)
		r.play(40)
		thief := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID(c.id).SetAutoReconnect(false))
		if token := thief.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
		l.until(t, "the lost connection", func(why error) bool { return why != nil })
		thief.Disconnect(0)
	}
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	for _, topic := range []string{"call", "floor", "settlement"} {
		if last, _ := w.ordered(topic); last != r.seq {
			t.Errorf("%s: heard up to %d of %d", topic, last, r.seq)
		}
	}
	eventually(t, "online", func() bool { return w.last("status")["state"] == online })
	secret := strings.TrimPrefix(c.id, "sabot-BJ-1-")
	if len(secret) < 26 || strings.HasSuffix(clientID(tableName), secret) {
		t.Errorf("our client's name can be guessed: %s", c.id)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.heard {
		if strings.Contains(string(h.payload), secret) {
			t.Errorf("%s tells our client's name: %s", h.topic, h.payload)
		}
	}
}

// TestClonedCard: a copy of a table's whole card, its record and cursor too, in a second machine. Neither goes on while both are there, and the one whose record
// is behind what was said does not go on at all.
func TestClonedCard(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	r.play(5)
	copied := t.TempDir()
	copyFolder(t, copied, r.dir)
	l := links{make(chan error, 100)}
	c, stop := runClient(t, r, b.Addr(), func(c *Client) { c.config.OnLink = l.onLink })
	l.until(t, "up", up)
	clone := openRecord(t, copied)
	if clone.Record() != r.Record() || clone.seq != r.seq {
		t.Fatal("it is no copy")
	}
	z := links{make(chan error, 100)}
	cz, stopClone := runClient(t, clone, b.Addr(), func(c *Client) { c.config.OnLink = z.onLink })
	l.until(t, "the clone", about("another program"))
	z.until(t, "the first", about("another program"))
	stopClone()
	l.until(t, "up again", up)
	r.play(5)
	c.Show(r.snapshot())
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w := watch(t, b.Addr())
	eventually(t, "the layout", func() bool { return w.last("layout")["seq"] == float64(r.seq) })
	stop()
	said := cz.Stats().Published
	behind, err := New(Config{Broker: b.Addr(), Table: tableName, CursorDir: clone.dir}, clone.Journal)
	if err != nil {
		t.Fatal(err)
	}
	behind.pace = quick
	behind.Show(clone.snapshot())
	if err := behind.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "the record ends at 5") {
		t.Errorf("a clone that is behind: %v, %d messages before", err, said)
	}
}

// TestRetainedRefusedInSilence: what the broker does not keep of the felt is an alarm too, or a reader would see an old felt for ever.
func TestRetainedRefusedInSilence(t *testing.T) {
	for _, topic := range []string{"/layout", "/floor/state"} {
		t.Run(topic[1:], func(t *testing.T) {
			d, addr := startDeaf(t, topic)
			r := openRecord(t, t.TempDir())
			r.play(5)
			w := watch(t, addr)
			l := links{make(chan error, 100)}
			c, _ := runClient(t, r, addr, func(c *Client) {
				c.pace.echo = 300 * time.Millisecond
				c.config.OnLink = l.onLink
			})
			l.until(t, "an alarm", about("BJ-1"+topic+" does not come back"))
			eventually(t, "a third attempt", func() bool { return c.Stats().Connections > 2 })
			if c.Stats().Up {
				t.Error("it is well, they say")
			}
			for _, h := range w.on("status") {
				if strings.Contains(string(h.payload), online) {
					t.Errorf("online, with a felt that nobody sees: %s", h.payload)
				}
			}
			nothing := "nothing"
			d.drop.Store(&nothing)
			l.until(t, "that it is well", up)
			eventually(t, "online", func() bool { return w.last("status")["state"] == online })
		})
	}
}

// TestOnlineIsNeverBesideAnOldFelt: whoever joins while a table comes back to a broker that kept what was, and is told that the table is online, sees the felt
// as it is. So it is at each moment: status and layout are looked at by a new reader after each message of the table.
func TestOnlineIsNeverBesideAnOldFelt(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	r.play(3)
	w := watch(t, b.Addr())
	c, stop := runClient(t, r, b.Addr(), nil)
	eventually(t, "online", func() bool { return w.last("status")["state"] == online && c.Stats().Acknowledged == 3 })
	stop()
	r.play(20) // dealt while the broker was away
	var mu sync.Mutex
	states, layout := []string{}, int64(0)
	look := func(_ paho.Client, m paho.Message) { // one message at a time, as they were published
		mu.Lock()
		defer mu.Unlock()
		var s struct {
			State string
			Seq   int64
		}
		json.Unmarshal(m.Payload(), &s)
		if s.State == "" {
			layout = s.Seq
			return
		}
		states = append(states, s.State)
		if s.State == online && layout != r.seq {
			t.Errorf("online beside a layout of %d, and the table is at %d", layout, r.seq)
		}
	}
	reader := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + b.Addr()).SetClientID("reader").SetOrderMatters(true))
	if token := reader.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer reader.Disconnect(0)
	reader.SubscribeMultiple(map[string]byte{"sabot/BJ-1/status": 1, "sabot/BJ-1/layout": 1}, look).Wait()
	runClient(t, r, b.Addr(), nil)
	eventually(t, "online", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(states) > 0 && states[len(states)-1] == online
	})
	if want := []string{offline, joining, online}; fmt.Sprint(states[:3]) != fmt.Sprint(want) {
		t.Errorf("the states were %v", states)
	}
}

// lines are what a log says, while it says more.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestForgedStateIsPutRight: what somebody else writes over the felt, or wipes away, while the table rests, does not stay there, and whoever does it all the time is not
// answered each time. What he says on the other topics the log tells.
func TestForgedStateIsPutRight(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	r.play(3)
	w := watch(t, b.Addr())
	log := &lines{}
	c, _ := runClient(t, r, b.Addr(), func(c *Client) { c.log = slog.New(slog.NewTextHandler(log, nil)) })
	eventually(t, "online", func() bool { return w.last("status")["state"] == online && c.Stats().Acknowledged == 3 })
	for _, topic := range []string{"layout", "floor/state"} {
		for _, forged := range []string{`{"v":1,"seq":900,"phase":"forged"}`, ""} { // the last one wipes it away
			w.publish("sabot/BJ-1/"+topic, true, forged)
			eventually(t, topic+" as it was", func() bool {
				list := w.on(topic)
				return len(list) > 1 && bytes.Equal(list[len(list)-2].payload, []byte(forged)) && w.last(topic)["table"] == tableName
			})
		}
	}
	before := c.Stats().Published
	for range 200 {
		w.publish("sabot/BJ-1/layout", true, `{"forged":true}`)
	}
	eventually(t, "the last word", func() bool { return w.last("layout")["seq"] == 3.0 })
	if n := c.Stats().Published - before; n > 100 {
		t.Errorf("200 forged layouts were answered by %d messages", n)
	}
	if !strings.Contains(log.String(), "was not what the table said; it is said again") {
		t.Errorf("the log: %s", log)
	}
	testRetained(t, r, b.Addr())
}

// TestForgedCallsAreTold: of those far ahead, after which a reader would hear nothing more, and not of one that comes twice.
func TestForgedCallsAreTold(t *testing.T) {
	for forged, told := range map[string]bool{"": false, `{"v":1,"record":"RECORD","seq":900,"forged":1}`: true, `{"v":1,"record":"another","seq":1,"forged":1}`: true, "{forged": true} {
		b := startBroker(t, "")
		r := openRecord(t, t.TempDir())
		r.play(3)
		w := watch(t, b.Addr())
		log := &lines{}
		c, _ := runClient(t, r, b.Addr(), func(c *Client) { c.log = slog.New(slog.NewTextHandler(log, nil)) })
		eventually(t, "online", func() bool { return w.last("status")["state"] == online && c.Stats().Acknowledged == 3 })
		if forged == "" {
			forged = string(w.on("call")[0].payload)
		}
		w.publish("sabot/BJ-1/call", false, strings.Replace(forged, "RECORD", r.Record(), 1))
		r.play(1)
		eventually(t, "the next", func() bool { return c.Stats().Acknowledged == 4 })
		if got := strings.Contains(log.String(), "not the table's"); got != told {
			t.Errorf("%s: told %v\n%s", forged, got, log)
		}
	}
}

// TestStatusTellsWhetherTheTableIsOpen, and nothing of it when the program is not there to know.
func TestStatusTellsWhetherTheTableIsOpen(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	c, stop := runClient(t, r, b.Addr(), func(c *Client) { c.pace.status = time.Hour })
	status := func(state string, open any) func() bool {
		return func() bool { s := w.last("status"); return s["state"] == state && s["open"] == open }
	}
	eventually(t, "open", status(online, true))
	s := r.snapshot()
	s.Layout.Phase = table.Closed
	c.Show(s)
	eventually(t, "closed", status(online, false))
	if w.last("layout")["phase"] != "closed" {
		t.Error("the status told it before the layout")
	}
	stop()
	eventually(t, "offline", status(offline, nil))
}

// TestWrongPassword is said, tells no password, and mends itself when the broker knows it.
func TestWrongPassword(t *testing.T) {
	users := func(password string) map[string]broker.User {
		return map[string]broker.User{"BJ-1": {Password: password, Role: broker.Table}}
	}
	b, err := broker.Start(broker.Config{Users: users("right-9f3a")})
	if err != nil {
		t.Fatal(err)
	}
	addr := b.Addr()
	r := openRecord(t, t.TempDir())
	r.play(5)
	l := links{make(chan error, 100)}
	c, _ := runClient(t, r, addr, func(c *Client) {
		c.config.OnLink = l.onLink
		c.config.User, c.config.Password = "BJ-1", "wrong-7b21"
	})
	l.until(t, "the wrong password", func(why error) bool {
		if strings.Contains(fmt.Sprint(why), "wrong-7b21") {
			t.Errorf("the password is told: %v", why)
		}
		return about("user name or password")(why) || about("not Authorized")(why)
	})
	b.Close()
	eventually(t, "the broker's port", func() bool {
		b, err = broker.Start(broker.Config{Addr: addr, Users: users("wrong-7b21")})
		return err == nil
	})
	defer b.Close()
	l.until(t, "up", up)
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
}

// TestFloodLeavesTheFloorItsRoom: what waits of one topic takes nothing of the other's room or rate, and little memory.
func TestFloodLeavesTheFloorItsRoom(t *testing.T) {
	r := openRecord(t, t.TempDir())
	c, err := New(Config{Broker: "127.0.0.1:1", Table: tableName, CursorDir: r.dir}, r.Journal)
	if err != nil {
		t.Fatal(err)
	}
	l := newLink(c)
	before := heap()
	for range 1000 {
		l.receive(nil, message{c.topics.commandGame, make([]byte, 100<<10)})
	}
	if grown := heap() - before; grown > 4<<20 {
		t.Errorf("%d bytes wait", grown)
	}
	l.receive(nil, message{c.topics.commandFloor, []byte(`{"v":1,"id":"p","do":"pause","by":"S-2"}`)})
	if len(l.floor) != 1 || c.Stats().Dropped == 0 {
		t.Errorf("%d commands of the floor wait; %d messages were dropped", len(l.floor), c.Stats().Dropped)
	}
	if _, bad := parseCommand(table.ToGame, (<-l.game).payload); bad == nil || bad.code != table.TooLarge {
		t.Errorf("what was too large is %+v", bad)
	}
}

// message is one of the library's.
type message struct {
	topic   string
	payload []byte
}

func (m message) Duplicate() bool   { return false }
func (m message) Qos() byte         { return 0 }
func (m message) Retained() bool    { return false }
func (m message) Topic() string     { return m.topic }
func (m message) MessageID() uint16 { return 0 }
func (m message) Payload() []byte   { return m.payload }
func (m message) Ack()              {}
