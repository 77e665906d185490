// Package journal is a table's record: every event, in order, with what was said of it, in files that show when they
// were touched.
//
// An [Entry] is one line: a JSON object, a space and the SHA-256, in hexadecimal, of the previous line's hash followed by the
// object's bytes. A hash therefore stands for all that came before it, so that a line removed, moved, doubled or
// edited shows. Lines are written in segments, 00000001.journal and so on, each begun by a [Header] that holds everything
// needed to go on without the segment before it: opening state, configuration, and the last segment's hash, from which the
// chain continues.
//
// An append is durable when [Journal.Append] returns: written, and fsynced. Whatever follows from an event
// (an acknowledgement, a lamp, a message) may happen only then. The record is its own outbox: a [Reader] follows it up to
// the last durable entry, never to the end of the file, because what stands there may not survive a power cut.
//
// A power cut leaves at most one line unfinished. Such a torn tail is copied aside and cut when the record is opened, and said so.
// Anything else that does not verify is a [CorruptError], and nothing is repaired: who does not understand
// the damage must not decide what a table dealt. For the same reason the first failed write is the last: what a file holds after a failed fsync
// cannot be known, only read again by a fresh start. A line that continues the chain and says what this program does not understand is no damage: another version of
// the program wrote it, see [VersionError], and it stays.
//
// Open verifies the last segment, that it continues the one before it, and that no file is missing between those that are kept, and no more: that is all the table stands on,
// because a header is the complete state, and a start must not take longer with the years. Whoever reads an older segment verifies it then, and the whole record is for `sabot verify`, beside
// the running table.
//
// A record that cannot be continued is set aside untouched by [Renew], and another, its child, is begun in its place. What is no longer wanted of an old one
// [Journal.Prune] removes from its beginning. A full disk frees a reserve, see [Journal.Room].
//
// Hashes show what was changed to those who know what they were. Whoever can write the files can also write them anew, with hashes that agree. So an [Anchor] is
// published at each round's end, and what it vouches for is claimed only to those who kept it.
//
// The record is private. It names face-down cards; no line of it may be logged or published as it is, nor its hash, from which a
// card could be guessed.
package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"sabot/table"
)

// Journal is an open record. One goroutine appends; any may follow.
type Journal struct {
	dir    string
	disk   Disk
	lock   *os.File
	heard  Mark
	file   *os.File // the last segment
	size   int64    // its length
	record string   // never changes once it is open
	header Header
	chain  chain
	line   []byte // the last line, for its memory
	err    error  // why no entry can be appended any more

	reserved bool            // the reserve is held
	opened   map[int]opening // Prune's, by segment

	durable   atomic.Int64
	mu        sync.Mutex
	followers []chan struct{}
	recent    [recentLen]recent // by seq
}

// Restored is what Open found. The last segment's entries are read by Reader(Header.First - 1).
type Restored struct {
	File   string // the last segment
	Header Header // its header
	Begun  bool   // there was no record, and this one was begun
	Torn   *Torn  // the tail that was cut, nil for none
}

// Torn is an unfinished line at the record's end, cut when it was opened.
type Torn struct {
	File  string // the segment
	Line  int    // the line's number in it, the header being 1
	Bytes int64  // how many were cut
	Copy  string // the file that keeps them
}

// Mark is how far a record is known to have been heard by others. A record that ends before it lost entries that were said: its
// numbers must not be used again for something else.
type Mark struct {
	Record string // "" when nobody is known to have heard anything
	Seq    int64
}

// CorruptError says that a record is damaged in a way that no power cut explains. It was left as it is.
type CorruptError struct {
	File string
	Line int // the header being 1; 0 for the file as a whole
	Why  string
}

// Error names the file and the line.
func (e *CorruptError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("journal: %s: %s", e.File, e.Why)
	}
	return fmt.Sprintf("journal: %s:%d: %s", e.File, e.Line, e.Why)
}

// VersionError says that a part of a record is as somebody wrote it, and that this program does not understand it: another version of the
// program did. Nothing is wrong with the record, and nothing of it is cut or set aside.
type VersionError struct {
	File  string
	Line  int    // the header being 1
	Build string // the version that wrote it, "" where the record does not say
	Why   string
}

// Error names the file, the line, and the program.
func (e *VersionError) Error() string {
	who := "another version of the program"
	if e.Build != "" {
		who = "version " + e.Build + " of the program"
	}
	return fmt.Sprintf("journal: %s:%d: %s; %s wrote it: use that one, or a newer one", e.File, e.Line, e.Why, who)
}

// Open opens the record in a directory, or begins one whose first header says what want says of the table. It
// refuses a record that another program has open, one that is damaged, one that ends before what was heard of it (*CorruptError), and one that another version of the program wrote (*VersionError).
func Open(dir string, want Header, heard Mark) (*Journal, Restored, error) {
	return RealDisk.Open(dir, want, heard)
}

// Open is [Open] on this disk.
func (d Disk) Open(dir string, want Header, heard Mark) (*Journal, Restored, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, Restored{}, fmt.Errorf("journal: %w", err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, Restored{}, err
	}
	j := &Journal{dir: dir, disk: d, lock: lock, heard: heard}
	restored, err := j.restore(want)
	if err != nil {
		j.release(err)
		j.Close()
		return nil, Restored{}, err
	}
	j.record = restored.Header.Record
	j.durable.Store(j.chain.seq)
	_ = j.hold() // without it there is no Room
	return j, restored, nil
}

const lockName = "lock"

// ErrBusy is why a record cannot be opened that another program has open.
var ErrBusy = errors.New("another program is writing the record")

// Busy says whether a program has the record in a directory open for writing.
func Busy(dir string) bool {
	f, err := os.Open(filepath.Join(dir, lockName))
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// lockDir keeps a second program away for as long as the file it returns is open.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("journal: %w in %s; one table has one daemon", ErrBusy, dir)
	}
	return nil, fmt.Errorf("journal: lock %s: %w", dir, err)
}

// restore finds the record's end, or begins it.
func (j *Journal) restore(want Header) (Restored, error) {
	if err := Unfinished(j.dir); err != nil {
		return Restored{}, err
	}
	if err := j.disk.removeUnfinished(j.dir); err != nil {
		return Restored{}, err
	}
	if err := Missing(j.dir); err != nil {
		return Restored{}, err
	}
	numbers, err := segments(j.dir)
	if err != nil {
		return Restored{}, err
	}
	if len(numbers) == 0 {
		if j.heard.Record != "" {
			return Restored{}, &CorruptError{File: j.dir, Why: fmt.Sprintf("there is no record, and entries up to %d of the record %s were heard", j.heard.Seq, j.heard.Record)}
		}
		err := j.start(want)
		return Restored{File: filepath.Join(j.dir, segmentName(1)), Header: j.header, Begun: true}, err
	}
	torn, err := j.reopen(numbers[len(numbers)-1])
	return Restored{File: filepath.Join(j.dir, segmentName(j.header.Segment)), Header: j.header, Torn: torn}, err
}

// start begins a record.
func (j *Journal) start(h Header) error {
	h.Record, h.Start = nonce(), time.Now().UTC().Truncate(time.Microsecond)
	h.Segment, h.First, h.Last = 0, 1, firstHash
	if err := j.disk.syncDir(filepath.Dir(j.dir)); err != nil { // the directory itself may be new
		return fmt.Errorf("journal: %w", err)
	}
	return j.begin(h)
}

// nonce is 128 random bits.
func nonce() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Record is the record's name: 32 hexadecimal digits, chosen at random when it was begun.
func (j *Journal) Record() string { return j.record }

// Append writes an entry and returns when it is durable. It gives the entry its Time. The first error is
// final: every later Append returns it, too.
func (j *Journal) Append(e *Entry) error {
	if j.err != nil {
		return j.err
	}
	next := j.chain
	line, err := next.seal(j.line[:0], e)
	if err == nil {
		err = j.disk.append(j.file, j.size, line)
	}
	if err != nil {
		j.release(err)
		j.err = fmt.Errorf("journal: append entry %d: %w", e.Seq, err)
		return j.err
	}
	j.chain, j.line = next, line
	j.size += int64(len(line))
	j.remember(e, len(line))
	j.durable.Store(e.Seq)
	j.wake()
	return nil
}

// Rotate begins the next segment. The header says what the table is now; what says where the record stands
// (record, segment, clock, hash) is filled in. An error is final, as in Append.
func (j *Journal) Rotate(h Header) error {
	if j.err != nil {
		return j.err
	}
	h.Record, h.Start, h.Segment, h.Parent = j.header.Record, j.header.Start, j.header.Segment, j.header.Parent
	h.First, h.At, h.Offset = j.chain.seq+1, j.chain.at, j.chain.offset
	h.Last = hex.EncodeToString(j.chain.hash[:])
	if err := j.begin(h); err != nil {
		j.release(err)
		j.err = err
		return err
	}
	return nil
}

// begin makes the segment after h.Segment and appends to it from now on.
func (j *Journal) begin(h Header) error {
	h.Format, h.Calls, h.Salt = Format, table.CallsVersion, nonce()
	h.Segment++
	line, c, err := h.seal()
	if err != nil {
		return err
	}
	f, err := j.disk.create(j.dir, segmentName(h.Segment), line)
	if err != nil {
		return fmt.Errorf("journal: begin segment %d: %w", h.Segment, err)
	}
	if j.file != nil {
		j.file.Close()
	}
	j.file, j.size, j.header, j.chain = f, int64(len(line)), h, c
	return nil
}

// Durable is the number of the last durable entry, 0 when there is none. Any goroutine may ask.
func (j *Journal) Durable() int64 { return j.durable.Load() }

// Size is the length of the last segment in bytes. Only the goroutine that appends may ask.
func (j *Journal) Size() int64 { return j.size }

// Changed makes a channel on which a follower receives after Durable moved, any number of moves as one. Each follower
// asks once and keeps its channel; it is never closed.
func (j *Journal) Changed() <-chan struct{} {
	c := make(chan struct{}, 1)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.followers = append(j.followers, c)
	return c
}

func (j *Journal) wake() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, c := range j.followers {
		select {
		case c <- struct{}{}:
		default: // it has not yet looked after the move before
		}
	}
}

// Close ends the writing and lets another program open the record. Readers may go on.
func (j *Journal) Close() error {
	if j.err == nil {
		j.err = errors.New("journal: the record is closed")
	}
	if j.file != nil {
		j.file.Close()
	}
	if err := j.lock.Close(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}
