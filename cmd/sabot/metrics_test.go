package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.yaml.in/yaml/v4"

	"sabot/mqtt/broker"
	"sabot/shoe/line"
	"sabot/table"
)

// scrape asks for the metrics, and gives their lines without comments.
func scrape(t *testing.T, h http.Handler) (lines []string) {
	t.Helper()
	code, body := ask(h, "/metrics")
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	for in := bufio.NewScanner(strings.NewReader(body)); in.Scan(); {
		if !strings.HasPrefix(in.Text(), "#") {
			lines = append(lines, in.Text())
		}
	}
	return lines
}

func ask(h http.Handler, path string) (code int, body string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, w.Body.String()
}

// figuresOf are the metrics by name and label, such as sabot_device_up{device="shoe"}; all are of the one table.
func figuresOf(t *testing.T, h http.Handler) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for _, line := range scrape(t, h) {
		name, value, _ := strings.Cut(line, "} ")
		name = strings.TrimSuffix(strings.Replace(strings.Replace(name+"}", `,table="DEMO"`, "", 1), `table="DEMO"`, "", 1), "{}")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all[name] = v
	}
	return all
}

// watched is a station with metrics, its shoe, and the broker.
type watched struct {
	*station
	shoe   *virtualShoe
	broker *broker.Broker
	flags  demoFlags
	http.Handler
}

func newWatched(t *testing.T) *watched {
	t.Helper()
	dir := t.TempDir()
	w := &watched{flags: demoFlags{game: "blackjack", rules: "deluxe", journal: filepath.Join(dir, "journal"), mistakes: 0.2, seed: 7}}
	var err error
	if w.broker, err = broker.Start(broker.Config{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.broker.Close() })
	if w.shoe, err = plugShoe(t.Context(), filepath.Join(dir, "shoe"), line.NewDevice("virtual", "test", 1)); err != nil {
		t.Fatal(err)
	}
	c, problems := parseConfig("watched", w.flags.config(w.broker.Addr(), w.shoe.at())+"metrics: {listen: 127.0.0.1:9464}\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if w.station, err = openStation(c, slog.New(slog.DiscardHandler), nil, nil); err != nil {
		t.Fatal(err)
	}
	w.Handler = w.metrics.handler(c.Table)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return w
}

// until waits for an answer of a page.
func (w *watched) until(t *testing.T, path string, code int, words string) {
	t.Helper()
	for limit := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		got, body := ask(w, path)
		if got == code && strings.Contains(body, words) {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("waited in vain for %d %q on %s: %d %s", code, words, path, got, body)
		}
	}
}

// TestMetricsCountWhatHappened plays rounds with mistakes, and holds the figures against what the people did.
func TestMetricsCountWhatHappened(t *testing.T) {
	w := newWatched(t)
	people, err := w.flags.people(w.shoe, func(time.Duration) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := people.join(w.broker.Addr()); err != nil {
		t.Fatal(err)
	}
	defer people.broker.Disconnect(100)
	if err := people.run(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	w.until(t, "/metrics", http.StatusOK, `sabot_unheard_entries{table="DEMO"} 0`)
	got := figuresOf(t, w)
	called := 0.0
	for name, v := range got {
		if strings.HasPrefix(name, "sabot_irregularities_total") && !strings.Contains(name, table.ClockStep.String()) {
			called += v
		}
	}
	people.mu.Lock()
	defer people.mu.Unlock()
	irregular := func(c table.Code) float64 { return got[fmt.Sprintf(`sabot_irregularities_total{code=%q}`, c)] }
	for what, x := range map[string][2]float64{
		"rounds":              {got["sabot_rounds_total"], float64(people.rounds)},
		"cards":               {got["sabot_cards_total"], float64(people.dealt)},
		"irregularities":      {called, float64(people.caught)},
		"misreads":            {got["sabot_misreads_total"], irregular(table.Misread) + irregular(table.BurnUnread)},
		"losses of the shoe":  {got[`sabot_device_losses_total{device="shoe"}`], irregular(table.DeviceLost)},
		"the shoe":            {got[`sabot_device_up{device="shoe"}`], 1},
		"the broker":          {got["sabot_broker_up"], 1},
		"connections":         {got["sabot_broker_connections_total"], 1},
		"entries":             {got["sabot_record_entries"], float64(w.live.Journal().Durable())},
		"appends":             {got["sabot_append_seconds_count"], got["sabot_record_entries"] + rotations(t, w.flags.journal)},
		"the table's opening": {got["sabot_open"], 1},
	} {
		if x[0] != x[1] {
			t.Errorf("%s: %v, and there were %v", what, x[0], x[1])
		}
	}
	for _, what := range []string{"sabot_misreads_total", `sabot_device_losses_total{device="shoe"}`, "sabot_cards_total", "sabot_append_seconds_sum", "process_resident_memory_bytes", "sabot_disk_free_bytes"} {
		if got[what] <= 0 {
			t.Errorf("%s is %v; nothing was tried", what, got[what])
		}
	}
}

// rotations are how often the record began another segment.
func rotations(t *testing.T, dir string) float64 {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.journal"))
	if err != nil {
		t.Fatal(err)
	}
	return float64(len(list) - 1)
}

// TestMetricsAreProper holds their names and texts against Prometheus' own rules.
func TestMetricsAreProper(t *testing.T) {
	w := newWatched(t)
	problems, err := testutil.CollectAndLint(w.metrics)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}

// TestReadyAndHealthy: what is not there is said by its name, and by a status that a manager understands.
func TestReadyAndHealthy(t *testing.T) {
	w := newWatched(t)
	w.until(t, "/readyz", http.StatusOK, "ok\n")
	w.shoe.Unplug()
	w.until(t, "/readyz", http.StatusServiceUnavailable, "shoe: lost\n")
	w.until(t, "/healthz", http.StatusOK, "ok\n")
	if err := w.shoe.Plug(); err != nil {
		t.Fatal(err)
	}
	w.until(t, "/readyz", http.StatusOK, "ok\n")
	w.broker.Close()
	w.until(t, "/readyz", http.StatusServiceUnavailable, "broker: what the table says does not arrive\n")
	if got := figuresOf(t, w)["sabot_broker_up"]; got != 0 {
		t.Errorf("sabot_broker_up is %v", got)
	}
	hung := newMetrics(&Config{Play: games["roulette"]["roulette"]()}, w.station)
	hung.turned.Store(int64(time.Since(started) - time.Hour))
	if code, body := ask(hung.handler("DEMO"), "/healthz"); code != http.StatusServiceUnavailable || body != "the loop has not turned for 1h0m0s\n" {
		t.Errorf("a loop that hangs: %d %s", code, body)
	}
	if code, _ := ask(w, "/"); code != http.StatusNotFound {
		t.Errorf("/ answers %d", code)
	}
}

// TestRecordBytesAreOfFinishedSegments: what is being written may lengthen by a card that lies face down, and shows nowhere.
func TestRecordBytesAreOfFinishedSegments(t *testing.T) {
	dir := t.TempDir()
	put := func(n, bytes int) {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%08d.journal", n)), make([]byte, bytes), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(1, 100)
	put(2, 50)
	for _, last := range []int{1, 2000} {
		put(3, last)
		readRecord(&metrics{journal: dir}, func(v float64, _ ...string) {
			if v != 150 {
				t.Errorf("with %d bytes in the last segment they are %v, want 150", last, v)
			}
		})
	}
}

// TestMetricsAreServed asks over the network, with a port that is taken too: the table goes on without.
func TestMetricsAreServed(t *testing.T) {
	w := newWatched(t)
	taken := httptest.NewServer(http.NotFoundHandler())
	defer taken.Close()
	var log strings.Builder
	w.metrics.serve(t.Context(), &Config{Table: "DEMO", Metrics: MetricsConfig{Listen: taken.Listener.Addr().String()}}, slog.New(slog.NewTextHandler(&log, nil)))
	if !strings.Contains(log.String(), "metrics are not served") {
		t.Errorf("a port that is taken: %q", log.String())
	}
	from, to := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		w.metrics.serve(ctx, &Config{Table: "DEMO", Metrics: MetricsConfig{Listen: "127.0.0.1:0"}}, slog.New(slog.NewTextHandler(to, nil)))
		close(ended)
	}()
	said, err := bufio.NewReader(from).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(regexp.MustCompile(`http://\S+`).FindString(said))
	if err != nil {
		t.Fatalf("%s: %v", said, err)
	}
	defer answer.Body.Close()
	if body, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK || !strings.Contains(string(body), "sabot_info{") {
		t.Errorf("%s: %s", answer.Status, body)
	}
	stop()
	<-ended
}

// metricName finds names of ours, and of the program itself.
var metricName = regexp.MustCompile(`\b(sabot|process)_[a-z_]+\b`)

// TestDashboardAndAlertsNameWhatThereIs holds the files for Grafana and Prometheus, and the list for people, against the metrics there are.
func TestDashboardAndAlertsNameWhatThereIs(t *testing.T) {
	known := []string{"sabot_append_seconds"}
	for _, f := range measured {
		known = append(known, f.name)
	}
	const folder = "../../systemd/prometheus/"
	text := map[string]string{}
	for _, file := range []string{"dashboard.json", "alerts.yml", "prometheus.yml", "README.md"} {
		b, err := os.ReadFile(folder + file)
		if err != nil {
			t.Fatal(err)
		}
		text[file] = string(b)
		var any map[string]any
		if err := yaml.Unmarshal(b, &any); err != nil && file != "README.md" {
			t.Errorf("%s: %v", file, err)
		}
		for _, name := range metricName.FindAllString(text[file], -1) {
			name = regexp.MustCompile(`(seconds)_(bucket|count|sum)$`).ReplaceAllString(name, "$1")
			if !slices.Contains(known, name) {
				t.Errorf("%s names %s, which is no metric", file, name)
			}
		}
	}
	for _, name := range known {
		if !strings.Contains(text["README.md"], "`"+name+"`") {
			t.Errorf("README.md does not explain %s", name)
		}
	}
	for _, code := range regexp.MustCompile(`code=~?"([A-Z_|]+)"`).FindAllStringSubmatch(text["alerts.yml"]+text["dashboard.json"], -1) {
		for _, one := range strings.Split(code[1], "|") {
			if _, ok := table.ParseCode(one); !ok {
				t.Errorf("%s is no code", one)
			}
		}
	}
	if n := strings.Count(text["alerts.yml"], "alert:"); n < 8 || strings.Count(text["dashboard.json"], `"expr"`) < 12 {
		t.Errorf("%d alerts; the files are not what they were", n)
	}
}

// TestMetricsCountAnEntryOnce: what was before the program, what is shown again, and another shoe's cards are not counted.
func TestMetricsCountAnEntryOnce(t *testing.T) {
	m := newMetrics(&Config{Play: games["blackjack"]["deluxe"]()}, &station{})
	end := []table.Call{{Word: table.CallEnd}}
	for i, s := range []struct {
		seq    int64
		shoe   uint32
		dealt  int
		rounds uint64 // counted behind it
		cards  uint64
	}{
		{7, 1, 30, 0, 0}, {8, 1, 31, 1, 1}, {8, 1, 31, 1, 1}, {9, 1, 33, 2, 3}, {10, 1, 32, 3, 3}, {11, 2, 50, 4, 3}, {12, 2, 51, 5, 4},
	} {
		m.show(table.Snapshot{Seq: s.seq, Calls: end, Layout: table.Layout{Shoe: table.LayoutShoe{Number: s.shoe, Dealt: s.dealt}}})
		if m.rounds.Load() != s.rounds || m.cards.Load() != s.cards {
			t.Errorf("behind state %d there are %d rounds and %d cards, want %d and %d", i, m.rounds.Load(), m.cards.Load(), s.rounds, s.cards)
		}
	}
}

// A round counts once, though a correction says its end again, or it is void when it had ended.
func TestMetricsCountARoundOnce(t *testing.T) {
	m := &metrics{}
	end, void := table.Call{Word: table.CallEnd, N: 1}, table.Call{Word: table.CallVoid, N: 1}
	ended, late := end, void
	ended.Again(1, 9)
	late.Again(2, 9)
	for _, c := range []table.Call{end, ended, late, end, void} {
		m.count(&table.Snapshot{Calls: []table.Call{c}})
	}
	if rounds, voids := m.rounds.Load(), m.voids.Load(); rounds != 3 || voids != 2 {
		t.Errorf("%d rounds, %d of them void; there were 3 and 2", rounds, voids)
	}
}
