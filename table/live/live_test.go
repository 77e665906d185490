package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/journal"
)

func TestNobodyHearsOfAnEventBeforeItIsDurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil)
		appended := d.live.append
		d.live.append = func(e *journal.Entry) error {
			if n := len(d.shown); n != int(e.Seq) || len(d.acked)+len(d.replies) != int(e.Seq)-1 {
				t.Errorf("entry %d is being written, and %d states, %d acknowledgements, %d replies are out", e.Seq, n, len(d.acked), len(d.replies))
			}
			return appended(e)
		}
		d.run()
		d.device(1, "draw 9s")
		if r := d.ask("a", "hit"); !r.OK || r.Seq != 2 || r.ID != "a" {
			t.Errorf("the reply is %+v", r)
		}
		d.device(2, "draw Td")
		if len(d.shown) != 4 || len(d.acked) != 2 || d.last().Seq != 3 || d.last().Layout.Shoe.Dealt != 3 {
			t.Errorf("shown %d, acknowledged %v, last %+v", len(d.shown), d.acked, d.last())
		}
		d.leave()
	})
}

func TestDevicesGoBeforeCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil)
		d.ask("a", "hit")
		d.ask("b", "double")
		d.device(1, "draw 9s")
		d.device(2, "draw Td")
		d.run()
		if got := d.notations(); got != "draw 9s; draw Td; hit; double" {
			t.Error(got)
		}
		d.leave()
	})
}

func TestWhatIsQueuedGoesBeforeATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil)
		appended, written := d.live.append, make(chan bool)
		d.live.append = func(e *journal.Entry) error {
			if e.Event.Kind == table.Dealer {
				<-written
			}
			return appended(e)
		}
		d.run()
		d.ask("a", "open")
		d.ask("b", "dealer D-7") // the disk is slow over this one
		d.device(1, "draw 9s")
		d.ask("c", "hit")
		time.Sleep(time.Minute) // past the deadline
		written <- true
		synctest.Wait()
		if got := d.notations(); got != "open; dealer D-7; draw 9s; hit; timeout bets" {
			t.Error(got)
		}
		d.leave()
	})
}

// TestTheLoopBeats: it is heard while nothing happens, and is not while the disk hangs.
func TestTheLoopBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var beats atomic.Int64
		d := mustSit(t, t.TempDir(), func(c *Config) { c.Beat = func() { beats.Add(1) } })
		appended, written := d.live.append, make(chan bool)
		d.live.append = func(e *journal.Entry) error {
			<-written
			return appended(e)
		}
		d.run()
		before := beats.Load()
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := beats.Load() - before; n != 60 {
			t.Errorf("%d beats in an idle minute", n)
		}
		d.ask("a", "dealer D-7")
		before = beats.Load()
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := beats.Load() - before; n != 0 {
			t.Errorf("%d beats while the disk hung", n)
		}
		written <- true
		synctest.Wait()
		if beats.Load() == before {
			t.Error("no beat after the disk hung")
		}
		d.leave()
	})
}

// TestAskedToEndTheLoopHearsDevicesAndNobodyElse: what happened is recorded, and nothing is begun.
func TestAskedToEndTheLoopHearsDevicesAndNobodyElse(t *testing.T) {
	for range 20 { // a choice between two that are ready is random
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			var d *desk
			ask := func() {
				if len(d.shown) != 1 {
					return
				}
				d.live.Device(Input{Event: event(t, "draw 9s"), Source: shoe.Source{Device: "shoe", Epoch: 1, Seq: 1}})
				d.live.Command(table.Command{ID: "a", From: table.ToFloor, Event: event(t, "open")}, func(r table.Reply) { d.replies = append(d.replies, r) })
				cancel()
			}
			d = mustSit(t, t.TempDir(), func(c *Config) { c.Beat = func() { ask() } })
			if err := d.live.Run(ctx); err != context.Canceled {
				t.Errorf("Run ended with %v", err)
			}
			if got := d.notations(); got != "draw 9s" || len(d.replies) != 1 || d.replies[0].Code != table.Busy {
				t.Errorf("%s; %+v", got, d.replies)
			}
			d.close()
		})
	}
}

func TestTimeoutsComeWhenTheyAreDueAndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		d.ask("a", "open")
		opened := d.last().Layout.At
		time.Sleep(10*time.Second - time.Millisecond)
		synctest.Wait()
		if got := d.notations(); got != "open" {
			t.Error(got)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		d.ask("b", "open")
		d.ask("c", "close 3")
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := d.notations(); got != "open; timeout bets; open; close 3; timeout 3a" {
			t.Error(got)
		}
		if took := d.shown[2].Layout.At.Sub(opened); took != 10*time.Second {
			t.Errorf("the timeout came after %v", took)
		}
		if r := d.last().Layout.Last; r == nil || r.Round != 2 {
			t.Errorf("the last round is %+v", r)
		}
		d.leave()
	})
}

// TestAResultThatNobodyClaimsGoesOutInTime: a coup waits for the shoe's own result, a stop freezes the wait, and then it is over.
func TestAResultThatNobodyClaimsGoesOutInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := baccarat.PuntoBanco()
		rules.Burn, rules.ClaimTime = table.BurnRule{}, 500*time.Millisecond
		d := mustSit(t, t.TempDir(), func(c *Config) {
			c.GameName, c.New = "baccarat", func(o table.Opening) table.Game { return table.NewRound(baccarat.New(&rules, o)) }
		}).run()
		for i, line := range []string{"table open by S-1", "shoe 1 by S-1", "open", "close 1"} {
			d.ask(fmt.Sprint("c", i), line)
		}
		for i, line := range []string{"draw 9s player 1", "draw 2c banker 1", "draw Kd player 2", "draw 3h banker 2"} {
			d.device(uint32(i+1), line)
		}
		if due := d.last().Layout.Due; due == nil || due.Kind != "result" || due.LeftMs != 500 {
			t.Errorf("due is %+v", due)
		}
		time.Sleep(400 * time.Millisecond)
		d.device(5, "stop")
		time.Sleep(time.Hour)
		if l := d.last().Layout; l.Coup != nil || l.Due.Kind != "result" || l.Due.LeftMs != 0 {
			t.Errorf("while the table is held the coup is %+v, due %+v", l.Coup, l.Due)
		}
		d.ask("d", fmt.Sprintf("release %d by S-1", d.last().Seq))
		at := d.last().Layout.At
		time.Sleep(time.Minute)
		synctest.Wait()
		if l := d.last().Layout; l.Coup == nil || l.Coup.Winner != "player" || l.At.Sub(at) != 500*time.Millisecond {
			t.Errorf("after %v the coup is %+v", l.At.Sub(at), l.Coup)
		}
		if got := d.notations(); !strings.HasSuffix(got, "by S-1; timeout result") {
			t.Error(got)
		}
		d.leave()
	})
}

// A game's mistake must not fill the record, or keep the loop busy.
func TestADeadlineThatNobodyMeetsPassesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		d.device(1, "peek")
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := d.notations(); got != "peek" || strings.Count(d.log.String(), "nobody was to act") != 1 {
			t.Errorf("%s\n%s", got, d.log.String())
		}
		d.leave()
	})
}

func TestTheClockOfWhatIsDueIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		d.ask("a", "close 3")
		time.Sleep(1500 * time.Millisecond)
		d.device(1, "draw 9s")
		due := d.last().Layout.Due
		if due.LeftMs != 3500 || !due.Until.Equal(d.last().Layout.At.Add(3500*time.Millisecond)) {
			t.Errorf("due is %+v at %v", due, d.last().Layout.At)
		}
		d.leave()
	})
}

func TestRefusedCommandsAreRecordedAndChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		d.ask("a", "open")
		long := `void by S-1 because "` + strings.Repeat(`\"`, table.MaxLine/2-26) + `"`
		for _, c := range []struct {
			command table.Command
			want    table.Code
			record  string
		}{
			{table.Command{From: table.ToFloor, Event: event(t, "stand 3a")}, table.NotYourTurn, `refused NOT_YOUR_TURN "stand 3a"`},
			{table.Command{From: table.ToFloor, Event: event(t, "surrender 3")}, table.InternalFault, `refused INTERNAL_FAULT "surrender 3"`},
			{table.Command{From: table.ToGame, Event: event(t, "void by S-1")}, table.NotOffered, `refused NOT_OFFERED "void by S-1"`},
			{table.Command{From: table.ToGame, Event: event(t, long)}, table.NotOffered, `refused NOT_OFFERED "void"`},
			{table.Command{From: table.ToGame, Event: event(t, "draw 9s")}, table.NotOffered, `refused NOT_OFFERED "draw 9s"`},
			{table.Command{From: table.ToFloor, Event: event(t, "stop"), Round: 2}, table.Stale, `refused STALE "stop"`},
			{table.Command{From: table.ToFloor, Event: event(t, "open"), Round: 1}, table.Stale, `refused STALE "open"`},
			{table.Command{From: table.ToFloor, Event: event(t, "hit"), Seen: 99}, table.Stale, `refused STALE "hit"`},
		} {
			r := d.send(c.command)
			all := entries(t, d.live.journal)
			last := all[len(all)-1]
			if r.OK || r.Code != c.want || r.Seq != last.Seq || last.Event.String() != c.record {
				t.Errorf("%s: reply %+v, recorded as %s", c.command.Event, r, last.Event)
			}
		}
		if l := d.last().Layout; l.Round != 1 || l.Phase != table.Bets {
			t.Errorf("the table is %+v", l)
		}
		d.leave()
	})
}

func TestWhatTheSenderHadSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		d.ask("1", "open")       // said
		d.ask("2", "dealer D-7") // nothing said: the sender need not have seen it
		for _, c := range []struct {
			notation string
			round    uint32
			seen     int64
			ok       bool
		}{
			{"hit", 1, 1, true},         // entry 3
			{"hit", 0, 0, true},         // entry 4
			{"close 3", 1, 1, true},     // entry 5, said
			{"hit", 1, 4, false},        // entry 6, a refusal
			{"hit", 1, 5, true},         // entry 7
			{"hit", 1, 8, false},        // not there yet
			{"open", 2, 0, true},        // names the round to come
			{"dealer D-8", 1, 0, false}, // over
		} {
			r := d.send(table.Command{From: table.ToFloor, Event: event(t, c.notation), Round: c.round, Seen: c.seen})
			if r.OK != c.ok || !c.ok && r.Code != table.Stale {
				t.Errorf("%+v: %+v", c, r)
			}
		}
		d.leave()
	})
}

func TestACommandThatIsIrregularItselfIsNoSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		if r := d.ask("a", "fault shoe jam"); r.OK || r.Code != table.StopPressed || r.Seq != 1 {
			t.Errorf("the reply is %+v", r)
		}
		if r := d.ask("b", "stop by S-2"); !r.OK || r.Seq != 2 {
			t.Errorf("a stop that was wanted: the reply is %+v", r)
		}
		d.leave()
	})
}

// TestACommandThatWasDoneIsASuccess: what its entry finds out about the shoe stops the table, and takes nothing of it back.
func TestACommandThatWasDoneIsASuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), func(c *Config) { c.New = newBlackjack() }).run()
		for _, order := range []string{"table open by S-1", "shoe 1 by S-1", "retire by S-1", "count 83 by S-1"} {
			if r := d.ask(order, order); !r.OK {
				t.Errorf("%s: %+v", order, r)
			}
		}
		if stops := d.last().Floor.Stops; len(stops) != 1 || stops[0].Code != "COUNT_WRONG" {
			t.Errorf("it stops for %+v", stops)
		}
		if r := d.ask("count 83 by S-1", "count 83 by S-1"); !r.OK {
			t.Errorf("asked again: %+v", r)
		}
		d.leave()
	})
}

func TestMalformedCommandsLeaveNoTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		for _, c := range []table.Command{
			{ID: "a", Event: table.Event{}},
			{ID: "b", Event: table.Event{Kind: table.Release, N: -1}},
			{ID: strings.Repeat("x", maxID+1), Event: event(t, "hit")},
			{ID: "\xff", Event: event(t, "hit")},
		} {
			if r := d.send(c); r.OK || r.Code != table.Malformed || r.Seq != 0 {
				t.Errorf("%q: %+v", c.ID, r)
			}
		}
		if d.last().Seq != 0 {
			t.Errorf("%d entries", d.last().Seq)
		}
		d.leave()
	})
}

func TestAFullQueueAnswersBusyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil)
		for i := range queueLen {
			if r := d.ask(fmt.Sprint(i), "hit"); r != (table.Reply{}) {
				t.Fatalf("command %d: %+v", i, r)
			}
		}
		if r := d.ask("x", "hit"); r.OK || r.Code != table.Busy || r.ID != "x" {
			t.Errorf("command %d: %+v", queueLen, r)
		}
		d.run()
		if d.last().Seq != queueLen {
			t.Errorf("%d entries", d.last().Seq)
		}
		if r := d.ask("x", "hit"); !r.OK {
			t.Errorf("again: %+v", r)
		}
		d.leave()
		if r := d.ask("y", "hit"); r.Code != table.Busy {
			t.Errorf("after the end: %+v", r)
		}
		d.device(9, "draw 9s") // must not wait for ever
	})
}

func TestARepeatedCommandGetsItsFirstAnswer(t *testing.T) {
	for _, perShoe := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			dir := t.TempDir()
			change := func(c *Config) { c.SegmentPerShoe = perShoe }
			d := mustSit(t, dir, change).run()
			first := d.ask("a", "open")
			bad := d.ask("b", "stand 3a")
			shoe := d.ask("c", "shoe 2 by S-1")
			again := func(when string) {
				t.Helper()
				before := d.last().Seq
				if a, b, c := d.ask("a", "open"), d.ask("b", "stand 3a"), d.ask("c", "shoe 3 by S-1"); a != first || b != bad || c != shoe {
					t.Errorf("%s: %+v %+v %+v", when, a, b, c)
				}
				if d.last().Seq != before {
					t.Errorf("%s: something was recorded", when)
				}
			}
			again("at once")
			d.leave()
			d = mustSit(t, dir, change).run()
			again("after a restart")
			if r := d.send(table.Command{ID: "a", From: table.ToGame, Event: event(t, "hit")}); r == first {
				t.Error("another sender got the answer")
			}
			d.ask("d", "open")
			again("in the next round")
			d.ask("e", "open")
			if r := d.ask("a", "open"); !r.OK || r == first {
				t.Errorf("two rounds later: %+v", r)
			}
			d.leave()
		})
	}
}

// A flood of one sender makes nobody forget the other's commands, and what is remembered is bounded and survives a start.
func TestEachSendersCommandsAreRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, nil).run()
		ours := d.ask("ours", "open")
		game := func(id string) table.Reply {
			return d.send(table.Command{ID: id, From: table.ToGame, Event: event(t, "stand 3a")})
		}
		first, kept := game("first"), table.Reply{}
		for i := range maxAnswers {
			if r := game(fmt.Sprint(i)); i == 0 {
				kept = r
			}
		}
		check := func(when string) {
			t.Helper()
			if r := d.ask("ours", "open"); r != ours {
				t.Errorf("%s: the floor's is %+v, and was %+v", when, r, ours)
			}
			if r := game("0"); r != kept {
				t.Errorf("%s: the oldest that is kept is %+v, and was %+v", when, r, kept)
			}
			if n := len(d.live.state.answers); n != maxAnswers+1 {
				t.Errorf("%s: %d answers", when, n)
			}
		}
		check("at once")
		d.leave()
		d = mustSit(t, dir, nil).run()
		check("after a start")
		if r := game("first"); r == first {
			t.Error("more is kept than there is room for")
		}
		d.leave()
	})
}

func TestASlowDiskStopsTheDealAndAFailingOneEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil)
		appended, written := d.live.append, make(chan bool)
		d.live.append = func(e *journal.Entry) error {
			<-written
			return appended(e)
		}
		d.run()
		d.device(1, "draw 9s")
		time.Sleep(haltAfter - time.Millisecond)
		written <- true
		time.Sleep(time.Second)
		synctest.Wait()
		if len(d.halts) != 0 || len(d.acked) != 1 {
			t.Fatalf("halted %d times over an append that was not late", len(d.halts))
		}
		if log := d.log.String(); log != "" {
			t.Errorf("it says %s", log)
		}
		begun := time.Now()
		d.device(2, "draw 9s")
		time.Sleep(time.Second)
		synctest.Wait()
		if len(d.halts) != 1 || d.halts[0].Sub(begun) != haltAfter || len(d.acked) != 1 || d.last().Seq != 1 {
			t.Fatalf("halted %v, acknowledged %v, shown %d", d.halts, d.acked, d.last().Seq)
		}
		written <- true
		synctest.Wait()
		if len(d.acked) != 2 || d.last().Seq != 2 {
			t.Errorf("after the append: acknowledged %v, shown %d", d.acked, d.last().Seq)
		}
		if log := d.log.String(); !strings.Contains(log, "the disk has not taken an entry for 250ms") || !strings.Contains(log, "the disk answers again\" after=1s") {
			t.Errorf("it says %s", log)
		}
		failed := errors.New("the disk failed")
		d.live.append = func(*journal.Entry) error { return failed }
		d.device(3, "draw 9s")
		if err := <-d.ended; !errors.Is(err, failed) || len(d.halts) != 2 || len(d.acked) != 2 || d.last().Seq != 2 {
			t.Errorf("Run ended with %v, halted %d times, acknowledged %v, shown %d", err, len(d.halts), d.acked, d.last().Seq)
		}
		d.close()
	})
}

func TestAPanicBecomesAFaultAndTheValueStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, nil).run()
		d.device(1, "draw 9s")
		d.device(2, "draw ??")
		if r := d.ask("a", "split 3a"); r.OK || r.Code == table.OK || r.Seq != 3 {
			t.Errorf("the reply is %+v", r)
		}
		all := entries(t, d.live.journal)
		for i, raw := range []string{"draw ??", "split 3a"} {
			if e := all[i+1]; e.Event.String() != "fault sabot panic" || string(e.Raw) != raw {
				t.Errorf("entry %d is %s, raw %q", e.Seq, e.Event, e.Raw)
			}
		}
		if dealt := d.last().Layout.Shoe.Dealt; dealt != 3 || len(d.acked) != 2 {
			t.Errorf("%d steps count, acknowledged %v", dealt, d.acked)
		}
		was := d.last()
		d.leave()
		d = mustSit(t, dir, nil).run()
		if now := d.last(); now.Layout.Shoe.Dealt != was.Layout.Shoe.Dealt+1 { // and the restart
			t.Errorf("after the restart %+v", now.Layout)
		}
		if strings.Contains(d.log.String(), "??") {
			t.Error("the log names the event")
		}
		d.leave()
	})
}

func TestADevicesNonsenseIsAFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		for _, e := range []table.Event{{}, {Kind: table.Fault, Text: &table.Text{Name: "shoe", Detail: "a b"}}, {Kind: table.Draw}} {
			d.live.Device(Input{Event: e, Source: shoe.Source{Device: "shoe"}, Raw: make([]byte, 1<<20)})
		}
		d.live.Device(Input{Event: table.Event{}, Source: shoe.Source{Device: "no name"}})
		synctest.Wait()
		if got := d.notations(); got != "fault shoe unreadable; fault shoe unreadable; fault shoe unreadable; fault sabot unreadable" {
			t.Error(got)
		}
		d.leave()
	})
}

func TestDeviceEventsHaveTheTimeTheyArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		d.device(1, "draw 9s")
		first := d.last().Layout.At
		time.Sleep(1500 * time.Nanosecond) // finer than the record
		d.device(2, "draw 9s")
		if off := d.last().Layout.At.Sub(first); off != time.Microsecond {
			t.Errorf("%v", off)
		}
		time.Sleep(-1500*time.Nanosecond + time.Millisecond)
		first = first.Add(time.Millisecond)
		arrived := time.Now().Add(500 * time.Millisecond)
		time.Sleep(2 * time.Second)
		for _, at := range []time.Time{arrived, arrived.Add(-time.Hour), arrived.Add(time.Hour), {}} {
			d.live.Device(Input{Event: event(t, "cut"), At: at})
		}
		synctest.Wait()
		for i, want := range []time.Duration{500, 500, 2000, 2000} {
			if got := d.shown[i+3].Layout.At.Sub(first); got != want*time.Millisecond {
				t.Errorf("event %d is at %v, want %v ms", i, got, want)
			}
		}
		d.leave()
	})
}

func TestTheFloorSeesDealerAndDevices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		change := func(c *Config) { c.SegmentPerShoe = true }
		d := mustSit(t, dir, change).run()
		d.ask("a", "dealer D-7")
		d.device(41, "draw 9s")
		d.ask("r", "open")
		time.Sleep(time.Minute) // until its end
		d.live.Device(Input{Event: event(t, "lost wheel")})
		d.live.Device(Input{Event: event(t, "lost button")})
		d.live.Device(Input{Event: event(t, "found button")})
		synctest.Wait()
		look := func(when string) {
			t.Helper()
			f := d.last().Floor
			if got := fmt.Sprint(f.Devices); f.Dealer != "D-7" || got != "map[button:ok shoe:ok wheel:lost]" && got != "map[shoe:ok wheel:lost]" {
				t.Errorf("%s: dealer %s, devices %v", when, f.Dealer, f.Devices)
			}
			if last := d.last().Layout.Last; last == nil || last.Round != 1 {
				t.Errorf("%s: the last round is %+v", when, last)
			}
			if s := d.live.Resume("shoe"); s.Seq != 41 || s.Epoch != 1 || d.live.Resume("wheel") != (shoe.Source{}) {
				t.Errorf("%s: the record holds %+v of the shoe", when, s)
			}
		}
		look("at first")
		d.leave()
		d = mustSit(t, dir, change).run()
		look("after a restart")
		d.ask("b", "shoe 1 by S-1")
		d.leave()
		d = mustSit(t, dir, change).run()
		look("from a header")
		d.leave()
	})
}

func TestSegmentsBeginWithShoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		change := func(c *Config) { c.SegmentPerShoe = true }
		d := mustSit(t, dir, change).run()
		d.ask("a", "stop")
		d.ask("b", "shoe 7 by S-1")
		d.leave()
		if !strings.Contains(d.log.String(), "does not follow from its opening") {
			t.Error("a segment was begun from an opening that is not the table's state")
		}
		change = func(c *Config) { c.SegmentPerShoe, c.New = true, newBlackjack() }
		dir = t.TempDir()
		d = mustSit(t, dir, change).run()
		for i, e := range []string{"table open by S-1", "shoe 7 by S-1", "open", "close none"} {
			if r := d.ask(fmt.Sprint(i), e); !r.OK {
				t.Fatalf("%s: %+v", e, r)
			}
		}
		was := d.last()
		d.leave()
		j, r, err := journal.Open(dir, journal.Header{}, journal.Mark{})
		if err != nil || r.Header.Segment != 2 || r.Header.First != 3 || r.Header.Opening.Shoe != 7 {
			t.Fatalf("the last segment begins with %+v, %v", r.Header, err)
		}
		j.Close()
		d = mustSit(t, dir, change).run()
		was.Seq++
		if diff := same(was, d.last()); diff != "" {
			t.Error(diff)
		}
		d.leave()
	})
}

func TestARecordOfAnotherTableOrGameIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, nil).run()
		d.device(1, "draw 9s")
		d.leave()
		for _, change := range []func(c *Config){func(c *Config) { c.Table = "BJ-2" }, func(c *Config) { c.GameName = "baccarat" }} {
			if _, err := sit(t, dir, change); err == nil || !strings.Contains(err.Error(), "of its own") {
				t.Errorf("opened with %v", err)
			}
		}
		d = mustSit(t, dir, nil).run() // and the refused ones let go of it
		d.leave()
	})
}

// louder is the fake under other rules.
type louder struct{ fake }

func (l *louder) Step(e table.Event, calls []table.Call) []table.Call {
	return append(l.fake.Step(e, calls), table.Call{Word: table.CallCut})
}

func TestAGameThatSaysSomethingElseNowIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, nil).run()
		d.device(1, "draw 9s")
		d.leave()
		_, err := sit(t, dir, func(c *Config) {
			c.New = func(table.Opening) table.Game { return table.NewRound(louder{}) }
			c.Build = "later"
		})
		if err == nil || !strings.Contains(err.Error(), "entry 1 (segment 1, line 2)") || !strings.Contains(err.Error(), "version test") || strings.Contains(err.Error(), "9s") {
			t.Errorf("opened with %v", err)
		}
		var record *RecordError
		if !errors.As(err, &record) {
			t.Errorf("%v does not say that a new start will not help", err)
		}
	})
}

// TestAChangedConfigurationWaitsForTheNextShoe: until then the table plays by the recorded one, and from then on, over a restart
// too, by the new one.
func TestAChangedConfigurationWaitsForTheNextShoe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		loud := func(o table.Opening) table.Game { return table.NewRound(louder{fake{round: o.Round, shoe: o.Shoe}}) }
		asked := 0
		later := func(c *Config) {
			c.New, c.Configuration = loud, json.RawMessage(`"loud"`)
			c.Recorded = func(was json.RawMessage) (func(table.Opening) table.Game, error) {
				asked++
				return newFake, nil
			}
		}
		d := mustSit(t, dir, func(c *Config) { c.Configuration = json.RawMessage(`"quiet"`) }).run()
		d.device(1, "draw 9s")
		d.leave()
		d = mustSit(t, dir, later).run()
		d.device(2, "draw 9s")
		if n := len(d.live.calls); n != 0 && d.live.calls[n-1].Word == table.CallCut {
			t.Error("the new configuration was taken in mid-shoe")
		}
		d.ask("s", "shoe 2 by S-1")
		d.device(3, "draw 9s")
		if n := len(d.live.calls); n == 0 || d.live.calls[n-1].Word != table.CallCut {
			t.Error("the new configuration was not taken with the shoe")
		}
		d.leave()
		d = mustSit(t, dir, later).run()
		d.leave()
		if asked != 1 {
			t.Errorf("the recorded configuration was asked for %d times", asked)
		}
	})
}

func TestAnswersAreRememberedWithinBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := mustSit(t, t.TempDir(), nil).run()
		for i := range maxAnswers + 10 {
			d.ask(fmt.Sprint(i), "hit")
		}
		if n := len(d.live.state.answers); n != maxAnswers {
			t.Errorf("%d answers are remembered", n)
		}
		if r := d.ask(fmt.Sprint(maxAnswers+9), "hit"); r.Seq != maxAnswers+10 {
			t.Errorf("the last one's answer is %+v", r)
		}
		d.leave()
	})
}

// TestASegmentThatAKillPreventedIsBegunAtTheStart: the shoe was recorded, and the program died before it began the shoe's segment.
func TestASegmentThatAKillPreventedIsBegunAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, nil).run() // as if it had died: a short segment is continued
		d.ask("a", "shoe 7 by S-1")
		d.leave()
		perShoe := func(c *Config) { c.SegmentPerShoe = true }
		d = mustSit(t, dir, perShoe).run()
		d.device(1, "draw 9s")
		d.leave()
		d = mustSit(t, dir, perShoe).run() // and not once more
		d.leave()
		files, err := journal.Segments(dir)
		if err != nil || len(files) != 2 {
			t.Fatalf("segments %v, %v", files, err)
		}
		f, err := journal.OpenFile(files[1])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if e, err := f.Next(); err != nil || e.Event.Kind != table.Started || f.Header().Opening.Shoe != 7 {
			t.Errorf("the second segment opens with %+v, and begins with %v, %v", f.Header().Opening, e.Event, err)
		}
	})
}
