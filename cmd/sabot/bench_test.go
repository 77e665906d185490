package main

import (
	"bytes"
	"context"

	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/broker"
	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/table/journal"
)

// BenchmarkPath times a card from its bytes on the pty to the message at an MQTT subscriber, and beside it, in turn, the least that any
// program must do: the same line written and fsynced in the same folder, then a plain publish and subscribe through the same broker.
func BenchmarkPath(b *testing.B) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	dir := b.TempDir()
	br, err := broker.Start(broker.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer br.Close()
	device := line.NewDevice("virtual", "bench", 1)
	vs, err := plugShoe(ctx, filepath.Join(dir, "shoe"), device)
	if err != nil {
		b.Fatal(err)
	}
	d := demoFlags{game: "blackjack", rules: "deluxe", journal: filepath.Join(dir, "journal")}
	c, problems := parseConfig("bench", d.config(br.Addr(), vs.at()))
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	s, err := openStation(c, slog.New(slog.NewTextHandler(io.Discard, nil)), nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	calls, bare, plain := subscribers(b, br.Addr())
	for !s.client.Stats().Up {
		time.Sleep(10 * time.Millisecond)
	}
	draw := func() { // past the lock: a closed table records cards, too
		vs.mu.Lock()
		defer vs.mu.Unlock()
		vs.send(device.Draw(shoe.New(9, shoe.Spades)))
	}
	draw() // the hello is behind us when this one has arrived, and what the start says when nothing more does
	heard(b, calls)
	rest(calls)
	file, err := os.OpenFile(filepath.Join(dir, "journal", "bare"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	record := bytes.Repeat([]byte("x"), 330)
	var full, least, sync []time.Duration
	for b.Loop() {
		start := time.Now()
		draw()
		heard(b, calls)
		full = append(full, time.Since(start))
		start = time.Now()
		file.Write(append(record, '\n'))
		file.Sync()
		sync = append(sync, time.Since(start))
		plain.Publish("bare", 1, false, record)
		heard(b, bare)
		least = append(least, time.Since(start))
	}
	if n := rest(calls); n > 0 {
		b.Errorf("%d messages more than cards were heard: each time the one before was waited for", n)
	}
	reportTimes(full, "path", b)
	reportTimes(least, "bare", b)
	reportTimes(sync, "fsync", b)
	b.ReportMetric(float64(median(full))/float64(median(least)), "path/bare")
	cancel()
	<-ended
}

// subscribers hear the table's calls, from the second on, and the bare messages.
func subscribers(b *testing.B, addr string) (calls, bare chan struct{}, plain paho.Client) {
	calls, bare = make(chan struct{}, 1000), make(chan struct{}, 1000)
	connect := func(name string) paho.Client {
		c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID(name))
		if t := c.Connect(); t.Wait() && t.Error() != nil {
			b.Fatal(t.Error())
		}
		b.Cleanup(func() { c.Disconnect(10) })
		return c
	}
	listener := connect("listener")
	listener.Subscribe("sabot/"+demoTable+"/call", 1, func(paho.Client, paho.Message) { calls <- struct{}{} }).Wait()
	listener.Subscribe("bare", 1, func(paho.Client, paho.Message) { bare <- struct{}{} }).Wait()
	return calls, bare, connect("plain")
}

// heard waits for a message.
func heard(b *testing.B, c chan struct{}) {
	select {
	case <-c:
	case <-time.After(patience):
		b.Fatal("a message did not arrive")
	}
}

// rest counts what still comes, until nothing has for a second.
func rest(c chan struct{}) (n int) {
	for {
		select {
		case <-c:
			n++
		case <-time.After(time.Second):
			return n
		}
	}
}

func quantile(d []time.Duration, p float64) time.Duration {
	slices.Sort(d)
	return d[min(int(float64(len(d))*p), len(d)-1)]
}

func median(d []time.Duration) time.Duration { return quantile(slices.Clone(d), 0.5) }

func reportTimes(d []time.Duration, name string, b *testing.B) {
	b.ReportMetric(float64(median(d).Microseconds()), name+"-p50-µs")
	b.ReportMetric(float64(quantile(slices.Clone(d), 0.99).Microseconds()), name+"-p99-µs")
}

// daemon is `sabot run` in a process of its own, as it is built for a table, with a shoe, and a broker elsewhere.
type daemon struct {
	*exec.Cmd
	log    *ready
	binary int64 // the program's length in bytes
	shoe   *virtualShoe
	broker *broker.Broker
	flags  demoFlags
}

func startDaemon(b *testing.B) *daemon {
	b.Helper()
	dir := b.TempDir()
	d := &daemon{flags: demoFlags{game: "blackjack", rules: "deluxe", journal: filepath.Join(dir, "journal"), seed: 1}}
	var err error
	if d.broker, err = broker.Start(broker.Config{}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.broker.Close() })
	if d.shoe, err = plugShoe(b.Context(), filepath.Join(dir, "shoe"), line.NewDevice("virtual", "bench", 1)); err != nil {
		b.Fatal(err)
	}
	config, program := filepath.Join(dir, "sabot.yaml"), filepath.Join(dir, "sabot") // the program alone: this one carries its tests
	if err := os.WriteFile(config, []byte(d.flags.config(d.broker.Addr(), d.shoe.at())), 0o600); err != nil {
		b.Fatal(err)
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "sabot/cmd/sabot") // as make build does
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	if info, err := os.Stat(program); err == nil {
		d.binary = info.Size()
	}
	d.log = &ready{start: time.Now(), is: make(chan struct{})}
	d.Cmd = exec.Command(program, "run", config)
	d.Stderr = d.log
	if err := d.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		d.Process.Kill()
		d.Wait()
	})
	heard(b, d.log.is)
	return d
}

// play plays rounds; pace makes the people wait.
func (d *daemon) play(b *testing.B, rounds int, pace func(time.Duration)) {
	b.Helper()
	people, err := d.flags.people(d.shoe, pace)
	if err == nil {
		err = people.join(d.broker.Addr())
	}
	if err != nil {
		b.Fatal(err)
	}
	defer people.broker.Disconnect(10)
	if err := people.run(b.Context(), rounds); err != nil {
		b.Fatal(err)
	}
}

// ofProcess reads a number out of a file about a process in /proc.
func ofProcess(b *testing.B, pid int, file, format string) (n float64) {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if found, _ := fmt.Sscanf(line, format, &n); found == 1 {
			return n
		}
	}
	b.Fatalf("no %q in %s", format, text)
	return 0
}

func residentMiB(b *testing.B, pid int) float64 {
	return ofProcess(b, pid, "status", "VmRSS: %f kB") / 1024
}

// written is what a process had written to a disk, in bytes.
func written(b *testing.B, pid int) float64 { return ofProcess(b, pid, "io", "write_bytes: %f") }

// BenchmarkRounds plays rounds at full speed, and says how long the program is, how much memory it holds in the end and how long it took from its start to ready. For
// the figures in README: -benchtime 10000x.
func BenchmarkRounds(b *testing.B) {
	d := startDaemon(b)
	b.ResetTimer()
	d.play(b, b.N, func(time.Duration) {})
	b.StopTimer()
	b.ReportMetric(float64(d.binary)/(1<<20), "MiB-program")
	b.ReportMetric(residentMiB(b, d.Process.Pid), "MiB-resident")
	b.ReportMetric(float64(d.log.after.Milliseconds()), "ms-to-ready")
}

// BenchmarkIdle watches a table at which nothing happens, a second for each of b.N, and says what it uses of a core. For the figure in README: -benchtime 60x.
func BenchmarkIdle(b *testing.B) {
	d := startDaemon(b)
	d.play(b, 1, func(time.Duration) {})
	before, began := processorTime(b, d.Process.Pid), time.Now()
	for b.Loop() {
		time.Sleep(time.Second)
	}
	b.ReportMetric(100*float64(processorTime(b, d.Process.Pid)-before)/float64(time.Since(began)), "%-of-a-core")
}

// BenchmarkDealtHour plays rounds at the speed of people, one to four seats of them, and says what an hour of it writes: to the record, and to the disk in all, as the
// kernel counts it, in pages of 4 KiB. It takes some nine seconds a round; for the figure in README: -benchtime 30x.
func BenchmarkDealtHour(b *testing.B) {
	d := startDaemon(b)
	d.play(b, 1, func(time.Duration) {}) // opens the table, and burns
	length, all, began := recordLength(b, d.flags.journal), written(b, d.Process.Pid), time.Now()
	d.play(b, b.N, func(t time.Duration) { time.Sleep(t) })
	hours := time.Since(began).Hours()
	b.ReportMetric(float64(b.N)/hours, "rounds/h")
	b.ReportMetric(float64(recordLength(b, d.flags.journal)-length)/1e6/hours, "MB-record/h")
	b.ReportMetric((written(b, d.Process.Pid)-all)/1e6/hours, "MB-written/h")
}

func recordLength(b *testing.B, dir string) (sum int64) {
	b.Helper()
	segments, err := journal.Segments(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range segments {
		info, err := os.Stat(file)
		if err != nil {
			b.Fatal(err)
		}
		sum += info.Size()
	}
	return sum
}

// ready notes when the daemon said that it is.
type ready struct {
	start time.Time
	after time.Duration
	is    chan struct{}
}

func (r *ready) Write(p []byte) (int, error) {
	if r.after == 0 && bytes.Contains(p, []byte("msg=ready")) {
		r.after = time.Since(r.start)
		close(r.is)
	}
	return len(p), nil
}
