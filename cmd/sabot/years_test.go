package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sabot/mqtt/display"
	"sabot/table"
	"sabot/table/journal"
)

// years has a round each as programs with older calls recorded it, a misread card and its correction in it. They are never written anew.
const years = "testdata/years"

// Whoever holds a record of any year has it proven and told by the program of today, and what it is not proven to be is no alarm.
func TestRecordsOfOlderYears(t *testing.T) {
	for calls := 1; calls < table.CallsVersion; calls++ {
		dir := filepath.Join(years, fmt.Sprint("calls-", calls))
		out, stderr, code := sabot("verify", dir)
		older := regexp.MustCompile(fmt.Sprintf(`(?m)^  older      entries 1 to (2[23]): their calls are of version %d, and this program's of version %d; played by its rules, (2[23]) say what was recorded$`, calls, table.CallsVersion)).FindStringSubmatch(out)
		if code != exitOK || older == nil || older[1] != older[2] || strings.Contains(out, "otherwise") || !strings.Contains(out, "segments 1 to 2: each line continues") {
			t.Errorf("verify: exit %d, %s%s", code, out, stderr)
			continue
		}
		out, stderr, code = sabot("replay", "--lang", "en", dir)
		if code != exitOK || !strings.Contains(out, "Seat 2 gets 8♣") || strings.Contains(out, "≠") || stderr != "sabot: an older program called "+older[1]+" entries; this one says the same of all of them\n" {
			t.Errorf("replay: exit %d, %s%s", code, out, stderr)
		}
		for _, flags := range [][]string{nil, {"--public"}, {"--rounds", "0-1"}} {
			out, stderr, code = sabot(append([]string{"export", dir}, flags...)...)
			if code != exitOK || fmt.Sprint(strings.Count(out, "\n")) != older[1] {
				t.Errorf("export %v: exit %d, %s%s", flags, code, out, stderr)
			}
		}
		out, stderr, code = sabot("export", "--csv", "--figures", "table", dir)
		if code != exitOK || !strings.Contains(out, "\nDEMO,0,1,") || !strings.HasSuffix(out, ",0,1,2,1\n") {
			t.Errorf("figures: exit %d, %s%s", code, out, stderr)
		}
	}
}

// A table goes on with an older program's record: held, its shoe retired, and from the next shoe on the record is today's.
func TestAnOlderRecordGoesOn(t *testing.T) {
	dir := copied(t, filepath.Join(years, "calls-3"))
	out, stderr, code := sabot("demo", "--lang", "en", "--journal", dir, "--rounds", "2", "--speed", "0", "--mistakes", "0", "--mqtt", "127.0.0.1:0", "--pages", "127.0.0.1:0")
	if code != exitOK || !strings.Contains(out, "Shoe 2 is in play") {
		t.Fatalf("exit %d, %s%s", code, out, stderr)
	}
	out, stderr, code = sabot("verify", dir)
	if code != exitOK || !regexp.MustCompile(`(?m)^  replay     [0-9]+ of them say again what was recorded`).MatchString(out) || strings.Contains(out, "otherwise") || !strings.Contains(out, "  older      entries 1 to ") {
		t.Errorf("exit %d, %s%s", code, out, stderr)
	}
}

// rechained writes a segment's lines anew with hashes that agree, as only somebody can who can also write the record anew.
func rechained(t *testing.T, file string, change func(text []byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	last := regexp.MustCompile(`"last_hash":"([0-9a-f]{64})"`).FindSubmatch(text)
	changed := change(bytes.Clone(text))
	if bytes.Equal(changed, text) {
		t.Fatal("nothing is changed")
	}
	hash := make([]byte, sha256.Size)
	fmt.Sscanf(string(last[1]), "%x", &hash)
	var out []byte
	for line := range bytes.Lines(changed) {
		object := line[:len(line)-2*sha256.Size-2]
		sum := sha256.Sum256(append(hash, object...))
		hash = sum[:]
		out = fmt.Appendf(out, "%s %x\n", object, hash)
	}
	if err := os.WriteFile(file, out, 0o600); err != nil {
		t.Fatal(err)
	}
}

// copied is a folder's copy.
func copied(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "record")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Where the program of today says otherwise than an older one did, both are told, and where to ask; the record is in order.
func TestWhatAnOlderProgramSaidOtherwise(t *testing.T) {
	dir := copied(t, filepath.Join(years, "calls-3"))
	rechained(t, filepath.Join(dir, second), func(text []byte) []byte {
		return bytes.Replace(text, []byte(`"hand":"2a","card":"8c"`), []byte(`"hand":"2a","card":"9c"`), 1)
	})
	out, stderr, code := sabot("verify", dir)
	if code != exitOK || !strings.Contains(out, "\n  otherwise  1 entry of correct, the first is entry 18\n  then       ") || strings.Contains(out, "WRONG") {
		t.Errorf("verify: exit %d, %s%s", code, out, stderr)
	}
	if page, _, _ := sabot("manual", "older", "program"); !strings.Contains(page, "SHA-256 of its file") || !strings.Contains(page, "can be built anew") {
		t.Errorf("the manual says %s", page)
	}
	out, stderr, code = sabot("replay", "--lang", "en", dir)
	if code != exitOK || strings.Count(out, "≠") != 1 || !strings.Contains(out, `"card":"9c"`) || !strings.Contains(stderr, "of 1 this one says otherwise") {
		t.Errorf("replay: exit %d, %s%s", code, out, stderr)
	}
	out, _, code = sabot("replay", "--json", dir)
	if code != exitOK || strings.Count(out, `,"recorded":{"calls":[`) != 1 {
		t.Errorf("replay --json: exit %d, %s", code, out)
	}
}

// A record of a program to come is refused by all who would have to understand it, with the version that wrote it, and nothing of it is touched.
func TestARecordOfAProgramToCome(t *testing.T) {
	for what, change := range map[string][2]string{
		"a format": {`{"format":1,`, `{"format":2,`},
		"a header": {`"segment":2,`, `"segment":2,"weather":"fair",`},
		"an event": {`"event":"table open by S-1"`, `"event":"levitate by S-1"`},
	} {
		dir := copied(t, filepath.Join(years, "calls-3"))
		file := filepath.Join(dir, second)
		if what == "an event" {
			file = filepath.Join(dir, "00000001.journal")
		}
		rechained(t, file, func(text []byte) []byte { return bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1) })
		for _, verb := range []string{"verify", "replay", "export"} {
			if _, stderr, code := sabot(verb, dir); code != exitConfig || !strings.Contains(stderr, "version (devel) of the program wrote it: use that one, or a newer one") {
				t.Errorf("%s, %s: exit %d, %s", what, verb, code, stderr)
			}
		}
	}
}

// A record that only a later program goes on with is refused by run, named by recover as in order, and set aside by force alone.
func TestALaterRecordIsLeftAlone(t *testing.T) {
	dir := copied(t, filepath.Join(years, "calls-3"))
	rechained(t, filepath.Join(dir, second), func(text []byte) []byte {
		return bytes.Replace(text, []byte(`"calls":3,"start"`), []byte(`"calls":99,"start"`), 1)
	})
	config := filepath.Join(t.TempDir(), "sabot.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "table: DEMO\ngame: blackjack\nrules: deluxe\njournal: %q\nshoe: {protocol: line, port: tcp://127.0.0.1:9}\nmqtt: {broker: tcp://127.0.0.1:9}\n", dir), 0o600); err != nil {
		t.Fatal(err)
	}
	refusal := fmt.Sprintf("the record's calls are of version 99, and this program knows them up to version %d; version (devel) of the program wrote it: use that one, or a newer one\n", table.CallsVersion)
	for _, args := range [][]string{{"run", config}, {"recover", "--by", "S-1", "--because", "a test", config}} {
		if _, stderr, code := sabot(args...); code != exitConfig || !strings.HasSuffix(stderr, refusal) {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
	if out, stderr, code := sabot("verify", dir); code != exitOK || !strings.Contains(out, "\n  not played segment 2: version (devel) of the program wrote them: their calls are of version 99") {
		t.Errorf("verify: exit %d, %s%s", code, out, stderr)
	}
	if out, stderr, code := sabot("recover", "--force", "--by", "S-1", "--because", "a test", config); code != exitOK || !strings.Contains(out, "is proven up to entry 23") {
		t.Errorf("recover --force: exit %d, %s%s", code, out, stderr)
	}
}

// The doctor says before a start what an upgrade, its way back, or a folder of another table comes to.
func TestDoctorKnowsTheYears(t *testing.T) {
	older := copied(t, filepath.Join(years, "calls-3"))
	coming := copied(t, older)
	rechained(t, filepath.Join(coming, second), func(text []byte) []byte {
		return bytes.Replace(text, []byte(`"calls":3,"start"`), []byte(`"calls":99,"start"`), 1)
	})
	stranger := copied(t, older)
	rechained(t, filepath.Join(stranger, second), func(text []byte) []byte {
		return bytes.Replace(text, []byte(`"segment":2,`), []byte(`"segment":2,"x":1,`), 1)
	})
	for _, c := range []struct {
		dir, table string
		state      health
		said, mend string
	}{
		{keptRecord, "DEMO", isGood, "2 segments; the last one is whole", ""},
		{older, "DEMO", isOdd, "an older version began its last segment", "retires the shoe"},
		{coming, "DEMO", isBad, "version (devel) of the program wrote it", "nothing is wrong with the record"},
		{stranger, "DEMO", isBad, "says what this program does not understand", "nothing is wrong with the record"},
		{keptRecord, "BJ-9", isBad, "is that of table DEMO playing blackjack", "a folder of its own"},
	} {
		list := examineRecord(&Config{Journal: c.dir, Table: c.table, Play: &Play{Game: "blackjack"}})
		if len(list) != 1 || list[0].State != c.state || !strings.Contains(list[0].Said, c.said) || !strings.Contains(list[0].Mend, c.mend) {
			t.Errorf("%s: %+v", c.said, list)
		}
	}
}

// What people do to a record's files is said by its name.
func TestWhatWasDoneToAFile(t *testing.T) {
	whole := filepath.Join(years, "calls-3")
	begins := func(with string) func(string) error {
		return func(dir string) error { return rewrite(dir, func(text string) string { return with + text }) }
	}
	for want, do := range map[string]func(dir string) error{
		"begins with a byte order mark": begins("\xef\xbb\xbf"),
		"the file is compressed":        begins("\x1f\x8b\x08\n"),
		"its lines end in CR LF": func(dir string) error {
			return rewrite(dir, func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") })
		},
		"the file is empty": func(dir string) error { return rewrite(dir, func(string) string { return "" }) },
		"name the folder a table's journal is in; 00000001.journal.gz may be it": func(dir string) error {
			for _, n := range []string{"1", "2"} {
				if err := os.Rename(dir+"/0000000"+n+".journal", dir+"/0000000"+n+".journal.gz"); err != nil {
					return err
				}
			}
			return nil
		},
		"is that of another record": func(dir string) error {
			other, err := os.ReadFile(filepath.Join(years, "calls-2", second))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, second), other, 0o600)
		},
		"the record ends at entry 3, and entries up to 23 were heard": func(dir string) error {
			record := regexp.MustCompile(`"record":"([0-9a-f]+)"`).FindStringSubmatch(text(t, filepath.Join(dir, second)))[1]
			if err := os.WriteFile(filepath.Join(dir, "cursor"), fmt.Appendf(nil, `{"record":%q,"seq":23,"floor":0,"settlement":0}`, record), 0o600); err != nil {
				return err
			}
			return os.Remove(filepath.Join(dir, second))
		},
		"is a directory": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, second)), os.Mkdir(filepath.Join(dir, second), 0o700))
		},
	} {
		dir := copied(t, whole)
		if err := do(dir); err != nil {
			t.Fatal(err)
		}
		if out, stderr, code := sabot("verify", dir); code == exitOK || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit %d, %s%s", want, code, out, stderr)
		}
	}
}

const second = "00000002.journal"

// rewrite writes the second segment anew.
func rewrite(dir string, change func(string) string) error {
	file := filepath.Join(dir, second)
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(change(string(b))), 0o600)
}

// What is asked for of rounds and of a time is found whole, wherever segments begin and end, and the other segments are not read.
func TestExportReadsWhatItMust(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "record")
	j, _, err := journal.Open(dir, journal.Header{Table: "BJ-1", Game: "blackjack"}, journal.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	seq, round := int64(0), uint32(0)
	const segments = 6
	for s := range segments {
		if s > 0 {
			if err := j.Rotate(journal.Header{Table: "BJ-1", Game: "blackjack", Opening: table.Opening{Round: round}}); err != nil {
				t.Fatal(err)
			}
		}
		for n := range 5 { // of a segment's five entries the third begins a round
			seq++
			if n == 2 {
				round++
			}
			e, _ := table.Parse("draw 9s")
			e.Seq, e.At = seq, minutes(int(seq)*60)
			if err := j.Append(&journal.Entry{Seq: seq, At: e.At, Round: round, Event: e}); err != nil {
				t.Fatal(err)
			}
		}
	}
	j.Close()
	began := regexp.MustCompile(`"start":"([^"]*)"`).FindStringSubmatch(text(t, filepath.Join(dir, "00000001.journal")))[1]
	start, err := time.Parse(time.RFC3339Nano, began)
	if err != nil {
		t.Fatal(err)
	}
	hour := func(n int) string { return start.Add(time.Duration(n)*time.Hour - time.Minute).Format(time.RFC3339) }
	for flags, want := range map[string][2]int{ // entries, and segments not read
		"":                                       {30, 0},
		"--rounds 1":                             {5, 4},
		"--rounds 2-3":                           {10, 3},
		"--rounds 6":                             {3, 5},
		"--rounds 9":                             {0, 5},
		"--from " + hour(7) + " --to " + hour(9): {2, 5},
		"--from " + hour(28):                     {3, 5},
		"--to " + hour(4):                        {3, 5},
		"--rounds 2 --from " + hour(11):          {2, 5},
	} {
		out, stderr, code := sabot(append([]string{"export", dir}, strings.Fields(flags)...)...)
		left := ""
		if want[1] > 0 {
			left = fmt.Sprintf("sabot: %d segments were not read", want[1])
		}
		if n := strings.Count(out, "\n"); code != exitOK || n != want[0] || !strings.HasPrefix(stderr, left) || (left == "") != (stderr == "") {
			t.Errorf("%s: exit %d, %d entries, want %d; %q, want %q", flags, code, n, want[0], stderr, left)
		}
	}
}

// panicky is a game that panics at every event.
type panicky struct{ table.Game }

func (panicky) Step(table.Event, []table.Call) []table.Call { panic("9s") }

// A record is shown as it grows, and a game that panics at what was recorded says nothing of it.
func TestAuditOfAGrowingRecord(t *testing.T) {
	dir := copied(t, keptRecord)
	later := text(t, filepath.Join(dir, second))
	os.Remove(filepath.Join(dir, second))
	h, err := display.Audit(dir, func(c json.RawMessage) (func(table.Opening) table.Game, error) {
		open, err := recordedGame(c)
		return func(o table.Opening) table.Game { return panicky{open(o)} }, err
	})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:8080"+path, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	const first = `200 [{"segment":0,"round":0,"first":1,"entries":3}`
	if got := get("/audit/rounds"); got != first+"]\n" {
		t.Errorf("at first %s", got)
	}
	for _, size := range []int{len(later) / 2, len(later)} { // the table is writing a line, and has written it
		if err := os.WriteFile(filepath.Join(dir, second), []byte(later[:size]), 0o600); err != nil {
			t.Fatal(err)
		}
		got := get("/audit/rounds")
		if !strings.HasPrefix(got, first+`,{"segment":1,`) || strings.Contains(got, `"round":3`) != (size == len(later)) {
			t.Errorf("with %d bytes more %s", size, got)
		}
	}
	if got := get("/audit/round?segment=0&round=0"); !strings.HasPrefix(got, "200 ") || strings.Count(got, `"same":false`) != 1 || !strings.Contains(got, `"calls":[{"call":"shoe"`) {
		t.Errorf("a game that panics: %s", got)
	}
}
