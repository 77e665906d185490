package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Reader reads a record's entries in order, verifying them again, across segments and up to the durable one. It is used by one
// goroutine; the record may grow meanwhile.
type Reader struct {
	journal *Journal
	segment *segment
}

// Reader is a reader of the entries after a number.
func (j *Journal) Reader(after int64) (*Reader, error) {
	if durable := j.Durable(); after < 0 || after > durable {
		return nil, fmt.Errorf("journal: no entry follows %d: the last one is %d", after, durable)
	}
	s, err := j.holding(after + 1)
	if err != nil {
		return nil, err
	}
	r := &Reader{journal: j, segment: s}
	for r.segment.chain.seq < after {
		if _, err := r.Next(); err != nil {
			r.Close()
			return nil, err
		}
	}
	return r, nil
}

// holding opens the segment in which an entry stands, or will.
func (j *Journal) holding(seq int64) (*segment, error) {
	numbers, err := segments(j.dir)
	if err != nil {
		return nil, err
	}
	for i := len(numbers) - 1; i >= 0; i-- {
		s, err := openSegment(j.dir, numbers[i], os.O_RDONLY)
		if err != nil {
			return nil, err
		}
		if s.header.First <= seq {
			return s, nil
		}
		s.file.Close()
	}
	return nil, fmt.Errorf("journal: entry %d is no longer kept", seq)
}

// Next is the next entry. io.EOF says that there is none durable yet; Next may be asked again later.
func (r *Reader) Next() (Entry, error) {
	if r.segment.chain.seq >= r.journal.Durable() {
		return Entry{}, io.EOF
	}
	if kept, ok := r.journal.remembered(r.segment.chain.seq+1, r.segment.header.Segment); ok {
		return kept.entry, r.segment.skip(&kept)
	}
	e, err := r.segment.next()
	for err == io.EOF { // a durable entry is missing here: it stands in a later segment
		if err := r.cross(); err != nil {
			return Entry{}, err
		}
		e, err = r.segment.next()
	}
	if errors.Is(err, errMalformed) {
		err = r.segment.corrupt("the line is damaged")
	}
	return e, err
}

// cross goes on to the next segment.
func (r *Reader) cross() error {
	next, err := openSegment(r.journal.dir, r.segment.header.Segment+1, os.O_RDONLY)
	if err != nil {
		return err
	}
	if next.header.Last != r.segment.lastHash() {
		next.file.Close()
		return next.corruptHeader("the header does not continue the segment before")
	}
	r.segment.file.Close()
	r.segment = next
	return nil
}

// Close closes the file being read.
func (r *Reader) Close() error { return r.segment.file.Close() }
