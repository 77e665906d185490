// Package uid reads cards by radio tags: each card has a tag with a number of its own, its UID, and a file says which card that is.
//
// A tag tells more than a picture. Two cards of the same rank and suit have different UIDs, so a card that is seen again is known from one that
// looks like it, and a card of another deck is known for what it is. The file is the enrolment, see [Cards]; it is as secret as
// the cards that lie face down, and so are UIDs: they stand in Raw, never in the words of a report.
//
// # Readers
//
// Trust: [2] two independent public sources agree, [1] one program, [b] background, to be checked on a unit, [c] computed from the rule above it.
//
// rdm6300, 125 kHz, 9600 8N1 [2]. 14 bytes: 02, ten hexadecimal digits, two more which are the XOR of the five bytes those make, 03. id12, the
// ID-12 and ID-20, puts CR LF before the 03 [b]; the decoder takes either under both names, the model writes its own. They repeat while the tag stays.
//
//	02 30 41 30 30 31 32 33 34 35 36 37 41 03   the tag 0A00123456
//
// pn532, 13.56 MHz, HSU mode, 115200 8N1. Frames are 00 00 FF LEN LCS, LEN bytes of data, DCS, 00; LEN and LCS add up to 0, data and DCS too, modulo
// 256; data begin with D4 from the host and D5 from the chip [2]. One byte of sum is right by chance too often where frames are cut off, so the 00
// behind has to be there too, and no other frame may start within. The chip says nothing unless it is asked. What to ask is the setting
// Ask, there is no default: public programs ask D4 4A 01 00 for one tag of type A, behind D4 14 01 00 once, and wake the chip with 55 55 00 00 00 [b].
// The answer D5 4B is a count, and for each tag its number, two bytes, one byte, the UID's length, the UID, and, if bit 5 of
// that one byte is set, as many bytes more as the next one says, itself among them [b].
//
//	00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 AA BB CC DD 11 22 4E 00   the tag 04AABBCCDD1122 [c]
//
// jsonl, clients on a USB port, 115200 8N1: one JSON object a line, of at most 512 bytes; lines that begin with # are comments [1].
//
//	{"type":"card","seq":2,"device_id":"r1","card_uid":"04AABBCCDD11"}
//	{"type":"boot","seq":1,"device_id":"r1"}
//	{"type":"error","code":"E3"}
//
// Other types are counted and otherwise nothing. What seq promises is not known: it is taken to count all lines since the boot, and only to notice loss.
// A number skipped is a [shoe.Gap]; the last line once more is dropped; any other number that does not follow is a [shoe.Conflict], and the count goes on
// from there. A boot, or another device_id, begins the count anew and is [shoe.Booted], unless nothing was heard before. A card
// is judged whatever its number, since its UID tells whether it was seen. Reports bear no numbers, for there is nothing to acknowledge.
//
// # What a tag means
//
// A tag on the antenna is said again and again. It is one report until it was out of sight for a while (Linger); after that, in the same
// shoe:
//
//   - It has left before: the fault "same-uid". One tag is one card and has its place already, so it takes no other. Somebody pushed a card back and drew it
//     again, or there is a copy of the tag; if a second card did leave, the supervisor enters it.
//   - It is not enrolled: a card left that nobody knows. It takes a place as an unread card, and the fault "foreign" follows. Seen again, it is
//     "same-uid" too.
//   - It is the tag of the cut card: [shoe.CutOut].
//
// Only [Decoder.NewShoe] makes tags new again. A decoder made in the middle of a shoe has to be told what left: feed it the Raw of what the record has
// of this shoe, and throw the reports away.
//
// Without an enrolment a tag is [shoe.Tagged] with its UID, which is how an enrolment is made.
//
// # What is spoilt
//
// A frame of the right shape with a wrong sum was a tag. Where the reader repeats, a good one follows at once; if it does not within 250 ms, and for a JSON line
// right away, it is the fault "unknown-reading": a card may have gone by. A card without a tag, or whose tag is dead, is silence: no
// reader of tags can tell, the count of the game does.
package uid

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

const (
	linger     = 2 * time.Second
	repair     = 250 * time.Millisecond // for a good frame to follow a spoilt one
	idle       = 250 * time.Millisecond // after which half a PN532 frame is none
	askAgain   = time.Second            // without an answer
	manySights = 16                     // tags that are watched lying on the antenna
	manyStrays = 64                     // foreign tags remembered in one shoe
	maxLine    = 512                    // bytes of a JSON line
	maxUID     = 10                     // bytes of a UID
)

// Baud is the usual speed of a format's readers, in bits per second.
func Baud(format string) int {
	if format == "pn532" || format == "jsonl" {
		return 115200
	}
	return 9600
}

// Options are the settings of a reader of tags, as a configuration writes them.
type Options struct {
	Format string        // rdm6300, id12, pn532 or jsonl
	Cards  *Cards        // the enrolment; nil: tags are reported as such
	Linger time.Duration // a tag out of sight for less was never away; 0 stands for 2 s

	// Ask is what a pn532 is asked, each in hexadecimal: from the first on when the conversation begins, each when the one before is answered, the last one for ever.
	// After a second without an answer it starts over. What begins with D4 is framed and awaits an answer, anything else is sent as it stands.
	Ask []string
}

// check says all that is wrong with the options.
func (o Options) check() error {
	var problems []error
	if newFramer(o.Format) == nil {
		problems = append(problems, fmt.Errorf("uid: there is no format %q; formats are rdm6300 id12 pn532 jsonl", o.Format))
	}
	if o.Linger < 0 {
		problems = append(problems, fmt.Errorf("uid: linger is %v; it is a time, or 0 for %v", o.Linger, linger))
	}
	if len(o.Ask) > 0 && o.Format != "pn532" {
		problems = append(problems, fmt.Errorf("uid: ask is for the format pn532, not for %q", o.Format))
	}
	_, err := questions(o.Ask)
	return errors.Join(append(problems, err)...)
}

// question is something to ask a PN532.
type question struct {
	bytes  []byte
	answer byte // the code of its answer; 0 where none comes
}

func questions(ask []string) (all []question, err error) {
	for i, text := range ask {
		p, err := hex.DecodeString(text)
		switch {
		case err != nil || len(p) == 0 || len(p) > 255:
			return nil, fmt.Errorf("uid: ask: %q is not 1 to 255 bytes in hexadecimal", text)
		case p[0] == fromHost && len(p) > 1:
			all = append(all, question{packet(p), p[1] + 1})
		case i == len(ask)-1:
			return nil, fmt.Errorf("uid: ask: the last one, %q, is asked for ever and has to be a command: D4 …", text)
		default:
			all = append(all, question{bytes: p})
		}
	}
	return all, nil
}
