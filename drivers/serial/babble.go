package serial

import (
	"time"

	"sabot/shoe"
)

const (
	mostFaults = 50               // of one code within babbleFor; a shoe full of foreign cards, run through by hand, has fewer
	babbleFor  = 10 * time.Second // and without it for so long, it is over
	mostCodes  = 32               // told apart; a device may make them up

	babbling = "babbling" // the fault of a device that says the same fault faster than anybody can look at it
)

// babble keeps a device that says one fault again and again, a reader of rubbish at line speed, from filling the record: of that fault nothing more is told until it has
// rested, but for the last word, which says how it is. So it is with gaps, where more comes than is read; not with those that a device numbers. What happened on the table,
// cards above all, passes always.
type babble struct {
	device string
	codes  map[string]*chatter
	said   bool
}

// chatter is how often a fault was said.
type chatter struct {
	since, last time.Time
	n           int
	muted       bool
	word        shoe.Report // the last one that was not told
}

// pass is what is told of a report, and with it.
func (b *babble) pass(r shoe.Report, at time.Time) (told []shoe.Report) {
	code := r.Code
	switch {
	case r.Kind == shoe.Gap && r.Source.Seq == 0:
		code = r.Kind.String()
	case r.Kind != shoe.Faulted && r.Kind != shoe.Cleared:
		return []shoe.Report{r}
	}
	c := b.of(code)
	if at.Sub(c.since) > babbleFor {
		c.since, c.n = at, 0
	}
	c.n++
	c.last = at
	switch {
	case c.n <= mostFaults && !c.muted:
		return []shoe.Report{r}
	case !b.said:
		b.said = true
		told = append(told, b.report(shoe.Faulted, "a fault is said faster than anybody can look at it"))
	}
	c.muted, c.word = true, r
	return told
}

// of is the count of a code; the codes there is no room for share one.
func (b *babble) of(code string) *chatter {
	if b.codes[code] == nil && len(b.codes) >= mostCodes {
		code = ""
	}
	if b.codes[code] == nil {
		if b.codes == nil {
			b.codes = map[string]*chatter{}
		}
		b.codes[code] = &chatter{}
	}
	return b.codes[code]
}

// rest is what is told when time has passed.
func (b *babble) rest(at time.Time) (told []shoe.Report) {
	muted := false
	for code, c := range b.codes {
		switch {
		case at.Sub(c.last) <= babbleFor:
			muted = muted || c.muted
			continue
		case c.muted:
			told = append(told, c.word)
		}
		delete(b.codes, code)
	}
	if b.said && !muted {
		b.said = false
		told = append(told, b.report(shoe.Cleared, ""))
	}
	return told
}

func (b *babble) report(kind shoe.Kind, text string) shoe.Report {
	return shoe.Report{Kind: kind, Code: babbling, Text: text, Source: shoe.Source{Device: b.device}}
}
