// Package shoe is what a card-reading shoe says and holds: cards and their notation, reports, and the
// inventory of one filling.
//
// A shoe is a box of shuffled decks from which the dealer draws cards one at a time; a reading shoe names each
// card as it leaves. What it sends is bytes. A [Decoder] turns bytes into reports and is the same shape as a game,
// one level down: bytes and a time in, reports and bytes to send out. It has no clock, no port and no goroutine, so
// every device can be tested from a table of bytes. The packages below this one (line, …) are decoders.
//
// Three things are not obvious and every decoder is tested for them. The next card equals the last one in 7 of
// 415 draws from eight decks, so "the same code again" never means "a repeat". An unread card takes a place in the
// deal. A cut card takes none.
package shoe

import "time"

// Kind says what a report is about.
type Kind uint8

// The kinds of report. The zero value is none of them.
const (
	Drawn    Kind = iota + 1 // a card left the mouth: Card, Claim
	CutOut                   // the cut card left the mouth
	Pressed                  // a button on the device: Code is its name, Down whether it is held
	Faulted                  // the device reports a fault: Code, Text
	Cleared                  // that fault is over: Code
	Booted                   // the device started afresh: its sequence numbers begin again
	Gap                      // reports were lost on the way and did not come when asked for again
	Conflict                 // a number that was used before came again with other content
	BallIn                   // the ball runs in the rim
	NoSpin                   // that was no spin: no result will come of it
	Number                   // the winning number: N
	Lost                     // the device's port is gone; said by the driver, not by a decoder
	Found                    // and is back
	Reread                   // the device names again a card that left before: Card, Claim; no further card left
	Claimed                  // the shoe's own result of a coup: Result
	Tagged                   // a reader saw a tag that nobody has yet said the card of: Code is its number
	BetsOver                 // the wheel calls no more bets
	Proposed                 // a winning number that nobody saw fall, as when the device is first heard: N, for a person to confirm
)

var kindNames = [...]string{"none", "drawn", "cut", "pressed", "faulted", "cleared", "booted", "gap", "conflict", "ball", "no-spin", "number", "lost", "found", "reread", "claimed", "tagged", "no-more-bets", "proposed"}

// String is the kind in a word.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Side is where a shoe claims to have sent a card.
type Side uint8

// The sides a claim can name.
const (
	Nowhere Side = iota
	ToPlayer
	ToBanker
	ToBurn
	Outside // drawn outside the game: while locked, in error, in the shoe's settings
)

// Claim is a shoe's own opinion of where its card belongs. It is kept and compared, never believed.
// The zero value is no claim.
type Claim struct {
	Side  Side
	Index uint8 // the card's number on that side, from 1; 0 where the side has no order
}

// Winner is who wins a coup by a shoe's own count.
type Winner uint8

// The winners a shoe can name. The zero value is none of them.
const (
	NoWinner   Winner = iota
	PlayerWins        // the player's hand
	BankerWins        // the banker's hand
	Tie               // neither
	Quit              // the coup was ended at the shoe, without a result
)

// Result is a shoe's own opinion of a coup. Like a Claim it is kept and compared, never believed.
type Result struct {
	Winner                 Winner
	PlayerPair, BankerPair bool
}

// Source says which sentence of which device a report came from, so that one sent again is known as such.
// Devices without sequence numbers leave Epoch and Seq zero.
type Source struct {
	Device string `json:"device,omitempty"` // the device's name in the configuration
	Epoch  uint32 `json:"epoch,omitempty"`  // changes each time the device starts
	Seq    uint32 `json:"seq,omitempty"`    // counts 1, 2, 3 … in an epoch
}

// Report is one thing a device said.
type Report struct {
	Kind   Kind
	Card   Card
	Claim  Claim
	Down   bool
	N      uint8  // the winning number
	Result Result // the shoe's own
	Code   string // a fault's code, a button's name, a tag's number
	Text   string // a fault's words, for people
	Source Source
	Raw    []byte // the frame as it came, for the record
}

// Decoder turns a device's bytes into reports. A decoder is used by one goroutine.
//
// Every method may return bytes to send to the device; the caller writes them in the order it got them and need
// not wait for them to arrive.
type Decoder interface {
	// Feed takes bytes as they came, in pieces of any size, with the time since the program's start. Feed(now, nil) is
	// the tick, called a few times a second: it is when a decoder asks again for what is missing and says it is alive.
	Feed(now time.Duration, p []byte) (reports []Report, out []byte)

	// Ack tells the device that everything up to s is on disk, so that it may forget it.
	Ack(s Source) (out []byte)

	// Lock closes or opens the mouth, where the device has a lock.
	Lock(closed bool) (out []byte)

	// Resume is told, before the first Feed and after every reconnection, up to where the record already holds this device's reports:
	// what the device sends again is then known. It forgets a half-received frame.
	Resume(s Source)

	// Understood counts the messages that were whole and known, whether or not there was anything to report. Where bytes come and it stands
	// still, the device is another one, or speaks at another speed.
	Understood() uint64
}
