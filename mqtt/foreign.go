package mqtt

import (
	"bytes"
	"encoding/json"
	"time"
)

// What another client writes on a table's own topics is not the table's word: a program with the table's password, or anybody where the broker has no access rules. What
// is retained would stand there until the next entry, so it is published again. The other topics cannot be mended: whoever reads them drops what is not above the last
// seq, and would be deaf after a forged one far ahead. Both are said in the log.

// retold is how often the log says it at most.
const retold = 30 * time.Second

// foreign notes a message that did not come back to us but from somebody else.
func (l *link) foreign(m heard) {
	if !l.settled { // what stands there is published anew anyhow
		return
	}
	for _, r := range []*retained{&l.layout, &l.state} {
		if m.topic == r.topic {
			r.foreign = r.away == nil && !bytes.Equal(m.payload, r.stands) // what is on its way comes after it
			return
		}
	}
	var s struct {
		Record string
		Seq    int64
	}
	if json.Unmarshal(m.payload, &s) != nil || s.Record != l.journal.Record() || s.Seq > l.journal.Durable() { // else one of ours, a second time
		l.tellForeign(m.topic, "a message that is not the table's was published")
	}
}

// restore publishes again what somebody else has replaced. It is called at a tick, so that whoever does it all the time gets no answer to each.
func (l *link) restore() {
	for _, r := range []*retained{&l.layout, &l.state} {
		if !r.foreign || !l.settled {
			continue
		}
		r.foreign, r.dirty = false, true
		if r == &l.state {
			l.essence = ""
		}
		l.tellForeign(r.topic, "what is retained was not what the table said; it is said again")
	}
}

func (l *link) tellForeign(topic, what string) {
	if now := time.Now(); now.Sub(l.told) > retold {
		l.told = now
		l.log.Warn(what+": may others write here?", "topic", topic)
	}
}
