package beetek

import (
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/shoetest"
)

// codes is a table of dialect lines.
var codes = Options{Codes: map[string]shoe.Card{
	"41": shoe.New(4, shoe.Spades), "42": shoe.New(10, shoe.Hearts), "43": shoe.New(10, shoe.Hearts), "ERR": shoe.Unread, "READY": shoe.NoCard,
}}

// said is a report as the vectors write it.
func said(r shoe.Report) string {
	words := []string{r.Kind.String()}
	if r.Card != shoe.NoCard {
		words = append(words, r.Card.String())
	}
	return strings.TrimSpace(strings.Join(append(words, r.Code, r.Text), " "))
}

func saidAll(reports []shoe.Report) string { return shoetest.Said(reports, said) }

// hear feeds bytes in pieces of n, and the tick after the window.
func (d *Decoder) hear(now time.Duration, p []byte, n int) (all []shoe.Report) {
	for len(p) > 0 {
		piece := p[:min(n, len(p))]
		p = p[len(piece):]
		reports, _ := d.Feed(now, piece)
		all = append(all, reports...)
	}
	reports, _ := d.Feed(now+usualWindow, nil)
	return append(all, reports...)
}

func TestVectors(t *testing.T) {
	for _, file := range []struct {
		path  string
		o     Options
		least int
	}{{"testdata/spaced.hex", Options{}, 30}, {"testdata/lines.hex", codes, 13}} {
		all := shoetest.Vectors(t, file.path, file.least)
		for _, v := range all {
			for _, n := range []int{1000, 1, 7} {
				if got := saidAll(New("shoe", file.o).hear(0, v.Bytes, n)); got != v.Want {
					t.Errorf("%s, %d bytes at a time:\n got %s\nwant %s", v.Name, n, got, v.Want)
				}
			}
		}
	}
}
