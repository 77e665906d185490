package main

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/wager"
)

var update = flag.Bool("update", false, "rewrite testdata/bad.txt; read the difference before you commit it")

const good = `table: BJ-1
game: blackjack
rules:
  preset: deluxe
  seats: 5
journal: /var/lib/sabot/BJ-1
shoe:
  protocol: line
  port: /dev/serial/by-id/usb-shoe
mqtt:
  broker: ssl://studio:8883
  user: sabot
  password_file: /etc/sabot/mqtt.password
  ca: /etc/sabot/ca.pem
procedure:
  bets: 0s
`

func TestConfigIsResolved(t *testing.T) {
	c, problems := parseConfig("good.yaml", good)
	if len(problems) > 0 || len(c.Warnings) > 0 {
		t.Fatalf("%v %v", problems, c.Warnings)
	}
	want := blackjack.Deluxe()
	want.Seats, want.BetTime = 5, 0
	if *c.Play.Blackjack != want {
		t.Errorf("rules %+v, want %+v", *c.Play.Blackjack, want)
	}
	if c.Table != "BJ-1" || c.Play.Game != "blackjack" || c.Play.Rules != "deluxe" || c.Journal != "/var/lib/sabot/BJ-1" {
		t.Errorf("%+v", c)
	}
	if want := (DeviceConfig{"shoe", "line", "/dev/serial/by-id/usb-shoe", 115200, c.Device.dialect}); c.Device != want || *want.dialect.(*lineDialect) != (lineDialect{}) {
		t.Errorf("shoe %+v, want %+v", c.Device, want)
	}
	if want := (MQTTConfig{Broker: "ssl://studio:8883", User: "sabot", PasswordFile: "/etc/sabot/mqtt.password", CA: "/etc/sabot/ca.pem"}); c.MQTT != want {
		t.Errorf("mqtt %+v, want %+v", c.MQTT, want)
	}
	if got := c.Play.New(table.Opening{}).Layout(); got.Rules != "deluxe" || got.Phase != table.Closed {
		t.Errorf("layout %+v", got)
	}
}

// What a house orders otherwise is what its supervisor is offered.
func TestOrdersAreASetting(t *testing.T) {
	text := strings.Replace(good, "  bets: 0s\n", "  cut_least: 60%\n  classes:\n    BURN_UNREAD: now\n  remedies:\n    STOP: device\n    EXTRA_CARD: [burn, use]\n", 1)
	c, problems := parseConfig("f", text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if c.Play.House.CutLeast != 60 {
		t.Errorf("cut_least is %d", c.Play.House.CutLeast)
	}
	g := c.Play.New(table.Opening{Open: true, Shoe: 1})
	for i, line := range []string{"draw ??", "correct 1 As by S-1", "draw ??", "release 3 by S-1", "open", "draw 2s"} {
		e, _ := table.Parse(line)
		e.Seq = int64(i + 1)
		g.Step(e, nil)
	}
	if stops := table.Stops(g); len(stops) != 1 || stops[0].Code != "EXTRA_CARD" || strings.Join(stops[0].Remedies, " ") != "burn use" {
		t.Errorf("stops %+v", stops)
	}
}

// A coup's result waits for the shoe's own where the shoe gives one, unless the house says otherwise; out of a record it comes to the same.
func TestClaimTime(t *testing.T) {
	text := func(protocol, procedure string) string {
		return "table: B-1\ngame: baccarat\nrules: puntobanco\njournal: /var/lib/sabot/B-1\nshoe:\n  protocol: " + protocol +
			"\n  port: /dev/serial/by-id/usb-shoe\nmqtt:\n  broker: tcp://studio:1883\n" + procedure
	}
	for _, c := range []struct{ text, want string }{
		{text("angel", ""), "500ms"}, {text("angel", "procedure:\n  claim_time: 0s\n"), "0s"}, {text("angel", "procedure:\n  claim_time: 2s\n"), "2s"},
		{text("angel", "procedure:\n  bets: 20s\n"), "500ms"}, {text("line", ""), "0s"}, {text("line", "procedure:\n  claim_time: 300ms\n"), "300ms"},
	} {
		config, problems := parseConfig("f", c.text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		recorded, err := recordedPlay(config.ForRecord())
		if err != nil {
			t.Fatal(err)
		}
		if now, then := config.Play.settings.Get("claim_time"), recorded.settings.Get("claim_time"); now != c.want || then != c.want {
			t.Errorf("%s is %s and out of the record %s; want %s", c.text, now, then, c.want)
		}
	}
	c, problems := parseConfig("f", strings.Replace(good, "  protocol: line", "  protocol: angel", 1))
	if len(problems) > 0 || slices.Contains(c.Play.settings.Names(), "claim_time") {
		t.Errorf("blackjack waits for claims: %v", problems)
	}
}

func TestLinesMayEndAsOnWindows(t *testing.T) {
	if _, problems := parseConfig("f", strings.ReplaceAll(good, "\n", "\r\n")); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
}

// With bets the table keeps a ledger: a slip is taken and settled; without, it is not offered.
func TestBetsAreASetting(t *testing.T) {
	bet := func(bets string) (*Play, table.Code) {
		c, problems := parseConfig("f", strings.Replace(good, "  seats: 5\n", "  seats: 5\n"+bets, 1))
		if len(problems) > 0 {
			t.Fatalf("%s: %v", bets, problems)
		}
		g := c.Play.New(table.Opening{Open: true, Shoe: 1})
		for _, text := range []string{"draw As", "draw 2s", "open"} {
			e, _ := table.Parse(text)
			g.Step(e, nil)
		}
		e, _ := table.Parse("bet P-81 3 50")
		return c.Play, g.Check(e)
	}
	if p, code := bet(""); p.Bets != nil || code != table.BetNotOffered {
		t.Errorf("without bets: %v", code)
	}
	if p, code := bet("bets: on\n"); *p.Bets != wager.Deluxe() || code != table.OK {
		t.Errorf("with bets: %v", code)
	}
	if p, code := bet("bets:\n  seat: 100-5000\n  behind: off\n  rounding: player\n"); p.Bets.Rounding != wager.Player || p.Bets.Limits[table.BetBehind] != (wager.Limit{}) || code != table.BetLimit {
		t.Errorf("with limits: %+v, %v", p.Bets, code)
	}
}

// Two configurations never share rules: a second table in the same program must not change the first one's.
func TestRulesAreNotShared(t *testing.T) {
	a, _ := parseConfig("a", good)
	b, _ := parseConfig("b", good)
	b.Play.Blackjack.Seats = 1
	if a.Play.Blackjack.Seats != 5 {
		t.Error("they share them")
	}
}

// Every setting takes each of its words and reads it back.
func TestEverySettingReadsBack(t *testing.T) {
	values := map[string][]string{
		"decks": {"1", "8"}, "seats": {"1", "7"}, "peek": {"never", "ten", "ace_ten"}, "hole_card": {"none", "dealt"}, "split": {"points", "face"},
		"split_hands": {"2", "4"}, "split_deal": {"in_turn", "both"}, "dealer_soft17": {"stand", "hit"}, "draw_without_stake": {"true", "false"},
		"double_after_split": {"true", "false"}, "surrender": {"none", "late_2_9", "late_any"}, "even_money": {"true", "false"}, "insurance": {"true", "false"},
		"timeout_rule": {"none", "draw_past_11"}, "short_of_money": {"convert", "refuse"}, "shuffle": {"cut", "every_round"}, "burn": {"none", "value", "1", "20"},
		"hands_after_cut": {"0", "1"}, "pair": {"true", "false"},
		"grace": {"0s", "2.5s", "10s"}, "bet_time": {"0s", "1s", "10m0s"}, "insurance_time": {"0s", "1s"}, "decision_time": {"0s", "15s"},
		"cut_least": {"0%", "50%", "95%"}, "peek_by": {"implied", "button"}, "reveal_by": {"implied", "button"},
		"decisions": {"buttons", "server"}, "hit": {"implied", "told"},
	}
	p := games["blackjack"]["deluxe"]()
	for _, s := range p.settings {
		if len(values[s.Name]) == 0 {
			t.Errorf("no values for %s", s.Name)
		}
		for _, v := range values[s.Name] {
			if !s.Set(v) || s.Get() != v {
				t.Errorf("%s: %s reads back as %s", s.Name, v, s.Get())
			}
		}
		for _, v := range []string{"", "maybe", "-1", "99", "1e3", "-2s", "11m", "21"} {
			before := *p.Blackjack
			if s.Set(v) || *p.Blackjack != before {
				t.Errorf("%s takes %q", s.Name, v)
			}
		}
	}
}

func TestSettingsChangeTheirOwnRule(t *testing.T) {
	p, err := newPlay("blackjack", map[string]string{"preset": "deluxe", "peek": "ten", "split_deal": "both", "insurance": "false", "insurance_time": "3s", "reveal_by": "button"})
	if err != nil {
		t.Fatal(err)
	}
	want := blackjack.Deluxe()
	want.Peek, want.SplitDeal, want.Insurance, want.InsuranceTime, want.ImpliedReveal = blackjack.PeekTen, blackjack.Both, false, 3*time.Second, false
	if *p.Blackjack != want {
		t.Errorf("%+v, want %+v", *p.Blackjack, want)
	}
	if got := strings.Join(p.overrides(), " "); got != "peek: ten split_deal: both insurance: false" {
		t.Errorf("overrides %q", got)
	}
}

func TestPlaysThatAreNone(t *testing.T) {
	tests := []struct {
		game, key, value string
		want             string
	}{
		{"bridge", "", "", `there is no game "bridge"; write baccarat, blackjack or roulette`},
		{"blackjack", "preset", "luxo", `there are no rules "luxo" of blackjack; write preset=classic, deluxe, didactic or live`},
		{"blackjack", "seat", "3", "seat is not known; did you mean seats?"},
		{"blackjack", "seats", "12", `seats: "12" is not understood; write a number from 1 to 7`},
		{"blackjack", "hole_card", "none", "peek: there is no hole card to look at; write never, or hole_card: dealt"},
	}
	for _, test := range tests {
		if _, err := newPlay(test.game, settingsOf(test.key, test.value)); err == nil || err.Error() != test.want {
			t.Errorf("%s %s=%s: %v, want %s", test.game, test.key, test.value, err, test.want)
		}
	}
}

// bad are the good configuration with one text replaced by another, which is what people do to configurations.
var bad = []struct{ name, old, new string }{
	{"table missing", "table: BJ-1\n", ""},
	{"table with a space", "table: BJ-1", "table: BJ 1"},
	{"table too long", "table: BJ-1", "table: BJ-123456789012345678901234567890"},
	{"table misspelt", "table:", "tabel:"},
	{"table in capitals", "table:", "TABLE:"},
	{"table empty", "table: BJ-1", "table:"},
	{"table a list", "table: BJ-1", "table: [BJ-1]"},
	{"game missing", "game: blackjack\n", ""},
	{"game misspelt, its rules still read", "game: blackjack", "game: blakjack\nprocedur:"},
	{"game unknown", "game: blackjack", "game: bridge"},
	{"rules missing", "rules:\n  preset: deluxe\n  seats: 5\n", ""},
	{"rules unknown", "rules:\n  preset: deluxe\n  seats: 5\n", "rules: luxo\n"},
	{"rules a list", "rules:\n  preset: deluxe\n  seats: 5\n", "rules: [deluxe]\n"},
	{"preset missing", "  preset: deluxe\n", ""},
	{"preset unknown", "preset: deluxe", "preset: deluxx"},
	{"rule misspelt", "seats: 5", "seat: 5"},
	{"rule unknown", "seats: 5", "jokers: 2"},
	{"too many seats", "seats: 5", "seats: 8"},
	{"no seats", "seats: 5", "seats: 0"},
	{"seats in words", "seats: 5", "seats: five"},
	{"seats a fraction", "seats: 5", "seats: 5.0"},
	{"nine decks", "seats: 5", "decks: 9"},
	{"yes for true", "seats: 5", "even_money: yes"},
	{"word for a choice", "seats: 5", "peek: always"},
	{"burn of half the shoe", "seats: 5", "burn: 200"},
	{"peek without a hole card", "seats: 5", "hole_card: none"},
	{"peek without a hole card, both written", "seats: 5", "hole_card: none\n  peek: ten"},
	{"even money without insurance", "seats: 5", "insurance: false\n  even_money: true"},
	{"cut card in a shuffled game", "seats: 5", "shuffle: every_round\n  hands_after_cut: 1"},
	{"a wrong value is not contradicted too", "seats: 5", "hole_card: none\n  peek: nevr"},
	{"rule without a value", "seats: 5", "seats:"},
	{"rule twice", "seats: 5", "seats: 5\n  seats: 6"},
	{"journal missing", "journal: /var/lib/sabot/BJ-1\n", ""},
	{"journal relative", "/var/lib/sabot/BJ-1", "var/lib/sabot/BJ-1"},
	{"journal the root", "/var/lib/sabot/BJ-1", "/"},
	{"journal kept for no days", "journal: /var/lib/sabot/BJ-1\n", "journal: /var/lib/sabot/BJ-1\njournal_keep: 0d\n"},
	{"journal kept for hours", "journal: /var/lib/sabot/BJ-1\n", "journal: /var/lib/sabot/BJ-1\njournal_keep: 2160h\n"},
	{"incidents kept shorter", "journal: /var/lib/sabot/BJ-1\n", "journal: /var/lib/sabot/BJ-1\njournal_keep: 90d\nincidents_keep: 30d\n"},
	{"incidents kept alone", "journal: /var/lib/sabot/BJ-1\n", "journal: /var/lib/sabot/BJ-1\nincidents_keep: 30d\n"},
	{"shoe missing", "shoe:\n  protocol: line\n  port: /dev/serial/by-id/usb-shoe\n", ""},
	{"shoe a word", "shoe:\n  protocol: line\n  port: /dev/serial/by-id/usb-shoe\n", "shoe: line\n"},
	{"shoe without port", "  port: /dev/serial/by-id/usb-shoe\n", ""},
	{"protocol unknown", "protocol: line", "protocol: lines"},
	{"another protocol's setting", "protocol: line", "protocol: line\n  bcc: with-stx"},
	{"angel's checksum", "protocol: line", "protocol: angel\n  bcc: both\n  window: soon"},
	{"pattern without expression", "protocol: line", "protocol: pattern"},
	{"pattern that is no expression", "protocol: line", "protocol: pattern\n  expression: '(?P<rank>'"},
	{"pattern with a word for a table", "protocol: line", "protocol: pattern\n  preset: barcode\n  codes: A1"},
	{"pattern with a code that is no card", "protocol: line", "protocol: pattern\n  expression: '(?P<code>..)'\n  codes: {A1: 9x}"},
	{"an empty box", "mqtt:", "box: {}\nmqtt:"},
	{"buttons by a word", "mqtt:", "box:\n  buttons: usual\nmqtt:"},
	{"a button nobody knows", "mqtt:", "box:\n  buttons: {nxt: GPIO5}\nmqtt:"},
	{"a button without a line", "mqtt:", "box:\n  buttons: {next: {sense: nc, debounce: soon}}\nmqtt:"},
	{"two buttons on a line", "mqtt:", "box:\n  buttons: {next: GPIO5, hit: GPIO5}\nmqtt:"},
	{"a lamp's level", "mqtt:", "box:\n  lamps: {red: {line: GPIO5, active: no}}\nmqtt:"},
	{"uid without file", "protocol: line", "protocol: uid\n  format: rdm6300"},
	{"port relative", "port: /dev/serial/by-id/usb-shoe", "port: ttyUSB0"},
	{"port of tcp missing", "port: /dev/serial/by-id/usb-shoe", "port: tcp://10.0.0.7"},
	{"baud unusual", "protocol: line", "protocol: line\n  baud: 115201"},
	{"baud of tcp", "port: /dev/serial/by-id/usb-shoe", "port: tcp://10.0.0.7:4001\n  baud: 9600"},
	{"mqtt missing", good[strings.Index(good, "mqtt:"):strings.Index(good, "procedure:")], ""},
	{"mqtt empty", good[strings.Index(good, "mqtt:"):strings.Index(good, "procedure:")], "mqtt:\n"},
	{"no broker", "  broker: ssl://studio:8883\n", ""},
	{"two brokers", "  user: sabot", "  embedded: {listen: 127.0.0.1:1883}\n  user: sabot"},
	{"broker of another protocol", "ssl://studio", "amqp://studio"},
	{"broker without port", "ssl://studio:8883", "ssl://studio"},
	{"broker with a password, which is not repeated", "ssl://studio", "ssl://me:secret@studio"},
	{"password in the file", "password_file: /etc/sabot/mqtt.password", "password: secret"},
	{"password without user", "  user: sabot\n", ""},
	{"certificate without key", "  ca: ", "  cert: "},
	{"key without certificate", "  ca: ", "  key: "},
	{"ca without encryption", "ssl://studio:8883", "tcp://studio:1883"},
	{"embedded with a user", "broker: ssl://studio:8883", "embedded: {listen: 127.0.0.1:1883}"},
	{"embedded for all the world", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: 0.0.0.0:1883}"},
	{"embedded where others reach it, with a key and no users", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: '[::]:1883', cert: /etc/sabot/cert, key: /etc/sabot/key}"},
	{"embedded with a certificate alone", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: 0.0.0.0:1883, users: /etc/sabot/users, cert: /etc/sabot/cert}"},
	{"embedded on a name", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: localhost:1883}"},
	{"web pages for all the world", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: 127.0.0.1:1883, websockets: 0.0.0.0:9001}"},
	{"web pages on the broker's own port", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: 127.0.0.1:1883, websockets: 127.0.0.1:1883}"},
	{"origins without web pages", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: 127.0.0.1:1883, origins: https://studio.example}"},
	{"an origin that is an address", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: 127.0.0.1:1883, websockets: 127.0.0.1:9001, origins: [https://studio.example, https://studio.example/overlay]}"},
	{"an origin that anybody has", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {listen: 127.0.0.1:1883, websockets: 127.0.0.1:9001, origins: \"null\"}"},
	{"no commands", "  user: sabot\n", "  user: sabot\n  commands: 0\n"},
	{"too many commands", "  user: sabot\n", "  user: sabot\n  commands: 70000\n"},
	{"embedded without address", "broker: ssl://studio:8883\n  user: sabot\n  password_file: /etc/sabot/mqtt.password\n  ca: /etc/sabot/ca.pem", "embedded: {}"},
	{"metrics without address", "journal:", "metrics: {}\njournal:"},
	{"metrics on a name", "journal:", "metrics: {listen: localhost:9464}\njournal:"},
	{"metrics by a word", "journal:", "metrics: on\njournal:"},
	{"bets off", "  seats: 5\n", "  seats: 5\nbets: off\n"},
	{"bets under no limit", "  seats: 5\n", "  seats: 5\nbets:\n  seat: 100\n"},
	{"bets of another game", "  seats: 5\n", "  seats: 5\nbets:\n  straight: 1-100\n"},
	{"bets on a Pair that is not there", "  seats: 5\n", "  seats: 5\n  pair: false\nbets:\n  pair: 1-100\n"},
	{"time without unit", "bets: 0s", "bets: 15"},
	{"time negative", "bets: 0s", "bets: -1s"},
	{"time too long", "bets: 0s", "bets: 11m"},
	{"grace too long", "bets: 0s", "grace: 1h"},
	{"a wheel for a card game", "shoe:\n  protocol: line", "wheel:\n  protocol: line"},
	{"a button where none is", "bets: 0s", "peek: button"},
	{"class lowered", "bets: 0s", "classes: {EXTRA_CARD: note}"},
	{"class of a refusal", "bets: 0s", "classes:\n    REFUSED: now"},
	{"class of no irregularity", "bets: 0s", "classes:\n    EXTRA_CARDS: now"},
	{"remedy that does not fit", "bets: 0s", "remedies:\n    MISREAD: [reread, use]"},
	{"remedy twice", "bets: 0s", "remedies:\n    EXTRA_CARD: [burn, burn]"},
	{"no remedy at all", "bets: 0s", "remedies:\n    EXTRA_CARD: []"},
	{"remedies in a mapping", "bets: 0s", "remedies:\n    EXTRA_CARD: {burn: true}"},
	{"remedies in lists of lists", "bets: 0s", "remedies:\n    EXTRA_CARD: [[burn]]"},
	{"remedies a word", "bets: 0s", "remedies: burn"},
	{"cut card in cards", "bets: 0s", "cut_least: 208"},
	{"buttons where there is no box", "bets: 0s", "decisions: buttons\n  reveal: button"},
	{"a hit that nobody told", "bets: 0s", "hit: implied"},
	{"key of the procedure unknown", "bets: 0s", "dealer: button"},
	{"procedure a word", "procedure:\n  bets: 0s\n", "procedure: implied\n"},
	{"key twice", "game: blackjack", "game: blackjack\ngame: blackjack"},
	{"key no word", "game: blackjack", "game: blackjack\n? [a, b]\n: c"},
	{"alias", "user: sabot", "user: &u sabot\n  cert: *u"},
	{"tag", "user: sabot", "user: !!str sabot"},
	{"second document", "procedure:", "---\nprocedure:"},
	{"tab", "  seats: 5", "\tseats: 5"},
	{"colon too many", "table: BJ-1", "table: BJ: 1"},
	{"indented wrongly", "  seats: 5", "   seats: 5"},
	{"quote left open", "table: BJ-1", "table: 'BJ-1"},
	{"bracket left open", "seats: 5", "seats: [5"},
	{"control character", "user: sabot", "user: sa\x07bot"},
	{"carriage return alone", "user: sabot", "user: sa\rbot"},
	{"line separator of Unicode", "user: sabot", "user: sa\u2028bot"},
	{"not UTF-8", "user: sabot", "user: sab\xf6t"},
	{"everything at once", good, "tabel: x\ngame: blackjack\nrules: deluxe\nmqtt: {broker: x}\nprocedure: {grace: 1}\n"},
	{"nothing", good, ""},
	{"comments only", good, "# to do\n"},
	{"a list", good, "- table: BJ-1\n"},
	{"a word", good, "blackjack\n"},
	{"too long", good, strings.Repeat("#\n", maxConfig)},
}

func TestBadConfigs(t *testing.T) {
	var got strings.Builder
	for _, b := range bad {
		if strings.Count(good, b.old) != 1 {
			t.Fatalf("%s: %q is not in the good configuration once", b.name, b.old)
		}
		_, problems := parseConfig("sabot.yaml", strings.Replace(good, b.old, b.new, 1))
		if len(problems) == 0 {
			t.Errorf("%s: taken", b.name)
		}
		got.WriteString("# " + b.name + "\n" + problems.Error() + "\n\n")
	}
	const file = "testdata/bad.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(got.String(), "\n\n"), strings.Split(string(want), "\n\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("block %d differs (-update rewrites the file):\n got %s\nwant %s", i, g[min(i, len(g)-1)], w[min(i, len(w)-1)])
		}
	}
}

func TestSecretsAreNotRepeated(t *testing.T) {
	for _, text := range []string{
		strings.Replace(good, "ssl://studio", "ssl://me:secret@studio", 1), strings.Replace(good, "password_file: /etc/sabot/mqtt.password", "password: secret", 1),
		strings.Replace(good, "user: sabot", "user: [secret@x]", 1), strings.Replace(good, "port: /dev/serial/by-id/usb-shoe", "port: tcp://me:secret@x", 1),
	} {
		if _, problems := parseConfig("f", text); len(problems) == 0 || strings.Contains(problems.Error(), "secret") {
			t.Errorf("%v", problems)
		}
	}
}

func TestWarnsOfPortsThatSwap(t *testing.T) {
	for port, warned := range map[string]bool{"/dev/ttyUSB0": true, "/dev/ttyACM12": true, "/dev/ttyAMA0": false, "/dev/serial/by-id/ttyUSB0": false, "tcp://10.0.0.7:4001": false} {
		c, problems := parseConfig("f", strings.Replace(good, "/dev/serial/by-id/usb-shoe", port, 1))
		if len(problems) > 0 || len(c.Warnings) > 0 != warned {
			t.Errorf("%s: %v %v", port, problems, c.Warnings)
		}
	}
}

func TestBaudOfTCPIsNone(t *testing.T) {
	c, problems := parseConfig("f", strings.Replace(good, "/dev/serial/by-id/usb-shoe", "tcp://[::1]:4001", 1))
	if len(problems) > 0 || c.Device.Baud != 0 || c.Device.Port != "tcp://[::1]:4001" {
		t.Errorf("%+v %v", c.Device, problems)
	}
}

// sameAgain reads a configuration as the record holds it, which comes to the same, and is held the same.
func sameAgain(t *testing.T, c Config) {
	t.Helper()
	again, problems := parseConfig("f", string(c.ForRecord()))
	if len(problems) > 0 || string(again.ForRecord()) != string(c.ForRecord()) {
		t.Fatalf("%s is read as %s: %v", c.ForRecord(), again.ForRecord(), problems)
	}
	parts := func(c *Config) []any {
		p, d := c.Play, c.Device
		return []any{c.Table, c.Journal, c.Keep, c.MQTT, c.Display, p.Game, p.Rules, p.House, p.Blackjack, p.Bets, d.Name, d.Protocol, d.Port, d.Baud}
	}
	if !reflect.DeepEqual(parts(&c), parts(&again)) {
		t.Fatalf("%s is read\n%+v, and was written\n%+v", c.ForRecord(), parts(&again), parts(&c))
	}
}

// A configuration is the same whatever is written for people.
func TestConfigurationOfTheRecord(t *testing.T) {
	c, _ := parseConfig("f", good)
	sameAgain(t, c)
	lines := strings.SplitAfter(good, "\n")
	slices.Reverse(lines[:2])
	other := "# ours\n" + strings.Join(lines, "")
	other = strings.Replace(other, "table: BJ-1", "table:   'BJ-1' # the first one", 1)
	o, problems := parseConfig("g", other)
	if len(problems) > 0 || string(o.ForRecord()) != string(c.ForRecord()) || other == good {
		t.Errorf("%s is kept as\n%s and not as\n%s: %v", other, o.ForRecord(), c.ForRecord(), problems)
	}
	if _, err := recordedPlay(c.ForRecord()); err != nil {
		t.Error(err)
	}
	older, _ := json.Marshal(good)
	if _, err := recordedPlay(older); err != nil {
		t.Error(err)
	}
}

// FuzzConfig: no text makes it panic, every problem has a place in the file and comes in order, and what is taken is whole.
func FuzzConfig(f *testing.F) {
	f.Add(good)
	for _, b := range bad {
		if len(b.new) < 1000 {
			f.Add(strings.Replace(good, b.old, b.new, 1))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, problems := parseConfig("f", text)
		lines, last := strings.Count(text, "\n")+2, Problem{Line: 1, Column: 1}
		for _, p := range problems {
			if p.Line < last.Line || p.Line == last.Line && p.Column < last.Column || p.Line > lines || p.Column < 1 || p.Text == "" || strings.Contains(p.Text, "\n") {
				t.Fatalf("%q after %q in %d lines", p, last, lines)
			}
			last = p
		}
		if len(problems) == 0 {
			sameAgain(t, c)
		}
		whole := c.Table != "" && c.Play != nil && c.Journal != "" && c.Device.Protocol != "" && c.Device.Port != "" && (c.MQTT.Broker == "") != (c.MQTT.Listen == "")
		if len(problems) == 0 && (!whole || len(c.Play.problems()) > 0) {
			t.Fatalf("taken: %+v", c)
		}
	})
}

// settingsOf are deluxe's with one more.
func settingsOf(key, value string) map[string]string {
	s := map[string]string{"preset": "deluxe"}
	if key != "" {
		s[key] = value
	}
	return s
}

// TestUsualSpeeds: a reader of tags speaks as fast as its format's do.
func TestUsualSpeeds(t *testing.T) {
	for device, want := range map[string]int{
		"{protocol: line, port: /dev/x}": 115200, "{protocol: angel, port: /dev/x}": 4800, "{protocol: line, port: /dev/x, baud: 9600}": 9600,
		"{protocol: uid, format: rdm6300, cards: /c, port: /dev/x}": 9600, "{protocol: uid, format: id12, cards: /c, port: /dev/x}": 9600,
		"{protocol: uid, format: pn532, cards: /c, port: /dev/x}": 115200, "{protocol: uid, format: jsonl, cards: /c, port: /dev/x}": 115200,
		"{protocol: uid, format: jsonl, cards: /c, port: tcp://10.0.0.7:4001}": 0,
	} {
		c, problems := parseConfig("test", "table: B\ngame: blackjack\nrules: deluxe\njournal: /j\nmqtt: {broker: tcp://h:1}\nshoe: "+device+"\n")
		if len(problems) > 0 || c.Device.Baud != want {
			t.Errorf("%s: %d baud, want %d; %v", device, c.Device.Baud, want, problems)
		}
	}
}
