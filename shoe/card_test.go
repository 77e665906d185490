package shoe

import (
	"strings"
	"testing"
)

func TestCardNotationIsTheIdentity(t *testing.T) {
	for _, c := range append(Deck(), Unread) {
		for _, text := range []string{c.String(), strings.ToUpper(c.String()), strings.ToLower(c.String()), strings.Replace(c.String(), "T", "10", 1)} {
			got, err := ParseCard(text)
			if err != nil || got != c {
				t.Errorf("ParseCard(%q) = %v, %v; want %v", text, got, err, c)
			}
		}
		var back Card
		if text, _ := c.MarshalText(); back.UnmarshalText(text) != nil || back != c {
			t.Errorf("%v is read back from its text as %v", c, back)
		}
		if string(c.Append(nil)) != c.String() {
			t.Errorf("Append and String differ for %v", c)
		}
	}
}

func TestParseCardRefusesWhatIsNoCard(t *testing.T) {
	for _, text := range []string{"", "9", "9x", "1s", "11s", "100s", "Zs", "?s", "9?", "-", "9s ", "®s", "\x16s", "Xs", "T\x13"} {
		if c, err := ParseCard(text); err == nil {
			t.Errorf("ParseCard(%q) = %v, want an error", text, c)
		}
	}
}

func FuzzParseCard(f *testing.F) {
	f.Add("9s")
	f.Add("10H")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCard(s)
		if err != nil {
			return
		}
		if again, err := ParseCard(c.String()); err != nil || again != c {
			t.Fatalf("%q is %v, which reads back as %v, %v", s, c, again, err)
		}
	})
}

func TestInventoryConservesCards(t *testing.T) {
	v := Load(2)
	for range 2 {
		for _, c := range Deck() {
			if !v.Show(c) {
				t.Fatalf("%v counted as a copy too many after %d", c, v.Drawn)
			}
		}
	}
	if v.Left() != 0 || v.Excess() != NoCard {
		t.Fatalf("a shoe run out has %d left, excess %v", v.Left(), v.Excess())
	}
	if v.Show(New(9, Spades)) {
		t.Error("a third 9s from two decks was not noticed")
	}
}

// Deal counts as Show and Draw do, and refuses what Show would find too many without counting it.
func TestDealCountsAsShowAndDraw(t *testing.T) {
	v, w := Load(1), Load(1)
	nine, ten := New(9, Spades), New(10, Spades)
	if !v.Deal(nine, false) || !v.Deal(ten, true) {
		t.Error("a first card was refused")
	}
	w.Show(nine)
	w.Draw(ten)
	if v.Deal(nine, false) || v != w {
		t.Errorf("%+v, want %+v", v, w)
	}
	if !v.Deal(nine, true) || v.Drawn != 3 {
		t.Error("a card that goes face down was compared with those that lie face up")
	}
}

func TestFaceDownCardsCountOnlyWhenTurnedOrAtTheEnd(t *testing.T) {
	v := Load(1)
	nine := New(9, Spades)
	v.Draw(nine)
	if !v.Show(nine) {
		t.Error("the count of cards face up knew of the one face down")
	}
	if v.Excess() != nine {
		t.Error("the end count missed the card face down")
	}
	if v.Turn(nine) {
		t.Error("two 9s face up from one deck were not noticed")
	}
}

func TestAnUnreadCardTakesAPlaceAndIsIdentifiedLater(t *testing.T) {
	v := Load(1)
	v.Draw(Unread)
	if v.Left() != 51 || v.Unread != 1 {
		t.Fatalf("left %d, unread %d", v.Left(), v.Unread)
	}
	v.Identify(New(1, Hearts))
	if !v.Turn(New(1, Hearts)) || v.Unread != 0 || v.Seen(New(1, Hearts)) != 1 {
		t.Error("an identified card is not counted as itself")
	}
}
