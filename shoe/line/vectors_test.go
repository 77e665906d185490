package line

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"sabot/shoe"
)

// said is a report as the vectors write it.
func said(r shoe.Report) string {
	words := []string{r.Kind.String()}
	if r.Card != shoe.NoCard {
		words = append(words, r.Card.String())
	}
	if c := writeClaim(r.Claim); c != "" {
		words = append(words, c)
	}
	if r.Code != "" {
		words = append(words, r.Code)
	}
	if r.Kind == shoe.Number {
		words = append(words, decimal(uint32(r.N)))
	}
	if r.Kind == shoe.Pressed {
		words = append(words, flag(r.Down))
	}
	if r.Text != "" {
		words = append(words, r.Text)
	}
	return strings.Join(append(words, "@"+decimal(r.Source.Epoch)+":"+decimal(r.Source.Seq)), " ")
}

func saidAll(reports []shoe.Report) string {
	var all []string
	for _, r := range reports {
		all = append(all, said(r))
	}
	return strings.Join(all, " | ")
}

// vector is a line of testdata/*.hex: the bytes, and the reports they make.
type vector struct {
	name  string
	bytes []byte
	want  string
}

// vectors reads a file of them: "# name", then lines of hex and of ASCII in quotes, then "= reports".
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
				t.Fatalf("%s: %q: %v", path, v.name, err)
			}
			v.bytes = append(v.bytes, p...)
		}
	}
	return all
}

func TestVectors(t *testing.T) {
	all := vectors(t, "testdata/line.hex")
	if len(all) < 20 {
		t.Fatalf("only %d vectors read", len(all))
	}
	for _, v := range all {
		reports, _ := New("shoe").Feed(0, v.bytes)
		if got := saidAll(reports); got != v.want {
			t.Errorf("%s:\n got %s\nwant %s", v.name, got, v.want)
		}
		d, got := New("shoe"), []shoe.Report(nil)
		for i := range v.bytes {
			reports, _ := d.Feed(0, v.bytes[i:i+1])
			got = append(got, reports...)
		}
		if saidAll(got) != v.want {
			t.Errorf("%s, byte by byte:\n got %s\nwant %s", v.name, saidAll(got), v.want)
		}
	}
}

// TestTheModelWritesTheVectors holds the device to the same bytes.
func TestTheModelWritesTheVectors(t *testing.T) {
	d := NewDevice("demo", "0001", 7)
	out := d.Hello()
	out = append(out, d.Feed(0, write("ACK", "0", "7"))...)
	nine := shoe.New(9, shoe.Spades)
	for _, p := range [][]byte{
		d.Draw(nine), d.Draw(nine), d.DrawAt(shoe.New(10, shoe.Hearts), shoe.Claim{Side: shoe.ToPlayer, Index: 3}), d.Draw(shoe.Unread), d.DrawAt(nine, shoe.Claim{Side: shoe.ToBurn}),
		d.Cut(), d.Button("next", true), d.Fault("E3", "card not read"), d.ClearFault("E3"),
	} {
		out = append(out, p...)
	}
	for _, v := range vectors(t, "testdata/line.hex") {
		if v.name != "a model's day" {
			continue
		}
		if string(out) != string(v.bytes) {
			t.Errorf("the device wrote\n%q\nthe vector is\n%q", out, v.bytes)
		}
		return
	}
	t.Error("no such vector")
}
