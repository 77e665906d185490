package angel

import (
	"strings"
	"testing"

	"sabot/shoe"
)

// cards reads cards of the notation.
func cards(t testing.TB, text string) (list []shoe.Card) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		c, err := shoe.ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// heard is what a decoder makes of what the device said.
func heard(p []byte) string {
	reports, _ := New("shoe", Options{}).Feed(0, p)
	return saidAll(reports)
}

func TestDeviceWritesTheVectors(t *testing.T) {
	d := NewDevice(Options{}, Habits{Copies: 1})
	expect(t, "start", string(d.Boot()), "\x051S\x0361")
	d.seq = 2
	expect(t, "Player 1", string(d.Draw(cards(t, "8s")[0])), "\x053D\x81\xB8\x034D")
	expect(t, "Banker 1", string(d.Draw(cards(t, "5d")[0])), "\x054D\x91\x95\x0377")
	expect(t, "result and standby", string(d.Result(shoe.Result{Winner: shoe.PlayerWins, PlayerPair: true})), "\x055G\x91\x03E0"+"\x056P\x0365")
	d.seq = 5
	expect(t, "cut", string(d.Cut()), "\x056C\x0376")
	expect(t, "misread", string(d.Fault("misread", "")), "\x057E\xC1\x03B0")
	expect(t, "over", string(d.ClearFault("misread")), "\x058e\x81\x03DF")
}

func TestDevicePlaysCoups(t *testing.T) {
	for _, test := range []struct{ cards, want string }{
		{"9s 2c Kd 5h", "9s P1 | 2c B1 | Kd P2 | 5h B2 | claimed player"},
		{"4s 4c 4d 4h", "4s P1 | 4c B1 | 4d P2 | 4h B2 | claimed tie pp bp"},
		{"2s 6c 3d Kh 6s", "2s P1 | 6c B1 | 3d P2 | Kh B2 | 6s P3 | Kc B3 | claimed banker"},    // 1 against 6, Banker draws to a third 6
		{"2s 3c 3d Kh 8s", "2s P1 | 3c B1 | 3d P2 | Kh B2 | 8s P3 | claimed tie"},               // 3 against 3: Banker stands on an 8
		{"2s 7c 4d 8h", "2s P1 | 7c B1 | 4d P2 | 8h B2 | Kc B3 | claimed player"},               // Player stands, Banker draws on 5
		{"2s 7c 4d Kh", "2s P1 | 7c B1 | 4d P2 | Kh B2 | claimed banker"},                       // 6 against 7
		{"2s 3c Kd Ah 9s", "2s P1 | 3c B1 | Kd P2 | Ah B2 | 9s P3 | claimed banker"},            // 1 against 4: stands on a 9
		{"2s Kc 3d Kh 9s", "2s P1 | Kc B1 | 3d P2 | Kh B2 | 9s P3 | Kc B3 | claimed player bp"}, // 4 against 0
		{"As Kc Kd 7h 2s", "As P1 | Kc B1 | Kd P2 | 7h B2 | 2s P3 | claimed banker"},            // 3 against 7
	} {
		d := NewDevice(Options{}, Habits{Copies: 3})
		var p []byte
		for range 2 { // a coup leaves nothing behind
			p = nil
			for _, c := range cards(t, test.cards) {
				p = append(p, d.Draw(c)...)
			}
			if d.coup != (coup{}) {
				p = append(p, d.Draw(cards(t, "Kc")[0])...)
			}
		}
		expect(t, test.cards, strings.ReplaceAll(heard(p), "drawn ", ""), test.want)
	}
}

func TestDeviceBurnsANewShoe(t *testing.T) {
	d := NewDevice(Options{}, Habits{Copies: 3, Burn: true})
	day := func(text string) string {
		p := d.Boot()
		for _, c := range cards(t, text) {
			p = append(p, d.Draw(c)...)
		}
		return strings.ReplaceAll(heard(p), "drawn ", "")
	}
	expect(t, "new", day("2s 3c 3c 4d"), "booted reboot | 2s BURN | 3c BURN | 3c BURN | 4d P1")
	expect(t, "a reboot", day("4d"), "booted reboot | 4d P1")
	d.Cut()
	expect(t, "the next shoe", day("Ks"+strings.Repeat(" 3c", 11)), "booted reboot | Ks BURN"+strings.Repeat(" | 3c BURN", 10)+" | 3c P1")
}

func TestDeviceInErrorMode(t *testing.T) {
	host, d := New("shoe", Options{}), NewDevice(Options{}, Habits{Copies: 3})
	say := func(p []byte) string {
		reports, _ := host.Feed(0, p)
		return saidAll(reports)
	}
	say(d.Draw(cards(t, "9s")[0]))
	expect(t, "misread", say(d.Draw(shoe.Unread)), "drawn ?? | faulted misread a card was not read")
	expect(t, "a card meanwhile", say(d.Draw(cards(t, "9s")[0])), "drawn 9s OUT")
	expect(t, "another error", say(d.Fault("overdraw", "")), "faulted overdraw a card too many was drawn")
	expect(t, "lock", say(d.Feed(0, host.Lock(true))), "")
	if !d.Locked() {
		t.Error("not locked")
	}
	expect(t, "a card while locked", say(d.Draw(shoe.Unread)), "drawn ?? OUT")
	expect(t, "the value", say(d.Reread(cards(t, "2c")[0])), "reread 2c B1")
	expect(t, "unlock", say(d.Feed(0, host.Lock(false))), "cleared misread | cleared overdraw")
	if d.Locked() || d.errors != 0 {
		t.Error("locked, or in error")
	}
	expect(t, "the coup goes on", say(append(d.Draw(cards(t, "Kd")[0]), d.Draw(cards(t, "5h")[0])...)), "drawn Kd P2 | drawn 5h B2 | claimed player")
}

func TestACoupWithAnUnreadCardIsQuit(t *testing.T) {
	d := NewDevice(Options{}, Habits{Copies: 1})
	p := d.Draw(cards(t, "9s")[0])
	p = append(p, d.Draw(shoe.Unread)...)
	p = append(p, d.ClearFault("misread")...)
	for _, c := range cards(t, "Kd Kc 2s 2c") {
		p = append(p, d.Draw(c)...)
	}
	expect(t, "the day", strings.ReplaceAll(heard(p), "drawn ", ""),
		"9s P1 | ?? | faulted misread a card was not read | cleared misread | Kd P2 | Kc B2 | claimed quit | 2s P1 | 2c B1")
}

func TestDeviceSaysNothingItHasNoWordFor(t *testing.T) {
	d := NewDevice(Options{}, Habits{Copies: 1})
	for name, p := range map[string][]byte{
		"a card nowhere": d.DrawAt(cards(t, "9s")[0], shoe.Claim{}), "an error of another maker": d.Fault("E3", "card not read"), "no error": d.Fault("", ""),
		"no end": d.ClearFault("E3"), "the end of none": d.ClearFault("misread"), "no value of none": d.Reread(cards(t, "9s")[0]),
		"a wrong sum": d.Feed(0, []byte("\x02OPLK02\x0319")), "an unknown command": d.Feed(0, Options{}.command("XX02")), "an error it has not": d.Feed(0, Options{}.command("EC40")),
		"noise": d.Feed(0, []byte("\x03OPLK02\x031B\x00\xff")),
	} {
		if p != nil {
			t.Errorf("%s: % X", name, p)
		}
	}
	if d.Locked() {
		t.Error("locked by noise")
	}
	expect(t, "noise, half a command, and one", string(d.Feed(0, []byte("x\x02OPLK\x02OPLK02\x031Bx"))), "\x06")
	expect(t, "its own text's sum", string(NewDevice(Options{BCCWithoutSTX: true}, Habits{Copies: 1}).Feed(0, []byte("\x02OPLK02\x0319"))), "\x06")
}
