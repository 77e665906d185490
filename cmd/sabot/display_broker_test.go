package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/broker"
	"sabot/mqtt/mqtttest"
)

// A broker that wants users and shows a certificate is followed: the embedded one of the table's own configuration, and any by the command line or by a configuration
// of pages alone.
func TestPagesFollowABrokerWithUsersAndTLS(t *testing.T) {
	dir := t.TempDir()
	selfSigned(t, dir)
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	line, err := broker.UserLine("screens", broker.Overlay, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	users, password, key := file("users", line+"\n"), file("password", "correct horse\n"), file("dealer.key", "0123456789abcdef\n")
	cert := filepath.Join(dir, "cert")
	at := ":" + port(mqtttest.FreeAddr(t)) // the display is told the same port as the broker, which cannot choose one itself
	table := good[:strings.Index(good, "mqtt:")] + "mqtt:\n  embedded: {listen: '0.0.0.0" + at + "', users: " + users + ", cert: " + cert + ", key: " + filepath.Join(dir, "key") + "}\n"
	c, err := readConfig(file("table.yaml", table))
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.MQTT.start(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	own := paho.NewClient(paho.NewClientOptions().AddBroker(c.MQTT.Broker).SetUsername(c.MQTT.User).SetPassword(c.MQTT.password))
	if token := own.Connect(); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	if token := own.Publish("sabot/BJ-1/layout", 1, true, `{"v":1,"record":"r","seq":1,"table":"BJ-1","game":"blackjack","phase":"bets"}`); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer own.Disconnect(0)
	login := "\n  user: screens\n  password_file: " + password + "\n"
	remote := []string{"--broker", "ssl://127.0.0.1" + at, "--user", "screens", "--password-file", password, "--ca"}
	for name, args := range map[string][]string{
		"the table's own":  {file("own.yaml", table+"display:\n  dealer_key: "+key+login)},
		"the command line": append(remote, cert),
		"pages alone":      {file("pages.yaml", "mqtt:\n  broker: ssl://127.0.0.1"+at+"\n  ca: "+cert+login)},
	} {
		if page := tablesOf(t, args, patience); !strings.Contains(page, "BJ-1") {
			t.Errorf("%s: the table is not heard: %s", name, page)
		}
	}
	other := t.TempDir()
	selfSigned(t, other)
	for name, args := range map[string][]string{
		"another's certificate":         append(remote, filepath.Join(other, "cert")),
		"another's than its own broker": {file("other.yaml", strings.Replace(table, cert, filepath.Join(other, "cert"), 1)+"display:"+login)},
	} {
		if page := tablesOf(t, args, 2*time.Second); strings.Contains(page, "BJ-1") {
			t.Errorf("%s is believed", name)
		}
	}
}

// tablesOf runs the pages and gives the list of tables, as soon as it is not empty, or after a while.
func tablesOf(t *testing.T, args []string, wait time.Duration) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	said := make(lines, 64)
	v, _ := find("display")
	done := make(chan error, 1)
	go func() {
		done <- showTables(&env{ctx: ctx, stdin: strings.NewReader(""), stdout: said, stderr: io.Discard, verb: v}, append([]string{"--listen", "127.0.0.1:0"}, args...))
	}()
	var address string
	select {
	case text := <-said:
		address = strings.TrimSpace(strings.TrimPrefix(text, "pages: "))
	case err := <-done:
		t.Fatalf("%q: %v", args, err)
	}
	page := ""
	for limit := time.Now().Add(wait); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
		answer, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if page = string(text); strings.Contains(page, "/overlay/") {
			break
		}
	}
	return page
}

// What a configuration of pages must not leave out, and what it must not have.
func TestConfigurationOfPages(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "sabot.yaml")
	short := filepath.Join(dir, "short")
	os.WriteFile(short, []byte("0123\n"), 0o600)
	line, _ := broker.UserLine("screens", broker.Overlay, "correct horse")
	users := filepath.Join(dir, "users")
	os.WriteFile(users, []byte(line+"\n"), 0o600)
	for text, want := range map[string]string{
		"mqtt: {broker: tcp://h:1883}\n":                                                                              "",
		"mqtt: {embedded: {listen: 127.0.0.1:1883}}\n":                                                                "mqtt.embedded is a table's",
		"display: {listen: 127.0.0.1:8080}\n":                                                                         "mqtt is missing",
		"mqtt: {broker: tcp://h:1883}\nrules: deluxe\n":                                                               "rules",
		"mqtt: {broker: tcp://h:1883}\ndisplay: {user: x}\n":                                                          "display.user without display.password_file",
		"mqtt: {broker: tcp://h:1883}\ndisplay: {dealer_key: " + short + "}\n":                                        "holds no key of 16",
		"mqtt: {broker: tcp://h:1883}\ndisplay: {dealer_key: /nowhere}\n":                                             "dealer_key",
		good[:strings.Index(good, "mqtt:")] + "mqtt:\n  embedded: {listen: '127.0.0.1:1883', users: " + users + "}\n": "display.user is missing",
	} {
		os.WriteFile(file, []byte(text), 0o600)
		c, err := readPages(file)
		if err == nil {
			_, err = c.pages()
		}
		if got := errorText(err); (want == "") != (err == nil) || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
