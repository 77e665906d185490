package mqtt

import (
	"bytes"
	"errors"
	"io"
	"time"

	"sabot/table/journal"
)

// window is how many entries may be on their way. It keeps a fast link full and what a lost one repeats small.
const window = 16

// outbox is the record from the cursor on: first what is on its way, then what the reader has still to give.
type outbox struct {
	reader *journal.Reader
	flight []flight // oldest first
	last   sparse   // sent
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

// next takes the next entry on its way; nil when there is none or the window is full.
func (o *outbox) next(record string) (*flight, error) {
	if len(o.flight) == window {
		return nil, nil
	}
	e, err := o.reader.Next()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, &recordError{err}
	}
	f := flight{seq: e.Seq, at: time.Now()}
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
	o.flight = append(o.flight, f)
	return &o.flight[len(o.flight)-1], nil
}

// returned notes a message that came back, if it is one of ours.
func (o *outbox) returned(payload []byte, kind int) bool {
	for i := range o.flight {
		if m := &o.flight[i].message[kind]; *m != nil && bytes.Equal(*m, payload) {
			*m = nil
			return true
		}
	}
	return false
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

// pop is the oldest entry if all of it has come back.
func (o *outbox) pop() (flight, bool) {
	if len(o.flight) == 0 || o.flight[0].missing() < kinds {
		return flight{}, false
	}
	f := o.flight[0]
	o.flight = append(o.flight[:0], o.flight[1:]...)
	return f, true
}

// overdue is the oldest entry if it was sent before a moment.
func (o *outbox) overdue(before time.Time) *flight {
	if len(o.flight) == 0 || !o.flight[0].at.Before(before) {
		return nil
	}
	return &o.flight[0]
}

// pump sends entries as long as the window has room.
func (l *link) pump() error {
	for {
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
	}
}

// acknowledge moves the cursor over what has come back, if it is ours.
func (l *link) acknowledge(m heard) (ours bool) {
	for kind := range kinds {
		if m.topic == l.topics.of(kind) {
			ours = l.out.returned(m.payload, kind)
		}
	}
	for {
		f, ok := l.out.pop()
		if !ok {
			return ours
		}
		l.cursor.Seq, l.cursor.sparse = f.seq, f.last
		l.count(func(s *Stats) { s.Acknowledged = f.seq })
	}
}
