package mqtt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/table"
)

const (
	keepAlive      = 10 * time.Second
	pingTimeout    = 5 * time.Second
	connectTimeout = 5 * time.Second
	// answerTimeout is how long a broker may think about what it is asked. A connection that fails meanwhile is noticed without it.
	answerTimeout    = connectTimeout + time.Second
	subscribeTimeout = 30 * time.Second
	// writeTimeout is short, because a publication waits for it when the link breaks at that moment. What is on its way is smaller than
	// any socket's buffer, so a write only ever waits for a link that is broken.
	writeTimeout = 2 * time.Second
	leaveTimeout = 2 * time.Second

	// maxOthers bounds the instances under our name that are remembered.
	maxOthers = 16

	// maxOwn bounds what is looked at of our own topics in bytes: twice the longest entry of a record.
	maxOwn = 128 << 10
)

// link is one connection to the broker.
type link struct {
	*Client
	paho  paho.Client
	since time.Time
	own   chan heard // our own topics, come back
	game  chan heard // commands; a queue each, so that neither topic takes the other's room
	floor chan heard
	lost  chan error

	proven    bool // our own status came back: what we publish can be read
	away      bool // our status is on its way: it must come back each time, or a link that only hears would be taken for one that speaks
	settled   bool // and what is retained is true: we said that we are online
	open      bool // and that the table is open
	announced time.Time
	heed      time.Time // until then another instance may say that it is there
	out       outbox
	layout    retained
	state     retained
	told      time.Time // when the log said last that somebody else writes here
	essence   string    // of the floor's state published last: it is published again only when it says something new
}

// heard is a message from the broker.
type heard struct {
	topic    string
	payload  []byte
	retained bool
}

// retained is a topic of which only the latest payload matters. Until one has come back the next one waits, and is made only when
// it is sent, so a slow link sends fewer and never older ones.
type retained struct {
	topic   string
	dirty   bool
	away    []byte // on its way; nil when nothing is
	at      time.Time
	stands  []byte // came back last
	foreign bool   // somebody else wrote over it
}

// true says that the broker has the latest.
func (r *retained) true() bool { return !r.dirty && r.away == nil }

func newLink(c *Client) *link {
	return &link{
		Client: c, since: time.Now(), own: make(chan heard, 128), game: make(chan heard, 256), floor: make(chan heard, 64), lost: make(chan error, 1),
		layout: retained{topic: c.topics.layout}, state: retained{topic: c.topics.floorState},
	}
}

// session is one connection from its beginning to its end. up says that it was good for a while.
func (c *Client) session(ctx context.Context) (up bool, err error) {
	l := newLink(c)
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
	o := paho.NewClientOptions().AddBroker(l.nodes[l.node]).SetClientID(l.id).
		SetUsername(l.config.User).SetPassword(l.config.Password).SetTLSConfig(l.config.TLS).SetProtocolVersion(4).
		SetAutoReconnect(false).SetConnectRetry(false).SetCleanSession(true).SetOrderMatters(true).
		SetKeepAlive(keepAlive).SetPingTimeout(pingTimeout).SetConnectTimeout(connectTimeout).SetWriteTimeout(writeTimeout).
		SetBinaryWill(l.topics.status, l.status(lost), 1, true)
	if dial := l.config.Dial; dial != nil {
		o.SetCustomOpenConnectionFn(func(*url.URL, paho.ClientOptions) (net.Conn, error) { return dial() })
	}
	o.OnConnectionLost = func(_ paho.Client, err error) { l.lost <- err }
	l.paho = paho.NewClient(o)
	if err := await(ctx, answerTimeout, l.paho.Connect()); err != nil {
		return fmt.Errorf("mqtt: connect: %w", err)
	}
	return nil
}

// await waits until the broker has answered. Every token ends when its connection does.
func await(ctx context.Context, most time.Duration, token paho.Token) error {
	select {
	case <-token.Done():
		return token.Error()
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(most):
		return errors.New("no answer")
	}
}

// subscribe asks for the commands with QoS 0: nothing of a session is kept anyhow, and so a broker that has more of them than the link can carry drops them, and
// not what must come back.
func (l *link) subscribe(ctx context.Context) error {
	filters := map[string]byte{
		l.topics.commandGame: 0, l.topics.commandFloor: 0,
		l.topics.status: 1, l.topics.layout: 1, l.topics.floorState: 1, l.topics.call: 1, l.topics.floor: 1, l.topics.settlement: 1,
	}
	for topic, qos := range filters {
		token := l.paho.Subscribe(topic, qos, l.receive)
		if err := await(ctx, subscribeTimeout, token); err != nil {
			return fmt.Errorf("mqtt: subscribe: %w", err)
		}
		if token.(*paho.SubscribeToken).Result()[topic] > 2 {
			return fmt.Errorf("mqtt: the broker refuses the subscription to %s", topic)
		}
	}
	return nil
}

// receive runs in the library's goroutine, one message at a time, and must not block.
func (l *link) receive(_ paho.Client, m paho.Message) {
	to, payload := l.own, m.Payload()
	switch m.Topic() {
	case l.topics.commandGame:
		to = l.game
	case l.topics.commandFloor:
		to = l.floor
	}
	switch {
	case to != l.own && len(payload) > maxCommand: // too large by any size; what waits must not hold the rest of it
		payload = bytes.Clone(payload[:maxCommand+1])
	case len(payload) > maxOwn: // none of ours
		return
	}
	select {
	case to <- heard{m.Topic(), payload, m.Retained()}:
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
		case m := <-l.game:
			err = l.command(m)
		case m := <-l.floor:
			err = l.command(m)
		case r := <-l.replies:
			err = l.send(l.topics.reply(r.to), r.payload)
		case s := <-l.shown:
			l.show(s)
		case <-l.changed:
		case <-tick.C:
			err = l.look()
		}
		if err != nil {
			return err
		}
	}
}

// alone says that nobody else is, or may be, under our name.
func (l *link) alone() bool { return len(l.others) == 0 && !time.Now().Before(l.heed) }

// publish sends what may be sent now.
func (l *link) publish() error {
	if !l.proven || !l.alone() {
		return nil
	}
	for _, send := range []func() error{l.pump, l.keepLayout, l.keepState, l.settle} {
		if err := send(); err != nil {
			return err
		}
	}
	return nil
}

// settle says that the table is online when all that is retained is true: whoever sees that looks at the layout next. It says so again when the table was
// opened or closed.
func (l *link) settle() error {
	open := l.latest != nil && l.latest.Layout.Phase != table.Closed
	if l.latest == nil || !l.settled && !(l.layout.true() && l.state.true()) || l.settled && open == l.open {
		return nil
	}
	l.settled, l.open = true, open
	return l.announce()
}

func (l *link) keepLayout() error {
	if !l.layout.dirty || l.layout.away != nil {
		return nil
	}
	return l.keep(&l.layout, layoutOf(*l.latest, time.Now()))
}

func (l *link) keepState() error {
	if !l.state.dirty || l.state.away != nil {
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

// again publishes everything retained again, and until it is there we are not online.
func (l *link) again() {
	l.settled = false
	l.layout.dirty, l.state.dirty = l.latest != nil, l.latest != nil
	l.essence = ""
}

func (l *link) keep(r *retained, payload []byte) error {
	r.dirty, r.away, r.at = false, payload, time.Now()
	_, err := l.put(r.topic, true, payload)
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
	m := statusMessage{V: version, State: state, Since: l.since.UTC().Format(clock), Record: l.journal.Record(), Instance: l.config.Instance}
	if state == online {
		m.Open = &l.open
	}
	return encode(m)
}

func (l *link) announce() error {
	l.announced, l.away = time.Now(), true
	state := joining
	if l.settled {
		state = online
	}
	_, err := l.put(l.topics.status, true, l.status(state))
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
	switch ours := l.returned(m); {
	case !ours:
		l.foreign(m)
	case m.topic == l.unproven:
		l.unproven = ""
		l.good()
	}
	return nil
}

// returned notes what came back, byte for byte: what somebody else published there is not ours.
func (l *link) returned(m heard) bool {
	for _, r := range []*retained{&l.layout, &l.state} {
		if m.topic == r.topic {
			ours := r.away != nil && bytes.Equal(m.payload, r.away)
			if ours {
				r.away, r.stands, r.foreign = nil, r.away, false
			}
			return ours
		}
	}
	return l.acknowledge(m)
}

// heedStatus looks whether somebody under our name was there before us. He may be long dead, so he is only given the time to answer our
// own status before we publish anything.
func (l *link) heedStatus(m heard) {
	var s statusMessage
	if m.topic != l.topics.status || json.Unmarshal(m.payload, &s) != nil {
		return
	}
	if s.here() && s.Instance != l.config.Instance {
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

// here says that the program a status speaks of is connected.
func (s *statusMessage) here() bool { return s.State == online || s.State == joining }

// hearStatus watches for two things: that our own status stands, and that nobody else uses our name. Two tables
// under one name would publish two rounds as one. Both then stop, and say so; each answers the other once, so that both
// know, and goes on when the other is gone.
func (l *link) hearStatus(payload []byte) error {
	var s statusMessage
	if json.Unmarshal(payload, &s) != nil || !validName(s.Instance) {
		return nil
	}
	switch {
	case s.Instance == l.config.Instance && s.here():
		l.back()
	case s.Instance == l.config.Instance: // the will of a connection of ours that is no more
		return l.announce()
	case s.here():
		_, known := l.others[s.Instance]
		if !known && len(l.others) == maxOthers {
			return nil
		}
		l.others[s.Instance] = time.Now()
		if !known {
			l.settled = false // from now on what is retained grows old
			l.good()
			return l.announce()
		}
	default:
		return l.gone(s.Instance)
	}
	return nil
}

// back is our own status come back.
func (l *link) back() {
	l.away = false
	if l.unproven == l.topics.status {
		l.unproven = ""
	}
	if !l.proven {
		l.proven = true
		l.again()
	}
	l.good()
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
	case l.proven && l.unproven == "":
		l.missed = 0
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
	if l.proven && now.Sub(l.announced) > l.pace.status {
		if err := l.announce(); err != nil {
			return err
		}
	}
	l.restore()
	if now.Sub(l.cursor.savedAt) > l.pace.save {
		l.keepCursor()
	}
	return nil
}

// overdue is the alarm: what we published does not come back. After each time without anything in between it waits twice as long, up to eight times: a cluster that
// lost a node is busy, and is not helped by many who come anew.
func (l *link) overdue(now time.Time) error {
	topic, before := "", now.Add(-l.pace.echo<<l.missed)
	if l.away && l.announced.Before(before) {
		topic = l.topics.status
	}
	for _, r := range []*retained{&l.layout, &l.state} {
		if r.away != nil && r.at.Before(before) {
			topic = r.topic
		}
	}
	if f := l.out.away; f != nil && f.at.Before(before) {
		topic = l.topics.of(f.missing())
	}
	if topic == "" {
		return nil
	}
	if l.proven {
		l.unproven = topic
	}
	l.missed = min(l.missed+1, 3)
	return fmt.Errorf("mqtt: what is published on %s does not come back: may this user write and read it?", topic)
}
