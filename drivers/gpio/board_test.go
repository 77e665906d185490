package gpio

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var dealing = Lights{Green: On, Open: true}

func TestPresses(t *testing.T) {
	inBox(t, func(b *box) {
		b.wires["GPIO17"].pushed(50 * ms)
		time.Sleep(50 * ms)
		b.expect("hit down, hit up")
		b.wires["GPIO27"].pushed(1500 * ms)
		time.Sleep(50 * ms)
		b.expect("split down, split held, split up")
		began := time.Now()
		b.wires["GPIO27"].pushed(300 * ms)
		time.Sleep(50 * ms)
		synctest.Wait()
		if p := b.heard[1]; (p.For-300*ms).Abs() > pollEvery || p.At.Sub(began) < 320*ms || p.At.Sub(began) > 330*ms {
			t.Errorf("%+v, %v after it began", p, p.At.Sub(began))
		}
		if b.halted != 0 {
			t.Error("these do not halt")
		}
	})
}

// A finger on a worn contact: what is pressed is heard, each once, in order, whatever bounces.
func TestPressesThatBounce(t *testing.T) {
	const seed, presses = 7, 1000
	r := rand.New(rand.NewPCG(seed, 0))
	inBox(t, func(b *box) {
		var want []string
		bounce := func(w *wire, high bool) {
			for end := time.Now().Add(time.Duration(r.IntN(15)) * ms); time.Now().Before(end); time.Sleep(time.Duration(100+r.IntN(2000)) * time.Microsecond) {
				w.set(r.IntN(2) == 0)
			}
			w.set(high)
		}
		for range presses {
			at := r.IntN(3)
			w, rest := b.wires[[]string{"GPIO17", "GPIO27", "GPIO22"}[at]], at != 2
			bounce(w, !rest)
			time.Sleep(time.Duration(40+r.IntN(200)) * ms)
			bounce(w, rest)
			time.Sleep(time.Duration(200+r.IntN(300)) * ms)
			name := []string{"hit", "split", "key"}[at]
			want = append(want, name+" down", name+" up")
		}
		if got := b.presses(); got != strings.Join(want, ", ") {
			t.Errorf("seed %d: %d presses and releases, want %d", seed, strings.Count(got, ",")+1, len(want))
		}
	})
}

func TestLamps(t *testing.T) {
	inBox(t, func(b *box) {
		b.shows("red") // until it is told otherwise
		b.Show(dealing)
		b.shows("green lock")
		b.Show(Lights{Amber: On, Blue: On})
		b.shows("blue amber")
		b.Beep()
		b.shows("blue amber buzzer")
		time.Sleep(beepFor + paintEach)
		b.shows("blue amber")
		b.Show(Lights{Red: SlowBlink, Blue: FastBlink, Open: true})
		began := time.Now()
		for time.Since(began) < 10*time.Second {
			want := "lock"
			if time.Since(began)/time.Second%2 == 0 {
				want = "red lock"
			}
			if time.Since(began)/(200*ms)%2 == 0 {
				want += " blue"
			}
			time.Sleep(paintEach / 2) // between two strokes
			b.Show(Lights{Red: SlowBlink, Blue: FastBlink, Open: true})
			b.shows(want)
			time.Sleep(paintEach / 2)
		}
	})
}

// Something else pulls at the lines; a lamp fails for a while.
func TestLampsHeal(t *testing.T) {
	inBox(t, func(b *box) {
		b.Show(dealing)
		b.shows("green lock")
		b.wires["GPIO5"].set(false)
		b.wires["GPIO19"].set(true)
		time.Sleep(paintEach)
		b.shows("green lock")
		b.wires["GPIO5"].damage(errors.New("gone"))
		time.Sleep(time.Second)
		b.wires["GPIO5"].damage(nil)
		time.Sleep(time.Second)
		synctest.Wait()
		if log := b.log.String(); strings.Count(log, "\n") != 2 || !strings.Contains(log, "cannot be set") || !strings.Contains(log, "set again") {
			t.Errorf("log:\n%s", log)
		}
	})
}

func TestOpenLeavesTheDealStopped(t *testing.T) {
	d := newDesk("A", "B", "C")
	b, err := open(Config{Lamps: []Lamp{{Lock, "A", true}, {Green, "B", false}, {Red, "C", false}}}, d, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if !d.wires["A"].first || d.wires["B"].first || d.wires["C"].first {
		t.Error("an output began lit")
	}
}

func TestTheEndLeavesTheDealStopped(t *testing.T) {
	inBox(t, func(b *box) {
		b.Show(dealing)
		b.shows("green lock")
		release := b.stall()
		defer release()
		b.wires["GPIO17"].pushed(50 * ms)
		b.cancel()
		if err := <-b.done; err != nil {
			t.Error(err)
		}
		b.done <- nil
		b.shows("red")
		b.Show(dealing)
		b.Halt()
		b.shows("red")
		for _, w := range b.wires {
			if w.open {
				t.Errorf("line %s is kept", w.name)
			}
		}
		if log := b.log.String(); log != "" {
			t.Errorf("log: %s", log)
		}
	})
}

// The table hangs: what stops the deal does not wait for it.
func TestAHaltWaitsForNobody(t *testing.T) {
	inBox(t, func(b *box) {
		b.Show(dealing)
		b.shows("green lock")
		release := b.stall()
		b.wires["GPIO17"].pushed(50 * ms)
		time.Sleep(50 * ms)

		b.wires["GPIO22"].set(true) // the loop opens
		time.Sleep(30 * ms)
		b.shows("red")
		if b.halted != 1 {
			t.Errorf("Config.Halt was called %d times", b.halted)
		}
		b.Show(dealing) // decided before the table heard of the press
		b.shows("red")
		release()
		b.expect("hit down, hit up, key down")
		b.shows("red")
		b.Show(Lights{Red: SlowBlink})
		b.Show(dealing)
		b.shows("green lock")
	})
}

// A cut wire in a loop is a pause, and stays one.
func TestACutWirePauses(t *testing.T) {
	inBox(t, func(b *box) {
		b.Show(dealing)
		b.wires["GPIO22"].set(true)
		time.Sleep(5 * time.Minute)
		b.shows("red")
		b.expect("key down, key stuck")
		b.wires["GPIO22"].set(false)
		time.Sleep(time.Second)
		b.expect("key up, key calm")
		b.wires["GPIO22"].damage(errors.New("no such device"))
		time.Sleep(time.Second)
		b.expect("key lost, key down")
		if b.halted != 2 {
			t.Errorf("Config.Halt was called %d times", b.halted)
		}
	})
}

// A write that hangs keeps neither Show nor Halt nor another lamp, and in the end what was ordered last is lit.
func TestALineThatHangs(t *testing.T) {
	for _, which := range dealerBox.Lamps {
		inBox(t, func(b *box) {
			b.Show(dealing)
			b.shows("green lock")
			b.wires[which.Line].block(make(chan struct{}))
			time.Sleep(2 * paintEach)
			for range 100 {
				b.Show(Lights{Blue: On})
				b.Show(dealing)
			}
			b.wires["GPIO22"].set(true)
			time.Sleep(30 * ms)
			for _, l := range dealerBox.Lamps {
				if lit := b.wires[l.Line].level() != l.ActiveLow; l != which && lit != (l.Name == Red) {
					t.Errorf("%s hangs: %s is lit: %v", which.Name, l.Name, lit)
				}
			}
			b.expect("key down")
			b.Show(dealing)
			b.Halt()
			b.wires[which.Line].unblock()
			b.shows("red")
		})
	}
}

// However Show and Halt meet, the last one stands.
func TestShowAndHaltMeet(t *testing.T) {
	inBox(t, func(b *box) {
		for range 2000 {
			var both sync.WaitGroup
			both.Go(func() { b.Show(dealing) })
			both.Go(func() { b.Show(Lights{Amber: On}); b.Halt() })
			both.Wait()
			want := "red"
			if b.order.Load().Lights == dealing {
				want = "green lock"
			}
			if got := b.lit(); got != want {
				t.Fatalf("lit %q, want %q", got, want)
			}
		}
	})
}

// While the table hangs a dealer presses on and on: what is heard of it is bounded, whole, and ends with the last halt.
func TestManyPressesWhileTheTableHangs(t *testing.T) {
	inBox(t, func(b *box) {
		release := b.stall()
		for range 100 {
			b.wires["GPIO17"].pushed(100 * ms)
			time.Sleep(100 * ms)
		}
		key := func(d time.Duration) {
			b.wires["GPIO22"].set(true)
			time.Sleep(d)
			b.wires["GPIO22"].set(false)
			time.Sleep(100 * ms)
		}
		for range 20 {
			key(1500 * ms)
		}
		b.wires["GPIO27"].pushed(100 * ms)
		time.Sleep(100 * ms)
		key(100 * ms)
		release()
		got := b.presses()
		hits := strings.Count(got, "hit down")
		if hits < mostWaiting/2 || hits > mostWaiting/2+1 || strings.Count(got, "hit up") != hits || strings.Count(got, "split down, split up") != 1 || !strings.HasSuffix(got, "key down, key up") {
			t.Errorf("heard %s", got)
		}
		if log := b.log.String(); strings.Count(log, "too slow") != 1 {
			t.Errorf("log:\n%s", log)
		}
		b.Show(dealing)
		b.shows("green lock") // no halt is still waited for
	})
}

func TestALooseContactIsOneFault(t *testing.T) {
	inBox(t, func(b *box) {
		for range 5000 {
			b.wires["GPIO17"].pushed(3 * ms)
			time.Sleep(4 * ms)
		}
		time.Sleep(2 * time.Second)
		b.expect("hit bouncing, hit calm")
		if log := b.log.String(); strings.Count(log, "\n") != 2 || !strings.Contains(log, "button=hit line=GPIO17 is=bouncing") {
			t.Errorf("log:\n%s", log)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	button, lamp := Button{Name: "hit", Line: "GPIO17"}, Lamp{Name: Green, Line: "GPIO5"}
	with := func(change func(*Button)) Config {
		b := button
		change(&b)
		return Config{Buttons: []Button{b}}
	}
	tests := []struct {
		c    Config
		want string
	}{
		{with(func(b *Button) { b.Name = "" }), `gpio: a button needs a name and a line, not "" and "GPIO17"`},
		{with(func(b *Button) { b.Pull = "upp" }), `gpio: button hit: the pull is up, down or none, not "upp"`},
		{with(func(b *Button) { b.Sense = "nx" }), `gpio: button hit: the sense is no or nc, not "nx"`},
		{with(func(b *Button) { b.Debounce = -1 }), "gpio: button hit: a debounce of -1ns; 20 ms is usual, 5 s the most"},
		{with(func(b *Button) { b.Hold = time.Minute }), "gpio: button hit: a hold of 1m0s; 1 s is usual, 5 s the most"},
		{Config{Buttons: []Button{button, {Name: "hit", Line: "GPIO4"}}}, "gpio: two are called hit"},
		{Config{Buttons: []Button{button}, Lamps: []Lamp{{Name: Red, Line: "GPIO17"}}}, "gpio: hit and red are both on line GPIO17"},
		{Config{Lamps: []Lamp{{Name: "violet", Line: "GPIO5"}}}, "gpio: no lamp is called violet; there are green, amber, red, blue, buzzer, lock"},
		{Config{Buttons: []Button{button, {Name: "stand", Line: "GPIO99"}}, Lamps: []Lamp{lamp, {Name: Red, Line: "RED"}}}, "gpio: this machine has no line RED (lamp red), GPIO99 (button stand); it has GPIO17 GPIO5 GPIO6"},
		{Config{Buttons: []Button{button}, Lamps: []Lamp{lamp, {Name: Red, Line: "GPIO6"}}}, `gpio: lamp red: line GPIO6 is taken by "other"`},
	}
	for _, test := range tests {
		d := newDesk("GPIO17", "GPIO5", "GPIO6")
		d.busy = "GPIO6"
		err := test.c.check()
		if err == nil {
			_, err = open(test.c, d, slog.New(slog.DiscardHandler))
		}
		if fmt.Sprint(err) != test.want {
			t.Errorf("%v\nwant %s", err, test.want)
		}
		for _, w := range d.wires {
			if w.open {
				t.Errorf("%s: line %s is kept", test.want, w.name)
			}
		}
	}
}

// What watching costs beside the system calls: a round over eight contacts, 200 a second.
func BenchmarkWatch(b *testing.B) {
	board := newBoard(Config{}, slog.New(slog.DiscardHandler))
	for range 8 {
		board.buttons = append(board.buttons, newButton(Button{}, &wire{high: true}))
	}
	for b.Loop() {
		board.look(time.Now())
	}
}

// From Halt to the last output written.
func BenchmarkHalt(b *testing.B) {
	d := newDesk("1", "2", "3", "4", "5", "6")
	c := Config{}
	for i, n := range lampNames {
		c.Lamps = append(c.Lamps, Lamp{Name: n, Line: fmt.Sprint(i + 1)})
	}
	board, err := open(c, d, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		board.Halt()
	}
}
