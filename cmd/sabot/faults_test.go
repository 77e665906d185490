package main

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sabot/drivers/serial"
	"sabot/shoe"
	"sabot/table"
)

// emulatedRow is a device, and how things happen to it.
type emulatedRow struct {
	name, settings string
	things         int           // that happen: cards, or spins
	pace           time.Duration // from one to the next
	heals          bool          // it numbers what it says, keeps it, and says it again
	mute           bool          // it cannot say that a card was not read
}

// TestEmulatedFaultsAreCalled lets things happen to each device with each fault, and holds what was done to it by its own count against what was reported: nothing
// is heard twice or in another's place, each pulled cable is called, and what is missing has been called too, if by no other word by the count at the shoe's end.
func TestEmulatedFaultsAreCalled(t *testing.T) {
	tags := "cards=" + enrolmentFile(t, 2)
	var all sync.WaitGroup
	defer all.Wait()
	for _, d := range []emulatedRow{
		{"line", "", 100, 10 * time.Millisecond, true, false},
		{"angel", "", 100, 10 * time.Millisecond, false, false},
		{"beetek", "copies=1", 100, 10 * time.Millisecond, false, false},
		{"pattern", "preset=barcode", 100, 10 * time.Millisecond, false, false},
		{"pattern", "preset=five", 100, 10 * time.Millisecond, false, true},
		{"uid", "format=jsonl " + tags, 100, 10 * time.Millisecond, false, true},
		{"uid", "format=rdm6300 " + tags, 24, 220 * time.Millisecond, false, true}, // a tag lies for a while, and is read again
		{"wheel", "", 6, 600 * time.Millisecond, false, true},                      // its status comes twice a second
	} {
		for name, f := range map[string]faults{"repeat": {Repeat: 3}, "misread": {Misread: 0.1}, "noise": {Noise: 0.2}, "drop": {Drop: 0.1}, "unplug": {Unplug: time.Hour}} {
			all.Go(func() {
				v, err := hearFaulty(t, d, f)
				if err == nil {
					err = v.happen(f.Unplug > 0)
				}
				if err == nil {
					err = v.judge()
				}
				row := fmt.Sprintf("%s %.14s, %s: %v; called %v", d.name, d.settings, name, v.injected(), v.called)
				if err != nil {
					t.Errorf("%s: %v", row, err)
				} else {
					t.Logf("%s; %d of %d heard", row, len(v.heard), len(v.left))
				}
			})
		}
	}
}

// faulty is a device with faults, heard through a real port, its driver and its decoder.
type faulty struct {
	emulatedRow
	*virtual
	port    *serial.Device
	reports chan shoe.Report
	left    []string // what happened, as the device knows it
	heard   []string
	called  map[string]int // what else was reported
}

// hearFaulty plugs such a device in and reads it. The host knows how often things are repeated by a device that does not number them.
func hearFaulty(t *testing.T, d emulatedRow, f faults) (*faulty, error) {
	settings, section, protocol := strings.Fields(d.settings), "shoe", d.name
	m := emulateFlags{options: settings}
	dev, kind, err := m.model(d.name)
	if err != nil {
		return nil, err
	}
	f.rng = rand.New(rand.NewPCG(7, 7))
	v := &faulty{emulatedRow: d, reports: make(chan shoe.Report, 4096), called: map[string]int{}}
	if v.virtual, err = plugIn(t.Context(), &ptyCable{link: filepath.Join(t.TempDir(), "port")}, dev, f); err != nil {
		return nil, err
	}
	switch {
	case kind == "wheel":
		section, protocol = "wheel", "slingshot"
	case d.name == "beetek":
		settings = []string{fmt.Sprint("copies=", 1+f.Repeat)}
	case d.name == "pattern" && f.Repeat > 0:
		settings = append(settings, "repeat=1s")
	}
	p := devices[section][protocol]
	said := p.dialect()
	if err := (&emulateFlags{options: settings}).set(said); err != nil {
		return nil, err
	}
	dec, err := said.decoder(section)
	if err != nil {
		return nil, err
	}
	v.port = serial.NewDevice(serial.Config{Name: section, Path: v.at(), Baud: p.baud, Log: slog.New(slog.DiscardHandler)}, dec, func(a serial.Arrival) { v.reports <- a.Report })
	go v.port.Run(t.Context())
	v.port.Lock(false)
	return v, nil
}

// happen lets everything happen, and pulls the cable twice if that is wanted.
func (v *faulty) happen(pull bool) error {
	cards := append(shuffled(1, 7, 1), shuffled(1, 7, 2)...) // no neighbours that are alike: a device without numbers that repeats cannot say them
	for i := range v.things {
		if pull && i%10 == 3 && i < 20 {
			if err := v.until("the last one to be heard", func() bool { return len(v.heard) > 0 && v.heard[len(v.heard)-1] == v.left[i-1] }); err != nil {
				return err
			}
			v.Unplug()
		}
		if pull && i%10 == 5 && i < 20 {
			if err := v.Plug(); err != nil {
				return err
			}
			if err := v.until("the device to be found", func() bool { return v.called["found"] == v.injected().Unplugs }); err != nil {
				return err
			}
		}
		before := v.injected().Misreads
		word := cards[i].String()
		if v.name == "wheel" {
			word = fmt.Sprint(i)
		}
		if err := v.until("the mouth to open", func() bool { return v.one(cards[i], uint8(i)) == nil }); err != nil {
			return err
		}
		if v.injected().Misreads > before {
			word = shoe.Unread.String()
		}
		v.left = append(v.left, word)
		v.hear(v.pace)
	}
	v.hear(2 * time.Second) // what comes late
	return nil
}

// one is one thing that happens.
func (v *faulty) one(c shoe.Card, n uint8) error {
	w, ok := v.model.(wheelModel)
	if !ok {
		return v.Draw(c)
	}
	v.tell(w.Spin)
	v.hear(v.pace)
	v.tell(func() []byte { return w.Win(n) })
	return nil
}

// hear takes what is reported in a while.
func (v *faulty) hear(most time.Duration) {
	for limit := time.After(most); ; {
		select {
		case r := <-v.reports:
			v.port.Ack(r.Source)
			switch r.Kind {
			case shoe.Drawn:
				v.heard = append(v.heard, r.Card.String())
			case shoe.Number:
				v.heard = append(v.heard, fmt.Sprint(r.N))
			case shoe.Faulted:
				v.port.Lock(false)
				v.called[r.Code]++
			default:
				v.called[r.Kind.String()]++
			}
		case <-limit:
			return
		}
	}
}

func (v *faulty) until(what string, true func() bool) error {
	for limit := time.Now().Add(patience); !true(); v.hear(5 * time.Millisecond) {
		if time.Now().After(limit) {
			return fmt.Errorf("waited in vain for %s", what)
		}
	}
	return nil
}

// judge holds what was heard against what happened.
func (v *faulty) judge() error {
	n, unread, rest := v.injected(), 0, v.left
	for i, word := range v.heard {
		for len(rest) > 0 && rest[0] != word {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return fmt.Errorf("%s, heard as number %d, did not happen then: happened %v, heard %v", word, i+1, v.left, v.heard)
		}
		rest = rest[1:]
		if word == shoe.Unread.String() {
			unread++
		}
	}
	missing := len(v.left) - len(v.heard)
	called := v.called["unknown-reading"] + v.called["conflict"] + v.called["gap"] + v.called["proposed"]
	switch {
	case v.called["unreadable"] > 0:
		return fmt.Errorf("it is taken for another device")
	case v.called["lost"] != n.Unplugs || v.called["found"] != n.Unplugs:
		return fmt.Errorf("the cable was pulled %d times", n.Unplugs)
	case !v.mute && unread != n.Misreads:
		return fmt.Errorf("%d of %d unread cards were called", unread, n.Misreads)
	case v.mute && v.name != "wheel" && n.Misreads > 0 && missing != n.Misreads:
		return fmt.Errorf("%d cards are missing, %d were not read", missing, n.Misreads)
	case v.heals && missing > 0, missing > n.Drops+n.Unheard+n.Misreads+called:
		return fmt.Errorf("%d of %d are missing", missing, len(v.left))
	case missing > 0 && v.name != "wheel" && !v.counted():
		return fmt.Errorf("%d of %d are missing, and the count at the shoe's end does not say so", missing, len(v.left))
	}
	return nil
}

// counted has a table hear the cards, and the supervisor count what is left in the shoe: true is a count that is called wrong.
func (v *faulty) counted() bool {
	p, err := newPlay("blackjack", map[string]string{"preset": "deluxe"})
	if err != nil {
		return false
	}
	game := p.New(table.Opening{})
	var calls []table.Call
	for i, line := range append([]string{"table open by S-1", "shoe 1 by S-1", "retire by S-1"}, append(draws(v.heard), fmt.Sprintf("count %d by S-1", 416-len(v.left)), "shoe 2 by S-1")...) {
		e, err := table.Parse(line)
		if err != nil {
			return false
		}
		e.Seq = int64(i + 1)
		calls = game.Step(e, calls)
	}
	for _, c := range calls {
		if c.Code == table.CountWrong {
			return true
		}
	}
	return false
}

func draws(cards []string) (lines []string) {
	for _, c := range cards {
		lines = append(lines, "draw "+c)
	}
	return lines
}
