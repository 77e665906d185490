package table

import "fmt"

// Code says in one word why something was refused or what is irregular. Its text never changes: game servers,
// auditors and the record rely on it. OK, the zero value, means nothing is wrong.
type Code uint8

// Codes of cards and decisions that break the rules of the game.
const (
	OK                  Code = iota
	SeatsInvalid             // seat out of range, twice, or not ascending
	CardInvalid              // no such card
	CardCopies               // more copies of it than decks
	ExtraCard                // card while none is due
	CardAfterEnd             // card after the round
	CardDue                  // decision although a card is due
	UnknownAction            // no such decision in this game
	SeatEmpty                // nobody plays on that seat
	NoSuchHand               // the seat has no such hand
	NotYourTurn              // another hand, or nobody, is to act
	RoundOver                // the dealer's natural ended the round
	HandDone21               // the hand is complete: 21
	HandDoneBlackjack        // … a natural
	HandDoneBust             // … bust
	HandDoneStood            // … stood
	HandDoneDoubled          // … doubled
	HandDoneSplitAce         // … a split ace
	HandDoneSurrendered      // … surrendered
	HandDoneEvenMoney        // … even money taken
	DoubleNotFirstTwo        // double on other than two cards
	SplitNotFirstTwo         // split of other than two cards
	SplitNotPair             // the two cards do not have the same points
	SplitDifferentFace       // the two cards do not have the same rank
	Resplit                  // the hand is one of a split
	SplitMaxHands            // the seat has as many hands as it may
	SurrenderNotOffered      // these rules have no surrender
	SurrenderUpCard          // not against this up card
	SurrenderNotFirst        // no longer the hand's first decision
	InsuranceNotOffered      // these rules have no insurance
	InsuranceUpCard          // the up card is no ace
	InsuranceLate            // play has begun
	InsuranceTwice           // the seat has answered
	InsuranceBJ              // a natural takes even money instead
	EvenMoneyNotOffered      // these rules have no even money
	EvenMoneyNoBJ            // the hand is no natural
	TimeoutNotDefined        // these rules have no time-out
	InsufficientChips        // the balance does not cover it
	BetNotOffered            // no such bet in this game
	BacNatural               // card too many: a natural ended the coup
	BacBothStand             // … both hands stand on two cards
	BacBankerStands          // … the Banker stands on two cards
	BacComplete              // … the last third card was drawn
	BacWrongHand             // the card was put on the other hand
	NumberInvalid            // no such pocket on the wheel
	BetInvalid               // no whole, positive stake, or not written as a bet
	BetLate                  // no more bets
	BetLayout                // no such place on the felt
	BetLimit                 // under the least or over the most of its kind
	BetTwice                 // the same bet twice in one slip
	BetUnequal               // a player's two seats do not carry the same stake
	BetSeats                 // more seats than one player may have
	BetBehindSelf            // behind one's own seat
	BetFull                  // the ledger takes no more bets this round
	NoSuchBet                // the bettor has no such bet
	SeatTaken                // somebody else bets on that seat
	SessionOver              // the session's last round has been played
)

// Codes of the procedure.
const (
	BurnCount        Code = iota + 64 // burn short, or one card too many
	ShoeFinished                      // the shoe's final round has been played
	Misread                           // a card nobody could read where its value is needed
	BurnUnread                        // a face-down burnt card was not read
	CardHeld                          // a card while the table is held or paused
	DealerCardDue                     // a new round although the dealer's card is due
	DeviceLost                        // a device does not answer
	DeviceFault                       // a device reports a fault
	DeviceRestart                     // a device started afresh
	SequenceGap                       // reports of a device were lost
	SequenceConflict                  // a device used a number again for something else
	Restart                           // the program started afresh
	InternalFault                     // the program failed on this event and set it aside
	StopPressed                       // the dealer, or the floor, called the supervisor
	CountWrong                        // seen and left do not make what was loaded
	ClockStep                         // the wall clock was set
	Refused                           // something was refused
	TimedOut                          // a clock ran out where the rules say nothing of it
	TableClosed                       // the table is closed
	TableIsOpen                       // the table is open
	RoundRunning                      // a round is running
	NoRound                           // no round is running
	BetsClosed                        // no more bets
	NotShoeChange                     // not while a shoe is in play
	NoSuchHold                        // nothing with that number waits for release
	NotOldest                         // an older irregularity waits
	RemedyRefused                     // not for this irregularity, or not now
	ByMissing                         // who orders it is not said
	NotOffered                        // this table does not know it
	Held                              // the table is held
	Paused                            // the table is paused
	NotPaused                         // the table is not paused
	Stale                             // it speaks of a state that has passed
	Retained                          // commands must not be retained
	Malformed                         // not readable as a command
	TooLarge                          // longer than a command may be
	Rate                              // too many in a short time
	Busy                              // the queue is full
	ClaimDiffers                      // the shoe says a card went elsewhere than it is due
	ResultNoSpin                      // a number without a ball in the rim
	ResultEarly                       // a number while bets are open
	ResultHeld                        // a number while the table is stopped: it waits
	BallEarly                         // the ball is in the rim while bets are open, and this house closes them first
	SpinUndue                         // the wheel was spun, or gave a number, and no round was waiting for it
	NoSpinAgain                       // the second void spin of a round
	NotHeld                           // only while the table is stopped
	CutEarly                          // the cut card came before the least part of the shoe that this house deals in front of it
	CutUnseen                         // the shoe is empty and its cut card never came
	ShoeExhausted                     // the shoe's last card was drawn, in a round, a burn or between them
	NewDeckOrder                      // the cards come in the order of new decks
	LastShoeOrder                     // the cards come in the order of the last shoe
	CardMoved                         // after a correction the card would lie elsewhere
	OutOfReach                        // too much has happened since for a correction
	Overdraw                          // the shoe gave a card too many
	PushedBack                        // a card was pushed back into the shoe
	LockOpened                        // the shoe was opened
	SameCard                          // the same card, by its own number, a second time
	ForeignCard                       // a card that is none of the shoe's
	NoHoleCard                        // no hole card lies face down
	SlowDraw                          // a card took long to leave the shoe
	RecordDoubt                       // the record does not vouch for what lies on the felt
	RestartLoop                       // the program started afresh again and again without getting anywhere
	DiskFull                          // there is no room to record a round to its end
	ResultDiffers                     // the shoe's own result of the coup is another one than ours
	ClaimUndue                        // the shoe gave a result, or ended a coup, where we know of none
	CardResent                        // the shoe named a card again that it had named before
	ResultProposed                    // a number lies on the wheel that nobody saw fall
	ShoeProposed                      // a shoe that is changed started afresh, as with new cards
	ContactFault                      // a button's contact is stuck, chatters, or cannot be read
	codes
)

var codeNames = [...]string{
	OK: "OK", SeatsInvalid: "SEATS_INVALID", CardInvalid: "CARD_INVALID", CardCopies: "CARD_COPIES", ExtraCard: "EXTRA_CARD",
	CardAfterEnd: "CARD_AFTER_END", CardDue: "CARD_DUE", UnknownAction: "UNKNOWN_ACTION", SeatEmpty: "SEAT_EMPTY", NoSuchHand: "NO_SUCH_HAND",
	NotYourTurn: "NOT_YOUR_TURN", RoundOver: "ROUND_OVER", HandDone21: "HAND_DONE_21", HandDoneBlackjack: "HAND_DONE_BLACKJACK",
	HandDoneBust: "HAND_DONE_BUST", HandDoneStood: "HAND_DONE_STOOD", HandDoneDoubled: "HAND_DONE_DOUBLED", HandDoneSplitAce: "HAND_DONE_SPLIT_ACE",
	HandDoneSurrendered: "HAND_DONE_SURRENDERED", HandDoneEvenMoney: "HAND_DONE_EVEN_MONEY", DoubleNotFirstTwo: "DOUBLE_NOT_FIRST_TWO",
	SplitNotFirstTwo: "SPLIT_NOT_FIRST_TWO", SplitNotPair: "SPLIT_NOT_PAIR", SplitDifferentFace: "SPLIT_DIFFERENT_FACE", Resplit: "RESPLIT",
	SplitMaxHands: "SPLIT_MAX_HANDS", SurrenderNotOffered: "SURRENDER_NOT_OFFERED", SurrenderUpCard: "SURRENDER_UPCARD", SurrenderNotFirst: "SURRENDER_NOT_FIRST",
	InsuranceNotOffered: "INSURANCE_NOT_OFFERED", InsuranceUpCard: "INSURANCE_UPCARD", InsuranceLate: "INSURANCE_LATE", InsuranceTwice: "INSURANCE_TWICE",
	InsuranceBJ: "INSURANCE_BJ", EvenMoneyNotOffered: "EVEN_MONEY_NOT_OFFERED", EvenMoneyNoBJ: "EVEN_MONEY_NO_BJ", TimeoutNotDefined: "TIMEOUT_NOT_DEFINED",
	InsufficientChips: "INSUFFICIENT_CHIPS", BetNotOffered: "BET_NOT_OFFERED", BacNatural: "BAC_NATURAL", BacBothStand: "BAC_BOTH_STAND",
	BacBankerStands: "BAC_BANKER_STANDS", BacComplete: "BAC_COMPLETE", BacWrongHand: "BAC_WRONG_HAND", NumberInvalid: "NUMBER_INVALID",
	BetInvalid: "BET_INVALID", BetLate: "BET_LATE", BetLayout: "BET_LAYOUT", BetLimit: "BET_LIMIT", BetTwice: "BET_TWICE", BetUnequal: "BET_UNEQUAL", BetSeats: "BET_SEATS",
	BetBehindSelf: "BET_BEHIND_SELF", BetFull: "BET_FULL", NoSuchBet: "NO_SUCH_BET", SeatTaken: "SEAT_TAKEN", SessionOver: "SESSION_OVER",
	BurnCount: "BURN_COUNT", ShoeFinished: "SHOE_FINISHED", Misread: "MISREAD", BurnUnread: "BURN_UNREAD", CardHeld: "CARD_HELD", DealerCardDue: "DEALER_CARD_DUE",
	DeviceLost: "DEVICE_LOST", DeviceFault: "DEVICE_FAULT", DeviceRestart: "DEVICE_RESTART", SequenceGap: "SEQUENCE_GAP", SequenceConflict: "SEQUENCE_CONFLICT",
	Restart: "RESTART", InternalFault: "INTERNAL_FAULT", StopPressed: "STOP", CountWrong: "COUNT_WRONG", ClockStep: "CLOCK_STEP", Refused: "REFUSED", TimedOut: "TIMED_OUT",
	TableClosed: "TABLE_CLOSED", TableIsOpen: "TABLE_OPEN", RoundRunning: "ROUND_RUNNING", NoRound: "NO_ROUND", BetsClosed: "BETS_CLOSED", NotShoeChange: "NOT_SHOE_CHANGE",
	NoSuchHold: "NO_SUCH_HOLD", NotOldest: "NOT_OLDEST", RemedyRefused: "REMEDY_REFUSED", ByMissing: "BY_MISSING", NotOffered: "NOT_OFFERED", Held: "HELD", Paused: "PAUSED",
	NotPaused: "NOT_PAUSED", Stale: "STALE", Retained: "RETAINED", Malformed: "MALFORMED", TooLarge: "TOO_LARGE", Rate: "RATE", Busy: "BUSY",
	ClaimDiffers: "CLAIM_DIFFERS", ResultNoSpin: "RESULT_WITHOUT_SPIN", ResultEarly: "RESULT_EARLY", ResultHeld: "RESULT_HELD", BallEarly: "BALL_EARLY",
	SpinUndue: "SPIN_UNDUE", NoSpinAgain: "NO_SPIN_AGAIN", NotHeld: "NOT_HELD",
	CutEarly: "CUT_EARLY", CutUnseen: "CUT_UNSEEN", ShoeExhausted: "SHOE_EXHAUSTED", NewDeckOrder: "NEW_DECK_ORDER", LastShoeOrder: "LAST_SHOE_ORDER",
	CardMoved: "CARD_MOVED", OutOfReach: "OUT_OF_REACH", Overdraw: "OVERDRAW", PushedBack: "PUSHED_BACK", LockOpened: "LOCK_OPENED",
	SameCard: "SAME_CARD", ForeignCard: "FOREIGN_CARD", NoHoleCard: "NO_HOLE_CARD", SlowDraw: "SLOW_DRAW",
	RecordDoubt: "RECORD_DOUBT", RestartLoop: "RESTART_LOOP", DiskFull: "DISK_FULL",
	ResultDiffers: "RESULT_DIFFERS", ClaimUndue: "CLAIM_UNDUE", CardResent: "CARD_RESENT", ResultProposed: "RESULT_PROPOSED", ShoeProposed: "SHOE_PROPOSED",
	ContactFault: "CONTACT_FAULT",
}

// String is the code as cases, replies and the record spell it.
func (c Code) String() string {
	if int(c) < len(codeNames) && codeNames[c] != "" {
		return codeNames[c]
	}
	return "UNKNOWN"
}

// ParseCode finds a code by its text.
func ParseCode(s string) (Code, bool) {
	for c, name := range codeNames {
		if name == s && name != "" {
			return Code(c), true
		}
	}
	return OK, false
}

// MarshalText is String: the record spells codes out, so that their numbers may change.
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText is ParseCode.
func (c *Code) UnmarshalText(b []byte) error {
	code, ok := ParseCode(string(b))
	if !ok {
		return fmt.Errorf("table: %q is no code", b)
	}
	*c = code
	return nil
}
