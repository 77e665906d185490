// Package angel reads the Angel Eye II-EX baccarat shoe. It was written without such a shoe, and without its maker's
// document. Each fact below says how far to trust it: [2] two independent public sources agree, [1] one program that is not
// the maker's says so, [c] computed from those, not captured. Whoever has a unit should run `testdata/angel.hex` against it first.
//
// # On the wire
//
// RS-232, 4800 8N1, no flow control [2]; one site ran 9600 [1]. The shoe sends
//
//	05 · seq · letter · payload · 03 · BCC
//
// seq is one ASCII character that counts messages, wraps, and begins again after S; where it wraps is not known [2]. The letter says what
// happened. Payload bytes have bit 7 set, so no payload can be a control byte, and 05 always begins a frame anew, also within one [1]. BCC is the XOR of
// seq to 03 inclusive, as two upper-case hexadecimal digits [1].
//
//	S  start: boot, reset, a new shoe loaded              [2]
//	P  standby between coups                              [2]
//	D  card in the game: position, card                   [2]
//	d  card outside the game, locked or in error: likewise [2]
//	R  a card named again: likewise                       [1]
//	G  the shoe's own result: one byte                    [2]
//	C  the cut card was drawn                             [1]
//	E  error, e error over: one byte                      [2]
//	L  key lock: one byte, bit 0 = locked                 [1]
//	M  a preset was changed: 2 + 4 characters             [1]
//
//	position  1 iii nnnn   iii 0 Player, 1 Banker [2], 2 burn, 4 the card that sets the burn count, 5 the burn count [1]; nnnn from 1
//	card      1 sss vvvv   sss 1 ♦ 2 ♣ 3 ♠ 4 ♥; vvvv 1 the ace … 13 the king; 0 none [2]
//	result    1 rrr 00pp   rrr 1 Player, 2 Tie, 4 Banker, 7 forced quit; pp 1 Player pair, 2 Banker pair, 3 both [2]
//	error     1 m cccccc   m: now in error mode. 1 misread, 2 overdraw, 3 button, 4 pushed back at the mouth, 5 pushed back midway,
//	                       6 foreign card, 7 draw time-out [1]
//
// The host sends 02 "OP" type(2) data(2) 03 BCC, which is answered by 06, or by 15 and a code [1]: LK02 locks, LK01 unlocks, ECnn clears error nn.
// The maker's example verifies only with the 02 in the BCC, against its own text; see [Options]. GP00, "confirm", is never sent: of what is
// not known.
//
// # Copies
//
// Each message comes three times [1]. A copy is the same whole frame, seq included, within [Options].Window. The same code is none: the next card equals
// the last one in 7 of 415 draws, and then has another seq or another position. Copies are forgotten at S, where seq begins again, and at a
// reconnection. There is no telling that all copies of a message were lost; the next card's position shows it, to whoever compares.
//
// # Positions
//
// The shoe plays baccarat by itself. Its positions are claims and its G is one ([shoe.Claimed]), for a table of baccarat to compare; another only records them. Here they serve only to know a
// card said under a new seq: a D for a filled place of the coup with the same card is a repeat and dropped, with another card a
// [shoe.Conflict], never a second card. A coup begins with a Player 1 after S, P or G. Cards outside the game and burnt cards have
// no such places. The burn count (position 5) is no card.
//
// # Unread cards
//
// A misread takes a place in the deal. The shoe may say it by error 1, by a D without a card, or by both one after the other; in each case it is reported
// as one unread card, and the error after it as a fault. That error 1 means that a card left is our reading [1]: the table then waits for it, rather than go
// on without. A d without a card behind that error is the next card, drawn in error mode. A D that names a card for a place where an unread one lies, and
// each R, is a [shoe.Reread]: it takes no further place.
//
// # Start and lock
//
// S after C is a new shoe, S alone a reboot: [shoe.Booted] with Code [NewShoe] or [Reboot]. After S the lock is told again. To unlock a shoe in
// error mode is to clear its errors first. A refused command is a fault "refused" until the shoe takes one. L is no report: it may be our own lock
// that it tells of, and a card drawn while locked comes as one outside the game.
package angel

import (
	"fmt"
	"time"

	"sabot/shoe"
)

// Options are the settings of a shoe. The zero value is what is known to be usual.
type Options struct {
	// BCCWithoutSTX leaves the 02 out of commands' BCC, as the maker's text has it against its own example.
	BCCWithoutSTX bool

	// Window is for how long after a frame the same frame is a copy of it; 0 is 2 s. Three copies take 50 ms at 4800 baud, and a host that
	// reads late sees them further apart. The same frame as news takes a whole turn of seq, and the same card in the same place.
	Window time.Duration
}

// What a Booted report's Code says.
const (
	NewShoe = "new-shoe" // the cut card had been drawn
	Reboot  = "reboot"
)

const (
	stx = 0x02 // begins a command
	etx = 0x03 // ends a frame before its BCC
	enq = 0x05 // begins a message
	ack = 0x06 // the shoe took a command
	nak = 0x15 // the shoe did not
)

const (
	usualWindow = 2 * time.Second
	waitAnswer  = 2 * time.Second // for 06 or 15, which mean nothing at other times
	errorMode   = 0x40            // in an error's byte
	misread     = 1               // error code
)

// payloads are how many bytes follow each letter.
var payloads = map[byte]int{'S': 0, 'P': 0, 'D': 2, 'd': 2, 'R': 2, 'G': 1, 'C': 0, 'E': 1, 'e': 1, 'L': 1, 'M': 6}

// faults are the errors' names and words, by code.
var faults = [...]struct{ name, words string }{
	misread: {"misread", "a card was not read"},
	2:       {"overdraw", "a card too many was drawn"},
	3:       {"button", "a button of the shoe"},
	4:       {"pushed-back", "a card was pushed back at the mouth"},
	5:       {"pushed-back-midway", "a card was pushed back midway"},
	6:       {"foreign-card", "a card that is none of this shoe's"},
	7:       {"draw-timeout", "a card took too long to draw"},
}

// errorName is an error's name, and words for people.
func errorName(code byte) (name, words string) {
	if code == 0 || int(code) >= len(faults) {
		return fmt.Sprintf("error-%02d", code), "an error that nobody knows"
	}
	return faults[code].name, faults[code].words
}

// suits are the card byte's suits, from 1.
var suits = [...]shoe.Suit{1: shoe.Diamonds, 2: shoe.Clubs, 3: shoe.Spades, 4: shoe.Hearts}

// winners are the result byte's rrr, by what it says.
var winners = [...]byte{shoe.NoWinner: 0, shoe.PlayerWins: 1, shoe.Tie: 2, shoe.BankerWins: 4, shoe.Quit: 7}

// The position byte's iii.
const (
	toPlayer = iota
	toBanker
	toBurn
	_
	setsBurn
	burnCount
)

// readCard is the card a byte names. Whatever it says, a card left: what is no card's name is an unread card.
func readCard(b byte) shoe.Card {
	s, v := b>>4&7, b&15
	if s < 1 || int(s) >= len(suits) || v < 1 || v > 13 {
		return shoe.Unread
	}
	return shoe.New(shoe.Rank(v), suits[s])
}

// writeCard is the byte of a card, none for an unread one.
func writeCard(c shoe.Card) byte {
	for s, suit := range suits {
		if s > 0 && c.Known() && suit == c.Suit() {
			return 0x80 | byte(s)<<4 | byte(c.Rank())
		}
	}
	return 0x80
}

// readClaim is where a position byte puts a card; nowhere where that is not known.
func readClaim(b byte) shoe.Claim {
	switch b >> 4 & 7 {
	case toPlayer:
		return shoe.Claim{Side: shoe.ToPlayer, Index: b & 15}
	case toBanker:
		return shoe.Claim{Side: shoe.ToBanker, Index: b & 15}
	case toBurn, setsBurn:
		return shoe.Claim{Side: shoe.ToBurn}
	}
	return shoe.Claim{}
}

// readResult is what a G says.
func readResult(b byte) shoe.Result {
	r := shoe.Result{PlayerPair: b&1 != 0, BankerPair: b&2 != 0}
	for w, rrr := range winners {
		if rrr == b>>4&7 {
			r.Winner = shoe.Winner(w)
		}
	}
	return r
}

// writeResult is the byte of a G.
func writeResult(r shoe.Result) byte {
	b := 0x80 | winners[r.Winner]<<4
	if r.PlayerPair {
		b |= 1
	}
	if r.BankerPair {
		b |= 2
	}
	return b
}
