package uid

import (
	"fmt"
	"strings"
	"testing"

	"sabot/shoe"
)

// full is an enrolment of some decks, with UIDs of a given length in bytes, and a cut card.
func full(t testing.TB, decks, length int) *Cards {
	t.Helper()
	c := &Cards{Decks: decks}
	n := 0
	for _, card := range append(shoe.Deck(), shoe.NoCard) {
		for range decks {
			n++
			if err := c.Add(fmt.Sprintf("04%0*X", 2*length-2, n*7919), card); err != nil {
				t.Fatal(err)
			}
		}
	}
	return c
}

func TestParse(t *testing.T) {
	c, err := Parse("# blue decks\r\n\r\n#  May\ndecks 2\n# lost in writing\n04:aa-bb:CC 10S # corner bent \n0102 cut\n  04AABBCD\tth\n04AABBCE Th\n04AABBCF th")
	if err != nil {
		t.Fatal(err)
	}
	want := "# blue decks\n# May\ndecks 2\n04AABBCD Th\n04AABBCE Th\n04AABBCF Th\n04AABBCC Ts # corner bent\n0102 cut\n"
	expect(t, "written", c.Format(), want)
	if c.Decks != 2 || c.Len() != 5 {
		t.Errorf("%d decks, %d tags", c.Decks, c.Len())
	}
	for id, want := range map[string]shoe.Card{"04AABBCC": shoe.New(10, shoe.Spades), "04:aa:bb:cc": shoe.New(10, shoe.Spades), "0102": shoe.NoCard} {
		if card, ok := c.Card(id); !ok || card != want {
			t.Errorf("%s is %v, %v", id, card, ok)
		}
	}
	for _, id := range []string{"04AABBC0", "", "x"} {
		if card, ok := c.Card(id); ok {
			t.Errorf("%q is %v", id, card)
		}
	}
	expect(t, "tags of a card", strings.Join(c.UIDs(shoe.New(10, shoe.Hearts)), " "), "04AABBCD 04AABBCE 04AABBCF")
	expect(t, "of the cut card", strings.Join(c.UIDs(shoe.NoCard), " "), "0102")
	expect(t, "of a card without one", strings.Join(c.UIDs(shoe.New(1, shoe.Hearts)), " "), "")
}

func TestParseNamesLines(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no card", "\n04AABB 9x", "line 2: \"9x\" is no card"},
		{"unread is no card", "04AABB ??", "line 1: \"??\" is no card"},
		{"no UID", "04AABX 9s", "line 1: \"04AABX\" is no UID"},
		{"half a byte", "04AAB 9s", "line 1: \"04AAB\" is no UID"},
		{"one byte", "04 9s", "line 1: \"04\" is no UID"},
		{"too long", "0102030405060708090A0B 9s", "is no UID: 2 to 10 bytes"},
		{"no card at all", "04AABB", "line 1: \"04AABB\" is not a UID and its card"},
		{"too many words", "04AABB 9s x # y", "line 1: \"04AABB 9s x\" is not"},
		{"twice", "04AABB 9s\n# x\n04:aa:bb Th", "line 3: 04AABB is in line 1 already, as 9s"},
		{"twice, the cut card", "04AABB cut\n04AABB cut", "line 2: 04AABB is in line 1 already, as cut"},
		{"no decks", "decks 0", "line 1: decks \"0\""},
		{"decks in words", "decks eight", "line 1: decks \"eight\""},
		{"decks twice", "decks 8\ndecks 8", "line 2: decks was said already"},
		{"all of them", "x\ny", "line 2:"},
		{"not all of very many", strings.Repeat("x\n", 99), "and maybe more"},
	}
	for _, test := range tests {
		c, err := Parse(test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) || c != nil {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if err != nil && strings.Count(err.Error(), "\n") > manyProblems {
			t.Errorf("%s: %d lines", test.name, strings.Count(err.Error(), "\n"))
		}
	}
}

func TestAdd(t *testing.T) {
	var c Cards
	nine := shoe.New(9, shoe.Spades)
	if err := c.Add("04:aa:bb", nine); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		id   string
		card shoe.Card
		want string
	}{{"04AABB", nine, "04AABB is enrolled already, as 9s"}, {"04AABC", shoe.Unread, "?? is no card"}, {"04", nine, "is no UID"}} {
		if err := c.Add(test.id, test.card); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.id, err, test.want)
		}
	}
	if c.Len() != 1 {
		t.Errorf("%d tags", c.Len())
	}
}

func TestRemove(t *testing.T) {
	var c Cards
	if c.Remove("04AABB") {
		t.Error("a tag was removed that is not there")
	}
	if err := c.Add("04AABB", shoe.NoCard); err != nil {
		t.Fatal(err)
	}
	if c.Remove("04AABC") || c.Remove("x") || !c.Remove("04:aa:bb") || c.Remove("04AABB") || c.Len() != 0 {
		t.Errorf("%d tags are left", c.Len())
	}
}

func TestComplete(t *testing.T) {
	c := full(t, 2, 7)
	if m, e := c.Missing(2), c.Extra(2); m != nil || e != nil {
		t.Errorf("missing %v, extra %v", m, e)
	}
	if err := c.Add("FFFF", shoe.New(1, shoe.Clubs)); err != nil {
		t.Fatal(err)
	}
	delete(c.tags, c.UIDs(shoe.New(13, shoe.Spades))[0])
	delete(c.tags, c.UIDs(shoe.New(2, shoe.Clubs))[0])
	delete(c.tags, c.UIDs(shoe.New(2, shoe.Clubs))[0])
	expect(t, "missing", fmt.Sprint(c.Missing(2)), "[{2c 0 2} {Ks 1 2}]")
	expect(t, "extra", fmt.Sprint(c.Extra(2)), "[{Ac 3 2}]")
	if n := len((&Cards{}).Missing(8)); n != 52 {
		t.Errorf("an empty file misses %d cards", n)
	}
	if n := len(c.Extra(0)); n != 51 {
		t.Errorf("without decks %d cards are too many", n)
	}
}

// FuzzCards reads anything: no panic, and what is written reads the same and is written the same.
func FuzzCards(f *testing.F) {
	f.Add(enrolled)
	f.Add("# head\n\n#\ndecks 1\n04AA-BB 10h # note # more\n#x\n0102 CUT")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			return
		}
		written := c.Format()
		again, err := Parse(written)
		if err != nil {
			t.Fatalf("%q is written %q: %v", text, written, err)
		}
		if again.Format() != written || again.Len() != c.Len() || again.Decks != c.Decks {
			t.Fatalf("%q is written %q, then %q", text, written, again.Format())
		}
		for id, want := range c.tags {
			if got := again.tags[id]; got.card != want.card || got.note != want.note {
				t.Fatalf("%s was %v, is %v", id, want, got)
			}
		}
	})
}
