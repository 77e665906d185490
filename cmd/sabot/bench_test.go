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
	draw() // the hello is behind us when this one has arrived
	heard(b, calls)
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

func quantile(d []time.Duration, p float64) time.Duration {
	slices.Sort(d)
	return d[min(int(float64(len(d))*p), len(d)-1)]
}

func median(d []time.Duration) time.Duration { return quantile(slices.Clone(d), 0.5) }

func reportTimes(d []time.Duration, name string, b *testing.B) {
	b.ReportMetric(float64(median(d).Microseconds()), name+"-p50-µs")
	b.ReportMetric(float64(quantile(slices.Clone(d), 0.99).Microseconds()), name+"-p99-µs")
}

// BenchmarkRounds plays rounds on a daemon in a process of its own, at full speed, and says how much memory it holds in the end and how long
// it took from its start to ready. For the figures in README: -benchtime 10000x.
func BenchmarkRounds(b *testing.B) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	dir := b.TempDir()
	br, err := broker.Start(broker.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer br.Close()
	vs, err := plugShoe(ctx, filepath.Join(dir, "shoe"), line.NewDevice("virtual", "bench", 1))
	if err != nil {
		b.Fatal(err)
	}
	config := filepath.Join(dir, "sabot.yaml")
	d := demoFlags{game: "blackjack", rules: "deluxe", journal: filepath.Join(dir, "journal")}
	if err := os.WriteFile(config, []byte(d.config(br.Addr(), vs.at())), 0o600); err != nil {
		b.Fatal(err)
	}
	binary := filepath.Join(dir, "sabot") // the program alone: this one carries its tests
	if out, err := exec.Command("go", "build", "-o", binary, "sabot/cmd/sabot").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	log := &ready{start: time.Now()}
	daemon := exec.Command(binary, "run", config)
	daemon.Stderr = log
	if err := daemon.Start(); err != nil {
		b.Fatal(err)
	}
	defer daemon.Process.Kill()
	d.seed = 1
	people, err := d.people(vs, func(time.Duration) {})
	if err != nil {
		b.Fatal(err)
	}
	if err := people.join(br.Addr()); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if err := people.run(ctx, b.N); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	b.ReportMetric(residentMiB(b, daemon.Process.Pid), "MiB-resident")
	b.ReportMetric(float64(log.after.Milliseconds()), "ms-to-ready")
}

// ready notes when the daemon said that it is.
type ready struct {
	start time.Time
	after time.Duration
}

func (r *ready) Write(p []byte) (int, error) {
	if r.after == 0 && bytes.Contains(p, []byte("msg=ready")) {
		r.after = time.Since(r.start)
	}
	return len(p), nil
}

func residentMiB(b *testing.B, pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range strings.Split(string(status), "\n") {
		var kib float64
		if n, _ := fmt.Sscanf(l, "VmRSS: %f kB", &kib); n == 1 {
			return kib / 1024
		}
	}
	b.Fatal("no VmRSS")
	return 0
}
