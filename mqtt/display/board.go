package display

import (
	"bytes"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"sabot/table"
)

// patience is how long a table may be unheard of before its pages say that what they show is old.
const patience = 3 * time.Second

// board is what is known of one table.
type board struct {
	name string

	mu      sync.Mutex
	changed chan struct{} // closed at the next message
	public  ring
	staff   ring // everything in public, and what only the staff may see

	layout  table.Layout
	record  string // of the last call
	seq     int64
	floor   table.FloorState
	history json.RawMessage // as it was published last
	dealt   time.Time       // when the last card came

	online bool      // by its status
	linked bool      // we hear the broker
	bad    time.Time // since when it is not both; zero while it is
	stale  bool
}

func newBoard(name string, now time.Time) *board {
	return &board{name: name, changed: make(chan struct{}), bad: now, linked: true, stale: true}
}

// publish adds a message to both rings. The caller holds the lock.
func (b *board) publish(m message) {
	b.public.add(m)
	b.confide(m)
}

// confide adds a message to the staff's ring alone.
func (b *board) confide(m message) {
	b.staff.add(m)
	close(b.changed)
	b.changed = make(chan struct{})
}

// callMessage is a message of the topic call, as far as anything here looks into it.
type callMessage struct {
	Record string `json:"record"`
	Seq    int64  `json:"seq"`
	Calls  []struct {
		Call string `json:"call"`
	} `json:"calls"`
}

// hear takes a payload from the broker. What cannot be read is left alone: the next layout says it all again.
func (b *board) hear(topic string, payload []byte, now time.Time) {
	var line bytes.Buffer
	if json.Compact(&line, payload) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch body := line.Bytes(); topic {
	case "status":
		b.hearStatus(body, now)
	case "layout":
		b.hearLayout(body, now)
	case "call":
		b.hearCall(body, now)
	case "floor":
		var m struct{ Seq int64 }
		if json.Unmarshal(body, &m) == nil {
			b.confide(message{"floor", m.Seq, now, body})
		}
	case "floor/state":
		var f table.FloorState
		if json.Unmarshal(body, &f) == nil {
			b.floor = f
			b.confide(message{"floor-state", f.Seq, now, body})
		}
	}
}

func (b *board) hearStatus(body []byte, now time.Time) {
	var m struct{ State string }
	if json.Unmarshal(body, &m) != nil || m.State == "" {
		return
	}
	b.online = m.State == "online"
	b.judge(now)
}

func (b *board) hearLayout(body []byte, now time.Time) {
	var l table.Layout
	if json.Unmarshal(body, &l) != nil || l.Record == "" || l.Record == b.layout.Record && l.Seq < b.layout.Seq {
		return
	}
	b.layout = l
	if h := historyOf(&l); h != nil && !bytes.Equal(h, b.history) {
		b.history = h
		b.publish(message{"history", 0, now, h})
	}
	b.publish(message{"layout", l.Seq, now, body})
}

func (b *board) hearCall(body []byte, now time.Time) {
	var m callMessage
	if json.Unmarshal(body, &m) != nil || m.Seq < 1 || m.Record == b.record && m.Seq <= b.seq {
		return
	}
	b.record, b.seq = m.Record, m.Seq
	for _, c := range m.Calls {
		if c.Call == "card" {
			b.dealt = now
		}
	}
	b.publish(message{"call", m.Seq, now, body})
}

// link says whether the broker is heard.
func (b *board) link(up bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.linked = up
	b.judge(now)
}

// judge finds out whether what is shown is old. It is called at each change and now and then.
func (b *board) judge(now time.Time) {
	switch good := b.online && b.linked; {
	case good:
		b.bad = time.Time{}
		b.mark(false, now)
	case b.bad.IsZero():
		b.bad = now
	case now.Sub(b.bad) >= patience:
		b.mark(true, now)
	}
}

func (b *board) mark(stale bool, now time.Time) {
	if stale != b.stale || b.public.n == 0 {
		b.stale = stale
		b.publish(message{"state", 0, now, json.RawMessage(`{"stale":` + strconv.FormatBool(stale) + `}`)})
	}
}
