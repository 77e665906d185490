package wager

import (
	"errors"
	"strconv"
	"strings"

	"sabot/table"
)

// maxBets bounds the bets of a round, of all bettors together.
const maxBets = 96

// unlimited is the balance of a slip that says none.
const unlimited = -1

// placed is one bet as a slip has it.
type placed struct {
	spot  table.Spot
	stake int64
}

// slip is a bettor's bets as he wrote them.
type slip struct {
	bets    [maxBets]placed
	n       int
	balance int64 // what he has for all of them and for what may follow; unlimited where it is not said
}

// parseSlip reads bets that table.Parse has tidied: "3 100, 3 25 pair, 5 50 behind, balance 1000", "straight 17 100, red 50", "none".
func parseSlip(text string) (slip, table.Code) {
	s := slip{balance: unlimited}
	if text == "none" {
		return s, table.OK
	}
	for text != "" {
		var one string
		one, text, _ = strings.Cut(text, ", ")
		if code := s.parse(one); code != table.OK {
			return s, code
		}
	}
	return s, table.OK
}

// parse reads one bet, or the balance.
func (s *slip) parse(text string) table.Code {
	var words [3]string
	n, rest, more := 0, text, true
	for ; more; n++ {
		if n == len(words) {
			return table.BetInvalid
		}
		words[n], rest, more = strings.Cut(rest, " ")
	}
	if words[0] == "balance" {
		return s.parseBalance(words[:n])
	}
	b, code := parseBet(words[:n])
	switch {
	case code != table.OK:
		return code
	case s.n == maxBets:
		return table.BetFull
	}
	s.bets[s.n] = b
	s.n++
	return table.OK
}

func (s *slip) parseBalance(words []string) table.Code {
	n, err := strconv.ParseInt(words[len(words)-1], 10, 64)
	if len(words) != 2 || err != nil || n < 0 || s.balance != unlimited {
		return table.BetInvalid
	}
	s.balance = n
	return table.OK
}

// parseBet reads "3 100", "3 25 pair", "tie 50" or "corner 8-9-11-12 50".
func parseBet(words []string) (placed, table.Code) {
	if seat, err := strconv.ParseUint(words[0], 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return parseSeatBet(uint8(min(seat, 255)), words[1:])
	}
	b := placed{spot: table.Spot{Bet: table.ParseBetKind(words[0])}}
	kind := b.spot.Bet
	if kind == table.NoBet || kind.Seated() {
		return b, table.BetNotOffered
	}
	layout := kind.Layout() || kind == table.BetFirstFour && len(words) == 3 // which may say its numbers
	last := 1
	if layout {
		last = 2
	}
	if len(words) != last+1 {
		return b, table.BetInvalid
	}
	var ok bool
	var code table.Code
	if b.stake, code = parseStake(words[last]); code != table.OK {
		return b, code
	}
	if layout {
		if b.spot, ok = parseLayout(kind, words[1]); !ok {
			return b, table.BetLayout
		}
	}
	return b, table.OK
}

// parseSeatBet reads what follows the seat.
func parseSeatBet(seat uint8, words []string) (placed, table.Code) {
	b := placed{spot: table.Spot{Bet: table.BetSeat, At: seat}}
	if len(words) == 0 {
		return b, table.BetInvalid
	}
	if len(words) == 2 {
		b.spot.Bet = table.ParseBetKind(words[1])
		if b.spot.Bet != table.BetBehind && b.spot.Bet != table.BetPair {
			return b, table.BetNotOffered
		}
	}
	var code table.Code
	if b.stake, code = parseStake(words[0]); code != table.OK {
		return b, code
	}
	if seat < 1 || seat > table.MaxSeats {
		return b, table.SeatsInvalid
	}
	return b, table.OK
}

// parseStake reads a stake. One that no ledger could hold is over the most of any table.
func parseStake(word string) (int64, table.Code) {
	switch n, err := strconv.ParseInt(word, 10, 64); {
	case errors.Is(err, strconv.ErrRange) && n > 0:
		return 0, table.BetLimit
	case err != nil || n <= 0:
		return 0, table.BetInvalid
	default:
		return n, table.OK
	}
}

// parseLayout reads which column or dozen, or the numbers covered, in any order.
func parseLayout(kind table.BetKind, text string) (table.Spot, bool) {
	if kind == table.BetColumn || kind == table.BetDozen {
		n, err := strconv.ParseUint(text, 10, 8)
		return table.Spot{Bet: kind, At: uint8(n)}, err == nil && n >= 1 && n <= 3
	}
	var set table.NumberSet
	for more := true; more; {
		var word string
		word, text, more = strings.Cut(text, "-")
		n, err := strconv.ParseUint(word, 10, 8)
		if err != nil || n >= table.Pockets || set.Has(table.Number(n)) {
			return table.Spot{}, false
		}
		set |= 1 << n
	}
	return table.FindSpot(kind, set)
}
