package table

import (
	"strconv"
	"time"

	"sabot/shoe"
)

// Audience says who may hear a call.
type Audience uint8

// The audiences. ToAll is everybody, overlays and the public among them.
const (
	ToAll Audience = iota
	ToFloor
	ToGame
)

// Word is the word of a call.
type Word uint8

// The words of calls. What a word carries is said at the function that makes it.
const (
	NoCall        Word = iota
	CallShoe           // a shoe is in play: N its number
	CallBurn           // a card was burnt: Card when it lay face up, N how many are still to go
	CallOpen           // place your bets: N the round, Left the time
	CallClosed         // no more bets: Seats play
	CallCard           // a card was dealt: Hand, Card (NoCard for its back), Why, Total, Soft
	CallDue            // somebody is to act: Due, Hand or Seats, May, Left
	CallDecision       // a decision was taken: Hand, Action
	CallSplit          // a hand became two: Hand and Other
	CallInsured        // an answer to insurance: Hand, Action
	CallPeek           // the dealer looked: Natural
	CallReveal         // the hole card was turned: Card, Total, Soft
	CallPair           // a seat's first two cards and the up card: Hand, Pair
	CallResult         // a hand's result, or its seat's insurance: Hand, Outcome, Status, Stake, Net …; a coup's: Coup
	CallCut            // the cut card came
	CallLast           // the round N is the shoe's last
	CallSpin           // the ball is in the rim
	CallNumber         // the winning number N
	CallStopped        // the table stopped; never why
	CallReleased       // to all: it goes on; to the floor: Ref was released with Remedy
	CallPaused         // the supervisor paused the table
	CallResumed        // and resumed it
	CallCorrected      // the event Ref does not stand; take the layout for what does
	CallVoid           // the round N has no result; see Again where it had one
	CallEnd            // the round N is over: Ended, Total of the dealer
	CallIrregular      // floor: irregularity Ref: Code, Class, Remedy its default
	CallNoSpin         // the spin is void: the bets stand, and the ball is spun again
	CallTaken          // game: a bettor's stake was taken: Reference, Spot, Hand where it was added to one, Staked
	CallPaid           // game: his bet is decided: Reference, Spot, Hand, Staked, Paid, which is what goes back to him of it and his win
	CallRefunded       // game: his stake is given back, the bet being none: Reference, Spot, Staked
	CallReversed       // game: no settlement of the event Ref stands
	CallExposed        // floor: the card that lies aside for irregularity Ref was seen by all: Card, Remedy its default now
	callWords
)

var callNames = [callWords]string{
	"none", "shoe", "burn", "open", "closed", "card", "due", "decision", "split", "insurance", "peek", "reveal", "pair", "result", "cut", "last-round",
	"spin", "number", "stopped", "released", "paused", "resumed", "corrected", "void", "end", "irregularity", "no-spin",
	"taken", "paid", "refunded", "reversed", "exposed",
}

// String is the call's word.
func (w Word) String() string { return callNames[w] }

// Why says why a card was dealt where it was.
type Why uint8

// The reasons for a card.
const (
	WhyNone   Why = iota
	WhyDeal       // the initial deal
	WhyHole       // the dealer's face-down card
	WhySplit      // the second card of a split hand
	WhyHit        // a hit
	WhyDouble     // the one card after doubling
	WhyAuto       // drawn because the clock ran out
	WhyDealer     // the dealer's own draw
	WhyThird      // a third card by the tableau
)

var whyNames = [...]string{"", "deal", "hole", "split", "hit", "double", "auto", "dealer", "third"}

// String is the reason in a word.
func (w Why) String() string { return whyNames[w] }

// DueKind is what a table waits for.
type DueKind uint8

// What can be due. A card's hand is known from the layout.
const (
	DueNothing DueKind = iota
	DueCard
	DueDecision
	DueInsurance
	DuePeek
	DueReveal
	DueOpen
	DueClose
	DueBurn
	DueShoe
	DueReread
	DueBall
	DueResult
)

var dueNames = [...]string{"nothing", "card", "decision", "insurance", "peek", "reveal", "open", "close", "burn", "shoe", "reread", "ball", "result"}

// String is what is due in a word.
func (d DueKind) String() string { return dueNames[d] }

// ParseDue finds what is due by its word; DueNothing means that there is no such thing.
func ParseDue(word string) DueKind {
	for d := range dueNames {
		if dueNames[d] == word {
			return DueKind(d)
		}
	}
	return DueNothing
}

// Status is why a hand stopped playing.
type Status uint8

// The statuses, in the words of the record.
const (
	Playing Status = iota
	Stood
	TwentyOne
	Blackjack
	Bust
	Doubled
	SplitAce
	Surrendered
	TookEvenMoney
	Unplayed // the dealer's natural ended the round first
)

var statusNames = [...]string{"playing", "stood", "21", "blackjack", "bust", "doubled", "split_ace", "surrendered", "even_money", "unplayed"}

// String is the status in the record's word.
func (s Status) String() string { return statusNames[s] }

// Outcome is how a hand or a bet ended.
type Outcome uint8

// The outcomes.
const (
	NoOutcome Outcome = iota
	WonBlackjack
	Won
	Pushed
	LostBet
	LostBust
	LostHalf
	PaidEven
)

var outcomeNames = [...]string{"", "blackjack", "win", "push", "lose", "bust", "surrender", "even_money"}

// String is the outcome in the record's word.
func (o Outcome) String() string { return outcomeNames[o] }

// Pair is the class of the Pair side bet, of which only the highest counts.
type Pair uint8

// The classes of pair, ascending.
const (
	NoPair Pair = iota
	MixedPair
	ColouredPair
	PerfectPair
	SuitedTrips
)

var pairNames = [...]string{"none", "mixed", "coloured", "perfect", "suited_trips"}

// String is the class in the record's word.
func (p Pair) String() string { return pairNames[p] }

// Winner is who won a coup.
type Winner uint8

// The winners. NoWinner, the zero value, means that there was no coup.
const (
	NoWinner Winner = iota
	PlayerWins
	BankerWins
	Tie
)

var winnerNames = [...]string{"", "player", "banker", "tie"}

// String is the winner in a word.
func (w Winner) String() string { return winnerNames[w] }

// Coup is a coup's result. It is information: which bets it decides is the ledger's.
type Coup struct {
	Winner     Winner
	Player     uint8 // the Player's total
	Banker     uint8 // the Banker's
	PlayerPair bool  // the Player's first two cards have the same rank
	BankerPair bool
}

// Ended is how a round ended.
type Ended uint8

// The endings.
const (
	NotEnded Ended = iota
	EndedDealerBlackjack
	EndedAllBlackjack
	EndedNoLiveHand
	EndedPlayedOut
	EndedNoSeats
	EndedVoid
)

var endedNames = [...]string{"", "dealer_blackjack", "all_blackjack", "no_live_hand", "played_out", "no_seats", "void"}

// String is the ending in the record's word.
func (e Ended) String() string { return endedNames[e] }

// Actions is a set of the decisions Hit to Decline.
type Actions uint8

// Can is the set of one decision.
func Can(k Kind) Actions { return 1 << (k - Hit) }

// Has says whether the decision is in a.
func (a Actions) Has(k Kind) bool { return k >= Hit && k <= Decline && a&Can(k) != 0 }

// Words are the decisions in the notation.
func (a Actions) Words() []string {
	var words []string
	for k := Hit; k <= Decline; k++ {
		if a.Has(k) {
			words = append(words, k.Word())
		}
	}
	return words
}

// Call is what a game says of an event, to an audience. It has no pointers, so games can append thousands
// without allocating. Stake and Net are in half bet units: a bet of 1 is 2 halves, 3:2 on it is a Net of 3; Staked and Paid are money.
type Call struct {
	N    int64         // a round, a shoe, a count, a pocket
	Ref  int64         // the seq of the event it speaks of
	Left time.Duration // how long the clock runs

	Staked int64 // minor units
	Paid   int64

	Word    Word
	To      Audience
	Hand    Hand
	Other   Hand
	Card    shoe.Card
	Why     Why
	Total   uint8
	Seats   Seats
	May     Actions
	Due     DueKind
	Action  Kind
	Code    Code
	Class   Class
	Remedy  Remedy
	Status  Status
	Outcome Outcome
	Pair    Pair
	Coup    Coup
	Ended   Ended
	Spot    Spot
	Stake   int8
	Net     int8
	Soft    bool
	Natural bool
	Split   bool // the hand came of a split
	Doubled bool // the hand was doubled
	Manual  bool // entered by hand
}

// Add appends a call of a word and gives it, to be filled in where it lies: a call built elsewhere is copied, which costs as much
// as the rest of a step.
func Add(calls []Call, w Word) ([]Call, *Call) {
	n := len(calls)
	if n < cap(calls) {
		calls = calls[:n+1]
		calls[n] = Call{}
	} else {
		calls = append(calls, Call{})
	}
	calls[n].Word = w
	return calls, &calls[n]
}

// AppendJSON appends the call as one JSON object. The encoding is canonical: equal calls give equal bytes, and
// replay compares them. CallsVersion changes when it does.
func (c *Call) AppendJSON(b []byte) []byte {
	j := object{append(b, `{"call":"`...)}
	j.b = append(append(j.b, c.Word.String()...), '"')
	calls[c.Word](&j, c)
	if again[c.Word] && c.Ref > 0 && c.Left > 0 {
		j.num("rev", int64(c.Left))
		j.num("replaces", c.Ref)
	}
	if c.Manual {
		j.yes("manual", true)
	}
	return append(j.b, '}')
}

// again are the calls that may stand in place of what was said before: those that are said again when a correction changes them, and the voiding of a round that had ended.
var again = [callWords]bool{CallCard: true, CallPeek: true, CallReveal: true, CallPair: true, CallResult: true, CallEnd: true, CallVoid: true}

// Again says that the call stands in place of one that the event replaced made; rev counts the corrections of its round. Both
// lie in numbers that such a call has no other use for.
func (c *Call) Again(rev uint8, replaced int64) { c.Left, c.Ref = time.Duration(rev), replaced }

// CallsVersion is the version of what AppendJSON writes and of what games call on an event.
const CallsVersion = 4

// AppendCalls appends the calls to an audience as a JSON array.
func AppendCalls(b []byte, calls []Call, to Audience) []byte {
	b = append(b, '[')
	first := true
	for i := range calls {
		if calls[i].To != to {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = calls[i].AppendJSON(b)
	}
	return append(b, ']')
}

// calls says for each word which fields it carries.
var calls = [callWords]func(j *object, c *Call){
	NoCall:   func(*object, *Call) {},
	CallShoe: func(j *object, c *Call) { j.num("number", c.N) },
	CallBurn: func(j *object, c *Call) { j.card(c.Card); j.num("left", c.N) },
	CallOpen: func(j *object, c *Call) { j.num("round", c.N); j.left(c.Left) },
	CallClosed: func(j *object, c *Call) {
		j.key("seats")
		j.b = appendSeatList(j.b, c.Seats)
	},
	CallCard:     cardCall,
	CallDue:      dueCall,
	CallDecision: func(j *object, c *Call) { j.hand("hand", c.Hand); j.str("decision", c.Action.Word()) },
	CallSplit:    func(j *object, c *Call) { j.hand("hand", c.Hand); j.hand("new", c.Other) },
	CallInsured:  func(j *object, c *Call) { j.num("seat", int64(c.Hand.Seat())); j.str("answer", c.Action.Word()) },
	CallPeek:     func(j *object, c *Call) { j.yes("natural", c.Natural) },
	CallReveal:   func(j *object, c *Call) { j.card(c.Card); j.total(c) },
	CallPair:     func(j *object, c *Call) { j.num("seat", int64(c.Hand.Seat())); j.str("pair", c.Pair.String()) },
	CallResult:   resultCall,
	CallCut:      func(*object, *Call) {},
	CallLast:     func(j *object, c *Call) { j.num("round", c.N) },
	CallSpin:     func(*object, *Call) {},
	CallNumber:   numberCall,
	CallStopped:  func(*object, *Call) {},
	CallReleased: func(j *object, c *Call) {
		if c.To == ToFloor {
			j.num("irregularity", c.Ref)
			j.str("code", c.Code.String())
			j.str("remedy", c.Remedy.String())
		}
	},
	CallPaused:    func(*object, *Call) {},
	CallResumed:   func(*object, *Call) {},
	CallCorrected: func(j *object, c *Call) { j.num("replaces", c.Ref) },
	CallVoid:      func(j *object, c *Call) { j.num("round", c.N) },
	CallEnd:       endCall,
	CallIrregular: func(j *object, c *Call) {
		j.num("irregularity", c.Ref)
		j.str("code", c.Code.String())
		j.str("class", c.Class.String())
		if c.Remedy != NoRemedy {
			j.str("remedy", c.Remedy.String())
		}
	},
	CallNoSpin:   func(*object, *Call) {},
	CallTaken:    settled,
	CallPaid:     paidCall,
	CallRefunded: settled,
	CallReversed: func(j *object, c *Call) { j.num("replaces", c.Ref) },
	CallExposed: func(j *object, c *Call) {
		j.num("irregularity", c.Ref)
		j.card(c.Card)
		j.str("remedy", c.Remedy.String())
	},
}

func cardCall(j *object, c *Call) {
	j.hand("hand", c.Hand)
	if c.Card == shoe.NoCard {
		j.str("card", Back)
	} else {
		j.card(c.Card)
	}
	if c.Why != WhyNone {
		j.str("why", c.Why.String())
	}
	switch {
	case c.Hand == PlayerHand || c.Hand == BankerHand: // in baccarat 0 is a total, and none is soft
		j.num("total", int64(c.Total))
	case c.Total > 0:
		j.total(c)
	}
}

// Back is how a face-down card is written in calls and layouts.
const Back = "back"

func dueCall(j *object, c *Call) {
	j.str("due", c.Due.String())
	switch c.Due {
	case DueDecision:
		j.hand("hand", c.Hand)
		j.key("may")
		j.b = c.May.appendList(j.b)
	case DueInsurance:
		j.key("seats")
		j.b = appendSeatList(j.b, c.Seats)
	}
	j.left(c.Left)
}

func resultCall(j *object, c *Call) {
	if c.Coup.Winner != NoWinner {
		coupCall(j, c)
		return
	}
	if c.Action == Insure {
		j.num("seat", int64(c.Hand.Seat()))
		j.str("bet", "insurance")
	} else {
		j.hand("hand", c.Hand)
		j.str("status", c.Status.String())
		j.total(c)
		if c.Split {
			j.yes("split", true)
		}
		if c.Doubled {
			j.yes("doubled", true)
		}
	}
	j.str("result", c.Outcome.String())
	j.halves("stake", c.Stake)
	j.halves("net", c.Net)
}

func coupCall(j *object, c *Call) {
	j.str("winner", c.Coup.Winner.String())
	j.num("player", int64(c.Coup.Player))
	j.num("banker", int64(c.Coup.Banker))
	j.yes("natural", c.Natural)
	j.yes("player_pair", c.Coup.PlayerPair)
	j.yes("banker_pair", c.Coup.BankerPair)
}

func numberCall(j *object, c *Call) {
	n := Number(c.N)
	j.num("number", c.N)
	j.str("colour", n.Colour().String())
	if n == 0 {
		return
	}
	j.num("dozen", int64(n.Dozen()))
	j.num("column", int64(n.Column()))
	j.str("parity", either(n.Even(), "even", "odd"))
	j.str("half", either(n.Low(), "low", "high"))
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

func endCall(j *object, c *Call) {
	j.num("round", c.N)
	j.str("ended", c.Ended.String())
	if c.Total > 0 {
		j.total(c)
	}
}

// object writes the members of a JSON object behind a first one.
type object struct{ b []byte }

func (j *object) key(k string) {
	j.b = append(append(append(j.b, `,"`...), k...), `":`...)
}

func (j *object) num(k string, n int64) {
	j.key(k)
	j.b = strconv.AppendInt(j.b, n, 10)
}

// str writes a value that needs no escaping: one of our own words.
func (j *object) str(k, s string) {
	j.key(k)
	j.b = append(append(append(j.b, '"'), s...), '"')
}

func (j *object) yes(k string, v bool) {
	j.key(k)
	j.b = strconv.AppendBool(j.b, v)
}

func (j *object) hand(k string, h Hand) {
	j.key(k)
	j.b = append(h.Append(append(j.b, '"')), '"')
}

func (j *object) card(c shoe.Card) {
	if c == shoe.NoCard {
		return
	}
	j.key("card")
	j.b = append(c.Append(append(j.b, '"')), '"')
}

func (j *object) total(c *Call) {
	j.num("total", int64(c.Total))
	j.yes("soft", c.Soft)
}

func (j *object) left(d time.Duration) {
	if d > 0 {
		j.num("left_ms", d.Milliseconds())
	}
}

func (j *object) halves(k string, n int8) {
	j.key(k)
	j.b = AppendHalves(j.b, int(n))
}

// AppendHalves appends a number of half bet units as units: 3 is "1.5".
func AppendHalves(b []byte, n int) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, int64(n/2), 10)
	if n%2 != 0 {
		b = append(b, ".5"...)
	}
	return b
}

func appendSeatList(b []byte, s Seats) []byte {
	b = append(b, '[')
	for n := s.Next(0); n > 0; n = s.Next(n) {
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, ']')
}

func (a Actions) appendList(b []byte) []byte {
	b = append(b, '[')
	for k := Hit; k <= Decline; k++ {
		if !a.Has(k) {
			continue
		}
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), k.Word()...), '"')
	}
	return append(b, ']')
}
