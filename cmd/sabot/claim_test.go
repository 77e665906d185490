package main

import (
	"fmt"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/angel"
	"sabot/shoe/wheel"
	"sabot/table"
)

// told is a table that hears a device through its decoder, without a port, and everything it calls.
type told struct {
	t     *testing.T
	game  table.Game
	dec   shoe.Decoder
	now   time.Duration
	seq   int64
	calls []table.Call
}

// hear takes a device's bytes to the table.
func (d *told) hear(p []byte) {
	d.now += 3 * time.Second // so that no frame is a copy of one long ago
	reports, _ := d.dec.Feed(d.now, p)
	for _, r := range reports {
		if e, ok := table.FromReport(r); ok {
			d.step(e)
		}
	}
}

func (d *told) do(line string) {
	d.t.Helper()
	e, err := table.Parse(line)
	if err != nil {
		d.t.Fatal(err)
	}
	e.Seq = d.seq + 1
	if code := d.game.Check(e); e.Asked() && code != table.OK {
		d.t.Fatalf("%s: %v", line, code)
	}
	d.step(e)
}

func (d *told) step(e table.Event) {
	d.seq++
	e.Seq, e.At = d.seq, d.now
	d.calls = d.game.Step(e, d.calls)
}

// words are the codes of the irregularities called so far, and the results, which are forgotten then.
func (d *told) words() (codes map[string]int, results int) {
	codes = map[string]int{}
	for _, c := range d.calls {
		switch c.Word {
		case table.CallIrregular:
			codes[c.Code.String()]++
		case table.CallResult, table.CallNumber:
			if c.To == table.ToAll {
				results++
			}
		}
	}
	d.calls = nil
	return codes, results
}

// TestAnAngelShoeAgrees plays shoes whose own results are all waited for: each coup ends by the shoe's word, its last card alone ends none, and
// nothing is irregular. A card that it could not read and then named again is dealt when that is ordered.
func TestAnAngelShoeAgrees(t *testing.T) {
	p, err := newPlay("baccarat", map[string]string{"preset": "puntobanco", "burn": "none", "claim_time": "500ms", "cut_least": "0%"})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(5) {
		dev := angel.NewDevice(angel.Options{}, angel.Habits{Copies: 3})
		d := &told{t: t, game: p.New(table.Opening{}), dec: angel.New("shoe", angel.Options{})}
		d.do("table open by S-1")
		d.hear(dev.Boot())
		d.do("shoe 1 by S-1")
		d.calls = nil // the boot is a note
		cards, results := shuffled(8, seed, 1), 0
		for range 60 {
			d.do("open")
			d.do("close 1")
			for d.game.Layout().Phase == table.Dealing {
				if due := d.game.Layout().Due.Kind; due != "card" {
					t.Fatalf("seed %d: %s is due, and the shoe has said what there is to say", seed, due)
				}
				d.hear(dev.Draw(cards[0]))
				cards = cards[1:]
			}
			results++
		}
		if codes, n := d.words(); n != results || len(codes) > 0 {
			t.Errorf("seed %d: %d results of %d coups; %v", seed, n, results, codes)
		}
		d.do("open")
		d.do("close 1")
		d.hear(dev.Draw(shoe.Unread))
		misread := fmt.Sprint(d.seq - 1)           // the error behind it is a fault
		d.hear(dev.Reread(card(t, "4h")))          // and named
		if l := d.game.Layout(); l.Player != nil { // but not dealt
			t.Errorf("seed %d: %v is dealt, and nobody has ordered it", seed, l.Player.Cards)
		}
		d.do("release " + misread + " reread by S-1")
		if l := d.game.Layout(); l.Player == nil || l.Player.Cards[0] != "4h" {
			t.Errorf("seed %d: the card read again is not dealt: %+v", seed, l.Player)
		}
	}
}

// TestAnEmulatedAngelDeals a table by its presets, burn included: nothing is irregular, and at blackjack the coups that it counts by itself are nobody's concern.
func TestAnEmulatedAngelDeals(t *testing.T) {
	for game, preset := range map[string]string{"baccarat": "puntobanco", "blackjack": "deluxe"} {
		p, err := newPlay(game, map[string]string{"preset": preset})
		if err != nil {
			t.Fatal(err)
		}
		dev, err := (&angelDialect{}).model()
		if err != nil {
			t.Fatal(err)
		}
		d := &told{t: t, game: p.New(table.Opening{}), dec: angel.New("shoe", angel.Options{})}
		d.do("table open by S-1")
		d.hear(dev.Boot())
		d.do("shoe 1 by S-1")
		d.calls = nil // the boot is a note
		for _, c := range shuffled(8, 6, 1)[:120] {
			d.untilACardIsDue()
			d.hear(dev.Draw(c))
		}
		if codes, n := d.words(); n < 20 || len(codes) > 0 {
			t.Errorf("%s: %d results; %v", game, n, codes)
		}
	}
}

// untilACardIsDue says what else is to be said: one seat plays, and stands.
func (d *told) untilACardIsDue() {
	d.t.Helper()
	for {
		switch due := d.game.Layout().Due; {
		case due == nil:
			d.t.Fatalf("nothing is due: %+v", d.game.Layout())
		case due.Kind == "card" || due.Kind == "burn":
			return
		case due.Kind == "open":
			d.do("open")
		case due.Kind == "close":
			d.do("close 1")
		case due.Kind == "insurance":
			d.do("decline 1")
		case due.Kind == "decision":
			d.do("stand " + due.Hand)
		default:
			d.do(due.Kind)
		}
	}
}

// TestAWheelEndsBettingAndProposes: from the bytes of a wheel, bets that nobody has closed are closed; and what fell while nobody heard is no result until
// the supervisor has entered it.
func TestAWheelEndsBettingAndProposes(t *testing.T) {
	p, err := newPlay("roulette", map[string]string{"preset": "roulette"})
	if err != nil {
		t.Fatal(err)
	}
	dev := wheel.NewDevice()
	d := &told{t: t, game: p.New(table.Opening{}), dec: wheel.New("wheel")}
	d.do("table open by S-1")
	d.do("open")
	d.hear(dev.Spin())
	d.hear(dev.NoMoreBets())
	if phase := d.game.Layout().Phase; phase != table.Spin {
		t.Errorf("the ball falls, and the phase is %v", phase)
	}
	d.hear(dev.Win(17))
	if codes, n := d.words(); n != 1 || len(codes) > 0 {
		t.Errorf("%d results; %v", n, codes)
	}
	d.do("open")
	d.hear(dev.Spin())
	d.do("close 1")
	d.do("restart 20s")
	d.dec = wheel.New("wheel")
	dev.NoMoreBets()
	d.hear(append(dev.Win(4), dev.Win(4)...))
	d.do("result 4 by S-1")
	codes, n := d.words()
	if n != 0 || codes["RESULT_PROPOSED"] != 1 || codes["RESULT_HELD"] != 1 {
		t.Errorf("%d results before the release; %v", n, codes)
	}
	d.do(fmt.Sprintf("release %d by S-1", d.game.Opening().Holds[0].Seq))
	if _, n := d.words(); n != 1 || d.game.Layout().Spin.Number != 4 {
		t.Errorf("%d results after it; %+v", n, d.game.Layout().Spin)
	}
}
