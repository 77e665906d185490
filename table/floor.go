package table

import (
	"strings"
	"time"

	"sabot/shoe"
)

// Check says whether an event of the shared procedure may be taken now.
func (p *Procedure) Check(h *House, d CardGame, e Event) Code {
	if e.Kind.Supervisor() && e.By() == "" {
		return ByMissing
	}
	switch e.Kind {
	case TableOpen, TableClose, NewShoe, Count, Burn, Retire:
		return p.checkDay(h, e)
	case Pause:
		return when(p.paused, Paused)
	case Resume:
		return when(!p.paused, NotPaused)
	case Release:
		return p.checkRelease(d, e)
	case Correct:
		return p.checkCorrect(e)
	case Expose:
		return p.checkExpose(e)
	case Draw:
		return p.checkByHand(h, d, e)
	case Void:
		return when(!p.InRound() && !p.Betting() || e.N != 0 && e.N != int64(p.Round), NoRound)
	case Dispute:
		return when(e.N > int64(p.Round) || e.N == 0, NoRound)
	case Open:
		return p.checkOpen()
	case Stop, Dealer:
		return OK
	}
	return NotOffered
}

// when is the code if a condition stands, else OK.
func when(refuse bool, code Code) Code {
	if refuse {
		return code
	}
	return OK
}

func (p *Procedure) checkDay(h *House, e Event) Code {
	playing := p.InRound() || p.Betting()
	switch {
	case e.Kind == TableOpen:
		return when(p.Phase != Closed, TableIsOpen)
	case p.Phase == Closed:
		return TableClosed
	case h.Decks == 0 && e.Kind != TableClose:
		return NotOffered
	case p.active > 0 && (e.Kind == NewShoe || e.Kind == TableClose || e.Kind == Burn): // a card that lies aside belongs to this shoe
		return Held
	case e.Kind == Count && e.N > int64(p.Shoe.Loaded()):
		return CountWrong
	case e.Kind == NewShoe || e.Kind == Count:
		return when(p.Phase != ShoeChange, NotShoeChange)
	case playing:
		return RoundRunning
	case e.Kind == Burn && p.Phase == ShoeChange:
		return ShoeFinished
	case e.Kind == Burn && p.Phase == Burning:
		return BurnCount
	}
	return OK
}

// checkOpen lets two things pass that are no refusals but irregularities: a burn that is short, and a dealer who stands
// with a card due.
func (p *Procedure) checkOpen() Code {
	switch {
	case p.Phase == Closed:
		return TableClosed
	case p.Phase == ShoeChange:
		return ShoeFinished
	case p.paused:
		return Paused
	case p.active > 0:
		return Held
	case p.Between() || p.Phase == Burning:
		return OK
	}
	return RoundRunning
}

// CheckClose says whether the seats that play can be named now: while they are waited for, and none beyond the table's last one.
func (p *Procedure) CheckClose(awaited bool, seats Seats, last uint8) Code {
	switch {
	case !awaited && p.InRound():
		return BetsClosed
	case !awaited:
		return NoRound
	case seats>>(last+1) != 0:
		return SeatsInvalid
	}
	return p.StoppedCode()
}

// StoppedCode is why a decision or command is refused while the table is stopped.
func (p *Procedure) StoppedCode() Code {
	switch {
	case p.active > 0:
		return Held
	case p.paused:
		return Paused
	}
	return OK
}

// WhoDecides is why a decision is refused whatever it is: a player's while the table is stopped, and a supervisor's, who enters by hand what a player said, while it is not.
func (p *Procedure) WhoDecides(e Event) Code {
	if e.By() != "" {
		return when(!p.Stopped(), NotHeld)
	}
	return p.StoppedCode()
}

func (p *Procedure) checkRelease(d CardGame, e Event) Code {
	i, older := p.queue.find(e.N)
	switch {
	case i < 0:
		return NoSuchHold
	case p.queue.list[i].Later:
		return NoSuchHold
	case older:
		return NotOldest
	}
	hold := &p.queue.list[i]
	r := p.ordered(d, hold, e.Remedy)
	_, fit := hold.remedies(p.vain())
	switch {
	case fit&(1<<r) == 0 || hold.Code == RecordDoubt && p.laid(): // nothing but a void or another shoe brings that back
		return RemedyRefused
	case r == Assign:
		return d.Takes(hold.to(e))
	case r == Turn:
		return when(!d.HoleDown(), NoHoleCard)
	}
	return OK
}

// ordered is the remedy that a release of a hold executes: the one it names, or the default. Where that is to turn a hole card and none lies face down, there is nothing to turn.
func (p *Procedure) ordered(d CardGame, hold *Hold, named Remedy) Remedy {
	first, fit := hold.remedies(p.vain())
	switch {
	case named != NoRemedy:
		return named
	case first == Turn && !d.HoleDown() && fit&of(Device) != 0:
		return Device
	}
	return first
}

// to is the hand a release gives a card to: the one it names, or the one the card lies on.
func (h *Hold) to(e Event) Hand {
	if e.Hand != NoHand {
		return e.Hand
	}
	return h.Hand
}

// checkByHand takes a card by hand only while the table is held, where one is missing: it is due there, or the hand in turn asked for it.
func (p *Procedure) checkByHand(h *House, d CardGame, e Event) Code {
	switch {
	case e.By() == "":
		return ByMissing
	case h.Decks == 0:
		return NotOffered
	case p.Phase != Burning && !p.InRound():
		return NoRound
	case !p.Stopped():
		return NotHeld
	case !e.Card.Known():
		return CardInvalid
	case e.Claim.Side != shoe.Nowhere:
		return Malformed
	case p.misread(): // its place is the one that is due
		return NotOldest
	case p.Phase == Burning:
		return when(e.Hand != NoHand, NoSuchHand)
	}
	return p.placeByHand(d, e)
}

// placeByHand says whether there is a place for a card by hand.
func (p *Procedure) placeByHand(d CardGame, e Event) Code {
	if due, _ := d.CardDue(); e.Hand == NoHand {
		return when(!due, p.extra())
	}
	return d.Takes(e.Hand)
}

// misread says that a card waits for its value, to take its place then.
func (p *Procedure) misread() bool {
	for i := range int(p.queue.n) {
		if p.queue.list[i].Code == Misread {
			return true
		}
	}
	return false
}

// checkExpose takes the mark for a card that lies aside and is not marked yet.
func (p *Procedure) checkExpose(e Event) Code {
	i, _ := p.queue.find(e.N)
	return when(i < 0 || p.queue.list[i].Card == shoe.NoCard || p.queue.list[i].Bared, NoSuchHold)
}

// expose marks a card that lies aside as seen by all: it is burnt unless the supervisor says otherwise, and no secret any more.
func (p *Procedure) expose(e Event, calls []Call) []Call {
	i, _ := p.queue.find(e.N)
	if i < 0 {
		return calls
	}
	hold := &p.queue.list[i]
	hold.Bared = true
	call := Call{Word: CallExposed, To: ToFloor, Ref: hold.Seq}
	call.Remedy, _ = hold.remedies(p.vain())
	if hold.Card.Known() {
		call.Card = hold.Card
	}
	return append(calls, call)
}

// noRoundFollows says that the shoe has no round left to carry a card to.
func (p *Procedure) noRoundFollows() bool {
	return p.Phase == ShoeChange || p.final != 0 && p.Round >= p.final
}

// vain are the remedies for which a card that lies aside has no place to go to any more: the next round, or any.
func (p *Procedure) vain() remedySet {
	switch {
	case p.Phase == ShoeChange, p.Between() && p.Shoe.Loaded() > 0 && p.Shoe.Left() <= 0:
		return of(Use, Carry, Assign)
	case p.noRoundFollows():
		return of(Carry)
	}
	return 0
}

func (p *Procedure) checkCorrect(e Event) Code {
	i, _ := p.queue.find(e.N)
	if i < 0 || p.queue.list[i].Card == shoe.NoCard {
		return NoSuchHold
	}
	return OK
}

// Step takes an event of the shared procedure.
func (p *Procedure) Step(h *House, d CardGame, e Event, calls []Call) []Call {
	switch e.Kind {
	case Cut:
		return p.cutCard(h, d, e, calls)
	case Pause, Resume:
		return p.pause(h, d, e, calls)
	case Release:
		return p.release(h, d, e, calls)
	case Correct:
		return p.correct(h, d, e, calls)
	case Expose:
		return p.expose(e, calls)
	case Void:
		if e.inner == lifted {
			return p.lift(h, d, e, calls)
		}
		return p.void(h, d, e, calls)
	case Resent:
		return p.Resent(h, d, e, p.Last(e.Claim), calls)
	case Undo:
		return p.undone(d, e, calls)
	case TableOpen, TableClose, NewShoe, Count, Burn, Retire:
		return p.stepDay(h, d, &e, calls)
	}
	if e.Kind == Started || e.Kind == Found {
		p.kept = e.At + deliveryTime
	}
	if e.Kind == Fault {
		return p.fault(h, d, e, faultCode(e), calls)
	}
	if code, ok := causes[e.Kind]; ok {
		return p.Raise(h, d, e, code, calls)
	}
	return calls
}

// fault raises what a device reports, or Round finds in the shoe. A shoe that is changed is opened, overdrawn and pushed at: notes. And so is why a card
// was not read: the unread card has been called already, and one cause is one irregularity.
func (p *Procedure) fault(h *House, d CardGame, e Event, code Code, calls []Call) []Call {
	switch {
	case p.Phase == ShoeChange && (code == Overdraw || code == PushedBack || code == LockOpened):
		return append(calls, Call{Word: CallIrregular, To: ToFloor, Ref: e.Seq, Code: code, Class: Note})
	case p.last == shoe.Unread && e.At <= p.unread+reasonTime && e.Text != nil && reasons[e.Text.Detail]:
		return append(calls, Call{Word: CallIrregular, To: ToFloor, Ref: e.Seq, Code: code, Class: Note})
	case p.Phase == ShoeChange && e.Text != nil && e.Text.Detail == FaultNewShoe:
		code = ShoeProposed // it takes a person to say that it is ready
	case code == CutUnseen && h.Shuffle == EveryRound:
		return calls // none is put in
	}
	return p.Raise(h, d, e, code, calls)
}

// causes are the events that are irregularities in themselves. A shoe's own result of a coup is none: only baccarat compares it, and other games record it alone.
var causes = map[Kind]Code{Stop: StopPressed, Lost: DeviceLost, Started: Restart, Clock: ClockStep, Refusal: Refused}

// The details of faults that decoders and the loop raise, not the device: see shoe.Kind.
const (
	FaultContact  = "contact-" // begins the detail of a button that is stuck, chatters or cannot be read
	FaultGap      = "gap"
	FaultConflict = "conflict"
	FaultBoot     = "boot"
	FaultNewShoe  = "new-shoe" // a boot as with new cards
	FaultPanic    = "panic"
	FaultRecord   = "record"   // the record does not vouch for what lies on the felt
	FaultRestarts = "restarts" // the program does not get anywhere
)

// faults are the codes of faults by their details: those above, and what shoes call theirs.
var faults = map[string]Code{
	FaultGap: SequenceGap, FaultConflict: SequenceConflict, FaultBoot: DeviceRestart, FaultNewShoe: DeviceRestart, FaultPanic: InternalFault, FaultRecord: RecordDoubt, FaultRestarts: RestartLoop,
	"overdraw": Overdraw, "pushed-back": PushedBack, "pushed-back-midway": PushedBack, "lock-opened": LockOpened, "lid-opened": LockOpened,
	"same-uid": SameCard, "same-tag": SameCard, "foreign": ForeignCard, "foreign-card": ForeignCard, "draw-timeout": SlowDraw,
}

// reasons are the details of faults that say why the card before them was not read; they follow it at once.
var reasons = map[string]bool{"misread": true, "foreign": true, "foreign-card": true}

// reasonTime is how long after an unread card a fault may be its reason.
const reasonTime = 2 * time.Second

func faultCode(e Event) Code {
	if e.Text == nil {
		return e.Code // Round's
	}
	if code, ok := faults[e.Text.Detail]; ok {
		return code
	}
	if strings.HasPrefix(e.Text.Detail, FaultContact) {
		return ContactFault
	}
	return DeviceFault
}

func (p *Procedure) stepDay(h *House, d CardGame, e *Event, calls []Call) []Call {
	switch e.Kind {
	case TableOpen:
		p.Phase, p.overrun = ShoeChange, false
		if h.Decks == 0 {
			p.fill(h)
		}
	case TableClose:
		d.Abandon()
		p.Phase = Closed
		p.StopClock()
	case NewShoe:
		return p.newShoe(h, d, e, calls)
	case Count:
		if p.ShoeNumber > 0 && p.Shoe.Left() != int(e.N) {
			return p.raise(h, d, *e, CountWrong, shoe.NoCard, calls)
		}
	case Burn:
		p.Phase, p.burnUp, p.burnLeft = Burning, false, uint8(e.N)
		return append(calls, Call{Word: CallBurn, N: e.N})
	case Retire:
		return p.retire(h, d, *e, calls)
	}
	return calls
}

// retire begins the shoe's change. What held the table is settled with the shoe; no card that lies aside outlives it.
func (p *Procedure) retire(h *House, d CardGame, e Event, calls []Call) []Call {
	was := p.Stopped()
	p.settleAll()
	p.active = 0
	p.Phase, p.overrun = ShoeChange, false
	if was {
		calls = p.goOn(h, d, e, CallReleased, shoe.NoCard, calls)
	}
	return calls
}

// settleAll takes all that holds the table now from the queue. The cards that lay aside are burnt.
func (p *Procedure) settleAll() { p.settleThose(func(h *Hold) bool { return !h.Later }) }

func (p *Procedure) settleThose(are func(*Hold) bool) {
	for i := int(p.queue.n) - 1; i >= 0; i-- {
		if !are(&p.queue.list[i]) {
			continue
		}
		if p.queue.list[i].Card != shoe.NoCard {
			p.Shoe.Burn()
		}
		p.queue.remove(i)
	}
}

func (p *Procedure) pause(h *House, d CardGame, e Event, calls []Call) []Call {
	was := p.Stopped()
	p.paused = e.Kind == Pause
	if p.paused {
		if !was {
			p.freeze(h, e, p.cardDue(d))
		}
		return append(calls, Call{Word: CallPaused})
	}
	if p.active > 0 {
		return append(calls, Call{Word: CallResumed}, Call{Word: CallStopped}) // something else stops it still
	}
	return p.goOn(h, d, e, CallResumed, shoe.NoCard, calls)
}

// undone goes on after Round took a decision back: whoever is to act again has the whole time.
func (p *Procedure) undone(d CardGame, e Event, calls []Call) []Call {
	calls = append(calls, Call{Word: CallCorrected, Ref: e.N})
	p.StartClock(e.At, p.clock.full)
	return d.Announce(e, calls)
}

// release executes a remedy and lets the table go on if nothing else stops it.
func (p *Procedure) release(h *House, d CardGame, e Event, calls []Call) []Call {
	i, _ := p.queue.find(e.N)
	if i < 0 {
		return calls
	}
	hold := p.queue.list[i]
	remedy := p.ordered(d, &hold, e.Remedy)
	if remedy == Reread {
		p.queue.list[i].Reread = true
		return p.identify(h, d, e, i, hold.again, calls)
	}
	p.settle(i)
	calls = append(calls, Call{Word: CallReleased, To: ToFloor, Ref: hold.Seq, Code: hold.Code, Remedy: remedy})
	if remedy == Turn && d.HoleDown() {
		calls = d.Bare(e, calls)
	}
	p.Adrift = p.Adrift || hold.Card != shoe.NoCard && (remedy != Use || hold.Code == ClaimDiffers)
	if remedy == Assign {
		e.Hand = hold.to(e)
		return p.goOn(h, d, e, CallReleased, hold.Card, calls)
	}
	if hold.Card != shoe.NoCard {
		calls = p.lay(h, d, e, &hold, remedy, calls)
	}
	return p.goOn(h, d, e, CallReleased, shoe.NoCard, calls)
}

// lay takes a card that lies aside where the supervisor ordered it. What must not be used is burnt.
func (p *Procedure) lay(h *House, d CardGame, e Event, hold *Hold, remedy Remedy, calls []Call) []Call {
	c := hold.Card
	switch {
	case c == shoe.Unread || remedy == BurnIt || remedy == Device:
		p.Shoe.Burn()
		if hold.Bared && c.Known() && !p.Shoe.Turn(c) {
			return p.raise(h, d, e, CardCopies, shoe.NoCard, calls)
		}
	case remedy == Use && p.Phase == Burning:
		return p.burnCard(h, d, e, c, calls)
	case remedy == Use && p.InRound():
		p.wait(&p.aside, c)
	case p.noRoundFollows() && !p.Between() && !p.Betting(): // no round will come of this shoe
		p.Shoe.Burn()
	default:
		p.wait(&p.carry, c)
	}
	return calls
}

// correct gives the card of a hold its value, or takes it for the cut card, which has no place in the deal.
func (p *Procedure) correct(h *House, d CardGame, e Event, calls []Call) []Call {
	if e.inner != asked {
		return p.corrected(h, d, e, calls)
	}
	i, _ := p.queue.find(e.N)
	if i < 0 {
		return calls
	}
	if e.Card != shoe.NoCard {
		calls = append(calls, Call{Word: CallCorrected, To: ToFloor, Ref: e.N})
		return p.identify(h, d, e, i, e.Card, calls)
	}
	hold := p.queue.list[i]
	p.Shoe.Withdraw(hold.Card)
	p.settle(i)
	p.Adrift = true
	calls = append(calls, Call{Word: CallReleased, To: ToFloor, Ref: hold.Seq, Code: hold.Code, Remedy: Device})
	return p.goOn(h, d, e, CallReleased, shoe.NoCard, p.cutCard(h, d, e, calls))
}

// corrected is what Round has the game do of a correction: see there.
func (p *Procedure) corrected(h *House, d CardGame, e Event, calls []Call) []Call {
	switch e.inner {
	case liesDown, liesUp:
		return p.lies(h, d, e, calls)
	case recounted:
		p.Shoe.Mistook(e.was, e.Card)
		return calls
	}
	if e.inner == bared {
		if d.HoleDown() {
			calls = d.Bare(e, calls)
		}
		return calls
	}
	p.StartClock(e.At, p.clock.full)
	if e.inner == goesOnMute {
		return calls
	}
	return d.Announce(e, calls)
}

// lift takes the hands of a round off the felt that has ended and is void, and with them the cards that lie there undealt. Whatever else holds the table waits for its own release.
func (p *Procedure) lift(h *House, d CardGame, e Event, calls []Call) []Call {
	was := p.Stopped()
	p.Over = OK
	p.settleThose(func(h *Hold) bool { return h.Code == CardMoved })
	p.active = uint8(p.queue.active())
	d.Abandon()
	if was && !p.Stopped() {
		calls = p.goOn(h, d, e, CallReleased, shoe.NoCard, calls)
	}
	return calls
}

// void ends the round running without a result. What held it is settled with it; the shoe stays where it is.
func (p *Procedure) void(h *House, d CardGame, e Event, calls []Call) []Call {
	was := p.Stopped()
	p.Adrift = p.Adrift || p.InRound()
	p.Over = OK // what its cards made of it is void with it
	p.settleAll()
	d.Abandon()
	calls = append(calls, Call{Word: CallVoid, N: int64(p.Round)})
	calls = p.EndRound(h, calls)
	if was {
		calls = p.goOn(h, d, e, CallReleased, shoe.NoCard, calls)
	}
	return calls
}
