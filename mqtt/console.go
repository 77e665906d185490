package mqtt

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"sabot/table"
)

// Console is a supervisor's connection to a table, for a few orders. It is no table: it reads what the table says of itself, writes command/floor, and hears the
// replies. One goroutine may use it.
type Console struct {
	topics topics
	client paho.Client
	heard  chan heard
	state  Standing
	known  map[string]bool // the retained topics that were heard
}

// Standing is a table as it retains itself at the broker.
type Standing struct {
	State  string // online, or why what follows may be old: joining, lost, offline; "" when nothing of the table was heard
	Since  time.Time
	Layout table.Layout
	Floor  table.FloorState
}

// Answer is a table's reply to an order.
type Answer struct {
	OK         bool
	Code, Text string // of a refusal: the code, and its sentence
	Seq        int64  // the entry that it became; 0 for none
}

// againAfter is how long an order waits for its answer before it is sent once more: under the same id, which does nothing twice.
const againAfter = time.Second

// Dial connects to the broker of c, which needs Broker, Table, and what the broker asks for.
func Dial(ctx context.Context, c Config) (*Console, error) {
	f := &Console{topics: topicsOf(c.Table), heard: make(chan heard, 64), known: map[string]bool{}}
	var err error
	f.client, err = visit(ctx, c, "sabot-floor-"+rand.Text())
	switch {
	case errors.Is(err, packets.ErrorNetworkError):
		return nil, fmt.Errorf("%w; is the broker running, or the table whose own it is? systemctl status sabot", err)
	case err != nil:
		return nil, err
	}
	filters := map[string]byte{}
	for _, topic := range []string{f.topics.status, f.topics.layout, f.topics.floorState, f.topics.replyFloor} {
		filters[topic] = 1
	}
	token := f.client.SubscribeMultiple(filters, func(_ paho.Client, m paho.Message) {
		select {
		case f.heard <- heard{m.Topic(), m.Payload(), m.Retained()}:
		default: // what stands comes again, and a reply is asked for again
		}
	})
	if err := await(ctx, answerTimeout, token); err != nil {
		f.Close()
		return nil, fmt.Errorf("mqtt: subscribe: %w", err)
	}
	for topic, granted := range token.(*paho.SubscribeToken).Result() {
		if granted > 2 {
			f.Close()
			return nil, fmt.Errorf("mqtt: the broker refuses the subscription to %s: is this a user of the floor?", topic)
		}
	}
	return f, nil
}

// visit connects for a short while under a name, to the first node of the broker that lets us in.
func visit(ctx context.Context, c Config, id string) (paho.Client, error) {
	nodes, err := brokerURLs(c.Broker, c.TLS != nil)
	if err != nil {
		return nil, err
	}
	for _, node := range nodes {
		o := paho.NewClientOptions().AddBroker(node).SetClientID(id).SetUsername(c.User).SetPassword(c.Password).SetTLSConfig(c.TLS).
			SetProtocolVersion(4).SetAutoReconnect(false).SetConnectRetry(false).SetCleanSession(true).SetConnectTimeout(connectTimeout).SetWriteTimeout(writeTimeout)
		client := paho.NewClient(o)
		if err = await(ctx, answerTimeout, client.Connect()); err == nil {
			return client, nil
		}
		err = fmt.Errorf("mqtt: connect to %s: %w", node, err)
	}
	return nil, err
}

// Close leaves the broker.
func (f *Console) Close() { f.client.Disconnect(100) }

// Order sends an order, see the function of that name, and waits for its answer until ctx ends. The error then says what is known of the table. One that comes too
// fast for the table (RATE, BUSY) is sent again.
func (f *Console) Order(ctx context.Context, c table.Command) (Answer, error) {
	payload, err := Order(c)
	if err != nil {
		return Answer{}, err
	}
	for {
		var early Answer
		if err := await(ctx, answerTimeout, f.client.Publish(f.topics.commandFloor, 1, false, payload)); err != nil && ctx.Err() == nil {
			return Answer{}, fmt.Errorf("mqtt: publish: %w", err)
		}
		again := time.After(againAfter)
		for waiting := true; waiting; {
			select {
			case m := <-f.heard:
				a, ok := f.answer(m, c.ID)
				if ok && a.Code != table.Rate.String() && a.Code != table.Busy.String() {
					return a, nil
				}
				if ok {
					early = a
				}
			case <-again:
				waiting = false
			case <-ctx.Done():
				if early.Code != "" {
					return early, nil
				}
				return Answer{}, f.silence()
			}
		}
	}
}

// answer is the reply to the order of this id, if m is that.
func (f *Console) answer(m heard, id string) (a Answer, ok bool) {
	var r replyMessage
	if m.topic != f.topics.replyFloor {
		f.hear(m)
		return a, false
	}
	if json.Unmarshal(m.payload, &r) != nil || r.ID != id {
		return a, false
	}
	return Answer{r.OK, r.Code, r.Text, r.Seq}, true
}

// silence is why nobody answers, as far as it can be known from here.
func (f *Console) silence() error {
	switch s := f.state; s.State {
	case "":
		return fmt.Errorf("mqtt: nobody answers, and nothing was heard of this table: is that its name, and its broker?")
	case online:
		return fmt.Errorf("mqtt: the table is online and does not answer: may this user write %s?", f.topics.commandFloor)
	default:
		return fmt.Errorf("mqtt: nobody answers: the table is %s since %s", s.State, s.Since.Format(clock))
	}
}

// State waits for what the table retains until ctx ends. A table that is joining passes within a moment, so it is waited for too; one that stays so is told as it stands.
func (f *Console) State(ctx context.Context) (Standing, error) {
	for !f.complete() || f.state.State == joining {
		select {
		case m := <-f.heard:
			f.hear(m)
		case <-ctx.Done():
			if f.complete() {
				return f.state, nil
			}
			return f.state, f.silence()
		}
	}
	return f.state, nil
}

// complete is whether everything the table retains was heard.
func (f *Console) complete() bool {
	return f.known[f.topics.status] && f.known[f.topics.layout] && f.known[f.topics.floorState]
}

// hear keeps what stands.
func (f *Console) hear(m heard) {
	var s statusMessage
	var err error
	switch m.topic {
	case f.topics.status:
		if err = json.Unmarshal(m.payload, &s); err == nil {
			f.state.State = s.State
			f.state.Since, err = time.Parse(clock, s.Since)
		}
	case f.topics.layout:
		err = json.Unmarshal(m.payload, &f.state.Layout)
	case f.topics.floorState:
		err = json.Unmarshal(m.payload, &f.state.Floor)
	}
	f.known[m.topic] = err == nil
}
