package table

import (
	"time"

	"sabot/shoe"
)

// Draw takes a card that left the shoe to its place: the deal, the burn, or aside with an irregularity.
func (p *Procedure) Draw(h *House, d CardGame, e Event, calls []Call) []Call {
	return p.leaves(h, d, e, Hold{}, calls)
}

// leaves takes a card that left the shoe: aside, if that has a code, or to its place. The shoe's last card makes the round running its last one, and where none runs
// it begins the shoe's change. A round that needs another card finds none: only the supervisor can end it, with cards by hand or a void.
func (p *Procedure) leaves(h *House, d CardGame, e Event, aside Hold, calls []Call) []Call {
	if p.Shoe.Left() != 1 || aside.Code == OK && (p.Phase == Closed || p.Phase == ShoeChange) {
		return p.take(h, d, e, aside, calls)
	}
	if round := p.InRound() || p.Betting(); round && !p.LastRound() {
		calls = append(calls, Call{Word: CallLast, N: int64(p.Round)})
	}
	p.final = p.Round // whatever was to follow the cut card
	calls = p.take(h, d, e, aside, calls)
	if p.Between() || p.Phase == Burning {
		p.Phase, p.overrun = ShoeChange, false
	}
	return p.raise(h, d, e, ShoeExhausted, shoe.NoCard, calls)
}

// take counts a card and takes it where leaves says.
func (p *Procedure) take(h *House, d CardGame, e Event, aside Hold, calls []Call) []Call {
	if aside.Code != OK {
		p.Shoe.Draw(e.Card)
		return p.hold(h, d, e, aside, calls)
	}
	due, down := d.CardDue()
	p.last = e.Card
	if e.Card == shoe.Unread {
		p.unread = e.At
	}
	switch {
	case p.Phase == Closed || p.Phase == ShoeChange:
		return p.countOut(e, calls)
	case e.By() != "":
		return p.byHand(h, d, e, calls)
	case p.Stopped() && !p.inGrace(e) && !p.delivered(e, due || p.Phase == Burning):
		return p.whileStopped(h, d, e, calls)
	case p.Phase == Burning:
		return p.burn(h, d, e, calls)
	case !due:
		p.Shoe.Draw(e.Card)
		return p.raise(h, d, e, p.extra(), e.Card, calls)
	case !e.Card.Known():
		p.Shoe.Draw(shoe.Unread)
		return p.raise(h, d, e, Misread, shoe.Unread, calls)
	}
	return p.deal(h, d, e, down, calls)
}

// Deal counts a card that is due, when nothing is the matter: it was read, nothing stops the table, it is not the shoe's last one, and its copies face up are
// no more than the decks. It says false, and counted nothing, when Draw has to look. Games ask it first, because nearly every card is such a card.
func (p *Procedure) Deal(c shoe.Card, down bool) bool {
	p.last = c
	return !p.Stopped() && c.Known() && p.Shoe.Deal(c, down)
}

// deal places a fresh card that is due.
func (p *Procedure) deal(h *House, d CardGame, e Event, down bool, calls []Call) []Call {
	if down {
		p.Shoe.Draw(e.Card)
		return d.Place(e, e.Card, calls)
	}
	return p.place(h, d, e, e.Card, p.Shoe.Show(e.Card), calls)
}

// place deals a card that was counted. few says that no more copies of it lie face up than there are decks; of a card face down
// nobody may know.
func (p *Procedure) place(h *House, d CardGame, e Event, c shoe.Card, few bool, calls []Call) []Call {
	calls = d.Place(e, c, calls)
	if !few {
		calls = p.raise(h, d, e, CardCopies, shoe.NoCard, calls)
	}
	return calls
}

// Misplaced takes a card that was put, or by the shoe's claim went, elsewhere than it is due. It lies aside until the supervisor
// has looked. An unread card is a misread first, and a shoe that counts on from before cards were moved is not believed: notes.
// While the table is stopped and cards lie aside there is no place to compare with.
func (p *Procedure) Misplaced(h *House, d CardGame, e Event, code Code, calls []Call) []Call {
	if p.Stopped() && !(p.graceDue && e.At <= p.grace) && !p.delivered(e, true) {
		return p.Draw(h, d, e, calls)
	}
	if !e.Card.Known() || code == ClaimDiffers && p.Adrift {
		calls = append(calls, Call{Word: CallIrregular, To: ToFloor, Ref: e.Seq, Code: code, Class: Note})
		return p.Draw(h, d, e, calls)
	}
	p.graceDue, p.last = false, e.Card
	return p.leaves(h, d, e, Hold{Seq: e.Seq, Code: code, Card: e.Card, claim: e.Claim}, calls)
}

// inGrace says that the card was on its way when the table stopped; only one is.
func (p *Procedure) inGrace(e Event) bool {
	if !p.graceDue || e.At > p.grace {
		return false
	}
	p.graceDue = false
	return true
}

// deliveryTime is how long after our return, or its own, a shoe may take to deliver the cards it kept.
const deliveryTime = 10 * time.Second

// delivered says that a card is one the shoe kept: it is due, nothing stops the table but that the program or the device was away, and
// that is not long ago. The mouth has been closed since, so what comes was drawn before.
func (p *Procedure) delivered(e Event, due bool) bool {
	for i := range int(p.queue.n) {
		if h := p.queue.list[i]; !h.Later && !away[h.Code] {
			return false
		}
	}
	return due && !p.paused && e.At <= p.kept
}

// away are the irregularities of somebody who was, and is back.
var away = map[Code]bool{Restart: true, RestartLoop: true, DeviceLost: true, DeviceRestart: true}

// extra is the code of a card nobody is due.
func (p *Procedure) extra() Code {
	switch {
	case p.burnt:
		return BurnCount
	case p.Over != OK:
		return p.Over
	case p.Phase == Results:
		return CardAfterEnd
	}
	return ExtraCard
}

// countOut counts a card while the shoe is being emptied. It never stops the table; the first one is noted, in case the
// dealer went on dealing.
func (p *Procedure) countOut(e Event, calls []Call) []Call {
	p.Shoe.Draw(e.Card)
	if p.overrun || p.Phase == Closed {
		return calls
	}
	p.overrun = true
	return append(calls, Call{Word: CallIrregular, To: ToFloor, Ref: e.Seq, Code: CardAfterEnd, Class: Note})
}

// whileStopped takes a card that comes while nothing may be dealt: the second reading of one that lies unread, or one
// more that lies aside.
func (p *Procedure) whileStopped(h *House, d CardGame, e Event, calls []Call) []Call {
	for i := range int(p.queue.n) {
		if p.queue.list[i].Reread {
			return p.identify(h, d, e, i, e.Card, calls)
		}
	}
	p.Shoe.Draw(e.Card)
	return p.raise(h, d, e, CardHeld, e.Card, calls)
}

// Last is the card that left the shoe last, if the one that it names again with a claim of no hand is that one; else NoCard. A burnt card may be named at
// any time: held against another card it would be told.
func (p *Procedure) Last(claim shoe.Claim) shoe.Card {
	if claim.Side == shoe.Nowhere || p.Phase == Burning && p.Shoe.Drawn == 1 {
		return p.last
	}
	return shoe.NoCard
}

// Resent takes a card that the shoe names again. It takes no place: it is the value of a card that lies unread, if there is one. Else it is
// held against was, what lies where the shoe says, or NoCard where nobody knows.
func (p *Procedure) Resent(h *House, d CardGame, e Event, was shoe.Card, calls []Call) []Call {
	if i := p.liesUnread(e.Claim); i >= 0 {
		return p.readAgain(h, d, e, i, calls)
	}
	code := CardResent
	if e.Card.Known() && was.Known() && e.Card != was && !e.Overruled() && p.Phase != Closed && p.Phase != ShoeChange {
		code = SequenceConflict
	}
	return p.Raise(h, d, e, code, calls)
}

// readAgain takes the shoe's second reading of the unread card of hold i. A card that was drawn for a place goes there only when the supervisor
// has ordered that it be read again; until then its value is kept, and nobody sees it.
func (p *Procedure) readAgain(h *House, d CardGame, e Event, i int, calls []Call) []Call {
	hold := &p.queue.list[i]
	switch {
	case !e.Card.Known():
	case hold.Code == Misread && !hold.Reread:
		hold.again = e.Card
	default:
		return p.identify(h, d, e, i, e.Card, calls)
	}
	return calls
}

// liesUnread is the place of the hold whose unread card a second reading is of, the oldest there is. -1 is none.
func (p *Procedure) liesUnread(claim shoe.Claim) int {
	for i := range int(p.queue.n) {
		if hold := &p.queue.list[i]; hold.Card == shoe.Unread && agree(hold.claim, claim) {
			return i
		}
	}
	return -1
}

// agree says that two claims may be of one place.
func agree(a, b shoe.Claim) bool { return a == b || a.Side == shoe.Nowhere || b.Side == shoe.Nowhere }

// rereading says that the next reading gives a card its value.
func (p *Procedure) rereading() bool {
	for i := range int(p.queue.n) {
		if p.queue.list[i].Reread {
			return true
		}
	}
	return false
}

// identify gives the unread card of hold i its value. A misread card then goes to the place it was drawn for; any other
// stays aside until its remedy.
func (p *Procedure) identify(h *House, d CardGame, e Event, i int, c shoe.Card, calls []Call) []Call {
	if !c.Known() {
		return calls // unread again: the next reading is waited for
	}
	hold := p.queue.list[i]
	switch hold.Card {
	case shoe.Unread:
		p.Shoe.Identify(c)
	default: // it was taken for another one
		p.Shoe.Withdraw(hold.Card)
		p.Shoe.Draw(c)
	}
	p.queue.list[i].Card, p.queue.list[i].Reread, p.queue.list[i].again = c, false, shoe.NoCard
	p.last = c
	if hold.Code != Misread {
		return calls
	}
	p.settle(i)
	calls = append(calls, Call{Word: CallReleased, To: ToFloor, Ref: hold.Seq, Code: hold.Code, Remedy: Reread})
	return p.goOn(h, d, e, CallReleased, c, calls)
}

// settle takes hold i from the queue.
func (p *Procedure) settle(i int) {
	p.queue.remove(i)
	p.active = uint8(p.queue.active())
}

// useNow deals a card that was counted before to the hand a release names, or to the place it was drawn for; NoCard deals none.
func (p *Procedure) useNow(h *House, d CardGame, e Event, c shoe.Card, calls []Call) []Call {
	if c == shoe.NoCard {
		return calls
	}
	switch {
	case e.Kind == Release && d.Takes(e.Hand) == OK:
		return p.layOn(h, d, e, e.Hand, c, calls)
	case e.Kind == Release && e.Hand != NoHand: // Check has refused it
		p.Shoe.Burn()
		return calls
	case p.Phase == Burning:
		return p.burnCard(h, d, e, c, calls)
	}
	due, down := d.CardDue()
	if !due {
		p.wait(&p.aside, c)
		return calls
	}
	return p.place(h, d, e, c, down || p.Shoe.Turn(c), calls)
}

// burn takes a card drawn while the shoe is burnt. Only the first, whose value counts, must be read.
func (p *Procedure) burn(h *House, d CardGame, e Event, calls []Call) []Call {
	p.Shoe.Draw(e.Card)
	if e.Card.Known() || !p.burnUp {
		return p.burnCard(h, d, e, e.Card, calls)
	}
	return p.raise(h, d, e, Misread, shoe.Unread, calls)
}

// burnCard burns a card that was counted: the first by value face up, the others face down and never named.
func (p *Procedure) burnCard(h *House, d CardGame, e Event, c shoe.Card, calls []Call) []Call {
	p.Shoe.Burn()
	call := Call{Word: CallBurn}
	if p.burnUp {
		p.Shoe.Turn(c)
		p.burnUp, p.burnLeft = false, burnValue(c)
		call.Card = c
	} else {
		p.burnLeft--
	}
	call.N = int64(p.burnLeft)
	calls = append(calls, call)
	if p.burnLeft == 0 {
		p.Phase, p.burnt = Bets, true
	}
	if c == shoe.Unread {
		return p.raise(h, d, e, BurnUnread, shoe.NoCard, calls)
	}
	return calls
}

// burnValue is how many cards follow a first card: ace 1, pictures 10 (rule sheet 000, L29; English original).
func burnValue(c shoe.Card) uint8 { return min(uint8(c.Rank()), 10) }

// cutCard makes a round the shoe's last: the one running, or before its first card that or the next one.
func (p *Procedure) cutCard(h *House, d CardGame, e Event, calls []Call) []Call {
	calls = append(calls, Call{Word: CallCut})
	if p.Phase == Closed || p.Phase == ShoeChange || p.final != 0 {
		return calls
	}
	p.final = p.Round + uint32(h.HandsAfterCut)
	if !p.InRound() && !p.Betting() {
		p.final++
	}
	calls = append(calls, Call{Word: CallLast, N: int64(p.final)})
	if h.Shuffle == AfterCut && int(p.Shoe.Drawn)*100 < int(h.CutLeast)*p.Shoe.Loaded() {
		return p.raise(h, d, e, CutEarly, shoe.NoCard, calls)
	}
	return calls
}

// byHand deals a card that a person saw on the felt and no shoe has reported.
func (p *Procedure) byHand(h *House, d CardGame, e Event, calls []Call) []Call {
	said := len(calls)
	p.Shoe.Draw(e.Card)
	if p.Phase != Burning && p.placeByHand(d, e) != OK { // by a correction: Check has looked
		return p.raise(h, d, e, p.extra(), e.Card, calls)
	}
	if p.Phase == Burning {
		calls = p.burnCard(h, d, e, e.Card, calls)
	} else {
		calls = p.layOn(h, d, e, e.Hand, e.Card, calls)
	}
	for i := said; i < len(calls); i++ {
		if w := calls[i].Word; w == CallCard || w == CallBurn {
			calls[i].Manual = true
		}
	}
	return calls
}

// layOn deals a card that was counted to a hand that takes it.
func (p *Procedure) layOn(h *House, d CardGame, e Event, to Hand, c shoe.Card, calls []Call) []Call {
	_, down := d.CardDue()
	few := down || p.Shoe.Turn(c)
	calls = d.Lay(e, to, c, calls)
	if !few {
		calls = p.raise(h, d, e, CardCopies, shoe.NoCard, calls)
	}
	return calls
}

// lies holds the table for a card that was dealt to a hand, and would by a correction not have been.
func (p *Procedure) lies(h *House, d CardGame, e Event, calls []Call) []Call {
	return p.leaves(h, d, e, Hold{Seq: e.Seq, Code: CardMoved, Card: e.Card, Hand: e.Hand, Bared: e.inner == liesUp}, calls)
}

// newShoe puts shoe N into play, after what is left of the old one was compared with what it held.
func (p *Procedure) newShoe(h *House, d CardGame, e *Event, calls []Call) []Call {
	if p.ShoeNumber > 0 && p.Shoe.Excess() != shoe.NoCard {
		calls = p.raise(h, d, *e, CardCopies, shoe.NoCard, calls)
	}
	if p.ShoeNumber > 0 && p.Shoe.Left() < 0 {
		calls = p.raise(h, d, *e, CountWrong, shoe.NoCard, calls)
	}
	d.Abandon() // the last round's hands go with its shoe
	p.ShoeNumber = uint32(e.N)
	p.fill(h)
	calls, c := Add(calls, CallShoe)
	c.N = e.N
	return calls
}

func (p *Procedure) fill(h *House) {
	p.Shoe = shoe.Load(int(h.Decks))
	p.final, p.burnUp, p.burnLeft, p.burnt, p.Over = 0, h.Burn.ByValue, h.Burn.N, false, OK
	p.aside = pile{} // not both at once: that goes through a copy
	p.carry = pile{}
	p.Adrift, p.last, p.kept = false, shoe.NoCard, 0
	p.Phase = Bets
	if p.burnUp || p.burnLeft > 0 {
		p.Phase = Burning
	}
}
