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
	record  string
	seq     int64 // of the last call
	floor   table.FloorState
	history history
	asking  bool      // for calls that were missed
	dealt   time.Time // when the last card came

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
	Record string      `json:"record"`
	Seq    int64       `json:"seq"`
	Round  uint32      `json:"round"`
	Calls  []spokeCall `json:"calls"`
}

// spokeCall is a call, as far as anything here looks into it.
type spokeCall struct {
	Call       string `json:"call"`
	Number     int    `json:"number"`
	Colour     string `json:"colour"`
	Winner     string `json:"winner"`
	Player     int    `json:"player"`
	Banker     int    `json:"banker"`
	Natural    bool   `json:"natural"`
	PlayerPair bool   `json:"player_pair"`
	BankerPair bool   `json:"banker_pair"`
	Round      uint32 `json:"round"`
}

// hear takes a payload from the broker, and says whether calls were missed. What cannot be read is left alone: the next layout says it all again.
func (b *board) hear(topic string, payload []byte, now time.Time) (gap bool) {
	var line bytes.Buffer
	if json.Compact(&line, payload) != nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch body := line.Bytes(); topic {
	case "status":
		b.hearStatus(body, now)
	case "layout":
		return b.hearLayout(body, now)
	case "call":
		return b.hearCall(body, now)
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
	return false
}

func (b *board) hearStatus(body []byte, now time.Time) {
	var m struct{ State string }
	if json.Unmarshal(body, &m) != nil || m.State == "" {
		return
	}
	b.online = m.State == "online"
	b.judge(now)
}

// hearLayout says whether calls were missed: those before the first layout.
func (b *board) hearLayout(body []byte, now time.Time) (gap bool) {
	var l table.Layout
	if json.Unmarshal(body, &l) != nil || l.Record == "" || l.Record == b.layout.Record && l.Seq < b.layout.Seq {
		return false
	}
	if l.Record != b.record {
		b.record, b.seq, b.history = l.Record, 0, history{}
	}
	if gap = b.seq == 0; gap {
		b.seq = l.Seq
	}
	first := b.layout.Game != l.Game
	b.layout = l
	if b.history.stand(&l) || first {
		b.publishHistory(now)
	}
	b.publish(message{"layout", l.Seq, now, body})
	return gap
}

// hearCall says whether calls were missed.
func (b *board) hearCall(body []byte, now time.Time) (gap bool) {
	var m callMessage
	if json.Unmarshal(body, &m) != nil || m.Seq < 1 || m.Record == b.record && m.Seq <= b.seq {
		return false
	}
	if m.Record != b.record {
		b.record, b.seq, b.history = m.Record, 0, history{}
	}
	gap = b.seq == 0 || m.Seq != b.seq+1
	b.seq = m.Seq
	for _, c := range m.Calls {
		if c.Call == "card" {
			b.dealt = now
		}
	}
	b.publish(message{"call", m.Seq, now, body})
	if b.history.fold(&m) {
		b.publishHistory(now)
	}
	return gap
}

// ask begins to ask for missed calls, unless that is being done: the seq up to which.
func (b *board) ask() (to int64, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ok, b.asking = !b.asking, true
	return b.seq, ok
}

func (b *board) answered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asking = false
}

// recall folds calls that were said before we listened.
func (b *board) recall(messages []json.RawMessage, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := history{}
	for _, raw := range messages {
		var m callMessage
		if json.Unmarshal(raw, &m) == nil && m.Record == b.record {
			before.fold(&m)
		}
	}
	if b.history.follow(before) {
		b.history.stand(&b.layout)
		b.publishHistory(now)
	}
}

func (b *board) publishHistory(now time.Time) {
	if body := b.history.picture(b.layout.Game); body != nil {
		b.publish(message{"history", 0, now, body})
	}
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
