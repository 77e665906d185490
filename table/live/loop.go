package live

import (
	"context"
	"time"
	"unicode/utf8"

	"sabot/table"
	"sabot/table/box"
	"sabot/table/journal"
)

const (
	clockStep  = time.Second      // a wall clock that is further off is followed
	clockEvery = 10 * time.Second // at most this often
	maxRaw     = 16 << 10         // how many of a device's bytes go into the record
	maxID      = 128              // bytes of a command's id
	beatEvery  = time.Second      // the loop sleeps at most this long
)

// turn takes the next thing that happens, devices first, then commands, then a deadline, and waits for a beat if there is none. Once the end is asked for only
// devices are heard: what they say has happened, and a command would begin something.
func (l *Live) turn(ctx context.Context) error {
	select {
	case in := <-l.devices:
		return l.device(in)
	default:
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c := <-l.commands:
		return l.command(c)
	default:
	}
	wait, set := l.untilDeadline()
	if set && wait <= 0 {
		return l.timeout()
	}
	if !set || wait > beatEvery {
		wait = beatEvery
	}
	return l.sleep(ctx, wait)
}

// sleep waits for something to happen.
func (l *Live) sleep(ctx context.Context, wait time.Duration) error {
	due := time.NewTimer(wait)
	defer due.Stop()
	select {
	case in := <-l.devices:
		return l.device(in)
	case c := <-l.commands:
		return l.command(c)
	case <-l.anew:
		l.show()
	case <-due.C: // the next turn looks at the queues first
	case <-ctx.Done():
	}
	return nil
}

// now is the game time.
func (l *Live) now() time.Duration { return l.gameTime(time.Now()) }

// gameTime is the game time at t, no finer than the record.
func (l *Live) gameTime(t time.Time) time.Duration {
	return (l.baseAt + t.Sub(l.base)).Truncate(time.Microsecond)
}

// arrived is the game time at which a device's bytes came.
func (l *Live) arrived(t time.Time) time.Duration {
	now := l.now()
	if t.IsZero() {
		return now
	}
	return min(l.gameTime(t), now)
}

// device records what a device reported.
func (l *Live) device(in Input) error {
	if in.press.Button != box.NoButton {
		return l.press(in)
	}
	e, err := table.Parse(in.Event.String())
	if err != nil { // a decoder let something through that has no notation
		l.log.Error("a device reported what is no event", "device", in.Source.Device)
		e = fault(in.Source.Device, "unreadable")
	}
	raw := in.Raw[:min(len(in.Raw), maxRaw)]
	if err := l.happen(e, l.arrived(in.At), journal.Source{Source: in.Source}, raw); err != nil {
		return err
	}
	if in.Done != nil {
		in.Done()
	}
	return nil
}

// fault is an event of the program about itself or a device.
func fault(name, detail string) table.Event {
	if !table.ValidName(name) {
		name = "sabot"
	}
	return table.Event{Kind: table.Fault, Text: &table.Text{Name: name, Detail: detail}}
}

// command answers a command: with what it became, or why it became nothing.
func (l *Live) command(c asked) error {
	from := senders[c.From]
	if a, ok := l.state.answered(from, c.ID); ok {
		c.reply(a)
		return nil
	}
	e, err := table.Parse(c.Event.String())
	if err != nil || len(c.ID) > maxID || !utf8.ValidString(c.ID) {
		c.reply(table.Reply{ID: c.ID, Code: table.Malformed})
		return nil
	}
	if code := l.check(c, e); code != table.OK {
		e = refusal(code, e)
	}
	source := journal.Source{Command: c.ID}
	source.Device = from
	if err := l.happen(e, l.now(), source, nil); err != nil {
		return err
	}
	reply := l.state.last
	reply.ID = c.ID
	c.reply(reply)
	return nil
}

// senders name in the record whom a command came from.
var senders = [...]string{table.ToAll: "table", table.ToFloor: "floor", table.ToGame: "game"}

// check says whether a command may become the event e.
func (l *Live) check(c asked, e table.Event) table.Code {
	if c.From == table.ToGame && (!gameServers(e.Kind) || e.Kind.Decision() && l.box.Master() && !behind(&e)) {
		return table.NotOffered
	}
	if l.state.stale(c.Command, e.Kind == table.Open) {
		return table.Stale
	}
	return l.judge(e)
}

// judge says whether there is room in the record for what e begins, and asks the game.
func (l *Live) judge(e table.Event) (code table.Code) {
	if l.begins(e.Kind) && !l.room() {
		return table.DiskFull
	}
	defer func() {
		if p := recover(); p != nil {
			l.log.Error("the game panicked over a command", "at", panicked(), "kind", e.Kind.Word())
			code = table.InternalFault
		}
	}()
	e.Seq, e.At = l.state.seq+1, l.now()
	return l.game.Check(e)
}

// behind says that a decision is one of a bettor behind, whom no box asks.
func behind(e *table.Event) bool { return e.Text != nil && e.Text.Name != "" }

// gameServers says whether a game server may ask for a kind at all. All else is the floor's.
func gameServers(k table.Kind) bool {
	return k == table.Open || k == table.Bet || k == table.Close || k.Decision()
}

// refusal is the event that e was asked for and refused.
func refusal(code table.Code, e table.Event) table.Event {
	r := table.Event{Kind: table.Refusal, Code: code, Text: &table.Text{Name: e.String()}}
	if _, err := table.Parse(r.String()); err != nil { // quoted it is too long
		r.Text = &table.Text{Name: e.Kind.Word()}
	}
	return r
}

// untilDeadline is how long the game's deadline is away, if one is set and was not acted upon.
func (l *Live) untilDeadline() (time.Duration, bool) {
	d := l.game.Deadline()
	return d - l.now(), d != 0 && d != l.expired
}

// timeout records that the deadline has passed.
func (l *Live) timeout() error {
	l.expired = l.game.Deadline()
	e := table.Event{Kind: table.Timeout}
	switch layout := l.game.Layout(); {
	case layout.Phase == table.Bets || layout.Phase == table.Insurance:
		e.Phase = layout.Phase
	case layout.Due != nil && layout.Due.Kind == table.DueResult.String():
		e.Phase = table.Results
	case layout.Due != nil:
		e.Hand = table.ParseHand(layout.Due.Hand)
	}
	if _, err := table.Parse(e.String()); err != nil {
		l.log.Error("a deadline passed and nobody was to act", "seq", l.state.seq)
		return nil
	}
	return l.happen(e, l.now(), journal.Source{}, nil)
}

// happen records an event and shows what became of it. A wall clock that was set is recorded first, so that the
// event has the right time, and with each day's first event, which program writes. One that arrived before others were recorded keeps behind them: game time does not go back.
func (l *Live) happen(e table.Event, at time.Duration, from journal.Source, raw []byte) error {
	if err := l.followClock(); err != nil {
		return err
	}
	if day := 24 * time.Hour; !l.wall().Truncate(day).Equal(l.told.Truncate(day)) {
		if err := l.tell(); err != nil {
			return err
		}
	}
	if err := l.record(e, max(at, l.state.at), from, raw); err != nil {
		return err
	}
	l.show()
	was := l.outdated
	if err := l.rotate(e.Kind); err != nil {
		return err
	}
	if was && !l.outdated { // by the new configuration the felt may look otherwise
		l.show()
	}
	return nil
}

// followClock records a step of the wall clock, if there was one.
func (l *Live) followClock() error {
	now := l.now()
	if now < l.clocked {
		return nil
	}
	off := l.wall().Sub(l.state.time) - (now - l.state.at)
	if off.Abs() <= clockStep {
		return nil
	}
	l.clocked = now + clockEvery
	off = off.Truncate(time.Millisecond)
	l.log.Warn("the wall clock was set", "step", off)
	if err := l.record(table.Event{Kind: table.Clock, N: int64(off)}, now, journal.Source{}, nil); err != nil {
		return err
	}
	l.show()
	return nil
}
