package table

import (
	"math/bits"
	"testing"
)

// row and col are where a number stands on the felt: three in a row.
func row(n int) int { return (n - 1) / 3 }
func col(n int) int { return (n - 1) % 3 }

// neighbours says that two numbers share a side, written out by rows and columns; the zero lies along the first row.
func neighbours(a, b int) bool {
	if a > b {
		a, b = b, a
	}
	if a == 0 {
		return b >= 1 && b <= 3
	}
	return row(a) == row(b) && col(b)-col(a) == 1 || col(a) == col(b) && row(b)-row(a) == 1
}

// onFelt says, case by case, whether a bet on these numbers exists.
func onFelt(k BetKind, n []int) bool {
	switch k {
	case BetStraight:
		return len(n) == 1
	case BetSplit:
		return len(n) == 2 && neighbours(n[0], n[1])
	case BetStreet:
		return len(n) == 3 && n[0] > 0 && row(n[0]) == row(n[2])
	case BetTrio:
		return len(n) == 3 && n[0] == 0 && (n[1] == 1 && n[2] == 2 || n[1] == 2 && n[2] == 3)
	case BetCorner:
		return len(n) == 4 && n[0] > 0 && neighbours(n[0], n[1]) && neighbours(n[2], n[3]) && neighbours(n[0], n[2]) && neighbours(n[1], n[3]) && col(n[0]) < col(n[1])
	case BetFirstFour:
		return len(n) == 4 && n[3] == 3
	}
	return len(n) == 6 && n[0] > 0 && col(n[0]) == 0 && n[5]-n[0] == 5
}

// Every set of up to four numbers is a bet exactly where the felt, written out as rows and columns, has one.
func TestEverySetOfNumbersAgainstTheFelt(t *testing.T) {
	found := map[BetKind]int{}
	var try func(from int, list []int)
	try = func(from int, list []int) {
		var set NumberSet
		for _, n := range list {
			set |= 1 << n
		}
		for k := BetStraight; k <= BetSixLine; k++ {
			s, ok := FindSpot(k, set)
			if ok != onFelt(k, list) || ok && s.Numbers() != set {
				t.Errorf("%v %v: found %v", k, list, ok)
			}
			if ok {
				found[k]++
			}
		}
		for n := from; n < Pockets && len(list) < 4; n++ {
			try(n+1, append(list[:len(list):len(list)], n))
		}
	}
	try(0, nil)
	for n := range 31 {
		if s, ok := FindSpot(BetSixLine, 63<<(n+1)); ok != (n%3 == 0) || ok && s.Numbers() != 63<<(n+1) {
			t.Errorf("six numbers from %d: %v", n+1, ok)
		}
	}
	want := map[BetKind]int{BetStraight: 37, BetSplit: 60, BetStreet: 12, BetTrio: 2, BetCorner: 22, BetFirstFour: 1}
	for k, n := range want {
		if found[k] != n {
			t.Errorf("%d bets of %v; want %d", found[k], k, n)
		}
	}
}

func TestNumbersOfProperties(t *testing.T) {
	for k := BetColumn; k < BetKinds; k++ {
		for at := range uint8(5) {
			want := 18
			if k <= BetDozen {
				want = map[uint8]int{1: 12, 2: 12, 3: 12}[at]
			}
			set := Spot{k, at}.Numbers()
			if set.Has(0) && want > 0 || want > 0 && bits.OnesCount64(uint64(set)) != want {
				t.Errorf("%v %d covers %b", k, at, set)
			}
		}
	}
	for _, pair := range [][2]BetKind{{BetRed, BetBlack}, {BetEven, BetOdd}, {BetLow, BetHigh}} {
		a, b := Spot{pair[0], 0}.Numbers(), Spot{pair[1], 0}.Numbers()
		if a&b != 0 || a|b != 1<<Pockets-2 {
			t.Errorf("%v and %v are %b and %b", pair[0], pair[1], a, b)
		}
	}
}

func TestReferenceGoesThroughACall(t *testing.T) {
	for _, name := range []string{"P", "P-81", "abcdefghijklmnopqrstuvwx"} {
		r, ok := MakeReference(name)
		var c Call
		c.SetReference(r)
		if !ok || r.String() != name || c.Reference() != r {
			t.Errorf("%q is %q, %v, and in a call %q", name, r, ok, c.Reference())
		}
	}
	for _, name := range []string{"", "a b", "a/b", "abcdefghijklmnopqrstuvwxy"} {
		if _, ok := MakeReference(name); ok {
			t.Errorf("%q is a reference", name)
		}
	}
}
