// Package live runs one table: it is the one loop between what happens and what is said of it.
//
// Everything that happens comes in by one of two queues: what devices report, which happened and is only recorded, and
// what people and game servers ask for, which the game may refuse. Devices go first, and both before a deadline that has passed meanwhile.
// The dealer's buttons are in both minds: their presses keep their place among the cards, and what they ask for may be refused.
// The loop takes one at a time: it stamps the event, steps the game, appends the entry to the record and waits until it is
// on disk. Only then does anybody hear of it: Show (lamps, lock, layout), Done (the shoe may forget the card), the command's reply. Permission waits for the
// disk; stopping does not: an append that takes longer than 250 ms calls Halt from beside the loop, and so does one that fails,
// which also ends the loop, because a table that cannot write must not deal.
//
// Time. Deadlines run in game time, which is monotonic, counted in whole microseconds, and stands still while the program is down. The
// wall clock is kept beside it as an offset that only two events change: `restart`, by how long the program was down, and
// `clock`, when somebody or a time server set the clock. A clock that jumps therefore never ends anybody's time to think.
//
// After a crash Open steps a new game through the last segment of the record and compares what it says with what the record
// says it said, byte for byte. Then it appends `restart`, and the table goes on where it was; held, if it has started so five times without getting anywhere.
package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/box"
	"sabot/table/journal"
)

// haltAfter is how long an append may take before the deal is stopped.
const haltAfter = 250 * time.Millisecond

// queueLen bounds each of the two queues. A device's reader waits when its queue is full; a command is answered BUSY.
const queueLen = 64

// Config is what a table is made of. All functions must be set and must not block.
type Config struct {
	Table, GameName, Rules string
	Configuration          json.RawMessage // everything the game is built from, for the record
	Build                  string          // the program's version
	Binary                 string          // the SHA-256 of its file, in hexadecimal; "" lets the record not say which program writes it

	New            func(table.Opening) table.Game // a fresh game; table.NewRound makes steps atomic
	NoShoe         bool                           // the game has none: a day is a segment, as far as it is long enough
	SegmentPerShoe bool                           // begin a segment with each shoe; else with the first after 1 MiB

	// Recorded makes what New makes for the configuration in a record's header. A changed configuration waits for the next segment:
	// until then the table plays by the one it was recorded with.
	Recorded func(configuration json.RawMessage) (func(table.Opening) table.Game, error)

	Heard journal.Mark // how far the record is known to have been heard

	Box  box.Box          // the dealer's buttons; the zero value has no say in decisions
	Beep func(table.Code) // hears, from the loop, that a press of them did nothing, and why; nil for nobody

	Show  func(table.Snapshot) // hears, from the loop, the state at the start, after each durable entry, and when the box has moved
	Halt  func()               // stops the deal at once: an append is late, or failed; see also Live.Halt. May come from beside the loop; the next Show is the end of it
	Beat  func()               // hears, from the loop, that it turns: at each thing that happens, and once a second while nothing does; nil for nobody
	Wrote func(time.Duration)  // hears, from the loop, how long an append took until it was durable; nil for nobody
	Log   *slog.Logger

	disk *journal.Disk    // under the record; tests put another than the machine's
	wall func() time.Time // the wall clock; tests set it
}

// files is the disk under the record.
func (c *Config) files() journal.Disk {
	if c.disk != nil {
		return *c.disk
	}
	return journal.RealDisk
}

// Input is something that a device reported.
type Input struct {
	Event  table.Event // unstamped
	Source shoe.Source
	Raw    []byte    // the device's bytes, for the record
	At     time.Time // when they arrived, with its monotonic reading; zero for now
	Done   func()    // called when the entry is durable: the device may forget it. May be nil

	press box.Press // by Press; else none
	halts int64     // the last call of Halt that a press settles
}

// RecordError says that a table cannot go on from its record as it is configured. A new start will not help.
type RecordError struct {
	error
	Foreign bool // the record is another table's
}

// Unwrap is what is wrong.
func (e *RecordError) Unwrap() error { return e.error }

// asked is a command in its queue.
type asked struct {
	table.Command
	reply func(table.Reply)
}

// Live is a running table.
type Live struct {
	config  Config
	journal *journal.Journal
	append  func(*journal.Entry) error // the journal's; tests put a failing disk here
	room    func() bool                // the journal's; tests fill the disk here
	halt    func()                     // the configuration's, once the table runs
	wall    func() time.Time           // the wall clock; tests set it
	log     *slog.Logger

	devices  chan Input
	commands chan asked
	anew     chan struct{} // the state is to be shown again
	ended    chan struct{} // closed when Run returns
	end      sync.Once

	base   time.Time     // when the program opened the record, monotonic
	baseAt time.Duration // the game time it was then

	newGame  func(table.Opening) table.Game // makes the game being played
	replayed table.Kind                     // the last event replayed
	outdated bool                           // it is not by the configuration of today, which waits for the next segment
	older    bool                           // nor were the segment's calls of the version of today, for which it waits, too

	game    table.Game
	calls   []table.Call
	expired time.Duration // the deadline that a timeout was recorded for
	clocked time.Duration // game time before which the wall clock is not looked at again
	told    time.Time     // when the record was told which program writes it
	state   *state

	box     box.Box
	beep    func(table.Code)
	shown   table.Snapshot // the last state shown
	pressed box.Button     // the last button that asked for something
	seen    time.Time      // and when what became of it was shown
	halts   atomic.Int64   // calls of Halt
	settled int64          // how many of them had their press
}

// Open opens the record in a directory, brings the table to where it stands there, and appends `restart` if it is not new.
// It fails for the reasons of journal.Open; when the record is of another table or game, or its calls are of a version still to come (*journal.VersionError); and when the game says
// anything else of a recorded event than it said then.
func Open(dir string, c Config) (*Live, error) {
	l := &Live{
		config: c, log: c.Log, box: c.Box, beep: c.Beep, wall: c.wall,
		devices: make(chan Input, queueLen), commands: make(chan asked, queueLen), anew: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	header := journal.Header{Table: c.Table, Game: c.GameName, Rules: c.Rules, Configuration: c.Configuration, Build: c.Build}
	j, restored, err := c.files().Open(dir, header, c.Heard)
	if err != nil {
		return nil, err
	}
	l.journal, l.append, l.room = j, j.Append, j.Room
	l.halt = func() {} // nobody deals yet
	if l.wall == nil {
		l.wall = func() time.Time { return time.Now().Round(0) }
	}
	if l.beep == nil {
		l.beep = func(table.Code) {}
	}
	if l.config.Beat == nil {
		l.config.Beat = func() {}
	}
	if l.config.Wrote == nil {
		l.config.Wrote = func(time.Duration) {}
	}
	if t := restored.Torn; t != nil {
		l.log.Warn("the record ended in an unfinished line; it was set aside", "file", t.File, "line", t.Line, "bytes", t.Bytes, "copy", t.Copy)
	}
	if err := l.resume(dir, restored); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// recorded makes what makes games by the configuration in a record's header.
func (c *Config) recorded(configuration json.RawMessage) (func(table.Opening) table.Game, error) {
	if bytes.Equal(configuration, c.Configuration) {
		return c.New, nil
	}
	return c.Recorded(configuration)
}

// Later says that a record, by its last segment's header, can only be gone on with by a later program than this one, which would not know how it stands: a *journal.VersionError.
func Later(file string, h journal.Header) error {
	if h.Calls <= table.CallsVersion {
		return nil
	}
	return &journal.VersionError{File: file, Line: 1, Build: h.Build, Why: fmt.Sprintf("the record's calls are of version %d, and this program knows them up to version %d", h.Calls, table.CallsVersion)}
}

// resume replays the last segment and records that the program started again.
func (l *Live) resume(dir string, r journal.Restored) error {
	h := r.Header
	if h.Table != l.config.Table || h.Game != l.config.GameName {
		return &RecordError{Foreign: true, error: fmt.Errorf("live: the record in %s is of table %s playing %s, not of %s playing %s; give each table a directory of its own", dir, h.Table, h.Game, l.config.Table, l.config.GameName)}
	}
	if err := Later(r.File, h); err != nil {
		return err
	}
	l.state = begin(h)
	var err error
	if l.newGame, err = l.config.recorded(h.Configuration); err != nil {
		return &RecordError{error: fmt.Errorf("live: the configuration in the record in %s: %w", dir, err)}
	}
	if l.outdated = !bytes.Equal(h.Configuration, l.config.Configuration); l.outdated {
		l.log.Warn("the configuration changed; the table plays by the recorded one until the next shoe", "record", h.Record)
	}
	l.older = h.Calls < table.CallsVersion
	l.game = l.newGame(h.Opening)
	l.recall(h)
	if err := l.replay(h); err != nil {
		return &RecordError{error: fmt.Errorf("live: replay of %s: %w", dir, err)}
	}
	l.base, l.baseAt = time.Now(), l.state.at
	down := max(l.wall().Sub(l.state.time), 0).Truncate(time.Millisecond)
	if l.state.seq == 0 {
		if err := l.born(h); err != nil {
			return err
		}
		if r.Begun || down <= clockStep { // by this program, or just now by who recovered it
			l.baseAt += down // its time began with its header, which a slow disk may have taken long over
			return l.tell()
		}
	}
	if err := l.rotate(l.replayed); err != nil { // killed before it could
		return err
	}
	l.log.Info("the table goes on", "record", h.Record, "seq", l.state.seq, "down", down)
	if err := l.record(table.Event{Kind: table.Started, N: int64(down)}, l.now(), journal.Source{}, nil); err != nil {
		return err
	}
	if err := l.doubt(h); err != nil {
		return err
	}
	return l.tell()
}

// Journal is the record, for those who follow it.
func (l *Live) Journal() *journal.Journal { return l.journal }

// Device hands in what a device reported. It waits while the queue is full, which its reader's own buffer bridges, and
// drops the input once Run has returned: a device that was not acknowledged sends again.
func (l *Live) Device(in Input) {
	select {
	case l.devices <- in:
	case <-l.ended:
	}
}

// Command hands in a command. It never waits: when the queue is full the reply is BUSY. reply is called once, from the
// loop or from here, and must not block. It is not called when the record fails over this command, because nobody then knows
// whether it stands; after the restart, the same id gets the answer.
func (l *Live) Command(c table.Command, reply func(table.Reply)) {
	select {
	case <-l.ended:
	default:
		select {
		case l.commands <- asked{c, reply}:
			return
		default:
		}
	}
	reply(table.Reply{ID: c.ID, Code: table.Busy})
}

// Refresh has the state shown again soon, to whoever adds to it what the record does not know. It never waits; any goroutine may call it.
func (l *Live) Refresh() {
	select {
	case l.anew <- struct{}{}:
	default:
	}
}

// Waiting is how much waits in the two queues: of what devices reported, and commands. Any goroutine may ask.
func (l *Live) Waiting() (devices, commands int) { return len(l.devices), len(l.commands) }

// Resume is the last sentence of a device that the record holds; zero for none. What the device sends again up to it is
// known. Any goroutine may ask.
func (l *Live) Resume(device string) shoe.Source {
	l.state.mu.Lock()
	defer l.state.mu.Unlock()
	return l.state.sources[device]
}

// Run runs the table until the context ends, and returns the context's error: what devices reported by then is recorded, and no command is taken any more. Or until the record cannot be written
// any more, and returns why. It may be called once.
func (l *Live) Run(ctx context.Context) error {
	defer l.finish()
	l.halt = l.config.Halt
	l.show()
	for {
		l.config.Beat()
		err := l.turn(ctx)
		if err == nil {
			continue
		}
		if !errors.Is(err, ctx.Err()) {
			l.halt()
		}
		return err
	}
}

// finish answers the commands that are left.
func (l *Live) finish() {
	l.end.Do(func() { close(l.ended) })
	for {
		select {
		case c := <-l.commands:
			c.reply(table.Reply{ID: c.ID, Code: table.Busy})
		default:
			return
		}
	}
}

// Close closes the record, after Run returned.
func (l *Live) Close() error { return l.journal.Close() }
