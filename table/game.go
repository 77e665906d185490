package table

import (
	"time"

	"sabot/shoe"
)

// Game is one table's game, implemented by pointers to plain comparable structs: assignment snapshots a game and ==
// compares two. Inside there is no clock, goroutine, I/O, map, slice, string or randomness, and no pointer but the
// one to the rules.
type Game interface {
	// Check says whether a decision, bet or command may be taken now: OK, or why not. It is asked before the event is
	// recorded, and changes nothing. What devices report happened, and skips it.
	Check(Event) Code

	// Step changes the game by an event that happened and appends what may be said of it. It never fails.
	Step(Event, []Call) []Call

	// Deadline is the game time at which a timeout is wanted; 0 for never.
	Deadline() time.Duration

	// Layout is what can be seen on the felt.
	Layout() Layout

	// Opening is what is left of a game when a shoe has just been filled: enough to begin the next segment of the
	// record without the last one.
	Opening() Opening
}

// CardGame is what the shared procedure needs to know of a game: implemented by every game with cards.
type CardGame interface {
	// CardDue says whether the dealer is to draw a card now, and whether it goes face down.
	CardDue() (due, down bool)

	// Place deals the card that is due.
	Place(Event, shoe.Card, []Call) []Call

	// Takes says whether a card the supervisor gives to a hand can go there now: it is due there, or it is the hit of the hand in turn.
	Takes(Hand) Code

	// Lay deals it there. NoHand is the hand a card is due to.
	Lay(Event, Hand, shoe.Card, []Call) []Call

	// HoleDown says that a hole card lies face down; Bare turns it for all, because all have seen it.
	HoleDown() bool
	Bare(Event, []Call) []Call

	// Announce says again what is due, after a stop.
	Announce(Event, []Call) []Call

	// Abandon takes the round's hands off the felt without a result.
	Abandon()
}

// Opening is a game's state at the moment a shoe has been filled, in the header of a segment.
type Opening struct {
	Open   bool   `json:"open"`
	Round  uint32 `json:"round"`
	Shoe   uint32 `json:"shoe"`
	Paused bool   `json:"paused"`
	Holds  []Hold `json:"holds,omitempty"`
	Last   string `json:"last_shoe,omitempty"` // the cards of the last shoe in the order drawn, those that were seen by all: see Round

	laid bool      // for Stops: see Procedure.laid
	vain remedySet // likewise
}
