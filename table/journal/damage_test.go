package journal

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sabot/table"
)

// sample is the one segment of a record of n entries, and its lines.
func sample(t testing.TB, n int64) (file []byte, lines [][]byte) {
	t.Helper()
	dir := t.TempDir()
	record(t, dir, n)
	file, err := os.ReadFile(filepath.Join(dir, segmentName(1)))
	if err != nil {
		t.Fatal(err)
	}
	lines = bytes.SplitAfter(file, []byte("\n"))
	return file, lines[:len(lines)-1]
}

// damaged opens a record whose only segment is these bytes.
func damaged(t testing.TB, dir string, file []byte) (*Journal, Restored, error) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	kept, _ := filepath.Glob(filepath.Join(dir, "*.torn-*")) // of the case before
	for _, name := range kept {
		os.Remove(name)
	}
	if err := os.WriteFile(filepath.Join(dir, segmentName(1)), file, 0o600); err != nil {
		t.Fatal(err)
	}
	quick := RealDisk
	quick.Sync = func(*os.File) error { return nil }
	return quick.Open(dir, want, Mark{})
}

// wholeLines is how many lines end within the first n bytes.
func wholeLines(file []byte, n int) int { return bytes.Count(file[:n], []byte("\n")) }

func TestEveryTruncationIsAPrefix(t *testing.T) {
	file, lines := sample(t, 6)
	dir := filepath.Join(t.TempDir(), "record")
	for n := len(lines[0]); n < len(file); n++ {
		j, r, err := damaged(t, dir, file[:n])
		if err != nil {
			t.Fatalf("cut at byte %d: %v", n, err)
		}
		whole := wholeLines(file, n)
		if got := int(j.Durable()); got != whole-1 {
			t.Fatalf("cut at byte %d: %d entries, want %d", n, got, whole-1)
		}
		good := bytes.Join(lines[:whole], nil)
		if torn := r.Torn != nil; torn != (len(good) < n) {
			t.Fatalf("cut at byte %d: torn = %+v", n, r.Torn)
		}
		if r.Torn != nil {
			kept, err := os.ReadFile(r.Torn.Copy)
			if err != nil || !bytes.Equal(kept, file[len(good):n]) || r.Torn.Line != whole+1 || r.Torn.Bytes != int64(len(kept)) {
				t.Fatalf("cut at byte %d: %+v keeps %q, %v", n, r.Torn, kept, err)
			}
		}
		if left, _ := os.ReadFile(filepath.Join(dir, segmentName(1))); !bytes.Equal(left, good) {
			t.Fatalf("cut at byte %d: the file was left %d bytes long, want %d", n, len(left), len(good))
		}
		if err := j.Append(varied(t, int64(whole))); err != nil {
			t.Fatalf("cut at byte %d: %v", n, err)
		}
		j.Close()
	}
	t.Logf("%d lengths, of a file of %d bytes: each opened as what was whole of it, and the rest kept aside", len(file)-len(lines[0]), len(file))
}

func TestATruncatedHeaderIsCorrupt(t *testing.T) {
	file, lines := sample(t, 1)
	dir := filepath.Join(t.TempDir(), "record")
	for n := range len(lines[0]) {
		_, _, err := damaged(t, dir, file[:n])
		wantCorrupt(t, dir, err, 1)
	}
}

func wantCorrupt(t *testing.T, dir string, err error, line int) {
	t.Helper()
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) {
		t.Fatalf("opened with %v, want corruption", err)
	}
	if corrupt.Line != line || filepath.Base(corrupt.File) != segmentName(1) {
		t.Fatalf("corrupt in %s line %d, want line %d (%s)", corrupt.File, corrupt.Line, line, corrupt.Why)
	}
	if torn, _ := filepath.Glob(filepath.Join(dir, "*.torn-*")); len(torn) > 0 {
		t.Fatal("a corrupt record was touched")
	}
}

func wantStrange(t *testing.T, dir string, err error, line int) {
	t.Helper()
	var strange *VersionError
	if !errors.As(err, &strange) || strange.Line != line || strange.Build != "test" || filepath.Base(strange.File) != segmentName(1) {
		t.Fatalf("opened with %v, want another version's line %d", err, line)
	}
	if torn, _ := filepath.Glob(filepath.Join(dir, "*.torn-*")); len(torn) > 0 {
		t.Fatal("another version's record was touched")
	}
}

// A line that continues the chain and that this program does not understand is another version's: it is never taken for a torn one, wherever it stands, and who wrote
// it is said as far as the record says.
func TestAnotherVersionsLineIsKept(t *testing.T) {
	_, lines := sample(t, 2)
	h, _ := headerOf(lines[0])
	for name, c := range map[string]struct {
		before []string // events
		build  string
	}{
		"first":             {nil, "test"},
		"after a start":     {[]string{"restart 4s"}, ""},
		"after it was told": {[]string{"restart 4s", `program "9.1" binary ab, configuration cd`}, "9.1"},
	} {
		t.Run(name, func(t *testing.T) {
			at, file := chain{}, bytes.Clone(lines[0])
			at, _ = h.chain()
			at.hash = hashOf(t, lines[0])
			for i, text := range c.before {
				e := Entry{Seq: int64(i + 1), At: h.At}
				e.Event, _ = table.Parse(text)
				e.Event.Seq, e.Event.At = e.Seq, e.At
				line, err := at.seal(nil, &e)
				if err != nil {
					t.Fatal(err)
				}
				file = append(file, line...)
			}
			file = append(file, at.close([]byte(`{"seq":9,"event":"levitate 3a"}`))...)
			for _, behind := range []string{"", "{\"seq\":10"} {
				dir := filepath.Join(t.TempDir(), "record")
				all := append(bytes.Clone(file), behind...)
				_, _, err := damaged(t, dir, all)
				var strange *VersionError
				if !errors.As(err, &strange) || strange.Build != c.build || strange.Line != len(c.before)+2 {
					t.Fatalf("opened with %v", err)
				}
				if kept, _ := os.ReadFile(strange.File); !bytes.Equal(kept, all) {
					t.Fatal("the record was touched")
				}
			}
		})
	}
}

// A flipped bit anywhere is found. Only in the last line may it look like a torn one, which is kept aside.
func TestEveryFlippedBitIsFound(t *testing.T) {
	file, lines := sample(t, 2)
	dir := filepath.Join(t.TempDir(), "record")
	for i := range file {
		for bit := range 8 {
			flipped := bytes.Clone(file)
			flipped[i] ^= 1 << bit
			line := wholeLines(file, i) + 1
			j, r, err := damaged(t, dir, flipped)
			if line < len(lines) || err != nil {
				wantCorrupt(t, dir, err, line)
				continue
			}
			if r.Torn == nil || int(j.Durable()) != len(lines)-2 {
				t.Fatalf("byte %d bit %d: opened with %d entries, torn %+v", i, bit, j.Durable(), r.Torn)
			}
			if kept, _ := os.ReadFile(r.Torn.Copy); !bytes.Equal(kept, flipped[len(flipped)-len(lines[line-1]):]) {
				t.Fatalf("byte %d bit %d: kept %q", i, bit, kept)
			}
			j.Close()
		}
	}
	t.Logf("%d bits, all of a file of %d bytes: each was found", 8*len(file), len(file))
}

func TestLinesMovedRemovedOrDoubledAreFound(t *testing.T) {
	_, l := sample(t, 4)
	_, other := sample(t, 4)
	dir := filepath.Join(t.TempDir(), "record")
	for name, c := range map[string]struct {
		lines [][]byte
		line  int
	}{
		"removed":         {[][]byte{l[0], l[1], l[3], l[4]}, 3},
		"removed first":   {[][]byte{l[0], l[2], l[3], l[4]}, 2},
		"swapped":         {[][]byte{l[0], l[1], l[3], l[2], l[4]}, 3},
		"doubled":         {[][]byte{l[0], l[1], l[2], l[2], l[3], l[4]}, 4},
		"doubled last":    {[][]byte{l[0], l[1], l[2], l[3], l[4], l[4]}, 6},
		"of another":      {[][]byte{l[0], l[1], other[2], l[3], l[4]}, 3},
		"other's header":  {[][]byte{other[0], l[1], l[2]}, 2},
		"header again":    {[][]byte{l[0], l[0], l[1], l[2]}, 2},
		"header missing":  {[][]byte{l[1], l[2], l[3], l[4]}, 1},
		"line in between": {[][]byte{l[0], l[1], []byte("\n"), l[2], l[3], l[4]}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := damaged(t, dir, bytes.Join(c.lines, nil))
			wantCorrupt(t, dir, err, c.line)
		})
	}
}

func TestZerosAtTheEndAreTorn(t *testing.T) {
	file, lines := sample(t, 2)
	dir := filepath.Join(t.TempDir(), "record")
	for _, zeros := range []int{1, 511, 4096, MaxEntry, 3*MaxEntry + 5} {
		for _, cut := range []int{0, 1, 70} { // of the last line
			j, r, err := damaged(t, dir, append(bytes.Clone(file[:len(file)-cut]), make([]byte, zeros)...))
			if err != nil || r.Torn == nil {
				t.Fatalf("%d zeros behind %d cut bytes: %+v, %v", zeros, cut, r.Torn, err)
			}
			entries := 2
			if cut > 0 {
				entries = 1
			}
			if int(j.Durable()) != entries {
				t.Fatalf("%d zeros behind %d cut bytes: %d entries", zeros, cut, j.Durable())
			}
			j.Close()
		}
	}
	for _, zeros := range []int{1, MaxEntry - 3, MaxEntry, 2 * MaxEntry} { // a line's start across a window's edge too
		_, _, err := damaged(t, dir, bytes.Join([][]byte{lines[0], lines[1], make([]byte, zeros), lines[2]}, nil))
		wantCorrupt(t, dir, err, 3)
	}
}

// forge closes an object so that its hash verifies.
func forge(c chain, object string) []byte { return c.close([]byte(object)) }

// Two lines that say the same would let a record be changed without changing what it says, so each has one form.
func TestOnlyOneFormOfALineIsAccepted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "record")
	_, lines := sample(t, 3)
	s, err := headerOf(lines[0])
	if err != nil {
		t.Fatal(err)
	}
	start, _ := s.chain()
	start.hash = hashOf(t, lines[0])
	object := string(lines[1][:len(lines[1])-hashLen])
	for name, changed := range map[string]string{
		"as it is":        object,
		"a space":         strings.Replace(object, `,"t"`, `, "t"`, 1),
		"a zero":          strings.Replace(object, `"t":1`, `"t":01`, 1),
		"an exponent":     strings.Replace(object, `"t":1000000`, `"t":1e6`, 1),
		"another case":    strings.Replace(object, `"event"`, `"Event"`, 1),
		"a member more":   strings.Replace(object, `{"seq"`, `{"x":1,"seq"`, 1),
		"a member twice":  strings.Replace(object, `"t":`, `"t":5,"t":`, 1),
		"an empty member": strings.Replace(object, `}]}`, `}],"raw":""}`, 1),
		"event's case":    strings.Replace(object, `shoe 12`, `SHOE 12`, 1),
		"another escape":  strings.Replace(object, `shoe 12`, `sho\u0065 12`, 1),
		"fewer digits":    regexp.MustCompile(`\dZ"`).ReplaceAllString(object, `Z"`),
		"a zone":          strings.Replace(object, `Z"`, `+00:00"`, 1),
		"hash's case":     "",
	} {
		line := forge(start, changed)
		if name == "hash's case" {
			line = []byte(object + " " + strings.ToUpper(hex.EncodeToString(sum(start, object))) + "\n")
		} else if changed == object && name != "as it is" {
			t.Fatalf("%s: the case changes nothing", name)
		}
		j, r, err := damaged(t, dir, append(bytes.Clone(lines[0]), line...))
		if name != "as it is" && name != "hash's case" { // it continues the chain: whoever wrote it, no power cut did
			wantStrange(t, dir, err, 2)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if accepted := j.Durable() == 1; accepted != (name == "as it is") || accepted == (r.Torn != nil) {
			t.Errorf("%s: accepted = %v, torn %+v", name, accepted, r.Torn)
		}
		j.Close()
	}
}

func headerOf(line []byte) (Header, error) { return decodeHeader(line[:len(line)-hashLen]) }

func hashOf(t *testing.T, line []byte) [32]byte {
	t.Helper()
	var c chain
	if err := c.setHash(string(line[len(line)-hashLen+1 : len(line)-1])); err != nil {
		t.Fatal(err)
	}
	return c.hash
}

func sum(c chain, object string) []byte {
	h := c.extend([]byte(object))
	return h[:]
}

// An entry that contradicts the one before is refused even with a hash that verifies.
func TestAForgedOrderIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "record")
	_, lines := sample(t, 2)
	h, _ := headerOf(lines[0])
	start, _ := h.chain()
	start.hash = hashOf(t, lines[0])
	for name, spoil := range map[string]func(e *Entry){
		"number":     func(e *Entry) { e.Seq = 2 },
		"wall clock": func(e *Entry) { e.Time = e.Time.Add(time.Second) },
		"game time":  func(e *Entry) { e.At, e.Time = -e.At, e.Time.Add(-2*e.At) },
	} {
		t.Run(name, func(t *testing.T) {
			e := varied(t, 1)
			e.Time = start.wall(e)
			spoil(e)
			_, _, err := damaged(t, dir, append(bytes.Clone(lines[0]), forge(start, e.line())...))
			wantCorrupt(t, dir, err, 2)
		})
	}
}

func TestUnknownFormatsAndForeignHeadersAreRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "record")
	_, lines := sample(t, 1)
	h, _ := headerOf(lines[0])
	for name, spoil := range map[string]func(h *Header) string{
		"format":   func(h *Header) string { h.Format = Format + 1; return "" },
		"segment":  func(h *Header) string { h.Segment = 2; return "" },
		"last":     func(h *Header) string { h.Last = strings.Repeat("1", 64); return "" },
		"no hash":  func(h *Header) string { h.Last = "12"; return "" },
		"a member": func(h *Header) string { return `{"later":1,` },
	} {
		t.Run(name, func(t *testing.T) {
			forged := h
			start := spoil(&forged)
			object := mustJSON(t, &forged)
			if start != "" {
				object = start + object[1:]
			}
			var c chain
			c.setHash(forged.Last)
			_, _, err := damaged(t, dir, forge(c, object))
			if name == "format" || name == "a member" {
				wantStrange(t, dir, err, 1)
				return
			}
			wantCorrupt(t, dir, err, 1)
		})
	}
}

func mustJSON(t *testing.T, h *Header) string {
	t.Helper()
	line, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func TestSegmentsMustContinueEachOther(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"missing": func(dir string) error { return os.Remove(filepath.Join(dir, segmentName(1))) },
		"longer": func(dir string) error {
			return appendTo(filepath.Join(dir, segmentName(1)), "x\n")
		},
		"shorter": func(dir string) error { return os.Truncate(filepath.Join(dir, segmentName(1)), 900) },
		"empty":   func(dir string) error { return os.Truncate(filepath.Join(dir, segmentName(1)), 0) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			record(t, dir, 4, 3)
			if err := spoil(dir); err != nil {
				t.Fatal(err)
			}
			_, _, err := Open(dir, want, Mark{})
			wantCorrupt(t, dir, err, 0)
		})
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

// A reader verifies on its own: damage done while the program runs is found, too.
func TestReadersFindDamageInEarlierSegments(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 6, 3, 5)
	path := filepath.Join(dir, segmentName(1))
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(file, []byte("draw ??"))
	if at < 0 {
		at = bytes.Index(file, []byte("draw 9s"))
	}
	file[at+5] = 'A'
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	j, _ := mustOpen(t, dir) // only the last segment is verified
	defer j.Close()
	r, err := j.Reader(0)
	if err == nil {
		defer r.Close()
		for err == nil {
			_, err = r.Next()
		}
	}
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Line != 3 {
		t.Errorf("the reader ended with %v", err)
	}
}

func FuzzDecodeEntry(f *testing.F) {
	_, lines := sample(f, 8)
	for _, l := range lines[1:] {
		f.Add(l[:len(l)-hashLen])
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		e, err := decodeEntry(object)
		if err != nil {
			return
		}
		if again := e.appendJSON(nil); !bytes.Equal(again, object) {
			t.Fatalf("%q is accepted and written as %q", object, again)
		}
		if bytes.Contains(object[1:], []byte(lineStart)) {
			t.Fatalf("%q holds what only begins a line", object)
		}
	})
}

func FuzzOpen(f *testing.F) {
	file, lines := sample(f, 3)
	f.Add(file[len(lines[0]):])
	f.Add(bytes.Join(lines[1:3], make([]byte, 7)))
	dir := filepath.Join(f.TempDir(), "record")
	f.Fuzz(func(t *testing.T, tail []byte) {
		all := append(bytes.Clone(lines[0]), tail...)
		j, _, err := damaged(t, dir, all)
		if err != nil {
			return
		}
		kept, _ := os.ReadFile(filepath.Join(dir, segmentName(1)))
		if !bytes.HasPrefix(file, kept) {
			t.Fatalf("lines that were never written were accepted: %q", kept[len(lines[0]):])
		}
		defer j.Close()
		if err := j.Append(varied(t, j.Durable()+1)); err != nil {
			t.Fatal(err)
		}
	})
}

// Entries that are missing where a segment ends would otherwise be skipped without a word.
func TestReadersFindASegmentThatEndsTooSoon(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 6, 3, 5)
	path := filepath.Join(dir, segmentName(1))
	file, _ := os.ReadFile(path)
	lines := bytes.SplitAfter(file, []byte("\n"))
	if err := os.WriteFile(path, bytes.Join(lines[:2], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	j, _ := mustOpen(t, dir)
	defer j.Close()
	r, err := j.Reader(1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var corrupt *CorruptError
	if e, err := r.Next(); !errors.As(err, &corrupt) || corrupt.Line != 1 || filepath.Base(corrupt.File) != segmentName(2) {
		t.Errorf("after entry 1 comes %d, %v", e.Seq, err)
	}
}
