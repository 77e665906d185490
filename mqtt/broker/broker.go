// Package broker is a small MQTT broker inside the program, for the demonstration and for a table that has no studio's
// broker to talk to.
//
// A broker takes messages on named topics and hands each to whoever subscribed. A retained message is kept, the last one
// of its topic, and handed to those who subscribe later. This one keeps nothing on disk: the table publishes its retained topics
// again whenever it connects, and its journal is what must not be lost.
//
// Who may read and write what is fixed, see [Role]: an overlay reads what everybody at the felt could see, a game server asks
// for rounds and decisions, the floor commands, and the table itself does all. Without users everybody may do everything, and the broker
// then refuses to listen beyond this machine. Users come from a file, see [ReadUsers], and with a certificate what they say is encrypted.
//
// A web page cannot open a connection of its own, only a WebSocket: a request in HTTP, and after it bytes both ways in frames. For pages there is a listener of that kind, with the
// same users, certificate and limits. A browser lets any page open a WebSocket to any address, this machine's own too, but says where the page is from: pages of this machine, and of the sites that are
// named, are let in.
//
// The protocol is mochi-mqtt's. Some of its habits are undone here: it deletes retained messages after a day; a subscriber
// that stops reading stalls every publisher on its topics (a write has a deadline here, and misses it once: then the connection is closed); a
// client's will is published without asking whether that client might publish it; an accept that fails once is the last one; a client that comes back, or leaves, while it closes keeps it from closing; a subscription is refused that has the number of a message on its way to the subscriber; retained messages are looked up for a new subscriber
// while others are being kept; and its log repeats packets whole.
package broker

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
)

const (
	// maxPacket bounds a packet in bytes. It is twice the longest entry of a journal, so that no call is refused for ever.
	maxPacket = 128 << 10
	// acceptAgain is how long a failed accept waits for better times.
	acceptAgain = 100 * time.Millisecond
	// maxConns bounds the connections from outside.
	maxConns = 256
	// helloTime is how long a connection may stay without saying who it is.
	helloTime = 5 * time.Second
	// emptyTime is how long a connection that was closed may take to be gone.
	emptyTime = 20 * time.Second
	// writeTime is how long a subscriber may keep a write waiting.
	writeTime = time.Second
)

// Config is how a broker listens.
type Config struct {
	Addr    string          // host:port; "" is 127.0.0.1 and any free port
	Web     string          // host:port for WebSockets; "" for none
	Origins []string        // the sites whose pages may open one, such as https://studio.example, beside this machine's own
	Users   map[string]User // by name; none lets everybody do everything, on this machine only
	TLS     *tls.Config     // nil listens in the clear
	Log     *slog.Logger    // nil discards
}

// User is somebody who may connect.
type User struct {
	Password string // what it must say
	Hash     string // or, where this is not "", what the password's bcrypt hash is
	Role     Role
}

// Broker is a running broker.
type Broker struct {
	server *mqtt.Server
	doors  []*listener // for others, for this program, and where it is wanted for web pages
	inside Inside
	close  sync.Once
}

// Inside is how the program that runs a broker comes in itself, whatever others need: by a door on this machine of its own, which nobody can block.
type Inside struct {
	Addr           string // host:port, in the clear
	User, Password string // of the table's role, and new each time; "" where the broker has no users
}

// Start listens and serves until Close. It refuses to listen beyond this machine without users.
func Start(c Config) (*Broker, error) {
	if c.Addr == "" {
		c.Addr = "127.0.0.1:0"
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for name, u := range c.Users {
		if _, known := reads[u.Role]; !known || name == "" || u.Password == "" && u.Hash == "" {
			return nil, fmt.Errorf("broker: user %q needs a name, a password and a role: overlay, game, floor or table", name)
		}
	}
	own := Inside{}
	if len(c.Users) > 0 {
		own.User, own.Password = "sabot-"+rand.Text(), rand.Text()
		c.Users = maps.Clone(c.Users)
		c.Users[own.User] = User{Password: own.Password, Role: Table}
	}
	doors, err := c.open()
	if err != nil {
		return nil, err
	}
	own.Addr = doors[1].Addr().String()
	s, err := serve(c, doors)
	if err != nil {
		shut(doors)
		return nil, fmt.Errorf("broker: %w", err)
	}
	return &Broker{server: s, doors: doors, inside: own}, nil
}

// open listens wherever it is wanted, or nowhere.
func (c *Config) open() (doors []*listener, err error) {
	for _, addr := range []string{c.Addr, "127.0.0.1:0", c.Web} {
		if addr == "" { // no pages
			continue
		}
		l, err := net.Listen("tcp", addr)
		if err != nil {
			shut(doors)
			return nil, fmt.Errorf("broker: %w", err)
		}
		doors = append(doors, newListener(l))
		if !l.Addr().(*net.TCPAddr).IP.IsLoopback() && len(c.Users) == 0 {
			shut(doors)
			return nil, fmt.Errorf("broker: %s can be reached from other machines: give users with passwords, or listen on 127.0.0.1", addr)
		}
	}
	return doors, nil
}

func shut(doors []*listener) {
	for _, l := range doors {
		l.shut()
	}
}

func serve(c Config, doors []*listener) (*mqtt.Server, error) {
	limits := mqtt.NewDefaultServerCapabilities()
	limits.MaximumMessageExpiryInterval = 0 // never: a retained layout is as true tomorrow
	limits.MaximumPacketSize = maxPacket
	limits.SharedSubAvailable = 0
	s := mqtt.New(&mqtt.Options{Capabilities: limits, Logger: slog.New(slog.DiscardHandler), SysTopicResendInterval: 60})
	if err := s.AddHook(newGate(c), nil); err != nil {
		return nil, err
	}
	listens := map[string]net.Listener{"outside": c.encrypted(doors[0]), "inside": doors[1]}
	if len(doors) > 2 {
		listens["web"] = newWeb(c.encrypted(doors[2]), c.Origins, c.Log)
	}
	for name, l := range listens {
		if err := s.AddListener(listeners.NewNet(name, l)); err != nil {
			return nil, err
		}
	}
	return s, s.Serve()
}

// encrypted is a listener behind the certificate, where there is one.
func (c *Config) encrypted(l net.Listener) net.Listener {
	if c.TLS == nil {
		return l
	}
	return tls.NewListener(l, c.TLS)
}

// Addr is where the broker listens, host:port.
func (b *Broker) Addr() string { return b.doors[0].Addr().String() }

// Web is where it listens for web pages, host:port; "" for nowhere.
func (b *Broker) Web() string {
	if len(b.doors) < 3 {
		return ""
	}
	return b.doors[2].Addr().String()
}

// Inside is the way in for this program.
func (b *Broker) Inside() Inside { return b.inside }

// Close ends all connections and forgets everything. The server by itself closes its connections before it stops to listen, and then waits for ever for a client that came
// back in between: so first nobody is let in any more.
func (b *Broker) Close() error {
	var err error
	b.close.Do(func() {
		shut(b.doors)
		b.empty()
		err = b.server.Close()
	})
	return err
}

// empty waits until nobody is connected any more, nor on the way in, which takes as long as a password does: the server locks its list of clients twice over as it closes, and waits for ever if somebody
// enters or leaves in between.
func (b *Broker) empty() {
	for limit := time.Now().Add(emptyTime); b.busy() && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
}

// busy says whether a connection has not ended, or a client is still on the server's list.
func (b *Broker) busy() bool {
	return slices.ContainsFunc(b.doors, (*listener).busy) || atomic.LoadInt64(&b.server.Info.ClientsConnected) > 0
}

// listener hands out connections whose writes cannot wait for ever, and no more than maxConns at once: those beyond are closed, because a process that has no more files to
// open cannot write a record.
type listener struct {
	net.Listener
	room chan struct{}

	mu     sync.Mutex
	inside map[*conn]bool
	closed bool
}

func newListener(l net.Listener) *listener {
	return &listener{Listener: l, room: make(chan struct{}, maxConns), inside: map[*conn]bool{}}
}

// Accept is net.Listener's. The server does not come back after an error, so it hears only of the listener's end.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return nil, err
		case err != nil: // no file is free, for example
			time.Sleep(acceptAgain)
			continue
		}
		select {
		case l.room <- struct{}{}:
			return l.enter(c)
		default:
			c.Close()
		}
	}
}

// enter lets a connection in, unless the listener was shut since it came. The server by itself would keep for ever one that says nothing.
func (l *listener) enter(c net.Conn) (net.Conn, error) {
	in := &conn{Conn: c, of: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		c.Close()
		return nil, net.ErrClosed
	}
	if err := c.SetReadDeadline(time.Now().Add(helloTime)); err != nil {
		in.Conn.Close() // it has gone already; the server finds out
	}
	l.inside[in] = true
	return in, nil
}

// leave gives a connection's room back, once.
func (l *listener) leave(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inside[c] {
		delete(l.inside, c)
		<-l.room
	}
}

// busy says whether somebody is inside.
func (l *listener) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.inside) > 0
}

// shut lets nobody in any more, and ends the connections there are, those too that have not said yet who they are.
func (l *listener) shut() {
	l.Listener.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for c := range l.inside {
		c.Conn.Close()
	}
}

type conn struct {
	net.Conn
	of *listener
}

// Close is net.Conn's.
func (c *conn) Close() error {
	c.of.leave(c)
	return c.Conn.Close()
}

// SetDeadline bounds reading only. The server calls it at every packet it reads, which would give a client that sends but
// does not read all the time it wants.
func (c *conn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

// Write closes the connection when the other side does not read. The server holds a lock every publisher needs while it
// writes, and goes on writing to a connection that failed.
func (c *conn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	if err != nil {
		c.Close()
	}
	return n, err
}
