package table

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sabot/shoe"
)

// The notation of an event is one line: a word, its arguments, and who ordered it and why.
//
//	draw 9s                       a card left the shoe
//	draw ?? player 1              … unread; the shoe claims it is Player's first
//	resent 9s player 1            the shoe names that card again; none left
//	claims banker player-pair     the shoe's own result of a coup; or player, tie, quit, or none that it named
//	close 1,3,7                   no more bets: these seats play
//	bet P-81 3 100, 3 25 pair     a bettor's slip; "none" takes all of it back
//	double 3a                     a decision; without a hand it is the one whose turn it is
//	deckcheck 8 cards 416, missing none by D-7   what a check of the decks found
//	insure 3 P-81                 an answer of a bettor behind; without a name it is the seat's
//	decline                       an answer of all bettors behind that have not answered
//	program "v1.2.3" binary 8c1f…, configuration 77ab…   which program writes the record, by SHA-256
//	release 412 use by S-2 because "dropped, face down"
//
// Words and cards are read in any case; a '#' outside quotes starts a comment.

// An argument reads itself from the words of a line into an event, and writes itself back. parse returns what is left
// of the words; format appends a space before what it writes, or nothing at all for an argument left out.
type argument struct {
	parse  func(e *Event, words []string) ([]string, error)
	format func(e *Event, b []byte) []byte
}

// kindWords are the events' first words, two for the table's day.
var kindWords = [kinds]string{
	TableOpen: "table open", TableClose: "table close", NewShoe: "shoe", Count: "count", Dealer: "dealer", Burn: "burn", Draw: "draw",
	Cut: "cut", Resent: "resent", Claims: "claims", Open: "open", Bet: "bet", Close: "close", Hit: "hit", Stand: "stand", Double: "double", Split: "split", Surrender: "surrender",
	Insure: "insure", EvenMoney: "even-money", Decline: "decline", Short: "short", Plan: "plan", Follow: "follow", Peek: "peek", Reveal: "reveal", Stop: "stop",
	Ball: "ball", Result: "result", NoSpin: "no-spin", NoMoreBets: "no-more-bets", Proposed: "proposed", Pause: "pause", Resume: "resume", Release: "release", Correct: "correct", Undo: "undo",
	Void: "void", Retire: "retire", Dispute: "dispute", Expose: "exposed", Lost: "lost", Found: "found", Fault: "fault", Clear: "clear", Timeout: "timeout",
	Clock: "clock", Started: "restart", Refusal: "refused", Checked: "deckcheck", Program: "program",
}

// grammar is what follows them.
var grammar = [kinds][]argument{
	NewShoe: {number}, Count: {number}, Dealer: {name}, Burn: {number}, Draw: {card, where}, Resent: {card, claimed}, Claims: {coup}, Bet: {name, slip}, Close: {seats},
	Hit: {turnHand}, Stand: {turnHand}, Double: {turnHand}, Split: {turnHand}, Surrender: {turnSeat}, Insure: {seat, bettor}, EvenMoney: {seat},
	Decline: {turnSeat, bettor}, Short: {anyHand}, Plan: {anyHand, action}, Follow: {anyHand, name, action}, Result: {number}, Proposed: {number}, Release: {number, remedy}, Correct: {number, cardOrCut},
	Undo: {number}, Void: {anyRound}, Dispute: {number}, Expose: {number}, Lost: {name}, Found: {name}, Fault: {name, detail}, Clear: {name, detail}, Timeout: {subject},
	Clock: {duration}, Started: {duration}, Refusal: {code, quotedName}, Checked: {number, findings}, Program: {quotedName, hashes},
}

// MaxLine bounds the length in bytes of an event's notation.
const MaxLine = 2048

// Parse reads one event. Its stamp (Seq, At) is left zero.
func Parse(line string) (Event, error) {
	if len(line) > MaxLine {
		return Event{}, fmt.Errorf("table: event of %d bytes is longer than %d", len(line), MaxLine)
	}
	words, err := split(line)
	if err != nil {
		return Event{}, err
	}
	kind, rest := kindOf(words)
	if kind == NoEvent {
		return Event{}, fmt.Errorf("table: %q is no event", line)
	}
	e := Event{Kind: kind}
	for _, arg := range grammar[kind] {
		if rest, err = arg.parse(&e, rest); err != nil {
			return Event{}, fmt.Errorf("table: %s: %w", kindWords[kind], err)
		}
	}
	if rest, err = parseOrder(&e, rest); err != nil {
		return Event{}, err
	}
	if len(rest) > 0 {
		return Event{}, fmt.Errorf("table: %s: %q is not understood", kindWords[kind], rest[0])
	}
	if len(e.String()) > MaxLine { // quoting may lengthen it
		return Event{}, fmt.Errorf("table: %s: the reason is too long", kindWords[kind])
	}
	return e, nil
}

// String is the event's notation.
func (e Event) String() string { return string(e.Append(nil)) }

// Append appends the event's notation to b.
func (e *Event) Append(b []byte) []byte {
	if e.Kind == NoEvent || e.Kind >= kinds {
		return append(b, "none"...)
	}
	b = append(b, kindWords[e.Kind]...)
	for _, arg := range grammar[e.Kind] {
		b = arg.format(e, b)
	}
	if e.Text != nil && e.Text.By != "" {
		b = append(append(b, " by "...), e.Text.By...)
	}
	if e.Text != nil && e.Text.Because != "" {
		b = strconv.AppendQuote(append(b, " because "...), e.Text.Because)
	}
	return b
}

// Word is the event kind's first word or words.
func (k Kind) Word() string {
	if k == NoEvent || k >= kinds {
		return "none"
	}
	return kindWords[k]
}

// ParseKind finds a kind by its word, "table open" among them.
func ParseKind(word string) Kind {
	for k := range kindWords {
		if kindWords[k] == word && word != "" {
			return Kind(k)
		}
	}
	return NoEvent
}

func kindOf(words []string) (Kind, []string) {
	if len(words) == 0 {
		return NoEvent, nil
	}
	first := strings.ToLower(words[0])
	if first == "table" && len(words) > 1 {
		return ParseKind("table " + strings.ToLower(words[1])), words[2:]
	}
	return ParseKind(first), words[1:]
}

// split cuts a line into words; a quoted word keeps its quotes.
func split(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeft(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			return words, nil
		}
		if line[0] == '"' {
			q, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("table: a quote is not closed")
			}
			words, line = append(words, q), line[len(q):]
			continue
		}
		end := strings.IndexAny(line, " \t\r\n#")
		if end < 0 {
			end = len(line)
		}
		words, line = append(words, line[:end]), line[end:]
	}
}

// text gives the event words to write into; only Parse may, before anybody else sees the event.
func (e *Event) text() *Text {
	if e.Text == nil {
		e.Text = new(Text)
	}
	return e.Text
}

// parseOrder reads `by NAME because "…"` at a line's end.
func parseOrder(e *Event, words []string) ([]string, error) {
	if len(words) > 1 && strings.EqualFold(words[0], "by") {
		if !ValidName(words[1]) {
			return nil, fmt.Errorf("table: %q is no %s", words[1], aName)
		}
		e.text().By, words = words[1], words[2:]
	}
	if len(words) > 1 && strings.EqualFold(words[0], "because") {
		reason, err := unquote(words[1])
		if err != nil {
			return nil, err
		}
		e.text().Because, words = reason, words[2:]
	}
	return words, nil
}

func unquote(word string) (string, error) {
	s, err := strconv.Unquote(word)
	if err != nil || word[0] != '"' || s == "" {
		return "", fmt.Errorf("table: %s should be words in double quotes", word)
	}
	return s, nil
}

// aName is what ValidName takes, in words.
const aName = "name; write 1 to 64 of A-Z a-z 0-9 . _ -"

// ValidName says whether s can name a person, device or bettor: 1 to 64 of the letters A-Z a-z 0-9 . _ -
func ValidName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

// one makes an argument of exactly one word.
func one(what string, parse func(e *Event, word string) bool, format func(e *Event, b []byte) []byte) argument {
	return argument{
		parse: func(e *Event, words []string) ([]string, error) {
			if len(words) == 0 {
				return nil, fmt.Errorf("%s is missing", what)
			}
			if !parse(e, words[0]) {
				return nil, fmt.Errorf("%q is no %s", words[0], what)
			}
			return words[1:], nil
		},
		format: func(e *Event, b []byte) []byte { return format(e, append(b, ' ')) },
	}
}

// optional makes an argument that may be left out: it then reads nothing, and zero says that it writes nothing.
func optional(a argument, zero func(e *Event) bool) argument {
	return argument{
		parse: func(e *Event, words []string) ([]string, error) {
			if len(words) == 0 || strings.EqualFold(words[0], "by") || strings.EqualFold(words[0], "because") {
				return words, nil
			}
			return a.parse(e, words)
		},
		format: func(e *Event, b []byte) []byte {
			if zero(e) {
				return b
			}
			return a.format(e, b)
		},
	}
}

// ranges are the least and the greatest number of a kind, where not any whole one can be meant: a table has at most eight decks, and what is burnt between rounds is few. What is
// no pocket of a wheel is none of them: the wheel can say it.
var ranges = [kinds][2]int64{
	NewShoe: {1, 1 << 31}, Count: {0, 8 * 52}, Burn: {1, MaxBurn}, Void: {1, math.MaxUint32}, Dispute: {1, math.MaxUint32}, Checked: {1, 8},
	Release: {1, math.MaxInt64}, Correct: {1, math.MaxInt64}, Expose: {1, math.MaxInt64},
}

// Range is the least and the greatest number that an event of this kind can carry.
func (k Kind) Range() (least, most int64) {
	if r := ranges[k]; r[1] > 0 {
		return r[0], r[1]
	}
	return 0, math.MaxInt64
}

// number is the event's number, in the range of its kind.
var number = argument{
	parse: func(e *Event, words []string) ([]string, error) {
		if len(words) == 0 {
			return nil, fmt.Errorf("number is missing")
		}
		least, most := e.Kind.Range()
		n, err := strconv.ParseInt(words[0], 10, 64)
		switch {
		case errors.Is(err, strconv.ErrRange) || err == nil && (n < least || n > most):
			return nil, fmt.Errorf("%s is not from %d to %d", words[0], least, most)
		case err != nil:
			return nil, fmt.Errorf("%q is no number", words[0])
		}
		e.N = n
		return words[1:], nil
	},
	format: func(e *Event, b []byte) []byte { return strconv.AppendInt(append(b, ' '), e.N, 10) },
}

var (
	duration = one("duration such as -3.2s", func(e *Event, w string) bool {
		d, err := time.ParseDuration(w)
		e.N = int64(d)
		return err == nil
	}, func(e *Event, b []byte) []byte { return append(b, time.Duration(e.N).String()...) })

	name = one(aName, func(e *Event, w string) bool {
		e.text().Name = w
		return ValidName(w)
	}, func(e *Event, b []byte) []byte { return append(b, e.Text.Name...) })

	detail = one("fault code", func(e *Event, w string) bool {
		e.text().Detail = w
		return ValidName(w)
	}, func(e *Event, b []byte) []byte { return append(b, e.Text.Detail...) })

	quotedName = one("quoted text", func(e *Event, w string) bool {
		s, err := unquote(w)
		e.text().Name = s
		return err == nil
	}, func(e *Event, b []byte) []byte { return strconv.AppendQuote(b, e.Text.Name) })

	card = one("card", func(e *Event, w string) bool {
		c, err := shoe.ParseCard(w)
		e.Card = c
		return err == nil
	}, func(e *Event, b []byte) []byte { return e.Card.Append(b) })

	cardOrCut = one("card, or cut", func(e *Event, w string) bool {
		if strings.EqualFold(w, "cut") {
			return true
		}
		c, err := shoe.ParseCard(w)
		e.Card = c
		return err == nil && c.Known()
	}, func(e *Event, b []byte) []byte {
		if e.Card == shoe.NoCard {
			return append(b, "cut"...)
		}
		return e.Card.Append(b)
	})

	code = one("code", func(e *Event, w string) bool {
		var ok bool
		e.Code, ok = ParseCode(w)
		return ok
	}, func(e *Event, b []byte) []byte { return append(b, e.Code.String()...) })

	anyHand = one("hand from 1a to 7d", func(e *Event, w string) bool {
		e.Hand = ParseHand(w)
		return e.Hand.Seat() > 0
	}, func(e *Event, b []byte) []byte { return e.Hand.Append(b) })

	turnHand = optional(anyHand, noHand)

	seat = one("seat from 1 to 7", func(e *Event, w string) bool {
		n, err := strconv.ParseUint(w, 10, 8)
		ok := err == nil && n >= 1 && n <= MaxSeats
		if ok {
			e.Hand = SeatHand(int(n), 0)
		}
		return ok
	}, func(e *Event, b []byte) []byte { return strconv.AppendInt(b, int64(e.Hand.Seat()), 10) })

	turnSeat = optional(seat, noHand)

	seats = one("ascending list of seats from 1 to 7, such as 1,3,7, or none", parseSeats, func(e *Event, b []byte) []byte { return e.Seats.Append(b) })

	action = one("decision", func(e *Event, w string) bool {
		e.Action = ParseKind(strings.ToLower(w))
		return e.Action >= Hit && e.Action <= Surrender
	}, func(e *Event, b []byte) []byte { return append(b, e.Action.Word()...) })

	subject = one("hand from 1a to 7d, bets, insurance or result", func(e *Event, w string) bool {
		if p, ok := parsePhase(strings.ToLower(w)); ok {
			e.Phase = p
			return p == Bets || p == Insurance || p == Results
		}
		e.Hand = ParseHand(w)
		return e.Hand.Seat() > 0
	}, func(e *Event, b []byte) []byte {
		if e.Hand != NoHand {
			return e.Hand.Append(b)
		}
		return append(b, e.Phase.String()...)
	})
)

func noHand(e *Event) bool { return e.Hand == NoHand }

func parseSeats(e *Event, word string) bool {
	if strings.EqualFold(word, "none") {
		return true
	}
	var list []int
	for _, w := range strings.Split(word, ",") {
		n, err := strconv.ParseUint(w, 10, 8)
		if err != nil {
			return false
		}
		list = append(list, int(n))
	}
	s, code := MakeSeats(list, MaxSeats)
	e.Seats = s
	return code == OK
}

// Append appends the set to b: "1,3,7" or "none".
func (s Seats) Append(b []byte) []byte {
	if s == 0 {
		return append(b, "none"...)
	}
	for n := s.Next(0); n > 0; n = s.Next(n) {
		b = append(strconv.AppendInt(b, int64(n), 10), ',')
	}
	return b[:len(b)-1]
}

// String is the set in the notation.
func (s Seats) String() string { return string(s.Append(nil)) }

// anyRound is the round meant, left out where that is certain.
var anyRound = optional(number, func(e *Event) bool { return e.N == 0 })

// bettor is whose answer it is, left out for the seat's own.
var bettor = optional(name, func(e *Event) bool { return e.Text == nil || e.Text.Name == "" })

// slip is a bettor's bets, and findings what a check of the decks found. What they mean is the ledger's to say, and to refuse, or a person's
// to read: here they are words, and so are a program's hashes.
var (
	slip     = clauses("bets such as 3 100, 3 25 pair; none takes all back")
	findings = clauses("findings such as cards 415, missing 9s 1")
	hashes   = clauses("hashes such as binary 8c1f, configuration 77ab")
)

// clauses makes an argument of words with commas between them, up to who ordered it. They are kept as they are written back.
func clauses(what string) argument {
	return argument{
		parse: func(e *Event, words []string) ([]string, error) {
			n := 0
			for n < len(words) && !strings.EqualFold(words[n], "by") && !strings.EqualFold(words[n], "because") {
				n++
			}
			text, ok := tidy(strings.Join(words[:n], " "))
			if !ok {
				return nil, fmt.Errorf("%q are no %s", strings.Join(words[:n], " "), what)
			}
			e.text().Detail = text
			return words[n:], nil
		},
		format: func(e *Event, b []byte) []byte { return append(append(b, ' '), e.Text.Detail...) },
	}
}

// tidy writes clauses with small letters, a space between words and a comma behind each clause but the last.
func tidy(s string) (string, bool) {
	var clauses []string
	for _, clause := range strings.Split(s, ",") {
		words := strings.Fields(strings.ToLower(clause))
		for _, w := range words {
			if !ValidName(w) || w == "by" || w == "because" {
				return "", false
			}
		}
		if len(words) == 0 {
			return "", false
		}
		clauses = append(clauses, strings.Join(words, " "))
	}
	return strings.Join(clauses, ", "), true
}

var remedyNames = [remedies]string{"", "use", "burn", "carry", "assign", "reread", "reveal", "device"}

// String is the remedy in the notation.
func (r Remedy) String() string {
	if r < remedies {
		return remedyNames[r]
	}
	return "unknown"
}

// ParseRemedy finds a remedy by its word.
func ParseRemedy(s string) (Remedy, bool) {
	for r, n := range remedyNames {
		if n == s && n != "" {
			return Remedy(r), true
		}
	}
	return NoRemedy, false
}

// remedy reads what to do with an irregularity; none asks for the default.
var remedy = optional(argument{
	parse: func(e *Event, words []string) ([]string, error) {
		r, ok := ParseRemedy(strings.ToLower(words[0]))
		if !ok {
			return nil, fmt.Errorf("%q is no remedy (use, burn, carry, assign HAND, reread, reveal, device)", words[0])
		}
		e.Remedy = r
		if r == Assign {
			return place.parse(e, words[1:])
		}
		return words[1:], nil
	},
	format: func(e *Event, b []byte) []byte {
		b = append(append(b, ' '), e.Remedy.String()...)
		if e.Remedy == Assign {
			b = place.format(e, b)
		}
		return b
	},
}, func(e *Event) bool { return e.Remedy == NoRemedy })

// place is any hand on the felt, the dealer's among them.
var place = one("hand from 1a to 7d, dealer, player or banker", func(e *Event, w string) bool {
	e.Hand = ParseHand(w)
	return e.Hand != NoHand
}, func(e *Event, b []byte) []byte { return e.Hand.Append(b) })

var sideNames = [...]string{shoe.ToPlayer: "player", shoe.ToBanker: "banker", shoe.ToBurn: "burn", shoe.Outside: "outside"}

// readClaim reads a shoe's claim: "player 1", "burn", "outside". It reads nothing, and says false, where there is none.
func readClaim(e *Event, words []string) (rest []string, ok bool) {
	side := shoe.Side(max(slices.Index(sideNames[:], strings.ToLower(words[0])), 0))
	switch {
	case side == shoe.Nowhere:
	case side == shoe.ToBurn || side == shoe.Outside:
		e.Claim.Side = side
		return words[1:], true
	case len(words) > 1 && len(words[1]) == 1 && words[1][0] >= '1' && words[1][0] <= '9':
		e.Claim = shoe.Claim{Side: side, Index: words[1][0] - '0'}
		return words[2:], true
	}
	return words, false
}

func appendClaim(e *Event, b []byte) []byte {
	b = append(append(b, ' '), sideNames[e.Claim.Side]...)
	if e.Claim.Index > 0 {
		b = append(b, ' ', '0'+e.Claim.Index)
	}
	return b
}

func noClaim(e *Event) bool { return e.Claim.Side == shoe.Nowhere }

// claimed reads the shoe's claim.
var claimed = optional(argument{
	parse: func(e *Event, words []string) ([]string, error) {
		rest, ok := readClaim(e, words)
		if !ok {
			return nil, fmt.Errorf("%q is no claim such as player 1; a hand's cards have the numbers 1 to 9", strings.Join(words[:min(len(words), 2)], " "))
		}
		return rest, nil
	},
	format: appendClaim,
}, noClaim)

// where reads the shoe's claim or the hand a supervisor gave the card to ("3a").
var where = optional(argument{
	parse: func(e *Event, words []string) ([]string, error) {
		if rest, ok := readClaim(e, words); ok {
			return rest, nil
		}
		rest, err := place.parse(e, words)
		if err == nil && len(rest) > 0 && rest[0] != "" && strings.Trim(rest[0], "0123456789") == "" {
			return nil, fmt.Errorf("%q is no card of a hand: they have the numbers 1 to 9", rest[0])
		}
		return rest, err
	},
	format: func(e *Event, b []byte) []byte {
		if noClaim(e) {
			return place.format(e, b)
		}
		return appendClaim(e, b)
	},
}, func(e *Event) bool { return noClaim(e) && noHand(e) })

// coup reads the shoe's own result of one.
var coup = argument{
	parse: func(e *Event, words []string) ([]string, error) {
		if len(words) == 0 {
			return nil, fmt.Errorf("the winner is missing")
		}
		w := slices.Index(claimNames[:], strings.ToLower(words[0]))
		if w < 0 {
			return nil, fmt.Errorf("%q is no winner (%s)", words[0], strings.Join(claimNames[:], ", "))
		}
		e.Coup.Winner = shoe.Winner(w)
		for words = words[1:]; len(words) > 0; words = words[1:] {
			switch strings.ToLower(words[0]) {
			case "player-pair":
				e.Coup.PlayerPair = true
			case "banker-pair":
				e.Coup.BankerPair = true
			default:
				return words, nil
			}
		}
		return words, nil
	},
	format: func(e *Event, b []byte) []byte {
		b = append(append(b, ' '), claimNames[e.Coup.Winner]...)
		if e.Coup.PlayerPair {
			b = append(b, " player-pair"...)
		}
		if e.Coup.BankerPair {
			b = append(b, " banker-pair"...)
		}
		return b
	},
}

var claimNames = [...]string{shoe.NoWinner: "none", shoe.PlayerWins: "player", shoe.BankerWins: "banker", shoe.Tie: "tie", shoe.Quit: "quit"}

var sideHands = [...]string{DealerHand: "dealer", PlayerHand: "player", BankerHand: "banker"}

// Append appends the hand in the notation: "3a", "dealer", or "-" for NoHand.
func (h Hand) Append(b []byte) []byte {
	switch {
	case h == NoHand:
		return append(b, '-')
	case h <= BankerHand:
		return append(b, sideHands[h]...)
	}
	return append(b, '0'+byte(h.Seat()), 'a'+byte(h.Index()))
}

// String is the hand in the notation.
func (h Hand) String() string { return string(h.Append(nil)) }

// ParseHand reads a hand; NoHand means that s is none.
func ParseHand(s string) Hand {
	s = strings.ToLower(s)
	for h, n := range sideHands {
		if n == s && n != "" {
			return Hand(h)
		}
	}
	if len(s) == 2 && s[0] >= '1' && s[0] <= '0'+MaxSeats && s[1] >= 'a' && s[1] < 'a'+MaxHands {
		return SeatHand(int(s[0]-'0'), int(s[1]-'a'))
	}
	return NoHand
}
