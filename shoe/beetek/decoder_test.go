package beetek

import (
	"testing"
	"time"

	"sabot/shoe"
)

var four, ten = shoe.New(4, shoe.Spades), shoe.New(10, shoe.Hearts)

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func (d *Decoder) at(now time.Duration, text string) string {
	reports, _ := d.Feed(now, []byte(text))
	return saidAll(reports)
}

const (
	card    = " [Game]<Card:4S> "
	unnamed = " [Game]<Card:4X> "
)

func TestTheWindow(t *testing.T) {
	for _, test := range []struct {
		o     Options
		after time.Duration
		want  string
	}{
		{Options{}, usualWindow - 1, ""},
		{Options{}, usualWindow, "drawn 4s"},
		{Options{Window: time.Second}, time.Second - 1, ""},
		{Options{Window: time.Second}, time.Second, "drawn 4s"},
		{Options{Copies: 1}, 0, "drawn 4s"},
	} {
		d := New("shoe", test.o)
		expect(t, "first", d.at(time.Hour, card), "drawn 4s")
		expect(t, test.after.String(), d.at(time.Hour+test.after, card), test.want)
	}
}

func TestCopies(t *testing.T) {
	for copies, want := range map[int]string{1: "drawn 4s | drawn 4s | drawn 4s | drawn 4s", 2: "drawn 4s | drawn 4s", 3: "drawn 4s | drawn 4s", 4: "drawn 4s"} {
		expect(t, "four readings", New("shoe", Options{Copies: copies}).at(0, card+card+card+card), want)
	}
	expect(t, "two spoilt of three", New("shoe", Options{Copies: 3}).at(0, unnamed+unnamed+card), "drawn 4s")
	expect(t, "a spoilt one, and no copy is to come", New("shoe", Options{Copies: 1}).at(0, unnamed), "drawn ??")
}

func TestASpoiltCardWaitsForItsCopy(t *testing.T) {
	d := New("shoe", Options{})
	expect(t, "both copies spoilt", d.at(0, unnamed+unnamed), "drawn ??")
	expect(t, "no copy is to come", d.at(0, " [Manual Burn Cards]<Card:4X> "), "drawn ??")
	expect(t, "at once", d.at(0, unnamed), "")
	expect(t, "in the window", d.at(usualWindow-1, ""), "")
	expect(t, "after it", d.at(usualWindow, ""), "drawn ??")
	expect(t, "once", d.at(2*usualWindow, ""), "")
	expect(t, "again", d.at(time.Hour, unnamed), "")
	expect(t, "the copy", d.at(time.Hour+1, card), "drawn 4s")
	expect(t, "nothing is left", d.at(2*time.Hour, ""), "")
	expect(t, "a third", d.at(3*time.Hour, unnamed), "")
	expect(t, "its copy comes too late", d.at(3*time.Hour+usualWindow, card), "drawn ?? | drawn 4s")
}

func TestAReconnectionForgetsHalfAToken(t *testing.T) {
	d := New("shoe", Options{})
	expect(t, "half", d.at(0, card[:10]), "")
	d.Resume(shoe.Source{})
	expect(t, "the other half", d.at(0, card[10:]), "")
	d.at(0, unnamed)
	d.Resume(shoe.Source{})
	expect(t, "a card that waits is not forgotten", d.at(usualWindow, ""), "drawn ??")
	d = New("shoe", codes)
	expect(t, "half a line", d.at(0, "4"), "")
	d.Resume(shoe.Source{})
	expect(t, "a whole one", d.at(0, "41\r\n"), "drawn 4s")
}

func TestReportsAreOfTheDeviceWithTheirBytes(t *testing.T) {
	reports, out := New("left", Options{}).Feed(0, []byte(unnamed+"x <W0x01> "))
	if len(reports) != 2 || reports[0].Source != (shoe.Source{Device: "left"}) || string(reports[0].Raw) != "[Game]<Card:4X>" || string(reports[1].Raw) != "<W0x01>" || out != nil {
		t.Errorf("%+v, %q", reports, out)
	}
	reports, _ = New("left", codes).Feed(0, []byte("\xff41\r\n"))
	if len(reports) != 1 || string(reports[0].Raw) != "41" {
		t.Errorf("%+v", reports)
	}
	d := New("left", Options{})
	if d.Ack(reports[0].Source) != nil || d.Lock(true) != nil || d.Lock(false) != nil {
		t.Error("a shoe that hears nothing was told something")
	}
}

func TestTheDevice(t *testing.T) {
	manual := Options{Codes: codes.Codes, Copies: 3}
	for _, test := range []struct{ got, want string }{
		{string(NewDevice(Options{}, Game).Draw(four)), card + card},
		{string(NewDevice(Options{Copies: 1}, Game).Draw(four)), card},
		{string(NewDevice(Options{}, Game).Draw(shoe.Unread)), " [Game]<Game> "},
		{string(NewDevice(Options{}, Manual).Draw(ten)), " [Manual Burn Cards]<Card:TH> "},
		{string(NewDevice(Options{}, Game).Fault("E3", "Card Not Read")), " [GameAlarm]<Alarm:E3 Card Not Read> "},
		{string(NewDevice(Options{}, Game).Fault("<E3>", "[a]\r\né")), " [GameAlarm]<Alarm:.E3. .a....> "},
		{string(NewDevice(codes, Game).Draw(ten)), "42\r\n42\r\n"},
		{string(NewDevice(manual, Manual).Draw(ten)), "42\r\n"},
		{string(NewDevice(codes, Game).Draw(shoe.Unread)), "ERR\r\n"},
	} {
		expect(t, "device", test.got, test.want)
	}
	d := NewDevice(codes, Game)
	for name, p := range map[string][]byte{
		"boot": d.Boot(), "cut": d.Cut(), "an alarm's end": d.ClearFault("E3"), "an alarm": d.Fault("E3", "x"), "a card without a code": d.Draw(shoe.New(1, shoe.Clubs)),
		"an answer": d.Feed(0, []byte("\x02OPLK02\x031B")),
	} {
		if p != nil {
			t.Errorf("%s: %q", name, p)
		}
	}
	if d.Locked() {
		t.Error("locked")
	}
}

func TestUnderstood(t *testing.T) {
	codes := map[string]shoe.Card{"41": shoe.New(4, shoe.Spades)}
	for _, test := range []struct {
		codes map[string]shoe.Card
		said  string
		want  uint64
	}{
		{nil, " [Game]<Card:4S> ", 1}, {nil, "\xa5\xa5\r\n", 0}, {codes, "41\r\n41\r\n", 2}, {codes, "42\r\n", 0},
	} {
		d := New("shoe", Options{Codes: test.codes})
		d.Feed(0, []byte(test.said))
		if got := d.Understood(); got != test.want {
			t.Errorf("%q: %d understood, want %d", test.said, got, test.want)
		}
	}
}
