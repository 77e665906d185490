// Package pattern reads any device that says its readings in lines of text: a barcode scanner in serial mode, a camera, a reader
// somebody built. What a line means is a regular expression in the configuration, so that a new reader needs no program.
//
// # The line
//
// 9600 8N1 is usual. A reading is at most 128 bytes of printable ASCII, ended by CR, LF or CR LF, as scanners are programmed to (CR is what most
// leave the factory with), by ETX (03) or by NUL, which some send behind the CR. STX (02) begins a reading anew. Empty lines are nothing.
// The scanner's own prefix, where it has one, belongs to the expression.
//
// The expression must fit the whole line. It is in Go's syntax, and its named groups say what is what:
//
//	rank      the card's rank: A 2 … 9 T (or 10) J Q K, or what the table ranks says
//	suit      the card's suit: c d h s, or what the table suits says
//	code      the card as a whole: in the notation, or what the table codes says
//	position  where the card was read: P1 P2 P3 B1 B2 B3 BURN OUT, or what the table positions says
//	misread   there was a card, and the device could not read it
//	cut       the cut card
//
// A group that took no part in the match, or took nothing, says nothing. A table replaces the words it stands for, it does not add to them; without
// one the words may be in either case.
//
//	expression: '(?P<position>[A-E])(?P<suit>[1-4])(?P<rank>0[1-9]|1[0-3])0'
//	suits:      {1: s, 2: h, 3: c, 4: d}
//	ranks:      {01: A, 02: 2, 03: 3, …, 13: K}
//	positions:  {A: P1, B: P2, C: B1, D: B2, E: ""}
//
// That is the layout of five characters some baccarat tables use, known from one program that reads it, not from a capture: position, suit, rank in
// two digits, 0. "A1010" is the ace of spades on Player 1. "E" is a third card, it does not say whose: no claim. It is ready as the preset "five".
// Everything else here is the site's own configuration and as true as that.
//
// # What is no card
//
// A line that does not fit is the fault "unknown-reading". So is one with a byte that is no printable ASCII, one that is too long, one that STX
// cut off, and one that stopped for a second: each may have been a card, and nothing is guessed. A prefix or STX makes such a device safer,
// a checksum it has none. Noise alone, without a printable character or an end, is nothing.
//
// A line that fits and names no card (no such code in the table) was a card nobody knows: it takes a place in the deal as an unread
// one, and the fault "foreign" follows it. The words of faults never tell what was read: a code is as good as the card that may lie face down.
//
// # Repeats
//
// Two cards of the same rank and suit follow each other in 7 of 415 draws from eight decks, and their lines are equal, so no line is dropped for
// being equal to the last. Only where the device is known to say each reading more than once, faster than a dealer can draw, Repeat may be set.
//
// These devices have no lock, no numbers and no memory: what they say while nobody listens is lost, and their reports have no
// sequence number.
package pattern

import "time"

const (
	maxFrame = 128         // bytes of a reading
	idle     = time.Second // after which a reading without an end is over
)

// Options are the settings of a pattern reader, as a configuration writes them.
type Options struct {
	Expression string            // must fit the whole line; see the package's comment for its groups
	Codes      map[string]string // code → card in the notation, "??" for a misread, "cut"; without it, the code is just that
	Positions  map[string]string // position → P1 P2 P3 B1 B2 B3 BURN OUT, or "" for no claim
	Suits      map[string]string // suit → c d h s
	Ranks      map[string]string // rank → A 2 … 9 T J Q K
	Repeat     time.Duration     // a line equal to the last within this time is the same reading; 0, the default, for never
}

// Presets are patterns ready to be named in a configuration.
//
//	barcode  labels in the notation: 9S, TH or 10H; ?? for a misread, CUT
//	five     five characters: position, suit, rank in two digits, 0
var Presets = map[string]Options{
	"barcode": {Expression: `(?P<rank>10|[2-9TtJjQqKkAa])(?P<suit>[CcDdHhSs])|(?P<misread>\?\?)|(?P<cut>CUT|cut)`},
	"five": {
		Expression: `(?P<position>[A-E])(?P<suit>[1-4])(?P<rank>0[1-9]|1[0-3])0`,
		Suits:      map[string]string{"1": "s", "2": "h", "3": "c", "4": "d"},
		Ranks: map[string]string{
			"01": "A", "02": "2", "03": "3", "04": "4", "05": "5", "06": "6", "07": "7", "08": "8", "09": "9", "10": "T", "11": "J", "12": "Q", "13": "K",
		},
		Positions: map[string]string{"A": "P1", "B": "P2", "C": "B1", "D": "B2", "E": ""},
	},
}
