package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"sabot/shoe"
	"sabot/table"
)

// Format is the version of the record's lines that this package writes and reads. Whatever a version changes, its first line is an object with "format", "build" and
// "last_hash", closed as any line is: by that an older program knows a newer one's record from a damaged one.
const Format = 1

// maxHeader bounds a header's line, in bytes.
const maxHeader = 1 << 20

// Header is a segment's first line: the complete state in which it opens. Open and Rotate fill in the first
// group; the rest is the caller's.
type Header struct {
	Format  int           `json:"format"`
	Record  string        `json:"record"`    // 32 hexadecimal digits
	Segment int           `json:"segment"`   // 1, 2, 3 …
	Calls   int           `json:"calls"`     // table.CallsVersion
	Start   time.Time     `json:"start"`     // the wall clock when the record was begun, UTC
	First   int64         `json:"first"`     // the seq of the segment's first entry
	At      time.Duration `json:"at_ns"`     // game time so far
	Offset  time.Duration `json:"offset_ns"` // what clock and restart events moved the wall clock by so far
	Last    string        `json:"last_hash"` // the last segment's last hash; zeros in the first one
	Salt    string        `json:"salt"`      // 32 hexadecimal digits, for publishing a hash without telling a card
	Parent  *Parent       `json:"parent,omitempty"`

	Table         string          `json:"table"`
	Game          string          `json:"game"`
	Rules         string          `json:"rules"`
	Configuration json.RawMessage `json:"configuration,omitempty"` // what the game is built from
	Build         string          `json:"build"`
	Dealer        string          `json:"dealer,omitempty"`
	Opening       table.Opening   `json:"opening"`
	Devices       []shoe.Source   `json:"devices,omitempty"`  // the last sentence held of each, by name
	Missing       []string        `json:"missing,omitempty"`  // the devices lost at the time, by name
	Commands      []Answer        `json:"commands,omitempty"` // of this and the previous round, oldest first
	Recap         *table.Recap    `json:"recap,omitempty"`    // the last round's results
}

// Parent is the record that this one was begun instead of, because it could not be continued. Its files were set aside untouched.
type Parent struct {
	Record  string `json:"record,omitempty"` // "" when no header could be read
	Seq     int64  `json:"seq"`              // its last entry that verifies
	Hash    string `json:"hash,omitempty"`   // that entry's, so that this record vouches for the old one up to there
	Round   uint32 `json:"round"`            // the last round heard of, which may have been running
	Aside   string `json:"aside"`            // the folder, beside this record's segments
	Why     string `json:"why"`              // what was wrong
	By      string `json:"by"`
	Because string `json:"because"`
}

// Answer is a command's reply, remembered so that a repeated command gets it again.
type Answer struct {
	From  string `json:"from"` // "game" or "floor"
	ID    string `json:"id"`
	Round uint32 `json:"round"`
	OK    bool   `json:"ok"`
	Code  string `json:"code,omitempty"`
	Seq   int64  `json:"seq"`
}

// whose names the record and its table.
func (h *Header) whose() string { return fmt.Sprintf("%s of table %s, %s", h.Record, h.Table, h.Game) }

// seal is the header's line and the chain that it begins.
func (h *Header) seal() ([]byte, chain, error) {
	object, err := json.Marshal(h)
	if err != nil {
		return nil, chain{}, fmt.Errorf("journal: header: %w", err)
	}
	if len(object)+hashLen > maxHeader {
		return nil, chain{}, fmt.Errorf("journal: header of %d bytes is longer than %d", len(object), maxHeader)
	}
	c, err := h.chain()
	if err != nil {
		return nil, chain{}, err
	}
	line := c.close(object)
	return line, c, nil
}

// chain is where the record stands when the header opens it.
func (h *Header) chain() (chain, error) {
	c := chain{seq: h.First - 1, at: h.At, offset: h.Offset, start: h.Start}
	return c, c.setHash(h.Last)
}

// decodeHeader reads a header's object. Like decodeEntry it takes only what would be written.
func decodeHeader(object []byte) (Header, error) {
	var version struct{ Format int }
	if err := json.Unmarshal(object, &version); err != nil {
		return Header{}, fmt.Errorf("the header cannot be read")
	}
	if version.Format != Format {
		return Header{}, fmt.Errorf("the record's format is %d, and this program reads %d", version.Format, Format)
	}
	var h Header
	if err := json.Unmarshal(object, &h); err != nil {
		return Header{}, fmt.Errorf("the header cannot be read")
	}
	if again, err := json.Marshal(&h); err != nil || !bytes.Equal(again, object) {
		return Header{}, fmt.Errorf("the header says what this program does not understand")
	}
	return h, nil
}
