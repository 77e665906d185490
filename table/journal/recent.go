package journal

import "bytes"

// recentLen is how many of the last entries are kept in memory.
const recentLen = 64

// recent is an entry that was just written, so that followers who keep up need not read and verify what was only now made. It is the
// record's own content, never ahead of it: a follower takes it after it is durable.
type recent struct {
	entry   Entry
	chain   chain // behind it
	length  int   // of its line
	segment int
}

// remember keeps an entry that is durable.
func (j *Journal) remember(e *Entry, length int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r := recent{*e, j.chain, length, j.header.Segment}
	r.entry.Raw = bytes.Clone(e.Raw)
	r.entry.Calls, r.entry.Floor, r.entry.Game = orNone(e.Calls), orNone(e.Floor), orNone(e.Game)
	j.recent[e.Seq%recentLen] = r
}

// remembered is an entry, if it is kept and stands in the segment.
func (j *Journal) remembered(seq int64, segment int) (recent, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r := j.recent[seq%recentLen]
	return r, r.entry.Seq == seq && r.segment == segment
}

// skip moves past an entry that was not read here.
func (s *segment) skip(r *recent) error {
	if _, err := s.in.Discard(r.length); err != nil {
		return s.corrupt("the line is missing")
	}
	s.chain = r.chain
	s.line++
	s.size += int64(r.length)
	return nil
}
