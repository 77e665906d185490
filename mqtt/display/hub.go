package display

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/table"
)

const (
	maxTables  = 256
	maxPayload = 128 << 10
	answerTime = 2 * time.Second // for a command's reply, before it is sent again
)

// hub hears one broker's tables.
type hub struct {
	topics []string // below a table's, that are wanted

	mu      sync.Mutex
	boards  map[string]*board
	client  paho.Client // nil while there is no link
	replies map[string]chan []byte
}

// newHub hears what is public, and for the floor's console or the dealers' screens what they show beside it.
func newHub(console, dealers bool) *hub {
	h := &hub{topics: []string{"status", "layout", "call"}, boards: map[string]*board{}, replies: map[string]chan []byte{}}
	if console || dealers {
		h.topics = append(h.topics, "floor/state")
	}
	if console {
		h.topics = append(h.topics, "floor", "reply/floor")
	}
	return h
}

// board is a table's; nil when nothing was heard of it.
func (h *hub) board(name string) *board {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.boards[name]
}

// names are the tables', sorted.
func (h *hub) names() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(maps.Keys(h.boards))
}

// follow keeps a connection to the broker. Each is a new client, so that everything retained comes anew.
func (h *hub) follow(ctx context.Context, c Config, log *slog.Logger) {
	said := ""
	for ctx.Err() == nil {
		err := h.session(ctx, c, func() {
			log.Info("the broker is heard", "broker", c.Broker)
			said = ""
		})
		if why := fmt.Sprint(err); ctx.Err() == nil && why != said {
			log.Warn("the broker is not heard; trying again", "broker", c.Broker, "why", err)
			said = why
		}
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// session is one connection from its beginning to its end.
func (h *hub) session(ctx context.Context, c Config, joined func()) error {
	lost := make(chan error, 1)
	o := paho.NewClientOptions().SetClientID("sabot-display-" + rand.Text()[:12]).SetUsername(c.User).SetPassword(c.Password).
		SetTLSConfig(c.TLS).SetProtocolVersion(4).SetAutoReconnect(false).SetConnectRetry(false).SetCleanSession(true).SetOrderMatters(true).
		SetKeepAlive(5 * time.Second).SetPingTimeout(3 * time.Second).SetConnectTimeout(5 * time.Second).SetWriteTimeout(5 * time.Second)
	for node := range strings.SplitSeq(c.Broker, ",") {
		o.AddBroker(strings.TrimSpace(node))
	}
	o.OnConnectionLost = func(_ paho.Client, err error) { lost <- err }
	client := paho.NewClient(o)
	if err := await(ctx, client.Connect()); err != nil {
		return err
	}
	defer client.Disconnect(100)
	filters := map[string]byte{}
	for _, topic := range h.topics {
		filters["sabot/+/"+topic] = 1
	}
	h.link(client)
	defer h.link(nil)
	if err := await(ctx, client.SubscribeMultiple(filters, h.receive)); err != nil {
		return err
	}
	joined()
	select {
	case <-ctx.Done():
		return nil
	case err := <-lost:
		return err
	}
}

func await(ctx context.Context, t paho.Token) error {
	select {
	case <-t.Done():
		return t.Error()
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(10 * time.Second):
		return errors.New("no answer")
	}
}

// link keeps the connection and tells every board of it. Until its status comes again a table counts as unheard.
func (h *hub) link(client paho.Client) {
	h.mu.Lock()
	h.client = client
	boards := slices.Collect(maps.Values(h.boards))
	h.mu.Unlock()
	for _, b := range boards {
		b.mu.Lock()
		b.online = b.online && client == nil
		b.mu.Unlock()
		b.link(client != nil, time.Now())
	}
}

// receive runs in the library's goroutine, one message at a time.
func (h *hub) receive(_ paho.Client, m paho.Message) {
	name, topic, ok := strings.Cut(strings.TrimPrefix(m.Topic(), "sabot/"), "/")
	if !ok || !validName(name) || len(m.Payload()) > maxPayload {
		return
	}
	if topic == "reply/floor" {
		h.answer(m.Payload())
		return
	}
	if b := h.admit(name); b != nil {
		b.hear(topic, m.Payload(), time.Now())
	}
}

// admit is the table's board, made at its first message.
func (h *hub) admit(name string) *board {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.boards[name]
	if b == nil && len(h.boards) < maxTables {
		b = newBoard(name, time.Now())
		h.boards[name] = b
	}
	return b
}

// watch looks now and then for tables that are no longer heard.
func (h *hub) watch(ctx context.Context) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			for _, name := range h.names() {
				b := h.board(name)
				b.mu.Lock()
				b.judge(now)
				b.mu.Unlock()
			}
		}
	}
}

// answer hands a reply to whoever waits for it.
func (h *hub) answer(payload []byte) {
	var r struct{ ID string }
	if json.Unmarshal(payload, &r) != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if waits := h.replies[r.ID]; waits != nil {
		select {
		case waits <- payload:
		default:
		}
	}
}

// errAway is a command that nobody answered.
var errAway = errors.New("display: the table does not answer")

// ask sends a command to a table's floor and waits for its reply. It is sent again under the same id, which does no harm.
func (h *hub) ask(ctx context.Context, name, id string, command any) ([]byte, error) {
	body, err := json.Marshal(command)
	if err != nil {
		return nil, fmt.Errorf("display: %w", err)
	}
	reply := make(chan []byte, 1)
	h.mu.Lock()
	client := h.client
	h.replies[id] = reply
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.replies, id)
		h.mu.Unlock()
	}()
	for range 2 {
		if client == nil {
			return nil, errAway
		}
		if err := await(ctx, client.Publish("sabot/"+name+"/command/floor", 1, false, body)); err != nil {
			return nil, fmt.Errorf("display: %w", err)
		}
		select {
		case r := <-reply:
			return r, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(answerTime):
		}
	}
	return nil, errAway
}

// validName says whether s can be a table's name, a level of a topic: 1 to 64 of the letters A-Z a-z 0-9 _ -
func validName(s string) bool { return table.ValidName(s) && !strings.Contains(s, ".") }
