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

// A finger on a worn contact: what is pressed is heard, each once, in order, whatever bounces; on a chip without edges too.
func TestPressesThatBounce(t *testing.T) {
	inBox(t, func(b *box) { bounce(b, 10_000, false) })
	inBox(t, func(b *box) { bounce(b, 1000, true) })
}

func bounce(b *box, presses int, deaf bool) {
	const seed = 7
	bounces := 0
	r := rand.New(rand.NewPCG(seed, 0))
	if deaf {
		for _, w := range b.wires {
			w.makeDeaf()
		}
		time.Sleep(lookEvery)
	}
	swing := func(w *wire, high bool) {
		for end := time.Now().Add(time.Duration(r.IntN(15)) * ms); time.Now().Before(end); time.Sleep(time.Duration(100+r.IntN(2000)) * time.Microsecond) {
			w.set(r.IntN(2) == 0)
			bounces++
		}
		w.set(high)
	}
	var want []string
	for range presses {
		at := r.IntN(3)
		w, rest := b.wires[[]string{"GPIO17", "GPIO27", "GPIO22"}[at]], at != 2
		swing(w, !rest)
		time.Sleep(time.Duration(40+r.IntN(200)) * ms)
		swing(w, rest)
		time.Sleep(time.Duration(200+r.IntN(300)) * ms)
		name := []string{"hit", "split", "key"}[at]
		want = append(want, name+" down", name+" up")
	}
	got := b.presses()
	if got != strings.Join(want, ", ") {
		b.t.Errorf("seed %d, deaf %v: %d presses and releases, want %d", seed, deaf, strings.Count(got, ",")+1, len(want))
	}
	b.t.Logf("edges %v: %d presses, %d moves of contacts that bounced, %d presses heard", !deaf, presses, bounces, strings.Count(got, " down"))
}

// Who reads the contact gets no processor while somebody presses: the kernel's edges tell it all.
func TestPressesWhileNobodyReads(t *testing.T) {
	inBox(t, func(b *box) {
		began := time.Now()
		w := b.wires["GPIO27"]
		w.starve(4 * time.Second)
		time.Sleep(lookEvery)
		for _, d := range []time.Duration{50 * ms, 10 * ms, 1200 * ms, 100 * ms} {
			w.pushed(d)
			time.Sleep(200 * ms)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		var got []string
		for _, p := range b.heard {
			got = append(got, fmt.Sprint(p.Kind, " ", p.For, " ", p.At.Sub(began)))
		}
		b.expect("split down, split up, split down, split held, split up, split down, split up")
		if want := "[down 0s 270ms up 50ms 320ms down 0s 730ms held 1.2s 1.91s up 1.2s 1.93s down 0s 2.13s up 100ms 2.23s]"; fmt.Sprint(got) != want {
			t.Errorf("\n got %v\nwant %v", got, want)
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
		time.Sleep(paintRest)
		b.shows("green lock")
		b.wires["GPIO5"].damage(errors.New("gone"))
		time.Sleep(2 * paintRest)
		b.wires["GPIO5"].damage(nil)
		time.Sleep(2 * paintRest)
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
	inBox(t, func(b *box) {
		b.wires["GPIO19"].block(make(chan struct{}))
		time.Sleep(2 * paintRest)
		b.cancel()
		synctest.Wait()
		b.Show(Lights{Blue: On})
		b.wires["GPIO19"].unblock()
		b.shows("red")
	})
}

func TestAHaltHasHappenedWhenItReturns(t *testing.T) {
	inBox(t, func(b *box) {
		b.Show(dealing)
		b.shows("green lock")
		b.Halt()
		if got := b.looks(); got != "red" {
			t.Errorf("lit: %q", got)
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
			time.Sleep(2 * paintRest)
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

// It changes two thousand times a second, for half a minute.
func TestALooseContactIsOneFault(t *testing.T) {
	inBox(t, func(b *box) {
		w := b.wires["GPIO17"]
		for range 30_000 {
			w.pushed(ms / 2)
			time.Sleep(ms / 2)
		}
		w.mu.Lock()
		waits := w.waits
		w.mu.Unlock()
		if most := int(30*time.Second/pollEvery) + 100; waits > most {
			t.Errorf("it was read %d times, want no more than %d", waits, most)
		}
		time.Sleep(2 * time.Second)
		b.expect("hit bouncing, hit calm")
		if log := b.log.String(); strings.Count(log, "\n") != 2 || !strings.Contains(log, "button=hit line=GPIO17 is=bouncing") {
			t.Errorf("log:\n%s", log)
		}
	})
}

func TestWhatIsAPress(t *testing.T) {
	for _, test := range []struct {
		pull  Pull
		sense Sense
		high  bool
	}{{"", "", false}, {PullUp, NormallyOpen, false}, {PullNone, NormallyOpen, false}, {PullDown, NormallyOpen, true},
		{PullUp, NormallyClosed, true}, {PullNone, NormallyClosed, true}, {PullDown, NormallyClosed, false}} {
		b := newButton(Button{Pull: test.pull, Sense: test.sense}, nil)
		if b.sample(test.high) != pressed || b.sample(!test.high) != released {
			t.Errorf("%+v", test)
		}
	}
}

// legs is what is known of a button on one side of a queue.
type legs struct{ down, faulty bool }

// after says what a press makes of it, and whether it may come at all.
func (l legs) after(k Kind) (next legs, ok bool) {
	switch k {
	case Down:
		return legs{true, l.faulty}, !l.down
	case Held, Up:
		return legs{k == Held, l.faulty}, l.down
	case Calm:
		return legs{l.down, false}, l.faulty
	}
	return legs{l.down, true}, true
}

// What comes out of a queue is whole, bounded, and in order, whatever goes in and however slowly it is taken.
func TestQueue(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		q := queue{wake: make(chan struct{}, 1)}
		buttons := []*button{{Button: Button{Name: "hit"}}, {Button: Button{Name: "key", Halts: true}}}
		in, out := map[*button]legs{}, map[*button]legs{}
		halts, slow := 0, 1+r.IntN(4)
		var last time.Time
		take := func() {
			e, ok := q.take()
			if !ok {
				return
			}
			if e.halting() {
				halts--
			}
			next, may := out[e.of].after(e.Kind)
			may = may || e.halting() // it may take the place of older presses, whose ends are gone with them
			if out[e.of] = next; !may || e.At.Before(last) {
				t.Fatalf("seed %d: %s %v", seed, e.of.Name, e.Kind)
			}
			last = e.At
		}
		for i := range 2000 {
			b, k := buttons[r.IntN(2)], []Kind{Down, Held, Up, Stuck, Bouncing, Calm}[r.IntN(6)]
			next, may := in[b].after(k)
			if !may {
				continue
			}
			in[b] = next
			e := entry{Press{Kind: k, At: time.Unix(int64(i), 0)}, b}
			ok, gone := q.put(e.Press, b)
			if halts -= gone; e.halting() {
				halts++
			}
			if e.halting() && !ok || b.waiting > 2*mostWaiting {
				t.Fatalf("seed %d: %v of %s: %v, %d wait", seed, k, b.Name, ok, b.waiting)
			}
			if r.IntN(slow) == 0 {
				take()
			}
		}
		for len(q.list) > 0 {
			take()
		}
		for _, b := range buttons {
			if b.waiting != 0 || halts != 0 || b.Halts && out[b].down != in[b].down || !in[b].faulty && out[b].faulty {
				t.Fatalf("seed %d: %s: %d wait, %d halts, %+v became %+v", seed, b.Name, b.waiting, halts, in[b], out[b])
			}
		}
	}
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
