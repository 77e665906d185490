package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/broker"
	"sabot/shoe/line"
	"sabot/table"
	"sabot/table/journal"
)

// rig is everything around a table's daemon, which itself is another process: broker, shoe, people, and somebody who listens.
type rig struct {
	t      *testing.T
	ctx    context.Context
	dir    string
	config string
	broker *broker.Broker
	shoe   *virtualShoe
	people *studio
	played chan error // why the people stopped playing

	mu    sync.Mutex
	heard map[int64]string // call messages by seq
	last  int64
	state string // of the retained status
	floor []byte // its messages, one a line
}

func newRig(t *testing.T, seed uint64) *rig {
	t.Helper()
	return newRigOf(t, "deluxe", seed)
}

func newRigOf(t *testing.T, rules string, seed uint64) *rig {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r := &rig{played: make(chan error, 1), t: t, ctx: ctx, dir: t.TempDir(), heard: map[int64]string{}}
	var err error
	if r.broker, err = broker.Start(broker.Config{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.broker.Close() })
	if r.shoe, err = plugShoe(ctx, filepath.Join(r.dir, "shoe"), line.NewDevice("virtual", "test", uint32(seed)|1)); err != nil {
		t.Fatal(err)
	}
	r.config = filepath.Join(r.dir, "sabot.yaml")
	d := demoFlags{game: "blackjack", rules: rules, journal: filepath.Join(r.dir, "journal")}
	if err := os.WriteFile(r.config, []byte(d.config(r.broker.Addr(), r.shoe.at())), 0o600); err != nil {
		t.Fatal(err)
	}
	d.seed = seed
	if r.people, err = d.people(r.shoe, func(time.Duration) {}); err != nil {
		t.Fatal(err)
	}
	if err := r.people.join(r.broker.Addr()); err != nil {
		t.Fatal(err)
	}
	r.listen()
	return r
}

// listen keeps every call message, and finds one that comes twice with other content or out of order.
func (r *rig) listen() {
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + r.broker.Addr()).SetClientID("listener").SetOrderMatters(true))
	if tk := c.Connect(); !tk.WaitTimeout(patience) || tk.Error() != nil {
		r.t.Fatal(tk.Error())
	}
	r.t.Cleanup(func() { c.Disconnect(50) })
	c.Subscribe("sabot/"+demoTable+"/status", 1, func(_ paho.Client, m paho.Message) {
		var s struct{ State string }
		json.Unmarshal(m.Payload(), &s)
		r.mu.Lock()
		r.state = s.State
		r.mu.Unlock()
	}).Wait()
	c.Subscribe("sabot/"+demoTable+"/floor", 1, func(_ paho.Client, m paho.Message) {
		r.mu.Lock()
		r.floor = append(append(r.floor, m.Payload()...), '\n')
		r.mu.Unlock()
	}).Wait()
	c.Subscribe("sabot/"+demoTable+"/call", 1, func(_ paho.Client, m paho.Message) { r.hear(string(m.Payload())) }).Wait()
}

func (r *rig) hear(payload string) {
	var m struct{ Seq int64 }
	json.Unmarshal([]byte(payload), &m)
	r.mu.Lock()
	defer r.mu.Unlock()
	if was, again := r.heard[m.Seq]; again {
		if was != payload {
			r.t.Errorf("call %d came twice and differs:\n%s\n%s", m.Seq, was, payload)
		}
		return
	}
	if m.Seq != r.last+1 {
		r.t.Errorf("call %d followed %d", m.Seq, r.last)
	}
	r.heard[m.Seq], r.last = payload, m.Seq
}

// daemon starts `sabot run`.
func (r *rig) daemon() *exec.Cmd {
	r.t.Helper()
	c := exec.Command("sabot", "run", r.config)
	c.Stderr, _ = os.OpenFile(filepath.Join(r.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err := c.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Process.Kill() })
	return c
}

// entries are all entries of the record.
func (r *rig) entries() []journal.Entry {
	r.t.Helper()
	var all []journal.Entry
	files, err := journal.Segments(filepath.Join(r.dir, "journal"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range files {
		f, err := journal.OpenFile(file)
		if err != nil {
			r.t.Fatal(err)
		}
		for {
			e, err := f.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				r.t.Fatal(err)
			}
			all = append(all, e)
		}
		f.Close()
	}
	return all
}

func (r *rig) log() string {
	b, _ := os.ReadFile(filepath.Join(r.dir, "log"))
	return string(b)
}

var kills = flag.Int("kills", 50, "how often TestKill kills a daemon")

// killedTables is how many tables are killed at a time.
const killedTables = 5

// TestKill kills daemons again and again in the middle of play. Whatever the moment: no card is lost or doubled between shoe and
// record, no call between record and subscriber, every restart is called once and nothing else is, and the table plays on.
func TestKill(t *testing.T) {
	for n := range killedTables {
		t.Run(fmt.Sprint("table ", n+1), func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			killTable(t, seed, *kills/killedTables)
		})
	}
}

// killTable kills one table's daemon again and again.
func killTable(t *testing.T, seed uint64, times int) {
	r := newRig(t, seed)
	rng := rand.New(rand.NewPCG(seed, 7))
	people, stop := context.WithCancel(r.ctx)
	go func() { r.played <- r.people.run(people, 0) }()
	daemon := r.daemon()
	for range times {
		r.progress()
		time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
		r.people.err(table.Restart)
		daemon.Process.Kill()
		daemon.Wait()
		daemon = r.daemon()
	}
	r.progress()
	stop()
	if err := <-r.played; err != nil && people.Err() == nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, r.log())
	}
	daemon.Process.Signal(syscall.SIGTERM)
	if err := daemon.Wait(); err != nil {
		t.Errorf("seed %d: asked to stop, the daemon said %v\n%s", seed, err, r.log())
	}
	r.verify(seed, times)
}

// progress waits until the table has played on for a while.
func (r *rig) progress() {
	r.t.Helper()
	from := r.people.now()
	err := r.people.within(r.ctx, 2*patience, func() bool { return r.people.layout.Seq > from.Seq+15 })
	if err != nil {
		now, floor := r.people.now(), r.people.floor
		r.t.Fatalf("the table does not play on from %d: %v\nlayout %+v\ndue %+v\nfloor %+v\npeople: %v\n%s", from.Seq, err, now, now.Due, floor, r.why(), r.log())
	}
}

// why is what made the people give up, if they did.
func (r *rig) why() error {
	select {
	case err := <-r.played:
		return err
	default:
		return nil
	}
}

// sameCards holds the cards recorded of each shoe against those it held: none is lost, doubled or out of order.
func (r *rig) sameCards(seed uint64) (shoes map[int64][]string) {
	r.t.Helper()
	shoes = map[int64][]string{}
	number := int64(0)
	for _, e := range r.entries() {
		switch e.Event.Kind {
		case table.NewShoe:
			number = e.Event.N
		case table.Draw:
			shoes[number] = append(shoes[number], e.Event.Card.String())
		}
	}
	for n, drawn := range shoes {
		var want []string
		for _, c := range shuffled(8, seed, uint32(n))[:len(drawn)] {
			want = append(want, c.String())
		}
		if !slices.Equal(drawn, want) {
			r.t.Errorf("seed %d: shoe %d gave %v, and the record has %v", seed, n, want, drawn)
		}
	}
	return shoes
}

func (r *rig) verify(seed uint64, kills int) {
	shoes, entries, restarts := r.sameCards(seed), r.entries(), 0
	for _, e := range entries {
		if e.Event.Kind == table.Started {
			restarts++
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	last := entries[len(entries)-1].Seq
	if restarts != kills || r.last != last || r.state != "offline" {
		r.t.Errorf("seed %d: %d restarts recorded; %d of %d entries heard; status %q", seed, restarts, r.last, last, r.state)
	}
	files, err := journal.Segments(filepath.Join(r.dir, "journal"))
	if err != nil || len(files) != len(shoes)+1 {
		r.t.Errorf("seed %d: %d segments for %d shoes, %v", seed, len(files), len(shoes), err)
	}
	if err := r.people.verdict(); err != nil {
		r.t.Errorf("seed %d: %v", seed, err)
	}
	r.prove(seed, entries[len(entries)-1].Round)
	r.t.Logf("%d entries, %d rounds, %d shoes, %d restarts", last, entries[len(entries)-1].Round, len(shoes), restarts)
}

// prove holds the record against itself and against what was heard on floor: an anchor for each round.
func (r *rig) prove(seed uint64, rounds uint32) {
	heard := filepath.Join(r.dir, "floor.txt")
	if err := os.WriteFile(heard, r.floor, 0o600); err != nil {
		r.t.Fatal(err)
	}
	out, stderr, code := sabot("verify", "--anchor", heard, filepath.Join(r.dir, "journal"))
	var anchors uint32
	if _, after, ok := strings.Cut(out, "anchors    "); ok {
		fmt.Sscan(after, &anchors)
	}
	if code != exitOK || anchors+1 < rounds {
		r.t.Errorf("seed %d: exit %d, %d anchors of %d rounds: %s%s", seed, code, anchors, rounds, out, stderr)
	}
}

// TestSecondDaemonIsRefused: one table has one daemon, and one port one reader.
func TestSecondDaemonIsRefused(t *testing.T) {
	r := newRig(t, 1)
	r.daemon()
	if err := r.people.within(r.ctx, patience, func() bool { return r.people.layout.V == 1 }); err != nil {
		t.Fatalf("no layout: %v\n%s", err, r.log())
	}
	other := filepath.Join(r.dir, "other.yaml")
	d := demoFlags{game: "blackjack", rules: "deluxe", journal: filepath.Join(r.dir, "other")}
	if err := os.WriteFile(other, []byte(d.config(r.broker.Addr(), r.shoe.at())), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("sabot", "run", r.config).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another program is writing the record") || bytes.Contains(out, []byte("panic")) {
		t.Errorf("the same record: %v: %s", err, out)
	}
	waiting := exec.CommandContext(r.ctx, "sabot", "run", other)
	said, err := waiting.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	defer waiting.Wait()
	defer waiting.Process.Kill()
	defer time.AfterFunc(patience, func() { waiting.Process.Kill() }).Stop()
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "another program holds") {
			return // it waits for the shoe, and says whom to ask
		}
	}
	t.Error("a daemon whose shoe another one holds does not say so")
}

// TestDemoGoesOn: with a folder of its own the demonstration goes on where it was left, in mid-round too.
func TestDemoGoesOn(t *testing.T) {
	r := &rig{played: make(chan error, 1), t: t, dir: t.TempDir()}
	demo := func(rounds string) *exec.Cmd {
		return exec.Command("sabot", "demo", "--journal", filepath.Join(r.dir, "journal"), "--seed", "4", "--speed", "0", "--mistakes", "0", "--mqtt", "127.0.0.1:0", "--rounds", rounds)
	}
	for range 3 {
		killed := demo("0")
		if err := killed.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		killed.Process.Kill()
		killed.Wait()
	}
	out, err := demo("5").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "5 rounds, ") || !strings.Contains(string(out), ", 0 false alarms") {
		t.Errorf("%v: %s", err, out[max(0, len(out)-400):])
	}
	if shoes := r.sameCards(4); len(shoes) == 0 {
		t.Error("no card is recorded")
	}
}

// TestDemo: the demonstration ends by itself, with every mistake called and nothing else.
func TestDemo(t *testing.T) {
	for seed, table := range []string{"blackjack deluxe", "blackjack classic", "blackjack live", "blackjack didactic", "baccarat puntobanco", "roulette roulette"} {
		var out, errs bytes.Buffer
		game, rules, _ := strings.Cut(table, " ")
		args := []string{"demo", "--game", game, "--rules", rules, "--rounds", "12", "--seed", fmt.Sprint(seed), "--speed", "0", "--mistakes", "0.15", "--mqtt", "127.0.0.1:0"}
		if code := run(args, strings.NewReader(""), &out, &errs); code != exitOK {
			t.Errorf("%s, seed %d: exit %d: %s\n%s", table, seed, code, errs.String(), out.String())
		}
		if !strings.Contains(out.String(), "12 rounds, ") || !strings.Contains(out.String(), ", 0 false alarms") {
			t.Errorf("seed %d: %s", seed, out.String()[max(0, out.Len()-300):])
		}
	}
}
