package wheel

import "strconv"

// framer finds lines in bytes. Its buffer is its bound.
type framer struct {
	buf    [maxLine]byte
	n      int
	spoilt bool
}

// feed takes a byte and gives the line it ends, if it ends a whole one; it is overwritten by the next. "*" always begins a line.
func (f *framer) feed(b byte) ([]byte, bool) {
	switch {
	case b == '*':
		f.n, f.spoilt = 0, false
	case b == '\r' || b == '\n':
		n, whole := f.n, !f.spoilt
		f.n, f.spoilt = 0, false
		return f.buf[:n], whole && n > 0
	case f.n == maxLine:
		f.spoilt = true
	}
	if !f.spoilt {
		f.buf[f.n] = b
		f.n++
	}
	return nil, false
}

// status is a status line: what is looked at of it.
type status struct {
	state  uint8
	spin   uint32
	number uint8 // 0 to 36, DoubleZero or blank
	warn   uint8
}

// readStatus reads a line such as "*X;5;011;25;0;165;1". All must be right: there is no checksum.
func readStatus(p []byte) (s status, ok bool) {
	if len(p) != len("*X;5;011;25;0;165;1") || p[0] != '*' || p[1] != 'X' {
		return s, false
	}
	for _, i := range [...]int{2, 4, 8, 11, 13, 17} {
		if p[i] != ';' {
			return s, false
		}
	}
	number, ok := readNumber(p[9:11])
	warn := hexDigit(p[12])
	spin, counts := digits(p[5:8])
	_, turns := digits(p[14:17])
	s = status{state: p[3] - '0', spin: spin, number: number, warn: warn}
	ok = ok && counts && turns && spin <= maxSpin && s.state >= before && s.state <= undetected && warn < 16 && (p[18] == '0' || p[18] == '1')
	return s, ok
}

// readNumber reads the two characters of a number.
func readNumber(p []byte) (uint8, bool) {
	switch {
	case len(p) != 2:
		return 0, false
	case string(p) == "  ":
		return blank, true
	case string(p) == "00":
		return DoubleZero, true
	}
	n, ok := digits(p)
	return uint8(n), ok && n <= 36
}

// writeNumber is a number as the wheel writes it.
func writeNumber(n uint8) string {
	switch {
	case n == blank:
		return "  "
	case n == DoubleZero:
		return "00"
	case n < 10:
		return " " + strconv.Itoa(int(n))
	}
	return strconv.Itoa(int(n))
}

// readComponent reads the number of "*F n".
func readComponent(p []byte) (string, bool) {
	const word = "*F "
	if len(p) <= len(word) || len(p) > len(word)+3 || string(p[:len(word)]) != word {
		return "", false
	}
	_, ok := digits(p[len(word):])
	return string(p[len(word):]), ok && p[len(word)] != ' '
}

// digits reads a number padded with spaces.
func digits(p []byte) (n uint32, ok bool) {
	for _, b := range p {
		switch {
		case b >= '0' && b <= '9':
			n, ok = 10*n+uint32(b-'0'), true
		case b != ' ' || ok:
			return 0, false
		}
	}
	return n, ok
}

// hexDigit reads a hexadecimal digit; what is none is too large.
func hexDigit(b byte) uint8 {
	switch {
	case b >= '0' && b <= '9':
		return b - '0'
	case b >= 'A' && b <= 'F':
		return b - 'A' + 10
	case b >= 'a' && b <= 'f':
		return b - 'a' + 10
	}
	return blank
}
