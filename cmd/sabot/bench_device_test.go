package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sabot/mqtt/broker"
	"sabot/shoe"
	"sabot/shoe/uid"
	"sabot/table"
)

// BenchmarkPathOf times what a device of each protocol says: from its bytes on the pty until its decoder has reported them, and until the table has them on disk
// and shows the lamps and the lock. A pty has no speed; what the bytes take on a wire comes before it.
func BenchmarkPathOf(b *testing.B) {
	cards := enrolmentFile(b, 8)
	for _, d := range []struct {
		name     string
		settings []string
	}{
		{"angel", nil}, {"beetek", nil}, {"line", nil}, {"pattern", []string{"preset=barcode"}}, {"uid", []string{"format=rdm6300", "cards=" + cards}}, {"wheel", nil},
	} {
		b.Run(d.name, func(b *testing.B) { timePath(b, d.name, d.settings) })
	}
}

// timed is a protocol whose decoder tells when it has reported something.
type timed struct {
	dialect
	shoe.Decoder
	events atomic.Int64 // that its reports are
	last   time.Time    // when the last one was reported
	fresh  func()       // says that the shoe was filled anew
}

func (d *timed) decoder(device string) (shoe.Decoder, error) {
	dec, err := d.dialect.decoder(device)
	if tags, ok := dec.(*tagDecoder); ok {
		d.fresh = tags.newShoe
	}
	d.Decoder = dec
	return d, err
}

// Feed is the decoder's.
func (d *timed) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	reports, out := d.Decoder.Feed(now, p)
	for _, r := range reports {
		if _, ok := table.FromReport(r); ok {
			d.last = time.Now()
			d.events.Add(1)
		}
	}
	return reports, out
}

// spoken is a device in a closed table, which records what it says all the same.
type spoken struct {
	*virtual
	heard *timed
	shown chan int64 // the seq of each state
	last  int64
}

func timePath(b *testing.B, name string, settings []string) {
	ctx, cancel := context.WithCancel(b.Context())
	br, err := broker.Start(broker.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer br.Close()
	m, dir := emulateFlags{options: settings}, b.TempDir()
	dev, _, err := m.model(name)
	if err != nil {
		b.Fatal(err)
	}
	d := spoken{shown: make(chan int64, 1000)}
	if d.virtual, err = plugIn(ctx, &ptyCable{link: filepath.Join(dir, "port")}, dev, faults{}); err != nil {
		b.Fatal(err)
	}
	c, problems := parseConfig("bench", deviceConfig(dir, name, d.at(), br.Addr(), settings))
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	d.heard = &timed{dialect: c.Device.dialect, fresh: func() {}}
	c.Device.dialect = d.heard
	s, err := openStation(c, slog.New(slog.DiscardHandler), func(now table.Snapshot) { d.shown <- now.Seq }, nil)
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	defer func() { cancel(); <-ended }()
	d.rest(500 * time.Millisecond) // what is said at a start
	var reported, shown []time.Duration
	for say := d.sayings(); b.Loop(); d.rest(2 * time.Millisecond) {
		d.mu.Lock()
		message := say()
		d.mu.Unlock()
		r, s := d.time(b, message)
		reported, shown = append(reported, r), append(shown, s)
	}
	reportTimes(reported, "reported", b)
	reportTimes(shown, "shown", b)
}

// deviceConfig is a table with that device.
func deviceConfig(dir, name, port, broker string, settings []string) string {
	play, section, protocol := "blackjack\nrules: deluxe", "shoe", name
	if name == "wheel" {
		play, section, protocol = "roulette\nrules: roulette", name, "slingshot"
	}
	text := fmt.Sprintf("table: BENCH\ngame: %s\njournal: %s/journal\nmqtt: {broker: tcp://%s}\n%s:\n  protocol: %s\n  port: %s\n", play, dir, broker, section, protocol, port)
	for _, o := range settings {
		text += "  " + strings.Replace(o, "=", ": ", 1) + "\n"
	}
	return text
}

// sayings gives one message after the other, each of which is something that happened.
func (d *spoken) sayings() (next func() []byte) {
	if w, ok := d.model.(wheelModel); ok {
		n := -1
		return func() []byte {
			n++
			return []func() []byte{w.Spin, w.NoMoreBets, func() []byte { return w.Device.Win(uint8(n % table.Pockets)) }}[n%3]()
		}
	}
	var cards []shoe.Card
	return func() []byte {
		if len(cards) == 0 {
			cards = shuffled(8, 1, 1)
			if reader, ok := d.model.(*uid.Device); ok {
				reader.NewShoe()
			}
			d.heard.fresh()
		}
		c := cards[0]
		cards = cards[1:]
		return d.model.Draw(c)
	}
}

// time sends a message, and says how long it took until it was reported, and until the last of its events was shown.
func (d *spoken) time(b *testing.B, message []byte) (reported, shown time.Duration) {
	before, from := d.heard.events.Load(), d.last
	start := time.Now()
	d.send(message)
	for d.last == from || d.last-from < d.heard.events.Load()-before {
		select {
		case d.last = <-d.shown:
		case <-time.After(patience):
			b.Fatalf("nothing came of %q", message)
		}
	}
	return d.heard.last.Sub(start), time.Since(start)
}

// rest lets the device be quiet.
func (d *spoken) rest(t time.Duration) {
	time.Sleep(t)
	for len(d.shown) > 0 {
		d.last = <-d.shown
	}
}
