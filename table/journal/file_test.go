package journal

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// segmentEntries reads a file to its end.
func segmentEntries(t *testing.T, path string) (n int, last string, err error) {
	t.Helper()
	f, err := OpenFile(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	for {
		e, err := f.Next()
		if err != nil {
			return n, f.LastHash(), err
		}
		if n++; e.Seq != f.Header().First+int64(n)-1 {
			t.Fatalf("entry %d has seq %d", n, e.Seq)
		}
	}
}

func TestFilesAreReadOneByOneAndContinueEachOther(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 7, 3)
	files, err := Segments(dir)
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	n, last, err := segmentEntries(t, files[0])
	if err != io.EOF || n == 0 {
		t.Fatalf("%d entries, %v", n, err)
	}
	second, err := OpenFile(files[1])
	if err != nil || second.Header().Last != last {
		t.Fatalf("%v: the second begins with %s, the first ends with %s", err, second.Header().Last, last)
	}
	second.Close()
	m, _, err := segmentEntries(t, files[1])
	if err != io.EOF || n+m != 7 {
		t.Fatalf("%d and %d entries, %v", n, m, err)
	}
}

// A running table has its record open and locked; a copy may have any name.
func TestAFileNeedsNeitherLockNorName(t *testing.T) {
	dir := t.TempDir()
	j, _ := mustOpen(t, dir)
	defer j.Close()
	if err := j.Append(varied(t, 1)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, segmentName(1)))
	if err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(t.TempDir(), "friday night")
	if err := os.WriteFile(odd, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, _, err := segmentEntries(t, odd); n != 1 || err != io.EOF {
		t.Errorf("%d entries, %v", n, err)
	}
}

func TestAFileSaysTornAndCorruptApart(t *testing.T) {
	file, lines := sample(t, 4)
	path := filepath.Join(t.TempDir(), "x")
	write := func(b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file[:len(file)-10])
	if n, _, err := segmentEntries(t, path); n != 3 || err != io.ErrUnexpectedEOF {
		t.Errorf("torn: %d entries, %v", n, err)
	}
	if after, _ := os.ReadFile(path); len(after) != len(file)-10 {
		t.Errorf("reading changed the file's length to %d", len(after))
	}
	bad := bytes.Clone(file)
	bad[len(lines[0])+len(lines[1])+40] ^= 1
	write(bad)
	var corrupt *CorruptError
	if n, _, err := segmentEntries(t, path); n != 1 || !errors.As(err, &corrupt) || corrupt.Line != 3 {
		t.Errorf("flipped: %d entries, %v", n, err)
	}
	for name, b := range map[string][]byte{"empty": nil, "text": []byte("hello\n"), "a brace": []byte("{"), "header cut": lines[0][:50]} {
		write(b)
		if _, _, err := segmentEntries(t, path); !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := OpenFile(path + "not there"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
