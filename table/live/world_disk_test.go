package live

import (
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"sabot/table/journal"
)

const (
	sector = 512  // is written whole, or not at all, or to a point
	page   = 4096 // may be zeros where nothing was before
)

// drive is a disk that remembers what would be left of it if the power failed now. The files it stands for are real, and show what a running system shows of them:
// all that was written. What is durable is kept beside, and what was written since; a cut leaves any part of that.
type drive struct {
	mu      sync.Mutex
	root    string
	files   map[int]*content          // by a number that is never used again
	names   map[string]map[string]int // what is durable of each folder
	changes []change                  // of names, not durable yet
	size    int64                     // bytes; 0 without end
	waits   bool                      // an entry is written slowly
	steps   int                       // taken
	ill     int                       // of them before all was well
	faults  int                       // ever
	failed  int                       // steps, of this process
	life    int                       // of so many processes it was the disk
	dead    bool                      // no step is taken any more: the process is gone
	made    int                       // the last number given
	ids     map[uint64]int            // the numbers of the inodes there are
	armed   map[string]int            // what goes wrong, and at which step from now, 1 being the next
	lies    int                       // so many syncs are lies
	lied    bool                      // a cut has lost something that was said to be durable
	did     func(fault string)
}

// content is a file's.
type content struct {
	name    string // at first
	durable []byte
	pending []patch
	lied    bool // a sync of what is pending was a lie
	gone    bool // and then it was not even pending
}

// patch is a write, or a truncation where data is nil.
type patch struct {
	off  int64
	data []byte
}

// change gives a file a name in a folder, and takes one from it.
type change struct {
	to, name  string
	from, old string // "" for none
	file      int    // 0: only takes one away
	lied      bool
}

var (
	errPower = errors.New("the power is gone")
	errIO    = errors.New("the disk fails")
)

func newDrive(root string, did func(string)) *drive {
	return &drive{root: root, files: map[int]*content{}, names: map[string]map[string]int{}, ids: map[uint64]int{}, armed: map[string]int{}, did: did}
}

// disk is the drive as the program sees it that lives now.
func (d *drive) disk() *journal.Disk {
	d.mu.Lock()
	life := d.life
	d.mu.Unlock()
	living := func(do func() error) error {
		d.mu.Lock()
		alive := d.life == life
		d.mu.Unlock()
		if !alive {
			return errPower
		}
		return do()
	}
	return &journal.Disk{
		Write: func(f *os.File, p []byte) (n int, err error) {
			err = living(func() error { n, err = d.write(f, p); return err })
			return n, err
		},
		Sync:     func(f *os.File) error { return living(func() error { return d.sync(f) }) },
		Truncate: func(f *os.File, size int64) error { return living(func() error { return d.truncate(f, size) }) },
		Rename:   func(from, to string) error { return living(func() error { return d.rename(from, to) }) },
		Remove:   func(name string) error { return living(func() error { return d.remove(name) }) },
		Free:     d.free,
	}
}

// arm lets a step go wrong.
func (d *drive) arm(fault string, in int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed[fault] = in
}

// fails says whether a fault's moment has come. The publisher's cursor has faults of its own: when it is written is no matter of the world's.
func (d *drive) fails(name, fault string) bool {
	if isCursor(name) {
		fault = "cursor: " + fault
	}
	n := d.armed[fault]
	if n == 0 {
		return false
	}
	if d.armed[fault]--; n > 1 {
		return false
	}
	delete(d.armed, fault)
	d.failed++
	d.faults++
	d.did("disk: " + fault)
	return true
}

func isCursor(name string) bool { return strings.HasPrefix(filepath.Base(name), "cursor") }

// step begins a step, which the power may not outlast.
func (d *drive) step(name string) error {
	if !isCursor(name) {
		d.steps++
	}
	if !d.dead && d.fails(name, "cut") {
		d.dead = true
	}
	if d.dead {
		return errPower
	}
	return nil
}

func (d *drive) write(f *os.File, p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return 0, errPower
	}
	c := d.file(f)
	off := d.position(f)
	if off == 0 && c.begun() { // it was opened to be written anew
		c.pending = append(c.pending, patch{})
	}
	switch err := d.step(f.Name()); {
	case err != nil: // the power goes while it is written
		c.pending = append(c.pending, patch{off, slices.Clone(p)})
		return 0, err
	case d.fails(f.Name(), "write"):
		n := d.put(f, c, off, p[:len(p)/2])
		return n, errIO
	}
	if room := d.size - d.used(); d.size > 0 && room < int64(len(p)) {
		d.did("disk: full")
		d.failed++
		d.faults++
		return d.put(f, c, off, p[:max(room, 0)]), syscall.ENOSPC
	}
	return d.put(f, c, off, p), nil
}

// begun says that there was something in a file.
func (c *content) begun() bool { return len(c.durable) > 0 || len(c.pending) > 0 }

// put writes, for all to see.
func (d *drive) put(f *os.File, c *content, off int64, p []byte) int {
	n, err := f.Write(p)
	if err != nil {
		panic(err)
	}
	c.pending = append(c.pending, patch{off, slices.Clone(p)})
	return n
}

// position is where a write goes.
func (d *drive) position(f *os.File) int64 {
	flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), syscall.F_GETFL, 0)
	whence := io.SeekCurrent
	if flags&syscall.O_APPEND != 0 {
		whence = io.SeekEnd
	}
	off, err := f.Seek(0, whence)
	if err != nil {
		panic(err)
	}
	return off
}

func (d *drive) sync(f *os.File) error {
	d.mu.Lock()
	if strings.Contains(f.Name(), ".journal") && d.fails(f.Name(), "slow") {
		d.failed--
		d.waits = true
		d.mu.Unlock()
		time.Sleep(2 * time.Second)
		d.mu.Lock()
		d.waits = false
	}
	defer d.mu.Unlock()
	if err := d.step(f.Name()); err != nil {
		return err
	}
	if isFolder(f) {
		return d.syncNames(f.Name())
	}
	c := d.file(f)
	switch {
	case d.fails(f.Name(), "sync"): // what it could not write it takes for clean, and only shows it. A length is no data: a file system that fails over one goes no further
		c.gone = c.gone || c.lied
		c.pending = slices.DeleteFunc(c.pending, func(p patch) bool { return p.data != nil })
		return errIO
	case d.lies > 0 && !isCursor(f.Name()):
		d.lies--
		d.did("disk: lie")
		c.lied = true
		return nil
	}
	for _, p := range c.pending {
		c.durable = p.onto(c.durable)
	}
	c.pending, c.lied = nil, false
	return nil
}

func isFolder(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.IsDir()
}

// onto is the whole patch applied.
func (p patch) onto(b []byte) []byte {
	if p.data == nil {
		return b[:min(p.off, int64(len(b)))]
	}
	if grow := p.off + int64(len(p.data)) - int64(len(b)); grow > 0 {
		b = append(b, make([]byte, grow)...)
	}
	copy(b[p.off:], p.data)
	return b
}

// syncNames makes a folder's names durable, and with them those that a rename took from another.
func (d *drive) syncNames(folder string) error {
	if !strings.HasPrefix(folder, d.root) {
		return nil
	}
	d.notice(folder)
	if d.lies > 0 {
		d.lies--
		d.did("disk: lie")
		for i := range d.changes {
			d.changes[i].lied = true
		}
		return nil
	}
	d.changes = slices.DeleteFunc(d.changes, func(c change) bool {
		mine := c.to == folder || c.from == folder
		if mine {
			d.apply(c)
		}
		return mine
	})
	return nil
}

func (d *drive) apply(c change) {
	for _, folder := range []string{c.from, c.to} {
		if folder != "" && d.names[folder] == nil {
			d.names[folder] = map[string]int{}
		}
	}
	if c.from != "" {
		delete(d.names[c.from], c.old)
	}
	if c.file != 0 {
		d.names[c.to][c.name] = c.file
	}
}

// notice finds files that were made without a word: they have a name that is not durable.
func (d *drive) notice(folder string) {
	list, err := os.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil || e.IsDir() || d.ids[inode(info)] != 0 || e.Name() == "lock" {
			continue
		}
		d.made++
		d.ids[inode(info)], d.files[d.made] = d.made, &content{name: e.Name()}
		d.changes = append(d.changes, change{to: folder, name: e.Name(), file: d.made})
	}
}

func inode(info fs.FileInfo) uint64 { return info.Sys().(*syscall.Stat_t).Ino }

// file is what is known of a file; of one that was just made, nothing is durable.
func (d *drive) file(f *os.File) *content {
	info, err := f.Stat()
	if err != nil {
		panic(err)
	}
	if d.ids[inode(info)] == 0 {
		d.notice(filepath.Dir(f.Name()))
	}
	return d.files[d.ids[inode(info)]]
}

func (d *drive) truncate(f *os.File, size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step(f.Name()); err != nil {
		return err
	}
	c := d.file(f)
	c.pending = append(c.pending, patch{off: size})
	return f.Truncate(size)
}

func (d *drive) rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step(to); err != nil {
		return err
	}
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if info.IsDir() { // takes its names along; as durable as the folder it stands in
		d.moveFolder(from, to)
		return os.Rename(from, to)
	}
	d.notice(filepath.Dir(from))
	d.forget(to)
	d.changes = append(d.changes, change{to: filepath.Dir(to), name: filepath.Base(to), from: filepath.Dir(from), old: filepath.Base(from), file: d.ids[inode(info)]})
	return os.Rename(from, to)
}

// forget frees the inode of a file that is about to lose its name.
func (d *drive) forget(name string) {
	if info, err := os.Lstat(name); err == nil {
		delete(d.ids, inode(info))
	}
}

func (d *drive) moveFolder(from, to string) {
	d.names[to] = d.names[from]
	delete(d.names, from)
	for i := range d.changes {
		c := &d.changes[i]
		if c.to == from {
			c.to = to
		}
		if c.from == from {
			c.from = to
		}
	}
}

func (d *drive) remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step(name); err != nil {
		return err
	}
	if _, err := os.Lstat(name); err != nil {
		return err
	}
	d.notice(filepath.Dir(name))
	d.forget(name)
	d.changes = append(d.changes, change{from: filepath.Dir(name), old: filepath.Base(name)})
	return os.Remove(name)
}

func (d *drive) free(string) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.size == 0 {
		return 1 << 40, nil
	}
	return max(d.size-d.used(), 0), nil
}

// used is what the files hold.
func (d *drive) used() (n int64) {
	filepath.WalkDir(d.root, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || isCursor(e.Name()) {
			return err
		}
		info, err := e.Info()
		n += info.Size()
		return err
	})
	return n
}

// fill leaves so many bytes; 0 makes room.
func (d *drive) fill(left int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.size = 0
	if left > 0 {
		d.size = d.used() + left
	}
}

// die ends all steps of the process that has the disk, and revive lets another one begin.
func (d *drive) die() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
}

func (d *drive) revive() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.life++
	d.dead = false
	clear(d.armed)
}

// hurt is how many steps ever failed.
func (d *drive) hurt() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.faults
}

// failures is how many steps failed since it was last asked.
func (d *drive) failures() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.failed
	d.failed = 0
	return n
}

// isDead says that the power went.
func (d *drive) isDead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

// durable says whether the folder's files durably hold these bytes.
func (d *drive) durable(holds func(file []byte) bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, number := range d.names[d.root] {
		if c := d.files[number]; c != nil && holds(c.durable) {
			return true
		}
	}
	return false
}

// cut is a power cut: what was not durable is there in part, as the dice have it, in the place of all that was.
func (d *drive) cut(seed uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notice(d.root)
	lost := map[bool]bool{}
	for _, c := range d.changes {
		dice, cursor := diceFor(seed, c.name+c.old), isCursor(c.name+c.old)
		lost[cursor] = lost[cursor] && seed%2 == 0 || dice.IntN(2) == 0 // what is forgotten in order takes all behind it along
		if !lost[cursor] {
			d.apply(c)
		}
		d.lied = d.lied || lost[cursor] && c.lied
	}
	d.changes = nil
	for _, c := range d.files {
		dice := diceFor(seed, c.name)
		for _, p := range c.pending {
			c.durable = p.partly(c.durable, dice)
		}
		d.lied = d.lied || c.gone || c.lied && len(c.pending) > 0
		c.pending, c.lied, c.gone = nil, false, false
	}
	d.restore()
}

// diceFor are dice for a file: what becomes of one does not hang on another.
func diceFor(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// partly is the patch as far as the disk got with it: sectors in any order, one of them torn, pages of zeros, the length before or after.
func (p patch) partly(b []byte, dice *rand.Rand) []byte {
	if p.data == nil {
		if dice.IntN(2) == 0 {
			return b
		}
		return p.onto(b)
	}
	had := int64(len(b))
	all := p.onto(slices.Clone(b))
	end := max(had, p.off+dice.Int64N(int64(len(p.data))+1))
	switch dice.IntN(4) {
	case 0:
		end = had
	case 1:
		end = int64(len(all))
	}
	now := append(slices.Clone(b), make([]byte, max(end-had, 0))...)
	kept := dice.IntN(4) // of four sectors so many reach the disk, and one to a point
	for at := p.off / sector * sector; at < end; at += sector {
		upto := min(at+sector, end, int64(len(all)))
		if at >= upto {
			break
		}
		switch {
		case dice.IntN(4) <= kept:
			copy(now[at:upto], all[at:upto])
		case dice.IntN(3) == 0:
			torn := at + dice.Int64N(upto-at)
			copy(now[at:torn], all[at:torn])
		}
	}
	if dice.IntN(6) == 0 { // a page that was never there before
		at := (max(had, p.off) + page - 1) / page * page
		if at < end {
			clear(now[at:min(at+page, end)])
		}
	}
	return now
}

// restore makes the files what is durable.
func (d *drive) restore() {
	entries, err := os.ReadDir(d.root)
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		os.RemoveAll(filepath.Join(d.root, e.Name()))
	}
	files := map[int]*content{}
	clear(d.ids)
	for folder, list := range d.names {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			panic(err)
		}
		for name, number := range list {
			c := d.files[number]
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, c.durable, 0o600); err != nil {
				panic(err)
			}
			info, err := os.Lstat(path)
			if err != nil {
				panic(err)
			}
			files[number], d.ids[inode(info)] = c, number
		}
	}
	d.files = files
}

// lie lets so many syncs do nothing and say that they have.
func (d *drive) lie(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lies = n
}

// mayLie says that this world's disk may.
func (d *drive) mayLie(seed uint64) bool { return seed%4 == 0 }

// lying says that something is not durable that was said to be.
func (d *drive) lying() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lied {
		return true
	}
	for _, c := range d.files {
		if c.lied || c.gone {
			return true
		}
	}
	return slices.ContainsFunc(d.changes, func(c change) bool { return c.lied })
}

// tight says that there is little room.
func (d *drive) tight() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.size > 0
}

// heal lets everything go well from now on.
func (d *drive) heal() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.armed)
	d.size, d.lies, d.ill = 0, 0, d.steps
}

// slow says that an entry is written slowly.
func (d *drive) slow() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waits
}
