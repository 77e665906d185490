package mqtt

import (
	"bytes"
	"errors"
	"io"
	"time"

	"sabot/table/journal"
)

// outbox is the record from the cursor on: first what is on its way, then what the reader has still to give.
//
// One entry is on its way at a time. Several were faster over a long link, and lost the order: a cluster whose node dies may drop a message and take the ones behind it, and
// no reader can tell what comes again later from what he has heard.
type outbox struct {
	reader *journal.Reader
	away   *flight // nil when nothing is on its way
	last   sparse  // sent
}

// flight is an entry on its way: its messages that have not come back.
type flight struct {
	seq     int64
	last    sparse // up to here
	message [kinds][]byte
	at      time.Time
}

// The messages of an entry. All have the first.
const (
	call = iota
	floor
	settlement
	kinds
)

// sparse is the last seq on each topic that has no message for most entries.
type sparse struct {
	Floor      int64 `json:"floor"`
	Settlement int64 `json:"settlement"`
}

// recordError says that the record cannot be read: no new link will help.
type recordError struct{ error }

// Unwrap is the error of the record.
func (e *recordError) Unwrap() error { return e.error }

func (o *outbox) open(j *journal.Journal, c cursor) error {
	r, err := j.Reader(c.Seq)
	if err != nil {
		return &recordError{err}
	}
	o.reader, o.last = r, c.sparse
	return nil
}

// next takes the next entry on its way; nil when there is none, or one is already.
func (o *outbox) next(record string) (*flight, error) {
	if o.away != nil {
		return nil, nil
	}
	e, err := o.reader.Next()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, &recordError{err}
	}
	f := &flight{seq: e.Seq, at: time.Now()}
	f.message[call] = appendCall(make([]byte, 0, 160+len(e.Calls)), record, &e)
	anchor := ""
	if e.Anchored() {
		anchor = o.reader.Anchor()
	}
	if f.message[floor] = floorOf(record, &e, o.last.Floor, anchor); f.message[floor] != nil {
		o.last.Floor = e.Seq
	}
	if f.message[settlement] = settlementOf(record, &e, o.last.Settlement); f.message[settlement] != nil {
		o.last.Settlement = e.Seq
	}
	f.last = o.last
	o.away = f
	return f, nil
}

// returned notes a message that came back, if it is ours.
func (o *outbox) returned(payload []byte, kind int) bool {
	if o.away == nil || o.away.message[kind] == nil || !bytes.Equal(o.away.message[kind], payload) {
		return false
	}
	o.away.message[kind] = nil
	return true
}

// missing is the first kind of message that has not come back; kinds for none.
func (f *flight) missing() int {
	for kind, m := range f.message {
		if m != nil {
			return kind
		}
	}
	return kinds
}

// pump sends the next entry, when its turn has come.
func (l *link) pump() error {
	f, err := l.out.next(l.journal.Record())
	if f == nil || err != nil {
		return err
	}
	for kind, m := range f.message {
		if m == nil {
			continue
		}
		if err := l.send(l.topics.of(kind), m); err != nil {
			return err
		}
	}
	return nil
}

// acknowledge notes what has come back, if it is ours, and moves the cursor over the entry when all of it has.
func (l *link) acknowledge(m heard) (ours bool) {
	for kind := range kinds {
		if m.topic == l.topics.of(kind) {
			ours = l.out.returned(m.payload, kind)
		}
	}
	if f := l.out.away; f != nil && f.missing() == kinds {
		l.out.away = nil
		l.cursor.Seq, l.cursor.sparse = f.seq, f.last
		l.count(func(s *Stats) { s.Acknowledged = f.seq })
	}
	return ours
}
