package broker

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
	"golang.org/x/crypto/bcrypt"
)

var house = map[string]User{
	"overlay": {Password: "o", Role: Overlay}, "game": {Password: "g", Role: Game}, "floor": {Password: "f", Role: Floor}, "table": {Password: "t", Role: Table},
}

func start(t *testing.T, c Config) *Broker {
	t.Helper()
	b, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// patience is how long a test waits for what must come. It decides nothing but how soon a failure shows.
const patience = time.Minute

func options(b *Broker, user string) *paho.ClientOptions {
	return paho.NewClientOptions().AddBroker("tcp://" + b.Addr()).SetClientID("test-" + user).SetProtocolVersion(4).
		SetAutoReconnect(false).SetUsername(user).SetPassword(user[:min(1, len(user))])
}

// dial connects; a nil client means that the broker refused.
func dial(t *testing.T, o *paho.ClientOptions) paho.Client {
	t.Helper()
	c := paho.NewClient(o)
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		return nil
	}
	t.Cleanup(func() { c.Disconnect(0) })
	return c
}

func connect(t *testing.T, b *Broker, user string) paho.Client {
	t.Helper()
	c := dial(t, options(b, user))
	if c == nil {
		t.Fatalf("%s was refused", user)
	}
	return c
}

func wait(t *testing.T, what string, token paho.Token) {
	t.Helper()
	if !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatalf("%s: %v", what, token.Error())
	}
}

// topics are all of a table's, each with who may read and who may write it.
var topics = []struct{ name, read, write string }{
	{"status", "overlay game floor table", "table"},
	{"layout", "overlay game floor table", "table"},
	{"call", "overlay game floor table", "table"},
	{"settlement", "game floor table", "table"},
	{"floor", "floor table", "table"},
	{"floor/state", "floor table", "table"},
	{"command/game", "floor table", "game table"},
	{"command/floor", "floor table", "floor table"},
	{"reply/game", "game floor table", "table"},
	{"reply/floor", "floor table", "table"},
	{"call/x", "floor table", "table"},
}

func TestRolesReadAndWriteWhatTheyMay(t *testing.T) {
	for _, topic := range topics {
		for name, u := range house {
			full := "sabot/BJ-1/" + topic.name
			if got, want := u.Role.may(full, false), strings.Contains(topic.read, name); got != want {
				t.Errorf("%s reads %s: %v, want %v", name, full, got, want)
			}
			if got, want := u.Role.may(full, true), strings.Contains(topic.write, name); got != want {
				t.Errorf("%s writes %s: %v, want %v", name, full, got, want)
			}
		}
	}
	for _, foreign := range []string{"other/BJ-1/call", "sabot/call", "call", "", "sabot", "$SYS/broker/uptime", "$share/g/sabot/BJ-1/floor", "$SYS/#", "$share/g/#"} {
		for _, r := range []Role{Overlay, Game, Floor} {
			if r.may(foreign, false) || r.may(foreign, true) {
				t.Errorf("%s may use %q", r, foreign)
			}
		}
	}
}

// A subscription to everything brings what the role may read and nothing else.
func TestWildcardsBringOnlyWhatTheRoleMayRead(t *testing.T) {
	b := start(t, Config{Users: house})
	table := connect(t, b, "table")
	for _, name := range []string{"overlay", "game", "floor"} {
		got := make(chan string, 64)
		c := connect(t, b, name)
		token := c.Subscribe("#", 1, func(_ paho.Client, m paho.Message) { got <- m.Topic() })
		wait(t, "subscribe", token)
		for _, topic := range append(topics[:len(topics)-1:len(topics)-1], topics[0]) { // the last one ends the list
			wait(t, "publish", table.Publish("sabot/BJ-1/"+topic.name, 1, false, "x"))
		}
		for _, topic := range append(topics[:len(topics)-1:len(topics)-1], topics[0]) {
			if !strings.Contains(topic.read, name) {
				continue
			}
			select {
			case g := <-got:
				if g != "sabot/BJ-1/"+topic.name {
					t.Errorf("%s read %s, want %s", name, g, topic.name)
				}
			case <-time.After(patience):
				t.Fatalf("%s never read %s", name, topic.name)
			}
		}
	}
}

func TestSubscriptionByNameIsRefused(t *testing.T) {
	b := start(t, Config{Users: house})
	c := connect(t, b, "overlay")
	token := c.Subscribe("sabot/BJ-1/floor", 1, nil).(*paho.SubscribeToken)
	token.WaitTimeout(patience)
	if token.Result()["sabot/BJ-1/floor"] != 0x80 {
		t.Errorf("the overlay's subscription to floor was granted: %v", token.Result())
	}
}

func TestStrangersAreRefused(t *testing.T) {
	b := start(t, Config{Users: house})
	wrong := options(b, "table").SetPassword("x")
	nobody := options(b, "")
	unknown := options(b, "zoe")
	will := options(b, "overlay").SetWill("sabot/BJ-1/command/floor", "{}", 1, false)
	for what, o := range map[string]*paho.ClientOptions{"a wrong password": wrong, "no name": nobody, "an unknown name": unknown, "a will it may not publish": will} {
		if dial(t, o) != nil {
			t.Errorf("%s was let in", what)
		}
	}
	if dial(t, options(b, "table").SetWill("sabot/BJ-1/status", "{}", 1, true)) == nil {
		t.Error("the table's own will was refused")
	}
}

func TestRefusesToBeReachedWithoutPasswords(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		if b, err := Start(Config{Addr: addr}); err == nil {
			b.Close()
			t.Errorf("listens on %s without passwords", addr)
		}
	}
	start(t, Config{Addr: "0.0.0.0:0", Users: house})
	for _, u := range []User{{Role: Floor}, {Password: "x", Role: "boss"}, {Password: "x"}} {
		if b, err := Start(Config{Users: map[string]User{"u": u}}); err == nil {
			b.Close()
			t.Errorf("accepts user %+v", u)
		}
	}
}

// A subscriber that stops reading, whether or not it goes on sending, is cut off, and the others get everything.
func TestStalledSubscriberBlocksNobody(t *testing.T) {
	for what, chatter := range map[string]string{"silent": "", "sending": "\x30\x04\x00\x01xx"} {
		t.Run(what, func(t *testing.T) { testStalled(t, chatter) })
	}
}

func testStalled(t *testing.T, chatter string) {
	b := start(t, Config{})
	stall(t, b.Addr(), "sabot/BJ-1/call", chatter)
	const n = 400
	got := make(chan struct{}, n)
	reader := connect(t, b, "reader")
	wait(t, "subscribe", reader.Subscribe("sabot/BJ-1/call", 1, func(paho.Client, paho.Message) { got <- struct{}{} }))
	table := connect(t, b, "table")
	payload := strings.Repeat("x", 60<<10)
	for range n {
		wait(t, "publish beside a stalled subscriber", table.Publish("sabot/BJ-1/call", 1, false, payload))
	}
	for i := range n {
		select {
		case <-got:
		case <-time.After(patience):
			t.Fatalf("the reader got %d of %d messages", i, n)
		}
	}
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
		if c, ok := b.server.Clients.Get("stall"); !ok || c.Closed() {
			return
		}
	}
	t.Error("the stalled subscriber is still connected")
}

// stall subscribes by hand, goes on sending chatter and never reads again.
func stall(t *testing.T, addr, topic, chatter string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.(*net.TCPConn).SetReadBuffer(4096)
	fmt.Fprintf(c, "\x10\x11\x00\x04MQTT\x04\x02\x00\x00\x00\x05stall")
	fmt.Fprintf(c, "\x82%c\x00\x01\x00%c%s\x01", 5+len(topic), len(topic), topic)
	if _, err := bufio.NewReader(io.LimitReader(c, 9)).Peek(9); err != nil {
		t.Fatal(err)
	}
	go func() {
		for chatter != "" {
			if _, err := c.Write([]byte(chatter)); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
}

func TestPacketsAreBounded(t *testing.T) {
	b := start(t, Config{})
	lost := make(chan struct{})
	o := options(b, "table")
	o.OnConnectionLost = func(paho.Client, error) { close(lost) }
	c := dial(t, o)
	c.Publish("sabot/BJ-1/call", 1, false, make([]byte, maxPacket))
	select {
	case <-lost:
	case <-time.After(patience):
		t.Error("a packet longer than allowed was taken")
	}
}

func TestRetainedStays(t *testing.T) {
	b := start(t, Config{})
	if b.server.Options.Capabilities.MaximumMessageExpiryInterval != 0 {
		t.Error("retained messages vanish after a day")
	}
}

// A broker that closes is closed: clients that come back at once, and connections that never say who they are, do not keep it.
func TestCloseEndsWhoComesBack(t *testing.T) {
	for range 20 {
		b, err := Start(Config{})
		if err != nil {
			t.Fatal(err)
		}
		stop, gone := make(chan struct{}), make(chan struct{})
		came := make(chan struct{}, 1)
		go func() {
			defer close(gone)
			for {
				select {
				case <-stop:
					return
				default:
				}
				c, err := net.Dial("tcp", b.Addr())
				if err != nil {
					continue
				}
				fmt.Fprintf(c, "\x10\x11\x00\x04MQTT\x04\x02\x00\x00\x00\x05again")
				io.ReadFull(c, make([]byte, 4))
				select {
				case came <- struct{}{}:
				default:
				}
				c.Read(make([]byte, 1)) // until the broker closes it
				c.Close()
			}
		}()
		mute, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		<-came
		closed := make(chan error)
		go func() { closed <- b.Close() }()
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatal("the broker does not close")
		}
		close(stop)
		<-gone
		mute.Close()
	}
}

// Who connects and says nothing does not keep his place, and who has said who he is keeps it without saying more.
func TestTheMuteAreSentAway(t *testing.T) {
	b := start(t, Config{})
	mute, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	quiet, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer quiet.Close()
	fmt.Fprint(quiet, "\x10\x11\x00\x04MQTT\x04\x02\x00\x00\x00\x05quiet") // without a keep-alive
	if _, err := io.ReadFull(quiet, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	mute.SetReadDeadline(time.Now().Add(10 * helloTime))
	if _, err := mute.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("after %v it is still there: %v", helloTime, err)
	}
	fmt.Fprint(quiet, "\xc0\x00") // a ping
	quiet.SetReadDeadline(time.Now().Add(10 * helloTime))
	if _, err := io.ReadFull(quiet, make([]byte, 2)); err != nil {
		t.Errorf("a client that had nothing to say: %v", err)
	}
}

// TestBothSidesNumberTheirPackets subscribes with the number that a message on its way to the subscriber has: they have nothing to do with each other.
func TestBothSidesNumberTheirPackets(t *testing.T) {
	b := start(t, Config{})
	c, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	say := func(p packets.ControlPacket) {
		if err := p.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	hear := func() packets.ControlPacket {
		p, err := packets.ReadPacket(c)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	hello.ProtocolName, hello.ProtocolVersion, hello.CleanSession, hello.ClientIdentifier, hello.Keepalive = "MQTT", 4, true, "slow", 30
	say(hello)
	hear()
	subscribe := func(id uint16, topic string) {
		p := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
		p.MessageID, p.Topics, p.Qoss = id, []string{topic}, []byte{1}
		say(p)
		if back := hear().(*packets.SubackPacket); back.ReturnCodes[0] != 1 {
			t.Fatalf("%s: the broker says %#x", topic, back.ReturnCodes[0])
		}
	}
	subscribe(7, "sabot/T/call")
	wait(t, "publish", connect(t, b, "table").Publish("sabot/T/call", 1, false, "x"))
	m := hear().(*packets.PublishPacket) // not acknowledged: it is on its way
	subscribe(m.MessageID, "sabot/T/reply/game")
}

// TestClosedWhileAllLeave closes brokers whose clients leave at that moment: none of them waits for ever.
func TestClosedWhileAllLeave(t *testing.T) {
	for range 60 {
		b := start(t, Config{})
		for i := range 12 {
			connect(t, b, fmt.Sprint("guest", i))
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.Close()
		}()
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatal("a broker did not close")
		}
	}
}

// TestClosedWhileSomebodyEnters: who is being asked for his password as the broker closes is waited for, because the server's list of clients must not change then.
func TestClosedWhileSomebodyEnters(t *testing.T) {
	hash, err := bcrypt.GenerateFromPassword([]byte("another"), 8)
	if err != nil {
		t.Fatal(err)
	}
	b := start(t, Config{Web: anyPort, Users: map[string]User{"slow": {Hash: string(hash), Role: Overlay}}})
	for i := range 12 {
		c, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
		hello.ProtocolName, hello.ProtocolVersion, hello.CleanSession, hello.ClientIdentifier = "MQTT", 4, true, fmt.Sprint("slow", i)
		hello.UsernameFlag, hello.PasswordFlag, hello.Username, hello.Password = true, true, "slow", []byte("wrong")
		if err := hello.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(20 * time.Millisecond) // they are asked one after the other
	shut(b.doors)
	b.empty()
	if b.busy() {
		t.Error("the broker goes on closing while somebody is on the way in")
	}
}
