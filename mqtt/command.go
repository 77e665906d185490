package mqtt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sabot/shoe"
	"sabot/table"
)

// maxCommand bounds a command's payload in bytes.
const maxCommand = 4 << 10

// refusal is why a payload is no command.
type refusal struct {
	code table.Code
	text string // "" for the code's own sentence
}

func malformed(format string, args ...any) *refusal {
	return &refusal{table.Malformed, fmt.Sprintf(format, args...)}
}

// form says what a command needs and may have beside v, id and do.
type form struct {
	kind      table.Kind // NoEvent: it asks for pages of what was said
	need, may string
}

// forms are the commands by topic: what the game server may ask for, and what the floor.
var forms = map[table.Audience]map[string]form{
	table.ToGame: {
		"open":       {table.Open, "round", "seen"},
		"close":      {table.Close, "round seats", "seen"},
		"hit":        {table.Hit, "round seen hand", ""},
		"stand":      {table.Stand, "round seen hand", ""},
		"double":     {table.Double, "round seen hand", ""},
		"split":      {table.Split, "round seen hand", ""},
		"surrender":  {table.Surrender, "round seen seat", ""},
		"insure":     {table.Insure, "round seat", "reference seen"},
		"even-money": {table.EvenMoney, "round seat", "seen"},
		"decline":    {table.Decline, "round seat", "reference seen"},
		"short":      {table.Short, "round hand", "seen"},
		"plan":       {table.Plan, "round hand decision", "seen"},
		"follow":     {table.Follow, "round hand reference decision", "seen"},
		"bet":        {table.Bet, "round reference bets", "balance seen"},
		"since":      {table.NoEvent, "seq", ""},
	},
	table.ToFloor: {
		"table-open":  {table.TableOpen, "by", "because round seen"},
		"table-close": {table.TableClose, "by", "because round seen"},
		"shoe":        {table.NewShoe, "by number", "because round seen"},
		"count":       {table.Count, "by cards", "because round seen"},
		"dealer":      {table.Dealer, "by name", "because round seen"},
		"burn":        {table.Burn, "by cards", "because round seen"},
		"stop":        {table.Stop, "by", "because round seen"},
		"pause":       {table.Pause, "by", "because round seen"},
		"resume":      {table.Resume, "by", "because round seen"},
		"release":     {table.Release, "by irregularity", "remedy hand because round seen"},
		"exposed":     {table.Expose, "by irregularity", "because round seen"},
		"correct":     {table.Correct, "by irregularity card", "because round seen"},
		"draw":        {table.Draw, "by card", "hand because round seen"},
		"undo":        {table.Undo, "by seq", "because round seen"},
		"void":        {table.Void, "by", "because round seen"},
		"retire":      {table.Retire, "by", "because round seen"},
		"result":      {table.Result, "by pocket", "because round seen"},
		"dispute":     {table.Dispute, "by round", "because seen"},
		"close":       {table.Close, "by seats", "because round seen"},
		"hit":         {table.Hit, "by because hand", "round seen"},
		"stand":       {table.Stand, "by because hand", "round seen"},
		"double":      {table.Double, "by because hand", "round seen"},
		"split":       {table.Split, "by because hand", "round seen"},
		"surrender":   {table.Surrender, "by because seat", "round seen"},
		"insure":      {table.Insure, "by because seat", "round seen"},
		"even-money":  {table.EvenMoney, "by because seat", "round seen"},
		"decline":     {table.Decline, "by because seat", "round seen"},
	},
}

// parseCommand reads a command. When it refuses, the command still has the id if there was one to read. A command of no
// kind is "since", its N.
func parseCommand(from table.Audience, payload []byte) (table.Command, *refusal) {
	c := table.Command{From: from}
	whole := payload[:min(len(payload), maxCommand)]
	members, bad := split(whole)
	if id, ok := text(members["id"]); ok && validName(id) {
		c.ID = id
	}
	switch {
	case len(payload) > maxCommand:
		return c, &refusal{code: table.TooLarge}
	case bad != nil:
		return c, bad
	case c.ID == "":
		return c, malformed("id must be 1 to 64 of the letters A-Z a-z 0-9 _ -")
	case string(members["v"]) != "1":
		return c, malformed("v must be 1")
	}
	do, ok := text(members["do"])
	if !ok {
		return c, malformed("do must be a word")
	}
	f, known := forms[from][do]
	if !known {
		return c, &refusal{table.UnknownAction, fmt.Sprintf("%.40q is no command on this topic.", do)}
	}
	return c, f.fill(&c, members)
}

// split takes an object apart into its members, as far as it can be read.
func split(payload []byte) (map[string]json.RawMessage, *refusal) {
	members := map[string]json.RawMessage{}
	var bad *refusal
	if !utf8.Valid(payload) || !json.Valid(payload) {
		bad = malformed("it is no valid JSON")
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return members, malformed("it is no JSON object")
	}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return members, malformed("it is no valid JSON")
		}
		if _, twice := members[name]; twice && bad == nil {
			bad = malformed("%.40q stands there twice", name)
		}
		members[name] = value
	}
	return members, bad
}

// fill takes the members a form knows into the command, and refuses any other.
func (f form) fill(c *table.Command, members map[string]json.RawMessage) *refusal {
	c.Event.Kind = f.kind
	need := strings.Fields(f.need)
	known := append(append([]string{"v", "id", "do"}, need...), strings.Fields(f.may)...)
	for name := range members {
		if !slices.Contains(known, name) {
			return malformed("%.40q is not known here", name)
		}
	}
	for _, name := range need {
		if _, there := members[name]; !there && name == "by" {
			return &refusal{code: table.ByMissing}
		} else if !there {
			return malformed("%s is missing", name)
		}
	}
	for _, name := range known[3:] {
		if value, there := members[name]; there {
			if bad := readers[name](c, value); bad != nil {
				return bad
			}
		}
	}
	return f.whole(c)
}

// whole looks at the command as an event: its notation must fit the record and read back as the same.
func (f form) whole(c *table.Command) *refusal {
	e := &c.Event
	if f.kind == table.NoEvent {
		return nil
	}
	if f.kind == table.Release && (e.Remedy == table.Assign) != (e.Hand != table.NoHand) {
		return malformed("hand belongs to the remedy assign, and to no other")
	}
	line := e.String()
	switch {
	case len(line) > table.MaxLine && f.kind == table.Bet:
		return malformed("there are too many bets")
	case len(line) > table.MaxLine:
		return malformed("because is too long")
	}
	if back, err := table.Parse(line); err != nil || !back.Equal(*e) {
		return malformed("it cannot be written down as an event")
	}
	return nil
}

// readers read one member each.
var readers = map[string]func(*table.Command, json.RawMessage) *refusal{
	"round": func(c *table.Command, v json.RawMessage) *refusal {
		n, bad := number("round", v, 1, math.MaxUint32)
		if c.Event.Kind == table.Dispute || c.Event.Kind == table.Void { // the round it is about, which need not be the one running
			c.Event.N = n
		} else {
			c.Round = uint32(n)
		}
		return bad
	},
	"seen": func(c *table.Command, v json.RawMessage) (bad *refusal) {
		c.Seen, bad = number("seen", v, 1, math.MaxInt64)
		return bad
	},
	"number":       argument("number"),
	"cards":        argument("cards"),
	"irregularity": argument("irregularity"),
	"seq":          argument("seq"),
	"pocket":       readPocket,
	"hand":         readHand,
	"seat":         readSeat,
	"seats":        readSeats,
	"decision":     readDecision,
	"remedy":       readRemedy,
	"card":         readCard,
	"reference":    words("reference", func(t *table.Text) *string { return &t.Name }, validReference),
	"bets":         readBets,
	"balance":      readBalance,
	"name":         words("name", func(t *table.Text) *string { return &t.Name }, table.ValidName),
	"by":           words("by", func(t *table.Text) *string { return &t.By }, table.ValidName),
	"because":      readBecause,
}

func text(v json.RawMessage) (s string, ok bool) {
	if len(v) == 0 || v[0] != '"' || json.Unmarshal(v, &s) != nil {
		return "", false
	}
	return s, true
}

func number(name string, v json.RawMessage, least, most int64) (int64, *refusal) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || n < least || n > most {
		return 0, malformed("%s must be a whole number from %d to %d", name, least, most)
	}
	return n, nil
}

// whole reads a whole number that has a code of its own where it is out of range. How much is too much is the game's to say, but for a number that an event cannot hold.
func whole(name string, v json.RawMessage, least int64, code table.Code) (int64, *refusal) {
	switch n, err := strconv.ParseInt(string(v), 10, 64); {
	case errors.Is(err, strconv.ErrRange) || err == nil && n < least:
		return 0, &refusal{code: code}
	case err != nil:
		return 0, malformed("%s must be a whole number", name)
	default:
		return n, nil
	}
}

// argument reads the event's number, in the range of its kind.
func argument(name string) func(*table.Command, json.RawMessage) *refusal {
	return func(c *table.Command, v json.RawMessage) (bad *refusal) {
		least, most := c.Event.Kind.Range()
		c.Event.N, bad = number(name, v, least, most)
		return bad
	}
}

func readPocket(c *table.Command, v json.RawMessage) (bad *refusal) {
	c.Event.N, bad = whole("pocket", v, 0, table.NumberInvalid)
	return bad
}

// words reads one of the event's texts.
func words(name string, field func(*table.Text) *string, valid func(string) bool) func(*table.Command, json.RawMessage) *refusal {
	return func(c *table.Command, v json.RawMessage) *refusal {
		s, ok := text(v)
		if !ok || !valid(s) {
			return malformed("%s must be a text, a name being 1 to 64 of the letters A-Z a-z 0-9 . _ -", name)
		}
		if c.Event.Text == nil {
			c.Event.Text = new(table.Text)
		}
		*field(c.Event.Text) = s
		return nil
	}
}

// MaxBecause is how many letters, which are Unicode's code points, a reason has at most.
const MaxBecause = 200

func readBecause(c *table.Command, v json.RawMessage) *refusal {
	if s, ok := text(v); ok && utf8.RuneCountInString(s) > MaxBecause {
		return malformed("because has at most %d letters", MaxBecause)
	}
	return words("because", func(t *table.Text) *string { return &t.Because }, func(s string) bool { return s != "" })(c, v)
}

func readHand(c *table.Command, v json.RawMessage) *refusal {
	s, ok := text(v)
	if !ok {
		return malformed("hand must be a text such as \"3a\"")
	}
	c.Event.Hand = table.ParseHand(s)
	if c.Event.Hand == table.NoHand || c.Event.Hand.String() != s || c.Event.Hand.Seat() == 0 && c.Event.Kind != table.Release && c.Event.Kind != table.Draw {
		return &refusal{code: table.NoSuchHand}
	}
	return nil
}

func readSeat(c *table.Command, v json.RawMessage) *refusal {
	n, bad := whole("seat", v, 1, table.SeatsInvalid)
	switch {
	case bad != nil:
		return bad
	case n > table.MaxSeats:
		return &refusal{code: table.SeatsInvalid}
	}
	c.Event.Hand = table.SeatHand(int(n), 0)
	return nil
}

func readSeats(c *table.Command, v json.RawMessage) *refusal {
	var values []json.RawMessage
	if v[0] != '[' || json.Unmarshal(v, &values) != nil {
		return malformed("seats must be a list of whole numbers")
	}
	var list []int
	for _, value := range values {
		n, bad := whole("each of seats", value, 1, table.SeatsInvalid)
		if bad != nil {
			return bad
		}
		list = append(list, int(n))
	}
	seats, code := table.MakeSeats(list, table.MaxSeats)
	c.Event.Seats = seats
	if code != table.OK {
		return &refusal{code: code}
	}
	return nil
}

func readDecision(c *table.Command, v json.RawMessage) *refusal {
	s, _ := text(v)
	c.Event.Action = table.ParseKind(s)
	if c.Event.Action < table.Hit || c.Event.Action > table.Surrender {
		return malformed("decision must be hit, stand, double, split or surrender")
	}
	return nil
}

func readRemedy(c *table.Command, v json.RawMessage) *refusal {
	s, _ := text(v)
	var ok bool
	if c.Event.Remedy, ok = table.ParseRemedy(s); !ok {
		return malformed("remedy must be use, burn, carry, assign, reread, reveal or device")
	}
	return nil
}

func readCard(c *table.Command, v json.RawMessage) *refusal {
	s, ok := text(v)
	if !ok {
		return malformed("card must be a text such as \"9s\", or to correct one \"cut\"")
	}
	if s == "cut" && c.Event.Kind == table.Correct {
		return nil
	}
	card, err := shoe.ParseCard(s)
	if err != nil || !card.Known() || card.String() != s {
		return &refusal{code: table.CardInvalid}
	}
	c.Event.Card = card
	return nil
}

// command takes a command to the table, or says why not.
func (l *link) command(m heard) error {
	from := table.ToGame
	if m.topic == l.topics.commandFloor {
		from = table.ToFloor
	}
	taken, told := l.quotas[from].take(time.Now(), l.log, m.topic)
	if !taken {
		l.count(func(s *Stats) { s.Refused++ })
	}
	if !told {
		return nil
	}
	if !l.alone() {
		l.log.Warn("a command was not taken: another program is connected under this table's name", "topic", m.topic)
		return nil
	}
	c, bad := parseCommand(from, m.payload)
	switch {
	case m.retained:
		bad = &refusal{code: table.Retained}
	case !taken:
		bad = &refusal{code: table.Rate}
	case bad == nil && c.Event.Kind == table.NoEvent:
		return l.page(c)
	case bad == nil:
		l.config.Command(c, func(r table.Reply) { l.answer(from, r) })
		return nil
	}
	return l.send(l.topics.reply(from), encode(replyMessage{V: version, ID: c.ID, Code: bad.code.String(), Text: bad.sentence()}))
}

// answer queues the table's reply. It is called from any goroutine, when the link may be another one or none.
func (c *Client) answer(to table.Audience, r table.Reply) {
	m := replyMessage{V: version, ID: r.ID, OK: r.OK, Seq: r.Seq}
	if !r.OK {
		m.Code, m.Text = r.Code.String(), Sentence("en", r.Code)
	}
	select {
	case c.replies <- reply{to, encode(m)}:
	default:
		c.count(func(s *Stats) { s.Dropped++ })
	}
}

const (
	// maxPage and maxPageBytes bound a page of call messages.
	maxPage      = 100
	maxPageBytes = 32 << 10
)

// page answers "since": call messages again, one page at a time.
func (l *link) page(c table.Command) error {
	p := pageMessage{V: version, ID: c.ID, OK: true, Messages: []json.RawMessage{}}
	refuse := func(code table.Code, text string) error {
		return l.send(l.topics.replyGame, encode(replyMessage{V: version, ID: c.ID, Code: code.String(), Text: text}))
	}
	if c.Event.N > l.journal.Durable() {
		return refuse(table.Malformed, "seq is ahead of the table's record.")
	}
	r, err := l.journal.Reader(c.Event.N)
	if err != nil {
		l.log.Warn("calls asked for cannot be read", "since", c.Event.N, "error", err)
		return refuse(table.NotOffered, "These calls are no longer kept.")
	}
	defer r.Close()
	size := 0
	for last := c.Event.N; ; {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return &recordError{err}
		}
		m := appendCall(nil, l.journal.Record(), &e)
		if len(p.Messages) == maxPage || len(p.Messages) > 0 && size+len(m) > maxPageBytes {
			p.Next = last
			break
		}
		p.Messages, size, last = append(p.Messages, m), size+len(m), e.Seq
	}
	return l.send(l.topics.replyGame, encode(p))
}
