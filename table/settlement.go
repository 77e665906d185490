package table

import (
	"encoding/binary"
	"time"
)

// Settlements are the calls that move money: taken, paid, refunded, each of one bettor's bet on one spot, and reversed. They
// are for the game server alone. Money is in minor units, whole numbers.

// MaxReference bounds a bettor's reference, in bytes.
const MaxReference = 24

// Reference is what a game server calls a bettor, filled up with zeros: 1 to 24 of the letters A-Z a-z 0-9 . _ -
type Reference [MaxReference]byte

// MakeReference makes a reference of a name; false when it is none.
func MakeReference(name string) (Reference, bool) {
	var r Reference
	return r, ValidName(name) && copy(r[:], name) == len(name)
}

// String is the name.
func (r Reference) String() string { return string(r.bytes()) }

func (r *Reference) bytes() []byte {
	n := 0
	for n < len(r) && r[n] != 0 {
		n++
	}
	return r[:n]
}

// SetReference says whose bet a settlement is of. It lies in the numbers a settlement has no other use for, so that calls
// stay small: games append thousands.
func (c *Call) SetReference(r Reference) {
	c.N = int64(binary.LittleEndian.Uint64(r[0:]))
	c.Ref = int64(binary.LittleEndian.Uint64(r[8:]))
	c.Left = time.Duration(binary.LittleEndian.Uint64(r[16:]))
}

// Reference is whose bet a settlement is of.
func (c *Call) Reference() Reference {
	var r Reference
	binary.LittleEndian.PutUint64(r[0:], uint64(c.N))
	binary.LittleEndian.PutUint64(r[8:], uint64(c.Ref))
	binary.LittleEndian.PutUint64(r[16:], uint64(c.Left))
	return r
}

// settled writes a settlement's members up to its stake.
func settled(j *object, c *Call) {
	r := c.Reference()
	j.key("reference")
	j.b = append(append(append(j.b, '"'), r.bytes()...), '"')
	j.spot(c.Spot, c.Hand)
	j.num("stake", c.Staked)
}

func paidCall(j *object, c *Call) {
	settled(j, c)
	j.num("paid", c.Paid)
}
