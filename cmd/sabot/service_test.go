package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"sabot/table"
)

// TestAskedToLeaveATableEndsBetweenRounds: a table that is to be exchanged is asked at any moment, and never leaves in a round.
func TestAskedToLeaveATableEndsBetweenRounds(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := newRig(t, seed)
	rng := rand.New(rand.NewPCG(seed, 7))
	people, stop := context.WithCancel(r.ctx)
	defer stop()
	go func() { r.played <- r.people.run(people, 0) }()
	inRound := 0
	for range 4 {
		daemon := r.daemon()
		r.progress()
		time.Sleep(time.Duration(rng.IntN(100)) * time.Millisecond)
		if l := r.people.now(); !l.BetweenRounds() {
			inRound++
		}
		r.people.err(table.Restart)
		daemon.Process.Signal(syscall.SIGHUP)
		if err := daemon.Wait(); err != nil {
			t.Fatalf("asked to leave, the daemon said %v\n%s", err, r.log())
		}
		if round := r.running(); round != 0 {
			t.Errorf("the table left in round %d\n%s", round, r.log())
		}
	}
	if inRound == 0 {
		t.Error("it was never asked in a round")
	}
}

// running is the round that the record ends in, by what was called: 0 for none.
func (r *rig) running() (round uint32) {
	for _, e := range r.entries() {
		var calls []struct{ Call string }
		if err := json.Unmarshal(e.Calls, &calls); err != nil {
			r.t.Fatal(err)
		}
		for _, c := range calls {
			switch c.Call {
			case "open":
				round = e.Round
			case "end", "void":
				round = 0
			}
		}
	}
	return round
}

// TestIdleTableLeavesAtOnce: a table where nothing happens is heard by its manager all the same, and leaves when it is asked.
func TestIdleTableLeavesAtOnce(t *testing.T) {
	r := newRig(t, 1)
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(r.dir, "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	heard := func() string {
		b := make([]byte, 1000)
		socket.SetReadDeadline(time.Now().Add(patience))
		n, err := socket.Read(b)
		if err != nil {
			t.Fatalf("the manager hears nothing: %v\n%s", err, r.log())
		}
		return string(b[:n])
	}
	c := exec.Command("sabot", "run", r.config)
	c.Env = append(os.Environ(), "NOTIFY_SOCKET="+socket.LocalAddr().String(), "WATCHDOG_USEC=4000")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	want, beats := "READY=1\nWATCHDOG=1\nSTATUS=round 0, closed", 0
	for range 3 {
		if got := heard(); got == want {
			beats++
		} else if !strings.HasPrefix(got, want) {
			t.Errorf("the manager hears %q", got)
		}
	}
	if beats < 2 {
		t.Errorf("idle, the table was heard %d times", beats)
	}
	c.Process.Signal(syscall.SIGHUP)
	for got := ""; got != "STOPPING=1"; {
		if got = heard(); got != want && got != "STOPPING=1" {
			t.Errorf("the manager hears %q", got)
		}
	}
	if err := c.Wait(); err != nil {
		t.Errorf("asked to leave, the daemon said %v", err)
	}
}

// A manager that does not listen holds nobody up, and hears what is as soon as it listens.
func TestDeafManager(t *testing.T) {
	at := filepath.Join(t.TempDir(), "notify")
	m, err := findManager(func(name string) string { return map[string]string{"NOTIFY_SOCKET": at}[name] })
	if err != nil {
		t.Fatal(err)
	}
	m.lives("round 1, bets") // nobody is there yet
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: at, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	m.lives("round 1, bets")
	for i := range 10_000 { // more than its queue holds
		m.lives(fmt.Sprint(i))
	}
	b := make([]byte, 100)
	n, err := socket.Read(b)
	if got := string(b[:n]); err != nil || got != "READY=1\nWATCHDOG=1\nSTATUS=round 1, bets" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestLogForTheJournal: systemd's journal gets levels and no second time; anybody else gets lines as they are.
func TestLogForTheJournal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s := info.Sys().(*syscall.Stat_t)
	say := func() string {
		f.Truncate(0)
		f.Seek(0, 0)
		log := newLog(f)
		log.Info("ready", "table", "BJ-1")
		log.With("table", "BJ-1").WithGroup("g").Warn("device lost", "time", "now")
		log.Log(context.Background(), slog.LevelError, "level=INFO")
		complain(f, "sabot: a\nsabot: b")
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	t.Setenv("JOURNAL_STREAM", fmt.Sprintf("%d:%d", s.Dev, s.Ino))
	want := "<6>msg=ready table=BJ-1\n<4>msg=\"device lost\" table=BJ-1 g.time=now\n<3>msg=\"level=INFO\"\n<3>sabot: a\n<3>sabot: b\n"
	if got := say(); got != want {
		t.Errorf("the journal reads\n%swant\n%s", got, want)
	}
	t.Setenv("JOURNAL_STREAM", "1:2")
	if got := say(); !strings.HasPrefix(got, "time=") || !strings.HasSuffix(got, "\nsabot: a\nsabot: b\n") {
		t.Errorf("a file reads\n%s", got)
	}
	if toJournal(&bytes.Buffer{}, "1:2") {
		t.Error("a buffer is the journal")
	}
}

// TestHalt: what a table that ended leaves to be done at the shoe is done; what its port or its configuration are not good for is said.
func TestHalt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sabot.yaml")
	configured := func(protocol, port string) {
		text := fmt.Sprintf("table: T\ngame: baccarat\nrules: puntobanco\njournal: /tmp/x\nshoe: {protocol: %s, port: %s}\nmqtt: {broker: tcp://127.0.0.1:1883}\n", protocol, port)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	halt := func(want int, says string) {
		t.Helper()
		if _, stderr, code := sabot("halt", file); code != want || !strings.Contains(stderr, says) || says == "" && stderr != "" {
			t.Errorf("exit %d, %s", code, stderr)
		}
	}
	for _, protocol := range []string{"line", "angel"} {
		dec, err := devices["shoe"][protocol].dialect().decoder("shoe")
		if err != nil {
			t.Fatal(err)
		}
		cable, shoe, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		shoe.Close()
		configured(protocol, shoe.Name())
		halt(exitOK, "")
		want, got := dec.Lock(true), make([]byte, 100)
		if n, err := cable.Read(got); err != nil || !bytes.Equal(got[:n], want) {
			t.Errorf("%s: the shoe hears %q, %v; want %q", protocol, got[:n], err, want)
		}
		cable.Close()
	}
	configured("line", "/dev/serial/by-id/gone")
	halt(exitFailed, "gone: no such file")
	configured("five", "/dev/null")
	halt(exitFailed, "`sabot check "+file+"` says what to mend")
	configured("beetek", "/dev/serial/by-id/gone") // has no lock
	halt(exitOK, "")
}

// TestHaltLeavesARunningTableAlone: its port is its own.
func TestHaltLeavesARunningTableAlone(t *testing.T) {
	r := newRig(t, 3)
	r.daemon()
	for limit := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) { // until it has its port
		_, stderr, code := sabot("halt", r.config)
		if code == exitFailed && strings.Contains(stderr, "another program holds") {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("exit %d, %s\n%s", code, stderr, r.log())
		}
	}
}
