package angel

import (
	"bufio"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"sabot/shoe"
)

var (
	sides   = [...]string{shoe.ToPlayer: "P", shoe.ToBanker: "B", shoe.ToBurn: "BURN", shoe.Outside: "OUT"}
	outcome = [...]string{shoe.NoWinner: "none", shoe.PlayerWins: "player", shoe.BankerWins: "banker", shoe.Tie: "tie", shoe.Quit: "quit"}
)

// said is a report as the vectors write it.
func said(r shoe.Report) string {
	words := []string{r.Kind.String()}
	add := func(ok bool, word string) {
		if ok {
			words = append(words, word)
		}
	}
	add(r.Card != shoe.NoCard, r.Card.String())
	where := sides[r.Claim.Side]
	if r.Claim.Index > 0 {
		where += strconv.Itoa(int(r.Claim.Index))
	}
	add(where != "", where)
	add(r.Code != "", r.Code)
	add(r.Kind == shoe.Pressed && r.Down, "1")
	add(r.Kind == shoe.Pressed && !r.Down, "0")
	add(r.Kind == shoe.Claimed, outcome[r.Result.Winner])
	add(r.Result.PlayerPair, "pp")
	add(r.Result.BankerPair, "bp")
	add(r.Text != "", r.Text)
	return strings.Join(words, " ")
}

func saidAll(reports []shoe.Report) string {
	var all []string
	for _, r := range reports {
		all = append(all, said(r))
	}
	return strings.Join(all, " | ")
}

// vector is a paragraph of testdata/angel.hex: the bytes, and the reports they make.
type vector struct {
	name  string
	bytes []byte
	want  string
}

// vectors reads them: "# name", then lines of hex, then "= reports".
func vectors(t testing.TB) (all []vector) {
	t.Helper()
	f, err := os.Open("testdata/angel.hex")
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

func TestVectors(t *testing.T) {
	all := vectors(t)
	if len(all) < 40 {
		t.Fatalf("only %d vectors read", len(all))
	}
	for _, v := range all {
		reports, _ := New("shoe", Options{}).Feed(0, v.bytes)
		if got := saidAll(reports); got != v.want {
			t.Errorf("%s:\n got %s\nwant %s", v.name, got, v.want)
		}
		d, got := New("shoe", Options{}), []shoe.Report(nil)
		for i := range v.bytes {
			reports, _ := d.Feed(0, v.bytes[i:i+1])
			got = append(got, reports...)
		}
		if saidAll(got) != v.want {
			t.Errorf("%s, byte by byte:\n got %s\nwant %s", v.name, saidAll(got), v.want)
		}
	}
}
