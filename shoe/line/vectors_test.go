package line

import (
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/shoe/shoetest"
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

func saidAll(reports []shoe.Report) string { return shoetest.Said(reports, said) }

func TestVectors(t *testing.T) {
	all := shoetest.Vectors(t, "testdata/line.hex", 20)
	for _, v := range all {
		reports, _ := New("shoe").Feed(0, v.Bytes)
		if got := saidAll(reports); got != v.Want {
			t.Errorf("%s:\n got %s\nwant %s", v.Name, got, v.Want)
		}
		d, got := New("shoe"), []shoe.Report(nil)
		for i := range v.Bytes {
			reports, _ := d.Feed(0, v.Bytes[i:i+1])
			got = append(got, reports...)
		}
		if saidAll(got) != v.Want {
			t.Errorf("%s, byte by byte:\n got %s\nwant %s", v.Name, saidAll(got), v.Want)
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
	for _, v := range shoetest.Vectors(t, "testdata/line.hex", 1) {
		if v.Name != "a model's day" {
			continue
		}
		if string(out) != string(v.Bytes) {
			t.Errorf("the device wrote\n%q\nthe vector is\n%q", out, v.Bytes)
		}
		return
	}
	t.Error("no such vector")
}
