package main

import (
	"net/netip"

	"go.yaml.in/yaml/v4"
)

// DisplayConfig is how `sabot display` serves its pages.
type DisplayConfig struct {
	Listen    string // ADDRESS:PORT
	Cert, Key string // files in PEM; "" serves plain HTTP
	Accounts  string // of the floor console; "" leaves it off
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
	})
}

func validAddress(v string) bool {
	_, err := netip.ParseAddrPort(v)
	return err == nil
}

// settleDisplay refuses passwords that would cross a network in the clear.
func (r *reader) settleDisplay() {
	r.together("display.cert", "display.key")
	r.together("display.key", "display.cert")
	d := r.config.Display
	if n := r.nodes["display.accounts"]; n != nil && d.Listen != "" && d.Cert == "" && !validListen(d.Listen) {
		r.problem(n, "display.accounts: passwords would cross the network unencrypted; write cert and key, or listen on 127.0.0.1")
	}
}
