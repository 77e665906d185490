package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt"
	"sabot/mqtt/broker"
	"sabot/mqtt/display"
	"sabot/shoe"
	"sabot/table"
	"sabot/table/box"
	"sabot/table/live"
)

// witness is a whole table, loop, record, publisher, broker and pages, and whoever looks at it from everywhere at once.
type witness struct {
	t       *testing.T
	dir     string
	live    *live.Live
	client  *mqtt.Client
	metrics *metrics
	stop    func()
	pages   func() // gets every page
	first   int64  // the seq of the first event that is the test's
	drawn   uint32 // sentences of the shoe

	mu    sync.Mutex
	heard map[string][]string // by where: a topic, a stream, the log, the lamps
	at    map[string]int64    // by topic, the last seq heard there
}

// changing is what is another thing at any two tables, or at any two times.
var changing = regexp.MustCompile(`"(record|instance|since|at|until|left_ms|age|anchor)":("[^"]*"|\d+)|record=\S+|127\.0\.0\.1:\d+|data-token="[^"]*"`)

func (w *witness) hear(where, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard[where] = append(w.heard[where], changing.ReplaceAllString(what, "…"))
}

// slowDisk is what the log says of a disk that took long, which comes with the time and not with a card.
var slowDisk = regexp.MustCompile(`^level=WARN msg="the disk (has not taken an entry for 250ms; the deal is stopped until it has"|answers again" after=[0-9.]+m?s)\n$`)

// Write is the log's.
func (w *witness) Write(line []byte) (int, error) {
	if !slowDisk.Match(line) {
		w.hear("log", string(line))
	}
	return len(line), nil
}

// newWitness starts a table that plays by p.
func newWitness(t *testing.T, p *Play) *witness {
	t.Helper()
	w := &witness{t: t, dir: filepath.Join(t.TempDir(), "record"), heard: map[string][]string{}, at: map[string]int64{}}
	b, err := broker.Start(broker.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	w.subscribe(b.Addr())
	w.watch(ctx, b.Addr())
	log := slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	s := &station{}
	w.metrics = newMetrics(&Config{Play: p, Journal: w.dir, Device: DeviceConfig{Name: "shoe"}}, s)
	w.live, err = live.Open(w.dir, live.Config{
		Table: demoTable, GameName: p.Game, Rules: p.Rules, Configuration: json.RawMessage("{}"), New: p.New, Log: log,
		Halt: func() {}, Show: w.show, // a slow disk halts, which comes with the time
	})
	if err != nil {
		t.Fatal(err)
	}
	w.first = w.live.Journal().Durable() + 1
	w.client, err = mqtt.New(mqtt.Config{Broker: b.Addr(), Table: demoTable, CursorDir: w.dir, Log: log, Command: w.live.Command}, w.live.Journal())
	if err != nil {
		t.Fatal(err)
	}
	s.live, s.client = w.live, w.client
	var parts sync.WaitGroup
	parts.Go(func() { w.live.Run(ctx) })
	parts.Go(func() { w.client.Run(ctx) })
	w.stop = sync.OnceFunc(func() {
		stop()
		parts.Wait()
		w.live.Close()
	})
	t.Cleanup(func() {
		w.stop()
		b.Close()
	})
	w.until("everybody to listen", w.everybody)
	return w
}

// everybody says that the broker and the pages pass on what the table says, to whoever reads there.
func (w *witness) everybody() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	states := w.heard["sabot/"+demoTable+"/status"]
	return len(states) > 0 && strings.Contains(states[len(states)-1], `"online"`) &&
		len(w.heard["/events/"+demoTable+" layout"]) > 0 && len(w.heard["/floor/events/"+demoTable+" floor-state"]) > 0
}

func (w *witness) show(s table.Snapshot) {
	w.hear("lamps", fmt.Sprintf("%+v", box.Lamps(&s)))
	w.metrics.show(s)
	w.client.Show(s) // the last: who hears of it looks at the metrics
}

// subscribe hears every topic there is.
func (w *witness) subscribe(addr string) {
	o := paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("witness").SetOrderMatters(true)
	c := paho.NewClient(o)
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		w.t.Fatal(token.Error())
	}
	token := c.Subscribe("#", 1, func(_ paho.Client, m paho.Message) {
		w.hear(m.Topic(), string(m.Payload()))
		var has struct{ Seq int64 }
		json.Unmarshal(m.Payload(), &has)
		w.mu.Lock()
		w.at[m.Topic()] = has.Seq
		w.mu.Unlock()
	})
	if !token.WaitTimeout(patience) || token.Error() != nil {
		w.t.Fatal(token.Error())
	}
	w.t.Cleanup(func() { c.Disconnect(0) })
}

// watch opens the pages: the public's stream, and the floor's behind a login.
func (w *witness) watch(ctx context.Context, addr string) {
	accounts := filepath.Join(w.t.TempDir(), "accounts")
	if err := display.SetPassword(accounts, "ana.silva", "a long password"); err != nil {
		w.t.Fatal(err)
	}
	pages, err := display.New(display.Config{Broker: "tcp://" + addr, Accounts: accounts})
	if err != nil {
		w.t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	go pages.Run(ctx, l)
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar}
	at := "http://" + l.Addr().String()
	answer, err := browser.PostForm(at+"/floor/login", url.Values{"name": {"ana.silva"}, "password": {"a long password"}})
	if err != nil || answer.StatusCode != http.StatusOK {
		w.t.Fatalf("%v, %v", answer, err)
	}
	answer.Body.Close()
	for _, path := range []string{"/events/" + demoTable, "/floor/events/" + demoTable} {
		go w.follow(ctx, browser, at+path, path)
	}
	w.pages = func() {
		for _, path := range []string{"/", "/overlay/" + demoTable, "/dealer/" + demoTable, "/floor/", "/floor/table/" + demoTable, "/floor/wall"} {
			answer, err := browser.Get(at + path)
			if err != nil {
				w.t.Fatal(err)
			}
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			w.hear("GET "+path, answer.Status+"\n"+cardAge.ReplaceAllString(string(body), ""))
		}
	}
}

// cardAge is how long ago a table's last card came.
var cardAge = regexp.MustCompile(`"card":-?\d+,`)

// follow hears a stream. Beats come by the clock, and so does what is old.
func (w *witness) follow(ctx context.Context, browser *http.Client, address, path string) {
	r, _ := http.NewRequestWithContext(ctx, "GET", address, nil)
	answer, err := browser.Do(r)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	kind := ""
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case name == "event":
			kind = value
		case name == "data" && kind != "beat" && kind != "stale":
			w.hear(path+" "+kind, value)
			var has struct{ Body struct{ Seq int64 } }
			json.Unmarshal([]byte(value), &has)
			w.mu.Lock()
			w.at[path+" "+kind] = has.Body.Seq
			w.mu.Unlock()
		}
	}
}

// until waits for something to become true.
func (w *witness) until(what string, true func() bool) {
	w.t.Helper()
	for limit := time.Now().Add(patience); !true(); time.Sleep(200 * time.Microsecond) {
		if time.Now().After(limit) {
			w.mu.Lock()
			w.t.Fatalf("waited in vain for %s: durable %d, heard %v, %v", what, w.live.Journal().Durable(), w.at, w.heard["reply"])
		}
	}
}

// happen has an event happen at the table, as a device or somebody's command brings it, and waits until all of it was heard.
func (w *witness) happen(e table.Event, seq int64) {
	w.t.Helper()
	seq += w.first - 1
	switch e.Kind {
	case table.Release, table.Correct, table.Undo, table.Expose:
		e.N += w.first - 1 // the event it speaks of has another number here
	}
	w.mu.Lock()
	replies := len(w.heard["reply"])
	w.mu.Unlock()
	if e.Asked() {
		replies++
		from := table.ToFloor
		if e.By() == "" && (e.Kind == table.Open || e.Kind == table.Close || e.Kind == table.Bet || e.Kind.Decision()) {
			from = table.ToGame
		}
		w.live.Command(table.Command{ID: fmt.Sprintf("c-%d", seq), From: from, Event: e}, func(r table.Reply) { w.hear("reply", fmt.Sprintf("%+v", r)) })
	} else {
		w.drawn++
		w.live.Device(live.Input{Event: e, Source: shoe.Source{Device: "shoe", Epoch: 1, Seq: w.drawn}, Raw: []byte(e.String())})
	}
	w.until(fmt.Sprintf("entry %d, %v", seq, e), func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		root := "sabot/" + demoTable + "/"
		return len(w.heard["reply"]) == replies && w.live.Journal().Durable() == seq && w.at[root+"call"] == seq && w.at[root+"layout"] == seq && w.at["/events/"+demoTable+" layout"] == seq
	})
	for _, line := range scrape(w.t, w.metrics.handler(demoTable)) {
		if ofTheGame.MatchString(line) {
			w.hear("metrics", line)
		}
	}
}

// ofTheGame are the metrics that nothing but the game moves.
var ofTheGame = regexp.MustCompile(`^sabot_(rounds|cards|misreads|irregularities|open|stopped|holds|record_entries|queue)`)

// bySeq are what was said of each seq.
func bySeq(list []string) map[string][]string {
	said := map[string][]string{}
	for _, text := range list {
		seq := seqOf.FindString(text)
		said[seq] = append(said[seq], text)
	}
	return said
}

var seqOf = regexp.MustCompile(`"seq":\d+`)

// differ gives the first thing that two witnesses heard otherwise. Of what is retained only the latest counts, and one that came too late for the
// next was never sent; all else was sent to both.
func (w *witness) differ(o *witness) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, where := range slices.Sorted(slices.Values(slices.Concat(sorted(w.heard), sorted(o.heard)))) {
		mine, others := w.heard[where], o.heard[where]
		if strings.HasSuffix(where, "layout") || strings.HasSuffix(where, "state") || strings.HasPrefix(where, "/") {
			said := bySeq(others)
			for seq, list := range bySeq(mine) {
				if now := said[seq]; now != nil && list[len(list)-1] != now[len(now)-1] {
					return fmt.Sprintf("%s:\n%s\n%s", where, list[len(list)-1], now[len(now)-1])
				}
			}
			continue
		}
		for i := range max(len(mine), len(others)) {
			if i >= len(mine) || i >= len(others) || mine[i] != others[i] {
				return fmt.Sprintf("%s, message %d:\n%s\n%s", where, i, mine[i:min(len(mine), i+1)], others[i:min(len(others), i+1)])
			}
		}
	}
	return ""
}

// exported is what a public export and a verification say of a table that was stopped.
func (w *witness) exported() {
	for _, args := range [][]string{{"export", "--public", w.dir}, {"export", "--public", "--csv", w.dir}} {
		out, stderr, code := sabot(args...)
		for line := range strings.Lines(fmt.Sprint(code, stderr, out)) {
			w.hear(strings.Join(args[:len(args)-1], " "), exportTime.ReplaceAllString(line, ""))
		}
	}
}

var exportTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|\b[0-9a-f]{32}\b`)

// TestWhatLiesFaceDownIsSecretEverywhere plays days through two whole tables, from the loop's queues to the pages. They differ in one card that lies face
// down, and nobody can tell: not by a topic, a reply, a stream, a page, the log, the metrics, the lamps and the lock, nor by an export for the public.
func TestWhatLiesFaceDownIsSecretEverywhere(t *testing.T) {
	t.Parallel()
	played := map[string]int{}
	for seed := uint64(1000); len(played) < len(places)-1 || played["hole"] < 2; seed++ {
		w := newTwins(t, seed, true)
		for i, since := 0, 0; i < 90 && since < 25 && !w.turned && !w.equal; i++ {
			w.turn()
			if w.where != "" {
				since++
			}
		}
		if w.turned || w.equal {
			w.happened = w.happened[:len(w.happened)-1]
		}
		if w.where == "" || w.since() < 8 || played[w.where] > 1 {
			continue
		}
		played[w.where]++
		t.Run(fmt.Sprintf("%s-%d", w.where, seed), func(t *testing.T) { w.everywhere(t) })
	}
}

// since is how many events there were with the secret.
func (w *twins) since() int {
	i := slices.IndexFunc(w.happened, func(h happening) bool { return h.a.Card != h.b.Card })
	if i < 0 {
		return 0
	}
	return len(w.happened) - i
}

func (w *twins) everywhere(t *testing.T) {
	w.t = t
	a, b := newWitness(t, w.play), newWitness(t, w.play)
	for i, h := range w.happened {
		a.happen(h.a, int64(i+1))
		b.happen(h.b, int64(i+1))
	}
	for _, one := range []*witness{a, b} {
		one.pages()
		one.stop()
		one.exported()
	}
	what := a.differ(b)
	for limit := time.Now().Add(patience); what != "" && time.Now().Before(limit); what = a.differ(b) { // the last messages are on their way
		time.Sleep(50 * time.Millisecond)
	}
	if what != "" {
		w.fail("with the %s card %v / %v, %s", w.where, w.secret[0], w.secret[1], what)
	}
	if n := len(a.heard["sabot/"+demoTable+"/call"]); n < len(w.happened) {
		t.Errorf("of %d entries %d calls were heard", len(w.happened), n)
	}
}
