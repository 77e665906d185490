package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/live"
)

// dayLong is about how many events a busy table has in a day.
const dayLong = 100_000

// BenchmarkVerify proves the record of a day and plays all of it again, as `sabot verify` does.
func BenchmarkVerify(b *testing.B) {
	dir := memory(b)
	d := demoFlags{game: "baccarat", rules: "puntobanco", journal: dir}
	c, problems := parseConfig("bench", d.config("127.0.0.1:1883", "/dev/none"))
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	day := &busyDay{B: b, shown: make(chan table.Snapshot, 1)}
	described := liveConfig(c)
	described.Show, described.Halt, described.Log = day.show, func() {}, slog.New(slog.DiscardHandler)
	var err error
	if day.live, err = live.Open(dir, described); err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- day.live.Run(ctx) }()
	day.pass()
	stop()
	<-ended
	day.live.Close()
	began := processor()
	for b.Loop() {
		if _, stderr, code := sabot("verify", dir); code != exitOK {
			b.Fatal(stderr)
		}
	}
	b.ReportMetric((processor()-began).Seconds()/float64(b.N), "cpu-s/op") // on a machine that others use, too, the figure to go by
}

// processor is the time of it that was used.
func processor() time.Duration {
	var used unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &used) // never fails
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// memory is a folder in memory, where there is such a thing: writing the record is not what is measured.
func memory(b *testing.B) string {
	dir, err := os.MkdirTemp("/dev/shm", "sabot-bench-")
	if err != nil {
		return b.TempDir()
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// busyDay is a table at which coups are dealt one after the other.
type busyDay struct {
	*testing.B
	live  *live.Live
	shown chan table.Snapshot
	cards []shoe.Card
	cut   bool
}

func (d *busyDay) show(s table.Snapshot) {
	select {
	case <-d.shown:
	default:
	}
	d.shown <- s
}

// pass deals until the day is over.
func (d *busyDay) pass() {
	for now := range d.shown {
		if now.Seq >= dayLong {
			return
		}
		d.act(&now)
	}
}

// act does what is due.
func (d *busyDay) act(now *table.Snapshot) {
	l := &now.Layout
	switch {
	case l.Stopped != nil:
		d.ask(table.ToFloor, "release %d by S-1", now.Floor.Stops[0].Irregularity)
	case l.Due == nil:
		d.ask(table.ToFloor, "table open by S-1")
	case l.Due.Kind == "shoe":
		d.cards, d.cut = shuffled(8, 1, l.Shoe.Number), false
		d.ask(table.ToFloor, "shoe %d by S-1", l.Shoe.Number+1)
	case l.Due.Kind == "open":
		d.ask(table.ToGame, "open")
	case l.Due.Kind == "close":
		d.ask(table.ToGame, "close 1,3,7")
	case l.Shoe.Dealt > 390 && !d.cut:
		d.cut = true
		d.happen("cut")
	default:
		d.happen("draw %v", d.cards[l.Shoe.Dealt])
	}
}

func (d *busyDay) parse(format string, args ...any) table.Event {
	e, err := table.Parse(fmt.Sprintf(format, args...))
	if err != nil {
		d.Fatal(err)
	}
	return e
}

func (d *busyDay) happen(format string, args ...any) {
	d.live.Device(live.Input{Event: d.parse(format, args...), Source: shoe.Source{Device: "shoe"}})
}

func (d *busyDay) ask(from table.Audience, format string, args ...any) {
	d.live.Command(table.Command{From: from, Event: d.parse(format, args...)}, func(table.Reply) {})
}
