package main

import (
	"bytes"
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
	for file, text := range map[string]string{bad: "table: 1 2\n", fine: strings.ReplaceAll(good, "/etc/sabot", dir), dir + "/mqtt.password": "secret", dir + "/ca.pem": ""} {
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

// TestFilesOfAConfigurationMustBeReadable: what run would stumble over, check finds, with its place.
func TestFilesOfAConfigurationMustBeReadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sabot.yaml")
	text := "table: T\ngame: blackjack\nrules: deluxe\njournal: /tmp/x\nshoe: {protocol: line, port: tcp://127.0.0.1:1}\nmqtt:\n  broker: ssl://127.0.0.1:8883\n  user: s\n  password_file: /nonexistent/pw\n  ca: /nonexistent/ca\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run([]string{"check", file}, strings.NewReader(""), &out, &errs)
	want := file + ":9:18: mqtt.password_file: /nonexistent/pw: no such file or directory; it must be readable for the user sabot runs as\n" +
		file + ":10:7: mqtt.ca: /nonexistent/ca: no such file or directory; it must be readable for the user sabot runs as\n"
	if code != exitConfig || errs.String() != want {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}
