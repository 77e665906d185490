// Package beetek reads the Bee-Tek shoe, in both dialects known of it. It was written without such a shoe, and without its maker's
// document. Each fact below says how far to trust it: [2] two independent public sources agree, [1] one program that is not the
// maker's says so, [b] a guess to be checked on a unit. Whoever has one should run `testdata/*.hex` against it first.
//
// # Dialect spaced
//
// 9600 8N1 ASCII [2]. Tokens with a space on either side: a mode in brackets, then what there is to say [1]:
//
//	[Game]<Card:4S>                      a card: rank A 2–9 T or 10 J Q K, then suit C D H S
//	[Manual Burn Cards]<Card:TH>         a card in the diagnostic mode, a plain reader for any game
//	[Game]<Game>                         a card left and was not read; so also in other modes [b]
//	[GameAlarm]<Alarm:E3 Card Not Read>  an alarm; [Game]<Alarm:…> likewise. E3 is the fault "misread", others have their own code
//	<W0x01>                              a warning
//
// "[" always begins a token anew, and so does "<" unless a mode stands right before it; any byte outside 20 to 7E and too many characters
// spoil the token they stand in and no other. There is no checksum: a changed character is found only if no card is called so. A card whose mode was
// spoilt is a card. What stands after "Card:" and is no card's name is an unread card: it takes a place. A token with a mode that says anything
// else is a fault "unknown-token", since it may have been a card; one without a mode is noise.
//
// # Dialect lines
//
// 9600 8N1 ASCII, lines that end in CR LF, compared with a table of codes [1]. The table is yours: [Options].Codes. A lone CR or LF ends a line as well. Bytes outside
// 20 to 7E before a line are noise; within it they spoil it. A line that is not in the table is a fault "unknown-line", since it may have been a card.
//
// # The same card twice
//
// In Game mode the card is repeated after the first frame [1]; the program that knows this does not say how soon, how often, or in which dialect. But the next card
// equals the last one in 7 of 415 draws, and no card may be lost. So a reading is a repeat only if all of this is so: it names the same card,
// it comes within Window of the first, nothing was drawn between, and that card was repeated fewer than Copies-1 times. A hand cannot draw two cards
// within Window; and should a stalled line deliver two drawings at once, the count tells two cards in two copies each apart. What a unit does otherwise is a setting: Copies 1 for
// one that repeats nothing. In the diagnostic mode nothing is a repeat; dialect lines does not say its mode, so there it wants Copies 1.
//
// Of two copies one may be spoilt. A name that is no card's waits Window for the other copy before it is an unread card. A misread is never a
// repeat [b].
//
// # What it has not
//
// No numbers, no acknowledgement, no lock, no word for the cut card, for a start, or for the end of an alarm. Misreads, alarms, warnings and cards are reported in the order they came.
package beetek

import (
	"time"

	"sabot/shoe"
)

// Options are the settings of a shoe. The zero value is dialect spaced as it is known.
type Options struct {
	// Codes are the lines of dialect lines and their cards: shoe.Unread for a card that was not read, shoe.NoCard for what means
	// nothing to a table. With none the dialect is spaced.
	Codes map[string]shoe.Card

	// Copies is how often each card comes, but in the diagnostic mode; 0 is twice. 1 is for a shoe that repeats none.
	Copies int

	// Window is for how long after a card's first reading another is a copy of it; 0 is 300 ms. Two tokens take 36 ms at 9600 baud.
	Window time.Duration
}

// The modes a shoe says it is in.
const (
	Game   = "Game"
	Manual = "Manual Burn Cards" // the diagnostic mode
)

const (
	usualCopies = 2
	usualWindow = 300 * time.Millisecond
)

// usual are the settings with what is left out.
func (o Options) usual() Options {
	if o.Copies == 0 {
		o.Copies = usualCopies
	}
	if o.Window == 0 {
		o.Window = usualWindow
	}
	return o
}
