package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sabot/mqtt"
	"sabot/mqtt/broker"
	"sabot/mqtt/mqtttest"
)

// A shift at a real table, from a shell: every order of the contract is taken, or refused for what it is. SEQ is the entry of the last order that was taken, and CARD the
// number of an irregularity that the shoe makes then.
var shift = []struct{ line, answer string }{
	{"pause --by S-2 --because tea", "done: pause by S-2 because \"tea\""},
	{"pause --by S-2", "refused: PAUSED The table is paused"},
	{"resume by S-2", "done: resume by S-2"},
	{"stop --by S-2 --because seen", "done: stop by S-2 because \"seen\""},
	{"release SEQ use --by S-2", "refused: REMEDY_REFUSED"},
	{"reveal SEQ --by S-2", "refused: NO_HOLE_CARD"},
	{"draw 9s --by S-2", "refused: NO_ROUND"},
	{"release SEQ --by S-2 --round 7", "refused: STALE"},
	{"release SEQ --by S-2 --seen 1", "refused: STALE"},
	{"release SEQ --by S-2", "done: release "},
	{"exposed CARD --by S-2", "done: exposed "},
	{"correct CARD 9s --by S-2", "done: correct "},
	{"assign CARD 3a --by S-2", "refused: REMEDY_REFUSED"},
	{"release CARD burn --by S-2", "done: release "},
	{"close none --by S-2", "refused: NO_ROUND"},
	{"hit 1a --by S-2 --because said", "refused: NOT_HELD"},
	{"stand 1a --by S-2 --because said", "refused: NOT_HELD"},
	{"double 1a --by S-2 --because said", "refused: NOT_HELD"},
	{"split 1a --by S-2 --because said", "refused: NOT_HELD"},
	{"surrender 1 --by S-2 --because said", "refused: NOT_HELD"},
	{"insure 1 --by S-2 --because said", "refused: NOT_HELD"},
	{"even-money 1 --by S-2 --because said", "refused: NOT_HELD"},
	{"decline 1 --by S-2 --because said", "refused: NOT_HELD"},
	{"undo 1 --by S-2", "refused: STALE"},
	{"void 7 --by S-2", "refused: NO_ROUND"},
	{"void --round 1 --by S-2", "done: void 1 by S-2"},
	{"void --by S-2", "refused: NO_ROUND"},
	{"result 17 --by S-2", "refused: NOT_OFFERED"},
	{"dealer D-7 --by S-2", "done: dealer D-7 by S-2"},
	{"dispute 1 --by S-2", "done: dispute 1 by S-2"},
	{"burn 1 --by S-2", "done: burn 1 by S-2"},
	{"stop --by S-2", "done: stop by S-2"},
	{"draw 9s --by S-2", "done: draw 9s by S-2"},
	{"release SEQ --by S-2", "refused: NO_SUCH_HOLD"},
	{"release STOP --by S-2", "done: release "},
	{"retire --by S-2", "done: retire by S-2"},
	{"count 1 --by S-2", "done: count 1 by S-2"},
	{"retire --by S-2", "done: retire by S-2"},
	{"shoe 99 --by S-2", "done: shoe 99 by S-2"},
	{"retire --by S-2", "done: retire by S-2"},
	{"table-close --by S-2", "done: table close by S-2"},
	{"table-open --by S-2", "done: table open by S-2"},
	{"table close by S-2 because end", "done: table close by S-2 because \"end\""},
}

var entry = regexp.MustCompile(`\(entry (\d+)\)`)

func TestOrdersOfAShift(t *testing.T) {
	s := play(t, "blackjack", 1)
	at := []string{"floor", "--broker", "tcp://" + s.broker, "--table", demoTable}
	tried, numbers := map[string]bool{}, map[string]string{}
	for _, x := range shift {
		words := strings.Fields(x.line)
		if slices.Contains(words, "CARD") && numbers["CARD"] == "" {
			numbers["CARD"] = s.extraCard()
		}
		for i, w := range words {
			if n, ok := numbers[w]; ok {
				words[i] = n
			}
		}
		out, err, code := sabot(append(at, words...)...)
		if done := strings.HasPrefix(x.answer, "done"); !strings.HasPrefix(strings.TrimPrefix(out+err, "sabot: floor: "), x.answer) || done != (code == exitOK) || !done && code != exitFailed {
			t.Fatalf("%s: %d\n%s%s, want %s", strings.Join(words, " "), code, out, err, x.answer)
		}
		if n := entry.FindStringSubmatch(out); n != nil {
			numbers["SEQ"] = n[1]
			if words[0] == "stop" {
				numbers["STOP"] = n[1]
			}
		}
		tried[strings.Replace(words[0], "table", "table-close", 1)] = true
		tried[words[0]] = true
	}
	for _, do := range mqtt.Orders() {
		if !tried[do] {
			t.Errorf("%s was not tried", do)
		}
		if !slices.ContainsFunc(floorOrders, func(o order) bool { return o.name == do }) {
			t.Errorf("help does not list %s", do)
		}
	}
}

// extraCard draws a card that nobody waits for, and gives the number of what the table calls it.
func (s *shown) extraCard() string {
	s.t.Helper()
	err := errLocked
	for limit := time.Now().Add(patience); err == errLocked && time.Now().Before(limit); time.Sleep(time.Millisecond) { // it opens a moment after the stop is over
		err = s.shoe.Draw(s.people.cards[s.people.drawn])
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.people.until(s.ctx, "the stop", func() bool { return len(s.people.floor.Stops) == 1 }); err != nil {
		s.t.Fatal(err)
	}
	s.people.mu.Lock()
	defer s.people.mu.Unlock()
	return strconv.FormatInt(s.people.floor.Stops[0].Irregularity, 10)
}

func TestStateOfATable(t *testing.T) {
	s := play(t, "blackjack", 1)
	at := []string{"floor", "state", "--broker", "tcp://" + s.broker, "--table", demoTable}
	out, errs, code := sabot(at...)
	if want := demoTable + ": round 1, result, dealer nobody\n  shoe 1: 11 cards out, 405 left\n  felt: 7a Js Td = 20, dealer 2c 6h Tc = 18\n  due: open (NEXT, or the game server)\n  round 1 has ended\n    void 1                      Void round\n  to undo, correct, or enter something by hand\n    pause                       Pause\n"; code != exitOK || out != want {
		t.Errorf("%d %s\ngot  %s\nwant %s", code, errs, out, want)
	}
	n := s.extraCard()
	out, errs, code = sabot(at...)
	want := fmt.Sprintf("  stopped by %s CARD_AFTER_END: A card came after the round had ended.\n    release %s carry            Carry it to the next round (usual)\n    release %s burn             Burn it\n    correct %s CARD|cut         Correct a card\n    exposed %s                  All saw the card\n  besides\n    retire                      Retire the shoe\n  cards of round 1, for correct SEQ CARD|cut: 7a 12=Js 14=Td, dealer 13=2c 15=6h 17=Tc\n", n, n, n, n, n)
	if code != exitOK || !strings.HasSuffix(out, want) {
		t.Errorf("%d %s\ngot  %s\nwant %s", code, errs, out, want)
	}
}

// In Portuguese a table's state, and what it refuses, is told in Portuguese; orders stay as they are to be written.
func TestFloorInPortuguese(t *testing.T) {
	s := play(t, "blackjack", 1)
	at := []string{"floor", "--lang", "pt", "--by", "S-2", "--broker", "tcp://" + s.broker, "--table", demoTable}
	out, errs, code := sabot(append(at, "state")...)
	if want := demoTable + ": ronda 1, Resultados, croupier ninguém\n  sabot 1: saíram 11 cartas, restam 405\n  mesa: 7a Js Td = 20, dealer 2c 6h Tc = 18\n  a seguir: Abra a próxima ronda (NEXT, ou o servidor de jogo)\n  a ronda 1 já acabou\n    void 1                      Anular a ronda\n  para desfazer, corrigir, ou introduzir algo à mão\n    pause                       Pausa\n"; code != exitOK || out != want {
		t.Errorf("%d %s\ngot  %s\nwant %s", code, errs, out, want)
	}
	n := s.extraCard()
	out, errs, code = sabot(append(at, "state")...)
	want := fmt.Sprintf("  parada por %s CARD_AFTER_END: Saiu uma carta depois do fim da ronda.\n    release %s carry            Passar à próxima ronda (habitual)\n    release %s burn             Queimar\n    correct %s CARD|cut         Corrigir uma carta\n    exposed %s                  Carta vista por todos\n  e ainda\n    retire                      Retirar o sabot\n  cartas da ronda 1, para correct SEQ CARD|cut: 7a 12=Js 14=Td, dealer 13=2c 15=6h 17=Tc\n", n, n, n, n, n)
	if code != exitOK || !strings.HasSuffix(out, want) {
		t.Errorf("%d %s\ngot  %s\nwant %s", code, errs, out, want)
	}
	if _, errs, code := sabot(append(at, "release", n, "use")...); code != exitFailed || errs != "sabot: floor: recusado: REMEDY_REFUSED Esta solução não serve para a irregularidade\n" {
		t.Errorf("refused: %d %s", code, errs)
	}
	if out, errs, code := sabot(append(at, "release", n, "burn")...); code != exitOK || !strings.HasPrefix(out, "feito: release "+n+" burn by S-2 (entrada ") {
		t.Errorf("done: %d %s%s", code, out, errs)
	}
}

// A console of another machine comes in under a user of its own, and only one of the floor's role is heard.
func TestOrdersWithAUser(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("correct horse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := broker.Start(broker.Config{Users: map[string]broker.User{"desk": {Password: "correct horse", Role: broker.Floor}, "tv": {Password: "correct horse", Role: broker.Overlay}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	config := filepath.Join(dir, "sabot.yaml")
	text := strings.Replace(good[:strings.Index(good, "mqtt:")], "deluxe", "classic", 1) + "mqtt: {broker: 'tcp://" + b.Addr() + "', user: bj, password_file: /nowhere/secret}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ user, want string }{
		{"desk", "sabot: mqtt: nobody answers, and nothing was heard of this table"},
		{"tv", "sabot: mqtt: the broker refuses the subscription to sabot/BJ-1/"},
		{"nobody", "sabot: mqtt: connect to tcp://" + b.Addr()},
		{"", "sabot: mqtt: the password file: open /nowhere/secret"},
	} {
		args := []string{"floor", "pause", "--by", "S-2", "--config", config, "--wait", "5s"}
		if x.user != "" {
			args = append(args, "--user", x.user, "--password-file", secret)
		}
		if out, errs, code := sabot(args...); code != exitFailed || !strings.HasPrefix(errs, x.want) {
			t.Errorf("%s: %d %s%s, want %s", x.user, code, out, errs, x.want)
		}
	}
}

func TestOrdersThatAreNone(t *testing.T) {
	for _, x := range []struct{ line, want string }{
		{"fold", `sabot: floor: there is no order "fold"; ` + "`sabot floor -h` lists them\n"},
		{"pause", "sabot: floor: it must say by whom; write --by NAME\n"},
		{"release --by S-2", "sabot: floor: table: release: number is missing; usage: sabot floor release SEQ [use|burn|carry|assign HAND|reread|reveal|device]\n"},
		{"hit 3a --by S-2", "sabot: floor: mqtt: hit: because is missing; usage: sabot floor hit HAND --because WHY\n"},
		{"undo --by S-2", "sabot: floor: table: undo: number is missing; usage: sabot floor undo SEQ\n"},
		{"assign 4 --by S-2", "sabot: floor: table: release: hand from 1a to 7d, dealer, player or banker is missing; usage: sabot floor assign SEQ HAND\n"},
		{"draw ?? --by S-2", "sabot: floor: mqtt: draw: There is no such card; usage: sabot floor draw CARD [HAND]\n"},
		{"pause --by S-2 --round 4294967297", "sabot: floor: --round 4294967297 is not from 1 to 4294967295\n"},
		{"pause --by S-2 --seen=-1", "sabot: floor: --seen -1 is not from 1 to 9223372036854775807\n"},
		{"burn 300 --by S-2", "sabot: floor: table: burn: 300 is not from 1 to 20; usage: sabot floor burn CARDS\n"},
		{"count 70000 --by S-2", "sabot: floor: table: count: 70000 is not from 0 to 416; usage: sabot floor count CARDS\n"},
		{"shoe 2147483649 --by S-2", "sabot: floor: table: shoe: 2147483649 is not from 1 to 2147483648; usage: sabot floor shoe NUMBER\n"},
		{"dispute 99999999999999999999 --by S-2", "sabot: floor: table: dispute: 99999999999999999999 is not from 1 to 4294967295; usage: sabot floor dispute ROUND\n"},
		{"surrender 200 --by S-2 --because said", "sabot: floor: table: surrender: \"200\" is no seat from 1 to 7; usage: sabot floor surrender SEAT --because WHY\n"},
		{"result 99999999999999999999 --by S-2", "sabot: floor: table: result: 99999999999999999999 is not from 0 to 9223372036854775807; usage: sabot floor result POCKET\n"},
		{"state x --by S-2", "sabot: floor: table: \"state x\" is no event; usage: sabot floor state\n"},
		{"table-open --by S-2 --broker x", "sabot: floor: --broker takes tcp://, ssl://, ws:// or wss://, then HOST:PORT\n"},
		{"table-open --by S-2 --broker tcp://h:1", "sabot: floor: --broker needs --table NAME\n"},
	} {
		if out, errs, code := sabot(append([]string{"floor"}, strings.Fields(x.line)...)...); code != exitUsage || errs != x.want {
			t.Errorf("%s: %d %s%s, want %s", x.line, code, out, errs, x.want)
		}
	}
	for _, line := range []string{"release -h", "-h release"} {
		out, _, code := sabot(append([]string{"floor"}, strings.Fields(line)...)...)
		if code != exitOK || out != "usage: sabot floor [flags] release SEQ [use|burn|carry|assign HAND|reread|reveal|device]\n\nsettle an irregularity; without a remedy by its default\n" {
			t.Errorf("%s: %d %s", line, code, out)
		}
	}
}

// The embedded broker, encrypted and with users, is found through the configuration, and known by its certificate: another one's hears no password.
func TestOrdersToAnEncryptedBrokerOfOurOwn(t *testing.T) {
	dir := t.TempDir()
	selfSigned(t, dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := broker.SetUser(at("users"), "desk", broker.Floor, "correct horse"); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(at("secret"), []byte("correct horse\n"), 0o600)
	text := good[:strings.Index(good, "mqtt:")] + fmt.Sprintf("mqtt:\n  embedded: {listen: '%s', users: %s, cert: %s, key: %s}\n", mqtttest.FreeAddr(t), at("users"), at("cert"), at("key"))
	os.WriteFile(at("sabot.yaml"), []byte(text), 0o600)
	c, err := readConfig(at("sabot.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.MQTT.start(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	order := func(want string) {
		t.Helper()
		_, errs, code := sabot("floor", "state", "--config", at("sabot.yaml"), "--user", "desk", "--password-file", at("secret"), "--wait", "5s")
		if code != exitFailed || !strings.Contains(errs, want) {
			t.Errorf("%d %s, want %s", code, errs, want)
		}
	}
	order("nothing was heard of this table")
	selfSigned(t, dir)
	order("another certificate than the configuration's")
}
