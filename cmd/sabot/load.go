package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt"
	"sabot/table"
	"sabot/table/live"
	"sabot/table/sim"
)

// loadFlags are what the command line says of a load test.
type loadFlags struct {
	tables int
	broker string
	rate   float64
	lasts  time.Duration
	remote bool
}

func (f *loadFlags) register(set *flag.FlagSet) {
	set.IntVar(&f.tables, "tables", 0, "try a broker instead: this many tables play by the rules, each with its record (1 MiB and more in the temporary folder; TMPDIR=/dev/shm leaves the disk out of it) and its messages")
	set.StringVar(&f.broker, "mqtt", "", "with --tables, the broker: tcp://HOST:PORT, ssl://…; or the configuration of a table, which says user and certificate, too")
	set.Float64Var(&f.rate, "rate", 1, "with --tables, how many events a second at each; at a real table there is one in two or three seconds")
	set.DurationVar(&f.lasts, "for", time.Minute, "with --tables, how long it is measured")
	set.BoolVar(&f.remote, "remote", false, "with --tables, the broker may be on another machine")
}

// chosen says whether a broker is to be tried, and what was said that has then no meaning, or only then.
func (f *loadFlags) chosen(set *flag.FlagSet) (bool, error) {
	given := map[string]bool{}
	set.Visit(func(one *flag.Flag) { given[one.Name] = true })
	others := []string{"mqtt", "rate", "for", "remote"}
	if given["tables"] {
		others = []string{"rounds", "strategy", "cores", "fresh-shoe"}
	}
	for _, name := range others {
		if given[name] && given["tables"] {
			return true, usageError("sim: --" + name + " means nothing with --tables")
		} else if given[name] {
			return false, usageError("sim: --" + name + " needs --tables")
		}
	}
	return given["tables"], nil
}

// load is a broker's test: many tables that each play by themselves, with a record and a publisher as any table has, and one reader of all.
// What is measured is how long an event takes to the disk and to the reader.
type load struct {
	loadFlags
	play    *Play
	seed    uint64
	mqtt    mqtt.Config
	reader  paho.Client
	named   map[string]*loaded // the tables
	stopped chan error         // a table that cannot go on

	mu       sync.Mutex
	heard    mqtt.Reader
	calls    int64       // taken
	measured atomic.Bool // what happens now
	onDisk   []time.Duration
	atReader []time.Duration
}

// loaded is one of the tables.
type loaded struct {
	name   string
	live   *live.Live
	client *mqtt.Client
	people *sim.People
	now    atomic.Pointer[table.Snapshot]

	mu    sync.Mutex
	began map[int64]time.Time // when what became the seq happened, of what is measured and the reader has not heard
}

const (
	mostTables = 10_000
	mostEvents = 10_000_000
	// settleFor bounds how long the tables may take to be there, and what they said to be heard at the end.
	settleFor = time.Minute
)

// check says what is wrong with the flags.
func (f *loadFlags) check() error {
	switch {
	case f.tables < 1 || f.tables > mostTables:
		return usageError(fmt.Sprintf("sim: tables are from 1 to %d", mostTables))
	case f.broker == "":
		return usageError("sim: --tables needs --mqtt, the broker they talk to")
	case f.rate < 0.2 || f.rate > 20:
		return usageError("sim: the rate is from 0.2 to 20 events a second")
	case f.lasts < time.Second || float64(f.tables)*f.rate*f.lasts.Seconds() > mostEvents:
		return usageError(fmt.Sprintf("sim: it lasts a second at least, and may have %d million events", mostEvents/1_000_000))
	}
	return nil
}

// prepare finds the broker.
func (l *load) prepare() error {
	m := MQTTConfig{Broker: l.broker}
	if !strings.Contains(l.broker, "://") {
		c, err := readRules(l.broker)
		if err != nil {
			return err
		}
		if m = c.MQTT; m.Listen != "" {
			m = MQTTConfig{Broker: "tcp://" + m.Listen}
		}
	}
	switch {
	case !validBroker(m.Broker):
		return usageError("sim: --mqtt takes tcp://, ssl://, ws:// or wss://, then HOST:PORT; or the configuration of a table of that broker")
	case !l.remote && !onlyHere(m.Broker):
		return usageError("sim: " + m.Broker + " is not this machine alone; write --remote if it may be loaded")
	}
	var err error
	l.mqtt, err = m.client()
	l.named, l.stopped = map[string]*loaded{}, make(chan error, 1)
	return err
}

// onlyHere says that all nodes of a broker are on this machine.
func onlyHere(broker string) bool {
	for node := range strings.SplitSeq(broker, ",") {
		u, err := url.Parse(strings.TrimSpace(node))
		if err != nil || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback() {
			return false
		}
	}
	return true
}

// run plays, and gives what came of it.
func (l *load) run(ctx context.Context, tell func(done, all int64)) (r loadReport, err error) {
	dir, err := os.MkdirTemp("", "sabot-sim-")
	if err != nil {
		return r, fmt.Errorf("sim: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := l.join(); err != nil {
		return r, err
	}
	defer l.reader.Disconnect(100)
	defer l.forget()
	var dealing, tables sync.WaitGroup
	defer tables.Wait()
	ctx, end := context.WithCancel(ctx) // of the tables
	defer end()
	play, stop := context.WithCancel(ctx) // of the people
	defer stop()
	for i := range l.tables {
		t, err := l.open(dir, i+1)
		if err != nil {
			return r, err
		}
		tables.Go(func() { l.publish(ctx, t) })
		dealing.Go(func() { l.deal(play, t) })
	}
	if err := l.await(ctx, "all tables to be at the broker", func(t *loaded) bool { return t.client.Stats().Up }); err != nil {
		return r, err
	}
	before := l.sum()
	l.measured.Store(true)
	if err := l.wait(ctx, tell); err != nil {
		return r, err
	}
	l.measured.Store(false)
	after := l.sum()
	stop()
	dealing.Wait()
	late := l.await(ctx, "all that was said to be heard", l.complete)
	return l.report(before, after, late == nil), late
}

// open makes a table with its record.
func (l *load) open(dir string, n int) (*loaded, error) {
	t := &loaded{name: fmt.Sprint("SIM-", n), began: map[int64]time.Time{}, people: sim.NewPeople(int(l.play.House.Decks), l.play.Bets != nil, l.seed+uint64(n))}
	dir = filepath.Join(dir, t.name)
	quiet := slog.New(slog.DiscardHandler)
	var err error
	t.live, err = live.Open(dir, live.Config{
		Table: t.name, GameName: l.play.Game, Rules: l.play.Rules, Configuration: json.RawMessage("{}"), Build: build(),
		New: l.play.New, SegmentPerShoe: l.play.House.Shuffle == table.AfterCut, NoShoe: l.play.House.Decks == 0,
		Show: func(now table.Snapshot) { t.now.Store(&now); t.client.Show(now) }, Halt: func() {}, Log: quiet,
	})
	if err != nil {
		return nil, err
	}
	c := l.mqtt
	c.Table, c.CursorDir, c.Log, c.Command = t.name, dir, quiet, t.live.Command
	if t.client, err = mqtt.New(c, t.live.Journal()); err != nil {
		t.live.Close()
		return nil, err
	}
	l.mu.Lock()
	l.named[t.name] = t
	l.mu.Unlock()
	return t, nil
}

// publish runs a table and its publisher until the end.
func (l *load) publish(ctx context.Context, t *loaded) {
	var sending sync.WaitGroup
	sending.Go(func() { l.fail(t, t.client.Run(ctx)) })
	l.fail(t, t.live.Run(ctx))
	sending.Wait()
	l.fail(t, t.live.Close())
}

// fail notes the first table that cannot go on.
func (l *load) fail(t *loaded, err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	select {
	case l.stopped <- fmt.Errorf("sim: table %s: %w", t.name, err):
	default:
	}
}

// deal does what is due at a table, at its rate, until the end.
func (l *load) deal(ctx context.Context, t *loaded) {
	every := time.Duration(float64(time.Second) / l.rate)
	select { // the tables do not act in step
	case <-time.After(rand.N(every)):
	case <-ctx.Done():
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	done := make(chan struct{}, 1)
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := t.now.Load()
		if now == nil { // the loop has yet to begin
			continue
		}
		e := t.people.Next(&now.Layout)
		if e.Kind == table.NoEvent {
			l.fail(t, errors.New("it is stopped"))
			return
		}
		began, measured := time.Now(), l.measured.Load()
		if measured {
			t.note(now.Seq+1, began)
		}
		t.hand(e, fmt.Sprint("sim-", n), func() { done <- struct{}{} })
		select {
		case <-done:
			if measured {
				l.measure(&l.onDisk, time.Since(began))
			}
		case <-ctx.Done():
			return
		}
	}
}

// hand hands an event in by the way it comes to a table.
func (t *loaded) hand(e table.Event, id string, done func()) {
	if !e.Asked() {
		t.live.Device(live.Input{Event: e, Done: done})
		return
	}
	from := table.ToGame
	if e.By() != "" {
		from = table.ToFloor
	}
	t.live.Command(table.Command{ID: id, From: from, Event: e}, func(table.Reply) { done() })
}

func (t *loaded) note(seq int64, began time.Time) {
	t.mu.Lock()
	t.began[seq] = began
	t.mu.Unlock()
}

// join connects the reader of all tables.
func (l *load) join() error {
	o := paho.NewClientOptions().SetClientID(fmt.Sprint("sabot-sim-", rand.Uint64())).SetUsername(l.mqtt.User).SetPassword(l.mqtt.Password).SetTLSConfig(l.mqtt.TLS).
		SetAutoReconnect(true).SetMaxReconnectInterval(time.Second).SetCleanSession(false).SetOrderMatters(true)
	for node := range strings.SplitSeq(l.mqtt.Broker, ",") {
		o.AddBroker(strings.TrimSpace(node))
	}
	l.reader = paho.NewClient(o)
	if t := l.reader.Connect(); !t.WaitTimeout(settleFor) || t.Error() != nil {
		return fmt.Errorf("sim: the broker at %s: %w", l.mqtt.Broker, cmp.Or(t.Error(), errors.New("no answer")))
	}
	t := l.reader.SubscribeMultiple(map[string]byte{"sabot/+/call": 1, "sabot/+/floor": 1, "sabot/+/settlement": 1}, l.hear)
	if !t.WaitTimeout(settleFor) || t.Error() != nil {
		return fmt.Errorf("sim: subscribe: %w", cmp.Or(t.Error(), errors.New("no answer")))
	}
	return nil
}

// hear takes a message of one of the tables; there may be others at this broker.
func (l *load) hear(_ paho.Client, m paho.Message) {
	now := time.Now()
	parts := strings.Split(m.Topic(), "/")
	l.mu.Lock()
	t := l.named[parts[1]]
	if t == nil {
		l.mu.Unlock()
		return
	}
	seq, fresh, _ := l.heard.Take(m.Topic(), m.Payload())
	if fresh = fresh && parts[2] == "call"; fresh {
		l.calls++
	}
	l.mu.Unlock()
	if !fresh {
		return
	}
	t.mu.Lock()
	began, ok := t.began[seq]
	delete(t.began, seq)
	t.mu.Unlock()
	if ok {
		l.measure(&l.atReader, now.Sub(began))
	}
}

func (l *load) measure(list *[]time.Duration, took time.Duration) {
	l.mu.Lock()
	*list = append(*list, took)
	l.mu.Unlock()
}

// complete says that the reader has all that a table said.
func (l *load) complete(t *loaded) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.heard.Last("sabot/"+t.name+"/call") == t.live.Journal().Durable() && t.client.Stats().Acknowledged == t.live.Journal().Durable()
}

// await waits until something is true of all tables.
func (l *load) await(ctx context.Context, what string, true func(*loaded) bool) error {
	limit := time.After(settleFor)
	for _, t := range l.named {
		for !true(t) {
			select {
			case <-ctx.Done():
				return fmt.Errorf("sim: stopped while waiting for %s", what)
			case err := <-l.stopped:
				return err
			case <-limit:
				return fmt.Errorf("sim: waited %v in vain for %s: %s", settleFor, what, t.name)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	return nil
}

// wait waits until the time is over.
func (l *load) wait(ctx context.Context, tell func(done, all int64)) error {
	began := time.Now()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	defer tell(1, 1)
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("sim: stopped after %v of %v", time.Since(began).Round(time.Second), l.lasts)
		case err := <-l.stopped:
			return err
		case <-tick.C:
		}
		if time.Since(began) >= l.lasts {
			return nil
		}
		tell(int64(time.Since(began)), int64(l.lasts))
	}
}

// sum counts over all tables: as acknowledged, what they recorded.
func (l *load) sum() (s mqtt.Stats) {
	for _, t := range l.named {
		one := t.client.Stats()
		s.Published += one.Published
		s.Connections += one.Connections
		s.Acknowledged += t.live.Journal().Durable()
	}
	return s
}

// forget takes back what the tables left at the broker.
func (l *load) forget() {
	var tokens []paho.Token
	for name := range l.named {
		for _, topic := range []string{"status", "layout", "floor/state"} {
			tokens = append(tokens, l.reader.Publish("sabot/"+name+"/"+topic, 1, true, ""))
		}
	}
	limit := time.After(settleFor)
	for _, t := range tokens {
		select {
		case <-t.Done():
		case <-limit:
			return
		}
	}
}
