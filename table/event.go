package table

import (
	"math/bits"
	"time"

	"sabot/shoe"
)

// Kind is the kind of an event.
type Kind uint8

// The kinds of event, grouped by who causes them. The zero value is no event.
const (
	NoEvent Kind = iota

	// the supervisor, or the dealer's NEXT with the supervisor's key
	TableOpen  // the day begins
	TableClose // the day ends
	NewShoe    // shoe N is filled and ready
	Count      // N cards were left in the old shoe
	Dealer     // a dealer takes the table
	Burn       // burn N cards face down, now

	// the shoe, or the supervisor by hand
	Draw // a card left the shoe
	Cut  // the cut card left the shoe

	// the shoe, of what it said before
	Resent // it names a card again; no further one left
	Claims // its own result of a coup

	// betting
	Open  // place your bets
	Bet   // a bettor's whole slip, in place of his former one
	Close // no more bets: these seats play

	// players' decisions
	Hit
	Stand
	Double
	Split
	Surrender
	Insure
	EvenMoney
	Decline
	Short  // the hand's balance fails at its next decision
	Plan   // what a hand will do when its turn comes
	Follow // a bettor behind will follow a double of the hand, or its split

	// the dealer
	Peek
	Reveal
	Stop

	// the wheel
	Ball
	Result
	NoSpin
	NoMoreBets // the wheel calls the end of betting
	Proposed   // a number lies on the wheel that nobody saw fall: for the supervisor to confirm

	// the supervisor
	Pause
	Resume
	Release
	Correct
	Undo
	Void
	Retire
	Dispute
	Expose // the card that lies aside was seen by all

	// devices and the program itself
	Lost
	Found
	Fault
	Clear
	Timeout
	Clock
	Started // the program started again after N nanoseconds
	Refusal // something was refused: Code, and its text in Text.Name
	Checked // N decks were run through the shoe before a shift: what was found of them, in Text.Detail
	Program // which program writes from here on: its version in Text.Name, the hashes of its file and of its configuration in Text.Detail

	kinds
)

// Hand names a hand on the felt: the dealer's, baccarat's two, or one of a seat's up to four in playing order.
type Hand uint8

// The hands that belong to no seat. NoHand, the zero value, means "the hand whose turn it is" in a decision.
const (
	NoHand Hand = iota
	DealerHand
	PlayerHand
	BankerHand
)

// MaxSeats and MaxHands bound a table: seats 1 to MaxSeats, each with up to MaxHands hands after splits.
const (
	MaxSeats = 7
	MaxHands = 4
)

// SeatHand is the hand i (0 is "a") of a seat.
func SeatHand(seat, i int) Hand { return Hand(seat<<2 | i) }

// Seat is the hand's seat, or 0.
func (h Hand) Seat() int { return int(h >> 2) }

// Index is the hand's place in the seat's playing order, from 0.
func (h Hand) Index() int { return int(h & 3) }

// Seats is a set of seats, a bit for each.
type Seats uint8

// Seat is the set of that one seat.
func Seat(n int) Seats { return 1 << n }

// Has says whether seat n is in s.
func (s Seats) Has(n int) bool { return s>>n&1 != 0 }

// Len is the number of seats in s.
func (s Seats) Len() int { return bits.OnesCount8(uint8(s)) }

// Next is the lowest seat of s above n, or 0.
func (s Seats) Next(n int) int {
	rest := s &^ (2<<(n&7) - 1)
	if rest == 0 {
		return 0
	}
	return bits.TrailingZeros8(uint8(rest))
}

// MakeSeats makes a set of a list, which must be ascending and within 1 to max.
func MakeSeats(list []int, max int) (Seats, Code) {
	var s Seats
	last := 0
	for _, n := range list {
		if n <= last || n > max || n > MaxSeats {
			return 0, SeatsInvalid
		}
		s |= Seat(n)
		last = n
	}
	return s, OK
}

// Remedy is what the supervisor orders for an irregularity.
type Remedy uint8

// The remedies. NoRemedy, the zero value, asks for the irregularity's default.
const (
	NoRemedy Remedy = iota
	Use             // the card is the next one due
	BurnIt          // the card is discarded
	Carry           // the card is the first of the next round
	Assign          // the card goes to the hand named
	Reread          // the next reading gives the card its value
	Turn            // the hole card was exposed: it is turned for all
	Device          // it was looked at and is in order: go on
	remedies
)

// Text is what an event carries in words. It is never changed once an event holds it.
type Text struct {
	Name    string // a device, a dealer, a bettor's reference; for Refusal, what was refused
	Detail  string // a fault's code; a slip's bets; what a check of the decks found
	By      string // who ordered it
	Because string // and why
}

// Event is something that happened at the table. Its first two fields are the stamp of the loop that recorded it;
// the rest is its notation. Which fields a kind uses is said by the notation, see Parse.
type Event struct {
	Seq int64         // its number in the record
	At  time.Duration // game time, see package live

	N      int64 // a number: shoe, count, amount, pocket, another event's Seq, or nanoseconds
	Text   *Text // nil where there are no words
	Kind   Kind
	Action Kind // Plan: the decision planned
	Phase  Phase
	Hand   Hand
	Seats  Seats
	Card   shoe.Card
	Claim  shoe.Claim
	Coup   shoe.Result // Claims: what the shoe makes of the coup
	Remedy Remedy
	Code   Code
	Behind bool // Close, from a ledger to its game and in no notation: somebody bets behind, and answers to insurance too

	inner inner     // from Round to its game and in no notation either
	was   shoe.Card // what the card corrected was taken for
}

// inner is what Round has its game do of a correction, or think of an event after one.
type inner uint8

const (
	asked      inner = iota // nothing but what the notation says
	liesDown                // the card lies face down on the hand, and is not dealt there
	liesUp                  // likewise face up
	bared                   // the hole card was turned
	recounted               // the card of a round that is over was another one
	goesOn                  // the round was played again: say what is due
	goesOnMute              // likewise, and nobody may notice
	lifted                  // of Void: the round had ended, and only lies on the felt still
	overruled               // of Claims and Resent: by a shoe that misread a card of this round
)

// Overruled says that the shoe said it before a card of its round was corrected: it knew no better, and contradicts nobody.
func (e *Event) Overruled() bool { return e.inner == overruled }

// By is who ordered the event, "" where nobody did.
func (e *Event) By() string {
	if e.Text == nil {
		return ""
	}
	return e.Text.By
}

// Equal says that two events have the same stamp and notation.
func (e Event) Equal(o Event) bool {
	var a, b Text
	if e.Text != nil {
		a = *e.Text
	}
	if o.Text != nil {
		b = *o.Text
	}
	e.Text, o.Text = nil, nil
	return e == o && a == b
}

// Decision says that the kind is a player's decision, its plan, or a bettor's to follow it.
func (k Kind) Decision() bool { return k >= Hit && k <= Follow }

// Supervisor says that only a supervisor may cause this kind.
func (k Kind) Supervisor() bool {
	switch k {
	case TableOpen, TableClose, NewShoe, Count, Burn, Resume, Release, Correct, Undo, Void, Retire, Dispute, Expose:
		return true
	}
	return false
}
