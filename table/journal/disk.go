package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

const (
	suffix     = ".journal"
	unfinished = ".tmp"
	tornSuffix = ".torn-"
)

func segmentName(n int) string { return fmt.Sprintf("%08d%s", n, suffix) }

// segments lists the numbers of a directory's segments, ascending. Other files are none of its business.
func segments(dir string) ([]int, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	var numbers []int
	for _, f := range files {
		n, err := strconv.Atoi(strings.TrimSuffix(f.Name(), suffix))
		if err == nil && n > 0 && f.Name() == segmentName(n) {
			numbers = append(numbers, n)
		}
	}
	sort.Ints(numbers)
	return numbers, nil
}

// Missing says which segment of a record is missing between others, nil when none is. The first ones may be, see [Journal.Prune]: each of them is gone for good
// before the next one is touched, so that no crash leaves a gap.
func Missing(dir string) error {
	numbers, err := segments(dir)
	if err != nil {
		return err
	}
	for i, n := range numbers {
		if i > 0 && n != numbers[i-1]+1 {
			return &CorruptError{File: filepath.Join(dir, segmentName(numbers[i-1]+1)), Why: "the segment is missing, and later ones are here" + Packed(dir, numbers[i-1]+1)}
		}
	}
	return nil
}

// Packed says which file beside the segments may hold one that is missing, because somebody packed or renamed it; "" for none. Number 0 is any segment.
func Packed(dir string, number int) string {
	pattern := "*" + suffix
	if number > 0 {
		pattern = segmentName(number)
	}
	files, _ := filepath.Glob(filepath.Join(dir, pattern+".*")) // the pattern is well formed, unless the folder's name is none
	for _, path := range files {
		if ext := filepath.Ext(path); ext != unfinished && !strings.HasPrefix(ext, tornSuffix) {
			return fmt.Sprintf("; %s may be it: unpack it, or give it its name back", filepath.Base(path))
		}
	}
	return ""
}

// removeUnfinished removes what a crash left of a segment's making. Nothing was ever appended to such a file.
func (d Disk) removeUnfinished(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*"+suffix+unfinished))
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	for _, name := range names {
		if err := d.Remove(name); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}
	return nil
}

// Disk is what changes the files under a record, and so all that can fail there or be lost with the power. Reading goes past it. Tests
// replace its members.
type Disk struct {
	Write    func(f *os.File, p []byte) (int, error) // where the file stands; at its end if it was opened to append
	Sync     func(f *os.File) error                  // what was written, or the names in a folder
	Truncate func(f *os.File, size int64) error
	Rename   func(from, to string) error
	Remove   func(name string) error
	Free     func(dir string) (int64, error) // bytes left for us
}

// RealDisk is the machine's.
var RealDisk = Disk{
	Write: (*os.File).Write, Sync: (*os.File).Sync, Truncate: (*os.File).Truncate, Rename: os.Rename, Remove: os.Remove, Free: free,
}

// writer writes a file on a disk.
type writer struct {
	disk Disk
	file *os.File
}

// Write writes as the disk does.
func (w writer) Write(p []byte) (int, error) { return w.disk.Write(w.file, p) }

// rewrite writes a part of a file once more as it is, and makes it durable. When an fsync fails a kernel takes what it could not write for
// clean, shows it out of its memory, and has nothing to do at the next fsync, which says that all is well. What was made dirty anew it writes.
func (d Disk) rewrite(f *os.File, from, to int64) error {
	part := make([]byte, to-from)
	if _, err := f.ReadAt(part, from); err != nil {
		return err
	}
	w, err := os.OpenFile(f.Name(), os.O_WRONLY, 0) // f writes at its end only
	if err != nil {
		return err
	}
	defer w.Close()
	if _, err := w.Seek(from, io.SeekStart); err != nil {
		return err
	}
	if _, err := d.Write(w, part); err != nil {
		return err
	}
	return d.Sync(w)
}

// append makes line the durable end of a file that is size bytes long. It looks whether the file grew by the line: a write may be
// short, and a file that somebody else has cut shorter takes every write without an error.
func (d Disk) append(f *os.File, size int64, line []byte) error {
	if _, err := d.Write(f, line); err != nil {
		return err
	}
	if err := d.Sync(f); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if want := size + int64(len(line)); info.Size() != want {
		return fmt.Errorf("%s is %d bytes long, not %d", f.Name(), info.Size(), want)
	}
	return nil
}

// create makes a durable file of one line. It has its name only when the line is in it.
func (d Disk) create(dir, name string, line []byte) (*os.File, error) {
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path+unfinished, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	err = d.append(f, 0, line)
	if err == nil {
		err = d.Rename(path+unfinished, path)
	}
	if err == nil {
		err = d.syncDir(dir)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// syncDir makes the names in a directory durable.
func (d Disk) syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return d.Sync(f)
}

// cut copies everything from size on to a file beside, then takes it off.
func (d Disk) cut(f *os.File, path string, size int64) (kept string, n int64, err error) {
	aside, err := newBeside(path)
	if err != nil {
		return "", 0, err
	}
	defer aside.Close()
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return "", 0, err
	}
	if n, err = io.Copy(writer{d, aside}, io.NewSectionReader(f, size, end-size)); err != nil {
		return "", 0, err
	}
	if err := d.Sync(aside); err != nil {
		return "", 0, err
	}
	if err := d.syncDir(filepath.Dir(path)); err != nil {
		return "", 0, err
	}
	if err := d.Truncate(f, size); err != nil {
		return "", 0, err
	}
	return aside.Name(), n, d.Sync(f)
}

// newBeside makes the first of NAME.torn-1, NAME.torn-2 … that does not exist.
func newBeside(path string) (*os.File, error) {
	for i := 1; ; i++ {
		f, err := os.OpenFile(fmt.Sprint(path, tornSuffix, i), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}
