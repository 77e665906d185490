package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sabot/mqtt/display"
	"sabot/table"
)

// The demonstration serves its pages while it plays, and says where.
func TestDemoServesItsPages(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	said := make(lines, 64)
	done := make(chan error, 1)
	v, _ := find("demo")
	go func() {
		done <- demo(&env{ctx: ctx, stdin: strings.NewReader(""), stdout: said, stderr: said, verb: v}, []string{"--mqtt", "127.0.0.1:0", "--pages", "127.0.0.1:0"})
	}()
	for text := range said {
		address, found := strings.CutPrefix(text, "overlay: ")
		if !found {
			continue
		}
		answer, err := http.Get(strings.TrimSpace(address))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", address, answer.Status)
		}
		break
	}
	stop()
	for {
		select {
		case <-said:
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		}
	}
}

// lines is a writer that gives what is written to whoever reads.
type lines chan string

// Write is io.Writer's.
func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// A record is shown round by round: each event with the felt after it, which is what replay makes.
func TestAuditOfAKeptRecord(t *testing.T) {
	h, err := display.Audit(keptRecord, recordedGame)
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string, into any) {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if err := json.Unmarshal(w.Body.Bytes(), into); w.Code != http.StatusOK || err != nil {
			t.Fatalf("%s: %d %.200s", path, w.Code, w.Body)
		}
	}
	var rounds []struct {
		Segment, Entries int
		Round            uint32
	}
	get("/audit/rounds", &rounds)
	entries, cards := 0, 0
	for _, r := range rounds {
		var steps []struct {
			Seq    int64
			Event  string
			Same   bool
			Layout table.Layout
		}
		get(fmt.Sprintf("/audit/round?segment=%d&round=%d", r.Segment, r.Round), &steps)
		if len(steps) < r.Entries {
			t.Errorf("round %d: %d of %d entries", r.Round, len(steps), r.Entries)
		}
		entries += len(steps)
		for _, s := range steps {
			if s.Layout.Seq != s.Seq || s.Event == "" {
				t.Errorf("%+v", s)
			}
			for _, seat := range s.Layout.Seats {
				for _, hand := range seat.Hands {
					cards += len(hand.Cards)
				}
			}
		}
	}
	if len(rounds) < 3 || entries < 20 || cards == 0 {
		t.Errorf("%d rounds, %d entries, %d cards", len(rounds), entries, cards)
	}
	r := httptest.NewRequest("GET", "/audit/rounds", nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if w := httptest.NewRecorder(); true {
		if h.ServeHTTP(w, r); w.Code != http.StatusForbidden {
			t.Errorf("another site's page: %d", w.Code)
		}
	}
}

func TestDisplayCommandLine(t *testing.T) {
	for args, want := range map[string]int{
		"--listen x":                     exitUsage,
		"--broker x":                     exitUsage,
		"--broker tcp://h:1 --journal x": exitUsage,
		"--broker tcp://h:1 x":           exitUsage,
		"--journal " + keptRecord + " --listen 0.0.0.0:0": exitUsage,
		"--journal testdata":                              exitFailed,
		"/nowhere/sabot.yaml":                             exitConfig,
	} {
		if _, stderr, code := sabot(append([]string{"display"}, strings.Fields(args)...)...); code != want {
			t.Errorf("display %s: exit %d, want %d: %s", args, code, want, stderr)
		}
	}
}

// An account is made, changed and taken out; its file is its owner's alone and holds no password.
func TestPasswd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "accounts")
	give := func(stdin string, args ...string) int {
		var out, errs strings.Builder
		return run(append([]string{"passwd"}, args...), strings.NewReader(stdin), &out, &errs)
	}
	if code := give("a long password\n", file, "S-2"); code != exitOK {
		t.Fatalf("exit %d", code)
	}
	text, _ := os.ReadFile(file)
	info, _ := os.Stat(file)
	if !strings.HasPrefix(string(text), "S-2:$argon2id$") || strings.Contains(string(text), "long") || info.Mode().Perm() != 0o600 {
		t.Errorf("%s %v", text, info.Mode())
	}
	for _, wrong := range []struct {
		stdin string
		args  []string
	}{{"short\n", []string{file, "S-2"}}, {"", []string{file, "S-2"}}, {"\n", []string{file, "S-2"}}, {"a long password\n", []string{file, "S 2"}}, {"", []string{"--remove", file, "S-3"}}} {
		if code := give(wrong.stdin, wrong.args...); code != exitFailed {
			t.Errorf("%q %q: exit %d", wrong.stdin, wrong.args, code)
		}
	}
	if after, _ := os.ReadFile(file); string(after) != string(text) {
		t.Error("a refused change changed the file")
	}
	if code := give("", "--remove", file, "S-2"); code != exitOK {
		t.Errorf("remove: exit %d", code)
	}
	if after, _ := os.ReadFile(file); len(after) != 0 {
		t.Errorf("removed: %s", after)
	}
}

// Passwords do not cross a network in the clear.
func TestDisplayConfig(t *testing.T) {
	tests := []struct{ section, want string }{
		{"display:\n  listen: 0.0.0.0:8080\n", ""},
		{"display:\n  listen: 127.0.0.1:8080\n  accounts: /a\n", ""},
		{"display:\n  accounts: /a\n", ""},
		{"display:\n  listen: 0.0.0.0:8080\n  accounts: /a\n", "unencrypted"},
		{"display:\n  listen: 0.0.0.0:8080\n  accounts: /a\n  cert: /c\n  key: /k\n", ""},
		{"display:\n  cert: /c\n", "without display.key"},
		{"display:\n  listen: everywhere\n", "display.listen"},
		{"display:\n  acounts: /a\n", "did you mean accounts"},
	}
	for _, test := range tests {
		_, problems := parseConfig("sabot.yaml", good+test.section)
		if got := problems.Error(); (test.want == "") != (len(problems) == 0) || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.section, got, test.want)
		}
	}
}
