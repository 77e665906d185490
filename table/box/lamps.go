package box

import "sabot/table"

// Pattern is how a lamp burns.
type Pattern uint8

// The patterns.
const (
	Off Pattern = iota
	On
	Slow // blinks slowly
	Fast
)

var patternNames = [...]string{"off", "on", "slow", "fast"}

// String is the pattern in a word.
func (p Pattern) String() string { return patternNames[p] }

// Panel is the dealer's lamps, and the shoe's lock.
type Panel struct {
	Green Pattern // your card, or your button
	Amber Pattern // wait
	Red   Pattern // steady: stopped; slow: paused; fast: the equipment is at fault
	Blue  Pattern // the last round
	Lock  bool    // the mouth is closed
}

// Lamps are what is lit for a table as it is shown. They know no more than the layout and the floor do: no card that lies face down
// or aside. A device that is away is said even while nothing stops, because no round should be opened then; one that reports a fault, as long
// as that holds the table. So is a broker that is away: what is dealt is recorded, and nobody hears of it.
func Lamps(s *table.Snapshot) Panel {
	l := &s.Layout
	p := Panel{Red: red(s), Lock: s.Locked()}
	if l.Shoe.LastRound && l.Phase != table.ShoeChange && l.Phase != table.Closed {
		p.Blue = On
	}
	again := due(l) == table.DueReread && !s.Halted
	switch {
	case (s.Halted || l.Stopped != nil) && !again:
	case dealers(s):
		p.Green = On
	default:
		p.Amber = On
	}
	return p
}

// dealers says that it is the dealer's turn: a card, unless the shoe is empty, or a press. What players are asked is his to enter where the box is their master.
func dealers(s *table.Snapshot) bool {
	switch due(&s.Layout) {
	case table.DueCard:
		return s.Layout.Shoe.Left > 0
	case table.DueBurn, table.DueReread, table.DuePeek, table.DueReveal, table.DueOpen, table.DueBall:
		return true
	case table.DueDecision, table.DueInsurance, table.DueClose:
		return s.Floor.Box != nil
	}
	return false
}

// red is the red lamp. The equipment comes before a pause, of which whoever made it knows.
func red(s *table.Snapshot) Pattern {
	switch {
	case ailing(&s.Floor) || s.Unheard:
		return Fast
	case s.Halted:
		return On
	case s.Layout.Stopped == nil:
		return Off
	case s.Floor.Paused:
		return Slow
	}
	return On
}

// equipment are the irregularities of devices.
var equipment = map[string]bool{
	table.DeviceLost.String(): true, table.DeviceFault.String(): true, table.DeviceRestart.String(): true,
	table.SequenceGap.String(): true, table.SequenceConflict.String(): true,
}

// ailing says that a device is away, or that what one reported holds the table.
func ailing(f *table.FloorState) bool {
	for _, state := range f.Devices {
		if state != "ok" {
			return true
		}
	}
	for _, s := range f.Stops {
		if !s.Later && equipment[s.Code] {
			return true
		}
	}
	return false
}
