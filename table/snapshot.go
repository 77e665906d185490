package table

// Snapshot is what a table shows after an entry of its record: to everybody, and to the staff. Nobody changes one once it is shown.
type Snapshot struct {
	Seq    int64
	Layout Layout
	Floor  FloorState
	Calls  []Call // what was said of the entry, to all audiences
	Halted bool   // a button that stops was pressed, and its event is on its way to the record: lamps and lock know of it already

	Unheard bool // what the table says arrives nowhere: the broker is away. Lamps say so
}

// Locked says whether the shoe's mouth is to be closed: see Layout.Locked. A button that stops closes it at once.
func (s *Snapshot) Locked() bool { return s.Halted || s.Layout.Locked() }
