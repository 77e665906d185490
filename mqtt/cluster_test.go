//go:build real

package mqtt

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/mqtttest"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/box"
	"sabot/table/live"
	"sabot/table/sim"
	"sabot/table/wager"
)

// natsNode is a NATS server of its own process.
type natsNode struct {
	t       *testing.T
	conf    string // its file
	mqtt    string // host:port
	health  string // URL
	process *exec.Cmd
}

// natsProgram is where `make parts` puts the server.
func natsProgram(t *testing.T) string {
	if p, err := exec.LookPath("nats-server"); err == nil {
		return p
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(cache, "sabot", "bin", "nats-server")
}

// newCluster is three nodes with the configuration that is shipped, for so many tables; only paths, addresses, passwords and the encryption, which the doors of Mosquitto
// have, are others.
func newCluster(t *testing.T, tables []string) []*natsNode {
	t.Helper()
	shipped, err := os.ReadFile("../systemd/cluster/nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	text := withTables(string(shipped), tables)
	dir := t.TempDir()
	changes := []string{"  tls { cert_file: /etc/nats/server.crt, key_file: /etc/nats/server.key }\n", ""}
	var nodes []*natsNode
	for i := range 3 {
		changes = append(changes, fmt.Sprintf("10.0.7.%d:6222", i+1), mqtttest.FreeAddr(t))
		nodes = append(nodes, &natsNode{t: t, conf: filepath.Join(dir, fmt.Sprintf("nats-%d.conf", i+1)), mqtt: mqtttest.FreeAddr(t), health: mqtttest.FreeAddr(t)})
	}
	for i, n := range nodes {
		conf := strings.Replace(text, `listen: "10.0.7.1:6222"`, fmt.Sprintf(`listen: "10.0.7.%d:6222"`, i+1), 1)
		conf = changed(t, conf, append(changes, "10.0.7.1:8883", n.mqtt, "127.0.0.1:4222", mqtttest.FreeAddr(t), "server_name: nats-1", fmt.Sprintf("server_name: nats-%d\nhttp: %q", i+1, n.health),
			"/var/lib/nats", filepath.Join(dir, fmt.Sprint("store-", i+1)))...)
		if err := os.WriteFile(n.conf, []byte(conf), 0o600); err != nil {
			t.Fatal(err)
		}
		n.start()
	}
	for _, n := range nodes {
		n.healthy()
	}
	return nodes
}

// withTables is the shipped configuration with other tables' lines, as it says they are written.
func withTables(conf string, tables []string) string {
	begin, end := strings.Index(conf, "      { user: BJ-1,"), strings.Index(conf, "    ]\n")
	var lines strings.Builder
	for _, name := range tables {
		lines.WriteString(strings.ReplaceAll(conf[begin:end], "BJ-1", name))
	}
	return conf[:begin] + lines.String() + conf[end:]
}

func (n *natsNode) start() {
	n.t.Helper()
	n.process = exec.Command(natsProgram(n.t), "-c", n.conf)
	log, err := os.OpenFile(n.conf+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		n.t.Fatal(err)
	}
	n.process.Stderr = log
	if err := n.process.Start(); err != nil {
		n.t.Fatalf("nats-server is needed (make parts): %v", err)
	}
	n.t.Cleanup(func() {
		n.kill()
		if n.t.Failed() {
			text, _ := os.ReadFile(n.conf + ".log")
			n.t.Logf("%s: %s", filepath.Base(n.conf), text[max(0, len(text)-1500):])
		}
	})
}

// kill ends it without warning.
func (n *natsNode) kill() {
	n.process.Process.Kill()
	n.process.Wait()
}

// healthy waits until the node says that it knows all it must.
func (n *natsNode) healthy() {
	n.t.Helper()
	soon(n.t, "health of "+n.conf, func() bool {
		r, err := http.Get("http://" + n.health + "/healthz")
		if err != nil {
			return false
		}
		defer r.Body.Close()
		io.Copy(io.Discard, r.Body)
		return r.StatusCode == http.StatusOK
	})
}

// addresses are the nodes', the i-th first.
func addresses(nodes []*natsNode, i int) string {
	var list []string
	for k := range nodes {
		list = append(list, nodes[(i+k)%len(nodes)].mqtt)
	}
	return strings.Join(list, ",")
}

// dealt is a table that deals legal rounds, with its ledger, as fast as what it says is heard.
type dealt struct {
	*live.Live
	client *Client
	last   atomic.Pointer[table.Snapshot]
	people *sim.People
	stop   func() // no more is dealt
}

// A table says something so often, some three times as often as one with people at it, and deals so far ahead of what was heard.
const (
	every = time.Second
	ahead = 32
)

func deal(t *testing.T, name, broker string, seed uint64) *dealt {
	t.Helper()
	rules, bets := blackjack.Deluxe(), wager.Deluxe()
	rules.BetTime, rules.InsuranceTime, rules.DecisionTime = 0, 0, 0 // nobody plays late, however slow this machine is
	d := &dealt{people: sim.NewPeople(int(rules.Decks), true, seed)}
	dir := t.TempDir()
	var err error
	d.Live, err = live.Open(dir, live.Config{
		Table: name, GameName: "blackjack", Rules: "deluxe", Configuration: json.RawMessage("{}"), SegmentPerShoe: true, Box: box.Box{},
		New: func(o table.Opening) table.Game {
			return table.NewRound(wager.New(blackjack.New(&rules, o), &bets)).After(o)
		},
		Show: func(s table.Snapshot) { d.last.Store(&s); d.client.Show(s) }, Halt: func() {}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	d.client, err = New(Config{Broker: broker, User: name, Password: "SECRET-OF-" + name, Table: name, CursorDir: dir, Command: d.Live.Command}, d.Journal())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	dealing, stopDealing := context.WithCancel(ctx)
	var running, publishing sync.WaitGroup
	running.Go(func() { d.Run(dealing) })
	running.Go(func() { d.play(t, dealing) })
	publishing.Go(func() {
		if err := d.client.Run(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	d.stop = func() { stopDealing(); running.Wait() }
	t.Cleanup(func() { d.stop(); cancel(); publishing.Wait(); d.Close() })
	return d
}

// play does what is due.
func (d *dealt) play(t *testing.T, ctx context.Context) {
	done := make(chan struct{}, 1)
	for n := 0; ctx.Err() == nil; n++ {
		time.Sleep(every)
		s := d.last.Load()
		if s == nil || s.Seq > d.client.Stats().Acknowledged+ahead {
			continue
		}
		e := d.people.Next(&s.Layout)
		switch {
		case e.Kind == table.NoEvent:
			t.Errorf("%s is stopped", s.Layout.Table)
			return
		case e.Asked():
			from := table.ToGame
			if e.By() != "" {
				from = table.ToFloor
			}
			d.Command(table.Command{ID: fmt.Sprint("c", n), From: from, Event: e}, func(r table.Reply) {
				if !r.OK && r.Code != table.Busy {
					t.Errorf("%s: %v was refused: %v", s.Layout.Table, e, r.Code)
				}
				done <- struct{}{}
			})
		default:
			d.Device(live.Input{Event: e, Done: func() { done <- struct{}{} }})
		}
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
}

// listener reads what all tables say.
type listener struct {
	client paho.Client
	mu     sync.Mutex
	Reader
	gaps   []string
	seen   map[string]map[int64]int64 // by topic and seq, the prev
	joined atomic.Int64
}

// listen subscribes once: the session outlives the connection, and the node.
func listen(t *testing.T, name, nodes string) *listener {
	t.Helper()
	l := &listener{seen: map[string]map[int64]int64{}}
	o := paho.NewClientOptions().SetClientID(name).SetUsername("staff").SetPassword("SECRET-OF-staff").SetProtocolVersion(4).SetOrderMatters(true).
		SetCleanSession(false).SetAutoReconnect(true).SetMaxReconnectInterval(200 * time.Millisecond).SetConnectTimeout(connectTimeout).SetKeepAlive(keepAlive).SetDefaultPublishHandler(l.hear)
	for n := range strings.SplitSeq(nodes, ",") {
		o.AddBroker("tcp://" + n)
	}
	o.OnConnect = func(paho.Client) { l.joined.Add(1) }
	l.client = paho.NewClient(o)
	t.Cleanup(func() { l.client.Disconnect(0) })
	if token := l.client.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatalf("%s: %v", name, token.Error())
	}
	token := l.client.SubscribeMultiple(map[string]byte{"sabot/+/call": 1, "sabot/+/floor": 1, "sabot/+/settlement": 1}, l.hear)
	if !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatalf("%s: %v", name, token.Error())
	}
	return l
}

func (l *listener) hear(_ paho.Client, m paho.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var n numbered
	json.Unmarshal(m.Payload(), &n)
	if l.seen[m.Topic()] == nil {
		l.seen[m.Topic()] = map[int64]int64{}
	}
	l.seen[m.Topic()][n.Seq] = n.Prev
	last := l.Last(m.Topic())
	if seq, _, gap := l.Take(m.Topic(), m.Payload()); gap {
		l.gaps = append(l.gaps, fmt.Sprintf("%s: %d after %d", m.Topic(), seq, last))
	}
}

// all says that the last call of a table was heard, and its floor and its settlement: what is before those, gaps tell.
func (l *listener) all(d *dealt) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	topics := topicsOf(d.last.Load().Layout.Table)
	return l.Last(topics.call) >= d.Journal().Durable() && l.Last(topics.floor) > 0 && l.Last(topics.settlement) > 0
}

// soon waits, for as long as three nodes may take that share two cores with the tables.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("never came: %s", what)
}

// leads says that a node leads the stream of all messages: its death is the worst.
func (n *natsNode) leads() bool {
	r, err := http.Get("http://" + n.health + "/jsz?streams=true")
	if err != nil {
		return false
	}
	defer r.Body.Close()
	var all struct {
		Accounts []struct {
			Streams []struct {
				Name    string
				Cluster struct{ Leader string }
			} `json:"stream_detail"`
		} `json:"account_details"`
	}
	if json.NewDecoder(r.Body).Decode(&all) != nil || len(all.Accounts) == 0 {
		return false
	}
	for _, s := range all.Accounts[0].Streams {
		if s.Name == "$MQTT_msgs" {
			return s.Cluster.Leader+".conf" == filepath.Base(n.conf)
		}
	}
	return false
}

// A studio of fifty tables outlives a node of its broker: the one that leads.
func TestClusterLosesAndReordersNothing(t *testing.T) {
	var tables []*dealt
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprintf("T-%02d", i+1))
	}
	nodes := newCluster(t, names)
	var listeners []*listener
	for i := range nodes {
		listeners = append(listeners, listen(t, fmt.Sprint("listener-", i), addresses(nodes, i)))
	}
	for i, name := range names {
		tables = append(tables, deal(t, name, addresses(nodes, i), uint64(i)))
	}
	onward(t, "begun", tables, 10)
	leader := slices.IndexFunc(nodes, (*natsNode).leads)
	if leader < 0 {
		t.Fatal("nobody leads")
	}
	nodes[leader].kill()
	onward(t, "without the leader", tables, 30)
	nodes[leader].start()
	nodes[leader].healthy()
	onward(t, "with it again", tables, 10)
	for _, d := range tables {
		d.stop()
		soon(t, "all acknowledged", func() bool { return d.client.Stats().Acknowledged == d.Journal().Durable() })
	}
	testClusterDoors(t, nodes[leader].mqtt)
	for i, l := range listeners {
		for k, d := range tables {
			soon(t, fmt.Sprintf("listener %d to hear all of %s", i, names[k]), func() bool { return l.all(d) })
		}
		if i == leader { // what it had not acknowledged came again, behind others
			l.whole(t, tables)
		} else {
			l.verdict(t, i)
		}
	}
	for _, n := range nodes {
		testClusterRetained(t, n.mqtt, tables)
	}
}

// onward waits until each table has had that many more entries back.
func onward(t *testing.T, what string, tables []*dealt, by int64) {
	t.Helper()
	began, connections := time.Now(), int64(0)
	from := make([]int64, len(tables))
	for i, d := range tables {
		from[i] = d.client.Stats().Acknowledged
	}
	for i, d := range tables {
		soon(t, what, func() bool { return d.client.Stats().Acknowledged >= from[i]+by })
		connections += d.client.Stats().Connections
	}
	t.Logf("%s: %d entries of each in %v, %d connections so far", what, by, time.Since(began).Round(time.Second), connections)
}

func (l *listener) verdict(t *testing.T, i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t.Logf("listener %d connected %d times; %d messages came twice", i, l.joined.Load(), l.Twice)
	if l.Missed > 0 {
		t.Errorf("listener %d missed or misordered %d: %s", i, l.Missed, strings.Join(l.gaps[:min(10, len(l.gaps))], "; "))
	}
}

// whole looks whether all was heard, in whatever order.
func (l *listener) whole(t *testing.T, tables []*dealt) {
	t.Helper()
	for _, d := range tables {
		topics := topicsOf(d.last.Load().Layout.Table)
		soon(t, "every call of "+topics.call, func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return int64(len(l.seen[topics.call])) == d.Journal().Durable()
		})
		for _, topic := range []string{topics.floor, topics.settlement} {
			l.mu.Lock()
			for seq, prev := range l.seen[topic] {
				if _, ok := l.seen[topic][prev]; !ok && prev != 0 {
					t.Errorf("%s: %d was heard, and %d before it was not", topic, seq, prev)
				}
			}
			l.mu.Unlock()
		}
	}
	t.Logf("the listener at the dead node heard all, %d of it late", l.Missed)
}

// testClusterRetained asks a node, as one who comes later, how the tables stand.
func testClusterRetained(t *testing.T, addr string, tables []*dealt) {
	t.Helper()
	var mu sync.Mutex
	held := map[string]numbered{}
	states := map[string]string{}
	c := clusterClient(t, addr, "staff")
	token := c.SubscribeMultiple(map[string]byte{"sabot/+/status": 1, "sabot/+/layout": 1, "sabot/+/floor/state": 1}, func(_ paho.Client, m paho.Message) {
		mu.Lock()
		defer mu.Unlock()
		var n struct {
			numbered
			State string
		}
		json.Unmarshal(m.Payload(), &n)
		held[m.Topic()], states[m.Topic()] = n.numbered, n.State
	})
	if !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	for _, d := range tables {
		now := d.last.Load()
		topics, record := topicsOf(now.Layout.Table), d.Journal().Record()
		soon(t, "what is retained of "+now.Layout.Table, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return states[topics.status] == online && held[topics.layout].Seq == now.Seq && held[topics.layout].Record == record && held[topics.floorState].Record == record
		})
	}
}

// testClusterDoors tries a few of the doors: what they let through the listeners would hear, and miss something before it.
func testClusterDoors(t *testing.T, addr string) {
	t.Helper()
	forged := `{"v":1,"seq":1000000,"prev":999998}`
	for user, topics := range map[string][]string{
		"overlay":   {"sabot/T-01/call", "sabot/T-01/command/floor"},
		"T-02":      {"sabot/T-01/call", "sabot/T-01/settlement"},
		"T-01-game": {"sabot/T-01/call", "sabot/T-01/settlement", "sabot/T-01/command/floor"},
		"staff":     {"sabot/T-01/call", "sabot/T-01/floor"},
	} {
		c := clusterClient(t, addr, user)
		for _, topic := range topics {
			if token := c.Publish(topic, 1, false, forged); !token.WaitTimeout(patience) || token.Error() != nil {
				t.Errorf("%s: %v", user, token.Error())
			}
		}
	}
	for user, topic := range map[string]string{"overlay": "sabot/T-01/floor", "T-02": "sabot/T-01/call", "T-01-game": "sabot/T-01/floor/state"} {
		token := clusterClient(t, addr, user).Subscribe(topic, 1, func(paho.Client, paho.Message) {})
		if token.WaitTimeout(patience); token.(*paho.SubscribeToken).Result()[topic] < 0x80 {
			t.Errorf("%s may read %s", user, topic)
		}
	}
}

// clusterClient connects as a user of the shipped configuration.
func clusterClient(t *testing.T, addr, user string) paho.Client {
	t.Helper()
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID(fmt.Sprint(user, "-", time.Now().UnixNano())).SetUsername(user).SetPassword("SECRET-OF-" + user).SetProtocolVersion(4))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatalf("%s: %v", user, token.Error())
	}
	t.Cleanup(func() { c.Disconnect(0) })
	return c
}

// A Mosquitto at the table, with the configuration that is shipped, carries everything to a cluster and back, also when the node it talks to dies; and when it is dead itself
// the cluster says so.
func TestBridgeLosesAndReordersNothing(t *testing.T) {
	nodes := newCluster(t, []string{"T-01"})
	l := listen(t, "listener", addresses(nodes, 1))
	at := map[string]chan string{"bridge": make(chan string, 100), "reply/floor": make(chan string, 100)}
	staff := clusterClient(t, nodes[2].mqtt, "staff")
	for name, heard := range at {
		staff.Subscribe("sabot/T-01/"+name, 1, func(_ paho.Client, m paho.Message) { heard <- string(m.Payload()) }).WaitTimeout(patience)
	}
	local := mqtttest.FreeAddr(t)
	kill := startBridge(t, local, nodes)
	tables := []*dealt{deal(t, "T-01", local, 1)}
	onward(t, "begun", tables, 10)
	soon(t, "the bridge to be there", func() bool { return <-at["bridge"] == "1" })
	nodes[0].kill()
	onward(t, "without the bridge's node", tables, 30)
	soon(t, "an answer to the staff", func() bool {
		staff.Publish("sabot/T-01/command/floor", 1, false, `{"v":1,"id":"d1","do":"dealer","name":"D-7","by":"S-1"}`).WaitTimeout(patience)
		select {
		case r := <-at["reply/floor"]:
			return strings.Contains(r, `"id":"d1","ok":true`)
		case <-time.After(time.Second):
			return false
		}
	})
	tables[0].stop()
	soon(t, "the listener to hear all", func() bool { return l.all(tables[0]) })
	l.verdict(t, 0)
	testClusterRetained(t, nodes[2].mqtt, tables)
	kill()
	soon(t, "the cluster to say that the bridge is gone", func() bool { return <-at["bridge"] == "0" })
}

// startBridge runs a Mosquitto that is the table's own; only paths, addresses, and the encryption are not as shipped.
func startBridge(t *testing.T, local string, nodes []*natsNode) (kill func()) {
	t.Helper()
	b, err := os.ReadFile("../systemd/cluster/bridge.conf")
	if err != nil {
		t.Fatal(err)
	}
	who, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(local)
	dir := t.TempDir()
	conf := changed(t, string(b), "10.0.7.1:8883 10.0.7.2:8883 10.0.7.3:8883", strings.ReplaceAll(addresses(nodes, 0), ",", " "), "bridge_cafile /etc/mosquitto/sabot/ca.crt\n", "",
		"listener 1883 127.0.0.1", "listener "+port+" 127.0.0.1", "BJ-1", "T-01")
	file := filepath.Join(dir, "mosquitto.conf")
	conf = fmt.Sprintf("user %s\npersistence_location %s/\nlog_dest file %s/log\n", who.Username, dir, dir) + conf
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	process := exec.Command("mosquitto", "-c", file)
	if err := process.Start(); err != nil {
		t.Fatalf("mosquitto is needed (package mosquitto): %v", err)
	}
	kill = func() { process.Process.Kill(); process.Wait() }
	t.Cleanup(func() {
		kill()
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Logf("mosquitto: %s", log[max(0, len(log)-3000):])
		}
	})
	return kill
}
