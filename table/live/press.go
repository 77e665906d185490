package live

import (
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/box"
	"sabot/table/journal"
)

// Press is a press of a button, of the dealer's box or the supervisor's key.
type Press struct {
	box.Press
	Device string    // the box's name in the record
	At     time.Time // when, with its monotonic reading; zero for now
}

// Press hands in a press. It keeps its place among what devices report, and means what it means when its turn comes: the box is asked
// then, and what it asks for the game may refuse. What stops the deal stops it before that. Any goroutine may call it; it waits while the queue is full.
func (l *Live) Press(p Press) {
	if p.Stops() {
		l.Halt()
	}
	l.Device(Input{Source: shoe.Source{Device: p.Device}, At: p.At, press: p.Press, halts: l.halts.Load()})
}

// Halt stops the deal at once, for a button that stops. Each Show is of a halted table from now on, until a press that stops, handed
// in after this, is in the record. Any goroutine may call it, and it waits for nothing: a reader of buttons that may be held up on its way to
// Press calls it first.
func (l *Live) Halt() {
	l.halts.Add(1)
	l.config.Halt()
}

// halted says that a button stopped the deal whose press is still to come.
func (l *Live) halted() bool { return l.halts.Load() > l.settled }

// show shows the table as it is. A button may stop it meanwhile, and be overruled by what is just being shown; then that is said again.
func (l *Live) show() {
	for {
		l.shown = l.snapshot()
		l.config.Show(l.shown)
		if l.shown.Halted == l.halted() {
			return
		}
	}
}

// press takes a press: records what it asks for, or that it was refused, and shows where it moved the box.
func (l *Live) press(in Input) error {
	was, halted := l.box, l.halted()
	m := l.box.Press(in.press, &l.shown)
	if m.Refused != table.OK && len(m.Events) == 0 {
		l.beep(m.Refused)
	}
	for _, e := range m.Events {
		code := l.allow(e, &m, in)
		if code != table.OK {
			l.beep(code)
			e = refusal(code, e)
		}
		from := journal.Source{Source: in.Source}
		if err := l.happen(e, l.arrived(in.At), from, []byte(in.press.Button.String())); err != nil {
			return err
		}
		if code != table.OK {
			break
		}
	}
	if len(m.Events) > 0 {
		l.pressed, l.seen = in.press.Button, time.Now()
	}
	if in.press.Stops() {
		l.settled = max(l.settled, in.halts)
	}
	if len(m.Events) == 0 && l.box != was || l.halted() != halted {
		l.show()
	}
	return nil
}

// allow says whether a press may become the event e. A stop and a pause happened. The same button once more, before anybody could see
// what became of the first press, is impatience: it must not stand the next hand, or end bets that were just opened.
func (l *Live) allow(e table.Event, m *box.Meaning, in Input) table.Code {
	switch {
	case m.Refused != table.OK:
		return m.Refused
	case !boxes(e.Kind, m.Key):
		return table.NotOffered
	case e.Kind == table.Stop || e.Kind == table.Pause:
		return table.OK
	case !m.Key && in.press.Button == l.pressed && !in.At.IsZero() && in.At.Before(l.seen):
		return table.Stale
	}
	return l.judge(e)
}

// boxes says whether a box may ask for a kind at all, by itself or with the supervisor's key. All else is the floor's.
func boxes(k table.Kind, key bool) bool {
	switch k {
	case table.Open, table.Close, table.Hit, table.Stand, table.Double, table.Split, table.Surrender,
		table.Insure, table.EvenMoney, table.Decline, table.Peek, table.Reveal, table.Stop:
		return !key
	case table.TableOpen, table.NewShoe, table.Pause, table.Resume, table.Release:
		return key
	}
	return false
}
