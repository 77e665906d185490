package table

import "sabot/shoe"

// Class says how grave an irregularity is.
type Class uint8

// The classes. Now holds the table at once, because the deal is in doubt; AfterRound when the round has ended,
// because the shoe is; a Note is recorded and play goes on.
const (
	NoClass Class = iota
	Note
	AfterRound
	Now
)

var classNames = [...]string{"", "note", "after-round", "now"}

// String is the class in a word.
func (c Class) String() string { return classNames[c] }

// remedySet is a set of remedies, a bit for each.
type remedySet uint8

func of(list ...Remedy) remedySet {
	var s remedySet
	for _, r := range list {
		s |= 1 << r
	}
	return s
}

// irregular is an irregularity's row: its class in a round and outside one, the remedies that fit it, the first being its default.
type irregular struct {
	inRound, between Class
	first            Remedy
	fit              remedySet
}

// irregularities is the procedure's table of classes and remedies, which a house may change by its [Orders]. A card is never forced on anybody: what needs a value
// can only be read again or corrected, which is why Misread has no Use.
var irregularities = map[Code]irregular{
	BurnCount:        {Now, Now, BurnIt, of(BurnIt, Use, Device)},
	ExtraCard:        {Now, Now, Use, of(Use, BurnIt, Carry, Assign)},
	CardAfterEnd:     {Now, Now, Carry, of(Carry, BurnIt)},
	CardHeld:         {Now, Now, Use, of(Use, BurnIt, Carry, Assign)},
	CardMoved:        {Now, Now, Assign, of(Assign, BurnIt)},
	Misread:          {Now, Now, Reread, of(Reread)},
	DealerCardDue:    {Now, Now, Device, of(Device)},
	StopPressed:      {Now, Now, Device, of(Device, Turn)},
	SequenceConflict: {Now, Now, Device, of(Device)},
	InternalFault:    {Now, Now, Device, of(Device)},
	RecordDoubt:      {Now, Now, Device, of(Device)},
	RestartLoop:      {Now, Now, Device, of(Device)},
	DeviceLost:       {Now, Note, Device, of(Device)},
	DeviceFault:      {Now, Note, Device, of(Device)},
	DeviceRestart:    {Now, Note, Device, of(Device)},
	SequenceGap:      {Now, Note, Device, of(Device)},
	Restart:          {Now, Note, Device, of(Device)},
	CardCopies:       {AfterRound, AfterRound, Device, of(Device)},
	CountWrong:       {AfterRound, AfterRound, Device, of(Device)},
	CutEarly:         {AfterRound, AfterRound, Device, of(Device)},
	CutUnseen:        {AfterRound, AfterRound, Device, of(Device)},
	ShoeExhausted:    {AfterRound, AfterRound, Device, of(Device)},
	NewDeckOrder:     {AfterRound, AfterRound, Device, of(Device)},
	LastShoeOrder:    {AfterRound, AfterRound, Device, of(Device)},
	Overdraw:         {Now, Now, Device, of(Device)},
	PushedBack:       {Now, Now, Device, of(Device)},
	LockOpened:       {Now, Now, Device, of(Device)},
	SameCard:         {Now, Now, Device, of(Device)},
	ForeignCard:      {Now, Now, Device, of(Device)},
	SlowDraw:         {Note, Note, NoRemedy, 0},
	BurnUnread:       {Note, Note, NoRemedy, 0},
	ClockStep:        {Note, Note, NoRemedy, 0},
	Refused:          {Note, Note, NoRemedy, 0},
	TimedOut:         {Note, Note, NoRemedy, 0},
	BacNatural:       {Now, Now, Carry, of(Carry, BurnIt)},
	BacBothStand:     {Now, Now, Carry, of(Carry, BurnIt)},
	BacBankerStands:  {Now, Now, Carry, of(Carry, BurnIt)},
	BacComplete:      {Now, Now, Carry, of(Carry, BurnIt)},
	BacWrongHand:     {Now, Now, Use, of(Use, BurnIt, Assign)},
	ClaimDiffers:     {Now, Now, Use, of(Use, BurnIt, Assign)},
	NumberInvalid:    {Now, Now, Device, of(Device)},
	ResultNoSpin:     {Now, Now, Device, of(Device)},
	ResultEarly:      {Now, Now, Device, of(Device)},
	BallEarly:        {Now, Now, Device, of(Device)},
	NoSpinAgain:      {Now, Now, Device, of(Device)},
	ResultHeld:       {Note, Note, NoRemedy, 0},
	SpinUndue:        {Note, Note, NoRemedy, 0},
	ResultDiffers:    {Now, Now, Device, of(Device)},
	ClaimUndue:       {Note, Note, NoRemedy, 0},
	CardResent:       {Note, Note, NoRemedy, 0},
	ResultProposed:   {Now, Note, Device, of(Device)},
	ShoeProposed:     {Note, Note, NoRemedy, 0},
	ContactFault:     {Note, Note, NoRemedy, 0},
}

// Irregular says that the code is an irregularity's, not only a refusal's.
func (c Code) Irregular() bool {
	_, ok := irregularities[c]
	return ok
}

// OfShoe says that the code puts a shoe in doubt, and not the event with which that was found: that was done.
func (c Code) OfShoe() bool { return irregularities[c].inRound == AfterRound }

// Hold is an irregularity that waits for the supervisor.
type Hold struct {
	Seq    int64     `json:"seq"` // the event that raised it, which is its name
	Code   Code      `json:"code"`
	Card   shoe.Card `json:"card"`             // the card that lies aside because of it; private
	Later  bool      `json:"later,omitempty"`  // it holds only when the round has ended
	Reread bool      `json:"reread,omitempty"` // ordered: the next reading gives the card its value
	Bared  bool      `json:"bared,omitempty"`  // the card lies face up where all can see it
	Hand   Hand      `json:"hand,omitempty"`   // the hand on which the card lies, undealt

	first Remedy     // by the house's orders
	fit   remedySet  // likewise
	claim shoe.Claim // where the shoe says the card went
	again shoe.Card  // the shoe has read it again, and nobody has ordered that yet
}

// remedies are what fits the hold, and its default. A card nobody could read can be dealt only when it has a value, by a second reading or a
// correction; until then it can only be burnt. One that everybody has seen is burnt unless the supervisor says otherwise, and so is one whose default is vain: it would
// lead nowhere.
func (h *Hold) remedies(vain remedySet) (first Remedy, fit remedySet) {
	first, fit = h.first, h.fit&^vain
	if vain&of(first) != 0 {
		first, fit = BurnIt, fit|of(BurnIt)
	}
	switch {
	case h.Card == shoe.Unread && h.Code != Misread:
		return BurnIt, fit&^of(Use, Carry, Assign) | of(BurnIt)
	case h.Bared && h.Code != CardMoved && fit&of(BurnIt) != 0:
		return BurnIt, fit
	}
	return first, fit
}

// maxHolds bounds the queue. What comes beyond it is noted, and its card burnt: twelve cards on the felt that nobody was due are
// for a void.
const maxHolds = 12

// holds is the queue, oldest first.
type holds struct {
	list [maxHolds]Hold
	n    uint8
}

func (q *holds) add(h Hold) bool {
	if q.n == maxHolds {
		return false
	}
	q.list[q.n] = h
	q.n++
	return true
}

func (q *holds) remove(i int) {
	copy(q.list[i:], q.list[i+1:q.n])
	q.n--
	q.list[q.n] = Hold{}
}

// find gives the place of a hold by its number and whether an older one stands before it. One event may raise two, of which one waits for the round's end: the number is the other
// one's until then.
func (q *holds) find(seq int64) (i int, older bool) {
	later := -1
	for i = range int(q.n) {
		h := &q.list[i]
		switch {
		case h.Seq == seq && !h.Later:
			return i, older
		case h.Seq == seq:
			later = i
		}
		older = older || !h.Later
	}
	return later, older
}

// active is how many hold the table now.
func (q *holds) active() int {
	n := 0
	for i := range int(q.n) {
		if !q.list[i].Later {
			n++
		}
	}
	return n
}
