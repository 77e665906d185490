package journal

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"sabot/shoe"
	"sabot/table"
)

// MaxEntry bounds an entry's line, in bytes.
const MaxEntry = 64 << 10

// Source says where an entry came from: a device's sentence, or a command.
type Source struct {
	shoe.Source
	Command string `json:"command,omitempty"` // the command's id
}

// Entry is one event as it stands in the record.
type Entry struct {
	Seq   int64
	At    time.Duration // game time since the record's start, in whole microseconds
	Time  time.Time     // the wall clock as the record has it, UTC: its start + At + what clock and restart events moved it by
	Round uint32        // the round running, or the last one, after the event
	From  Source
	Event table.Event // stamped with Seq and At
	Raw   []byte      // what the device sent, nil for none

	// The calls by audience, as [table.AppendCalls] writes them: "[]" for none.
	Calls, Floor, Game json.RawMessage
}

// errMalformed is how a line fails that need not ever have been one: it may have been torn.
var errMalformed = errors.New("it is no entry")

const wallClock = "2006-01-02T15:04:05.000000Z"

// lineStart begins every entry's line, and stands nowhere else in one: quotes within are escaped.
const lineStart = `{"seq":`

// appendJSON appends the entry's object. Equal entries give equal bytes.
func (e *Entry) appendJSON(b []byte) []byte {
	b = strconv.AppendInt(append(b, lineStart...), e.Seq, 10)
	b = strconv.AppendInt(append(b, `,"t":`...), e.At.Microseconds(), 10)
	b = e.Time.AppendFormat(append(b, `,"at":"`...), wallClock)
	b = append(b, '"')
	if e.Round > 0 {
		b = strconv.AppendUint(append(b, `,"round":`...), uint64(e.Round), 10)
	}
	if e.From != (Source{}) {
		b = e.From.appendJSON(append(b, `,"from":`...))
	}
	b = appendString(append(b, `,"event":`...), e.Event.String())
	if len(e.Raw) > 0 {
		b = hex.AppendEncode(append(b, `,"raw":"`...), e.Raw)
		b = append(b, '"')
	}
	b = appendCalls(b, `,"calls":`, e.Calls)
	b = appendCalls(b, `,"floor":`, e.Floor)
	b = appendCalls(b, `,"game":`, e.Game)
	return append(b, '}')
}

// appendJSON appends the source's object. A device's numbers never stand without its name.
func (s *Source) appendJSON(b []byte) []byte {
	start := len(b)
	if s.Device != "" || s.Epoch != 0 || s.Seq != 0 {
		b = appendString(append(b, `,"device":`...), s.Device)
	}
	if s.Epoch != 0 {
		b = strconv.AppendUint(append(b, `,"epoch":`...), uint64(s.Epoch), 10)
	}
	if s.Seq != 0 {
		b = strconv.AppendUint(append(b, `,"seq":`...), uint64(s.Seq), 10)
	}
	if s.Command != "" {
		b = appendString(append(b, `,"command":`...), s.Command)
	}
	b[start] = '{'
	return append(b, '}')
}

// appendString appends s in quotes.
func appendString(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always marshals
	return append(b, quoted...)
}

// noCalls is an empty array of calls, which a line leaves out.
const noCalls = "[]"

func appendCalls(b []byte, key string, calls json.RawMessage) []byte {
	if len(calls) == 0 || string(calls) == noCalls {
		return b
	}
	return append(append(b, key...), calls...)
}

// decodeEntry reads an entry's object. It takes only bytes that appendJSON would write, so that no two lines say the same.
func decodeEntry(object []byte) (Entry, error) {
	var l struct {
		Seq   int64           `json:"seq"`
		T     int64           `json:"t"`
		At    string          `json:"at"`
		Round uint32          `json:"round"`
		From  Source          `json:"from"`
		Event string          `json:"event"`
		Raw   string          `json:"raw"`
		Calls json.RawMessage `json:"calls"`
		Floor json.RawMessage `json:"floor"`
		Game  json.RawMessage `json:"game"`
	}
	if err := json.Unmarshal(object, &l); err != nil {
		return Entry{}, errMalformed
	}
	e := Entry{Seq: l.Seq, At: time.Duration(l.T) * time.Microsecond, Round: l.Round, From: l.From, Calls: orNone(l.Calls), Floor: orNone(l.Floor), Game: orNone(l.Game)}
	var err error
	if e.Time, err = time.Parse(wallClock, l.At); err != nil {
		return Entry{}, errMalformed
	}
	if e.Event, err = table.Parse(l.Event); err != nil {
		return Entry{}, errMalformed
	}
	e.Event.Seq, e.Event.At = e.Seq, e.At
	if l.Raw != "" {
		if e.Raw, err = hex.DecodeString(l.Raw); err != nil {
			return Entry{}, errMalformed
		}
	}
	if !bytes.Equal(e.appendJSON(make([]byte, 0, len(object))), object) {
		return Entry{}, errMalformed
	}
	return e, nil
}

func orNone(calls json.RawMessage) json.RawMessage {
	if len(calls) == 0 {
		return json.RawMessage(noCalls)
	}
	return calls
}

// readsBack makes sure, before an entry is written, that it will be found as it was meant. Replay steps what was read.
func (e *Entry) readsBack() error {
	back, err := table.Parse(e.Event.String())
	back.Seq, back.At = e.Event.Seq, e.Event.At
	if err != nil || !back.Equal(e.Event) {
		return fmt.Errorf("its event does not read back (%s)", e.Event.Kind.Word())
	}
	if !utf8.ValidString(e.From.Device) || !utf8.ValidString(e.From.Command) {
		return errors.New("its source is no text")
	}
	for _, calls := range []json.RawMessage{e.Calls, e.Floor, e.Game} {
		if len(calls) > 0 && !json.Valid(calls) {
			return errors.New("its calls are no JSON")
		}
	}
	return nil
}
