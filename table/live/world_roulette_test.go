package live

import (
	"fmt"
	"slices"
	"time"

	"sabot/table"
	"sabot/table/box"
	"sabot/table/journal"
	"sabot/table/roulette"
)

// rouletteDealer spins. A ball that was launched falls, whatever becomes of the table meanwhile.
type rouletteDealer struct {
	*world
	rules roulette.Rules
	falls time.Time // when the ball does; zero while it rests
	spun  []string  // what the wheel said, in the notation
}

func rouletteWorld(w *world) croupier {
	d := &rouletteDealer{world: w, rules: roulette.SingleZero()}
	d.rules.Spin = []roulette.Spin{roulette.AnyTime, roulette.AfterBets}[w.dice.IntN(2)]
	r := &d.rules
	game := func(o table.Opening) roulette.Game { return roulette.New(r, o) }
	w.played = played{"roulette", r.Name, "wheel", &r.House, int(r.Seats), begins(w, r.Name, game)}
	return d
}

// bets are on a number and a colour.
func (d *rouletteDealer) bets(int) []bet {
	return []bet{straight(d.dice.IntN(table.Pockets), 10), on([]string{"red", "black"}[d.dice.IntN(2)], 50)}
}

// turns is what the wheel says.
func (d *rouletteDealer) turns(notation string, sentence []byte) {
	d.tell("the wheel: %s", notation)
	d.spun = append(d.spun, notation)
	d.says(sentence)
}

// launch puts the ball into the rim, for so long.
func (d *rouletteDealer) launch(rim time.Duration) {
	d.falls = time.Now().Add(rim)
	d.turns("ball", d.device.Spin())
}

// number is the sensor's.
func (d *rouletteDealer) number(n int) { d.turns(fmt.Sprint("result ", n), d.device.Win(uint8(n))) }

func (d *rouletteDealer) noSpin() { d.turns("no-spin", d.device.NoSpin()) }

// tick lets the ball fall, or leave the rim.
func (d *rouletteDealer) tick() {
	if d.falls.IsZero() || time.Now().Before(d.falls) {
		return
	}
	d.falls = time.Time{}
	if d.dice.IntN(6) == 0 {
		d.noSpin()
		return
	}
	d.number(d.dice.IntN(table.Pockets))
}

// waits says that the table has not heard all that the wheel said.
func (d *rouletteDealer) waits(*table.Snapshot) bool {
	heard := d.program.live.Resume(d.played.device)
	met := d.sent > 0 || heard.Epoch > 0
	return met && !d.lost && (heard.Seq != d.sent || heard.Epoch != d.epoch)
}

// deal does what is due.
func (d *rouletteDealer) deal(s *table.Snapshot) {
	l, rests := &s.Layout, d.falls.IsZero()
	switch kind := l.Due.Kind; {
	case kind == "open" && rests && d.dice.IntN(12) == 0:
		d.floor("table-close")
	case kind == "open" && rests:
		d.opens(l)
	case kind == "close":
		d.endBets(l)
	case kind == "ball" && rests:
		d.launch(time.Duration(3000+d.dice.IntN(5000)) * time.Millisecond)
	case kind == "result" && rests && !d.lost:
		d.fail("the ball has fallen, and the table waits for it")
	default:
		d.sleep(time.Second)
	}
}

// endBets has the game server end them, or the clock. The ball may be in the rim before.
func (d *rouletteDealer) endBets(l *table.Layout) {
	switch {
	case d.rules.Spin == roulette.AnyTime && d.falls.IsZero() && d.dice.IntN(3) == 0:
		d.launch(10 * time.Second)
	case d.falls.IsZero() && d.dice.IntN(3) == 0:
		d.sleep(d.rules.BetTime / 3)
	default:
		d.closes(l)
	}
}

// err makes a mistake. What the wheel's are called account finds out.
func (d *rouletteDealer) err(s *table.Snapshot) bool {
	l, rests := &s.Layout, d.falls.IsZero()
	switch due, n := l.Due.Kind, d.dice.IntN(3); {
	case due == "close" && rests:
		d.count("mistake: the ball falls while bets are open")
		d.launch(time.Second)
		d.sleep(2 * time.Second)
	case due == "open" && rests && n == 0:
		d.count("mistake: the ball is launched and no round is open")
		d.launch(3 * time.Second)
	case due == "ball" && rests && n == 0:
		d.count("mistake: a number without a ball")
		d.number(d.dice.IntN(table.Pockets))
	case due == "ball" && rests && n == 1:
		d.count("mistake: a ball that is no spin")
		d.noSpin()
	case due == "result" && n == 0:
		d.count("mistake: a second ball")
		d.launch(time.Until(d.falls))
	case due == "result" && n == 1:
		d.count("mistake: a number that is none")
		d.falls = time.Time{}
		d.number(table.Pockets + d.dice.IntN(200))
	default:
		return d.hurry(l, n)
	}
	return true
}

// hurry is somebody who asks for what cannot be now, and is refused.
func (d *rouletteDealer) hurry(l *table.Layout, n int) bool {
	spin := l.Phase == table.Spin
	switch {
	case spin && n == 0:
		d.count("mistake: a round is opened in a spin")
		d.pressed(box.Next, table.Refused)
	case spin:
		d.count("mistake: a number by hand in a spin that nothing holds")
		d.refuses(func() table.Reply {
			return d.floorExcused([]table.Code{table.NotHeld}, "result", "pocket", 17)
		})
	case l.Due.Kind == "open" && l.Round > 0:
		d.count("mistake: bets are closed and no round is open")
		d.refuses(func() table.Reply {
			return d.game(l, []table.Code{table.NoRound}, "close", "seats", []int{1})
		})
	default:
		return false
	}
	return true
}

// settle has the supervisor enter the number that lies there, where a spin is held that has none.
func (d *rouletteDealer) settle(s *table.Snapshot, _ *table.StopState) bool {
	l := &s.Layout
	if l.Phase == table.Spin && l.Due != nil && l.Due.Kind == "ball" && d.falls.IsZero() && d.dice.IntN(3) == 0 {
		d.floor("result", "pocket", d.dice.IntN(table.Pockets))
		return true
	}
	return false
}

// mishap is nothing but what befalls every device.
func (d *rouletteDealer) mishap() {}

// account holds what is recorded of the wheel against what it said, and expects what of it must have been called on the felt that lay there.
func (d *rouletteDealer) account(all []journal.Entry, before []table.Layout) {
	var got []string
	r := referee{rules: &d.rules}
	for i, e := range all {
		if code := r.judge(&e.Event, &before[i]); code != table.OK {
			d.must(code)
		}
		if k := e.Event.Kind; k == table.Ball || k == table.NoSpin || k == table.Result && e.Event.By() == "" {
			got = append(got, e.Event.String())
		}
	}
	if !slices.Equal(got, d.spun) {
		d.t.Errorf("seed %d: the wheel said %q, and recorded is %q", d.seed, d.spun, got)
	}
}

// referee knows the procedure of a spin, and sees what everybody does: the felt and the wheel.
type referee struct {
	rules *roulette.Rules
	rim   bool // the ball is there, for the round running
	stray bool // or for no round
	voids int  // spins of this round that were none
}

// judge is what an event must be called on a felt.
func (r *referee) judge(e *table.Event, l *table.Layout) table.Code {
	bets := l.Due != nil && l.Due.Kind == "close"
	awaited := bets || l.Phase == table.Spin && l.Due != nil
	switch {
	case e.Kind == table.TableOpen:
		*r = referee{rules: r.rules}
	case e.Kind == table.Void && e.N != 0 && e.N < int64(l.Round): // the next one's bets are open
	case e.Kind == table.Open || e.Kind == table.Void || e.Kind == table.TableClose:
		*r = referee{rules: r.rules, stray: r.rim || r.stray}
	case l.Phase == table.Closed:
	case e.Kind == table.Ball:
		return r.launched(awaited, bets)
	case e.Kind == table.NoSpin:
		return r.void(awaited)
	case e.Kind == table.Result:
		return r.fallen(e, l, bets)
	}
	return table.OK
}

func (r *referee) launched(awaited, bets bool) table.Code {
	second := r.rim && awaited
	r.rim, r.stray = awaited, !awaited
	switch {
	case !awaited || second:
		return table.SpinUndue
	case bets && r.rules.Spin == roulette.AfterBets:
		return table.BallEarly
	}
	return table.OK
}

func (r *referee) void(awaited bool) table.Code {
	r.rim, r.stray = false, false
	if !awaited {
		return table.SpinUndue
	}
	if r.voids++; r.voids > 1 {
		return table.NoSpinAgain
	}
	return table.OK
}

func (r *referee) fallen(e *table.Event, l *table.Layout, bets bool) table.Code {
	rim, stray := r.rim, r.stray
	r.rim, r.stray = false, false
	switch {
	case e.N >= table.Pockets:
		return table.NumberInvalid
	case bets:
		return table.ResultEarly
	case l.Phase != table.Spin && stray:
		return table.SpinUndue
	case l.Phase != table.Spin || !rim && e.By() == "":
		return table.ResultNoSpin
	case l.Stopped != nil:
		return table.ResultHeld
	}
	return table.OK
}
