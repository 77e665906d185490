// Package mqtt tells the studio what the table's record says, and takes what the studio asks for. README.md in this
// directory is the contract: every topic, what is sent on it, and what a reader may rely on.
//
// MQTT brings messages to a broker, which hands them on. Its acknowledgement says that the broker has a message, not
// that anybody may read it: a refusal by access rules and a queue that is full are silent. So the table subscribes to its own topics,
// and a message counts as delivered when it comes back. The record is the outbox: the client follows it with a reader, sends one
// entry after the other, the next when the one before has come back, and keeps in a cursor how far that is. Whatever happens to the link, the broker or this
// program, it goes on from the cursor; messages may then come twice, and never out of order or not at all.
//
// What stands on the felt now is no message of that kind. It is retained, only the latest matters, and it is published again
// after each connection, because brokers forget.
//
// One goroutine, [Client.Run], owns the connection, and a new one is made by a new paho client that neither reconnects nor stores
// by itself: those features lose the order. The library's own goroutines only hand what they hear into bounded queues. When one is full
// the message is dropped and counted: an echo will be missed and the link made anew, a command has no reply and is sent again.
package mqtt

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	mrand "math/rand/v2"

	"sabot/table"
	"sabot/table/journal"
)

// Config says where the broker is and whose table this is.
type Config struct {
	Broker   string // host:port, or a URL: tcp:// ssl:// ws:// wss://; of a cluster its nodes, with commas between
	User     string
	Password string
	TLS      *tls.Config // for ssl and wss; with a bare host:port it asks for ssl
	Table    string      // A-Z a-z 0-9 _ -
	Instance string      // this run of the program; "" makes one
	// CursorDir is where the file "cursor" is kept. It belongs beside the record.
	CursorDir string
	Disk      *journal.Disk            // under the cursor; nil for the machine's
	Dial      func() (net.Conn, error) // reaches the broker; nil for the network
	Log       *slog.Logger             // nil discards
	// Commands is how many commands a second are taken from the game server, beside 50 at once; 0 is 25. The floor has a fifth of it, beside 10 at once.
	Commands int
	// Command takes a command to the table and must not block; the reply may be given later, from any goroutine.
	Command func(c table.Command, reply func(table.Reply))
	// OnLink hears whether what the table says arrives, and why not, whenever that changes. It must not block. nil hears nothing.
	OnLink func(up bool, why error)
}

// Stats counts since the start.
type Stats struct {
	Published    int64 // messages sent, all topics
	Acknowledged int64 // the seq up to which everything came back
	Connections  int64 // made
	Dropped      int64 // messages that came, and replies, for which there was no room
	Refused      int64 // commands above the rate, which the table never saw
	Up           bool  // what is said arrives
}

// Client publishes one table.
type Client struct {
	config  Config
	journal *journal.Journal
	nodes   []string // the broker's URLs
	id      string   // under which the broker knows us
	topics  topics
	log     *slog.Logger
	pace    pace

	changed <-chan struct{}
	shown   chan shown
	replies chan reply

	// owned by Run
	node     int // of nodes, the one to connect to
	cursor   cursor
	latest   *shown               // the last snapshot shown
	others   map[string]time.Time // instances under our name, and when they were last heard
	quotas   map[table.Audience]*quota
	unproven string // the topic on which an echo was missed and none was heard since
	missed   int    // how often one was missed since

	mu    sync.Mutex
	stats Stats
	why   string // why the link is down
}

// pace is how long things take; tests are faster.
type pace struct {
	first, last time.Duration // between two attempts to connect, at first and at most
	echo        time.Duration // a message comes back within it
	answer      time.Duration // another instance answers our status within it
	status      time.Duration // between two repetitions of the status
	gone        time.Duration // an instance unheard for so long is gone
	save        time.Duration // between two writes of the cursor
	tick        time.Duration
}

var usual = pace{500 * time.Millisecond, 10 * time.Second, 5 * time.Second, 3 * time.Second, 30 * time.Second, 95 * time.Second, time.Second, 500 * time.Millisecond}

// shown is a snapshot and the moment it was true.
type shown struct {
	table.Snapshot
	at time.Time
}

// reply is an answer on its way.
type reply struct {
	to      table.Audience
	payload []byte
}

// maxReplies bounds the replies that wait for the link.
const maxReplies = 1024

// New makes a client that follows the record. A cursor that does not fit it is a *CursorError.
func New(c Config, j *journal.Journal) (*Client, error) {
	if c.Instance == "" {
		c.Instance = rand.Text()
	}
	for _, of := range [][2]string{{"table", c.Table}, {"instance", c.Instance}} {
		if what, name := of[0], of[1]; !validName(name) {
			return nil, fmt.Errorf("mqtt: the %s's name %q must be 1 to 64 of the letters A-Z a-z 0-9 _ -", what, name)
		}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.OnLink == nil {
		c.OnLink = func(bool, error) {}
	}
	if c.Disk == nil {
		c.Disk = &journal.RealDisk
	}
	nodes, err := brokerURLs(c.Broker, c.TLS != nil)
	if err != nil {
		return nil, err
	}
	cur, err := loadCursor(c.CursorDir, j)
	if err != nil {
		return nil, err
	}
	return &Client{
		config: c, journal: j, nodes: nodes, id: clientID(c.Table), topics: topicsOf(c.Table), log: c.Log.With("broker", strings.Join(nodes, ",")), pace: usual,
		changed: j.Changed(), shown: make(chan shown, 1), replies: make(chan reply, maxReplies),
		cursor: cur, others: map[string]time.Time{}, quotas: newQuotas(c.Commands), stats: Stats{Acknowledged: cur.Seq},
	}, nil
}

// clientID is a client's name at the broker, which hands a name's connection to whoever comes under it last. So that nobody who reads our topics can do that,
// it is not the instance's; so that a new connection ends the one before it, which the broker may still hold for good, it stays the same.
func clientID(name string) string { return "sabot-" + name + "-" + rand.Text() }

// brokerURLs completes the addresses of a broker's nodes.
func brokerURLs(list string, secure bool) ([]string, error) {
	var urls []string
	for address := range strings.SplitSeq(list, ",") {
		u, err := brokerURL(strings.TrimSpace(address), secure)
		if err != nil {
			return nil, err
		}
		urls = append(urls, u)
	}
	return urls, nil
}

// brokerURL completes an address. A password in it would be logged, and is refused.
func brokerURL(address string, secure bool) (string, error) {
	if !strings.Contains(address, "://") {
		scheme := "tcp://"
		if secure {
			scheme = "ssl://"
		}
		address = scheme + address
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.Port() == "":
		return "", errors.New("mqtt: the broker must be host:port, or a URL such as ssl://host:8883")
	case u.User != nil:
		return "", errors.New("mqtt: user and password belong in their own settings, not in the broker's address")
	}
	switch u.Scheme {
	case "tcp", "ssl":
	case "ws", "wss":
		if u.Path == "" {
			u.Path = "/mqtt"
		}
	default:
		return "", fmt.Errorf("mqtt: the broker's address begins with %q, not tcp, ssl, ws or wss", u.Scheme)
	}
	return u.String(), nil
}

// Show publishes what stands on the felt. It is called from the loop after each durable entry and never blocks; only the latest
// snapshot matters. There is one caller.
func (c *Client) Show(s table.Snapshot) {
	next := shown{s, time.Now()}
	for {
		select {
		case c.shown <- next:
			return
		case <-c.shown: // an older one that nobody took
		}
	}
}

// Stats counts what was done so far.
func (c *Client) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

func (c *Client) count(change func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.stats)
}

// report tells whether what the table says arrives, when that changed.
func (c *Client) report(up bool, why error) {
	text := ""
	if why != nil {
		text = why.Error()
	}
	c.mu.Lock()
	same, first := c.stats.Up == up && c.why == text, c.why == ""
	c.stats.Up, c.why = up, text
	c.mu.Unlock()
	switch {
	case same:
		return
	case up && first:
		c.log.Info("what the table says arrives")
	case up:
		c.log.Warn("what the table says arrives again")
	default:
		c.log.Warn("what the table says does not arrive; it is kept, and tried again", "why", text)
	}
	c.config.OnLink(up, why)
}

// Run publishes until the context ends, then says that the table is offline, leaves, and keeps the cursor. A link that fails is made again for
// ever. It returns an error only when the record cannot be read or the cursor cannot be kept.
func (c *Client) Run(ctx context.Context) error {
	wait := c.pace.first
	for {
		up, err := c.session(ctx)
		if ctx.Err() != nil {
			return c.saveCursor()
		}
		if failed := (*recordError)(nil); errors.As(err, &failed) {
			return errors.Join(failed.error, c.saveCursor())
		}
		c.report(false, err)
		c.keepCursor()
		c.node = (c.node + 1) % len(c.nodes) // this one is dead, or knows nobody
		if up {
			wait = c.pace.first
		}
		select {
		case <-ctx.Done():
			return c.saveCursor()
		case <-time.After(wait*3/4 + mrand.N(wait/2)):
		}
		wait = min(wait*2, c.pace.last)
	}
}
