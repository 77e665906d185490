package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"sabot/mqtt/broker"
	"sabot/shoe/uid"
	"sabot/table/journal"
)

// Config is a configuration with everything resolved.
type Config struct {
	File     string
	Table    string
	Play     *Play
	Journal  string            // an absolute path
	Keep     journal.Retention // how long
	Device   DeviceConfig
	Box      BoxConfig
	MQTT     MQTTConfig
	Display  DisplayConfig
	Metrics  MetricsConfig
	Warnings Problems // what works, and will hurt

	normal json.RawMessage
}

// DeviceConfig is how the table's device is read: its shoe, or its wheel.
type DeviceConfig struct {
	Name     string // shoe or wheel: its section, and its name in events
	Protocol string // one of the device's protocols
	Port     string // an absolute path, or tcp://HOST:PORT
	Baud     int    // of a serial port; 0 for tcp

	dialect dialect // the protocol with its settings
}

// protocol is the one it speaks.
func (d *DeviceConfig) protocol() protocol {
	if d.Name == boxDevice { // a box has no cards, and speaks as a shoe does
		return devices["shoe"][d.Protocol]
	}
	return devices[d.Name][d.Protocol]
}

// usualBaud is the speed where none is written. Readers of tags have one by their format.
func (d *DeviceConfig) usualBaud() int {
	if tags, ok := d.dialect.(*uidDialect); ok {
		return uid.Baud(tags.Format)
	}
	return d.protocol().baud
}

// MQTTConfig is where the table publishes. Exactly one of Broker and Listen is not empty.
type MQTTConfig struct {
	Broker             string // tcp://, ssl://, ws:// or wss:// HOST:PORT; of a cluster its nodes, with commas between
	Listen             string // ADDRESS:PORT of a broker of our own
	WebSockets         string // and where it listens for web pages; "" for nowhere
	Origins            string // the sites whose pages may come there, beside this machine's own, with commas between
	User, PasswordFile string
	CA, Cert, Key      string // files in PEM; of the broker of our own its certificate and key
	Users              string // the file of those who may use it; "" where nobody else can reach it
	Commands           int    // a second, from the game server, and a fifth of it from the floor; 0 for the usual

	password string // in place of a file's
}

// maxConfig bounds a configuration file in bytes.
const maxConfig = 64 << 10

// readConfig reads the configuration of a table that is to run here. Its error is Problems.
func readConfig(file string) (Config, error) {
	return readBy(file, func(file, text string) *reader {
		r := readText(file, text)
		r.files()
		return r
	})
}

// readRules reads a configuration of which only what it plays is wanted.
func readRules(file string) (Config, error) { return readBy(file, readText) }

func readBy(file string, how func(file, text string) *reader) (Config, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, Problems{{File: file, Text: "there is no such file; name the configuration, or let `sabot setup` write one"}}
	}
	if err != nil {
		return Config{}, Problems{{File: file, Text: errors.Unwrap(err).Error() + "; it must be readable for the user sabot runs as"}}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return Config{}, Problems{{File: file, Text: errors.Unwrap(err).Error() + "; name a file"}}
	}
	r := how(file, string(text))
	c, problems := r.result()
	if len(problems) > 0 {
		return Config{}, problems
	}
	return c, nil
}

// files finds the files a configuration names that cannot be read. A configuration out of a record is read without it: its files are
// another machine's.
func (r *reader) files() {
	r.settleDialect(true)
	m := &r.config.MQTT
	at := "mqtt."
	if m.Listen != "" {
		at = "mqtt.embedded."
	}
	for name, path := range map[string]string{"password_file": m.PasswordFile, "ca": m.CA, "cert": m.Cert, "key": m.Key, "users": m.Users} {
		if path == "" {
			continue
		}
		f, err := os.Open(path)
		if err == nil {
			f.Close()
			continue
		}
		r.problem(r.nodes[at+name], "%s: %s: %v; it must be readable for the user sabot runs as", at+name, path, errors.Unwrap(err))
	}
	if m.Users == "" || len(r.problems) > 0 {
		return
	}
	if _, err := broker.ReadUsers(m.Users); err != nil {
		r.problem(r.nodes["mqtt.embedded.users"], "mqtt.embedded.users: %v; write a line NAME:ROLE:HASH for each", err)
	}
}

// ForRecord is the configuration as the record's headers hold it: what was written, without comments, order, quotes and layout, which change nothing. It holds no
// password, because none stands in a configuration. It is one itself: JSON is YAML.
func (c *Config) ForRecord() json.RawMessage { return c.normal }

// bare is what a node says: a value, a list, or a mapping, which is written in the order of its keys.
func bare(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = bare(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, one := range n.Content {
			list = append(list, bare(one))
		}
		return list
	}
	return n.Value
}

// parseConfig reads a configuration's text and finds everything wrong with it.
func parseConfig(file, text string) (Config, Problems) { return readText(file, text).result() }

func newReader(file string) *reader {
	return &reader{config: Config{File: file}, nodes: map[string]*yaml.Node{}, failed: map[string]bool{}}
}

func readText(file, text string) *reader {
	r := newReader(file)
	if root := r.document(text); root != nil {
		r.root = root
		r.section(root, "", r.top())
		r.settle()
		r.config.normal, _ = json.Marshal(bare(root)) // texts always marshal
	}
	return r
}

// result is what was read, and everything wrong with it in the order of the file.
func (r *reader) result() (Config, Problems) {
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return r.config, r.problems
}

// top are the keys of the file itself. Game comes before rules, bets and procedure, which depend on it.
func (r *reader) top() []key {
	c := &r.config
	return []key{
		{"table", "a name such as BJ-1", r.text("table", "1 to 32 letters, digits, _ or -", &c.Table, tableName.MatchString)},
		{"game", oneOf(sorted(games)), r.game},
		{"rules", "the name of a preset such as deluxe", r.rules},
		{"bets", "", r.bets},
		{"journal", "a folder such as /var/lib/sabot/BJ-1", r.text("journal", "an absolute path such as /var/lib/sabot/BJ-1", &c.Journal, absolute)},
		{"journal_keep", "", r.value("journal_keep", daysWanted, days(&c.Keep.All))},
		{"incidents_keep", "", r.value("incidents_keep", daysWanted, days(&c.Keep.Incidents))},
		{"shoe", "", r.device("shoe")},
		{"wheel", "", r.device("wheel")},
		{"box", "", r.box},
		{"mqtt", "broker or embedded under it", r.mqtt},
		{"display", "", r.display},
		{"metrics", "", r.metrics},
		{"procedure", "", r.procedure},
	}
}

var (
	tableName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)
	swapping  = regexp.MustCompile(`^/dev/tty(USB|ACM)[0-9]+$`)
)

func absolute(v string) bool { return filepath.IsAbs(v) && filepath.Clean(v) == v && v != "/" }

// game makes the game's first preset, so that its rules can be read even where `rules` is wrong. A name with a slip is taken for what
// was probably meant, so that the rest can be checked.
func (r *reader) game(n *yaml.Node) {
	var name string
	r.text("game", oneOf(sorted(games)), &name, func(v string) bool { return games[v] != nil })(n)
	if name == "" {
		name = nearest(n.Value, sorted(games))
	}
	if presets := games[name]; presets != nil {
		r.config.Play = presets[sorted(presets)[0]]()
	}
}

// rules is a preset's name, or a mapping of one and what the house changes.
func (r *reader) rules(n *yaml.Node) {
	if r.config.Play == nil {
		return // without a game there is nothing to compare with
	}
	presets := games[r.config.Play.Game]
	byName := r.value("rules", "the name of a preset: "+oneOf(sorted(presets)), func(v string) bool {
		if presets[v] != nil {
			r.config.Play = presets[v]()
		}
		return presets[v] != nil
	})
	if n.Kind != yaml.MappingNode {
		byName(n)
		return
	}
	if p := valueOf(n, "preset"); p != nil { // it makes what the others change
		byName(p)
	}
	preset := key{"preset", "the name of a preset such as deluxe", func(*yaml.Node) {}}
	r.section(n, "rules", append([]key{preset}, r.settings("rules")...))
}

func (r *reader) procedure(n *yaml.Node) {
	if r.config.Play != nil {
		r.section(n, "procedure", append(r.settings("procedure"), key{"classes", "", r.orders("classes")}, key{"remedies", "", r.orders("remedies")}))
	}
}

// orders reads where the house departs from the table of irregularities: by code, a class, or a list of remedies.
func (r *reader) orders(what string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		path := join("procedure", what)
		var keys []key
		for _, s := range r.config.Play.orders {
			code, of := strings.CutPrefix(s.Name, what+".")
			if of {
				keys = append(keys, key{code, "", r.list(join(path, code), s.Values, s.Set)})
			}
		}
		r.section(n, path, keys)
	}
}

// settings are the keys of a section that holds settings of the game.
func (r *reader) settings(section string) []key {
	var list []key
	keys, settings := r.config.Play.under(section)
	for i, s := range settings {
		list = append(list, key{keys[i], "", r.value(join(section, keys[i]), s.Values, s.Set)})
	}
	return list
}

// device reads the section of a shoe or a wheel. What else it has depends on the protocol.
func (r *reader) device(name string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		d := &r.config.Device
		d.Name = name
		protocols := devices[name]
		keys := []key{
			{"protocol", oneOf(sorted(protocols)), r.text(name+".protocol", oneOf(sorted(protocols)), &d.Protocol, func(v string) bool { return protocols[v].dialect != nil })},
			{"port", portWanted, r.text(name+".port", portWanted, &d.Port, validPort)},
			{"baud", "", r.baud(name+".baud", &d.Baud)},
		}
		if p := valueOf(n, "protocol"); p != nil && protocols[p.Value].dialect != nil {
			d.dialect = protocols[p.Value].dialect()
			keys = append(keys, d.dialect.keys(r, name)...)
		}
		r.section(n, name, keys)
	}
}

const portWanted = "/dev/serial/by-id/NAME or tcp://HOST:PORT"

var bauds = []string{"1200", "2400", "4800", "9600", "19200", "38400", "57600", "115200", "230400", "460800", "921600"}

func validPort(v string) bool {
	address, tcp := strings.CutPrefix(v, "tcp://")
	if !tcp {
		return absolute(v)
	}
	host, port, err := net.SplitHostPort(address)
	return err == nil && host != "" && validTCP(port)
}

func validTCP(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

func (r *reader) mqtt(n *yaml.Node) {
	m := &r.config.MQTT
	file := func(name string, to *string) key {
		return key{name, "", r.text("mqtt."+name, "an absolute path such as /etc/sabot/"+name, to, absolute)}
	}
	r.section(n, "mqtt", []key{
		{"broker", "", r.text("mqtt.broker", "tcp://, ssl://, ws:// or wss://, then HOST:PORT; a name and password go into user and password_file", &m.Broker, validBroker)},
		{"embedded", "", r.embedded},
		{"user", "", r.text("mqtt.user", "a name", &m.User, func(v string) bool { return len(v) <= 64 && v != "" })},
		file("password_file", &m.PasswordFile), file("ca", &m.CA), file("cert", &m.Cert), file("key", &m.Key),
		{"commands", "", r.value("mqtt.commands", "how many commands a second the game server may send (the floor a fifth of it), 1 to 10000; without it 25", func(v string) bool {
			n, err := strconv.ParseUint(v, 10, 16)
			m.Commands = int(n)
			return err == nil && n > 0 && n <= 10000
		})},
	})
}

func (r *reader) embedded(n *yaml.Node) {
	m := &r.config.MQTT
	file := func(name string, to *string) key {
		return key{name, "", r.text("mqtt.embedded."+name, "an absolute path such as /etc/sabot/"+name, to, absolute)}
	}
	const address = "an address and port of this machine such as 127.0.0.1:1883"
	r.section(n, "mqtt.embedded", []key{
		{"listen", address, r.text("mqtt.embedded.listen", address, &m.Listen, validAddress)},
		{"websockets", "", r.text("mqtt.embedded.websockets", "an address and another port of this machine such as 127.0.0.1:9001", &m.WebSockets, validAddress)},
		{"origins", "", r.list("mqtt.embedded.origins", "the sites whose pages may come by WebSockets, such as https://studio.example, as browsers name them; this machine's own may without", m.setOrigins)},
		file("users", &m.Users), file("cert", &m.Cert), file("key", &m.Key),
	})
}

// setOrigins takes sites as browsers name them.
func (m *MQTTConfig) setOrigins(v string) bool {
	m.Origins = v
	for site := range strings.SplitSeq(v, ",") {
		u, err := url.Parse(site)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || site != strings.ToLower(u.Scheme+"://"+u.Host) {
			return false
		}
	}
	return true
}

// validListen says whether v is an address that only this machine reaches.
func validListen(v string) bool {
	a, err := netip.ParseAddrPort(v)
	return err == nil && a.Addr().IsLoopback()
}

// settleListen lets nobody in from other machines who says no password, and warns where it can be overheard.
func (r *reader) settleListen() {
	m := &r.config.MQTT
	for _, door := range [][2]string{{"mqtt.embedded.listen", m.Listen}, {"mqtt.embedded.websockets", m.WebSockets}} {
		name, listen := door[0], door[1]
		n := r.nodes[name]
		switch {
		case listen == "" || validListen(listen):
		case m.Users == "":
			r.problem(n, "%s: other machines reach %s, and everybody there could play and release; write users beside it, or listen on 127.0.0.1", name, listen)
		case m.Cert == "":
			r.config.Warnings = append(r.config.Warnings, Problem{r.config.File, n.Line, n.Column, "warning: passwords go unencrypted over the network; write cert and key beside users"})
		}
	}
	if m.Listen != "" && m.Listen == m.WebSockets {
		r.problem(r.nodes["mqtt.embedded.websockets"], "mqtt.embedded.websockets is where the broker listens already; write another port")
	}
}

// validBroker says whether v is a broker's address, or those of a cluster's nodes with commas between.
func validBroker(v string) bool {
	scheme, _, _ := strings.Cut(v, ":")
	for node := range strings.SplitSeq(v, ",") {
		if node = strings.TrimSpace(node); !strings.HasPrefix(node, scheme+":") || !validNode(node) {
			return false
		}
	}
	return true
}

func validNode(v string) bool {
	u, err := url.Parse(v)
	if err != nil || u.User != nil || u.Hostname() == "" || !validTCP(u.Port()) || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	switch u.Scheme {
	case "tcp", "ssl":
		return u.Path == ""
	case "ws", "wss":
		return true
	}
	return false
}

// settle judges what only the whole can tell.
func (r *reader) settle() {
	r.settleBox()
	r.settleClaims()
	r.settleRules()
	r.settleBets()
	r.settleDevice()
	r.settleKeep()
	r.settleMQTT()
	r.settleDisplay()
	r.settleMetrics()
}

// settleClaims lets a coup's result wait for the shoe's own, where the shoe gives one and the house does not say. Whoever reads the configuration out of a record
// comes to the same.
func (r *reader) settleClaims() {
	const setting = "claim_time"
	p, claims := r.config.Play, r.config.Device.protocol().claims
	if p != nil && claims > 0 && r.nodes[pathOf(setting)] == nil && slices.Contains(p.settings.Names(), setting) {
		p.settings.Set(setting, claims.String())
	}
}

func (r *reader) settleRules() {
	p := r.config.Play
	if p == nil || r.nodes["rules"] == nil || r.failed["rules"] {
		return // these are not the rules meant
	}
	for _, problem := range p.problems() {
		path := pathOf(problem.Field)
		if r.failed[path] {
			continue // it has its problem
		}
		at := r.nodes[path]
		if at == nil {
			at = r.nodes["rules"] // the preset has it, and another setting contradicts it
		}
		r.problem(at, "%s: %s", path, problem.Text)
	}
}

// settleDevice wants the device that the game is played with, and no other.
func (r *reader) settleDevice() {
	d := &r.config.Device
	if p := r.config.Play; p != nil {
		name, other := p.Device, "wheel"
		if name == other {
			other = "shoe"
		}
		if n := r.nodes[other]; n != nil {
			r.problem(n, "%s has no %s; write %s", p.Game, other, name)
		}
		if r.nodes[name] == nil {
			r.problem(r.root, "%s is missing; write protocol and port under it", name)
		}
	}
	port, baud := r.nodes[d.Name+".port"], r.nodes[d.Name+".baud"]
	switch {
	case strings.HasPrefix(d.Port, "tcp://"):
		if baud != nil {
			r.problem(baud, "%s.baud means nothing for a tcp port; remove it", d.Name)
		}
	case baud == nil:
		d.Baud = d.usualBaud()
	}
	r.settleDialect(false)
	if swapping.MatchString(d.Port) {
		text := fmt.Sprintf("%s may be another device after the next start; write its name under /dev/serial/by-id", d.Port)
		r.config.Warnings = append(r.config.Warnings, Problem{r.config.File, port.Line, port.Column, "warning: " + text})
	}
}

// settleDialect tries the protocol's settings as a whole: here, or, where they name files, when those are looked at.
func (r *reader) settleDialect(files bool) {
	d := &r.config.Device
	if d.dialect == nil || d.protocol().files != files || len(r.problems) > 0 {
		return
	}
	if _, err := d.dialect.decoder(d.Name); err != nil {
		r.problem(r.nodes[d.Name], "%s: %v", d.Name, err)
	}
}

func (r *reader) settleMQTT() {
	n := r.nodes["mqtt"]
	if n == nil || r.failed["mqtt"] {
		return
	}
	broker, embedded := r.nodes["mqtt.broker"], r.nodes["mqtt.embedded"]
	switch {
	case broker == nil && embedded == nil:
		r.problem(n, "mqtt has no broker; write broker: tcp://HOST:1883, or embedded: {listen: 127.0.0.1:1883}")
	case broker != nil && embedded != nil:
		r.problem(embedded, "mqtt has both broker and embedded; remove one")
	}
	url := r.config.MQTT.Broker
	plain := strings.HasPrefix(url, "tcp:") || strings.HasPrefix(url, "ws:")
	for _, name := range []string{"user", "password_file", "ca", "cert", "key"} {
		at, tls := r.nodes["mqtt."+name], name == "ca" || name == "cert" || name == "key"
		switch {
		case at == nil:
		case broker == nil && embedded != nil:
			r.problem(at, "mqtt.%s means nothing for the embedded broker; remove it", name)
		case tls && plain:
			r.problem(at, "mqtt.%s means nothing without encryption; remove it, or write ssl:// or wss:// before the broker", name)
		}
	}
	r.together("mqtt.password_file", "mqtt.user")
	r.together("mqtt.cert", "mqtt.key")
	r.together("mqtt.key", "mqtt.cert")
	r.together("mqtt.embedded.cert", "mqtt.embedded.key")
	r.together("mqtt.embedded.key", "mqtt.embedded.cert")
	r.together("mqtt.embedded.cert", "mqtt.embedded.users")
	r.together("mqtt.embedded.origins", "mqtt.embedded.websockets")
	r.settleListen()
}

// together refuses a key without the one it needs.
func (r *reader) together(one, other string) {
	if n := r.nodes[one]; n != nil && r.nodes[other] == nil {
		r.problem(n, "%s without %s; write both", one, other)
	}
}
