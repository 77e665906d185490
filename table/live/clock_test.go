package live

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestAClockThatIsSetIsRecordedAndMovesNoDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, nil)
		step := time.Duration(0)
		d.live.wall = func() time.Time { return time.Now().Add(step).Round(0) }
		d.run()
		d.ask("a", "open") // ten seconds for bets
		step = time.Hour   // a time server found us
		time.Sleep(3 * time.Second)
		d.device(1, "draw 9s")
		if n := len(d.shown); n < 2 || d.shown[n-2].Seq != 2 || d.last().Seq != 3 {
			t.Error("the step is not shown before the card")
		}
		at := d.last().Layout.At
		if off := at.Sub(d.live.wall()).Abs(); off > time.Millisecond {
			t.Errorf("after the step the record's wall clock is off by %v", off)
		}
		step -= 1500 * time.Millisecond // within ten seconds of the last: not yet
		d.device(2, "draw 9s")
		time.Sleep(7*time.Second + time.Millisecond)
		synctest.Wait()
		if got := d.notations(); got != "open; clock 1h0m0s; draw 9s; draw 9s; timeout bets" {
			t.Error(got)
		}
		step -= 400 * time.Millisecond
		time.Sleep(3 * time.Second)
		d.device(3, "draw 9s")
		if got := d.notations(); got != "open; clock 1h0m0s; draw 9s; draw 9s; timeout bets; clock -1.9s; draw 9s" {
			t.Error(got)
		}
		step += 900 * time.Millisecond // too little
		time.Sleep(time.Minute)
		d.device(4, "draw 9s")
		if d.last().Seq != 8 {
			t.Error(d.notations())
		}
		d.leave()
	})
}

func TestARestartIsRecordedWithItsDowntime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, nil).run()
		if d.last().Seq != 0 {
			t.Error("a new record begins with something")
		}
		d.leave()
		time.Sleep(time.Minute)
		d = mustSit(t, dir, nil).run() // nobody set the clock: the program was away
		d.ask("a", "open")
		time.Sleep(4 * time.Second)
		d.device(1, "draw 9s")
		before := entries(t, d.live.journal)
		d.leave()
		time.Sleep(12 * time.Second)
		d = mustSit(t, dir, nil).run()
		all := entries(t, d.live.journal)
		was, now := before[len(before)-1], all[len(all)-1]
		if now.Event.String() != "restart 12s" || now.At != was.At || now.Time.Sub(was.Time) != 12*time.Second {
			t.Errorf("%s at %v, %v, after %v, %v", now.Event, now.At, now.Time, was.At, was.Time)
		}
		time.Sleep(6 * time.Second) // what was left of the time for bets
		synctest.Wait()
		if got := d.notations(); got != "restart 1m0s; open; draw 9s; restart 12s; timeout bets" {
			t.Error(got)
		}
		d.leave()
	})
}

// A new record is begun, however long the disk takes over it. Its time runs from then on, and nobody set the clock meanwhile.
func TestASlowStartIsNoRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), func(c *Config) { c.wall = func() time.Time { return time.Now().Add(time.Minute).Round(0) } }).run()
		if d.last().Seq != 0 {
			t.Errorf("a new record begins with %s", d.notations())
		}
		d.ask("a", "open")
		if e := entries(t, d.live.journal)[0]; d.notations() != "open" || e.At != time.Minute {
			t.Errorf("a minute later at %v: %s", e.At, d.notations())
		}
		d.leave()
	})
}

// A Pi has no clock battery: it may start before the time at which it stopped.
func TestARestartInThePast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, nil)
		d.live.wall = func() time.Time { return time.Now().Add(time.Hour).Round(0) }
		d.run()
		d.device(1, "draw 9s")
		d.leave()
		time.Sleep(time.Second)
		d = mustSit(t, dir, nil).run() // the hour is gone
		d.device(2, "draw 9s")
		if got := d.notations(); got != "clock 1h0m0s; draw 9s; restart 0s; clock -59m59s; draw 9s" {
			t.Error(got)
		}
		d.leave()
	})
}
