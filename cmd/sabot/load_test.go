package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"sabot/mqtt"
	"sabot/mqtt/broker"
	"sabot/mqtt/mqtttest"
	"sabot/table"
)

func loadJSON(t *testing.T, addr string, args ...string) (r loadReport, stderr string, code int) {
	t.Helper()
	stdout, stderr, code := sabot(append([]string{"sim", "--json", "--mqtt", "tcp://" + addr, "--for", "1500ms", "--rate", "20"}, args...)...)
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%q: %v; %q", stdout, err, stderr)
	}
	return r, stderr, code
}

// Tables of each game play, nothing of what they say is lost, and nothing of it is left at the broker.
func TestLoad(t *testing.T) {
	for _, rules := range []string{"deluxe", "puntobanco", "roulette"} {
		b, err := broker.Start(broker.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		r, stderr, code := loadJSON(t, b.Addr(), "--tables", "4", "--rules", rules)
		if code != exitOK || stderr != "" {
			t.Errorf("%s: exit %d, %q", rules, code, stderr)
		}
		if r.Tables != 4 || r.Rules != rules || r.Lost != 0 || r.Gaps != 0 || r.Events < 4 || r.Published < r.Events || r.Heard.N < 4 || r.OnDisk.N < 4 {
			t.Errorf("%s: %+v", rules, r)
		}
		if h := r.Heard; h.P50 <= 0 || h.P50 > h.P95 || h.P95 > h.P99 || h.P99 > h.Max {
			t.Errorf("%s: %+v", rules, h)
		}
		if left := retainedAt(t, b.Addr()); len(left) > 0 {
			t.Errorf("%s: the broker still holds %v", rules, left)
		}
	}
}

// The tables' clocks go on when the reader has heard all: what they say then is not lost. What they had said before, and nobody heard, is.
func TestLoadCountsToWhereItWasHeard(t *testing.T) {
	l := load{named: map[string]*loaded{}, play: games["roulette"]["roulette"](), mqtt: mqtt.Config{Broker: "tcp://" + mqtttest.FreeAddr(t)}}
	one, err := l.open(t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer one.live.Close()
	ctx, end := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- one.live.Run(ctx) }()
	done := make(chan table.Reply)
	one.live.Command(table.Command{ID: "a", From: table.ToFloor, Event: table.Event{Kind: table.TableOpen, Text: &table.Text{By: "S-1"}}}, func(r table.Reply) { done <- r })
	said := (<-done).Seq
	end()
	<-ran
	for heard, lost := range map[bool]int64{true: 0, false: said} {
		if r := l.report(mqtt.Stats{}, mqtt.Stats{}, heard); said < 1 || r.Lost != lost {
			t.Errorf("of %d, the reader had all that was said: %v, and %d are lost", said, heard, r.Lost)
		}
	}
}

// retainedAt are the topics of which a broker holds something.
func retainedAt(t *testing.T, addr string) (topics []string) {
	t.Helper()
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("late"))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer c.Disconnect(0)
	heard := make(chan string, 100)
	c.SubscribeMultiple(map[string]byte{"sabot/#": 1, "mark": 1}, func(_ paho.Client, m paho.Message) { heard <- m.Topic() }).WaitTimeout(patience)
	c.Publish("mark", 1, false, "x")
	for {
		select {
		case topic := <-heard:
			if topic == "mark" {
				return topics
			}
			topics = append(topics, topic)
		case <-time.After(patience):
			t.Fatal("the broker does not deliver")
		}
	}
}

// forgetful is a broker that keeps each table's third call from the reader of all tables, and from nobody else.
type forgetful struct {
	mochi.HookBase
	lost atomic.Int64
}

func (f *forgetful) ID() string { return "forgetful" }
func (f *forgetful) Provides(b byte) bool {
	return b == mochi.OnPacketEncode || b == mochi.OnConnectAuthenticate || b == mochi.OnACLCheck
}
func (f *forgetful) OnConnectAuthenticate(*mochi.Client, packets.Packet) bool { return true }
func (f *forgetful) OnACLCheck(*mochi.Client, string, bool) bool              { return true }
func (f *forgetful) OnPacketEncode(c *mochi.Client, pk packets.Packet) packets.Packet {
	if strings.HasPrefix(c.ID, "sabot-sim-") && pk.FixedHeader.Type == packets.Publish && strings.HasSuffix(pk.TopicName, "/call") && strings.Contains(string(pk.Payload), `"seq":3,`) {
		f.lost.Add(1)
		pk.TopicName = "elsewhere/lost/x"
	}
	return pk
}

// What the reader does not hear is counted, and makes the test a failed one.
func TestLoadCountsLosses(t *testing.T) {
	s := mochi.New(&mochi.Options{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	tcp := listeners.NewTCP(listeners.Config{ID: "t", Address: "127.0.0.1:0"})
	f := &forgetful{}
	for _, err := range []error{s.AddHook(f, nil), s.AddListener(tcp), s.Serve()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	defer s.Close()
	r, stderr, code := loadJSON(t, tcp.Address(), "--tables", "4")
	if want := f.lost.Load(); r.Lost != want || r.Gaps != want || want != 4 {
		t.Errorf("%d lost, %d gaps, want %d and as many", r.Lost, r.Gaps, want)
	}
	if code != exitFailed || !strings.HasPrefix(stderr, "sabot: sim: ") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}
