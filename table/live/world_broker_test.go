package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net"
	"sync"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// post is a broker as bad as brokers get: it loses messages, with and without a word, says them twice, takes its time, falls silent, cuts the link before and after
// a message, is away, and comes back without what it had retained. What it does with a message the seed and the message decide, and how often it came before, so that the
// order in which goroutines run decides nothing.
type post struct {
	mu       sync.Mutex
	seed     uint64
	bad      int // of a thousand messages so many meet with a fault
	came     map[string]int
	retained map[string][]byte
	link     *link // the table's that subscribed last
	links    map[*link]bool
	away     bool
	heard    func(topic string, payload []byte) // whoever listens, in order
	did      func(fault string)
}

// link is the table's connection.
type link struct {
	post *post
	conn net.Conn
	will *packets.PublishPacket
	subs map[string]bool
	in   chan packets.ControlPacket // has come, as far as the network goes: whoever writes never waits for the broker
	out  chan packets.ControlPacket
	gone chan struct{}
	once sync.Once
	mute bool // it hears, and says nothing
}

func newPost(seed uint64, bad int, heard func(string, []byte), did func(string)) *post {
	return &post{seed: seed, bad: bad, came: map[string]int{}, retained: map[string][]byte{}, links: map[*link]bool{}, heard: heard, did: did}
}

// dial is how the table reaches the broker.
func (p *post) dial() (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.away {
		return nil, errors.New("connection refused")
	}
	ours, theirs := net.Pipe()
	l := &link{post: p, conn: ours, subs: map[string]bool{}, in: make(chan packets.ControlPacket, 4096), out: make(chan packets.ControlPacket, 4096), gone: make(chan struct{})}
	p.links[l] = true
	go l.read()
	go l.serve()
	go l.write()
	return theirs, nil
}

func (l *link) write() {
	for {
		select {
		case <-l.gone:
			return
		case c := <-l.out:
			if err := c.Write(l.conn); err != nil {
				l.end()
				return
			}
		}
	}
}

// read takes in what is written at once, also while the broker takes its time: a writer that waits for another's write is not asleep, and time would not go on.
func (l *link) read() {
	defer close(l.in)
	for {
		c, err := packets.ReadPacket(l.conn)
		if err != nil {
			return
		}
		l.in <- c
	}
}

// serve does what comes, one after the other.
func (l *link) serve() {
	defer l.end()
	for c := range l.in {
		select {
		case <-l.gone:
			return
		default:
		}
		if !l.take(c) {
			return
		}
	}
}

// end is the end of the connection, in whatever way: the will is said if there still is one.
func (l *link) end() {
	l.once.Do(func() {
		close(l.gone)
		l.conn.Close()
		l.post.mu.Lock()
		defer l.post.mu.Unlock()
		delete(l.post.links, l)
		if l.post.link == l {
			l.post.link = nil
		}
		if l.will != nil {
			l.post.route(l.will)
		}
	})
}

// take does what a packet asks for, and says whether the connection goes on.
func (l *link) take(c packets.ControlPacket) bool {
	if l.mute {
		return true
	}
	switch c := c.(type) {
	case *packets.ConnectPacket:
		l.post.takeOver(l)
		l.will = packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
		l.will.TopicName, l.will.Payload, l.will.Retain = c.WillTopic, c.WillMessage, c.WillRetain
		l.out <- packets.NewControlPacket(packets.Connack)
	case *packets.SubscribePacket:
		l.subscribe(c)
	case *packets.PingreqPacket:
		l.out <- packets.NewControlPacket(packets.Pingresp)
	case *packets.PublishPacket:
		return l.publish(c)
	case *packets.DisconnectPacket:
		l.will = nil
		return false
	}
	return true
}

// takeOver ends whatever connection the table had before.
func (p *post) takeOver(by *link) {
	p.mu.Lock()
	links := maps.Clone(p.links)
	p.mu.Unlock()
	delete(links, by)
	for l := range links {
		l.end()
	}
}

func (l *link) subscribe(c *packets.SubscribePacket) {
	ack := packets.NewControlPacket(packets.Suback).(*packets.SubackPacket)
	ack.MessageID, ack.ReturnCodes = c.MessageID, c.Qoss
	l.out <- ack
	l.post.mu.Lock()
	defer l.post.mu.Unlock()
	l.post.link = l
	for _, topic := range c.Topics {
		l.subs[topic] = true
		if kept := l.post.retained[topic]; kept != nil {
			l.hand(topic, kept, true)
		}
	}
}

// hand gives the table a message.
func (l *link) hand(topic string, payload []byte, retained bool) {
	m := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	m.TopicName, m.Payload, m.Retain = topic, payload, retained
	select {
	case l.out <- m:
	default: // its queue is full
	}
}

// dice are thrown for a message.
func (p *post) dice(topic string, payload []byte) (n int, again uint64) {
	key := topic + string(payload)
	p.came[key]++
	h := fnv.New64a()
	fmt.Fprint(h, p.seed, key, p.came[key])
	sum := h.Sum64()
	return int(sum % 1000), sum / 1000
}

// publish takes a message of the table, or does to it what brokers do.
func (l *link) publish(m *packets.PublishPacket) bool {
	p := l.post
	p.mu.Lock()
	n, how := p.dice(m.TopicName, m.Payload)
	fault := ""
	if n < p.bad {
		fault = []string{"lost", "swallowed", "twice", "late", "silent", "cut before", "cut after"}[how%7]
		p.did("broker: " + fault)
	}
	p.mu.Unlock()
	switch fault {
	case "lost":
		return true
	case "late":
		select {
		case <-time.After(time.Duration(how%9000) * time.Millisecond):
		case <-l.gone: // who is gone is not heard any more
			return false
		}
	case "silent":
		l.mute = true
		return true
	case "cut before":
		return false
	}
	ack := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
	ack.MessageID = m.MessageID
	l.out <- ack
	if fault == "swallowed" {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.route(m)
	if fault == "twice" {
		p.route(m)
	}
	return fault != "cut after"
}

// route hands a message to all who listen.
func (p *post) route(m *packets.PublishPacket) {
	if m.Retain {
		p.retained[m.TopicName] = bytes.Clone(m.Payload)
	}
	p.heard(m.TopicName, m.Payload)
	if p.link != nil && p.link.subs[m.TopicName] {
		p.link.hand(m.TopicName, m.Payload, false)
	}
}

// say is a message from somebody else to the table.
func (p *post) say(topic string, payload []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, how := p.dice(topic, payload)
	l, times := p.link, 1
	if l == nil || !l.subs[topic] {
		return
	}
	if n < p.bad*3 {
		times = []int{0, 2, 3}[how%3]
		p.did("broker: " + []string{"command lost", "command twice", "command twice"}[how%3])
	}
	for range times {
		l.hand(topic, payload, false)
	}
}

// leave breaks the link; forgets says that what was retained is gone as well.
func (p *post) leave(away, forgets bool) {
	p.mu.Lock()
	links := maps.Clone(p.links)
	p.away = away
	p.mu.Unlock()
	for l := range links {
		l.end()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if forgets {
		clear(p.retained)
	}
}

// back is the end of an outage.
func (p *post) back() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = false
}

// kept is what the broker retains on a topic.
func (p *post) kept(topic string, into any) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return json.Unmarshal(p.retained[topic], into) == nil
}

// reader keeps what it hears as the contract says: per topic and record, dropping what has a seq not above the last one. What came behind a gap it does not
// take; it will come again.
type reader struct {
	last map[string]int64
	took map[string]map[int64][]byte
}

func newReader() *reader {
	return &reader{last: map[string]int64{}, took: map[string]map[int64][]byte{}}
}

// take is a message on call, floor or settlement. It fails when one comes again with other content.
func (r *reader) take(topic string, payload []byte) error {
	var m struct {
		Record    string
		Seq, Prev int64
	}
	if err := json.Unmarshal(payload, &m); err != nil {
		return fmt.Errorf("%s: %w", topic, err)
	}
	if topic == "call" {
		m.Prev = m.Seq - 1
	}
	key := topic + " " + m.Record
	if r.took[key] == nil {
		r.took[key] = map[int64][]byte{}
	}
	if was := r.took[key][m.Seq]; was != nil && !bytes.Equal(was, payload) {
		return fmt.Errorf("%s %d was\n%s\nand is now\n%s", topic, m.Seq, was, payload)
	}
	if m.Seq <= r.last[key] || m.Prev > r.last[key] {
		return nil
	}
	r.last[key], r.took[key][m.Seq] = m.Seq, bytes.Clone(payload)
	return nil
}
