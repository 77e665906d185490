package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sabot/mqtt/broker"
	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/table"
)

// boxed is a table played with a box of buttons on a line and nothing else.
type boxed struct {
	*testing.T
	ctx    context.Context
	shoe   *virtualShoe
	box    *virtual
	device *line.Device
	broker *broker.Broker
	config string
	stop   func() // ends the table's program

	mu  sync.Mutex
	now table.Snapshot
}

// sit plugs in such a table's devices, and starts it.
func sit(t *testing.T) *boxed {
	t.Helper()
	dir := t.TempDir()
	b, err := broker.Start(broker.Config{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	d := &boxed{T: t, ctx: t.Context(), broker: b, device: line.NewDevice("box", "1", 1)}
	if d.shoe, err = plugShoe(d.ctx, filepath.Join(dir, "shoe"), line.NewDevice("shoe", "1", 1)); err != nil {
		t.Fatal(err)
	}
	if d.box, err = plugIn(d.ctx, &ptyCable{link: filepath.Join(dir, "box")}, lineModel{d.device}, faults{}); err != nil {
		t.Fatal(err)
	}
	d.config = fmt.Sprintf("table: BJ-1\ngame: blackjack\nrules: {preset: deluxe, burn: none}\njournal: %s\nshoe:\n  protocol: line\n  port: %s\n"+
		"box:\n  port: %s\nprocedure: {decisions: buttons, hit: implied, peek: button, reveal: button}\nmqtt:\n  broker: tcp://%s\n", filepath.Join(dir, "journal"), d.shoe.at(), d.box.at(), b.Addr())
	d.start()
	t.Cleanup(func() { d.stop() })
	return d
}

// start starts the table's program. Its box is heard when what it may have kept was given time to come.
func (d *boxed) start() {
	d.Helper()
	c, problems := parseConfig("test", d.config)
	if len(problems) > 0 {
		d.Fatal(problems)
	}
	s, err := openStation(c, slog.New(slog.DiscardHandler), d.see, nil)
	if err != nil {
		d.Fatal(err)
	}
	ctx, stop := context.WithCancel(d.ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	d.stop = func() {
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			d.Error(err)
		}
		d.stop = func() {}
	}
	time.Sleep(stale + 100*time.Millisecond)
}

func (d *boxed) see(s table.Snapshot) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = s
}

// until waits for the table to come to something.
func (d *boxed) until(what string, true func(*table.Snapshot) bool) {
	d.Helper()
	for limit := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		d.mu.Lock()
		now := d.now
		d.mu.Unlock()
		if true(&now) {
			return
		}
		if time.Now().After(limit) {
			d.Fatalf("waited in vain for %s: %+v, due %+v, stops %+v", what, now.Layout, now.Layout.Due, now.Floor.Stops)
		}
	}
}

func (d *boxed) due(kind table.DueKind) {
	d.Helper()
	d.until(kind.String(), func(s *table.Snapshot) bool {
		return s.Layout.Stopped == nil && s.Layout.Due != nil && s.Layout.Due.Kind == kind.String()
	})
}

// push presses a button, as long as it says.
func (d *boxed) push(name, held string) {
	d.Helper()
	if err := press(&env{ctx: d.ctx}, d.box, d.device, name, held); err != nil {
		d.Fatal(err)
	}
}

// chord presses NEXT while the key is down.
func (d *boxed) chord() {
	d.box.tell(func() []byte { return d.device.Button("key", true) })
	d.push("next", "")
	d.box.tell(func() []byte { return d.device.Button("key", false) })
}

func (d *boxed) draw(cards ...string) {
	d.Helper()
	for _, text := range cards {
		c, err := shoe.ParseCard(text)
		if err != nil {
			d.Fatal(err)
		}
		dealt := 0
		d.until("the mouth to open", func(s *table.Snapshot) bool { dealt = s.Layout.Shoe.Dealt; return d.shoe.Draw(c) == nil })
		d.until("a card", func(s *table.Snapshot) bool { return s.Layout.Shoe.Dealt > dealt })
	}
}

// TestARoundWithSixButtons plays from the closed table to a result with nothing but a box of buttons, the key and the shoe.
func TestARoundWithSixButtons(t *testing.T) {
	d := sit(t)
	phase := func(p table.Phase) {
		d.Helper()
		d.until(p.String(), func(s *table.Snapshot) bool { return s.Layout.Phase == p && s.Layout.Stopped == nil })
	}
	phase(table.Closed)
	d.chord()
	phase(table.ShoeChange)
	d.chord()
	d.due(table.DueOpen)
	d.push("next", "") // place your bets
	d.due(table.DueClose)
	d.push("hit", "")  // seat 1 plays
	d.push("next", "") // no more bets
	d.due(table.DueCard)
	d.draw("5s", "9c", "6d", "Th") // the dealer's second card face down
	d.due(table.DueDecision)
	d.draw("3h") // implied hit: 14
	d.due(table.DueDecision)
	d.push("stop", "")
	d.until("the stop", func(s *table.Snapshot) bool { return len(s.Floor.Stops) == 1 && s.Layout.Stopped != nil })
	d.push("next", "") // the dealer cannot release
	d.push("key", "1200ms")
	d.due(table.DueDecision)
	d.push("stand", "")
	d.due(table.DueReveal)
	d.push("next", "")
	d.until("the result", func(s *table.Snapshot) bool { return s.Layout.Phase == table.Results })
	d.until("nothing to be stopped", func(s *table.Snapshot) bool { return len(s.Floor.Stops) == 0 })
}

// TestNoPressCountsTwiceOrLate holds that a press the program has heard is not heard again by the next one, and that what was pressed while the cable was out is
// not played when it is back, but for the stop.
func TestNoPressCountsTwiceOrLate(t *testing.T) {
	d := sit(t)
	d.chord()
	changing := func(s *table.Snapshot) bool { return s.Layout.Phase == table.ShoeChange && !s.Floor.Paused }
	d.until("the table to open", changing)
	d.stop()
	d.start()
	d.push("stop", "")
	d.until("the dealer's stop", func(s *table.Snapshot) bool {
		return len(s.Floor.Stops) == 1 && s.Layout.Phase == table.ShoeChange && !s.Floor.Paused
	})
	d.push("key", "1200ms")
	d.until("the release", func(s *table.Snapshot) bool { return len(s.Floor.Stops) == 0 && changing(s) })
	d.chord()
	d.due(table.DueOpen)
	d.box.Unplug()
	d.until("the loss of the box", func(s *table.Snapshot) bool { return s.Floor.Devices[boxDevice] == "lost" })
	d.push("next", "")
	d.push("stop", "")
	if err := d.box.Plug(); err != nil {
		t.Fatal(err)
	}
	d.until("the dealer's stop", func(s *table.Snapshot) bool { return len(s.Floor.Stops) == 1 })
	d.until("no round", func(s *table.Snapshot) bool { return s.Layout.Round == 0 })
}
