package mqtt

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// Right is whether what a table publishes on a topic can be read there: Why is "" when it can.
type Right struct {
	Topic string `json:"topic"`
	Why   string `json:"why,omitempty"`
}

// probeTime is how long a probe may take to come back.
const probeTime = 2 * time.Second

// probeMessage is what Probe publishes. By its member probe every reader knows that it says nothing of the table.
type probeMessage struct {
	V     int    `json:"v"`
	Probe string `json:"probe"`
}

// Probe tries out a broker as the table of the configuration would use it: it publishes a probe on each of its topics and waits for it to come back,
// because a broker that refuses a publication says nothing. While a table of this name is online nothing is published; online then names its instance.
// The error is that of the connection.
func Probe(ctx context.Context, c Config) (rights []Right, online string, err error) {
	p := probe{topics: topicsOf(c.Table), mark: rand.Text(), heard: make(chan heard, 64)}
	client, err := visit(ctx, c, "sabot-doctor-"+p.mark)
	if err != nil {
		return nil, "", err
	}
	defer client.Disconnect(100)
	if err := p.listen(ctx, client); err != nil {
		return nil, "", err
	}
	if online := p.online(ctx); online != "" {
		return nil, online, nil
	}
	return p.publish(ctx, client), "", nil
}

// probe is one trial.
type probe struct {
	topics topics
	mark   string
	heard  chan heard
}

// published are the topics a table writes to.
func (t *topics) published() []string {
	return []string{t.status, t.layout, t.call, t.settlement, t.floor, t.floorState, t.replyGame, t.replyFloor}
}

func (p *probe) listen(ctx context.Context, client paho.Client) error {
	filters := map[string]byte{p.topics.commandGame: 1, p.topics.commandFloor: 1}
	for _, topic := range p.topics.published() {
		filters[topic] = 1
	}
	token := client.SubscribeMultiple(filters, func(_ paho.Client, m paho.Message) {
		select {
		case p.heard <- heard{m.Topic(), m.Payload(), m.Retained()}:
		default: // a busy table: what is missed will be said
		}
	})
	if err := await(ctx, answerTimeout, token); err != nil {
		return fmt.Errorf("mqtt: subscribe: %w", err)
	}
	return nil
}

// online waits a moment for the retained status, and is the instance that is online by it.
func (p *probe) online(ctx context.Context) string {
	limit := time.After(probeTime / 4)
	for {
		select {
		case m := <-p.heard:
			var s statusMessage
			if m.topic == p.topics.status && json.Unmarshal(m.payload, &s) == nil && s.here() {
				return s.Instance
			}
		case <-limit:
			return ""
		case <-ctx.Done():
			return ""
		}
	}
}

// publish sends a probe on each topic and waits until all have come back.
func (p *probe) publish(ctx context.Context, client paho.Client) []Right {
	payload, _ := json.Marshal(probeMessage{1, p.mark}) // always marshals
	waiting := map[string]bool{}
	for _, topic := range p.topics.published() {
		client.Publish(topic, 1, false, payload)
		waiting[topic] = true
	}
	limit := time.After(probeTime)
	for done := false; len(waiting) > 0 && !done; {
		select {
		case m := <-p.heard:
			if string(m.payload) == string(payload) {
				delete(waiting, m.topic)
			}
		case <-limit:
			done = true
		case <-ctx.Done():
			done = true
		}
	}
	silent := slices.Collect(maps.Keys(waiting))
	var rights []Right
	for _, topic := range p.topics.published() {
		r := Right{Topic: topic}
		if slices.Contains(silent, topic) {
			r.Why = "what is published does not come back: this user may not write it, or not read it"
		}
		rights = append(rights, r)
	}
	return rights
}
