package wheel

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
)

// said is a report as the vectors write it.
func said(r shoe.Report) string {
	text := r.Kind.String()
	if r.Code != "" {
		text += " " + r.Code
	}
	if r.Kind == shoe.Number || r.Kind == shoe.Proposed {
		text += fmt.Sprintf(" %d", r.N)
	}
	if r.Source.Epoch > 0 || r.Source.Seq > 0 {
		text += fmt.Sprintf(" @%d:%d", r.Source.Epoch, r.Source.Seq)
	}
	return text
}

func saidAll(reports []shoe.Report) string {
	var all []string
	for _, r := range reports {
		all = append(all, said(r))
	}
	return strings.Join(all, " | ")
}

// piece is what comes, or time that passes with a tick at its end.
type piece struct {
	bytes []byte
	pass  time.Duration
}

type vector struct {
	name   string
	pieces []piece
	want   string
}

// vectors reads testdata/wheel.txt, whose first line tells how it is written.
func vectors(t testing.TB) (all []vector) {
	t.Helper()
	f, err := os.Open("testdata/wheel.txt")
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
		case strings.HasPrefix(text, "+"):
			pass, err := time.ParseDuration(text[1:])
			if err != nil {
				t.Fatal(err)
			}
			v.pieces = append(v.pieces, piece{pass: pass})
		case strings.HasPrefix(text, "hex "):
			p, err := hex.DecodeString(strings.ReplaceAll(text[4:], " ", ""))
			if err != nil {
				t.Fatalf("%q: %v", v.name, err)
			}
			v.pieces = append(v.pieces, piece{bytes: p})
		default:
			v.pieces = append(v.pieces, piece{bytes: []byte(text + "\r\n")})
		}
	}
	return all
}

// play feeds pieces, a given number of bytes at a time.
func play(d *Decoder, pieces []piece, cut int) (all []shoe.Report) {
	now := time.Duration(0)
	for _, p := range pieces {
		if p.pass > 0 {
			now += p.pass
			reports, _ := d.Feed(now, nil)
			all = append(all, reports...)
		}
		for rest := p.bytes; len(rest) > 0; {
			n := min(cut, len(rest))
			reports, _ := d.Feed(now, rest[:n])
			all, rest = append(all, reports...), rest[n:]
		}
	}
	return all
}

func TestVectors(t *testing.T) {
	all := vectors(t)
	if len(all) < 35 {
		t.Fatalf("only %d vectors read", len(all))
	}
	for _, v := range all {
		for _, cut := range []int{1000, 1, 7} {
			if got := saidAll(play(New("wheel"), v.pieces, cut)); got != v.want {
				t.Errorf("%s, in cuts of %d:\n got %s\nwant %s", v.name, cut, got, v.want)
			}
		}
	}
}
