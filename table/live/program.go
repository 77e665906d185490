package live

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"sabot/table"
	"sabot/table/journal"
)

// tell records which program writes from here on, and by what configuration. One that waits for the next segment, whose header will hold it, comes
// along whole, as far as there is room.
func (l *Live) tell() error {
	l.told = l.wall()
	if l.config.Binary == "" {
		return nil
	}
	e := table.Event{Kind: table.Program, Text: &table.Text{Name: l.config.Build, Detail: Writer{Binary: l.config.Binary, Configuration: Digest(l.config.Configuration)}.hashes()}}
	var text []byte
	if l.outdated && len(l.config.Configuration) <= maxRaw {
		text = l.config.Configuration
	}
	return l.record(e, max(l.now(), l.state.at), journal.Source{}, text)
}

// Digest is a configuration's SHA-256, in hexadecimal, as `program` entries have it.
func Digest(configuration []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(configuration))
}

// Writer is who wrote a stretch of a record.
type Writer struct {
	First, Last   int64
	Build         string // the version
	Binary        string // the SHA-256 of the program's file; "" where the record does not say
	Configuration string // and of its configuration
}

// hashes are the writer's, as an event has them.
func (w Writer) hashes() string {
	return "binary " + w.Binary + ", configuration " + w.Configuration
}

// same says that both are one program with one configuration.
func (w Writer) same(o Writer) bool {
	o.First, o.Last = w.First, w.Last
	return w == o
}

// writers takes an entry of the segment h into the list. A program says who it is only after its start, which it wrote itself.
func writers(list []Writer, h *journal.Header, e *journal.Entry) []Writer {
	n := len(list)
	switch {
	case e.Event.Kind == table.Started:
		list = append(list, Writer{First: e.Seq})
	case n == 0 || e.Seq == h.First && list[n-1].Build != h.Build:
		list = append(list, Writer{First: e.Seq, Build: h.Build})
	}
	last := &list[len(list)-1]
	if e.Event.Kind == table.Program {
		said := Writer{Build: e.Event.Text.Name}
		fmt.Sscanf(strings.ReplaceAll(e.Event.Text.Detail, ",", ""), "binary %s configuration %s", &said.Binary, &said.Configuration)
		if last.Binary != "" && !last.same(said) {
			list = append(list, Writer{First: e.Seq})
			last = &list[len(list)-1]
		}
		last.Build, last.Binary, last.Configuration = said.Build, said.Binary, said.Configuration
	}
	last.Last = e.Seq
	if n := len(list); n > 1 && list[n-2].same(*last) {
		list[n-2].Last = e.Seq
		list = list[:n-1]
	}
	return list
}
