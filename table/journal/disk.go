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

// removeUnfinished removes what a crash left of a segment's making. Nothing was ever appended to such a file.
func removeUnfinished(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*"+suffix+unfinished))
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}
	return nil
}

// disk is what can fail under a record. Tests replace its members by ones that do.
type disk struct {
	write  func(f *os.File, p []byte) (int, error)
	sync   func(f *os.File) error
	rename func(from, to string) error
	free   func(dir string) (int64, error)
}

var realDisk = disk{write: (*os.File).Write, sync: (*os.File).Sync, rename: os.Rename, free: free}

// append makes line the durable end of a file that is size bytes long. It looks whether the file grew by the line: a write may be
// short, and a file that another hand cut takes every write with good grace.
func (d disk) append(f *os.File, size int64, line []byte) error {
	if _, err := d.write(f, line); err != nil {
		return err
	}
	if err := d.sync(f); err != nil {
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
func (d disk) create(dir, name string, line []byte) (*os.File, error) {
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path+unfinished, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	err = d.append(f, 0, line)
	if err == nil {
		err = d.rename(path+unfinished, path)
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
func (d disk) syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return d.sync(f)
}

// cut copies everything from size on to a file beside, then takes it off.
func (d disk) cut(f *os.File, path string, size int64) (kept string, n int64, err error) {
	aside, err := newBeside(path)
	if err != nil {
		return "", 0, err
	}
	defer aside.Close()
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return "", 0, err
	}
	if n, err = io.Copy(aside, io.NewSectionReader(f, size, end-size)); err != nil {
		return "", 0, err
	}
	if err := d.sync(aside); err != nil {
		return "", 0, err
	}
	if err := d.syncDir(filepath.Dir(path)); err != nil {
		return "", 0, err
	}
	if err := f.Truncate(size); err != nil {
		return "", 0, err
	}
	return aside.Name(), n, d.sync(f)
}

// newBeside makes the first of NAME.torn-1, NAME.torn-2 … that does not exist.
func newBeside(path string) (*os.File, error) {
	for i := 1; ; i++ {
		f, err := os.OpenFile(fmt.Sprintf("%s.torn-%d", path, i), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}
