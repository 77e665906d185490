package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatWasHeardIsNeverLostSilently: a record that ends before what others heard is refused before anything is cut, written or
// numbered anew.
func TestWhatWasHeardIsNeverLostSilently(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 5)
	j, r := mustOpen(t, dir)
	name := r.Header.Record
	j.Close()
	file := filepath.Join(dir, segmentName(1))
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	flipped := []byte(string(whole))
	flipped[len(whole)-80] ^= 4
	for what, damage := range map[string][]byte{
		"the last line is gone":      []byte(strings.Join(lines[:len(lines)-2], "")),
		"the last line is torn":      whole[:len(whole)-20],
		"a bit of the last one fell": flipped,
	} {
		if err := os.WriteFile(file, damage, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := Open(dir, want, Mark{name, 5})
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", what, err)
		}
		if now, _ := os.ReadFile(file); string(now) != string(damage) {
			t.Errorf("%s: the file was changed", what)
		}
	}
	os.WriteFile(file, whole, 0o600)
	for what, mark := range map[string]Mark{"another record": {strings.Repeat("0", 32), 1}, "the future": {name, 6}} {
		if _, _, err := Open(dir, want, mark); err == nil {
			t.Errorf("%s: opened", what)
		}
	}
	if _, _, err := Open(t.TempDir(), want, Mark{name, 5}); err == nil {
		t.Error("a record was begun where another one was heard of")
	}
	j, _, err = Open(dir, want, Mark{name, 5})
	if err != nil || j.Durable() != 5 {
		t.Errorf("the whole record: %v", err)
	}
}
