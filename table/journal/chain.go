package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"sabot/table"
)

// hashLen is what closes a line: a space, the hash, and the newline.
const hashLen = 1 + 2*sha256.Size + 1

// firstHash is what the first segment's chain begins from.
var firstHash = strings.Repeat("0", 2*sha256.Size)

// chain is where a record stands after a line: everything the next one must agree with.
type chain struct {
	hash   [sha256.Size]byte
	seq    int64
	at     time.Duration
	offset time.Duration // what the wall clock was moved by
	start  time.Time
}

func (c *chain) setHash(digits string) error {
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != len(c.hash) {
		return errors.New("journal: the header's last hash is none")
	}
	c.hash = [sha256.Size]byte(b)
	return nil
}

// extend is the hash of a line that follows.
func (c *chain) extend(object []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write(c.hash[:])
	h.Write(object)
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	return sum
}

// close makes an object the chain's next line.
func (c *chain) close(object []byte) []byte {
	c.hash = c.extend(object)
	return append(hex.AppendEncode(append(object, ' '), c.hash[:]), '\n')
}

// open takes a line's object out of it and tells whether its hash continues the chain. errMalformed means that it is no whole line.
func (c *chain) open(line []byte) (object []byte, continues bool, err error) {
	n := len(line) - hashLen
	if n < 0 || line[n] != ' ' || line[len(line)-1] != '\n' {
		return nil, false, errMalformed
	}
	digits := line[n+1 : len(line)-1]
	var sum [sha256.Size]byte
	if _, err := hex.Decode(sum[:], digits); err != nil || !bytes.Equal(hex.AppendEncode(nil, sum[:]), digits) {
		return nil, false, errMalformed
	}
	want := c.extend(line[:n])
	return line[:n], sum == want, nil
}

// seal makes an entry the chain's next line, in the memory of b. It gives the entry its Time.
func (c *chain) seal(b []byte, e *Entry) ([]byte, error) {
	e.Time = c.wall(e)
	if err := c.follow(e); err != nil {
		return nil, err
	}
	object := e.appendJSON(b)
	if len(object)+hashLen > MaxEntry {
		return nil, fmt.Errorf("it is longer than %d bytes", MaxEntry)
	}
	if err := e.readsBack(); err != nil {
		return nil, err
	}
	return c.close(object), nil
}

// wall is the wall clock of an entry that follows.
func (c *chain) wall(e *Entry) time.Time {
	return c.start.Add(e.At + c.offset + moves(&e.Event))
}

// moves is by how much an event moves the wall clock against game time, which neither runs while the program does not
// nor jumps when somebody sets the clock.
func moves(e *table.Event) time.Duration {
	if e.Kind == table.Clock || e.Kind == table.Started {
		return time.Duration(e.N)
	}
	return 0
}

// follow makes an entry the last one, or says why it cannot be the next.
func (c *chain) follow(e *Entry) error {
	switch {
	case e.Seq != c.seq+1 || e.Event.Seq != e.Seq:
		return fmt.Errorf("its number is %d, and %d is next", e.Seq, c.seq+1)
	case e.At < c.at || e.Event.At != e.At || e.At%time.Microsecond != 0:
		return fmt.Errorf("its game time is %v after %v", e.At, c.at)
	case moves(&e.Event)%time.Microsecond != 0:
		return fmt.Errorf("it moves the clock by %v, not by whole microseconds", moves(&e.Event))
	case !e.Time.Equal(c.wall(e)):
		return fmt.Errorf("its wall clock is %v, not %v", e.Time, c.wall(e))
	}
	c.seq, c.at, c.offset = e.Seq, e.At, c.offset+moves(&e.Event)
	return nil
}
