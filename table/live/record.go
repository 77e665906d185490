package live

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"

	"sabot/table"
	"sabot/table/journal"
)

// segmentSize is the length in bytes after which a shoe begins a segment in any case.
const segmentSize = 1 << 20

// record makes an event the next entry: step, append, fold. After an error the game's value is worth nothing, and nobody may hear of it.
func (l *Live) record(e table.Event, at time.Duration, from journal.Source, raw []byte) error {
	e.Seq, e.At = l.state.seq+1, at
	if err := l.step(e); err != nil {
		l.log.Error("the game panicked; the table is held", "seq", e.Seq, "kind", e.Kind.Word(), "panic", err)
		raw = []byte(e.String()) // the event that never was, for whoever mends the game
		e = fault("sabot", table.FaultPanic)
		e.Seq, e.At = l.state.seq+1, at
		if err := l.step(e); err != nil {
			return fmt.Errorf("live: entry %d: %w", e.Seq, err)
		}
	}
	entry := &journal.Entry{Seq: e.Seq, At: at, Round: l.game.Opening().Round, From: from, Event: e, Raw: raw}
	encode(entry, l.calls)
	if err := l.guarded(func() error { return l.append(entry) }); err != nil {
		return err
	}
	l.state.fold(entry, l.calls)
	return nil
}

// step steps the game. A panic is an error; table.Round has then kept the value from before.
func (l *Live) step(e table.Event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("at %s", panicked())
		}
	}()
	l.calls = l.game.Step(e, l.calls[:0])
	return nil
}

// panicked is where the code panicked that is being recovered. What it says is kept to itself: an index out of range may be a
// face-down card's rank.
func panicked() string {
	var pc [32]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") || !more {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
}

// guarded waits for the disk, and stops the deal from beside the loop if that takes too long. Nothing else can say so meanwhile: what is published waits for the disk, too.
func (l *Live) guarded(write func() error) error {
	began := time.Now()
	late := time.AfterFunc(haltAfter, func() {
		l.halt()
		l.log.Warn(fmt.Sprintf("the disk has not taken an entry for %v; the deal is stopped until it has", haltAfter))
	})
	defer func() {
		took := time.Since(began)
		l.config.Wrote(took)
		if !late.Stop() {
			l.log.Warn("the disk answers again", "after", took)
		}
	}()
	return write()
}

func encode(e *journal.Entry, calls []table.Call) {
	e.Calls = table.AppendCalls(nil, calls, table.ToAll)
	e.Floor = table.AppendCalls(nil, calls, table.ToFloor)
	e.Game = table.AppendCalls(nil, calls, table.ToGame)
}

// replay steps the game through the segment that h begins.
func (l *Live) replay(h journal.Header) error {
	if l.older {
		l.log.Warn("the record was written by another version of the calls; it is taken as it stands", "calls", h.Calls)
	}
	r, err := l.journal.Reader(h.First - 1)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		e, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		again, err := l.again(&e)
		if err == nil && !again {
			err = errOtherwise
		}
		if err != nil && !l.older { // of older calls the record stands, whatever this game makes of it; the table is held
			return fmt.Errorf("entry %d (segment %d, line %d): %w%s", e.Seq, h.Segment, e.Seq-h.First+2, err, l.blame(h))
		}
	}
}

// recall hears again what devices said before the segment that h begins, and which holds the table still. What is no longer kept stays unsaid.
func (l *Live) recall(h journal.Header) {
	if len(h.Opening.Holds) == 0 {
		return
	}
	r, err := l.journal.Reader(h.Opening.Holds[0].Seq - 1)
	if err != nil {
		return
	}
	defer r.Close()
	for {
		e, err := r.Next()
		if err != nil || e.Seq >= h.First {
			return
		}
		l.state.hear(&e.Event)
	}
}

// errOtherwise is why a record cannot be gone on from whose calls are not made again.
var errOtherwise = errors.New("the game says something else of it than it did then")

// again steps the game by a recorded entry. It tells whether that calls what was recorded. A game that panics stays as it was.
func (l *Live) again(e *journal.Entry) (same bool, err error) {
	if err = l.step(e.Event); err != nil {
		l.calls, err = nil, fmt.Errorf("the game panics: %w", err)
	}
	var now journal.Entry
	encode(&now, l.calls)
	l.state.fold(e, l.calls)
	l.replayed = e.Event.Kind
	return bytes.Equal(now.Calls, e.Calls) && bytes.Equal(now.Floor, e.Floor) && bytes.Equal(now.Game, e.Game), err
}

// blame names a likely cause of a replay that differs.
func (l *Live) blame(h journal.Header) string {
	if h.Build == l.config.Build {
		return ""
	}
	return fmt.Sprintf("; it was recorded by version %s of the program, and this is %s", h.Build, l.config.Build)
}

// rotate begins a new segment of the record after an event that leaves little to be known of what was before: a shoe was filled, or a day
// begins at a table without one.
func (l *Live) rotate(after table.Kind) error {
	if after != table.NewShoe && !(l.config.NoShoe && after == table.TableOpen) {
		return nil
	}
	if !l.outdated && !l.older && !l.config.SegmentPerShoe && l.journal.Size() < segmentSize {
		return nil
	}
	h := l.state.header()
	h.Table, h.Game, h.Rules = l.config.Table, l.config.GameName, l.config.Rules
	h.Configuration, h.Build, h.Opening = l.config.Configuration, l.config.Build, l.game.Opening()
	if !reflect.DeepEqual(l.newGame(h.Opening).Layout(), l.game.Layout()) {
		l.log.Error("the table does not follow from its opening; the segment goes on", "seq", l.state.seq)
		return nil
	}
	if err := l.guarded(func() error { return l.journal.Rotate(h) }); err != nil {
		return err
	}
	if l.older = false; !l.outdated {
		return nil
	}
	l.outdated, l.newGame, l.game = false, l.config.New, l.config.New(h.Opening)
	l.log.Info("the table plays by its new configuration", "seq", l.state.seq)
	return nil
}
