package box_test

import (
	"math/rand/v2"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/box"
	"sabot/table/roulette"
)

func TestARoundOfSixButtons(t *testing.T) {
	blackjackDesk(t, "deluxe", nil).play(`
		next       -> open TABLE_CLOSED
		key down   -> pause by key
		next       -> table open by key
		next       -> shoe 1 by key
		key up     -> resume by key
		next       -> open
		stand      -> at 2 of none
		hit        -> at 3 of 2
		hit        -> at 4 of 2,3
		hit        -> at 5 of 2,3,4
		hit        -> at 6 of 2,3,4,5
		stand      -> at 7 of 2,3,4,5
		stand      -> at 1 of 2,3,4,5
		stand      -> at 2 of 2,3,4,5
		hit        -> at 3 of 2,3,4,5
		hit        -> at 4 of 2,3,4,5
		stand      -> at 5 of 2,3,5
		double     -> double SEAT_EMPTY
		next       -> close 2,3,5
		next       -> open ROUND_RUNNING
		draw 8h
		draw 5h
		draw 6s
		draw Ad
		draw 8c
		draw 6c
		draw Ts
		draw 9c
		hit        -> insure 2
		stand      -> decline 3
		split      -> split SEAT_EMPTY
		next       -> decline 5
		hit        -> hit SEAT_EMPTY
		next       -> peek
		next       -> open ROUND_RUNNING
		split down ->
		split up   -> split
		draw 2d
		double     -> double
		draw Td
		draw 3s
		split long -> surrender SURRENDER_UPCARD
		hit        -> hit
		draw 2s
		split      -> split SPLIT_NOT_FIRST_TWO
		stand      -> stand
		double     -> double
		hit        -> hit CARD_DUE
		draw Tc
		draw 4d
		stand      -> stand
		next       -> reveal
		next       -> open
		stand      -> at 2 of 2,3,5
		next       -> close 2,3,5
	`)
}

func TestSurrenderIsALongSplit(t *testing.T) {
	d := blackjackDesk(t, "deluxe", nil)
	d.play(`
		table open by S-1
		shoe 1 by S-1
		open
		close 3
		draw 8h
		draw 6s
		draw 8c
		draw 9c
		split up   ->
		split down ->
		split held -> surrender
		split held ->
		split up   ->
		next       -> reveal
		next       -> open
		close 3
		draw 8h
		draw 6s
		draw 8c
		draw 9c
		split down  ->
		split stuck ->
		split up    ->
		split       -> split
	`)
}

func TestEvenMoneyIsYesForANatural(t *testing.T) {
	deal := `
		table open by S-1
		shoe 1 by S-1
		open
		close 1,3
		draw Ah
		draw 6s
		draw Ad
		draw Kc
		draw 9c
		draw 2c
	`
	d := blackjackDesk(t, "classic", nil)
	d.play(deal + `
		hit   -> even-money 1
		hit   -> insure 3
		hit   -> hit SEAT_EMPTY
		next  -> peek
	`)
	d = blackjackDesk(t, "deluxe", nil)
	d.play(deal + `
		hit   -> insure 1
		stand -> decline 3
	`)
}

// TestAGameServerIsMasterOfItsOwn: where it decides, the dealer's buttons for it are dead; his own are not.
func TestAGameServerIsMasterOfItsOwn(t *testing.T) {
	d := blackjackDesk(t, "deluxe", func(r *blackjack.Rules) { r.Buttons, r.ImpliedHit = false, false })
	d.play(`
		table open by S-1
		shoe 1 by S-1
		next   -> open
		hit    -> hit NOT_OFFERED
		next   -> close none NOT_OFFERED
		close 3
		draw 8h
		draw Ad
		draw 8c
		draw 9c
		hit    -> hit NOT_OFFERED
		next   -> decline 3 NOT_OFFERED
		insure 3
		next   -> peek
		hit    -> hit NOT_OFFERED
		stand  -> stand NOT_OFFERED
		double -> double NOT_OFFERED
		split  -> split NOT_OFFERED
		split long -> surrender NOT_OFFERED
		stop   -> stop
		key long -> pause by key; release 11 by key; resume by key
		stand 3a
		next   -> reveal
		next   -> open
	`)
	if s := d.see().Floor.Box; s != nil {
		t.Errorf("the screen shows %+v of a box without a say", s)
	}
}

func TestTheKey(t *testing.T) {
	d := blackjackDesk(t, "deluxe", nil)
	d.play(`
		key        -> pause by key
		key        ->
		key long   -> resume by key
		key long   -> pause by key
		key down   ->
		next       -> table open by key
		key up     ->
		key held   ->
		key up     ->
		key stuck  ->
		key long   -> resume by key
		next       -> open SHOE_FINISHED
		key down   -> pause by key
		key held   ->
		next       -> shoe 1 by key
		key up     -> resume by key
		next       -> open
		key down   -> pause by key
		next       -> close none PAUSED
		key up     -> at 1 of none
		key long   -> resume by key
		hit        -> at 2 of 1
		next       -> close 1
		stop       -> stop
		stop       -> stop
		key        -> pause by key
		key long   -> release 13 by key
		key long   -> release 14 by key
		key long   -> resume by key
		draw 8h
		draw 6s
		stop       -> stop
		key down   -> pause by key
		key held   ->
		release 21 by S-1
		key up     -> resume by key
		key down   -> pause by key
		stop       -> stop
		key held   ->
		key up     ->
		key down   ->
		key stuck  ->
		key up     ->
		key long   -> release 26 by key
	`)
}

// TestAWireThatIsCutReleasesNothing: it goes down, is held for ever, and found stuck.
func TestAWireThatIsCutReleasesNothing(t *testing.T) {
	d := blackjackDesk(t, "deluxe", nil)
	d.play(`
		table open by S-1
		shoe 1 by S-1
		stop       -> stop
		key down   -> pause by key
		key held   ->
		key stuck  ->
		next       -> open PAUSED
	`)
	if now := d.see(); len(now.Floor.Stops) != 1 || !now.Floor.Paused {
		t.Errorf("the floor is %+v", now.Floor)
	}
}

// TestTheKeyLeavesWhatWaitsForTheRoundsEnd: one card too many of a kind holds when the round has ended, and the key cannot release it before.
func TestTheKeyLeavesWhatWaitsForTheRoundsEnd(t *testing.T) {
	blackjackDesk(t, "deluxe", func(r *blackjack.Rules) { r.Decks = 1 }).play(`
		table open by S-1
		shoe 1 by S-1
		open
		close 3
		draw 8h
		draw 6s
		draw 8h
		key long -> pause by key
		key long -> resume by key
		stop     -> stop
		key long -> pause by key; release 10 by key; resume by key
		draw Tc
		stand    -> stand
		next     -> reveal
		draw 9d
		key long -> pause by key; release 7 by key; resume by key
		next     -> open
	`)
}

// TestNextCallsTheFloorWhereACardIsMissing: a dealer who goes on with a card undone has made a mistake, and that is what NEXT then tells.
func TestNextCallsTheFloorWhereACardIsMissing(t *testing.T) {
	d := blackjackDesk(t, "deluxe", func(r *blackjack.Rules) { r.Burn.N = 2 })
	d.play(`
		table open by S-1
		shoe 1 by S-1
		draw 9s
		next       -> open
		key long   -> pause by key; release 4 by key; resume by key
		draw 2s
		next       -> open
		hit        -> at 2 of 1
		next       -> close 1
		draw Th
		draw 6s
		draw 8c
		draw Tc
		stand      -> stand
		next       -> reveal
		next       -> open
	`)
	if now := d.see(); len(now.Floor.Stops) != 1 || now.Floor.Stops[0].Code != table.DealerCardDue.String() {
		t.Errorf("the floor is %+v", now.Floor)
	}
}

func TestBaccaratAndRoulette(t *testing.T) {
	coup, spin := baccarat.PuntoBanco(), roulette.SingleZero()
	coup.Burn = table.BurnRule{}
	d := newDesk(t, table.NewRound(baccarat.New(&coup, table.Opening{})), box.Options{Buttons: true})
	d.play(`
		key down -> pause by key
		next     -> table open by key
		next     -> shoe 1 by key
		key up   -> resume by key
		next     -> open
		hit      -> hit UNKNOWN_ACTION
		next     -> close none
		next     -> open ROUND_RUNNING
		draw 9s
		draw 2s
		draw Ks
		draw 3s
		next     -> open
		stop     -> stop
		next     -> close none HELD
		key long -> pause by key; release 12 by key; resume by key
		close 1,2
		draw 9s
		draw 2s
		draw Ks
		draw 3s
		next     -> open
		next     -> close none
	`)
	d = newDesk(t, table.NewRound(roulette.New(&spin, table.Opening{})), box.Options{Buttons: true})
	d.play(`
		key down -> pause by key
		next     -> table open by key
		next     -> open PAUSED
		key up   -> resume by key
		next     -> open
		next     -> close none
		next     -> open ROUND_RUNNING
		ball
		result 17
		next     -> open
		stop     -> stop
	`)
}

func TestWhatABoxForgets(t *testing.T) {
	d := blackjackDesk(t, "deluxe", nil)
	d.play(`
		table open by S-1
		shoe 1 by S-1
		open
		close 2,7
		draw 8h
	`)
	d.box = box.New(box.Options{Seats: 7, Buttons: true}) // the program started again in the round: the felt tells who plays
	d.see()
	d.play(`
		void by S-1
		next  -> open
		stand -> at 2 of 2,7
	`)
	d.box = box.New(box.Options{Seats: 7, Buttons: true}) // and in the bets: nothing does
	d.see()
	d.play(`
		stand -> at 2 of none
		hit   -> at 3 of 2
		next  -> close 2
	`)
}

func TestButtonsByName(t *testing.T) {
	for b := box.Next; b <= box.Key; b++ {
		if box.ParseButton(b.String()) != b {
			t.Errorf("%v does not read back", b)
		}
	}
	if box.ParseButton("none") != box.NoButton || box.ParseButton("") != box.NoButton || box.Button(99).String() != "unknown" {
		t.Error("a button that is none")
	}
}

// TestAnyPresses: whatever is pressed, in whatever order, among cards, cut cards and stops, nothing panics, and what only the
// supervisor may do comes of nothing but his key, or of NEXT while it is down.
func TestAnyPresses(t *testing.T) {
	supervisors := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		d := []func() *desk{
			func() *desk { return blackjackDesk(t, "deluxe", nil) },
			func() *desk { return blackjackDesk(t, "didactic", nil) },
			func() *desk { return blackjackDesk(t, "classic", func(r *blackjack.Rules) { r.Buttons = false }) },
			func() *desk {
				rules := roulette.SingleZero()
				return newDesk(t, table.NewRound(roulette.New(&rules, table.Opening{})), box.Options{Buttons: true})
			},
		}[seed%4]()
		withKey, down := seed%3 > 0, false
		for _, e := range []string{"table open by S-1", "shoe 1 by S-1"} {
			if !withKey && seed%4 < 3 {
				d.do(e)
			}
		}
		for range 600 {
			if rng.IntN(3) == 0 {
				happens(d, rng)
				continue
			}
			p := box.Press{Button: box.Button(rng.IntN(int(box.Key) + 1)), Stroke: box.Stroke(rng.IntN(4))}
			if p.Button == box.Key && !withKey {
				continue
			}
			m := d.press(p)
			for _, e := range m.Events {
				allowed := !e.Kind.Supervisor() || p.Button == box.Key && (e.Kind == table.Release || e.Kind == table.Resume) ||
					down && p.Button == box.Next && (e.Kind == table.TableOpen || e.Kind == table.NewShoe)
				if !allowed || e.Kind.Supervisor() != (m.Key && e.Kind != table.Pause) {
					t.Fatalf("seed %d: %v %v asks for %v", seed, p.Button, p.Stroke, e)
				}
				if e.Kind.Supervisor() {
					supervisors++
				}
				if line, err := table.Parse(e.String()); err != nil || !line.Equal(e) {
					t.Fatalf("seed %d: %v does not read back: %v", seed, e, err)
				}
			}
			if p.Button == box.Key {
				down = p.Stroke == box.Down || p.Stroke == box.Held && down
			}
		}
	}
	if supervisors < 500 {
		t.Errorf("the key did only %d things", supervisors)
	}
}

// happens is something that no button does.
func happens(d *desk, rng *rand.Rand) {
	e := table.Event{Kind: []table.Kind{table.Draw, table.Draw, table.Draw, table.Draw, table.Cut, table.Stop, table.Ball, table.Result}[rng.IntN(8)]}
	switch {
	case e.Kind == table.Draw && rng.IntN(20) == 0:
		e.Card = shoe.Unread
	case e.Kind == table.Draw:
		e.Card = shoe.Deck()[rng.IntN(52)]
	case e.Kind == table.Cut && rng.IntN(20) > 0:
		return
	case e.Kind == table.Stop && rng.IntN(5) > 0:
		return
	}
	d.step(e)
}
