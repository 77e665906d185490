package mqtt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"sabot/mqtt/broker"
	"sabot/mqtt/mqtttest"
	"sabot/shoe"
	"sabot/table"
	"sabot/table/journal"
)

const tableName = "BJ-1"

// patience is how long a test waits for what must come. Nothing is concluded from how long it took.
const patience = time.Minute

// quick is a pace for tests.
var quick = pace{first: 20 * time.Millisecond, last: 100 * time.Millisecond, echo: 5 * time.Second, answer: 300 * time.Millisecond, status: 300 * time.Millisecond, gone: 5 * time.Second, save: 20 * time.Millisecond, tick: 20 * time.Millisecond}

// eventually waits for a condition.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("never came: %s", what)
}

// copyFolder copies a folder's files.
func copyFolder(t *testing.T, to, from string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// record is a journal with an entry maker.
type record struct {
	*journal.Journal
	t   testing.TB
	dir string
	seq int64
}

func openRecord(t testing.TB, dir string) *record {
	t.Helper()
	j, _, err := journal.Open(dir, journal.Header{Table: tableName, Game: "blackjack", Rules: "deluxe"}, journal.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return &record{Journal: j, t: t, dir: dir, seq: j.Durable()}
}

// add appends an event with its calls.
func (r *record) add(notation string, calls ...table.Call) int64 {
	e, err := table.Parse(notation)
	if err != nil {
		r.t.Fatal(err)
	}
	r.seq++
	e.Seq, e.At = r.seq, time.Duration(r.seq)*time.Millisecond
	entry := journal.Entry{Seq: e.Seq, At: e.At, Round: uint32(r.seq/20 + 1), Event: e, Raw: []byte("raw of it")}
	entry.Calls, entry.Floor, entry.Game = table.AppendCalls(nil, calls, table.ToAll), table.AppendCalls(nil, calls, table.ToFloor), table.AppendCalls(nil, calls, table.ToGame)
	if err := r.Append(&entry); err != nil {
		r.t.Error(err)
	}
	return r.seq
}

// play appends n entries of every kind: with calls, without, for the floor, and for the game server.
func (r *record) play(n int) {
	for range n {
		switch r.seq % 5 {
		case 0:
			r.add("draw 9s", table.Call{Word: table.CallCard, Hand: table.SeatHand(3, 0), Card: shoe.New(9, shoe.Spades), Why: table.WhyDeal, Total: 9})
		case 1:
			r.add("draw Qc", table.Call{Word: table.CallCard, Hand: table.DealerHand, Why: table.WhyHole})
		case 2:
			r.add("dealer D-7")
		case 3:
			r.add("draw 4h", table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: r.seq + 1, Code: table.ExtraCard, Class: table.Now, Remedy: table.Use}, table.Call{Word: table.CallStopped})
		case 4:
			r.add(fmt.Sprintf("release %d use by S-2 because \"<it> & all\"", r.seq), table.Call{Word: table.CallReleased, To: table.ToFloor, Ref: r.seq, Code: table.ExtraCard, Remedy: table.Use}, table.Call{Word: table.CallReleased}, payment(table.CallPaid))
		}
	}
}

// payment is a settlement of a hand's bet.
func payment(w table.Word) table.Call {
	c := table.Call{Word: w, To: table.ToGame, Spot: table.Spot{Bet: table.BetSeat, At: 3}, Hand: table.SeatHand(3, 1), Staked: 100, Paid: 250}
	name, _ := table.MakeReference("P-81")
	c.SetReference(name)
	return c
}

// snapshot is what the table shows at the record's end.
func (r *record) snapshot() table.Snapshot {
	at := time.Now().UTC()
	net := table.HalfUnit(3)
	return table.Snapshot{
		Seq: r.seq,
		Layout: table.Layout{V: 1, Record: r.Record(), Seq: r.seq, At: at, Table: tableName, Game: "blackjack", Rules: "deluxe", Round: 37,
			Shoe: table.LayoutShoe{Number: 12, Dealt: 83, Left: 333}, Phase: table.Decisions,
			Due:    &table.LayoutDue{Kind: "decision", Hand: "3a", May: []string{"hit", "stand", "double"}, LeftMs: 8200, Until: &at},
			Seats:  []table.LayoutSeat{{Seat: 3, Hands: []table.LayoutHand{{Hand: "3a", Cards: []string{"9s", "2d"}, Total: 11, State: "playing"}}, Pair: "none", Insurance: "decline"}},
			Dealer: &table.LayoutHand{Cards: []string{"9c", "back"}, Total: 9},
			Last:   &table.Recap{Round: 36, Ended: "played_out", Dealer: 19, Results: []table.RecapResult{{Hand: "3a", Result: "blackjack", Net: net}}}},
		Floor: table.FloorState{V: 1, Record: r.Record(), Seq: r.seq, At: at, Table: tableName, Dealer: "D-7", Void: []uint32{2, 1}, Paused: true, Pause: &table.Ordered{By: "S-2", Because: "tea"},
			Undo: &table.PastDecision{Seq: 7, Hand: "3a", Decision: "even-money"}, Cards: []table.PastCard{{Seq: 2, Round: 36, Hand: "banker", Card: "9s"}, {Seq: 3, Round: 37, Hand: "dealer", Card: "back"}}, Devices: map[string]string{"shoe-1": "ok"},
			Stops: []table.StopState{{Irregularity: 4, Code: "EXTRA_CARD", Aside: true, Remedies: table.ExtraCard.Remedies(), Hands: []string{"3a"}},
				{Irregularity: 5, Code: "DEVICE_FAULT", Remedies: table.DeviceFault.Remedies(), Order: &table.Ordered{By: "S-1"}, Device: &table.StopDevice{Name: "shoe", Fault: "jam", Over: true}}}, Box: &table.BoxState{Cursor: 3, Playing: []int{1, 3}}},
	}
}

// schemas are the contract, compiled once.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	files, _ := Schema.ReadDir("schema")
	for _, f := range files {
		b, _ := Schema.ReadFile(path.Join("schema", f.Name()))
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			panic(f.Name() + ": " + err.Error())
		}
		if err := compiler.AddResource("file:///"+f.Name(), doc); err != nil {
			panic(err)
		}
	}
	all := map[string]*jsonschema.Schema{}
	for _, f := range files {
		all[strings.TrimSuffix(f.Name(), ".json")] = compiler.MustCompile("file:///" + f.Name())
	}
	return all
})

// conforms checks a payload against the schema of its topic.
func conforms(name string, payload []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(payload))
	if err != nil {
		return err
	}
	return schemas()[name].Validate(doc)
}

// readme is the contract's text.
func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var schemaOf = map[string]string{"status": "status", "layout": "layout", "call": "call", "floor": "floor", "floor/state": "floor-state", "settlement": "settlement", "reply/game": "reply", "reply/floor": "reply"}

// watcher is a subscriber. Everything it hears must be as the schemas say.
type watcher struct {
	t      *testing.T
	client paho.Client
	mu     sync.Mutex
	heard  []heard
	marks  chan struct{}
}

func watch(t *testing.T, addr string) *watcher {
	t.Helper()
	w := &watcher{t: t, marks: make(chan struct{}, 1)}
	w.join(addr)
	t.Cleanup(func() { w.client.Disconnect(0) })
	return w
}

// join connects and subscribes to everything.
func (w *watcher) join(addr string) {
	w.t.Helper()
	o := paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID(fmt.Sprintf("watcher-%d", time.Now().UnixNano())).SetProtocolVersion(4).SetAutoReconnect(false)
	eventually(w.t, "the watcher's connection", func() bool {
		w.client = paho.NewClient(o)
		token := w.client.Connect()
		return token.WaitTimeout(patience) && token.Error() == nil
	})
	token := w.client.SubscribeMultiple(map[string]byte{"sabot/" + tableName + "/#": 1, "mark": 1}, w.hear)
	if !token.WaitTimeout(patience) || token.Error() != nil {
		w.t.Fatal(token.Error())
	}
	w.drain()
}

func (w *watcher) hear(_ paho.Client, m paho.Message) {
	if m.Topic() == "mark" {
		w.marks <- struct{}{}
		return
	}
	name := strings.TrimPrefix(m.Topic(), "sabot/"+tableName+"/")
	if s, ok := schemaOf[name]; ok && len(m.Payload()) > 0 && !strings.Contains(string(m.Payload()), "forged") {
		if err := conforms(s, m.Payload()); err != nil {
			w.t.Errorf("%s: %s: %v", name, m.Payload(), err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard = append(w.heard, heard{name, m.Payload(), m.Retained()})
}

// drain waits until everything the broker had for the watcher has come.
func (w *watcher) drain() {
	w.t.Helper()
	w.publish("mark", false, "x")
	select {
	case <-w.marks:
	case <-time.After(patience):
		w.t.Fatal("the broker does not deliver")
	}
}

func (w *watcher) publish(topic string, retain bool, payload string) {
	w.t.Helper()
	if token := w.client.Publish(topic, 1, retain, payload); !token.WaitTimeout(patience) || token.Error() != nil {
		w.t.Fatal(token.Error())
	}
}

// command publishes on one of the table's command topics.
func (w *watcher) command(to, payload string) {
	w.t.Helper()
	w.publish("sabot/"+tableName+"/command/"+to, false, payload)
}

// on gives the payloads heard on a topic.
func (w *watcher) on(topic string) []heard {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []heard
	for _, h := range w.heard {
		if h.topic == topic {
			list = append(list, h)
		}
	}
	return list
}

// last gives the last payload heard on a topic as an object.
func (w *watcher) last(topic string) map[string]any {
	list := w.on(topic)
	m := map[string]any{}
	if len(list) > 0 {
		json.Unmarshal(list[len(list)-1].payload, &m)
	}
	return m
}

// numbered is what of a message tells its place.
type numbered struct {
	Record string
	Seq    int64
	Prev   int64
	ID     string
}

// ordered checks a topic as a reader would: drop what was heard, and then there must be no gap. It gives the last seq
// and how many came twice.
func (w *watcher) ordered(topic string) (last int64, twice int) {
	w.t.Helper()
	for _, h := range w.on(topic) {
		var n numbered
		if err := json.Unmarshal(h.payload, &n); err != nil {
			w.t.Fatal(err)
		}
		before := n.Seq - 1
		if topic == "floor" || topic == "settlement" {
			before = n.Prev
		}
		switch {
		case n.Seq <= last:
			twice++
		case before != last:
			w.t.Fatalf("%s: seq %d says it follows %d, but comes after %d", topic, n.Seq, before, last)
		default:
			last = n.Seq
		}
	}
	return last, twice
}

// runClient makes a client of a record, shows it the table, and runs it until the test, or stop, ends.
func runClient(t *testing.T, r *record, addr string, change func(*Client)) (c *Client, stop func()) {
	t.Helper()
	c, err := New(Config{Broker: addr, Table: tableName, CursorDir: r.dir, Command: func(table.Command, func(table.Reply)) {}}, r.Journal)
	if err != nil {
		t.Fatal(err)
	}
	c.pace = quick
	c.Show(r.snapshot())
	if change != nil {
		change(c)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("run: %v", err)
			}
		case <-time.After(patience):
			t.Error("run does not end")
		}
	})
	t.Cleanup(stop)
	return c, stop
}

// startBroker starts one at addr; at "" somewhere where it can be started again.
func startBroker(t *testing.T, addr string) *broker.Broker {
	t.Helper()
	if addr == "" {
		addr = mqtttest.FreeAddr(t)
	}
	var b *broker.Broker
	eventually(t, "the broker's port", func() (ok bool) {
		var err error
		b, err = broker.Start(broker.Config{Addr: addr})
		return err == nil
	})
	t.Cleanup(func() { b.Close() })
	return b
}

// cable is a link that can be pulled and plugged, that may be slow, and that can stall: then it is there and carries nothing.
type cable struct {
	net.Listener
	mu    sync.Mutex
	slow  time.Duration // for each 64 bytes
	to    string
	in    bool
	conns []net.Conn
	still chan struct{} // closed when it carries again; nil when it does
}

// carry is io.Copy over the cable.
func (c *cable) carry(to io.Writer, from io.Reader) {
	for b := make([]byte, 32<<10); ; {
		c.mu.Lock()
		slow := c.slow
		c.mu.Unlock()
		if slow > 0 {
			b = b[:64]
		}
		n, err := from.Read(b)
		time.Sleep(slow)
		c.mu.Lock()
		still := c.still
		c.mu.Unlock()
		if still != nil {
			<-still
		}
		if _, lost := to.Write(b[:n]); lost != nil || err != nil {
			return
		}
	}
}

func (c *cable) stall(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if on {
		c.still = make(chan struct{})
	} else {
		close(c.still)
		c.still = nil
	}
}

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{Listener: l, to: to, in: true}
	t.Cleanup(func() { l.Close(); c.pull() })
	go c.serve()
	return c
}

func (c *cable) serve() {
	for {
		near, err := c.Accept()
		if err != nil {
			return
		}
		c.mu.Lock()
		far, err := net.Dial("tcp", c.to)
		if err != nil || !c.in {
			near.Close()
			c.mu.Unlock()
			continue
		}
		c.conns = append(c.conns, near, far)
		c.mu.Unlock()
		for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
			go func() {
				c.carry(pair[0], pair[1])
				near.Close()
				far.Close()
			}()
		}
	}
}

func (c *cable) pull() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in = false
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns = nil
}

func (c *cable) plug(to string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in, c.to = true, to
}
