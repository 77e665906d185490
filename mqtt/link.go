package mqtt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

const (
	keepAlive      = 10 * time.Second
	pingTimeout    = 5 * time.Second
	connectTimeout = 5 * time.Second
	// writeTimeout is short, because a publication waits for it when the link breaks at that moment. The window is smaller than
	// any socket's buffer, so a write only ever waits for a link that is broken.
	writeTimeout = 2 * time.Second
	leaveTimeout = 2 * time.Second

	// maxOthers bounds the instances under our name that are remembered.
	maxOthers = 16
)

// link is one connection to the broker.
type link struct {
	*Client
	paho     paho.Client
	since    time.Time
	own      chan heard // our own topics, come back
	commands chan heard
	lost     chan error

	proven    bool // our own status came back: what we publish can be read
	announced time.Time
	heed      time.Time // until then another instance may say that it is there
	out       outbox
	layout    retained
	state     retained
	essence   string // of the floor's state published last: it is published again only when it says something new
}

// heard is a message from the broker.
type heard struct {
	topic    string
	payload  []byte
	retained bool
}

// retained is a topic of which only the latest payload matters. While one is on its way the next one waits, and is made only when
// it is sent, so a slow link sends fewer and never older ones.
type retained struct {
	topic string
	dirty bool
	token paho.Token // of the one on its way
}

// ready receives when the next payload can be sent; nil, for never, when there is none to send.
func (r *retained) ready() <-chan struct{} {
	if !r.dirty || r.token == nil {
		return nil
	}
	return r.token.Done()
}

// idle says that nothing is on its way.
func (r *retained) idle() bool {
	if r.token == nil {
		return true
	}
	select {
	case <-r.token.Done():
		return true
	default:
		return false
	}
}

// session is one connection from its beginning to its end. up says that it was good for a while.
func (c *Client) session(ctx context.Context) (up bool, err error) {
	l := &link{
		Client: c, since: time.Now(), own: make(chan heard, 8*window), commands: make(chan heard, 256), lost: make(chan error, 1),
		layout: retained{topic: c.topics.layout}, state: retained{topic: c.topics.floorState},
	}
	if err := l.out.open(c.journal, c.cursor); err != nil {
		return false, err
	}
	defer l.out.reader.Close()
	if err := l.connect(ctx); err != nil {
		return false, err
	}
	defer l.paho.Disconnect(0)
	c.count(func(s *Stats) { s.Connections++ })
	if err := l.subscribe(ctx); err != nil {
		return false, err
	}
	err = l.run(ctx)
	return l.proven, err
}

func (l *link) connect(ctx context.Context) error {
	o := paho.NewClientOptions().AddBroker(l.url).SetClientID("sabot-"+l.config.Table+"-"+l.config.Instance).
		SetUsername(l.config.User).SetPassword(l.config.Password).SetTLSConfig(l.config.TLS).SetProtocolVersion(4).
		SetAutoReconnect(false).SetConnectRetry(false).SetCleanSession(true).SetOrderMatters(true).
		SetKeepAlive(keepAlive).SetPingTimeout(pingTimeout).SetConnectTimeout(connectTimeout).SetWriteTimeout(writeTimeout).
		SetBinaryWill(l.topics.status, l.status(lost), 1, true)
	o.OnConnectionLost = func(_ paho.Client, err error) { l.lost <- err }
	l.paho = paho.NewClient(o)
	if err := await(ctx, l.paho.Connect()); err != nil {
		return fmt.Errorf("mqtt: connect: %w", err)
	}
	return nil
}

// await waits until the broker has answered. Every token ends when its connection does.
func await(ctx context.Context, token paho.Token) error {
	select {
	case <-token.Done():
		return token.Error()
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(connectTimeout + time.Second):
		return errors.New("no answer")
	}
}

func (l *link) subscribe(ctx context.Context) error {
	filters := map[string]byte{l.topics.commandGame: 1, l.topics.commandFloor: 1, l.topics.status: 1, l.topics.layout: 1, l.topics.call: 1, l.topics.floor: 1, l.topics.settlement: 1}
	token := l.paho.SubscribeMultiple(filters, l.receive)
	if err := await(ctx, token); err != nil {
		return fmt.Errorf("mqtt: subscribe: %w", err)
	}
	for topic, granted := range token.(*paho.SubscribeToken).Result() {
		if granted > 2 {
			return fmt.Errorf("mqtt: the broker refuses the subscription to %s", topic)
		}
	}
	return nil
}

// receive runs in the library's goroutine, one message at a time, and must not block.
func (l *link) receive(_ paho.Client, m paho.Message) {
	to := l.own
	if m.Topic() == l.topics.commandGame || m.Topic() == l.topics.commandFloor {
		to = l.commands
	}
	select {
	case to <- heard{m.Topic(), m.Payload(), m.Retained()}:
	default:
		l.count(func(s *Stats) { s.Dropped++ })
	}
}

// run publishes until the link fails or the context ends.
func (l *link) run(ctx context.Context) error {
	if err := l.announce(); err != nil {
		return err
	}
	tick := time.NewTicker(l.pace.tick)
	defer tick.Stop()
	for {
		if err := l.publish(); err != nil {
			return err
		}
		var err error
		select {
		case <-ctx.Done():
			l.leave()
			return ctx.Err()
		case err = <-l.lost:
			err = fmt.Errorf("mqtt: connection lost: %w", err)
		case m := <-l.own:
			err = l.hear(m)
		case m := <-l.commands:
			err = l.command(m)
		case r := <-l.replies:
			err = l.send(l.topics.reply(r.to), r.payload)
		case s := <-l.shown:
			l.show(s)
		case <-l.changed:
		case <-l.layout.ready():
		case <-l.state.ready():
		case <-tick.C:
			err = l.look()
		}
		if err != nil {
			return err
		}
	}
}

// publish sends what may be sent now.
func (l *link) publish() error {
	if !l.proven || len(l.others) > 0 || time.Now().Before(l.heed) {
		return nil
	}
	if err := l.pump(); err != nil {
		return err
	}
	if l.layout.dirty && l.layout.idle() {
		if err := l.keep(&l.layout, layoutOf(*l.latest, time.Now())); err != nil {
			return err
		}
	}
	if !l.state.dirty || !l.state.idle() {
		return nil
	}
	payload, essence := floorStateOf(*l.latest)
	l.state.dirty = string(essence) != l.essence
	if !l.state.dirty { // nothing new: only its seq
		return nil
	}
	l.essence = string(essence)
	return l.keep(&l.state, payload)
}

// show takes the latest snapshot.
func (l *link) show(s shown) {
	l.latest = &s
	l.layout.dirty, l.state.dirty = true, true
}

// again publishes everything retained again.
func (l *link) again() {
	l.layout.dirty, l.state.dirty = l.latest != nil, l.latest != nil
	l.essence = ""
}

func (l *link) keep(r *retained, payload []byte) error {
	token, err := l.put(r.topic, true, payload)
	r.dirty, r.token = false, token
	return err
}

func (l *link) send(topic string, payload []byte) error {
	_, err := l.put(topic, false, payload)
	return err
}

// put hands a message to the library, with QoS 1. An error means that the link is gone.
func (l *link) put(topic string, retain bool, payload []byte) (paho.Token, error) {
	token := l.paho.Publish(topic, 1, retain, payload)
	select {
	case <-token.Done():
		if err := token.Error(); err != nil {
			return nil, fmt.Errorf("mqtt: publish: %w", err)
		}
	default:
	}
	l.count(func(s *Stats) { s.Published++ })
	return token, nil
}

// status is our status with a state.
func (l *link) status(state string) []byte {
	return encode(statusMessage{version, state, l.since.UTC().Format(clock), l.journal.Record(), l.config.Instance})
}

func (l *link) announce() error {
	l.announced = time.Now()
	_, err := l.put(l.topics.status, true, l.status(online))
	return err
}

// leave says that the table is offline. The will is not published after it.
func (l *link) leave() {
	token, err := l.put(l.topics.status, true, l.status(offline))
	if err == nil {
		token.WaitTimeout(leaveTimeout)
	}
	l.paho.Disconnect(uint(leaveTimeout.Milliseconds()))
}

// hear takes what came back on our own topics.
func (l *link) hear(m heard) error {
	switch {
	case m.retained && m.topic == l.topics.layout:
		return l.heedLayout(m)
	case m.retained: // what was true before we came
		l.heedStatus(m)
		return nil
	case m.topic == l.topics.status:
		return l.hearStatus(m.payload)
	}
	l.acknowledge(m)
	return nil
}

// heedStatus looks whether somebody under our name was there before us. He may be long dead, so he is only given the time to answer our
// own status before we publish anything.
func (l *link) heedStatus(m heard) {
	var s statusMessage
	if m.topic != l.topics.status || json.Unmarshal(m.payload, &s) != nil {
		return
	}
	if s.State == online && s.Instance != l.config.Instance {
		l.heed = time.Now().Add(l.pace.answer)
	}
}

// heedLayout looks whether the broker knows more of our record than we do: then the disk lost what was durable, or another machine plays on from a copy of it,
// and our next numbers were used already. The cursor keeps it, so that no later start begins to deal from there.
func (l *link) heedLayout(m heard) error {
	var s struct {
		Record string
		Seq    int64
	}
	durable := l.journal.Durable()
	if json.Unmarshal(m.payload, &s) != nil || s.Record != l.journal.Record() || s.Seq <= durable {
		return nil
	}
	l.cursor.Seq = s.Seq
	return &recordError{&CursorError{
		File: m.topic, Record: s.Record, Seq: s.Seq, Durable: durable,
		Why: fmt.Sprintf("the broker keeps a layout of entry %d, and the record ends at %d: entries were lost, or another machine has a copy of it", s.Seq, durable),
	}}
}

// hearStatus watches for two things: that our own status stands, and that nobody else uses our name. Two tables
// under one name would publish two rounds as one. Both then stop, and say so; each answers the other once, so that both
// know, and goes on when the other is gone.
func (l *link) hearStatus(payload []byte) error {
	var s statusMessage
	if json.Unmarshal(payload, &s) != nil || !validName(s.Instance) {
		return nil
	}
	switch {
	case s.Instance == l.config.Instance && s.State == online:
		if !l.proven {
			l.proven = true
			l.paho.Unsubscribe(l.topics.layout) // what was retained came before our status did; our own need not come back
			l.again()
			l.good()
		}
	case s.Instance == l.config.Instance: // the will of a connection of ours that is no more
		return l.announce()
	case s.State == online:
		_, known := l.others[s.Instance]
		if !known && len(l.others) == maxOthers {
			return nil
		}
		l.others[s.Instance] = time.Now()
		if !known {
			l.good()
			return l.announce()
		}
	default:
		return l.gone(s.Instance)
	}
	return nil
}

// gone goes on when the last other instance has left.
func (l *link) gone(instance string) error {
	if _, known := l.others[instance]; !known {
		return l.announce() // its last words replaced our status
	}
	delete(l.others, instance)
	if len(l.others) > 0 {
		return nil
	}
	l.again()
	l.good()
	return l.announce()
}

// good reports the link as it is, when it stands.
func (l *link) good() {
	switch {
	case len(l.others) > 0:
		l.report(false, errOthers)
	case l.proven && !l.unproven:
		l.report(true, nil)
	}
}

var errOthers = errors.New("mqtt: another program is connected under this table's name; neither publishes until one is stopped")

// look does what is due at a tick.
func (l *link) look() error {
	now := time.Now()
	if err := l.overdue(now); err != nil {
		return err
	}
	for instance, at := range l.others {
		if now.Sub(at) > l.pace.gone {
			if err := l.gone(instance); err != nil {
				return err
			}
		}
	}
	if now.Sub(l.announced) > l.pace.status {
		if err := l.announce(); err != nil {
			return err
		}
	}
	if now.Sub(l.cursor.savedAt) > l.pace.save {
		l.keepCursor()
	}
	return nil
}

// overdue is the alarm: what we published does not come back.
func (l *link) overdue(now time.Time) error {
	topic := ""
	if !l.proven && now.Sub(l.announced) > l.pace.echo {
		topic = l.topics.status
	}
	if f := l.out.overdue(now.Add(-l.pace.echo)); f != nil {
		l.unproven = true
		topic = l.topics.of(f.missing())
	}
	if topic == "" {
		return nil
	}
	return fmt.Errorf("mqtt: what is published on %s does not come back: may this user write and read it?", topic)
}
