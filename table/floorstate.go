package table

import "time"

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
	Stops   []StopState       `json:"stops"`   // in the order in which they can be released
	Devices map[string]string `json:"devices"` // by name: "ok" or "lost", or in its place why: "busy", "denied", "silent"
	Box     *BoxState         `json:"box,omitempty"`
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
	Card         string   `json:"card,omitempty"`  // the card that lies aside, once it is marked exposed
	Remedies     []string `json:"remedies"`        // none where only a void, or the shoe's retirement, settles it
}

// Stops are the opening's irregularities as the floor sees them, oldest first, and behind them those that hold the table later.
func (o Opening) Stops() []StopState {
	stops, later := []StopState{}, []StopState{}
	for _, h := range o.Holds {
		first, fit := h.remedies(o.vain)
		s := StopState{Irregularity: h.Seq, Code: h.Code.String(), Later: h.Later, Remedies: remedyWords(first, fit)}
		switch {
		case h.Bared && h.Card.Known():
			s.Card = h.Card.String()
		case h.Code == RecordDoubt && o.laid:
			s.Remedies = []string{}
		}
		if h.Later {
			later = append(later, s)
		} else {
			stops = append(stops, s)
		}
	}
	return append(stops, later...)
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
