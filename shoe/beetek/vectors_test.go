package beetek

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
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

func saidAll(reports []shoe.Report) string {
	var all []string
	for _, r := range reports {
		all = append(all, said(r))
	}
	return strings.Join(all, " | ")
}

// vector is a paragraph of testdata/*.hex: the bytes, and the reports they make once the window is over.
type vector struct {
	name  string
	bytes []byte
	want  string
}

// vectors reads a file of them: "# name", then lines of hex, then "= reports".
func vectors(t testing.TB, path string) (all []vector) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var v vector
	for lines := bufio.NewScanner(f); lines.Scan(); {
		switch text := lines.Text(); {
		case text == "":
		case strings.HasPrefix(text, "# "):
			v = vector{name: text[2:]}
		case strings.HasPrefix(text, "="):
			v.want = strings.TrimSpace(text[1:])
			all = append(all, v)
		default:
			p, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
			if err != nil {
				t.Fatalf("%q: %v", v.name, err)
			}
			v.bytes = append(v.bytes, p...)
		}
	}
	return all
}

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
		all := vectors(t, file.path)
		if len(all) < file.least {
			t.Fatalf("only %d vectors read", len(all))
		}
		for _, v := range all {
			for _, n := range []int{1000, 1, 7} {
				if got := saidAll(New("shoe", file.o).hear(0, v.bytes, n)); got != v.want {
					t.Errorf("%s, %d bytes at a time:\n got %s\nwant %s", v.name, n, got, v.want)
				}
			}
		}
	}
}
