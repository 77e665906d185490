//go:build real

package mqtt

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/mqtttest"
	"sabot/table"
)

const shipped = "../systemd/mosquitto/"

// house is a Mosquitto with the files that are shipped, for two tables.
type house struct {
	t       *testing.T
	dir     string // what is /etc/mosquitto/sabot there
	addr    string
	process *exec.Cmd
	clients int
}

// run runs a program of the recipe.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
}

// newHouse does what the recipe says, in a folder of the test's; only paths and the port are others. The files stand under a main file such as Debian's.
func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), addr: mqtttest.FreeAddr(t)}
	run(t, shipped+"certificates.sh", h.dir, "127.0.0.1", "localhost")
	h.write("acl", h.acl())
	h.write("passwords", "")
	for _, name := range everybody {
		run(t, "mosquitto_passwd", "-b", filepath.Join(h.dir, "passwords"), name, password(name))
	}
	_, port, _ := net.SplitHostPort(h.addr)
	conf := changed(t, h.shipped("sabot.conf"), "/etc/mosquitto/sabot/", h.dir+"/", "listener 8883", "listener "+port+" 127.0.0.1")
	if err := os.Mkdir(filepath.Join(h.dir, "conf.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.write("conf.d/sabot.conf", conf)
	who, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	h.write("mosquitto.conf", fmt.Sprintf("user %s\npersistence true\npersistence_location %s/\nlog_dest file %s/log\ninclude_dir %s/conf.d\n", who.Username, h.dir, h.dir, h.dir))
	return h
}

// changed is a configuration that is shipped, with other words for some, given in pairs. What took a word's place is not changed again: one free port may begin with another.
func changed(t *testing.T, conf string, changes ...string) string {
	t.Helper()
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(conf, changes[i]) {
			t.Fatalf("the configuration says nothing of %s", changes[i])
		}
	}
	return strings.NewReplacer(changes...).Replace(conf)
}

func (h *house) shipped(name string) string {
	b, err := os.ReadFile(shipped + name)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(b)
}

func (h *house) write(name, text string) {
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// acl is the shipped one with another table's paragraphs, as it says they are written.
func (h *house) acl() string {
	text := h.shipped("acl")
	i := strings.Index(text, "user BJ-1\n")
	return text + "\n" + strings.ReplaceAll(text[i:], "BJ-1", "BJ-2")
}

func (h *house) start() {
	h.t.Helper()
	h.process = exec.Command("mosquitto", "-c", filepath.Join(h.dir, "mosquitto.conf"))
	if err := h.process.Start(); err != nil {
		h.t.Fatalf("mosquitto is needed (package mosquitto): %v", err)
	}
	h.t.Cleanup(func() {
		h.process.Process.Kill()
		h.process.Wait()
		if h.t.Failed() {
			log, _ := os.ReadFile(filepath.Join(h.dir, "log"))
			h.t.Logf("mosquitto: %s", log[max(0, len(log)-2000):])
		}
	})
	eventually(h.t, "mosquitto's port", func() bool {
		c, err := net.Dial("tcp", h.addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

func (h *house) reload() { h.process.Process.Signal(syscall.SIGHUP) }

// trust knows the house's authority.
func (h *house) trust() *tls.Config {
	b, err := os.ReadFile(filepath.Join(h.dir, "ca.crt"))
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(b) {
		h.t.Fatal("there is no ca.crt")
	}
	return &tls.Config{RootCAs: pool}
}

func password(name string) string { return "secret of " + name }

func (h *house) options(name string) *paho.ClientOptions {
	h.clients++
	return paho.NewClientOptions().AddBroker("ssl://" + h.addr).SetTLSConfig(h.trust()).SetClientID(fmt.Sprint("test-", h.clients)).SetUsername(name).SetPassword(password(name)).
		SetProtocolVersion(4).SetAutoReconnect(false).SetOrderMatters(true)
}

func (h *house) connect(o *paho.ClientOptions) paho.Client {
	h.t.Helper()
	c := paho.NewClient(o)
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		h.t.Fatalf("%s: %v", o.Username, token.Error())
	}
	h.t.Cleanup(func() { c.Disconnect(0) })
	return c
}

// everybody who has a password.
var everybody = []string{"overlay", "BJ-1", "BJ-1-game", "BJ-1-floor", "BJ-2", "BJ-2-game", "BJ-2-floor"}

// doors are the topics of a table T, who may read and who may write them.
var doors = []struct{ topic, read, write string }{
	{"sabot/T/status", "overlay T T-game T-floor", "T"},
	{"sabot/T/layout", "overlay T T-game T-floor", "T"},
	{"sabot/T/call", "overlay T T-game T-floor", "T"},
	{"sabot/T/settlement", "T T-game T-floor", "T"},
	{"sabot/T/floor", "T T-floor", "T"},
	{"sabot/T/floor/state", "T T-floor", "T"},
	{"sabot/T/command/game", "T T-floor", "T-game"},
	{"sabot/T/command/floor", "T T-floor", "T-floor"},
	{"sabot/T/reply/game", "T T-game T-floor", "T"},
	{"sabot/T/reply/floor", "T T-floor", "T"},
	{"sabot/T/call/x", "T-floor", ""},
	{"sabot/T", "T-floor", ""}, // # is the level above it, too
	{"sabot", "", ""},
	{"sabot/status", "", ""},
	{"other/T/call", "", ""},
	{"sabot/T/x/status", "T-floor", ""},
	{"/sabot/T/call", "", ""},
	{"$SYS/broker/uptime", "", ""},
	{"$sabot/T/call", "", ""},
	{"mark", "", ""},
}

// may says whether who is one of a door's, the table being T.
func may(list, who, T string) bool {
	for _, name := range strings.Fields(list) {
		if strings.Replace(name, "T", T, 1) == who {
			return true
		}
	}
	return false
}

// visitor is somebody who reads all he can.
type visitor struct {
	client paho.Client
	mu     sync.Mutex
	heard  map[string]bool // topic and payload
}

func (v *visitor) has(topic, payload string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.heard[topic+" "+payload]
}

// visit subscribes to everything, by wildcards and by name.
func (h *house) visit(name string) *visitor {
	h.t.Helper()
	v := &visitor{client: h.connect(h.options(name)), heard: map[string]bool{}}
	filters := map[string]byte{"#": 1, "+/#": 1, "$SYS/#": 1, "sabot/+/+": 1, "sabot/+/floor/#": 1, "$share/x/sabot/BJ-1/floor": 1}
	for _, d := range doors {
		for _, T := range []string{"BJ-1", "BJ-2"} {
			filters[strings.Replace(d.topic, "/T", "/"+T, 1)] = 1
		}
	}
	for filter := range filters {
		v.client.Subscribe(filter, 1, func(_ paho.Client, m paho.Message) { // a refusal is as good as silence
			v.mu.Lock()
			v.heard[m.Topic()+" "+string(m.Payload())] = true
			v.mu.Unlock()
		}).WaitTimeout(patience)
	}
	return v
}

// fence waits until each visitor has all that was published before it.
func (h *house) fence(tables map[string]paho.Client, visitors map[string]*visitor) {
	h.t.Helper()
	h.clients++
	mark := fmt.Sprint("fence ", h.clients)
	for T, c := range tables {
		h.write1(c, "sabot/"+T+"/status", mark, false)
	}
	for name, v := range visitors {
		for T := range tables {
			if may(doors[0].read, name, T) {
				eventually(h.t, name+"'s mark", func() bool { return v.has("sabot/"+T+"/status", mark) })
			}
		}
	}
}

func (h *house) write1(c paho.Client, topic, payload string, retain bool) {
	h.t.Helper()
	if token := c.Publish(topic, 1, retain, payload); !token.WaitTimeout(patience) || token.Error() != nil {
		h.t.Fatalf("publish %s: %v", topic, token.Error())
	}
}

// TestEveryDoor: everybody tries to read and to write every topic of his table, of another's and of nobody's, at the time and retained; what he can is what he may.
func TestEveryDoor(t *testing.T) {
	h := newHouse(t)
	h.start()
	visitors, tables, writers := map[string]*visitor{}, map[string]paho.Client{}, map[string]paho.Client{}
	for _, name := range everybody {
		visitors[name] = h.visit(name)
		writers[name] = h.connect(h.options(name))
	}
	for _, T := range []string{"BJ-1", "BJ-2"} {
		tables[T] = writers[T]
	}
	tried, shut := 0, 0
	check := func(visitors map[string]*visitor, note string) {
		h.fence(tables, visitors)
		for _, d := range doors {
			for _, T := range []string{"BJ-1", "BJ-2"} {
				topic := strings.Replace(d.topic, "/T", "/"+T, 1)
				for _, writer := range everybody {
					for reader, v := range visitors {
						tried++
						want := may(d.write, writer, T) && may(d.read, reader, T)
						if !want {
							shut++
						}
						if got := v.has(topic, writer+note); got != want {
							t.Errorf("%s writes %s%s, %s reads it: %v, want %v", writer, topic, note, reader, got, want)
						}
					}
				}
			}
		}
		for reader, v := range visitors {
			for heard := range v.heard {
				if strings.HasPrefix(heard, "$") {
					t.Errorf("%s reads %s", reader, heard)
				}
			}
		}
	}
	for _, retain := range []bool{false, true} {
		note := map[bool]string{true: " kept"}[retain]
		for _, d := range doors {
			for _, T := range []string{"BJ-1", "BJ-2"} {
				for name, c := range writers {
					h.write1(c, strings.Replace(d.topic, "/T", "/"+T, 1), name+note, retain)
				}
			}
		}
		check(visitors, note)
	}
	late := map[string]*visitor{}
	for _, name := range everybody {
		late[name] = h.visit(name)
	}
	check(late, " kept")
	t.Logf("%d ways tried, %d of them refused", tried, shut)
}

// TestWills: what somebody leaves to be said after him is bound as he was.
func TestWills(t *testing.T) {
	h := newHouse(t)
	h.start()
	tables := map[string]paho.Client{"BJ-1": h.connect(h.options("BJ-1")), "BJ-2": h.connect(h.options("BJ-2"))}
	visitors := map[string]*visitor{"BJ-1": h.visit("BJ-1"), "BJ-1-floor": h.visit("BJ-1-floor")}
	for name, topic := range map[string]string{"overlay": "status", "BJ-1-game": "command/floor", "BJ-1-floor": "floor/state", "BJ-2": "call", "BJ-1": "layout"} {
		o := h.options(name)
		h.connect(o.SetWill("sabot/BJ-1/"+topic, "will of "+name, 1, false))
		h.connect(h.options(name).SetClientID(o.ClientID)) // which ends the first
	}
	eventually(t, "the table's own will", func() bool { return visitors["BJ-1"].has("sabot/BJ-1/layout", "will of BJ-1") })
	h.fence(tables, visitors)
	for name, v := range visitors {
		for heard := range v.heard {
			if strings.Contains(heard, "will of") && heard != "sabot/BJ-1/layout will of BJ-1" {
				t.Errorf("%s reads %s", name, heard)
			}
		}
	}
}

// TestStrangers: who has no name, no password, another's, or no encryption stays outside.
func TestStrangers(t *testing.T) {
	h := newHouse(t)
	h.start()
	old := h.trust()
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	plain := h.options("BJ-1")
	plain.Servers = nil
	for what, o := range map[string]*paho.ClientOptions{
		"nobody":                       h.options("").SetPassword(""),
		"a name without a password":    h.options("BJ-1").SetPassword(""),
		"a wrong password":             h.options("BJ-1").SetPassword("secret of BJ-2"),
		"a hash for a password":        h.options("BJ-1").SetPassword(h.hash("BJ-1")),
		"an unknown name":              h.options("BJ-3"),
		"a name that is a wildcard":    h.options("#"),
		"another case":                 h.options("bj-1"),
		"one without encryption":       plain.AddBroker("tcp://" + h.addr),
		"an encryption of other times": h.options("BJ-1").SetTLSConfig(old),
	} {
		c := paho.NewClient(o.SetConnectTimeout(5 * time.Second))
		if token := c.Connect(); token.WaitTimeout(patience) && token.Error() == nil {
			t.Errorf("%s came in", what)
			c.Disconnect(0)
		}
	}
	h.connect(h.options("BJ-1")).Disconnect(0)
}

// hash is what the file of passwords holds of somebody.
func (h *house) hash(name string) string {
	b, _ := os.ReadFile(filepath.Join(h.dir, "passwords"))
	_, rest, ok := strings.Cut(string(b), name+":")
	if !ok {
		h.t.Fatalf("%s has no password", name)
	}
	hash, _, _ := strings.Cut(rest, "\n")
	return hash
}

// seat makes a table's client play through the house.
func (h *house) seat(r *record, name string, l links, change func(*Client)) *Client {
	c, _ := runClient(h.t, r, "ssl://"+h.addr, func(c *Client) {
		c.config.OnLink, c.config.TLS, c.config.User, c.config.Password = l.onLink, h.trust(), name, password(name)
		c.pace.echo = 500 * time.Millisecond
		if change != nil {
			change(c)
		}
	})
	return c
}

// follow is a watcher with a name: what it hears is held against the schemas.
func (h *house) follow(name string) *watcher {
	w := &watcher{t: h.t, client: h.connect(h.options(name))}
	if token := w.client.Subscribe("sabot/"+tableName+"/#", 1, w.hear); !token.WaitTimeout(patience) || token.Error() != nil {
		h.t.Fatal(token.Error())
	}
	return w
}

// TestATablePlaysThroughTheHouse: encrypted, as its own user, heard by those who may, and asked by them; the doctor finds every topic good.
func TestATablePlaysThroughTheHouse(t *testing.T) {
	h := newHouse(t)
	h.start()
	r := openRecord(t, t.TempDir())
	rights, _, err := Probe(t.Context(), Config{Broker: "ssl://" + h.addr, TLS: h.trust(), Table: tableName, User: "BJ-1", Password: password("BJ-1")})
	if err != nil || len(rights) != 8 {
		t.Fatalf("%v, %v", rights, err)
	}
	for _, right := range rights {
		if right.Why != "" {
			t.Errorf("%+v", right)
		}
	}
	floor, game, overlay := h.follow("BJ-1-floor"), h.follow("BJ-1-game"), h.follow("overlay")
	c := h.seat(r, "BJ-1", links{make(chan error, 100)}, func(c *Client) {
		c.config.Command = func(c table.Command, reply func(table.Reply)) { reply(table.Reply{ID: c.ID, OK: true, Seq: 1}) }
	})
	for range 100 {
		r.play(1)
		c.Show(r.snapshot())
	}
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	game.command("game", `{"v":1,"id":"g","round":37,"seen":412,"do":"hit","hand":"3a"}`)
	floor.command("floor", `{"v":1,"id":"f","do":"pause","by":"S-2"}`)
	eventually(t, "their replies", func() bool { return game.last("reply/game")["id"] == "g" && floor.last("reply/floor")["id"] == "f" })
	for name, w := range map[string]*watcher{"floor": floor, "game": game, "overlay": overlay} {
		eventually(t, name+" hears the last call", func() bool { n := len(w.on("call")); return n > 0 && w.last("call")["seq"] == float64(r.seq) })
		if last, twice := w.ordered("call"); last != r.seq || twice != 0 {
			t.Errorf("%s heard calls up to %d, %d twice", name, last, twice)
		}
		eventually(t, name+" sees the felt", func() bool {
			return w.last("layout")["seq"] == float64(r.seq) && w.last("status")["state"] == online
		})
	}
	if n := len(overlay.on("floor")) + len(overlay.on("settlement")) + len(overlay.on("reply/game")) + len(game.on("floor")); n > 0 {
		t.Errorf("%d messages went where they do not belong", n)
	}
	h.orders()
	game.client.Publish("sabot/BJ-1/command/game", 1, false, make([]byte, 200<<10))
	eventually(t, "the end of one who sends too much", func() bool { return !game.client.IsConnectionOpen() })
}

// orders sends one as `sabot floor` does, to a table that is there: only the floor's user is heard.
func (h *house) orders() {
	h.t.Helper()
	pause := table.Event{Kind: table.Pause, Text: &table.Text{By: "S-2"}}
	for name, want := range map[string]string{"BJ-1-floor": "", "overlay": "may this user write", "BJ-1-game": "may this user write", "BJ-2-floor": "nothing was heard of this table"} {
		limit := patience
		if want != "" {
			limit = 2 * time.Second // Mosquitto says nothing of what it refuses
		}
		ctx, cancel := context.WithTimeout(h.t.Context(), limit)
		defer cancel()
		console, err := Dial(ctx, Config{Broker: "ssl://" + h.addr, TLS: h.trust(), Table: tableName, User: name, Password: password(name)})
		if err == nil {
			defer console.Close()
			var a Answer
			if a, err = console.Order(ctx, table.Command{ID: "order", Event: pause}); err == nil && !a.OK {
				h.t.Errorf("%s: %+v", name, a)
			}
			if s, err := console.State(ctx); want == "" && (err != nil || s.State != online) {
				h.t.Errorf("%s sees %+v, %v", name, s, err)
			}
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			h.t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// TestPublishRefusedByACL: a line that is missing in the ACL is said by the name of its topic, moves no cursor, and is mended by a reload.
func TestPublishRefusedByACL(t *testing.T) {
	for _, topic := range []string{"layout", "call", "floor"} {
		h := newHouse(t)
		line := "topic readwrite sabot/BJ-1/" + topic + "\n"
		h.write("acl", strings.Replace(h.acl(), line, "topic read sabot/BJ-1/"+topic+"\n", 1))
		h.start()
		r := openRecord(t, t.TempDir())
		r.play(5)
		l := links{make(chan error, 100)}
		c := h.seat(r, "BJ-1", l, nil)
		l.until(t, "an alarm", about("sabot/BJ-1/"+topic+" does not come back"))
		if most := map[string]int64{"call": 0, "floor": 3, "layout": 5}[topic]; c.Stats().Acknowledged > most {
			t.Errorf("%s: acknowledged %d", topic, c.Stats().Acknowledged)
		}
		h.write("acl", h.acl())
		h.reload()
		l.until(t, "that it is well", up)
		eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == 5 })
	}
	h := newHouse(t)
	h.start()
	r := openRecord(t, t.TempDir())
	r.play(5)
	l := links{make(chan error, 100)}
	c := h.seat(r, "BJ-2", l, nil) // another table's user
	l.until(t, "an alarm", about("sabot/BJ-1/status does not come back"))
	if c.Stats().Acknowledged > 0 {
		t.Error("another table's user spoke for this one")
	}
}

// TestExpiredCertificate: a table does not talk to a broker whose certificate has ended, says so, deals on, and goes on when there is a new one. Nor does it to
// one that it cannot know.
func TestExpiredCertificate(t *testing.T) {
	h := newHouse(t)
	good, err := os.ReadFile(filepath.Join(h.dir, "server.crt"))
	if err != nil {
		t.Fatal(err)
	}
	h.write("server.crt", h.expired(good))
	h.start()
	r := openRecord(t, t.TempDir())
	l := links{make(chan error, 100)}
	c := h.seat(r, "BJ-1", l, nil)
	l.until(t, "that the certificate has ended", about("certificate has expired"))
	r.play(50)
	if got := c.Stats(); got.Connections > 0 || got.Published > 0 {
		t.Errorf("it talked all the same: %+v", got)
	}
	h.write("server.crt", string(good))
	h.reload()
	l.until(t, "that it is well", up)
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })

	stranger := links{make(chan error, 100)}
	other := openRecord(t, t.TempDir())
	runClient(t, other, "ssl://"+h.addr, func(c *Client) {
		c.config.OnLink, c.config.TLS, c.config.User, c.config.Password = stranger.onLink, &tls.Config{RootCAs: x509.NewCertPool()}, "BJ-2", password("BJ-2")
	})
	stranger.until(t, "an unknown authority", about("unknown authority"))
	wrong := links{make(chan error, 100)}
	third := openRecord(t, t.TempDir())
	runClient(t, third, "ssl://"+h.addr, func(c *Client) {
		c.config.OnLink, c.config.TLS, c.config.User, c.config.Password = wrong.onLink, h.trust(), "BJ-2", password("BJ-2")
		c.config.TLS.ServerName = "broker.elsewhere.example"
	})
	wrong.until(t, "another name", about("valid for localhost"))
}

// expired is the certificate as the house's authority would have made it long ago.
func (h *house) expired(now []byte) string {
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(h.dir, name))
		if err != nil {
			h.t.Fatal(err)
		}
		block, _ := pem.Decode(b)
		return block.Bytes
	}
	block, _ := pem.Decode(now)
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		h.t.Fatal(err)
	}
	authority, err := x509.ParseCertificate(read("ca.crt"))
	if err != nil {
		h.t.Fatal(err)
	}
	key, err := x509.ParseECPrivateKey(read("ca.key"))
	if err != nil {
		h.t.Fatal(err)
	}
	leaf.SerialNumber, leaf.NotBefore, leaf.NotAfter = big.NewInt(7), time.Now().Add(-48*time.Hour), time.Now().Add(-time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, leaf, authority, leaf.PublicKey.(*ecdsa.PublicKey), key)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}
