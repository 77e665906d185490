package angel

import (
	"strconv"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/shoe/shoetest"
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

func saidAll(reports []shoe.Report) string { return shoetest.Said(reports, said) }

func TestVectors(t *testing.T) {
	all := shoetest.Vectors(t, "testdata/angel.hex", 40)
	for _, v := range all {
		reports, _ := New("shoe", Options{}).Feed(0, v.Bytes)
		if got := saidAll(reports); got != v.Want {
			t.Errorf("%s:\n got %s\nwant %s", v.Name, got, v.Want)
		}
		d, got := New("shoe", Options{}), []shoe.Report(nil)
		for i := range v.Bytes {
			reports, _ := d.Feed(0, v.Bytes[i:i+1])
			got = append(got, reports...)
		}
		if saidAll(got) != v.Want {
			t.Errorf("%s, byte by byte:\n got %s\nwant %s", v.Name, saidAll(got), v.Want)
		}
	}
}
