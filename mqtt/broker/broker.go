// Package broker is a small MQTT broker inside the program, for the demonstration and for a table that has no studio's
// broker to talk to.
//
// A broker takes messages on named topics and hands each to whoever subscribed. A retained message is kept, the last one
// of its topic, and handed to those who subscribe later. This one keeps nothing on disk: the table publishes its retained topics
// again whenever it connects, and its journal is what must not be lost.
//
// Who may read and write what is fixed, see [Role]: an overlay reads what everybody at the felt could see, a game server asks
// for rounds and decisions, the floor commands, and the table itself does all. Without users everybody may do everything, and the broker
// then refuses to listen beyond this machine.
//
// The protocol is mochi-mqtt's. Some of its habits are undone here: it deletes retained messages after a day; a subscriber
// that stops reading stalls every publisher on its topics (a write has a deadline here, and misses it once: then the connection is closed); a
// client's will is published without asking whether that client might publish it; retained messages are looked up for a new subscriber
// while others are being kept; and its log repeats packets whole.
package broker

import (
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
)

const (
	// maxPacket bounds a packet in bytes. It is twice the longest entry of a journal, so that no call is refused for ever.
	maxPacket = 128 << 10
	// writeTime is how long a subscriber may keep a write waiting.
	writeTime = time.Second
)

// Config is how a broker listens.
type Config struct {
	Addr  string          // host:port; "" is 127.0.0.1 and any free port
	Users map[string]User // by name; none lets everybody do everything, on this machine only
	Log   *slog.Logger    // nil discards
}

// User is somebody who may connect.
type User struct {
	Password string
	Role     Role
}

// Broker is a running broker.
type Broker struct {
	server *mqtt.Server
	addr   net.Addr
	close  sync.Once
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
		if _, known := reads[u.Role]; !known || name == "" || u.Password == "" {
			return nil, fmt.Errorf("broker: user %q needs a name, a password and a role: overlay, game, floor or table", name)
		}
	}
	l, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() && len(c.Users) == 0 {
		l.Close()
		return nil, fmt.Errorf("broker: %s can be reached from other machines: give users with passwords, or listen on 127.0.0.1", c.Addr)
	}
	s, err := serve(c, l)
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("broker: %w", err)
	}
	return &Broker{server: s, addr: l.Addr()}, nil
}

func serve(c Config, l net.Listener) (*mqtt.Server, error) {
	limits := mqtt.NewDefaultServerCapabilities()
	limits.MaximumMessageExpiryInterval = 0 // never: a retained layout is as true tomorrow
	limits.MaximumPacketSize = maxPacket
	limits.SharedSubAvailable = 0
	s := mqtt.New(&mqtt.Options{Capabilities: limits, Logger: slog.New(slog.DiscardHandler), SysTopicResendInterval: 60})
	if err := s.AddHook(newGate(c), nil); err != nil {
		return nil, err
	}
	if err := s.AddListener(listeners.NewNet("tcp", listener{l})); err != nil {
		return nil, err
	}
	return s, s.Serve()
}

// Addr is where the broker listens, host:port.
func (b *Broker) Addr() string { return b.addr.String() }

// Close ends all connections and forgets everything.
func (b *Broker) Close() error {
	var err error
	b.close.Do(func() { err = b.server.Close() })
	return err
}

// listener hands out connections whose writes cannot wait for ever.
type listener struct{ net.Listener }

// Accept is net.Listener's.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return conn{c}, nil
}

type conn struct{ net.Conn }

// SetDeadline bounds reading only. The server calls it at every packet it reads, which would give a client that sends but
// does not read all the time it wants.
func (c conn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

// Write closes the connection when the other side does not read. The server holds a lock every publisher needs while it
// writes, and goes on writing to a connection that failed.
func (c conn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	if err != nil {
		c.Close()
	}
	return n, err
}
