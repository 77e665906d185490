package beetek

// maxFrame bounds a token or a line.
const maxFrame = 80

// frame is a token or a line, as far as it came. Its buffer is its bound.
type frame struct {
	buf   [maxFrame]byte
	n     int
	at    part
	mode  int  // length of "[mode]", 0 without
	spoil bool // of a line
}

// part is where in a token the next byte belongs.
type part uint8

const (
	nowhere part = iota
	inMode
	behindMode
	inBody
)

// token takes a byte of dialect spaced and says whether it ends a token.
func (f *frame) token(b byte) (whole bool) {
	switch {
	case b == '[':
		f.n, f.mode, f.at = 0, 0, inMode
	case b == '<' && f.at == behindMode && f.n < maxFrame:
		f.at = inBody
	case b == '<':
		f.n, f.mode, f.at = 0, 0, inBody
	case f.at == nowhere:
		return false
	case f.at == behindMode || b < ' ' || b > '~' || f.n == maxFrame:
		f.at = nowhere
		return false
	case b == ']' && f.at == inMode:
		f.mode, f.at = f.n+1, behindMode
	case b == '>' && f.at == inBody:
		f.at, whole = nowhere, true
	}
	f.put(b)
	return whole
}

// words are the mode and what a whole token says, good until the next byte.
func (f *frame) words() (mode, body []byte) {
	if f.mode > 0 {
		mode = f.buf[1 : f.mode-1]
	}
	return mode, f.buf[f.mode+1 : f.n-1]
}

// line takes a byte of dialect lines and says whether it ends a line that is not empty; begin is then to be called.
func (f *frame) line(b byte) (whole bool) {
	printable := b >= ' ' && b <= '~'
	switch {
	case b == '\r' || b == '\n':
		return f.n > 0
	case printable && f.n < maxFrame:
		f.put(b)
	case printable || f.n > 0:
		f.spoil = true
	}
	return false
}

// begin forgets what came.
func (f *frame) begin() { f.n, f.at, f.spoil = 0, nowhere, false }

// bytes is what came, good until the next byte.
func (f *frame) bytes() []byte { return f.buf[:f.n] }

func (f *frame) put(b byte) {
	f.buf[f.n] = b
	f.n++
}
