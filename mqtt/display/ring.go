package display

import (
	"encoding/json"
	"time"
)

// message is one event for browsers.
type message struct {
	kind string          // its name there: layout, call, history, state; for the staff also floor, floor-state
	seq  int64           // its entry in the record, 0 for what has none
	at   time.Time       // when it came
	body json.RawMessage // one line
}

// ringSize is how many messages a ring holds: some rounds of a full table.
const ringSize = 1024

// wholes are the kinds of message of which the latest tells everything.
var wholes = []string{"history", "layout", "state", "floor-state"}

// ring holds the last messages. Its messages are counted from 0 on and never again, so a reader knows when it was overtaken.
type ring struct {
	list [ringSize]message
	n    uint64             // messages ever
	gone map[string]message // of each kind the latest that was overwritten
}

func (r *ring) add(m message) {
	slot := &r.list[r.n%ringSize]
	if r.n >= ringSize {
		if r.gone == nil {
			r.gone = map[string]message{}
		}
		r.gone[slot.kind] = *slot
	}
	*slot = m
	r.n++
}

// oldest is the number of the oldest message that is still held.
func (r *ring) oldest() uint64 { return r.n - min(r.n, ringSize) }

func (r *ring) get(i uint64) *message { return &r.list[i%ringSize] }

// place is where a stream begins that shows everything delay later: the number of the first message that is still to be shown at now. Last is
// the seq that the browser saw last, 0 for none; what it saw is not shown again, unless that is no longer held.
func (r *ring) place(last int64, delay time.Duration, now time.Time) uint64 {
	at := r.n
	for at > r.oldest() && r.get(at-1).at.After(now.Add(-delay)) {
		at--
	}
	for i := at; last > 0 && i > r.oldest(); i-- {
		if r.get(i-1).seq == last {
			return i
		}
	}
	return at
}

// opening are the latest messages before a place, one of each kind that tells a whole: with them a page is right at once. A page that
// asks for a past the ring does not hold is shown the oldest it has.
func (r *ring) opening(place uint64) []message {
	var list []message
	for _, kind := range wholes {
		if m, ok := r.before(kind, place); ok {
			list = append(list, m)
		}
	}
	return list
}

func (r *ring) before(kind string, place uint64) (message, bool) {
	for i := place; i > r.oldest(); i-- {
		if r.get(i-1).kind == kind {
			return *r.get(i - 1), true
		}
	}
	m, ok := r.gone[kind]
	return m, ok
}
