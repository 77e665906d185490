package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"reflect"

	"sabot/table"
)

// Anchor is what may be published of a record's state, for others to keep: with it, nobody can write the record anew up to there. It
// is the SHA-256 of the segment's salt followed by the last line's hash, both as they are written, so that
// `printf %s%s SALT HASH | sha256sum` gives it. Without the salt, which never leaves the record, nobody can try which card a hash stands for.
type Anchor struct {
	Record string `json:"record"` // "" when only the hash was kept
	Seq    int64  `json:"seq"`    // of the entry it was published with; 0 when only the hash was kept
	Hash   string `json:"anchor"` // 64 hexadecimal digits
}

// anchor is that of the last line read.
func (s *segment) anchor() string {
	sum := sha256.Sum256([]byte(s.header.Salt + s.lastHash()))
	return hex.EncodeToString(sum[:])
}

// Anchor is the hash to publish of the last entry read.
func (r *Reader) Anchor() string { return r.segment.anchor() }

// Anchor is the hash that was to be published of the last entry read.
func (f *File) Anchor() string { return f.s.anchor() }

// Anchored says that an anchor is published with the entry: a round, or the day, ended with it.
func (e *Entry) Anchored() bool {
	if e.Event.Kind == table.TableClose {
		return true
	}
	for _, word := range [...]string{"end", "void"} {
		if bytes.Contains(e.Calls, []byte(`{"call":"`+word+`"`)) {
			return true
		}
	}
	return false
}

// Follows says why the segment does not begin where the one before it, which was read to its end, ends. Before is nil for the first one kept.
func (f *File) Follows(before *File) error {
	h := &f.s.header
	if before == nil {
		if h.Segment == 1 && (h.Last != firstHash || h.First != 1) {
			return f.s.corruptHeader("the record's first header names a segment before it")
		}
		return nil
	}
	b, end := &before.s.header, &before.s.chain
	switch {
	case h.Record != b.Record || !h.Start.Equal(b.Start) || !reflect.DeepEqual(h.Parent, b.Parent):
		return f.s.corruptHeader("the header is that of another record: " + h.whose() + ", and the segment before is of " + b.whose())
	case h.Segment != b.Segment+1:
		return f.s.corruptHeader(fmt.Sprintf("segment %d follows segment %d: others are missing, or this one is out of place%s", h.Segment, b.Segment, Packed(filepath.Dir(f.s.file.Name()), b.Segment+1)))
	case h.Last != before.LastHash() || h.First != end.seq+1 || h.At != end.at || h.Offset != end.offset:
		return f.s.corruptHeader("the header does not continue the segment before")
	}
	return nil
}
