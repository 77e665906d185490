package mqtt

import (
	"encoding/json"
	"strings"
)

// Reader takes what tables say on their numbered topics, call, floor and settlement, as the contract tells readers to: what is not above the last seq it took from a topic is
// dropped, and then each must follow that one. The zero value has heard nothing. One goroutine uses it.
type Reader struct {
	Twice  int64 // messages dropped because they, or later ones, were heard before
	Missed int64 // gaps: it missed something there, or heard it too late

	last map[string]int64
}

// Take takes a message and gives its seq. fresh says that it is not to be dropped, and gap that something is missing before it. What is none of the
// numbered messages is not fresh.
func (r *Reader) Take(topic string, payload []byte) (seq int64, fresh, gap bool) {
	var m struct{ Seq, Prev int64 }
	if json.Unmarshal(payload, &m) != nil || m.Seq < 1 {
		return 0, false, false
	}
	if strings.HasSuffix(topic, "/call") {
		m.Prev = m.Seq - 1
	}
	if r.last == nil {
		r.last = map[string]int64{}
	}
	last := r.last[topic]
	if m.Seq <= last {
		r.Twice++
		return m.Seq, false, false
	}
	if gap = m.Prev != last; gap {
		r.Missed++
	}
	r.last[topic] = m.Seq
	return m.Seq, true, gap
}

// Last is the last seq taken from a topic, 0 for none.
func (r *Reader) Last(topic string) int64 { return r.last[topic] }
