package wheel

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestASpinOfTheModel(t *testing.T) {
	d := NewDevice()
	out := string(d.Boot())
	expect(t, "no ball in the rim", string(d.NoMoreBets())+string(d.Win(3)), "")
	for now := time.Duration(0); now <= 2*time.Second; now += 250 * time.Millisecond {
		out += string(d.Feed(now, nil))
	}
	out += string(d.Spin())
	expect(t, "a second ball", string(d.Spin()), "")
	out += string(d.Feed(4*time.Second, nil))
	out += string(d.NoMoreBets())
	out += string(d.Feed(14*time.Second, nil))
	out += string(d.Win(7))
	expect(t, "a spin", strings.ReplaceAll(out, "\r\n", "|"), "*X;1;000;  ;0;120;0|*X;1;000;  ;0;120;0|*X;2;000;  ;0;120;0|*X;2;000;  ;0;120;0|*X;2;000;  ;0;120;0|"+
		"*X;3;000;  ;0;280;1|*X;3;000;  ;0;266;1|*X;4;000;  ;0;266;1|*X;4;000;  ;0;207;1| 7|*X;5;001; 7;0;207;1|")
	expect(t, "no such pocket", string(d.Win(38)), "")
	out = string(d.Feed(22*time.Second, nil)) + string(d.Feed(26*time.Second, nil))
	expect(t, "shown for three turns", strings.ReplaceAll(out, "\r\n", "|"), "*X;5;001; 7;0;170;1|*X;1;001; 7;0;154;1|")
}

func TestTheModelObeys(t *testing.T) {
	d := NewDevice()
	now := 200 * time.Millisecond
	says := func(what, command, want string) {
		t.Helper()
		expect(t, what, strings.ReplaceAll(string(d.Feed(now, []byte(command))), "\r\n", "|"), want)
	}
	says("asked", "*X\r\n", "*X;1;000;  ;0;120;0|")
	now += 99 * time.Millisecond
	says("asked too soon", "*X\r\n", "")
	now += time.Millisecond
	says("asked again", "*X\r\n", "*X;1;000;  ;0;120;0|")
	says("nothing to reset", "*R\r\n", "")
	says("started", "*u 1\r\n", "*X;2;000;  ;0;120;0|")
	says("started already", "*u 1\r\n", "")
	says("unknown", "*K\r\n*S\r\n*V\r\n*F\r\nX\r\n", "")
	d.Spin()
	expect(t, "with the rotor", string(d.NoSpin()), "*X;3;000;  ;2;280;1\r\n")
	expect(t, "so it waits", string(d.NoMoreBets()), "")
	says("reset", "*R\r\n", "*X;2;000;  ;0;280;1|")
	d.Spin()
	d.NoMoreBets()
	expect(t, "not found", string(d.NoSpin()), "*X;7;000;  ;0;280;0\r\n")
	says("closed", "*P 0\r\n", "*X;6;000;  ;0;280;0|")
	expect(t, "nothing rolls then", string(d.Spin())+string(d.NoSpin()), "")
	says("opened", "*P 1\r\n", "*X;1;000;  ;0;280;0|")
	says("open already", "*P 1\r\n", "")
}

func TestTheModelsFaults(t *testing.T) {
	d := NewDevice()
	expect(t, "component", string(d.Fault("12", "words")), "*F 12\r\n*X;1;000;  ;4;120;0\r\n")
	expect(t, "another", string(d.Fault("3", "")), "*F 3\r\n*X;1;000;  ;4;120;0\r\n")
	expect(t, "again", string(d.Fault("12", "")), "")
	expect(t, "none", string(d.Fault("E3\r\n*R", ""))+string(d.Fault("", ""))+string(d.ClearFault("4")), "")
	expect(t, "one is over", string(d.ClearFault("12")), "")
	expect(t, "both are", string(d.ClearFault("3")), "*X;1;000;  ;0;120;0\r\n")
	expect(t, "closed", string(d.Fault("closed", "")), "*X;6;000;  ;0;120;0\r\n")
	expect(t, "open", string(d.ClearFault("closed")), "*X;1;000;  ;0;120;0\r\n")
	d.Spin()
	expect(t, "boot", string(d.Boot()), "*X;1;000;  ;0;120;0\r\n")
}

// TestTheModelWritesWhatIsRead: every line it says is one of the three there are.
func TestTheModelWritesWhatIsRead(t *testing.T) {
	line := regexp.MustCompile(`^(\*X;[1-7];(\d{3});( \d|[123]\d|00|  );[0-9A-F];\d{3};[01]|( \d|[123]\d|00)|\*F \d{1,3})$`)
	d := NewDevice()
	out := string(d.Boot())
	for i := range 600 {
		now := time.Duration(i) * 250 * time.Millisecond
		out += string(d.Feed(now, []byte("*X\r\n")))
		switch i % 30 {
		case 3:
			out += string(d.Spin())
		case 8:
			out += string(d.NoMoreBets())
		case 12:
			out += string(d.Win(uint8(i / 15)))
		case 20:
			out += string(d.Fault("7", ""))
		case 25:
			out += string(d.ClearFault("7"))
		}
	}
	lines := strings.Split(strings.TrimSuffix(out, "\r\n"), "\r\n")
	for _, l := range lines {
		if !line.MatchString(l) {
			t.Errorf("it says %q", l)
		}
	}
	if len(lines) < 500 {
		t.Errorf("only %d lines", len(lines))
	}
}
