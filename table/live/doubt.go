package live

import (
	"sabot/table"
	"sabot/table/journal"
)

// maxStarts is how often the program may start again without the table getting anywhere. The table is then held, and its shoe locked, until the
// supervisor has looked: a program that fails at every start must not deal in between.
const maxStarts = 5

// starts counts the starts in a row. What somebody did, or dealt, ends it; what the program says of itself or of a device does not.
func starts(n int, e *journal.Entry) int {
	switch e.Event.Kind {
	case table.Started:
		return n + 1
	case table.Fault, table.Clear, table.Lost, table.Found, table.Clock, table.Timeout, table.Refusal, table.Program:
		return n
	}
	return 0
}

// born begins a record. One that has a parent holds the table first of all.
func (l *Live) born(h journal.Header) error {
	if h.Parent == nil {
		return nil
	}
	l.log.Warn("this record was begun in place of another; the table is held", "record", h.Record, "parent", h.Parent.Record, "proven", h.Parent.Seq, "aside", h.Parent.Aside)
	return l.hold(table.FaultRecord)
}

// doubt holds a table that should not go on by itself after a start: one that gets nowhere, and one whose calls are not made by this program,
// which then cannot know whether it stands where they left it.
func (l *Live) doubt(h journal.Header) error {
	switch {
	case l.state.starts == maxStarts: // later starts find it held
		l.log.Error("the program starts again and again and gets nowhere; the table is held", "starts", l.state.starts)
		return l.hold(table.FaultRestarts)
	case h.Calls != table.CallsVersion:
		l.log.Warn("the table is held: a round under way is to be voided, and the shoe retired", "calls", h.Calls)
		return l.hold(table.FaultRecord)
	}
	return nil
}

// hold records a fault of the program that holds the table in any phase.
func (l *Live) hold(detail string) error {
	return l.record(fault("sabot", detail), l.now(), journal.Source{}, nil)
}

// begins says that an event begins what must be recorded to its end. An open while something else is due begins nothing: it is refused, or an irregularity.
func (l *Live) begins(k table.Kind) bool {
	if k == table.Open {
		due := l.game.Layout().Due
		return due != nil && due.Kind == table.DueOpen.String()
	}
	return k == table.NewShoe || k == table.TableOpen
}
