package box_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/box"
	"sabot/table/roulette"
)

// lit is a panel in words, as the tests write it.
func lit(p box.Panel) string {
	var words []string
	for _, lamp := range []struct {
		name string
		is   box.Pattern
	}{{"green", p.Green}, {"amber", p.Amber}, {"red", p.Red}, {"blue", p.Blue}} {
		switch lamp.is {
		case box.Off:
		case box.On:
			words = append(words, lamp.name)
		default:
			words = append(words, lamp.name+" "+lamp.is.String())
		}
	}
	if p.Lock {
		words = append(words, "locked")
	}
	return strings.Join(words, ", ")
}

// shine plays a script: a line a press or an event, and behind " -> " what is lit then; nothing behind it is not looked at.
func (d *desk) shine(script string) {
	d.t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(script), "\n") {
		do, want, looked := strings.Cut(strings.TrimSpace(line), "->")
		d.do(strings.TrimSpace(do))
		now := d.see()
		if got := lit(box.Lamps(&now)); looked && got != strings.TrimSpace(want) {
			d.t.Fatalf("line %d: %s-> %s", i+1, do, got)
		}
	}
}

// A card that is due and is not in the shoe is for the supervisor: the dealer waits, and draws what the house's rule gives him when it is there.
func TestLampsOfAnEmptyShoe(t *testing.T) {
	burnt := func(n int) string { return strings.Repeat("draw ??\n", n-1) + "draw ??" }
	blackjackDesk(t, "deluxe", func(r *blackjack.Rules) { r.Decks, r.Burn = 1, table.BurnRule{N: 20} }).shine(`
		table open by S-1
		shoe 1 by S-1       -> green
		` + burnt(20) + "\nburn 20 by S-1\n" + burnt(20) + "\nburn 9 by S-1\n" + burnt(9) + `
		open                -> green, locked
		close 1             -> green
		draw 8h             -> green
		draw Ad             -> green
		draw 8c             -> amber, blue
		pause               -> red slow, blue, locked
		draw 9c by S-1      -> red slow, blue, locked
		resume by S-1       -> green, blue
		void by S-1         -> red, locked
		key long            -> red, locked
		key long            -> amber, locked
	`)
}

func TestLampsOfADay(t *testing.T) {
	blackjackDesk(t, "deluxe", func(r *blackjack.Rules) { r.Burn.N, r.CutLeast = 1, 0 }).shine(`
		dealer D-7          -> amber, locked
		table open by S-1   -> amber, locked
		shoe 1 by S-1       -> green
		draw 2c             -> green, locked
		next                -> green, locked
		stand               -> green, locked
		close 1,3           -> green
		draw 8h             -> green
		draw 5h             -> green
		draw Ad             -> green
		draw 8c             -> green
		draw 6c             -> green
		draw 9c             -> green
		next                -> green
		next                -> green
		stop                -> red, locked
		key                 -> red slow, locked
		key long            -> red slow, locked
		key long            -> green
		draw ??             -> red, locked
		key long            -> green, red
		draw 2h             -> green
		fault shoe E4       -> red fast, locked
		key                 -> red fast, locked
		key long            -> red slow, locked
		key long            -> green
		stand
		cut                 -> green, blue
		stand               -> green, blue
		next                -> amber, locked
	`)
}

func TestLampsWhereAGameServerDecides(t *testing.T) {
	server := func(r *blackjack.Rules) { r.Buttons, r.ImpliedHit = false, false }
	blackjackDesk(t, "deluxe", server).shine(`
		table open by S-1
		shoe 1 by S-1       -> green, locked
		next                -> amber, locked
		close 1             -> green
		draw 8h
		draw Ad
		draw 8c             -> green
		draw 9c             -> amber
		decline 1           -> green
		next                -> amber
		hit                 -> amber
		hit 1a              -> green
	`)
	rules := roulette.SingleZero()
	newDesk(t, table.NewRound(roulette.New(&rules, table.Opening{})), box.Options{}).shine(`
		table open by S-1   -> green, locked
		open                -> amber, locked
		close none          -> green
		ball                -> amber
		result 17           -> green
	`)
}

// A device that is away is said even while nothing stops; a button that stops, before its press is in the record.
func TestLampsOfWhatTheGameDoesNotKnow(t *testing.T) {
	d := blackjackDesk(t, "deluxe", nil)
	d.shine(`
		table open by S-1
		shoe 1 by S-1       -> green, locked
		open
		close 1             -> green
	`)
	now := d.see()
	now.Halted = true
	if got := lit(box.Lamps(&now)); got != "red, locked" {
		t.Errorf("a halted table shows %s", got)
	}
	now.Halted, now.Unheard = false, true
	if got := lit(box.Lamps(&now)); got != "green, red fast" {
		t.Errorf("a table that nobody hears shows %s", got)
	}
	d.lost["shoe"] = "ok"
	d.shine("draw 9s -> green")
	d.lost["shoe"] = "lost"
	d.shine("draw 9s -> green, red fast")
	d.shine("stop    -> red fast, locked")
}

// TestLampsDoNotTellTheHoleCard deals tables that differ in the hole card alone, and not in what the peek says of it: lamps and the box's screen
// are the same until it is turned, mistakes and stops included.
func TestLampsDoNotTellTheHoleCard(t *testing.T) {
	turned := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 11))
		holes := []shoe.Card{shoe.New(shoe.Rank(2+rng.IntN(8)), shoe.Suit(rng.IntN(4))), shoe.New(shoe.Rank(2+rng.IntN(8)), shoe.Suit(rng.IntN(4)))} // none makes a natural
		var desks []*desk
		for range holes {
			d := blackjackDesk(t, "deluxe", func(r *blackjack.Rules) { r.Decks = 1 })
			d.do("table open by S-1")
			d.do("shoe 1 by S-1")
			d.do("open")
			d.do("close 2,5")
			desks = append(desks, d)
		}
		up := []string{"draw Ad", "draw Td", "draw 6d"}[seed%3]
		for _, line := range []string{"draw 8h", "draw 7h", up, "draw 8s", "draw 4h"} {
			for _, d := range desks {
				d.do(line)
			}
		}
		for i, d := range desks {
			d.step(table.Event{Kind: table.Draw, Card: holes[i]})
		}
		for range 60 {
			if reveals(desks[0]) || reveals(desks[1]) {
				turned++
				break
			}
			a, b := desks[0].see(), desks[1].see()
			if x, y := box.Lamps(&a), box.Lamps(&b); x != y || !reflect.DeepEqual(a.Floor.Box, b.Floor.Box) {
				t.Fatalf("seed %d: hole cards %v: %s or %s", seed, holes, lit(x), lit(y))
			}
			press := box.Press{Button: []box.Button{box.Next, box.Stand, box.Stand, box.Double}[rng.IntN(4)]}
			if rng.IntN(4) == 0 {
				press = box.Press{Button: box.Button(1 + rng.IntN(int(box.Key))), Stroke: box.Stroke(rng.IntN(3))}
			}
			card := holes[rng.IntN(2)]
			for _, d := range desks {
				if l := d.game.Layout(); l.Due != nil && (l.Due.Kind == "card" || l.Due.Kind == "reread") {
					d.step(table.Event{Kind: table.Draw, Card: card})
					continue
				}
				d.press(press)
			}
		}
	}
	if turned < 100 {
		t.Errorf("only %d rounds came as far as the turn", turned)
	}
}

// reveals says that the hole card is turned, or will be by a NEXT.
func reveals(d *desk) bool {
	l := d.game.Layout()
	return l.Dealer == nil || l.Dealer.Cards[len(l.Dealer.Cards)-1] != table.Back || l.Due != nil && l.Due.Kind == "reveal"
}
