package wheel_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	driver "sabot/drivers/wheel"

	"sabot/drivers/serial"
	"sabot/shoe"
	"sabot/shoe/wheel"
)

// patience is how long a test waits for what must come. It decides nothing but how soon a failure shows.
const patience = 60 * time.Second

// stand is an emulated wheel on a pty, whose time runs fast.
type stand struct {
	t     *testing.T
	path  string
	cable *os.File
	held  *os.File    // the host's end, held open: nobody can listen at ours otherwise
	heard chan []byte // from the host, by cable
	dev   *wheel.Device
	now   time.Duration
	end   time.Time
}

// newStand is a wheel that is plugged in.
func newStand(t *testing.T) *stand {
	s := &stand{t: t, path: filepath.Join(t.TempDir(), "wheel"), dev: wheel.NewDevice(), end: time.Now().Add(patience)}
	s.plug()
	t.Cleanup(s.unplug)
	return s
}

func (s *stand) plug() {
	s.t.Helper()
	device, ours, err := pty.Open()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := os.Symlink(ours.Name(), s.path); err != nil {
		s.t.Fatal(err)
	}
	heard := make(chan []byte, 1000)
	s.cable, s.held, s.heard = device, ours, heard
	go func() {
		for p := make([]byte, 100); ; {
			n, err := device.Read(p)
			if err != nil {
				return
			}
			heard <- slices.Clone(p[:n])
		}
	}()
}

func (s *stand) unplug() {
	os.Remove(s.path)
	s.cable.Close()
	s.held.Close()
}

func (s *stand) write(p []byte) {
	s.t.Helper()
	if _, err := s.cable.Write(p); err != nil {
		s.t.Fatal(err)
	}
}

// pass lets the wheel's time pass until a thing is so; twice 500 ms of it, for the status to be said.
func (s *stand) pass(until func() bool) {
	s.t.Helper()
	for enough := s.now + time.Second; s.now <= enough || !until(); {
		if time.Now().After(s.end) {
			s.t.Fatal("it took too long")
		}
		time.Sleep(time.Millisecond)
		s.now += 50 * time.Millisecond
		var p []byte
		select {
		case p = <-s.heard:
		default:
		}
		s.write(s.dev.Feed(s.now, p))
	}
}

func always() bool { return true }

// void is a spin that is none; the wheel waits with it until the host lets it go on.
func (s *stand) void() {
	s.t.Helper()
	s.write(s.dev.Spin())
	s.pass(always)
	s.write(s.dev.NoSpin())
	s.pass(func() bool { return s.dev.NoSpin() == nil })
}

// asked waits until the host asks: only then is the line set up, and does not echo what the wheel says.
func (s *stand) asked() {
	s.t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case p := <-s.heard:
			if strings.Contains(string(p), "*X\r\n") {
				return
			}
		case <-deadline:
			s.t.Fatal("the host did not ask")
		}
	}
}

// pull pulls the cable in the middle of a line, and puts it back.
func (s *stand) pull() {
	s.t.Helper()
	s.write([]byte("*X;4;0"))
	s.pass(always)
	s.write([]byte("*X;5;01"))
	s.unplug()
	s.plug()
	s.asked()
}

// host runs what reads the wheel: the real serial device, the poller and the decoder. What is reported counts as on disk when it arrives here.
func host(t *testing.T, path string, came chan<- string) {
	var d *serial.Device
	c := serial.Config{Name: "wheel", Path: path, Baud: 9600, Silence: 10 * time.Second, Log: slog.New(slog.DiscardHandler)}
	ctx, stop := context.WithCancel(context.Background())
	d = serial.NewDevice(c, driver.Poll(wheel.New("wheel"), 500*time.Millisecond), func(a serial.Arrival) {
		text := a.Report.Kind.String()
		if a.Report.Kind == shoe.Number {
			text = fmt.Sprint(a.Report.N)
		}
		came <- text
		d.Ack(a.Report.Source)
	})
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestFiftySpins plays on a real serial line, with void spins, and with a cable that is pulled.
func TestFiftySpins(t *testing.T) {
	const seed = 20
	rng := rand.New(rand.NewPCG(seed, 0))
	s := newStand(t)
	came := make(chan string, 1000)
	host(t, s.path, came)
	s.asked()
	s.write(s.dev.Boot())
	s.pass(always)
	var want []string
	for i := range 50 {
		for range rng.IntN(4) / 3 {
			s.void()
			want = append(want, "ball", "no-spin")
		}
		s.write(s.dev.Spin())
		s.pass(always)
		s.write(s.dev.NoMoreBets())
		want = append(want, "ball", "no-more-bets")
		s.pass(always)
		if i == 25 {
			s.pull()
			s.pass(always)
			want = append(want, "lost", "found", "ball", "no-more-bets")
		}
		n := rng.IntN(37)
		s.write(s.dev.Win(uint8(n)))
		s.pass(always)
		want = append(want, fmt.Sprint(n))
	}
	s.write(s.dev.Spin())
	want = append(want, "ball")
	var got []string
	for len(got) < len(want) {
		select {
		case text := <-came:
			got = append(got, text)
		case <-time.After(patience):
			t.Fatalf("seed %d: nothing more came after\n%v, want\n%v", seed, got, want)
		}
		if text := got[len(got)-1]; text != want[len(got)-1] {
			t.Fatalf("seed %d: %q came, report %d; want %q after\n%v", seed, text, len(got), want[len(got)-1], got)
		}
	}
	if voids := strings.Count(strings.Join(want, " "), "no-spin"); voids < 5 || len(came) > 0 {
		t.Errorf("%d void spins; %d reports too many", voids, len(came))
	}
}

// TestASilentWheelIsLost: its port is open, it is asked, and it says nothing.
func TestASilentWheelIsLost(t *testing.T) {
	s := newStand(t)
	came := make(chan string, 10)
	d := serial.NewDevice(serial.Config{Name: "wheel", Path: s.path, Baud: 9600, Silence: 10 * time.Millisecond, Log: slog.New(slog.DiscardHandler)},
		driver.Poll(wheel.New("wheel"), 0), func(a serial.Arrival) { came <- a.Report.Kind.String() })
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	s.asked()
	select {
	case got := <-came:
		if got != "lost" {
			t.Errorf("%s came, want lost", got)
		}
	case <-time.After(patience):
		t.Error("nothing came")
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
