package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/journal"
)

var discard = slog.New(slog.DiscardHandler)

// desk is a table under test with everything that hangs on it. It is used inside a synctest bubble, where time stands still until all wait.
type desk struct {
	t       *testing.T
	live    *Live
	mu      sync.Mutex // a timeout shows a state while nobody asked
	shown   []table.Snapshot
	halts   []time.Time
	replies []table.Reply
	acked   []uint32 // the seqs of devices' sentences that were done
	log     bytes.Buffer

	cancel context.CancelFunc
	ended  chan error
}

// fake is a game of few rules: every card is called, an open asks for bets within 10 s, a close for 3a's decision within 5 s.
type fake struct {
	draws    int
	round    uint32
	shoe     uint32
	faults   int // no opening tells them
	phase    table.Phase
	deadline time.Duration
}

func (f *fake) Check(e table.Event) table.Code {
	switch {
	case e.Kind == table.Stand:
		return table.NotYourTurn
	case e.Kind == table.Surrender:
		panic("check")
	}
	return table.OK
}

func (f *fake) Step(e table.Event, calls []table.Call) []table.Call {
	f.draws++ // must not stay when the step panics
	switch e.Kind {
	case table.Draw:
		if e.Card == shoe.Unread {
			panic("an unread card")
		}
		return append(calls, table.Call{Word: table.CallCard, Hand: table.DealerHand, Card: e.Card})
	case table.Split:
		panic("a split")
	case table.Stop, table.Fault:
		f.faults++
		return append(calls, table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: e.Seq, Code: table.StopPressed, Class: table.Now})
	case table.Open:
		f.round, f.phase, f.deadline = f.round+1, table.Bets, e.At+10*time.Second
		return append(calls, table.Call{Word: table.CallOpen, N: int64(f.round)})
	case table.Close:
		f.phase, f.deadline = table.Decisions, e.At+5*time.Second
		return append(calls, table.Call{Word: table.CallClosed})
	case table.Peek: // a deadline that nobody is to meet
		f.deadline = e.At + time.Second
	case table.Timeout:
		f.phase, f.deadline = table.Results, 0
		return append(calls, table.Call{Word: table.CallEnd, N: int64(f.round), Ended: table.EndedPlayedOut})
	case table.NewShoe:
		f.shoe, f.draws, f.phase, f.deadline = uint32(e.N), 0, table.Closed, 0
		return append(calls, table.Call{Word: table.CallShoe, N: e.N})
	}
	return calls
}

func (f *fake) Deadline() time.Duration { return f.deadline }

func (f *fake) Opening() table.Opening { return table.Opening{Round: f.round, Shoe: f.shoe} }

func (f *fake) Layout() table.Layout {
	l := table.Layout{Round: f.round, Phase: f.phase, Shoe: table.LayoutShoe{Number: f.shoe, Dealt: f.draws, Left: f.faults}}
	if f.phase == table.Decisions {
		l.Due = &table.LayoutDue{Kind: "decision", Hand: "3a", Deadline: f.deadline}
	}
	return l
}

func newFake(o table.Opening) table.Game {
	return table.NewRound(fake{round: o.Round, shoe: o.Shoe})
}

func newBlackjack() func(o table.Opening) table.Game {
	rules := blackjack.Deluxe()
	rules.House.Burn = table.BurnRule{}
	return func(o table.Opening) table.Game { return table.NewRound(blackjack.New(&rules, o)) }
}

// sit opens a record and a desk on it, without running it.
func sit(t *testing.T, dir string, change func(*Config)) (*desk, error) {
	d := &desk{t: t, ended: make(chan error, 1)}
	c := Config{
		Table: "BJ-1", GameName: "fake", Rules: "few", Build: "test", New: newFake,
		Show: func(s table.Snapshot) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.shown = append(d.shown, s)
		},
		Halt: func() { d.halts = append(d.halts, time.Now()) },
		Log:  slog.New(slog.NewTextHandler(&d.log, nil)),
	}
	if change != nil {
		change(&c)
	}
	var err error
	d.live, err = Open(dir, c)
	return d, err
}

func mustSit(t *testing.T, dir string, change func(*Config)) *desk {
	t.Helper()
	d, err := sit(t, dir, change)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// run starts the loop, and waits until it has nothing to do.
func (d *desk) run() *desk {
	ctx, cancel := context.WithCancel(context.Background())
	d.cancel = cancel
	go func() { d.ended <- d.live.Run(ctx) }()
	synctest.Wait()
	return d
}

// leave ends the loop and closes the record.
func (d *desk) leave() {
	d.t.Helper()
	d.cancel()
	if err := <-d.ended; err != context.Canceled {
		d.t.Errorf("Run ended with %v", err)
	}
	d.close()
}

func (d *desk) close() {
	d.t.Helper()
	if err := d.live.Close(); err != nil {
		d.t.Error(err)
	}
}

func event(t *testing.T, notation string) table.Event {
	t.Helper()
	e, err := table.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// device hands in the shoe's sentence seq, and waits.
func (d *desk) device(seq uint32, notation string) {
	d.t.Helper()
	d.live.Device(Input{
		Event: event(d.t, notation), Source: shoe.Source{Device: "shoe", Epoch: 1, Seq: seq}, Raw: []byte{'$', byte(seq)}, At: time.Now(),
		Done: func() { d.acked = append(d.acked, seq) },
	})
	synctest.Wait()
}

// ask hands in a command of the floor, and waits. The zero reply says that there was none.
func (d *desk) ask(id, notation string) table.Reply {
	d.t.Helper()
	return d.send(table.Command{ID: id, From: table.ToFloor, Event: event(d.t, notation)})
}

func (d *desk) send(c table.Command) table.Reply {
	d.t.Helper()
	before := len(d.replies)
	d.live.Command(c, func(r table.Reply) { d.replies = append(d.replies, r) })
	synctest.Wait()
	if len(d.replies) == before {
		return table.Reply{}
	}
	return d.replies[len(d.replies)-1]
}

// last is the last state shown.
func (d *desk) last() table.Snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.shown[len(d.shown)-1]
}

// entries are those of a record, whether it is open or not.
func entries(t *testing.T, j *journal.Journal) []journal.Entry {
	t.Helper()
	r, err := j.Reader(0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []journal.Entry
	for {
		e, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
}

// notations are the events of a record, the time of those that name one left out.
func (d *desk) notations() string {
	d.t.Helper()
	var words []string
	for _, e := range entries(d.t, d.live.journal) {
		words = append(words, e.Event.String())
	}
	return strings.Join(words, "; ")
}

// same says in which way two states differ that should not, "" for none.
func same(a, b table.Snapshot) string {
	left, right := fmt.Sprintf("%+v", plain(a)), fmt.Sprintf("%+v", plain(b))
	if left == right {
		return ""
	}
	return left + "\n" + right
}

// plain is a state without what differs from one program to the next, and with its pointers' values.
func plain(s table.Snapshot) string {
	stopped, due, last, dealer := "", "", "", ""
	if s.Layout.Stopped != nil {
		stopped = *s.Layout.Stopped
	}
	if d := s.Layout.Due; d != nil {
		due = fmt.Sprint(d.Kind, d.Hand, d.Seats, d.May, d.Cards, d.Deadline)
	}
	if s.Layout.Last != nil {
		last = fmt.Sprintf("%+v", *s.Layout.Last)
	}
	if s.Layout.Dealer != nil {
		dealer = fmt.Sprintf("%+v", *s.Layout.Dealer)
	}
	l := s.Layout
	return fmt.Sprint(s.Seq, l.Round, l.Shoe, l.Phase, stopped, due, seats(l.Seats), dealer, l.Ended, last, s.Floor.Dealer, s.Floor.Paused, s.Floor.Stops, s.Floor.Devices)
}

func seats(list []table.LayoutSeat) string {
	text := ""
	for _, s := range list {
		for _, h := range s.Hands {
			text += fmt.Sprint(s.Seat, h.Hand, h.Cards, h.Total, h.State, h.Result, " ")
		}
	}
	return text
}
