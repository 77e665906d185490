package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// sheet is a configuration as it is written: keys, and beside them in a column of their own what they mean.
type sheet struct{ strings.Builder }

// remarksAt is the column of the remarks.
const remarksAt = 36

// line writes one, at a depth of sections.
func (s *sheet) line(depth int, text, remark string) {
	text = strings.Repeat("  ", depth) + text
	if remark != "" {
		text = fmt.Sprintf("%-*s# %s", remarksAt, text+" ", remark)
	}
	s.WriteString(text + "\n")
}

// key writes a key with its value, as it must be quoted.
func (s *sheet) key(depth int, key, value, remark string) {
	s.line(depth, key+": "+quoted(value), remark)
}

// plainValue is what YAML takes for the text it is, and nothing else.
var plainValue = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./:%-]*[A-Za-z0-9_%]$|^[0-9]+[a-z%]+$`)

func quoted(v string) string {
	switch strings.ToLower(v) {
	case "null", "true", "false", "yes", "no", "on", "off":
		return strconv.Quote(v)
	}
	if plainValue.MatchString(v) {
		return v
	}
	return strconv.Quote(v)
}

// text is the configuration. A line that is a remark and would be a key says what holds without it.
func (p *plan) text() string {
	var s sheet
	play := p.play()
	s.line(0, "# Table "+p.said["table"]+", as `sabot setup` wrote it. `sabot check` says what is wrong with it, and in which line; a new start takes it over.", "")
	s.line(0, "# Where a key stands behind a #, its value is what holds without it, or an example: take the # away to change it.", "")
	s.line(0, "", "")
	s.key(0, "table", p.said["table"], "names the topics: sabot/"+p.said["table"]+"/…")
	s.key(0, "game", play.Game, "")
	p.writeRules(&s, play)
	s.key(0, "journal", p.said["journal"], "the record's folder: private, it names face-down cards")
	p.writeKeep(&s)
	p.writeDevice(&s, play.Device)
	p.writeBox(&s)
	p.writeBroker(&s)
	s.line(0, "# display: {listen: 127.0.0.1:8080}", "the pages of `sabot display`: overlay, dealer's screen, floor console")
	s.line(0, "# metrics: {listen: 127.0.0.1:9464}", "how the table runs, for a Prometheus")
	s.line(0, "procedure:", "times run in the game's own time: a pause stops them")
	keys, settings := play.under("procedure")
	for i, one := range settings {
		s.line(1, keys[i]+": "+one.Get(), one.Values)
	}
	return s.String()
}

// writeRules writes the preset, and each of its rules as a remark.
func (p *plan) writeRules(s *sheet, play *Play) {
	s.line(0, "rules:", "")
	s.key(1, "preset", play.Rules, "the rule sheet, which says:")
	keys, settings := play.under("rules")
	for i, one := range settings {
		s.line(1, "# "+keys[i]+": "+one.Get(), one.Values)
	}
	s.line(0, "# bets: on", "the table keeps the ledger of bets itself, and says what is paid")
}

func (p *plan) writeKeep(s *sheet) {
	if p.said["keep"] == "all" {
		s.line(0, "# journal_keep: 400d", "older shoes are removed; without it all is kept until somebody makes room")
		return
	}
	s.key(0, "journal_keep", p.said["keep"], "older shoes are removed; without it all is kept until somebody makes room")
	s.line(0, "# incidents_keep: 36500d", "and those in which something was irregular; without it they are kept")
}

func (p *plan) writeDevice(s *sheet, device string) {
	kind := p.reader()
	s.line(0, device+":", "")
	s.key(1, "protocol", kind.protocolName, kind.about)
	for _, setting := range kind.settings {
		s.key(1, setting[0], setting[1], setting[2])
	}
	if kind.enrolled() {
		s.key(1, "cards", p.beside(".cards"), "which tag is which card: `sabot enrol` writes it")
	}
	port := p.said["port"]
	if kind.virtual() {
		port = virtualPort
	}
	s.key(1, "port", port, "")
	if !strings.HasPrefix(port, "tcp://") {
		s.line(1, fmt.Sprintf("# baud: %d", kind.baud(device)), "")
	}
}

// virtualPort is where `sabot emulate` offers a device.
const virtualPort = "/tmp/sabot-device"

func (p *plan) writeBox(s *sheet) {
	switch box := p.said["box"]; box {
	case "none":
	case "standard":
		s.line(0, "box:", "on this machine's lines; another line: {next: GPIO5, key: {line: GPIO20, sense: nc}, …}")
		s.line(1, "buttons: standard", wiringOf(buttonWiring))
		s.line(1, "lamps: standard", wiringOf(lampWiring))
	default:
		s.line(0, "box:", "a device that speaks the neutral line")
		s.key(1, "port", box, "")
	}
}

// wiringOf is the standard wiring in words.
func wiringOf(parts map[string]string) string {
	var list []string
	for _, name := range sorted(parts) {
		list = append(list, name+" "+strings.TrimPrefix(parts[name], "GPIO"))
	}
	return "GPIO " + strings.Join(list, ", ")
}

func (p *plan) writeBroker(s *sheet) {
	s.line(0, "mqtt:", "")
	if !remote(p) {
		s.line(1, "embedded:", "")
		s.line(2, "listen: "+ownBroker, "another address lets other machines in, and wants users beside it: `sabot passwd --broker` writes their file")
		return
	}
	s.key(1, "broker", p.said["broker"], "")
	if p.said["user"] != "none" {
		s.key(1, "user", p.said["user"], "")
		s.key(1, "password_file", p.passwordFile(), "one line, for nobody else to read")
	}
	if ca := p.said["ca"]; ca != "" && ca != "system" {
		s.key(1, "ca", ca, "the authority that the broker's certificate is held against")
	}
}

// ownBroker is where a table's own broker listens.
const ownBroker = "127.0.0.1:1883"
