package main

import (
	"fmt"
	"net/netip"
	"os"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"sabot/mqtt/display"
)

// DisplayConfig is how `sabot display` serves its pages.
type DisplayConfig struct {
	Listen    string // ADDRESS:PORT
	Cert, Key string // files in PEM; "" serves plain HTTP
	Accounts  string // of the floor console; "" leaves it off
	DealerKey string // the file of what a dealer's screen must know to say why the table stopped; "" for none that may

	User, PasswordFile string // on the broker, in place of mqtt's
}

// display reads the pages' section.
func (r *reader) display(n *yaml.Node) {
	d := &r.config.Display
	file := func(name string, to *string) key {
		return key{name, "", r.text("display."+name, "an absolute path such as /etc/sabot/"+name, to, absolute)}
	}
	const listen = "an address of this machine such as 127.0.0.1:8080, or 0.0.0.0:8080 for all of them"
	r.section(n, "display", []key{
		{"listen", "", r.text("display.listen", listen, &d.Listen, validAddress)}, file("cert", &d.Cert), file("key", &d.Key), file("accounts", &d.Accounts),
		file("dealer_key", &d.DealerKey), {"user", "", r.text("display.user", "a name", &d.User, func(v string) bool { return len(v) <= 64 && v != "" })}, file("password_file", &d.PasswordFile),
	})
}

// readPages reads a configuration for its pages alone. A machine that has no table, only pages of others', writes nothing but mqtt and display.
func readPages(file string) (Config, error) {
	return readBy(file, func(file, text string) *reader {
		r := newReader(file)
		root := r.document(text)
		if root == nil || valueOf(root, "table") != nil {
			return readText(file, text)
		}
		r.section(root, "", []key{{"mqtt", "broker under it", r.mqtt}, {"display", "", r.display}})
		if n := r.nodes["mqtt.embedded"]; n != nil {
			r.problem(n, "mqtt.embedded is a table's; write broker, or the whole configuration of the table")
			return r
		}
		r.settleMQTT()
		r.settleDisplay()
		return r
	})
}

// pages is what the pages follow: the table's broker, as its own user unless display has one.
func (c *Config) pages() (display.Config, error) {
	m, d := c.MQTT, c.Display
	if d.User != "" {
		m.User, m.PasswordFile = d.User, d.PasswordFile
	}
	if m.Users != "" && d.User == "" {
		return display.Config{}, Problems{{File: c.File, Line: 1, Column: 1, Text: "display.user is missing: the embedded broker has users; add one of the role floor to them, or overlay without a console, and write user and password_file"}}
	}
	p := display.Config{Accounts: d.Accounts}
	client, err := m.nextDoor()
	if err == nil && d.DealerKey != "" {
		p.DealerKey, err = readDealerKey(d.DealerKey)
	}
	p.Broker, p.User, p.Password, p.TLS = client.Broker, client.User, client.Password, client.TLS
	return p, err
}

// minDealerKey is the fewest letters of a dealers' key, which stands in addresses and which nobody types.
const minDealerKey = 16

var dealerKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func readDealerKey(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("display: dealer_key: %w", err)
	}
	key := strings.TrimSpace(string(text))
	if len(key) < minDealerKey || !dealerKey.MatchString(key) {
		return "", fmt.Errorf("display: dealer_key: %s holds no key of %d letters, digits, _ or - and more; `openssl rand -hex 16` makes one", file, minDealerKey)
	}
	return key, nil
}

func validAddress(v string) bool {
	_, err := netip.ParseAddrPort(v)
	return err == nil
}

// settleDisplay refuses passwords that would cross a network in the clear.
func (r *reader) settleDisplay() {
	r.together("display.cert", "display.key")
	r.together("display.key", "display.cert")
	r.together("display.user", "display.password_file")
	r.together("display.password_file", "display.user")
	d := r.config.Display
	if n := r.nodes["display.accounts"]; n != nil && d.Listen != "" && d.Cert == "" && !validListen(d.Listen) {
		r.problem(n, "display.accounts: passwords would cross the network unencrypted; write cert and key, or listen on 127.0.0.1")
	}
}
