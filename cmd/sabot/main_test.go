package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sabot/table/journal"
)

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	bad, fine := filepath.Join(dir, "bad.yaml"), filepath.Join(dir, "good.yaml")
	for file, text := range map[string]string{bad: "table: 1 2\n", fine: good} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		args string
		want int
	}{
		{"", exitUsage}, {"help", exitOK}, {"dance", exitUsage}, {"version", exitOK}, {"version x", exitUsage}, {"version -x", exitUsage}, {"version -h", exitOK},
		{"check " + fine, exitOK}, {"check " + bad, exitConfig}, {"check " + dir + "/none", exitConfig}, {"check " + dir, exitConfig},
		{"check x y", exitUsage}, {"replay " + dir + "/none", exitFailed}, {"replay", exitUsage},
	}
	for _, test := range tests {
		stdout, stderr, code := sabot(strings.Fields(test.args)...)
		if code != test.want || (code == exitOK) != (stderr == "") || code != exitOK && stdout != "" {
			t.Errorf("sabot %s: exit %d, want %d; stdout %q, stderr %q", test.args, code, test.want, stdout, stderr)
		}
	}
}

func TestDamagedRecordsAreNoFailureToRetry(t *testing.T) {
	var b strings.Builder
	err := errors.Join(&journal.CorruptError{File: "00000001.journal", Line: 7, Why: "the line is damaged"})
	if code := report(&b, err); code != exitConfig || b.String() != "sabot: journal: 00000001.journal:7: the line is damaged\n" {
		t.Errorf("exit %d, %q", code, b.String())
	}
}

// Help lists every verb, and each explains itself.
func TestEveryVerbExplainsItself(t *testing.T) {
	list, _, _ := sabot("help")
	for _, v := range verbs {
		stdout, stderr, code := sabot(v.name, "-h")
		if code != exitOK || stderr != "" || !strings.HasPrefix(stdout, "usage: sabot "+v.name) || !strings.Contains(list, "  "+v.name+" ") {
			t.Errorf("%s: exit %d, %q %q", v.name, code, stdout, stderr)
		}
		if v.summary == "" || strings.ToLower(v.summary[:1]) != v.summary[:1] || strings.HasSuffix(v.summary, ".") {
			t.Errorf("%s: %q is no summary", v.name, v.summary)
		}
	}
}
