package journal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// parented is a child's header as a table would make it, of what lies in the folder.
func parented(t *testing.T, wantFiles int) func(string) (Header, error) {
	return func(old string) (Header, error) {
		files, err := os.ReadDir(old)
		if err != nil || len(files) != wantFiles {
			t.Errorf("%d files in %s, %v", len(files), old, err)
		}
		h := want
		h.Parent = &Parent{Record: "x", Seq: 7, By: "S-1", Because: "a test"}
		return h, nil
	}
}

// fileContents are all files below a folder, without the lock and the reserve.
func fileContents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.IsDir() || slices.Contains(stays, f.Name()) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name()] = string(b)
	}
	return all
}

// Whenever setting a record aside is cut short: the next start refuses to go on with what lies there, the next try ends it, no byte of the old record is
// lost or changed, and there is one child.
func TestSettingAsideIsCutShortAtEveryStep(t *testing.T) {
	for _, done := range []bool{false, true} {
		steps := 0
		for k := 1; ; k++ {
			dir := filepath.Join(t.TempDir(), "record")
			record(t, dir, 6, 3, 5)
			os.WriteFile(filepath.Join(dir, "cursor"), []byte("{}"), 0o600)
			os.WriteFile(filepath.Join(dir, "00000002.journal.torn-1"), []byte("x"), 0o600)
			old := fileContents(t, dir)
			f := &faulty{k: k, fail: func(do func() error) error {
				if done {
					do()
				}
				return errDisk
			}}
			_, err := renew(dir, parented(t, len(old)), f.disk(false))
			if err == nil {
				steps = f.n
				break // k is beyond the last step
			}
			j, _, err := Open(dir, want, Mark{})
			if err == nil { // only the last steps leave a child behind that is whole
				if j.header.Parent == nil && j.Durable() != 6 {
					t.Fatalf("step %d (done %v): a record without a parent was opened: %+v", k, done, j.header)
				}
				untouched := j.header.Parent == nil
				j.Close()
				if !untouched {
					continue
				}
			}
			h, err := RealDisk.Renew(dir, parented(t, len(old)))
			if err != nil {
				t.Fatalf("step %d (done %v): again: %v", k, done, err)
			}
			if got := fileContents(t, filepath.Join(dir, h.Parent.Aside)); !equalFiles(got, old) {
				t.Fatalf("step %d (done %v): %d files lie aside, of %d", k, done, len(got), len(old))
			}
			if left := fileContents(t, dir); len(left) != 1 || left[segmentName(1)] == "" {
				t.Fatalf("step %d (done %v): %d files are left", k, done, len(left))
			}
			if j, r := mustOpen(t, dir); r.Header.Parent == nil || r.Header.Parent.Aside != "aside-1" || r.Header.Record != h.Record {
				t.Fatalf("step %d (done %v): opened as %+v", k, done, r.Header)
			} else {
				j.Close()
			}
		}
		if steps < 8 {
			t.Errorf("only %d steps", steps)
		}
	}
}

func equalFiles(a, b map[string]string) bool {
	for name := range b {
		if a[name] != b[name] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestAHalfSetAsideRecordIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 2)
	if err := os.Mkdir(filepath.Join(dir, "aside-3"+begun), 0o700); err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	if _, _, err := Open(dir, want, Mark{}); !errors.As(err, &corrupt) {
		t.Errorf("opened: %v", err)
	}
}

func TestARecordInUseIsNotSetAside(t *testing.T) {
	dir := t.TempDir()
	j, _ := mustOpen(t, dir)
	defer j.Close()
	if _, err := RealDisk.Renew(dir, parented(t, 0)); err == nil {
		t.Error("it was set aside under a running table")
	}
}

// Every later segment names the parent, too, so that a record without its first segments is still known for a child.
func TestEverySegmentOfAChildNamesItsParent(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 2)
	if _, err := RealDisk.Renew(dir, parented(t, 1)); err != nil {
		t.Fatal(err)
	}
	record(t, dir, 4, 3)
	j, r := mustOpen(t, dir)
	j.Close()
	if r.Header.Segment != 2 || r.Header.Parent == nil || r.Header.Parent.Aside != "aside-1" {
		t.Errorf("%+v", r.Header)
	}
	if h, err := RealDisk.Renew(dir, parented(t, 2)); err != nil || h.Parent.Aside != "aside-2" {
		t.Errorf("a second child: %+v, %v", h.Parent, err)
	}
}
