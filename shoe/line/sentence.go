package line

import (
	"strconv"
	"strings"

	"sabot/shoe"
)

// framer finds sentences in bytes. Its buffer is its bound.
type framer struct {
	buf    [maxFrame]byte
	n      int
	inside bool
}

// feed takes a byte and gives the sentence it ends, if it ends a whole one.
func (f *framer) feed(b byte) (sentence, bool) {
	switch {
	case b == '$':
		f.inside, f.n = true, 0
	case b == '\r' || b == '\n':
		ended := f.inside
		f.inside = false
		if ended {
			return parse(string(f.buf[:f.n]))
		}
		return sentence{}, false
	case b < ' ' || b > '~' || f.n == maxFrame:
		f.inside = false
	}
	if f.inside {
		f.buf[f.n] = b
		f.n++
	}
	return sentence{}, false
}

// sentence is one that came whole. Its fields are those behind the word.
type sentence struct {
	raw    string // from "$" to the checksum
	word   string // CRD, HEL …
	fields []string
	seq    uint32 // the first field of a numbered sentence
	quiet  bool   // the record does not wait for it
}

// parse reads a sentence from "$" to its checksum.
func parse(raw string) (sentence, bool) {
	star := len(raw) - 3
	if star < len("$SBCRD") || raw[star] != '*' || !strings.HasPrefix(raw, "$SB") {
		return sentence{}, false
	}
	said, err := strconv.ParseUint(raw[star+1:], 16, 8)
	if err != nil || byte(said) != sum(raw[1:star]) {
		return sentence{}, false
	}
	fields := strings.Split(raw[len("$SB"):star], ",")
	s := sentence{raw: raw, word: fields[0], fields: fields[1:]}
	s.seq, _ = s.number(0)
	return s, true
}

// field is the i-th field, "" when there is none.
func (s sentence) field(i int) string {
	if i < len(s.fields) {
		return s.fields[i]
	}
	return ""
}

// number is the i-th field as a number.
func (s sentence) number(i int) (uint32, bool) {
	n, err := strconv.ParseUint(s.field(i), 10, 32)
	return uint32(n), err == nil
}

// same says that two sentences have the same content; the case of their checksums does not matter.
func (s sentence) same(o sentence) bool { return s.raw[:len(s.raw)-2] == o.raw[:len(o.raw)-2] }

// hello is the epoch a HEL names, and the number of its oldest sentence not acknowledged.
func (s sentence) hello() (epoch, oldest uint32, ok bool) {
	epoch, ok = s.number(3)
	of, number, _ := strings.Cut(s.field(4), ":")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil || n == 0 || of != s.field(3) {
		n = 1
	}
	return epoch, uint32(n), ok && s.word == "HEL" && epoch != unnamed
}

// report is what a numbered sentence says; ok is false where that is nothing for the record of a table.
func (s sentence) report() (r shoe.Report, ok bool) {
	switch s.word {
	case "CRD":
		r.Kind, r.Card, r.Claim = shoe.Drawn, readCard(s.field(1)), readClaim(s.field(2))
	case "CUT":
		r.Kind = shoe.CutOut
	case "BTN":
		r.Kind, r.Code, r.Down = shoe.Pressed, s.field(1), s.field(2) == "1"
	case "ERR":
		r.Kind, r.Code, r.Text = shoe.Faulted, s.field(1), strings.Join(s.fields[min(2, len(s.fields)):], ",")
	case "CLR":
		r.Kind, r.Code = shoe.Cleared, s.field(1)
	case "WIN":
		n, err := strconv.ParseUint(s.field(1), 10, 8)
		r.Kind, r.N = shoe.Number, uint8(n)
		return r, err == nil
	case "WHL":
		r.Kind = wheelStates[s.field(1)]
		return r, r.Kind != 0
	default:
		return shoe.Report{}, false
	}
	return r, true
}

// wheelStates are the states that a table hears of; the numbers are those of common wheels.
var wheelStates = map[string]shoe.Kind{"3": shoe.BallIn, "7": shoe.NoSpin}

// readCard is the card of a CRD. Whatever it says, a card left: what is no card's name is an unread card.
func readCard(text string) shoe.Card {
	if c, err := shoe.ParseCard(text); err == nil {
		return c
	}
	return shoe.Unread
}

// sides are the claims that have no index, or its letter.
var sides = [...]struct {
	word string
	side shoe.Side
}{{"P", shoe.ToPlayer}, {"B", shoe.ToBanker}, {"BURN", shoe.ToBurn}, {"OUT", shoe.Outside}}

// readClaim is a claim, none where it cannot be read.
func readClaim(text string) shoe.Claim {
	for _, s := range sides {
		for index := range uint8(4) {
			if c := (shoe.Claim{Side: s.side, Index: index}); text != "" && writeClaim(c) == text {
				return c
			}
		}
	}
	return shoe.Claim{}
}

// writeClaim is a claim as CRD spells it, "" for none and for one the line has no word for.
func writeClaim(c shoe.Claim) string {
	for _, s := range sides {
		indexed := len(s.word) == 1
		switch {
		case s.side != c.Side:
		case indexed && c.Index >= 1 && c.Index <= 3:
			return s.word + strconv.Itoa(int(c.Index))
		case !indexed && c.Index == 0:
			return s.word
		}
	}
	return ""
}

// write makes a sentence of a word and its fields.
func write(word string, fields ...string) []byte {
	body := "SB" + strings.Join(append([]string{word}, fields...), ",")
	const digits = "0123456789ABCDEF"
	x := sum(body)
	return append([]byte("$"+body), '*', digits[x>>4], digits[x&15], '\r', '\n')
}

// clean makes text safe to be a field of at most n characters.
func clean(text string, n int) string {
	safe := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune("$*,", r) {
			return '.'
		}
		return r
	}, text)
	return safe[:min(n, len(safe))]
}

func sum(s string) byte {
	var x byte
	for i := range len(s) {
		x ^= s[i]
	}
	return x
}

// decimal is a number as a field.
func decimal(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// flag is a yes or no as a field.
func flag(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}
