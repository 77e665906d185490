package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sabot/drivers/gpio"
	"sabot/shoe/uid"
)

// question is one thing that must be known of a table. What may be answered is one of those offered, or, where it has valid, whatever that lets pass.
type question struct {
	name   string              // a flag's, too
	about  string              // what is asked
	arises func(*plan) bool    // nil for always
	only   string              // when it arises, for people
	offer  func(*plan) []offer // what is proposed first
	valid  func(p *plan, v string) (why string)
}

// offer is what may be answered.
type offer struct{ word, about string }

// proposal is what an empty answer means.
func (q *question) proposal(p *plan) string {
	if list := q.offer(p); len(list) > 0 {
		return list[0].word
	}
	return ""
}

// refuse says why an answer is none, "" for one that is.
func (q *question) refuse(p *plan, v string) string {
	var words []string
	for _, o := range q.offer(p) {
		words = append(words, o.word)
	}
	switch {
	case slices.Contains(words, v):
		return ""
	case q.valid != nil:
		return q.valid(p, v)
	}
	return short(v) + " is none of them" + instead(v, words)
}

// questions are all there are, in the order they arise: each may look at the answers before it.
var questions = []question{
	{name: "rules", about: "the rules, of which game", offer: offerRules},
	{name: "table", about: "the table's name: it names the topics", offer: offerTable, valid: validName},
	{name: "shoe", about: "the shoe, by how it speaks", arises: played("shoe"), only: "roulette has a wheel", offer: kinds(shoeKinds)},
	{name: "wheel", about: "the wheel, by how it speaks", arises: played("wheel"), only: "only roulette has a wheel", offer: kinds(wheelKinds)},
	{name: "port", about: "the port it is attached to, or tcp://HOST:PORT", arises: attachedDevice, only: "there is no device yet", offer: offerPorts, valid: validDevicePort},
	{name: "box", about: "the dealer's box of buttons and lamps: none, standard, or the port of a box that speaks the neutral line", offer: offerBox, valid: validBox},
	{name: "decisions", about: "who enters the players' decisions", arises: decided, only: "it is asked in blackjack with a box", offer: offerDecisions},
	{name: "broker", about: "the MQTT broker: embedded, or tcp://HOST:1883, ssl://HOST:8883", offer: offerBroker, valid: validBrokerChoice},
	{name: "user", about: "the table's user at the broker; none where it asks for no password", arises: remote, only: "the embedded broker has none", offer: offerNone, valid: validUser},
	{name: "ca", about: "the certificate of the broker's authority, a file in PEM; system for those this machine knows", arises: encrypted, only: "it is for ssl:// and wss://", offer: offerSystem, valid: validFile},
	{name: "journal", about: "the record's folder", offer: offerJournal, valid: validFolder},
	{name: "keep", about: "for how long the record is kept, such as 90d, or all; shoes with an incident are kept in any case", offer: offerKeep, valid: validKeep},
}

// deviceKind is a shoe or a wheel that can be chosen.
type deviceKind struct {
	offer
	protocolName string
	settings     [][3]string // key, value, remark
}

func (k deviceKind) protocol(device string) protocol { return devices[device][k.protocolName] }

// baud is the usual one.
func (k deviceKind) baud(device string) int {
	if k.enrolled() {
		return uid.Baud(k.word)
	}
	return k.protocol(device).baud
}

// virtual says that there is none yet.
func (k deviceKind) virtual() bool { return k.word == "none" }

// enrolled says that its cards are read by tags.
func (k deviceKind) enrolled() bool { return k.protocolName == "uid" }

func tagReader(format, about string) deviceKind {
	return deviceKind{offer{format, about}, "uid", [][3]string{{"format", format, ""}}}
}

var shoeKinds = []deviceKind{
	{offer{"none", "none yet: a virtual one, by `sabot emulate line`"}, "line", nil},
	{offer{"line", "the neutral line: firmware of your own"}, "line", nil},
	{offer{"angel", "Angel Eye II-EX"}, "angel", [][3]string{{"bcc", "with-stx", "or without-stx, if it does not obey its lock"}}},
	{offer{"beetek", "Bee-Tek"}, "beetek", nil},
	{offer{"barcode", "a barcode scanner that says a card, such as 9S"}, "pattern", [][3]string{{"preset", "barcode", ""}}},
	{offer{"five", "a barcode scanner that says place, suit and rank, such as A1010"}, "pattern", [][3]string{{"preset", "five", ""}}},
	tagReader("rdm6300", "tags, read by an RDM6300"),
	tagReader("id12", "tags, read by an ID-12 or ID-20"),
	tagReader("pn532", "tags, read by a PN532"),
	tagReader("jsonl", "tags, read by a client that says lines of JSON"),
}

var wheelKinds = []deviceKind{
	{offer{"none", "none yet: a virtual one, by `sabot emulate wheel`"}, "slingshot", nil},
	{offer{"slingshot", "Cammegh SlingShot 2"}, "slingshot", nil},
	{offer{"line", "the neutral line: firmware of your own"}, "line", nil},
}

func kinds(list []deviceKind) func(*plan) []offer {
	return func(*plan) (offers []offer) {
		for _, k := range list {
			offers = append(offers, k.offer)
		}
		return offers
	}
}

// found is what setup finds on this machine.
type found struct {
	ports []offer
	chips string // of lines for buttons and lamps; "" for none
}

func lookAround() found {
	var f found
	for _, p := range machinePorts() {
		f.ports = append(f.ports, offer{p.name, p.about})
	}
	lines, _ := gpio.Lines() // what cannot be read the doctor says
	f.chips = strings.Join(slices.Compact(chips(lines)), ", ")
	return f
}

func offerRules(*plan) (list []offer) {
	for _, game := range []string{"blackjack", "baccarat", "roulette"} {
		for _, rules := range sorted(games[game]) {
			list = append(list, offer{rules, game})
		}
	}
	first := slices.IndexFunc(list, func(o offer) bool { return o.word == "deluxe" })
	list[0], list[first] = list[first], list[0]
	return list
}

func offerTable(p *plan) []offer {
	prefix := map[string]string{"blackjack": "BJ", "baccarat": "BAC", "roulette": "RO"}[gameOf(p.said["rules"])]
	return []offer{{prefix + "-1", ""}}
}

func validName(_ *plan, v string) string {
	return unless(tableName.MatchString(v), v, "1 to 32 letters, digits, _ or -")
}

// unless is why v is no answer, if it is none.
func unless(ok bool, v, want string) string {
	if ok {
		return ""
	}
	return short(v) + " is none; write " + want
}

// played says that the game is played with a device.
func played(device string) func(*plan) bool {
	return func(p *plan) bool { return games[gameOf(p.said["rules"])][p.said["rules"]]().Device == device }
}

func attachedDevice(p *plan) bool { return !p.reader().virtual() }

func offerPorts(p *plan) []offer { return p.found.ports }

func validDevicePort(_ *plan, v string) string { return unless(validPort(v), v, portWanted) }

func offerBox(p *plan) []offer {
	standard := offer{"standard", "buttons and lamps on this machine's lines, which it has none of"}
	if p.found.chips != "" {
		standard.about = "buttons and lamps on this machine's lines: " + p.found.chips
	}
	list := []offer{{"none", "a game server decides, a supervisor opens"}, standard}
	for _, o := range p.found.ports {
		if o.word != p.said["port"] {
			list = append(list, o)
		}
	}
	return list
}

func validBox(p *plan, v string) string {
	if v == p.said["port"] {
		return v + " is taken already; a box has a port of its own"
	}
	return unless(validPort(v), v, "none, standard, or "+portWanted)
}

func decided(p *plan) bool { return p.said["box"] != "none" && gameOf(p.said["rules"]) == "blackjack" }

func offerDecisions(*plan) []offer {
	return []offer{{"buttons", "the dealer, on the box"}, {"server", "a game server, over MQTT"}}
}

func offerBroker(*plan) []offer {
	return []offer{{"embedded", "one of its own, for this machine alone"}}
}

func validBrokerChoice(_ *plan, v string) string {
	return unless(validBroker(v), v, "embedded, or tcp://, ssl://, ws:// or wss://, then HOST:PORT; user and password are asked for")
}

func remote(p *plan) bool { return p.said["broker"] != "embedded" }

func offerNone(*plan) []offer { return []offer{{"none", ""}} }

func validUser(_ *plan, v string) string { return unless(v != "" && len(v) <= 64, v, "a name") }

func encrypted(p *plan) bool {
	return strings.HasPrefix(p.said["broker"], "ssl:") || strings.HasPrefix(p.said["broker"], "wss:")
}

func offerSystem(*plan) []offer { return []offer{{"system", ""}} }

func validFile(_ *plan, v string) string {
	if !absolute(v) {
		return unless(false, v, "an absolute path such as /etc/sabot/ca.crt, or system")
	}
	f, err := os.Open(v)
	if err != nil {
		return err.Error()
	}
	f.Close()
	return ""
}

// offerJournal proposes the machine's place for such things, and for a configuration that is not in the machine's place one beside it.
func offerJournal(p *plan) []offer {
	dir := "/var/lib/sabot"
	if p.file != toStdout && !strings.HasPrefix(p.file, "/etc/") {
		dir = filepath.Dir(p.file)
	}
	return []offer{{filepath.Join(dir, p.said["table"]), ""}}
}

func validFolder(_ *plan, v string) string {
	return unless(absolute(v), v, "an absolute path such as /var/lib/sabot/BJ-1")
}

func offerKeep(*plan) []offer {
	return []offer{{"400d", "some 5 GB of a table that deals 100 rounds an hour, day and night"}, {"all", "until somebody makes room"}}
}

func validKeep(_ *plan, v string) string {
	var d time.Duration
	return unless(days(&d)(v), v, fmt.Sprintf("%s, or all", daysWanted))
}
