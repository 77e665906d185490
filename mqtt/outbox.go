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
	floor  int64    // the last seq sent on the floor topic
}

// flight is an entry on its way: its messages that have not come back.
type flight struct {
	seq, floorSeq int64 // floorSeq is the last one on the floor topic up to here
	call, floor   []byte
	at            time.Time
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
	o.reader, o.floor = r, c.Floor
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
	f := flight{seq: e.Seq, at: time.Now(), call: appendCall(make([]byte, 0, 160+len(e.Calls)), record, &e), floor: floorOf(record, &e, o.floor)}
	if f.floor != nil {
		o.floor = e.Seq
	}
	f.floorSeq = o.floor
	o.flight = append(o.flight, f)
	return &o.flight[len(o.flight)-1], nil
}

// returned notes a message that came back, byte for byte: what somebody else published there is not ours.
func (o *outbox) returned(payload []byte, floor bool) {
	for i := range o.flight {
		f := &o.flight[i]
		switch {
		case !floor && f.call != nil && bytes.Equal(f.call, payload):
			f.call = nil
			return
		case floor && f.floor != nil && bytes.Equal(f.floor, payload):
			f.floor = nil
			return
		}
	}
}

// pop is the oldest entry if all of it has come back.
func (o *outbox) pop() (flight, bool) {
	if len(o.flight) == 0 || o.flight[0].call != nil || o.flight[0].floor != nil {
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
		if err := l.send(l.topics.call, f.call); err != nil {
			return err
		}
		if f.floor == nil {
			continue
		}
		if err := l.send(l.topics.floor, f.floor); err != nil {
			return err
		}
	}
}

// acknowledge moves the cursor over what has come back.
func (l *link) acknowledge(m heard) {
	l.out.returned(m.payload, m.topic == l.topics.floor)
	for {
		f, ok := l.out.pop()
		if !ok {
			return
		}
		l.cursor.Seq, l.cursor.Floor = f.seq, f.floorSeq
		l.count(func(s *Stats) { s.Acknowledged = f.seq })
		if l.unproven {
			l.unproven = false
			l.good()
		}
	}
}
