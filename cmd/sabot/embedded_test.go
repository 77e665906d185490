package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sabot/mqtt"
)

// TestEmbeddedBrokerWithUsers: a broker of our own that other machines reach lets in whom its file names, and the table itself without being named there.
func TestEmbeddedBrokerWithUsers(t *testing.T) {
	dir := t.TempDir()
	users := filepath.Join(dir, "users")
	text := good[:strings.Index(good, "mqtt:")] + "mqtt:\n  embedded: {listen: '0.0.0.0:0', websockets: '127.0.0.2:0', users: " + users + "}\n"
	file := filepath.Join(dir, "sabot.yaml")
	for path, content := range map[string]string{file: text, users: "console:floor:correct horse\n"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := file + ":11:69: mqtt.embedded.users: broker: " + users + ":1: the third part for console is no bcrypt hash of a password; write a line NAME:ROLE:HASH for each"
	if _, err := readConfig(file); err == nil || err.Error() != want {
		t.Errorf("a password in place of its hash:\n got %v\nwant %s", err, want)
	}
	os.Remove(users)
	var out, errs bytes.Buffer
	if code := run([]string{"passwd", "--broker", "--role", "floor", users, "console"}, strings.NewReader("correct horse\n"), &out, &errs); code != exitOK {
		t.Fatalf("passwd: %d %s%s", code, &out, &errs)
	}
	c, err := readConfig(file)
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0].String(), "unencrypted") {
		t.Fatalf("%v, warnings %v", err, c.Warnings)
	}
	b, err := c.MQTT.start(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	own, err := c.MQTT.client()
	if err != nil {
		t.Fatal(err)
	}
	outside, pages := strings.Replace(b.Addr(), "[::]", "127.0.0.1", 1), "ws://"+strings.Replace(b.Web(), "[::]", "127.0.0.1", 1)
	for what, x := range map[string]struct {
		addr, user, password string
		may                  int // topics it may write; -1 when it is not let in
	}{
		"the table": {own.Broker, own.User, own.Password, 8}, "the table with another password": {own.Broker, own.User, "x", -1},
		"the console": {outside, "console", "correct horse", 0}, "the console with another": {outside, "console", "x", -1}, "nobody": {outside, "", "", -1},
		"the console's page": {pages, "console", "correct horse", 0}, "its page with another password": {pages, "console", "x", -1}, "nobody's page": {pages, "", "", -1},
	} {
		rights, _, err := mqtt.Probe(t.Context(), mqtt.Config{Broker: x.addr, Table: c.Table, User: x.user, Password: x.password})
		may := -1
		if err == nil {
			may = 0
		}
		for _, r := range rights {
			if r.Why == "" {
				may++
			}
		}
		if may != x.may {
			t.Errorf("%s may write %d topics, want %d (%v)", what, may, x.may, err)
		}
	}
}

// TestPagesOfTheSitesThatAreNamed: of a configuration's origins each is let in, and no other.
func TestPagesOfTheSitesThatAreNamed(t *testing.T) {
	text := good[:strings.Index(good, "mqtt:")] + "mqtt:\n  embedded: {listen: '127.0.0.1:0', websockets: '127.0.0.2:0', origins: [https://studio.example, https://pit.example]}\n"
	c, problems := parseConfig("sabot.yaml", text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	b, err := c.MQTT.start(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for origin, want := range map[string]int{"https://studio.example": 101, "https://pit.example": 101, "http://127.0.0.1:8000": 101, "https://elsewhere.example": 403} {
		r, _ := http.NewRequest("GET", "http://"+b.Web(), nil)
		for k, v := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Origin": origin} {
			r.Header.Set(k, v)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("a page from %s: %s", origin, answer.Status)
		}
	}
}

func TestPasswordsOfTheBrokerNeedARole(t *testing.T) {
	for line, want := range map[string]string{
		"passwd --broker FILE tv": "sabot: passwd: --broker needs --role overlay, game, floor or table\n", "passwd --role floor FILE tv": "sabot: passwd: --role belongs to --broker\n",
	} {
		if _, errs, code := sabot(strings.Fields(line)...); code != exitUsage || errs != want {
			t.Errorf("%s: %d %s", line, code, errs)
		}
	}
}
