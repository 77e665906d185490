package mqtt

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"sabot/table"
	"sabot/table/journal"
)

// version is the "v" of every payload. It changes only when a meaning does; readers ignore members they do not know.
const version = 1

// clock is how a payload writes a moment.
const clock = "2006-01-02T15:04:05.000Z"

// statusMessage says whether the table's program is there.
type statusMessage struct {
	V        int    `json:"v"`
	State    string `json:"state"`          // joining, online, offline (it left), lost (the broker missed it)
	Open     *bool  `json:"open,omitempty"` // whether the table is open; online only
	Since    string `json:"since"`          // when the connection it speaks of began
	Record   string `json:"record"`
	Instance string `json:"instance"`
}

// The states of a program. It is joining until what the broker retains is true, and so is every other one of its state and name meanwhile.
const (
	joining = "joining"
	online  = "online"
	offline = "offline"
	lost    = "lost"
)

// floorMessage is what the staff hears of an entry. The event is only its word: its card may lie face down.
type floorMessage struct {
	V       int             `json:"v"`
	Record  string          `json:"record"`
	Seq     int64           `json:"seq"`
	Prev    int64           `json:"prev"` // the topic's previous seq, 0 for none
	At      string          `json:"at"`
	Round   uint32          `json:"round"`
	Event   string          `json:"event"`
	By      string          `json:"by,omitempty"`
	Because string          `json:"because,omitempty"`
	Refused *refusedCommand `json:"refused,omitempty"`
	Calls   json.RawMessage `json:"calls"`
	Anchor  string          `json:"anchor,omitempty"` // see journal.Anchor
}

// refusedCommand is what was asked for and refused. It names no card: a supervisor's order may.
type refusedCommand struct {
	What string `json:"what"` // the event's word
	Code string `json:"code"`
	From string `json:"from,omitempty"` // game or floor
}

// settlementMessage is what the game server hears of an entry that moved money.
type settlementMessage struct {
	V      int             `json:"v"`
	Record string          `json:"record"`
	Seq    int64           `json:"seq"`
	Prev   int64           `json:"prev"` // the topic's previous seq, 0 for none
	At     string          `json:"at"`
	Round  uint32          `json:"round"`
	Calls  json.RawMessage `json:"calls"`
}

// replyMessage answers a command.
type replyMessage struct {
	V    int    `json:"v"`
	ID   string `json:"id"`
	OK   bool   `json:"ok"`
	Code string `json:"code,omitempty"`
	Text string `json:"text,omitempty"`
	Seq  int64  `json:"seq,omitempty"`
}

// pageMessage answers "since".
type pageMessage struct {
	V        int               `json:"v"`
	ID       string            `json:"id"`
	OK       bool              `json:"ok"`
	Messages []json.RawMessage `json:"messages"`
	Next     int64             `json:"next,omitempty"` // ask since this for more; none when this was the last page
}

// encode writes a payload. Nothing that is sent can fail to marshal.
func encode(message any) []byte {
	b, err := json.Marshal(message)
	if err != nil {
		panic("mqtt: " + err.Error())
	}
	return b
}

// appendCall appends the message of an entry on the call topic. The entry's calls to all are the only part of it that is
// in there, whatever the entry was.
func appendCall(b []byte, record string, e *journal.Entry) []byte {
	b = append(append(b, `{"v":1,"record":"`...), record...)
	b = strconv.AppendInt(append(b, `","seq":`...), e.Seq, 10)
	b = e.Time.AppendFormat(append(b, `,"at":"`...), clock)
	b = strconv.AppendUint(append(b, `","round":`...), uint64(e.Round), 10)
	b = append(append(b, `,"calls":`...), e.Calls...)
	return append(b, '}')
}

// floorOf is the message of an entry on the floor topic, nil where the floor has nothing to hear. Anchor is the record's, "" where none is due.
func floorOf(record string, e *journal.Entry, prev int64, anchor string) []byte {
	if bytes.Equal(e.Floor, []byte("[]")) && anchor == "" {
		return nil
	}
	m := floorMessage{V: version, Record: record, Seq: e.Seq, Prev: prev, At: e.Time.Format(clock), Round: e.Round, Event: e.Event.Kind.Word(), Calls: e.Floor, Anchor: anchor}
	if e.Event.Text != nil {
		m.By, m.Because = e.Event.Text.By, e.Event.Text.Because
	}
	if e.Event.Kind == table.Refusal {
		what, _ := table.Parse(e.Event.Text.Name)
		m.Refused = &refusedCommand{what.Kind.Word(), e.Event.Code.String(), e.From.Device}
	}
	return encode(m)
}

// settlementOf is the message of an entry on the settlement topic, nil where no money moved.
func settlementOf(record string, e *journal.Entry, prev int64) []byte {
	if bytes.Equal(e.Game, []byte("[]")) {
		return nil
	}
	return encode(settlementMessage{V: version, Record: record, Seq: e.Seq, Prev: prev, At: e.Time.Format(clock), Round: e.Round, Calls: e.Game})
}

// layoutOf is the layout as it is at now: the countdown has gone on since it was shown.
func layoutOf(s shown, now time.Time) []byte {
	l := s.Layout
	l.At = l.At.Truncate(time.Millisecond)
	if l.Seats == nil {
		l.Seats = []table.LayoutSeat{}
	}
	if l.Due != nil && l.Due.LeftMs > 0 {
		due := *l.Due
		due.LeftMs = max(due.LeftMs-now.Sub(s.at).Milliseconds(), 1)
		l.Due = &due
	}
	return encode(l)
}

// floorStateOf is the floor's state, and what of it tells whether it changed.
func floorStateOf(s shown) (payload, essence []byte) {
	f := s.Floor
	f.At = f.At.Truncate(time.Millisecond)
	payload = encode(f)
	f.Seq, f.At = 0, time.Time{}
	return payload, encode(f)
}
