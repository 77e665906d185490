package uid

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// message is one thing a reader said.
type message struct {
	word   string // card, boot, error, spoilt; any other is nothing by itself
	id     string // a card's UID, canonical
	code   string // an error's
	reader string // device_id
	seq    *uint32
	answer byte // a PN532's: to which question
	raw    []byte
}

// framer finds messages in bytes. Its buffer is bounded.
type framer interface {
	feed(b byte) []message
	flush() []message // no byte came for a while
	reset()
}

// newFramer is the framer of a format, nil for one there is not.
func newFramer(format string) framer {
	switch format {
	case "rdm6300", "id12":
		return &digits{}
	case "pn532":
		return &packets{}
	case "jsonl":
		return &lines{}
	}
	return nil
}

const (
	stx = 0x02
	etx = 0x03

	tagDigits = 10 // of an RDM6300's tag
	sumDigits = 2
)

// digits finds the frames of RDM6300, ID-12 and ID-20. STX always begins one anew.
type digits struct {
	buf    [len("\x020A001234567A\r\n")]byte
	n      int
	inside bool
}

func (f *digits) reset()           { f.inside = false }
func (f *digits) flush() []message { return nil }

func (f *digits) feed(b byte) []message {
	switch {
	case b == stx:
		f.inside, f.n = true, 0
	case !f.inside:
		return nil
	case b == etx:
		f.inside = false
		return f.end()
	case f.n == len(f.buf):
		f.inside = false
		return nil
	}
	f.buf[f.n] = b
	f.n++
	return nil
}

// end judges what stands before ETX. What has another length was no frame.
func (f *digits) end() []message {
	raw := append(bytes.Clone(f.buf[:f.n]), etx)
	text := strings.TrimSuffix(string(f.buf[1:f.n]), "\r\n")
	if len(text) != tagDigits+sumDigits {
		return nil
	}
	p, err := hex.DecodeString(text)
	if err != nil || xor(p) != 0 {
		return []message{{word: "spoilt", raw: raw}}
	}
	return []message{{word: "card", id: strings.ToUpper(text[:tagDigits]), raw: raw}}
}

func xor(p []byte) (x byte) {
	for _, b := range p {
		x ^= b
	}
	return x
}

// What PN532 data begin with.
const (
	fromHost    = 0xD4
	fromChip    = 0xD5
	listedTags  = 0x4B // the answer that lists tags
	moreAnswer  = 0x20 // in a tag's third byte: something stands behind its UID
	packetFrame = 5    // bytes around the data, without 00s at the ends
)

var packetStart = []byte{0x00, 0xFF}

// packet frames data for a PN532.
func packet(data []byte) []byte {
	p := append([]byte{0x00, 0x00, 0xFF, byte(len(data)), -byte(len(data))}, data...)
	return append(p, -sum(data), 0x00)
}

func sum(p []byte) (s byte) {
	for _, b := range p {
		s += b
	}
	return s
}

// packets finds PN532 frames. Noise, or a frame cut off, may look like a start and claim bytes of the frame behind it; therefore bytes are
// kept until a frame is proved, and looked at again from the next byte on where it is not.
type packets struct {
	buf []byte // at most packetFrame+255 and the one behind
}

// claimed is what a start claims for its frame. It is proved by its sum, by the 00 behind it, if anything came behind it, and by having no other frame's
// start in it: a sum of one byte alone is right by chance too often.
type claimed struct {
	raw    []byte // with the byte behind it, if one came
	size   int
	proved bool
	taken  bool // it is none: the chip has taken a question
}

func (c claimed) data() []byte {
	if c.taken {
		return nil
	}
	return c.raw[packetFrame-1 : c.size-1]
}

func (f *packets) reset() { f.buf = f.buf[:0] }

func (f *packets) feed(b byte) []message {
	f.buf = append(f.buf, b)
	return f.messages(false)
}

func (f *packets) flush() []message { return f.messages(true) }

func (f *packets) messages(over bool) (list []message) {
	for {
		c, more := f.next(over)
		switch {
		case !more:
			return list
		case c.taken:
			list = append(list, message{word: "taken"})
		case c.data()[0] != fromChip:
		case !c.proved:
			list = append(list, message{word: "spoilt", raw: c.raw})
		default:
			list = append(list, answer(c.data(), c.raw)...)
		}
	}
}

// next is the next frame, one that is not proved too; more is false where none is whole. When it is over, half a frame is none.
func (f *packets) next(over bool) (c claimed, more bool) {
	for f.start() {
		if len(f.buf) >= 4 && (f.buf[2] == 0 || f.buf[2]+f.buf[3] != 0) {
			c.taken = f.buf[2] == 0 && f.buf[3] == 0xFF
			f.drop(1)
			if c.taken {
				return c, true
			}
			continue
		}
		size := packetFrame
		if len(f.buf) >= 4 {
			size += int(f.buf[2])
		}
		switch {
		case len(f.buf) <= size && !over:
			return claimed{}, false
		case len(f.buf) < size:
			f.drop(1)
			continue
		}
		c.raw, c.size = bytes.Clone(f.buf[:min(size+1, len(f.buf))]), size
		c.proved = sum(c.raw[packetFrame-1:size]) == 0 && !startsWithin(c.data()) && (len(c.raw) == size || c.raw[size] == 0)
		if c.proved {
			f.drop(size)
		} else {
			f.drop(1)
		}
		return c, true
	}
	return claimed{}, false
}

// startsWithin says that data hold the beginning of another frame.
func startsWithin(data []byte) bool {
	for i := range len(data) - packetFrame + 1 {
		if p := data[i:]; bytes.HasPrefix(p, packetStart) && p[2] != 0 && p[2]+p[3] == 0 && (p[4] == fromChip || p[4] == fromHost) {
			return true
		}
	}
	return false
}

// start drops what stands before a start, and all of it where there is none; a last byte that may begin one stays.
func (f *packets) start() bool {
	i := bytes.Index(f.buf, packetStart)
	switch {
	case i >= 0:
		f.drop(i)
	case bytes.HasSuffix(f.buf, packetStart[:1]):
		f.drop(len(f.buf) - 1)
	default:
		f.reset()
	}
	return i >= 0
}

func (f *packets) drop(n int) { f.buf = append(f.buf[:0], f.buf[n:]...) }

// answer is what a PN532's answer says: that it is one, and the tags it lists.
func answer(data, raw []byte) []message {
	if len(data) < 2 {
		return nil
	}
	list := []message{{word: "answer", answer: data[1], raw: raw}}
	if data[1] != listedTags {
		return list
	}
	ids, ok := listed(data[2:])
	if !ok {
		return append(list, message{word: "spoilt", raw: raw})
	}
	for _, id := range ids {
		list = append(list, message{word: "card", id: id, raw: raw})
	}
	return list
}

// listed reads the tags of an answer to D4 4A: a count, and for each its number, SENS_RES (2), SEL_RES, the UID's length and the UID.
func listed(p []byte) (ids []string, ok bool) {
	const before = 5
	if len(p) == 0 {
		return nil, false
	}
	count, p := int(p[0]), p[1:]
	for range count {
		if len(p) < before || len(p) < before+int(p[4]) || p[4] < 2 || p[4] > maxUID {
			return nil, false
		}
		more, end := p[3]&moreAnswer != 0, before+int(p[4])
		ids = append(ids, strings.ToUpper(hex.EncodeToString(p[before:end])))
		if p = p[end:]; !more {
			continue
		}
		if len(p) == 0 || len(p) < int(p[0]) {
			return nil, false
		}
		p = p[max(1, int(p[0])):]
	}
	return ids, true
}

// lines finds JSON objects, one a line. What stands before a brace is noise, or a comment where it begins with "#".
type lines struct {
	buf     [maxLine]byte
	n       int
	inside  bool
	begun   bool // something stood in this line
	comment bool
}

func (f *lines) reset()           { f.n, f.inside, f.begun, f.comment = 0, false, false, false }
func (f *lines) flush() []message { return nil }

func (f *lines) feed(b byte) (list []message) {
	switch {
	case b == '\n' || b == '\r':
		switch {
		case f.inside:
			list = object(f.buf[:f.n])
		case f.comment:
			list = []message{{word: "comment"}}
		}
		f.reset()
		return list
	case !f.begun && b == '#':
		f.comment = true
	case !f.inside && b == '{' && !f.comment:
		f.inside, f.n = true, 0
	}
	f.begun = true
	if f.inside && f.n == len(f.buf) {
		f.inside = false
		return []message{{word: "spoilt", raw: bytes.Clone(f.buf[:])}}
	}
	if f.inside {
		f.buf[f.n] = b
		f.n++
	}
	return nil
}

// object reads a line that begins with a brace. Braces of noise may stand before the object's own.
func object(line []byte) []message {
	raw := append(bytes.Clone(line), '\n')
	for p := line; len(p) > 0; {
		if m, ok := parseObject(p); ok {
			m.raw = raw
			return []message{m}
		}
		next := bytes.IndexByte(p[1:], '{')
		if next < 0 {
			break
		}
		p = p[1+next:]
	}
	return []message{{word: "spoilt", raw: raw}}
}

func parseObject(p []byte) (m message, ok bool) {
	var o struct {
		Type   string
		Seq    *uint32
		Device string `json:"device_id"`
		UID    string `json:"card_uid"`
		Code   any    // a word or a number
	}
	if json.Unmarshal(p, &o) != nil || o.Type == "" {
		return message{}, false
	}
	m = message{word: o.Type, reader: o.Device, seq: o.Seq}
	if o.Code != nil {
		m.code = fmt.Sprint(o.Code)
	}
	if m.word == "card" {
		id, err := Canonical(o.UID)
		if err != nil {
			return message{}, false
		}
		m.id = id
	}
	return m, true
}
