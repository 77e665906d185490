// Package box is the dealer's box of six buttons and the supervisor's key: what a press means.
//
// A press says nothing by itself. NEXT is "place your bets", "no more bets", the look at the hole card or its turn, whichever is due;
// HIT is YES to a question, and SPLIT held long is SURRENDER. So a [Box] is asked with the table as it stands when the press has its turn,
// and answers with the events the dealer asks for. They are wishes like those of a game server, which the game may refuse: then it beeps, and nothing
// changes. Two are not: STOP, and the key's pause. They happened.
//
// In bets a cursor walks the seats, those of the last round set beforehand: YES plays, NO is empty, NEXT names the ones that play. Against an
// ace it stands at the lowest seat that has not answered: YES insures, or takes even money where that is offered, NO declines, and NEXT declines
// for all that are left; then, pressed once more, for the bettors behind, who have no buttons. That is all a box knows of its own, besides which of its contacts are closed; after a restart it begins anew.
//
// The key is the supervisor's. Its press pauses at once, for a cut wire is a press too, and a cut wire comes of nobody's will. What takes a will is
// therefore done when the key is let go after it was held: a wire that stays cut releases nothing. It releases the oldest irregularity that
// stood when the key was pressed, with its default remedy, or else resumes. NEXT pressed while the key is down puts a shoe into play, or opens the table. The
// dealer's buttons alone can release, resume and void nothing.
//
// [Lamps] is the way back: what the dealer's lamps and the shoe's lock show of a table.
package box

import "sabot/table"

// Button is one of the box's contacts.
type Button uint8

// The buttons. Two have a second name, in questions: Hit is YES and Stand is NO.
const (
	NoButton Button = iota
	Next
	Hit
	Stand
	Double
	Split // held: surrender
	Stop
	Key // the supervisor's
	buttons
)

var buttonNames = [buttons]string{"none", "next", "hit", "stand", "double", "split", "stop", "key"}

// String is the button's name in configurations and in the record.
func (b Button) String() string {
	if b < buttons {
		return buttonNames[b]
	}
	return "unknown"
}

// ParseButton finds a button by its name; NoButton means that there is none.
func ParseButton(name string) Button {
	for b := Next; b < buttons; b++ {
		if buttonNames[b] == name {
			return b
		}
	}
	return NoButton
}

// Stroke is what a contact did.
type Stroke uint8

// The strokes of a press, in their order: down, held for as long as the button asks for, and up. A contact that stays down for ever, chatters, or
// cannot be read is stuck instead: nothing is known of it until it is pressed again.
const (
	Down Stroke = iota
	Held
	Up
	Stuck
)

// Press is a stroke of a button.
type Press struct {
	Button Button
	Stroke Stroke
}

// Stops says that the press stops the deal, whatever the table stands at.
func (p Press) Stops() bool {
	return p.Stroke == Down && (p.Button == Stop || p.Button == Key)
}

// Options are what a box cannot see on the felt.
type Options struct {
	Seats     uint8 // the table's seats that the cursor walks in bets; 0 in games in which NEXT ends betting for all
	Buttons   bool  // the box is master of bets and decisions; else a game server is, and the buttons for them are dead
	EvenMoney bool  // a natural against an ace is offered even money
}

// Box is what a box stands at between two presses. It is a plain value; the zero value is a box without a say in bets and decisions.
type Box struct {
	options Options
	round   uint32      // in whose bets the cursor walks
	cursor  uint8       // the seat it stands at
	playing table.Seats // the seats that NEXT will name
	last    table.Seats // those of the last round
	split   contact
	key     contact
	chord   bool  // NEXT was pressed while the key was down
	paused  bool  // the key's press, which still lasts, made the pause
	hold    int64 // the oldest irregularity when the key was pressed
}

// contact is a button whose meaning is known only when it is let go.
type contact struct{ down, held bool }

// New is a box that nobody has touched.
func New(o Options) Box { return Box{options: o} }

// Master says that the box enters what players decide, and nobody else.
func (b *Box) Master() bool { return b.options.Buttons }

// Meaning is what a press asks for.
type Meaning struct {
	Events  []table.Event // one after the other, unstamped; the first that is refused ends it
	Key     bool          // the supervisor's key takes part in it
	Refused table.Code    // why nothing will come of it; OK leaves that to the game
}

// ask is a meaning of events that carry nothing but their kind.
func ask(kinds ...table.Kind) Meaning {
	var m Meaning
	for _, k := range kinds {
		m.Events = append(m.Events, table.Event{Kind: k})
	}
	return m
}

// byKey signs events with the supervisor's key.
func byKey(events ...table.Event) Meaning {
	for i := range events {
		events[i].Text = &table.Text{By: Key.String(), Because: "the supervisor's key"}
	}
	return Meaning{Events: events, Key: true}
}

// Press is what a press means at the table as it is shown now.
func (b *Box) Press(p Press, now *table.Snapshot) Meaning {
	switch {
	case p.Button == Key:
		return b.turn(p.Stroke, now)
	case p.Button == Split:
		return b.splits(p.Stroke)
	case p.Stroke != Down:
		return Meaning{}
	case p.Button == Stop:
		return ask(table.Stop)
	case p.Button == Next:
		return b.next(now)
	case p.Button == Double:
		return b.decision(table.Double)
	case p.Button == Hit || p.Button == Stand:
		return b.answer(p.Button == Hit, &now.Layout)
	}
	return Meaning{}
}

// splits tells a split from a surrender, which is known when the button is held or let go.
func (b *Box) splits(s Stroke) Meaning {
	was := b.split
	switch {
	case s == Down:
		b.split = contact{down: true}
		return Meaning{}
	case s == Held && was.down && !was.held:
		b.split.held = true
		return b.decision(table.Surrender)
	case s == Held:
		return Meaning{}
	}
	b.split = contact{}
	if s == Up && was.down && !was.held {
		return b.decision(table.Split)
	}
	return Meaning{}
}

// decision is one of the hand in turn.
func (b *Box) decision(k table.Kind) Meaning {
	m := ask(k)
	if !b.options.Buttons {
		m.Refused = table.NotOffered
	}
	return m
}

// next is what NEXT means: what is due, or else to open a round. An open when none may begin is refused, but for the dealer who has left his own
// card or a burn undone: that is how anybody hears of it.
func (b *Box) next(now *table.Snapshot) Meaning {
	l := &now.Layout
	switch {
	case b.key.down && l.Phase == table.Closed:
		b.chord = true
		return byKey(table.Event{Kind: table.TableOpen})
	case b.key.down && l.Phase == table.ShoeChange:
		b.chord = true
		return byKey(table.Event{Kind: table.NewShoe, N: int64(l.Shoe.Number) + 1})
	}
	switch due(l) {
	case table.DuePeek:
		return ask(table.Peek)
	case table.DueReveal:
		return ask(table.Reveal)
	case table.DueClose:
		return b.close()
	case table.DueInsurance:
		return b.declines(l.Due.Seats)
	}
	return ask(table.Open)
}

// close is no more bets: these seats play.
func (b *Box) close() Meaning {
	m := Meaning{Events: []table.Event{{Kind: table.Close, Seats: b.playing}}}
	if !b.options.Buttons {
		m.Refused = table.NotOffered
	}
	return m
}

// declines is the end of insurance for all seats that have not answered, or, when those have, for all behind them.
func (b *Box) declines(seats []int) Meaning {
	var m Meaning
	for _, n := range seats {
		m.Events = append(m.Events, table.Event{Kind: table.Decline, Hand: table.SeatHand(n, 0)})
	}
	if len(seats) == 0 {
		m = ask(table.Decline)
	}
	if !b.options.Buttons {
		m.Refused = table.NotOffered
	}
	return m
}

// answer is YES or NO to what is asked, or else a hit or a stand.
func (b *Box) answer(yes bool, l *table.Layout) Meaning {
	switch asked := due(l); {
	case b.options.Buttons && asked == table.DueInsurance:
		return b.insurance(yes, l)
	case b.options.Buttons && asked == table.DueClose && b.options.Seats > 0:
		b.walk(yes)
		return Meaning{}
	case yes:
		return b.decision(table.Hit)
	}
	return b.decision(table.Stand)
}

// walk marks the seat at the cursor, and moves on.
func (b *Box) walk(yes bool) {
	b.playing &^= table.Seat(int(b.cursor))
	if yes {
		b.playing |= table.Seat(int(b.cursor))
	}
	b.cursor = b.cursor%b.options.Seats + 1
}

// insurance is the answer of the seat at the cursor.
func (b *Box) insurance(yes bool, l *table.Layout) Meaning {
	if len(l.Due.Seats) == 0 {
		return Meaning{Refused: table.InsuranceTwice}
	}
	n := l.Due.Seats[0]
	e := table.Event{Kind: table.Decline, Hand: table.SeatHand(n, 0)}
	switch {
	case yes && b.options.EvenMoney && natural(l, n):
		e.Kind = table.EvenMoney
	case yes:
		e.Kind = table.Insure
	}
	return Meaning{Events: []table.Event{e}}
}

func natural(l *table.Layout, seat int) bool {
	for _, s := range l.Seats {
		if s.Seat == seat {
			return s.Hands[0].State == table.Blackjack.String()
		}
	}
	return false
}

// turn is the supervisor's key.
func (b *Box) turn(s Stroke, now *table.Snapshot) Meaning {
	switch s {
	case Down:
		b.key, b.chord, b.hold = contact{down: true}, false, oldest(now)
		b.paused = !now.Floor.Paused
		if b.paused {
			return byKey(table.Event{Kind: table.Pause})
		}
	case Held:
		b.key.held = b.key.down
	case Up:
		m := b.letGo(now)
		b.key = contact{}
		return m
	case Stuck:
		b.key = contact{}
	}
	return Meaning{}
}

// letGo is what the key was turned for. A pause that its own press made is lifted again where it was turned for something else, and stays
// where it was turned for nothing.
func (b *Box) letGo(now *table.Snapshot) Meaning {
	resume := table.Event{Kind: table.Resume}
	switch {
	case b.chord && b.paused, b.key.held && !b.paused && b.hold == 0:
		return byKey(resume)
	case b.chord || !b.key.held || b.hold == 0:
		return Meaning{}
	}
	var events []table.Event
	if b.hold == oldest(now) {
		events = append(events, table.Event{Kind: table.Release, N: b.hold})
	}
	if b.paused {
		events = append(events, resume)
	}
	return byKey(events...)
}

// oldest is the irregularity that is to be released next; 0 for none.
func oldest(now *table.Snapshot) int64 {
	for _, s := range now.Floor.Stops {
		if !s.Later {
			return s.Irregularity
		}
	}
	return 0
}

// due is what the table waits for.
func due(l *table.Layout) table.DueKind {
	if l.Due == nil {
		return table.DueNothing
	}
	return table.ParseDue(l.Due.Kind)
}

// See follows the table from one state shown to the next: bets that are new put the cursor at the first seat.
func (b *Box) See(l *table.Layout) {
	switch {
	case b.options.Seats == 0:
	case due(l) != table.DueClose:
		b.remember(l.Seats)
	case b.round != l.Round:
		b.round, b.cursor, b.playing = l.Round, 1, b.last
	}
}

// remember keeps the seats that play, which the felt forgets when the next round is opened.
func (b *Box) remember(seats []table.LayoutSeat) {
	var set table.Seats
	for _, s := range seats {
		set |= table.Seat(s.Seat)
	}
	if set != 0 {
		b.last = set
	}
}

// State is what the dealer's screen shows of the box; nil where the box has no say in bets and decisions.
func (b *Box) State(l *table.Layout) *table.BoxState {
	if !b.options.Buttons {
		return nil
	}
	s := &table.BoxState{}
	switch due(l) {
	case table.DueClose:
		s.Cursor = int(b.cursor)
		for n := b.playing.Next(0); n > 0; n = b.playing.Next(n) {
			s.Playing = append(s.Playing, n)
		}
	case table.DueInsurance:
		if len(l.Due.Seats) > 0 {
			s.Cursor = l.Due.Seats[0]
		}
	}
	return s
}
