package live

import (
	"maps"
	"slices"
	"sync"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/journal"
)

// maxAnswers bounds how many replies are remembered of each sender: a flood of one makes it forget its own, and nobody else's.
const maxAnswers = 1024

// state is what the loop knows beside the game. All of it is folded from the record, so that it survives a crash with it.
type state struct {
	seq    int64
	at     time.Duration // the last entry's game time
	time   time.Time     // and its wall clock
	said   int64         // the last entry of which anybody but the floor heard something
	round  uint32
	record string
	dealer string
	recap  *table.Recap
	lost   map[string]bool // by device: whether it is away

	paused   *table.Ordered     // who paused it
	troubles map[int64]*trouble // by seq, what devices or people said that may hold the table

	answers []journal.Answer // of this and the previous round, oldest first
	last    table.Reply      // what the last entry answers
	starts  int              // of the program since the table got anywhere

	mu      sync.Mutex
	sources map[string]shoe.Source // by device; any goroutine may look
}

// trouble is what a device or somebody said that holds the table or may come to, and whether the device has said that it is over. A hold knows only the event's seq.
type trouble struct {
	table.Event
	over bool
}

// maxTroubles is how many are kept before those are forgotten that hold nothing: a correction may yet make one hold.
const maxTroubles = 64

// begin is the state as a segment begins.
func begin(h journal.Header) *state {
	s := &state{
		seq: h.First - 1, said: h.First - 1, at: h.At, time: h.Start.Add(h.At + h.Offset), round: h.Opening.Round, record: h.Record, dealer: h.Dealer,
		recap: h.Recap, answers: h.Commands, lost: map[string]bool{}, troubles: map[int64]*trouble{}, sources: map[string]shoe.Source{},
	}
	for _, source := range h.Devices {
		s.sources[source.Device] = source
		s.lost[source.Device] = false
	}
	for _, name := range h.Missing {
		s.lost[name] = true
	}
	return s
}

// header is begin's inverse, as far as the state goes.
func (s *state) header() journal.Header {
	h := journal.Header{Dealer: s.dealer, Recap: s.recap, Commands: s.answers}
	for _, name := range slices.Sorted(maps.Keys(s.sources)) {
		h.Devices = append(h.Devices, s.sources[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.lost)) {
		if s.lost[name] {
			h.Missing = append(h.Missing, name)
		}
	}
	return h
}

// fold takes an entry that is durable, and what was said of it, into the state.
func (s *state) fold(e *journal.Entry, calls []table.Call) {
	s.seq, s.at, s.time, s.round = e.Seq, e.At, e.Time, e.Round
	if string(e.Calls) != "[]" || string(e.Game) != "[]" {
		s.said = e.Seq
	}
	s.recap = s.recap.Fold(calls)
	s.starts = starts(s.starts, e)
	switch e.Event.Kind {
	case table.Dealer:
		s.dealer = e.Event.Text.Name
	case table.Lost, table.Found:
		s.lost[e.Event.Text.Name] = e.Event.Kind == table.Lost
	}
	s.hear(&e.Event)
	if from := e.From.Source; from.Seq > 0 || from.Epoch > 0 { // a device's boot has no number yet
		s.heard(e.From.Source)
	}
	s.last = reply(e, calls)
	if e.From.Command != "" {
		s.remember(e)
	}
}

// hear keeps what a device or somebody says is wrong, and notes when that is over.
func (s *state) hear(e *table.Event) {
	switch e.Kind {
	case table.Pause:
		s.paused = table.OrderOf(*e)
	case table.Resume:
		s.paused = nil
	case table.Lost, table.Fault, table.Stop, table.Count:
		s.troubles[e.Seq] = &trouble{Event: *e}
	case table.Found, table.Clear:
		for _, t := range s.troubles {
			t.over = t.over || t.Text != nil && t.Text.Name == e.Text.Name && t.Text.Detail == e.Text.Detail && (t.Kind == table.Lost) == (e.Kind == table.Found)
		}
	}
}

// heard notes a device's sentence as its last one.
func (s *state) heard(from shoe.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sources[from.Device] = from
	if _, known := s.lost[from.Device]; !known {
		s.lost[from.Device] = false
	}
}

// reply is the answer to a command that became an entry. It is no success when the command itself was irregular; a stop is meant to be, and what its entry found
// out about the shoe takes nothing of it back.
func reply(e *journal.Entry, calls []table.Call) table.Reply {
	r := table.Reply{OK: true, Seq: e.Seq}
	if e.Event.Kind == table.Refusal {
		r.OK, r.Code = false, e.Event.Code
		return r
	}
	for _, c := range calls {
		if c.Word == table.CallIrregular && c.Ref == e.Seq && c.Class != table.Note && e.Event.Kind != table.Stop && !c.Code.OfShoe() {
			r.OK, r.Code = false, c.Code
			return r
		}
	}
	return r
}

// remember keeps the answer of this entry, and forgets those of rounds long over.
func (s *state) remember(e *journal.Entry) {
	a := journal.Answer{From: e.From.Device, ID: e.From.Command, Round: e.Round, OK: s.last.OK, Seq: e.Seq}
	if !a.OK {
		a.Code = s.last.Code.String()
	}
	old := func(a journal.Answer) bool { return a.Round+1 < e.Round }
	s.answers = append(slices.DeleteFunc(s.answers, old), a)
	first, n := -1, 0
	for i := range s.answers {
		if s.answers[i].From == a.From {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if n > maxAnswers {
		s.answers = slices.Delete(s.answers, first, first+1)
	}
}

// answered is the first answer to a command with this id. A command without one is new each time.
func (s *state) answered(from, id string) (table.Reply, bool) {
	i := slices.IndexFunc(s.answers, func(a journal.Answer) bool { return a.ID == id && a.From == from })
	if id == "" || i < 0 {
		return table.Reply{}, false
	}
	a := s.answers[i]
	code, _ := table.ParseCode(a.Code)
	return table.Reply{ID: id, OK: a.OK, Code: code, Seq: a.Seq}, true
}

// stale says that the sender of a command had not seen the table as it is: it speaks of another round (an open, of any but the
// next), or something was said since that it may not have heard.
func (s *state) stale(c table.Command, open bool) bool {
	round := s.round
	if open {
		round++
	}
	return c.Round != 0 && c.Round != round || c.Seen != 0 && (c.Seen < s.said || c.Seen > s.seq)
}
