package blackjack

import (
	"time"

	"sabot/table"
)

// Peek says against which up cards the dealer looks at the hole card before anybody plays.
type Peek uint8

// The settings of peek. Where the dealer does not look, a natural is found at the end and takes doubles and splits too.
const (
	PeekNever  Peek = iota // 003, L28
	PeekTen                // 002 read literally, L65
	PeekAceTen             // 000, 004; 002, where the look at an ace's hole card follows the answers to insurance
)

// Split says which two cards are a pair that may be split.
type Split uint8

// The settings of split.
const (
	SplitPoints Split = iota // the same points: K-10 may be split (000, L93; 004)
	SplitFace                // the same rank (003, L42-44)
)

// SplitDeal says when a split hand gets its second card.
type SplitDeal uint8

// The settings of split_deal. The rule sheets do not all say when; only the order of the cards differs.
const (
	InTurn SplitDeal = iota // when it is its turn
	Both                    // both at once, when the split is made
)

// Surrender says when half a bet may be given up.
type Surrender uint8

// The settings of surrender.
const (
	NoSurrender   Surrender = iota
	Late2to9                // the hand's first decision, against 2 to 9 (000, L84-85)
	LateAnyUpCard           // the hand's first decision, against any up card
)

// TimeoutRule says what becomes of a hand that is not decided in time.
type TimeoutRule uint8

// The settings of timeout_rule.
const (
	NoTimeoutRule TimeoutRule = iota // the rules say nothing: the game server must decide
	DrawPast11                       // 11 or less draws until it is more, then stands (000, L115)
)

// ShortRule says what becomes of a double or split whose balance fails when it is carried out.
type ShortRule uint8

// The settings of short_of_money.
const (
	ShortConverts ShortRule = iota // double: a hit; split: a hit on 11 or less, else a stand (000, L90, L100-102)
	ShortRefuses                   // only hit and stand remain (004, L33)
)

// Rules are a blackjack table's rules as data. A preset is a value of this type; a house changes fields of a copy.
type Rules struct {
	table.House

	Name             string      // the preset's
	Seats            uint8       // seats at the table, 1 to 7
	Peek             Peek        //
	HoleCard         bool        // the dealer's second card is dealt, face down, in the initial deal
	Split            Split       //
	SplitHands       uint8       // hands of a seat after splits, 2 to 4
	SplitDeal        SplitDeal   //
	DealerHitsSoft17 bool        //
	DrawWithoutStake bool        // the dealer completes his hand although nothing depends on it (002, L12-13)
	DoubleAfterSplit bool        // never on split aces
	Surrender        Surrender   //
	Insurance        bool        // offered against an ace
	EvenMoney        bool        // a natural against an ace is offered 1:1 instead of insurance (002, L37-38)
	Timeout          TimeoutRule //
	Short            ShortRule   //
	Pair             bool        // the Pair side bet is on the felt, and reported
	Buttons          bool        // the dealer's box enters what players decide; else a game server does
	ImpliedHit       bool        // a card drawn while the hand in turn is to decide is its hit
}

// house is what every preset takes for its procedure until the configuration says otherwise.
var house = table.House{
	Burn: table.BurnRule{}, Grace: 2 * time.Second, MinBets: 5 * time.Second,
	BetTime: 15 * time.Second, InsuranceTime: 10 * time.Second, DecisionTime: 15 * time.Second,
	ImpliedPeek: true, ImpliedReveal: true, CutLeast: 50, // no sheet says where the cut card lies; nobody cuts off half a shoe
}

// Deluxe is rule sheet 000, «Blackjack de luxo»: 8 decks, burn by value, peek on ace and ten, one split, late surrender 2 to 9.
func Deluxe() Rules {
	h := house
	h.Decks, h.Burn = 8, table.BurnRule{ByValue: true}
	return Rules{
		House: h, Name: "deluxe", Seats: 7, Peek: PeekAceTen, HoleCard: true, Split: SplitPoints, SplitHands: 2, SplitDeal: InTurn,
		DoubleAfterSplit: true, Surrender: Late2to9, Insurance: true, Timeout: DrawPast11, Short: ShortConverts, Pair: true,
	}
}

// Classic is rule sheet 002, «Blackjack™»: 6 decks shuffled every round, 3 boxes, peek on ten at once and on the ace after insurance, even
// money, and a dealer who always completes his hand.
func Classic() Rules {
	h := house
	h.Decks, h.Shuffle = 6, table.EveryRound
	return Rules{
		House: h, Name: "classic", Seats: 3, Peek: PeekAceTen, HoleCard: true, Split: SplitPoints, SplitHands: 2, SplitDeal: InTurn,
		DrawWithoutStake: true, DoubleAfterSplit: true, Insurance: true, EvenMoney: true,
	}
}

// Live is the blackjack of rule sheet 003: 8 decks, no peek, splits of equal rank only.
func Live() Rules {
	h := house
	h.Decks = 8
	return Rules{
		House: h, Name: "live", Seats: 7, Peek: PeekNever, HoleCard: true, Split: SplitFace, SplitHands: 2, SplitDeal: InTurn,
		DoubleAfterSplit: true, Insurance: true,
	}
}

// Didactic is rule sheet 004, «Blackjack♠»: 6 decks shuffled every round, up to 4 hands of a seat, chips that may run out.
func Didactic() Rules {
	h := house
	h.Decks, h.Shuffle = 6, table.EveryRound
	return Rules{
		House: h, Name: "didactic", Seats: 6, Peek: PeekAceTen, HoleCard: true, Split: SplitPoints, SplitHands: 4, SplitDeal: InTurn,
		DoubleAfterSplit: true, Insurance: true, Short: ShortRefuses,
	}
}
