package journal

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// An anchor is what anybody can compute of the record's text by hand, and cannot without it: the line's hash is not published, and salts differ by segment.
func TestAnAnchorIsASaltedHash(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 6, 4)
	j, _ := mustOpen(t, dir)
	defer j.Close()
	r, err := j.Reader(0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	salts := map[string]bool{}
	for n := 1; n <= 2; n++ {
		text, err := os.ReadFile(filepath.Join(dir, segmentName(n)))
		if err != nil {
			t.Fatal(err)
		}
		salt := regexp.MustCompile(`"salt":"([0-9a-f]{32})"`).FindStringSubmatch(string(text))[1]
		salts[salt] = true
		f, err := OpenFile(filepath.Join(dir, segmentName(n)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
			want := fmt.Sprintf("%x", sha256.Sum256([]byte(salt+line[len(line)-64:])))
			e, err := r.Next()
			if err != nil || r.Anchor() != want {
				t.Errorf("entry %d: a reader's anchor is %s, want %s, %v", e.Seq, r.Anchor(), want, err)
			}
			if _, err := f.Next(); err != nil || f.Anchor() != want {
				t.Errorf("entry %d: a file's anchor is %s, want %s, %v", e.Seq, f.Anchor(), want, err)
			}
		}
	}
	if _, err := r.Next(); err != io.EOF || len(salts) != 2 {
		t.Errorf("%d salts, %v", len(salts), err)
	}
}

func TestWhichEntriesAreAnchored(t *testing.T) {
	for notation, calls := range map[string]string{
		"draw 9s": `[{"call":"reveal","hand":"dealer"},{"call":"end","round":3}]`, "void by S-1": `[{"call":"void","round":3}]`, "table close by S-1": "[]",
		"cut": `[{"call":"cut"}]`, "stop": `[]`, "open": `[{"call":"open","round":3}]`,
	} {
		e := entry(t, 1, notation)
		e.Calls = []byte(calls)
		if want := notation != "cut" && notation != "stop" && notation != "open"; e.Anchored() != want {
			t.Errorf("%s: %v", notation, e.Anchored())
		}
	}
}
