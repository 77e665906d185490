package table

// Number is a pocket of a wheel with one zero: 0 to 36. It is here, as a card is in package shoe, because calls, layouts and
// ledgers all speak of it.
type Number uint8

// Pockets is how many a wheel has.
const Pockets = 37

// Colour is a pocket's colour.
type Colour uint8

// The colours. Green is the zero's alone.
const (
	Green Colour = iota
	Red
	Black
)

// String is the colour in a word.
func (c Colour) String() string { return [...]string{"green", "red", "black"}[c] }

// reds has a bit for each red number (the French wheel's colouring).
const reds = 1<<1 | 1<<3 | 1<<5 | 1<<7 | 1<<9 | 1<<12 | 1<<14 | 1<<16 | 1<<18 | 1<<19 | 1<<21 | 1<<23 | 1<<25 | 1<<27 | 1<<30 | 1<<32 | 1<<34 | 1<<36

// Colour is the number's colour.
func (n Number) Colour() Colour {
	switch {
	case n == 0:
		return Green
	case uint64(reds)>>n&1 != 0:
		return Red
	}
	return Black
}

// Dozen is 1 for 1–12, 2 for 13–24, 3 for 25–36, and 0 for the zero.
func (n Number) Dozen() int { return (int(n) + 11) / 12 }

// Column is 1 for 1, 4, 7 …, 2 for 2, 5, 8 …, 3 for 3, 6, 9 …, and 0 for the zero.
func (n Number) Column() int {
	if n == 0 {
		return 0
	}
	return (int(n)-1)%3 + 1
}

// Even says that the number is even; the zero is neither even nor odd.
func (n Number) Even() bool { return n > 0 && n%2 == 0 }

// Odd says that the number is odd.
func (n Number) Odd() bool { return n%2 == 1 }

// Low says that the number is one of 1–18.
func (n Number) Low() bool { return n >= 1 && n <= 18 }

// High says that the number is one of 19–36.
func (n Number) High() bool { return n >= 19 }
