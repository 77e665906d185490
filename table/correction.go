package table

import (
	"slices"

	"sabot/shoe"
)

// A dealt card is corrected by playing its round again with the other card in its place, beside the round as it was. As long as each card
// falls to the hand on which it lies, the corrected round is adopted: what was called of it otherwise is said again. At the first card that
// would fall elsewhere, or that nobody would be due, the corrected round stands still: the cards from there on stay where they lie, undealt,
// each an irregularity that waits for the supervisor to assign it, or to void the round. Decisions made on them are forgotten.

// maxLying is how many cards may lie undealt after a correction; where it would be more, the round is for a void.
const maxLying = 8

// refold is a round played again.
type refold[G any] struct {
	now     G
	events  []past
	again   []Call    // what is said again, with what it replaces
	more    []Call    // what was not said before: irregularities of the corrected round, the cut card
	settled []account // by event, what was settled of it
	lying   []Event   // the cards that lie where they were not dealt
	parted  bool      // the rounds went different ways: what was done since does not stand
	turned  bool      // the corrected round has turned the hole card
	bared   bool      // it has not, and all have seen the card
	ended   int64     // the seq of the corrected round's end, 0 while it has none
	early   bool      // something was done that waits for it
	seen    bool      // something is otherwise that all could see
	rev     uint8
	was     shoe.Card // what the card was taken for, if it lies face up
	draw    int64     // the seq of its draw
}

// account is what was settled of an event, under which event that was said, and what is settled of it now.
type account struct {
	event int // its place in events, -1 when it does not stand
	said  int64
	old   []Call
	now   []Call
}

// corrects says that an event corrects a card that was dealt: none that lies aside has its number.
func (r *Round[G, P]) corrects(e Event) bool {
	return e.Kind == Correct && P(&r.now).Check(e) == NoSuchHold
}

// correction plays the round of the card again.
func (r *Round[G, P]) correction(e Event) (*refold[G], Code) {
	if i := r.log.find(e.N); i >= 0 {
		return r.refold(&r.log, i, e)
	}
	i := r.last.find(e.N)
	if i < 0 {
		return nil, NoSuchHold
	}
	f, code := r.refold(&r.last, i, e)
	if code == OK && (f.parted || f.ended == 0 || e.Card == shoe.NoCard) {
		return nil, OutOfReach // it would have to go on, and the next round's bets are open
	}
	return f, code
}

// find is the place of the event that gave a card its value: its draw, or if that was not read what it was read again or corrected by.
func (l *log[G]) find(seq int64) int {
	i := slices.IndexFunc(l.events, func(p past) bool { return p.Kind == Draw && p.Seq == seq })
	if i < 0 || l.events[i].Card.Known() {
		return i
	}
	ordered := false
	for j := i + 1; j < len(l.events); j++ {
		switch e := &l.events[j]; {
		case e.N == seq && e.Kind == Release && (e.Remedy == Reread || e.Remedy == NoRemedy):
			if l.events[j].shown { // the shoe had read it again before
				return j
			}
			ordered = true
		case e.N == seq && e.Kind == Correct && e.Card.Known():
			return j
		case ordered && e.Kind == Draw && e.Card.Known(), ordered && e.Kind == Resent && e.Card.Known() && agree(e.Claim, l.events[i].Claim):
			return j
		}
	}
	return -1
}

// refold plays a round again with the card of event at as e says.
func (r *Round[G, P]) refold(l *log[G], at int, e Event) (*refold[G], Code) {
	f := &refold[G]{now: l.start, rev: l.rev + 1, draw: e.N}
	was, hole := l.start, false
	var old []Call
	for i, p := range l.events {
		old = P(&was).Step(p.Event, old[:0])
		event := p.Event
		if p.Code == CutUnseen && p.Kind == Fault && e.Card == shoe.NoCard {
			continue // it came after all
		}
		if i == at {
			c := word(old, CallCard)
			if c == nil {
				return nil, NoSuchHold // it was never dealt
			}
			event, f.was = replaced(event, e.Card), c.Card
			hole = c.Why == WhyHole
		}
		if c := word(old, CallReveal); c != nil && hole {
			f.was = c.Card
		}
		if i > at && (p.Kind == Claims || p.Kind == Resent) {
			event.inner = overruled
		}
		if code := replay[G, P](f, p, event, old, i == at && e.Card == shoe.NoCard); code != OK {
			return nil, code
		}
	}
	return f, when(f.early, OutOfReach)
}

// word finds the first call of a word, nil where there is none.
func word(calls []Call, w Word) *Call {
	for i := range calls {
		if calls[i].Word == w {
			return &calls[i]
		}
	}
	return nil
}

// replaced is an event with another card; NoCard makes a draw the cut card's. The order to read a card again that had been read is its correction.
func replaced(e Event, c shoe.Card) Event {
	e.Card = c
	if e.Kind == Release {
		e.Kind, e.Remedy = Correct, NoRemedy
	}
	if e.Kind == Draw && c == shoe.NoCard {
		return Event{Kind: Cut, Seq: e.Seq, At: e.At, Text: e.Text}
	}
	return e
}

// replay takes one event of the round: p as it was, of which old was called, e as it is now. cut says that it is a card that turned out to
// be the cut card.
func replay[G any, P interface {
	*G
	Game
}](f *refold[G], p past, e Event, old []Call, cut bool) Code {
	if p.Kind == Void {
		return OutOfReach
	}
	if !f.parted {
		stands, drop := possible[G, P](f, &e, old)
		before := f.now
		if stands {
			now := P(&f.now).Step(e, nil)
			if p.Kind == Draw && p.Seq != f.draw && word(old, CallCard) == nil && !slices.Equal(old, now) {
				return OutOfReach // a card outside the deal would not be outside it, or by other rules
			}
			if cut || samePlaces(old, now) {
				f.take(p, e, old, now)
				return OK
			}
			f.now = before
		}
		if drop { // the hand is complete without it
			f.settle(-1, p.said, old, nil)
			f.reveals(old, nil)
			return OK
		}
		f.parted = true
	}
	return apart[G, P](f, p, e, old)
}

// possible says whether a decision could have been made in the corrected round too. A hand that stood and is now complete, and what was
// only planned, need not be.
func possible[G any, P interface {
	*G
	Game
}](f *refold[G], e *Event, old []Call) (stands, drop bool) {
	switch k := e.Kind; {
	case k == Burn, k == Count, k == Retire, k == TableClose: // they wait for the round's end
		f.early = f.early || P(&f.now).Check(*e) != OK
		return true, false
	case !k.Decision() && k != Peek && k != Reveal:
		return true, false
	}
	if c := word(old, CallDecision); c != nil {
		e.Hand = c.Hand // the one whose turn it was
	}
	code := P(&f.now).Check(*e)
	complete := code >= HandDone21 && code <= HandDoneEvenMoney
	return code == OK, e.Kind == Short || e.Kind == Plan || e.Kind == Follow || e.Kind == Stand && complete
}

// samePlaces says that the cards of two lists of calls fell to the same hands.
func samePlaces(a, b []Call) bool {
	i, j := 0, 0
	for {
		for i < len(a) && a[i].Word != CallCard {
			i++
		}
		for j < len(b) && b[j].Word != CallCard {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i].Hand != b[j].Hand || (a[i].Card == shoe.NoCard) != (b[j].Card == shoe.NoCard) {
			return false
		}
		i, j = i+1, j+1
	}
}

// take keeps an event that has its place in the corrected round, and what is said of it otherwise now.
func (f *refold[G]) take(p past, e Event, old, now []Call) {
	f.events = append(f.events, past{e, p.shown || shows(now), p.said})
	if word(now, CallEnd) != nil {
		f.ended = p.Seq
	}
	if a, b := said(old), said(now); !slices.Equal(a, b) {
		f.seen = true
		for _, c := range b {
			c.Again(f.rev, p.Seq)
			f.again = append(f.again, c)
		}
	}
	for _, c := range now {
		if (c.Word == CallIrregular || c.Word == CallCut || c.Word == CallLast) && !slices.Contains(old, c) {
			f.more = append(f.more, c)
		}
	}
	f.settle(len(f.events)-1, p.said, old, now)
	f.reveals(old, now)
}

// reveals notes whether the hole card was turned by an event, as it was and as it is now.
func (f *refold[G]) reveals(old, now []Call) {
	f.turned = f.turned || word(now, CallReveal) != nil
	f.bared = (f.bared || word(old, CallReveal) != nil) && !f.turned
}

// said are the calls to all that are said again when they change.
func said(calls []Call) []Call {
	var list []Call
	for _, c := range calls {
		if again[c.Word] {
			list = append(list, c)
		}
	}
	return list
}

// settle keeps what was and is settled of an event.
func (f *refold[G]) settle(event int, said int64, old, now []Call) {
	s := account{event: event, said: said, old: settlements(old), now: settlements(now)}
	if len(s.old)+len(s.now) > 0 {
		f.settled = append(f.settled, s)
	}
}

func settlements(calls []Call) []Call {
	var list []Call
	for _, c := range calls {
		if c.To == ToGame {
			list = append(list, c)
		}
	}
	return list
}

// apart takes an event since the rounds went different ways: a card stays where it lies; what stopped the table and let it go on happened all the
// same; a decision does not stand. Where more than that was done the corrected round cannot be told any more.
func apart[G any, P interface {
	*G
	Game
}](f *refold[G], p past, e Event, old []Call) Code {
	f.settle(-1, p.said, old, nil)
	f.reveals(old, nil)
	dealt := word(old, CallCard)
	switch k := e.Kind; {
	case dealt != nil && k == Draw && len(f.lying) < maxLying:
		lies := Event{Kind: Correct, Seq: e.Seq, At: e.At, Card: e.Card, Hand: dealt.Hand, inner: liesUp}
		if dealt.Card == shoe.NoCard {
			lies.inner = liesDown
		}
		f.lying = append(f.lying, lies)
	case dealt != nil, k == Draw, k == Burn, k == Count, k == Retire, k == TableClose, k == Correct, k == Expose, k == Cut:
		return OutOfReach
	case k.Decision(), k == Peek, k == Reveal, k == Timeout, k == Open, k == Close, k == Bet:
	default:
		f.events = append(f.events, past{e, true, p.said})
		now := P(&f.now).Step(e, nil)
		if shows(now) {
			return OutOfReach // a card that waited to be used would be
		}
		for _, c := range now {
			if c.Word == CallIrregular && !slices.Contains(old, c) {
				f.more = append(f.more, c)
			}
		}
	}
	return OK
}

// correct takes a correction of a dealt card.
func (r *Round[G, P]) correct(e Event, calls []Call) []Call {
	f, code := r.correction(e)
	if code != OK {
		return calls
	}
	r.watch.cut = r.watch.cut || e.Card == shoe.NoCard
	said := Call{Word: CallCorrected, Ref: e.N}
	if !f.parted && !f.seen {
		said.To = ToFloor // a card that lies face down: nobody else may notice
	}
	calls = append(calls, said)
	calls = append(calls, f.again...)
	calls = f.resettle(e.Seq, calls)
	calls = append(calls, f.more...)
	if r.log.find(e.N) >= 0 {
		return r.adopt(f, e, said.To == ToFloor, calls)
	}
	next, recount := r.now, Event{Kind: Correct, Seq: e.Seq, At: e.At, Card: e.Card, inner: recounted, was: f.was}
	calls = P(&next).Step(recount, calls)
	r.log.events = append(r.log.events, past{recount, true, e.Seq}) // the round that runs may be played again, too
	r.now, r.last.events, r.last.rev = next, f.events, f.rev
	l := P(&f.now).Layout()
	r.tally = r.before.with(&l)
	return calls
}

// adopt makes the corrected round the one that is played.
func (r *Round[G, P]) adopt(f *refold[G], e Event, mute bool, calls []Call) []Call {
	was := P(&r.now).Layout().Stopped
	next, said := f.now, len(calls)
	inside := func(e Event) {
		calls = P(&next).Step(e, calls)
		f.events = append(f.events, past{e, true, e.Seq})
	}
	if f.bared {
		inside(Event{Kind: Correct, Seq: e.Seq, At: e.At, inner: bared})
	}
	for _, lies := range f.lying {
		if f.bared {
			lies.inner = liesUp
		}
		inside(lies)
	}
	calls = append(calls[:said], slices.DeleteFunc(calls[said:], func(c Call) bool {
		return c.Word == CallStopped || c.Word == CallLast || c.Code == ShoeExhausted // the last two were said when the last card was drawn
	})...)
	switch now := P(&next).Layout().Stopped; {
	case was == nil && now != nil:
		calls = append(calls, Call{Word: CallStopped})
	case was != nil && now == nil:
		calls = append(calls, Call{Word: CallReleased})
	}
	on := Event{Kind: Correct, Seq: e.Seq, At: e.At, inner: goesOn}
	if mute {
		on.inner, f.rev = goesOnMute, r.log.rev
	}
	calls = P(&next).Step(on, calls)
	f.events = append(f.events, past{Event{Seq: e.Seq, At: e.At}, true, e.Seq}) // no decision before it is undone
	r.now, r.log.events, r.log.rev, r.log.ended = next, f.events, f.rev, f.ended
	return calls
}

// resettle says what is settled otherwise now: all that was said under an event of which anything changed is reversed, and what stands is said again.
func (f *refold[G]) resettle(seq int64, calls []Call) []Call {
	changed := map[int64]bool{}
	for _, s := range f.settled {
		if !slices.Equal(s.old, s.now) {
			changed[s.said] = true
		}
	}
	reversed := map[int64]bool{}
	for _, s := range f.settled {
		if changed[s.said] && !reversed[s.said] && len(s.old) > 0 {
			reversed[s.said] = true
			calls = append(calls, Call{Word: CallReversed, To: ToGame, Ref: s.said})
		}
	}
	for _, s := range f.settled {
		if changed[s.said] {
			calls = append(calls, s.now...)
			if s.event >= 0 {
				f.events[s.event].said = seq
			}
		}
	}
	return calls
}
