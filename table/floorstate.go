package table

import (
	"regexp"
	"slices"
	"time"

	"sabot/shoe"
)

// FloorState is what the staff may see beside the layout: why the table is stopped, what the house offers for it, who
// deals, and how the devices are. No card that lies face down or aside is in it.
type FloorState struct {
	V       int               `json:"v"`
	Record  string            `json:"record"`
	Seq     int64             `json:"seq"`
	At      time.Time         `json:"at"`
	Table   string            `json:"table"`
	Dealer  string            `json:"dealer"`
	Paused  bool              `json:"paused"`
	Pause   *Ordered          `json:"pause,omitempty"` // who paused it, as far as the record's last segment tells
	Stops   []StopState       `json:"stops"`           // in the order in which they can be released
	Void    []uint32          `json:"void,omitempty"`  // the rounds that a void can name now, the later one first: the one running, or the last one, and that one too while bets are taken
	Undo    *PastDecision     `json:"undo,omitempty"`  // while the table is stopped: what an undo takes back
	Cards   []PastCard        `json:"cards,omitempty"` // likewise the cards that a correction can name, oldest first
	Devices map[string]string `json:"devices"`         // by name: "ok" or "lost", or in its place why: "busy", "denied", "silent"
	Box     *BoxState         `json:"box,omitempty"`
}

// Ordered is who ordered something, and why.
type Ordered struct {
	By      string `json:"by"`
	Because string `json:"because,omitempty"`
}

// OrderOf is who ordered an event, and why; nil for what nobody ordered.
func OrderOf(e Event) *Ordered {
	if e.By() == "" {
		return nil
	}
	return &Ordered{e.By(), e.Text.Because}
}

// BoxState is what the dealer's box of buttons stands at, for his screen: present where the box is master of the players' decisions. It
// is not recorded, and nothing hangs on it until a press makes an event of it.
type BoxState struct {
	Cursor  int   `json:"cursor,omitempty"`  // the seat that YES and NO speak of; left out while there is none
	Playing []int `json:"playing,omitempty"` // bets: the seats that NEXT will name
}

// StopState is an irregularity that waits for the supervisor. The first remedy is its default.
type StopState struct {
	Irregularity int64    `json:"irregularity"` // its seq, which a release names
	Code         string   `json:"code"`
	Later        bool     `json:"later,omitempty"` // it holds the table only when the round has ended
	Aside        bool     `json:"aside,omitempty"` // a card lies aside because of it, dealt to nobody: it can be corrected, and marked exposed
	Card         string   `json:"card,omitempty"`  // that card, once it is marked exposed; "??" while nobody could read it
	Remedies     []string `json:"remedies"`        // none where only a void, or the shoe's retirement, settles it
	Hands        []string `json:"hands,omitempty"` // those to which assign can give the card now

	Order  *Ordered    `json:"order,omitempty"`  // whose order raised it
	Device *StopDevice `json:"device,omitempty"` // the one that it is about, where the code leaves open which
}

// StopDevice is the device that a stop is about.
type StopDevice struct {
	Name  string `json:"name"`
	Fault string `json:"fault,omitempty"` // what is the matter with it, where the code leaves that open: the fault's name; "lost", or in its place why, as in Devices
	Over  bool   `json:"over,omitempty"`  // it has said since that this is over
}

// faultWord is what the floor hears of a fault's name. A device may call its faults what it likes, and on a bad line anything may become of that, a card or a tag among it.
var faultWord = regexp.MustCompile(`^[a-z]{3,}(-[a-z]{3,})*(-[0-9]{1,3})?$|^E[0-9]{1,2}$|^W0x[0-9A-F]{1,2}$`)

// DeviceOf is the device that a stop raised by e is about, where its code leaves open which that is. It does not where it is the shoe's, or the program's.
func DeviceOf(e Event) *StopDevice {
	switch {
	case e.Kind == Lost:
		return &StopDevice{Name: e.Text.Name, Fault: "lost"}
	case e.Kind != Fault || e.Text == nil:
		return nil
	}
	d := &StopDevice{Name: e.Text.Name}
	switch faultCode(e) {
	case DeviceFault, ContactFault:
		if faultWord.MatchString(e.Text.Detail) {
			d.Fault = e.Text.Detail
		}
	case DeviceRestart, SequenceGap, SequenceConflict:
	default:
		return nil
	}
	return d
}

// Stops are a game's irregularities as the floor sees them, oldest first, and behind them those that hold the table later. Of the one that is to be released next only what the
// game would take now is offered, such as no hole card to be turned where none lies face down. For those behind it that is not known yet.
func Stops(g Game) []StopState {
	stops, later, o := []StopState{}, []StopState{}, g.Opening()
	for _, h := range o.Holds {
		first, fit := h.remedies(o.vain)
		s := StopState{Irregularity: h.Seq, Code: h.Code.String(), Later: h.Later, Aside: h.Card != shoe.NoCard, Remedies: remedyWords(first, fit)}
		if h.Bared {
			s.Card = h.Card.String()
		}
		if h.Code == RecordDoubt && o.laid {
			s.Remedies = []string{}
		}
		if h.Later {
			later = append(later, s)
			continue
		}
		if len(stops) == 0 {
			s.offer(g)
		}
		stops = append(stops, s)
	}
	return append(stops, later...)
}

// Voidable are the rounds that a game takes a void of now, the later one first: the round running, or one that has ended and is still in reach.
func Voidable(g Game) []uint32 {
	var rounds []uint32
	last := g.Opening().Round
	for n := last; n > 0 && n+1 >= last; n-- {
		if g.Check(Event{Kind: Void, N: int64(n), Text: &Text{By: "S"}}) == OK {
			rounds = append(rounds, n)
		}
	}
	return rounds
}

// offer leaves those remedies that the game takes now, and finds the hands for a card to be assigned.
func (s *StopState) offer(g Game) {
	takes := func(r Remedy, to Hand) bool {
		return g.Check(Event{Kind: Release, N: s.Irregularity, Remedy: r, Hand: to, Text: &Text{By: "S"}}) == OK
	}
	s.Remedies = slices.DeleteFunc(s.Remedies, func(word string) bool {
		r, _ := ParseRemedy(word)
		if r != Assign {
			return !takes(r, NoHand)
		}
		for to := DealerHand; to <= SeatHand(MaxSeats, MaxHands-1); to++ {
			if takes(r, to) {
				s.Hands = append(s.Hands, to.String())
			}
		}
		return len(s.Hands) == 0
	})
}

// remedyWords are the words of a set of remedies, the default first.
func remedyWords(first Remedy, fit remedySet) []string {
	words := []string{}
	if fit == 0 {
		return words
	}
	words = append(words, first.String())
	for r := Use; r < remedies; r++ {
		if r != first && fit&(1<<r) != 0 {
			words = append(words, r.String())
		}
	}
	return words
}

// Remedies are the words of the remedies that fit an irregularity, its default first.
func (c Code) Remedies() []string { return remedyWords(irregularities[c].first, irregularities[c].fit) }
