package live

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/box"
	"sabot/table/journal"
	"sabot/table/wager"
)

// boxed is a table of blackjack with a box that is master of it; change may make the rules others.
func boxed(change func(*blackjack.Rules)) func(*Config) {
	rules := blackjack.Deluxe()
	rules.Burn, rules.Buttons, rules.ImpliedHit = table.BurnRule{}, true, true
	if change != nil {
		change(&rules)
	}
	return func(c *Config) {
		c.GameName, c.New = "blackjack", func(o table.Opening) table.Game { return table.NewRound(blackjack.New(&rules, o)) }
		c.Box = box.New(box.Options{Seats: rules.Seats, Buttons: rules.Buttons, EvenMoney: rules.EvenMoney})
	}
}

// press presses a button as a board tells it, and waits.
func (d *desk) press(b box.Button, strokes ...box.Stroke) {
	if strokes == nil {
		strokes = []box.Stroke{box.Down, box.Up}
	}
	for _, s := range strokes {
		d.live.Press(Press{Press: box.Press{Button: b, Stroke: s}, Device: "box", At: time.Now()})
	}
	synctest.Wait()
}

// begin opens the table and its shoe with the key.
func (d *desk) begin() {
	d.press(box.Key, box.Down)
	d.press(box.Next)
	d.press(box.Next)
	d.press(box.Key, box.Up)
}

// since are the events after an entry, where they came from, and what was pressed.
func (d *desk) since(seq int) string {
	var words []string
	for _, e := range entries(d.t, d.live.journal)[seq:] {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.From.Device, e.Raw, e.Event)))
	}
	return strings.ReplaceAll(strings.Join(words, "; "), ` by key because "the supervisor's key"`, " by key")
}

func TestPressesAreRecordedWithTheirButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var beeps []table.Code
		d := mustSit(t, t.TempDir(), func(c *Config) { boxed(nil)(c); c.Beep = func(code table.Code) { beeps = append(beeps, code) } }).run()
		d.begin()
		d.press(box.Next)
		d.press(box.Stand)
		d.press(box.Hit)
		d.press(box.Split)
		before := len(d.shown)
		d.press(box.Next)
		d.press(box.Stop)
		d.press(box.Next)
		d.press(box.Key, box.Down, box.Held, box.Up)
		if got := d.since(0); got != "box key pause by key; box next table open by key; box next shoe 1 by key; box key resume by key; box next open; "+
			`box split refused SEAT_EMPTY "split"; box next close 2; box stop stop; box next refused HELD "open"; `+
			"box key pause by key; box key release 8 by key; box key resume by key" {
			t.Error(got)
		}
		if fmt.Sprint(beeps) != "[SEAT_EMPTY HELD]" {
			t.Errorf("beeps %v", beeps)
		}
		screen := d.shown[before-1].Floor.Box
		if screen == nil || screen.Cursor != 3 || !slices.Equal(screen.Playing, []int{2}) {
			t.Errorf("before the end of bets the screen showed %+v", screen)
		}
		d.leave()
	})
}

// TestPressesKeepTheirPlaceAmongCards: while the disk hangs, cards and presses come; each press means what it means when the cards before
// it are there.
func TestPressesKeepTheirPlaceAmongCards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), boxed(nil))
		appended, written, slow := d.live.append, make(chan bool), false
		d.live.append = func(e *journal.Entry) error {
			if slow {
				<-written
			}
			return appended(e)
		}
		d.run()
		d.begin()
		d.press(box.Next)
		d.press(box.Hit)
		d.press(box.Hit)
		d.press(box.Next)
		for i, c := range []string{"Th", "5h", "9d", "8h", "6h"} {
			d.device(uint32(i+1), "draw "+c)
		}
		slow = true
		n := int(d.last().Seq)
		d.device(6, "draw Td") // the hole card, over which the disk hangs
		for _, press := range []box.Button{box.Stand, box.NoButton, box.Double, box.Stand} {
			time.Sleep(100 * time.Millisecond)
			if press == box.NoButton {
				d.device(7, "draw 9c") // seat 2's hit, 20
				continue
			}
			d.press(press)
		}
		close(written)
		synctest.Wait()
		if got := d.since(n); got != "shoe $\x06 draw Td; box stand stand; shoe $\a draw 9c; box double refused DOUBLE_NOT_FIRST_TWO \"double\"; box stand stand" {
			t.Errorf("%q", got)
		}
		d.leave()
	})
}

// TestTheSameButtonInImpatience: pressed again before anybody could see what became of it, it must not stand the next hand.
func TestTheSameButtonInImpatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), boxed(nil))
		appended, written, slow := d.live.append, make(chan bool), false
		d.live.append = func(e *journal.Entry) error {
			if slow {
				<-written
			}
			return appended(e)
		}
		d.run()
		d.begin()
		d.press(box.Next)
		d.press(box.Hit)
		d.press(box.Hit)
		d.press(box.Next)
		for i, c := range []string{"Th", "5h", "9d", "8h", "6h", "Td"} {
			d.device(uint32(i+1), "draw "+c)
		}
		slow = true
		n := int(d.last().Seq)
		d.press(box.Stand)
		time.Sleep(200 * time.Millisecond)
		d.press(box.Stand)
		time.Sleep(10 * time.Millisecond)
		close(written)
		synctest.Wait()
		if due := d.last().Layout.Due; due.Hand != "2a" {
			t.Errorf("due is %+v", due)
		}
		time.Sleep(time.Second)
		d.press(box.Stand)
		if got := d.since(n); got != `box stand stand; box stand refused STALE "stand"; box stand stand` {
			t.Error(got)
		}
		d.leave()
	})
}

// A stop happened, however often and however soon.
func TestAStopIsNeverImpatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), boxed(nil))
		appended, written := d.live.append, make(chan bool)
		d.live.append = func(e *journal.Entry) error {
			<-written
			return appended(e)
		}
		d.run()
		for range 2 {
			d.press(box.Stop)
			time.Sleep(100 * time.Millisecond)
		}
		close(written)
		synctest.Wait()
		if got := d.since(0); got != "box stop stop; box stop stop" {
			t.Error(got)
		}
		d.leave()
	})
}

// TestAButtonThatStopsIsNotOverruled: what is shown between the press and its entry is of a halted table, however the press is on its way.
func TestAButtonThatStopsIsNotOverruled(t *testing.T) {
	for _, button := range []box.Button{box.Stop, box.Key} {
		synctest.Test(t, func(t *testing.T) {
			d := mustSit(t, t.TempDir(), boxed(nil))
			appended, written, slow := d.live.append, make(chan bool), false
			d.live.append = func(e *journal.Entry) error {
				if slow {
					<-written
				}
				return appended(e)
			}
			d.run()
			d.begin()
			d.press(box.Next)
			d.press(box.Hit)
			d.press(box.Next)
			slow = true
			d.device(1, "draw Th") // the disk hangs
			d.live.Halt()          // a reader's, whose press is held up
			halts := len(d.halts)
			if halts == 0 {
				t.Fatal("nothing stopped")
			}
			written <- true
			synctest.Wait()
			if now := d.last(); !now.Halted || !now.Locked() || now.Layout.Stopped != nil || len(d.acked) != 1 {
				t.Errorf("while the press is on its way: halted %v, layout %v", now.Halted, now.Layout.Stopped)
			}
			d.device(2, "draw 5h")
			d.press(button) // here it is, behind a card
			written <- true
			synctest.Wait()
			if now := d.last(); !now.Halted || now.Layout.Shoe.Dealt != 2 {
				t.Errorf("behind a card: halted %v", now.Halted)
			}
			written <- true
			synctest.Wait()
			if now := d.last(); now.Halted || now.Layout.Stopped == nil || !now.Locked() {
				t.Errorf("with its entry: halted %v, layout %v", now.Halted, now.Layout.Stopped)
			}
			for i, s := range d.shown {
				if i > 0 && d.shown[i-1].Halted && !s.Halted && s.Layout.Stopped == nil {
					t.Errorf("state %d of entry %d is green again", i, s.Seq)
				}
			}
			close(written)
			d.leave()
		})
	}
}

// A pause that stands already is no event; the lamps that the press turned red show again what stands.
func TestAStopThatBecomesNoEventIsSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), boxed(nil)).run()
		d.press(box.Key)
		n, halts := len(d.shown), len(d.halts)
		d.press(box.Key, box.Down)
		if now := d.last(); now.Halted || now.Seq != 1 || len(d.shown) == n || len(d.halts) == halts {
			t.Errorf("halted %v, entry %d, shown %d, halts %d", now.Halted, now.Seq, len(d.shown)-n, len(d.halts)-halts)
		}
		d.live.Halt() // a press that is lost on its way
		d.ask("a", "dealer D-7")
		if !d.last().Halted {
			t.Error("the table went on")
		}
		d.press(box.Key, box.Up)
		d.press(box.Key, box.Down) // and the next one settles it
		if d.last().Halted {
			t.Error("the table stays halted")
		}
		d.leave()
	})
}

// TestHaltWhileAStateIsShown: a button may stop the deal in the middle of a Show that lights green. The last word is red.
func TestHaltWhileAStateIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d *desk
		armed := false
		d = mustSit(t, t.TempDir(), func(c *Config) {
			boxed(nil)(c)
			show := c.Show
			c.Show = func(s table.Snapshot) {
				if armed {
					armed = false
					d.live.Halt()
				}
				show(s)
			}
		}).run()
		armed = true
		d.ask("a", "dealer D-7")
		if now := d.last(); !now.Halted || len(d.halts) != 1 {
			t.Errorf("halted %v after %d halts", now.Halted, len(d.halts))
		}
		d.leave()
	})
}

// Presses and halts come from any goroutine; the race detector looks on.
func TestPressesFromManyHands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), func(c *Config) { boxed(nil)(c); c.Halt = func() {} }).run()
		d.begin()
		n := int(d.last().Seq)
		var hands sync.WaitGroup
		for range 4 {
			hands.Go(func() {
				for range 25 {
					d.live.Halt()
					d.live.Press(Press{Press: box.Press{Button: box.Stop}, Device: "box", At: time.Now()})
				}
			})
		}
		hands.Wait()
		synctest.Wait()
		if got := strings.Count(d.since(n), "stop stop"); got != 100 || d.last().Halted {
			t.Errorf("%d stops of 100, halted %v", got, d.last().Halted)
		}
		d.leave()
		d.live.Press(Press{Press: box.Press{Button: box.Stop}}) // must not wait for ever
	})
}

func TestWhoMayDecide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), boxed(nil)).run()
		d.begin()
		d.press(box.Next)
		d.press(box.Hit)
		d.press(box.Next)
		for i, c := range []string{"8h", "5h", "6h", "9d"} {
			d.device(uint32(i+1), "draw "+c)
		}
		if r := d.send(table.Command{From: table.ToGame, Event: event(t, "stand")}); r.Code != table.NotOffered {
			t.Errorf("a game server decides beside the box: %+v", r)
		}
		if r := d.ask("a", "stand"); !r.OK {
			t.Errorf("the floor may not: %+v", r)
		}
		d.leave()
	})
}

// A bettor behind has no button: his game server answers for him, and NEXT ends what he is asked, as soon as all seats have answered.
func TestBettorsBehindBesideABox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), func(c *Config) {
			boxed(nil)(c)
			rules, bets := blackjack.Deluxe(), wager.Deluxe()
			rules.House.Burn, rules.Buttons = table.BurnRule{}, true
			c.New = func(o table.Opening) table.Game { return table.NewRound(wager.New(blackjack.New(&rules, o), &bets)) }
		}).run()
		game := func(notation string) table.Reply {
			return d.send(table.Command{From: table.ToGame, Event: event(t, notation)})
		}
		d.begin()
		d.press(box.Next)
		game("bet P-1 1 100")
		game("bet B-1 1 50 behind")
		game("bet B-2 1 50 behind")
		d.press(box.Hit)
		d.press(box.Next)
		for i, c := range []string{"8h", "Ah", "6h", "9d"} {
			d.device(uint32(i+1), "draw "+c)
		}
		if r := game("insure 1"); r.Code != table.NotOffered {
			t.Errorf("the seat's answer: %+v", r)
		}
		if r := game("insure 1 B-1"); !r.OK {
			t.Errorf("an answer from behind: %+v", r)
		}
		d.press(box.Stand)
		if phase := d.last().Layout.Phase; phase != table.Insurance {
			t.Fatalf("B-2 was not asked: %v", phase)
		}
		time.Sleep(time.Second)
		d.press(box.Next)
		if phase := d.last().Layout.Phase; phase == table.Insurance {
			t.Errorf("NEXT does not end insurance: %s", d.notations())
		}
		d.leave()
	})
}

// What a box may ask for is written down once more, kind by kind: the supervisor's belongs to the key.
func TestWhatABoxMayAskFor(t *testing.T) {
	for k := table.NoEvent; k.Word() != "none" || k == table.NoEvent; k++ {
		if boxes(k, false) && (k.Supervisor() || k == table.Pause) {
			t.Errorf("a dealer's button may %s", k.Word())
		}
		if boxes(k, true) && !k.Supervisor() && k != table.Pause {
			t.Errorf("the key may %s", k.Word())
		}
		if boxes(k, true) && slices.Contains([]table.Kind{table.Void, table.Correct, table.Undo, table.Retire, table.TableClose, table.Draw}, k) {
			t.Errorf("the key may %s", k.Word())
		}
	}
}

// After a restart a box begins anew, from the felt.
func TestABoxAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, boxed(nil)).run()
		d.begin()
		d.press(box.Next)
		d.press(box.Stand)
		d.press(box.Hit)
		d.press(box.Next)
		d.device(1, "draw 8h")
		d.press(box.Key, box.Down)
		d.leave()
		d = mustSit(t, dir, boxed(nil)).run()
		d.press(box.Key, box.Up) // the one from before
		n := int(d.last().Seq)
		d.press(box.Key, box.Down, box.Held, box.Up)
		d.press(box.Key, box.Down, box.Held, box.Up)
		d.ask("v", "void by S-1")
		d.press(box.Next)
		if got := d.since(n); got != fmt.Sprintf("box key release %d by key; box key resume by key; floor  void by S-1; box next open", n) {
			t.Error(got)
		}
		if screen := d.last().Floor.Box; screen.Cursor != 1 || !slices.Equal(screen.Playing, []int{2}) {
			t.Errorf("the screen shows %+v", screen)
		}
		d.leave()
	})
}
