package angel

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
)

// of makes messages of one copy: a seq and what follows it, in hex, separated by spaces: "1:44-81-B8".
func of(text string) (p []byte) {
	for word := range strings.FieldsSeq(text) {
		body, err := hex.DecodeString(strings.ReplaceAll(word[2:], "-", ""))
		if err != nil {
			panic(err)
		}
		p = append(p, frame(enq, false, word[:1]+string(body))...)
	}
	return p
}

func (d *Decoder) hear(now time.Duration, p []byte) string {
	reports, _ := d.Feed(now, p)
	return saidAll(reports)
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

const (
	lock   = "\x02OPLK02\x031B"
	unlock = "\x02OPLK01\x0318"
	clear1 = "\x02OPEC01\x0319"
	clear7 = "\x02OPEC07\x031F"
)

// card is Player 1, the 8 of spades; burnt the same, burnt.
const card, burnt = "1:44-81-B8", "1:44-A1-B8"

func TestTheWindow(t *testing.T) {
	for _, test := range []struct {
		o     Options
		after time.Duration
		want  string
	}{
		{Options{}, 2*time.Second - 1, ""},
		{Options{}, 2 * time.Second, "drawn 8s BURN"},
		{Options{Window: time.Second}, time.Second - 1, ""},
		{Options{Window: time.Second}, time.Second, "drawn 8s BURN"},
	} {
		d := New("shoe", test.o)
		expect(t, "first", d.hear(time.Hour, of(burnt)), "drawn 8s BURN")
		expect(t, test.after.String(), d.hear(time.Hour+test.after, of(burnt)), test.want)
	}
}

func TestAFilledPlaceOutlastsTheWindow(t *testing.T) {
	d := New("shoe", Options{})
	expect(t, "first", d.hear(0, of(card)), "drawn 8s P1")
	expect(t, "an hour later", d.hear(time.Hour, of(card)), "")
}

func TestAReconnectionForgets(t *testing.T) {
	d := New("shoe", Options{})
	p := of(card)
	expect(t, "first, and a half", d.hear(0, slices.Concat(p, p[:5])), "drawn 8s P1")
	d.Resume(shoe.Source{})
	expect(t, "the other half", d.hear(0, p[5:]), "")
	expect(t, "the same frame, for all we know another card", d.hear(0, p), "drawn 8s P1")
}

func TestTheCutCardOutlastsAReconnection(t *testing.T) {
	d := New("shoe", Options{})
	expect(t, "cut", d.hear(0, of("1:43")), "cut")
	d.Resume(shoe.Source{})
	expect(t, "start", d.hear(0, of("1:53")), "booted new-shoe")
}

func TestReportsAreOfTheDeviceWithTheirBytes(t *testing.T) {
	d := New("left", Options{})
	p := of(card)
	reports, _ := d.Feed(0, slices.Concat(p, of("2:45-C1")))
	if len(reports) != 3 || reports[0].Source != (shoe.Source{Device: "left"}) || string(reports[0].Raw) != string(p) || string(reports[2].Raw) != string(of("2:45-C1")) {
		t.Errorf("%+v", reports)
	}
	if out := d.Ack(reports[0].Source); out != nil {
		t.Errorf("Ack says %q", out)
	}
}

func TestLock(t *testing.T) {
	d := New("shoe", Options{})
	expect(t, "lock", string(d.Lock(true)), lock)
	expect(t, "unlock", string(d.Lock(false)), unlock)
	d = New("shoe", Options{BCCWithoutSTX: true})
	expect(t, "lock, to the letter of the text", string(d.Lock(true)), "\x02OPLK02\x0319")
}

func TestUnlockClearsErrors(t *testing.T) {
	d := New("shoe", Options{})
	d.hear(0, of("1:45-C1 2:45-C7 3:45-82")) // the last not in error mode
	expect(t, "lock", string(d.Lock(true)), lock)
	expect(t, "unlock", string(d.Lock(false)), clear1+clear7+unlock)
	d.hear(0, of("4:65-81"))
	expect(t, "one is over", string(d.Lock(false)), clear7+unlock)
	d.hear(0, of("5:65-87"))
	expect(t, "both", string(d.Lock(false)), unlock)
	d.hear(0, of("6:45-C1 1:53"))
	expect(t, "a start ends them", string(d.Lock(false)), unlock)
}

// The next card out of a shoe in error mode is another one than that which put it there, though it was not read either.
func TestAnUnreadCardOutsideTheGameIsAnother(t *testing.T) {
	d := New("shoe", Options{})
	expect(t, "two cards", d.hear(0, of("1:45-C1 2:64-81-80")), "drawn ?? | faulted misread a card was not read | drawn ?? OUT")
	expect(t, "the same, by its error", d.hear(0, of("3:45-C1")), "faulted misread a card was not read")
}

func TestTheLockIsToldAgainAfterAStart(t *testing.T) {
	for _, test := range []struct {
		told []bool
		want string
	}{{nil, ""}, {[]bool{true}, lock}, {[]bool{true, false}, unlock}} {
		d := New("shoe", Options{})
		for _, closed := range test.told {
			d.Lock(closed)
		}
		_, out := d.Feed(0, of("1:53 1:53 1:53"))
		expect(t, "start", string(out), test.want)
	}
}

func TestAnswers(t *testing.T) {
	d := New("shoe", Options{})
	expect(t, "unasked", d.hear(0, []byte{nak, 0x31, ack}), "")
	d.Lock(true)
	expect(t, "taken", d.hear(0, []byte{ack}), "")
	expect(t, "once", d.hear(0, []byte{nak, 0x31}), "")
	d.Lock(false)
	expect(t, "refused", d.hear(0, []byte{nak, 0x31}), "faulted refused the shoe refused a command")
	d.Lock(false)
	expect(t, "taken in the end", d.hear(0, []byte{ack}), "cleared refused")
	d.Lock(true)
	expect(t, "cut by a card", d.hear(0, append([]byte{nak}, of(card)...)), "faulted refused the shoe refused a command | drawn 8s P1")
	d.Lock(false)
	reports, _ := d.Feed(0, slices.Concat([]byte{nak}, of("9:43")))
	expect(t, "whose byte it is", string(reports[0].Raw), "\x15")
	d.Lock(true)
	expect(t, "too late", d.hear(waitAnswer+1, []byte{nak, 0x31}), "")
	d.Lock(true)
	p := of("2:44-82-B8")
	expect(t, "within a frame it breaks", d.hear(waitAnswer+2, slices.Concat(p[:5], []byte{ack}, p)), "cleared refused | drawn 8s P2")
}

func TestAReconnectionForgetsARefusal(t *testing.T) {
	d := New("shoe", Options{})
	d.Lock(true)
	expect(t, "the code is to come", d.hear(0, []byte{nak}), "")
	d.Resume(shoe.Source{})
	expect(t, "a reconnection", d.hear(0, []byte{0x31}), "")
}

// TestUnderstood: a copy is as good as the first, and an answer is the shoe's word where one is due.
func TestUnderstood(t *testing.T) {
	d := New("shoe", Options{})
	for _, step := range []struct {
		what string
		said []byte
		want uint64
	}{
		{"noise", []byte("\xa5\xa5\x05123\x03"), 0}, {"an answer to nothing", []byte{ack}, 0}, {"a card", of(card), 1}, {"its copy", of(card), 2},
	} {
		d.Feed(0, step.said)
		if got := d.Understood(); got != step.want {
			t.Errorf("%s: %d understood, want %d", step.what, got, step.want)
		}
	}
	d.Lock(true)
	if d.Feed(0, []byte{ack}); d.Understood() != 3 {
		t.Errorf("an answer: %d understood", d.Understood())
	}
}
