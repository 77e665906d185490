package table

// Snapshot is what a table shows after an entry of its record: to everybody, and to the staff. Nobody changes one once it is shown.
type Snapshot struct {
	Seq    int64
	Layout Layout
	Floor  FloorState
	Calls  []Call // what was said of the entry, to all audiences
}
