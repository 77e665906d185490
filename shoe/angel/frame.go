package angel

// maxFrame is from 05 to the BCC; the longest known, M, is 12 bytes.
const maxFrame = 32

// step is what a byte was.
type step uint8

const (
	outside step = iota // of any frame
	inside
	whole // the last of a whole frame
)

// framer finds the shoe's messages in bytes. Its buffer is its bound.
type framer struct {
	buf  [maxFrame]byte
	n    int
	open bool // the frame goes on
	sum  byte // XOR from seq on
	left int  // digits of the BCC to come; 0 before its 03
}

// bytes is the frame that was whole, good until the next feed.
func (f *framer) bytes() []byte { return f.buf[:f.n] }

// feed takes a byte. One that breaks a frame counts as outside.
func (f *framer) feed(b byte) step {
	switch {
	case b == enq:
		f.buf[0], f.n, f.open, f.sum, f.left = b, 1, true, 0, 0
		return inside
	case !f.open:
		return outside
	case f.left > 0:
		return f.check(b)
	case b == etx && f.n >= 3:
		f.left = 2
	case b < ' ' || f.n >= maxFrame-3:
		f.open = false
		return outside
	}
	f.sum ^= b
	f.put(b)
	return inside
}

// check takes a digit of the BCC.
func (f *framer) check(b byte) step {
	shift := 4 * (f.left - 1)
	f.left--
	if b != hexDigits[f.sum>>shift&15] {
		f.open = false
		return outside
	}
	f.put(b)
	if f.left > 0 {
		return inside
	}
	f.open = false
	return whole
}

func (f *framer) put(b byte) {
	f.buf[f.n] = b
	f.n++
}

const hexDigits = "0123456789ABCDEF"

// frame makes a frame that begins with a byte; all says that the byte counts for its BCC.
func frame(begin byte, all bool, body string) []byte {
	p := append(append([]byte{begin}, body...), etx)
	var sum byte
	for _, b := range p[1:] {
		sum ^= b
	}
	if all {
		sum ^= begin
	}
	return append(p, hexDigits[sum>>4], hexDigits[sum&15])
}

// command is a frame from the host.
func (o Options) command(word string) []byte { return frame(stx, !o.BCCWithoutSTX, "OP"+word) }
