package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var errDisk = errors.New("the disk fails")

// faulty is a disk whose k-th operation goes wrong in a way.
type faulty struct {
	k, n int
	fail func(do func() error) error
}

// one counts an operation, and lets it fail if it is its turn.
func (f *faulty) one(do func() error) error {
	f.n++
	if f.n == f.k {
		return f.fail(do)
	}
	return do()
}

func (f *faulty) disk(writes bool) Disk {
	d := RealDisk
	if writes {
		d.Write = func(file *os.File, p []byte) (n int, err error) {
			err = f.one(func() error { n, err = file.Write(p); return err })
			return n, err
		}
		return d
	}
	d.Sync = func(file *os.File) error { return f.one(file.Sync) }
	d.Rename = func(from, to string) error { return f.one(func() error { return os.Rename(from, to) }) }
	return d
}

// session writes a record of 12 entries in three segments on a disk and says which entries it was told are durable.
func session(t *testing.T, dir string, d Disk) (durable int64, err error) {
	j, _, err := d.Open(dir, want, Mark{})
	if err != nil {
		return 0, err
	}
	defer j.Close()
	for seq := int64(1); seq <= 12; seq++ {
		if seq == 5 || seq == 9 {
			if err := j.Rotate(want); err != nil {
				return durable, mustStayBroken(t, j, seq)
			}
		}
		if err := j.Append(varied(t, seq)); err != nil {
			return durable, mustStayBroken(t, j, seq)
		}
		durable = seq
		if j.Durable() != seq {
			t.Errorf("entry %d was appended and %d is durable", seq, j.Durable())
		}
	}
	return durable, nil
}

func mustStayBroken(t *testing.T, j *Journal, seq int64) error {
	t.Helper()
	before := j.Durable()
	if err := j.Append(varied(t, seq)); err == nil {
		t.Errorf("entry %d was appended after an error", seq)
	}
	if err := j.Rotate(want); err == nil {
		t.Errorf("a segment was begun after an error")
	}
	if j.Durable() != before {
		t.Error("a failed append became durable")
	}
	return errDisk
}

// Whatever fails, and whenever: what was said to be durable is there afterwards, at most one entry more is, and the record goes on.
func TestADiskThatFailsAtTheKthStep(t *testing.T) {
	ways := map[string]func(do func() error) error{
		"undone":  func(func() error) error { return errDisk },
		"done":    func(do func() error) error { do(); return errDisk }, // the step worked and its answer got lost
		"no room": func(func() error) error { return syscall.ENOSPC },
	}
	for way, fail := range ways {
		for _, writes := range []bool{true, false} {
			for k := 1; ; k++ {
				f := &faulty{k: k, fail: fail}
				name := fmt.Sprintf("%s, writes %v, k %d", way, writes, k)
				dir := filepath.Join(t.TempDir(), "record")
				durable, err := session(t, dir, f.disk(writes))
				if err == nil {
					if f.n < 12 {
						t.Fatalf("%s: only %d steps were counted", name, f.n)
					}
					break // k is beyond the last step
				}
				reopened(t, name, dir, durable)
			}
		}
	}
}

func reopened(t *testing.T, name, dir string, durable int64) {
	t.Helper()
	j, _, err := Open(dir, want, Mark{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer j.Close()
	if got := j.Durable(); got != durable && got != durable+1 {
		t.Fatalf("%s: %d entries, %d were durable", name, got, durable)
	}
	all := read(t, j, 0)
	for i := range all {
		if want := varied(t, all[i].Seq); !all[i].Event.Equal(want.Event) || int64(i+1) != all[i].Seq {
			t.Fatalf("%s: entry %d reads %v", name, i+1, all[i].Event)
		}
	}
	if len(all) != int(j.Durable()) {
		t.Fatalf("%s: %d entries read of %d", name, len(all), j.Durable())
	}
	if err := j.Append(varied(t, j.Durable()+1)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*"+unfinished)); len(left) > 0 {
		t.Fatalf("%s: %v was left", name, left)
	}
}

func TestAShortWriteIsAnErrorAndTorn(t *testing.T) {
	for _, answer := range []error{nil, syscall.ENOSPC} {
		dir := t.TempDir()
		n := 0
		d := RealDisk
		d.Write = func(f *os.File, p []byte) (int, error) {
			if n++; n == 4 { // header, reserve, one entry, then
				f.Write(p[:len(p)/2])
				return len(p) / 2, answer
			}
			return f.Write(p)
		}
		if durable, err := session(t, dir, d); durable != 1 || err == nil {
			t.Fatalf("%d durable, %v", durable, err)
		}
		j, r := mustOpen(t, dir)
		if r.Torn == nil || j.Durable() != 1 {
			t.Errorf("opened with torn %+v, %d durable", r.Torn, j.Durable())
		}
		j.Close()
	}
}

// A write that reports success and changes nothing (the file was replaced or cut by another hand) is found out.
func TestAWriteThatDoesNotGrowTheFileIsAnError(t *testing.T) {
	dir := t.TempDir()
	j, _ := mustOpen(t, dir)
	defer j.Close()
	if err := j.Append(varied(t, 1)); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, segmentName(1)), 100); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(varied(t, 2)); err == nil {
		t.Error("an append to a file that was cut worked")
	}
	if j.Durable() != 1 {
		t.Errorf("%d durable", j.Durable())
	}
}

// A crash while a torn tail is set aside must not cost it: the next start does it again.
func TestCuttingATornTailFails(t *testing.T) {
	for k := 1; k <= 5; k++ {
		dir := t.TempDir()
		record(t, dir, 3)
		path := filepath.Join(dir, segmentName(1))
		if err := appendTo(path, `{"seq":4,"t":`); err != nil {
			t.Fatal(err)
		}
		f := &faulty{k: k, fail: func(func() error) error { return errDisk }}
		if _, _, err := f.disk(false).Open(dir, want, Mark{}); err == nil {
			t.Fatalf("k %d: opened on a failing disk", k)
		}
		j, r := mustOpen(t, dir)
		torn, _ := filepath.Glob(path + ".torn-*")
		if j.Durable() != 3 || len(torn) == 0 || (r.Torn == nil) != (k > 2) {
			t.Errorf("k %d: %d durable, aside %v, torn %+v", k, j.Durable(), torn, r.Torn)
		}
		j.Close()
	}
}

// forgetful is a disk whose power can be cut: what was written and not synced is then gone. Of a sync that fails it keeps nothing, and takes all for clean, as
// Linux does.
type forgetful struct {
	t      *testing.T
	synced map[string][]byte     // by file
	dirty  map[string][][2]int64 // ranges written since
	fail   bool                  // the next sync of a file
}

func (f *forgetful) disk() Disk {
	d := RealDisk
	d.Write = func(file *os.File, p []byte) (int, error) {
		n, err := file.Write(p)
		end, _ := file.Seek(0, io.SeekCurrent)
		f.dirty[named(file)] = append(f.dirty[named(file)], [2]int64{end - int64(n), end})
		return n, err
	}
	d.Sync = func(file *os.File) error {
		name := named(file)
		ranges := f.dirty[name]
		delete(f.dirty, name)
		if f.fail && len(ranges) > 0 {
			f.fail = false
			return errDisk
		}
		now, err := os.ReadFile(name)
		if err != nil {
			now, _ = os.ReadFile(file.Name())
		}
		kept := f.synced[name]
		for _, r := range ranges {
			kept = append(kept, make([]byte, max(0, r[1]-int64(len(kept))))...)
			copy(kept[r[0]:r[1]], now[r[0]:r[1]])
		}
		f.synced[name] = kept
		return nil
	}
	return d
}

// named is the name that a file has when it is finished.
func named(f *os.File) string { return strings.TrimSuffix(f.Name(), unfinished) }

// cut leaves of a file what was synced.
func (f *forgetful) cut(path string) {
	if err := os.WriteFile(path, f.synced[path], 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// An entry whose fsync failed is found by the next start, in the kernel's memory. What is said to be durable behind it must not stand on sand: that start writes it
// anew, because its own fsync would have nothing to do.
func TestAnFsyncThatFailsAndThenSaysThatAllIsWell(t *testing.T) {
	dir := t.TempDir()
	f := &forgetful{t, map[string][]byte{}, map[string][][2]int64{}, false}
	j, _, err := f.disk().Open(dir, want, Mark{})
	for seq := int64(1); seq <= 3 && err == nil; seq++ {
		f.fail = seq == 3
		err = j.Append(varied(t, seq))
	}
	if !errors.Is(err, errDisk) {
		t.Fatal(err)
	}
	j.Close()
	if j, _, err = f.disk().Open(dir, want, Mark{}); err != nil || j.Durable() != 3 {
		t.Fatalf("%v; %d durable", err, j.Durable())
	}
	if err := j.Append(varied(t, 4)); err != nil {
		t.Fatal(err)
	}
	j.Close()
	f.cut(filepath.Join(dir, segmentName(1)))
	reopened(t, "after a power cut", dir, 4)
}
