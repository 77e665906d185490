package line

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
)

var ace = shoe.New(1, shoe.Spades)

// text is sentences for people to read, in and out: those of out are separated by spaces.
func text(out []byte) string {
	var all []string
	for s := range strings.FieldsSeq(string(out)) {
		all = append(all, strings.TrimPrefix(s[:len(s)-3], "$SB"))
	}
	return strings.Join(all, " ")
}

// sentences makes sentences of their text: "CRD,1,9S CUT,2".
func sentences(text string) (p []byte) {
	for s := range strings.FieldsSeq(text) {
		p = append(p, write(s)...)
	}
	return p
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// met is a decoder after the hello of epoch 7, with nothing on disk.
func met(t *testing.T) *Decoder {
	t.Helper()
	d := New("shoe")
	d.Resume(shoe.Source{})
	_, out := d.Feed(0, sentences("HEL,1,demo,0001,7,7:1"))
	expect(t, "answer to hello", text(out), "ACK,0,7")
	d.Feed(0, nil)
	return d
}

func (d *Decoder) feedText(now time.Duration, s string) (reports, out string) {
	r, o := d.Feed(now, sentences(s))
	return saidAll(r), text(o)
}

func source(seq uint32) shoe.Source { return shoe.Source{Device: "shoe", Epoch: 7, Seq: seq} }

func TestAcknowledgesOnlyWhatIsOnDisk(t *testing.T) {
	d := met(t)
	_, out := d.feedText(0, "CRD,1,9S CRD,2,KD CRD,1,9S")
	expect(t, "out before the record", out, "")
	expect(t, "ack", text(d.Ack(source(1))), "ACK,1,7")
	_, out = d.feedText(0, "CRD,1,9S CRD,1,9S")
	expect(t, "a repeat that is on disk", out, "ACK,1,7")
	_, out = d.feedText(0, "CRD,2,KD")
	expect(t, "a repeat that is not", out, "")
	expect(t, "an older ack", text(d.Ack(source(1))), "")
	expect(t, "another epoch's", text(d.Ack(shoe.Source{Epoch: 6, Seq: 2})), "")
	expect(t, "one of the future", text(d.Ack(source(3))), "")
	expect(t, "ack", text(d.Ack(source(2))), "ACK,2,7")
	_, out = d.feedText(0, "HRT,2")
	expect(t, "a heartbeat heals a lost ack", out, "ACK,2,7")
}

func TestWhatIsNotRecordedIsAcknowledgedWithTheRest(t *testing.T) {
	d := met(t)
	reports, out := d.feedText(0, "WIN,1,x WHL,2,5 UID,3,04AA XYZ,4 BTN,5,next,1 CRD,6,9S BTN,7,next,0")
	expect(t, "reports", reports, "pressed next 1 @7:5 | drawn 9s @7:6 | pressed next 0 @7:7")
	expect(t, "before the record", out, "")
	expect(t, "the card's ack", text(d.Ack(source(6))), "ACK,6,7")
}

// A tag is what whoever knows the tags makes of it: here a card, nothing, or two reports of one number. It waits for the record like any card.
func TestTags(t *testing.T) {
	d := NewTagged("shoe", func(tag string) []shoe.Report {
		return map[string][]shoe.Report{
			"04AA": {{Kind: shoe.Drawn, Card: shoe.New(9, shoe.Spades)}},
			"04BB": {{Kind: shoe.Drawn, Card: shoe.Unread}, {Kind: shoe.Faulted, Code: "foreign", Text: "x"}},
		}[tag]
	})
	d.feedText(0, "HEL,1,demo,0001,7,7:1")
	reports, out := d.feedText(0, "UID,1,04AA UID,2,04BB UID,3,04CC UID,4")
	expect(t, "reports", reports, "drawn 9s @7:1 | drawn ?? @7:2 | faulted foreign x @7:2")
	expect(t, "before the record", out, "")
	expect(t, "ack", text(d.Ack(source(2))), "ACK,2,7")
	reports, _ = d.feedText(0, "UID,1,04AA UID,2,04BA")
	expect(t, "another tag under a number", reports, "conflict @7:4")
	raw := bytes.TrimSpace(sentences("UID,7,04AA"))
	if tag, ok := Tag(raw); tag != "04AA" || !ok {
		t.Errorf("%q %v", tag, ok)
	}
	if _, ok := Tag(bytes.TrimSpace(sentences("CRD,7,9S"))); ok {
		t.Error("a card is no tag")
	}
}

func TestButtonsDoNotFillTheDevice(t *testing.T) {
	d := met(t)
	d.feedText(0, "CRD,1,9S")
	press := func(from, to int) (out string) {
		for seq := from; seq <= to; seq++ {
			_, o := d.feedText(0, "BTN,"+strconv.Itoa(seq)+",next,1")
			out += o
		}
		return out
	}
	expect(t, "behind a card that is not on disk", press(2, 40), "")
	expect(t, "the card's ack", text(d.Ack(source(1))), "ACK,40,7")
	expect(t, "few", press(41, 71), "")
	expect(t, "many", press(72, 72), "ACK,72,7")
}

func TestAsksOnceForWhatIsMissing(t *testing.T) {
	d := met(t)
	reports, out := d.feedText(0, "CRD,1,9S CRD,3,3C CRD,4,4C")
	expect(t, "before the hole", reports, "drawn 9s @7:1")
	expect(t, "question", out, "GET,2")
	reports, out = d.feedText(0, "CRD,5,5C")
	expect(t, "still waiting", reports+out, "")
	reports, _ = d.feedText(999*time.Millisecond, "")
	expect(t, "before the second is over", reports, "")
	r, _ := d.Feed(time.Second, nil)
	expect(t, "after it", saidAll(r), "gap @7:2 | drawn 3c @7:3 | drawn 4c @7:4 | drawn 5c @7:5")
	reports, _ = d.feedText(time.Second, "CRD,2,2C")
	expect(t, "too late", reports, "")
	expect(t, "ack", text(d.Ack(source(5))), "ACK,5,7")
}

func TestAHoleThatOnlyTheHeartbeatShows(t *testing.T) {
	d := met(t)
	_, out := d.feedText(0, "CRD,1,9S HRT,3")
	expect(t, "question", out, "GET,2 ACK,0,7")
	reports, _ := d.feedText(0, "CRD,2,2C")
	expect(t, "half of it", reports, "drawn 2c @7:2")
	r, _ := d.Feed(time.Second, nil)
	expect(t, "the other half", saidAll(r), "gap @7:3")
}

func TestAFullMemoryWaitsNoLonger(t *testing.T) {
	d := met(t)
	var all string
	for seq := 2; seq <= memory+1; seq++ {
		all += " CRD," + strconv.Itoa(seq) + ",9S"
	}
	reports, _ := d.feedText(0, all)
	if !strings.HasPrefix(reports, "gap @7:1 | drawn 9s @7:2 |") || !strings.HasSuffix(reports, "drawn 9s @7:65") {
		t.Errorf("reports %s", reports)
	}
}

func TestOldNumbersAreRepeatsWhateverTheySay(t *testing.T) {
	d := met(t)
	var all string
	for seq := 1; seq <= memory+1; seq++ {
		all += " CRD," + strconv.Itoa(seq) + ",9S"
	}
	d.feedText(0, all)
	reports, _ := d.feedText(0, "CRD,1,KD CRD,2,KD")
	expect(t, "one beyond memory, one within", reports, "conflict @7:65")
}

func TestResumeKnowsWhatIsRecorded(t *testing.T) {
	d := New("shoe")
	_, out := d.Feed(0, nil)
	expect(t, "before Resume", text(out), "HST,0")
	d.Resume(source(12))
	_, out = d.Feed(time.Second, nil)
	expect(t, "after it", text(out), "GET,0 HST,1")
	reports, o := d.feedText(time.Second, "CRD,13,9S HRT,13")
	expect(t, "numbers before hello", reports+o, "")
	reports, o = d.feedText(time.Second, "HEL,1,demo,0001,7,7:12 CRD,12,9S CRD,13,KD")
	expect(t, "reports", reports, "drawn Kd @7:13")
	expect(t, "out", o, "ACK,12,7")
	r, o2 := d.Feed(1500*time.Millisecond, nil)
	expect(t, "asks no more", saidAll(r)+text(o2), "")
}

func TestResumeFindsAnotherEpoch(t *testing.T) {
	d := New("shoe")
	d.Resume(source(12))
	reports, out := d.feedText(0, "CRD,13,4C HEL,1,demo,0001,8,8:1 CRD,1,9S")
	expect(t, "reports", reports, "booted @8:0 | drawn 9s @8:1")
	expect(t, "out", out, "ACK,0,8")
}

func TestReconnectionDoublesNothingOnItsWayToTheRecord(t *testing.T) {
	d := met(t)
	d.feedText(0, "CRD,1,9S CRD,2,KD")
	d.Resume(source(1))                     // 2 waits in the loop's queue
	reports, _ := d.feedText(0, "CRD,3,QD") // whose, nobody knows yet
	expect(t, "before the hello", reports, "")
	reports, _ = d.feedText(0, "HEL,1,demo,0001,7,7:2 CRD,2,KD CRD,3,3C")
	expect(t, "reports", reports, "drawn 3c @7:3")

	d = met(t)
	d.feedText(0, "CRD,1,9S HEL,1,demo,0001,8,8:1 CRD,1,KD")
	d.Resume(source(1)) // of the old epoch
	reports, _ = d.feedText(0, "HEL,1,demo,0001,8,8:1 CRD,1,KD CRD,2,3C")
	expect(t, "in a new epoch", reports, "drawn 3c @8:2")
}

// TestTheRecordRunsAheadOfTheAcknowledgements: what reaches the disk while the cable is out is acknowledged with the answer to the next hello, and not before.
func TestTheRecordRunsAheadOfTheAcknowledgements(t *testing.T) {
	d := met(t)
	d.feedText(0, "CRD,1,9S CRD,2,KD CRD,3,3C")
	d.Resume(source(1))
	expect(t, "nobody listens yet", text(d.Ack(source(2))), "")
	_, out := d.feedText(0, "HEL,1,demo,0001,7,7:1")
	expect(t, "answer to hello", out, "ACK,2,7")
	d.Resume(source(3))
	_, out = d.feedText(0, "HEL,1,demo,0001,7,7:1")
	expect(t, "the record's last", out, "ACK,3,7")
	d.Resume(source(1))
	_, out = d.feedText(0, "HEL,1,demo,0001,7,7:1")
	expect(t, "what is on disk stays there", out, "ACK,3,7")
	d.Resume(source(4))
	_, out = d.feedText(0, "HEL,1,demo,0001,7,7:1")
	expect(t, "what nobody reported", out, "ACK,3,7")
}

// TestEveryReportNamesItsDevice: by which name, epoch and bytes it is in the record.
func TestEveryReportNamesItsDevice(t *testing.T) {
	tagged := NewTagged("shoe", func(string) []shoe.Report { return []shoe.Report{{Kind: shoe.Drawn, Card: ace}} })
	for _, d := range []*Decoder{New("shoe"), tagged} {
		reports, _ := d.Feed(0, sentences("HEL,1,demo,0001,7,7:1 CRD,1,9S UID,2,04AA CUT,3 CRD,3,KD HRT,3,1 HEL,1,demo,0001,8,8:1 CRD,1,9S"))
		for _, r := range reports {
			if r.Source.Device != "shoe" || r.Source.Epoch < 7 || len(r.Raw) == 0 {
				t.Errorf("%s is of %+v, by %q", said(r), r.Source, r.Raw)
			}
		}
		if len(reports) < 5 {
			t.Errorf("only %s", saidAll(reports))
		}
	}
}

func TestAHalfSentenceIsForgottenAtReconnection(t *testing.T) {
	d := met(t)
	whole := sentences("HEL,1,demo,0001,8,8:1")
	d.Feed(0, whole[:9])
	d.Resume(shoe.Source{})
	r, _ := d.Feed(0, append(whole[9:], sentences("HEL,1,demo,0001,7,7:1")...))
	expect(t, "two halves of two connections", saidAll(r), "")
}

func TestLockIsToldAgainAfterHello(t *testing.T) {
	d := met(t)
	expect(t, "lock", text(d.Lock(true)), "LCK,1")
	_, out := d.feedText(0, "HEL,1,demo,0001,8,8:1")
	expect(t, "after hello", out, "LCK,1 ACK,0,8")
	expect(t, "unlock", text(d.Lock(false)), "LCK,0")
	_, out = d.feedText(0, "HEL,1,demo,0001,9,9:1")
	expect(t, "after hello", out, "LCK,0 ACK,0,9")
}

func TestADeviceWithoutHello(t *testing.T) {
	d := New("shoe")
	d.Resume(shoe.Source{})
	reports, _ := d.feedText(0, "CRD,1,9S CRD,2,KD")
	expect(t, "at once", reports, "")
	r, _ := d.Feed(waitHello, nil)
	expect(t, "later", saidAll(r), "drawn 9s @0:1 | drawn Kd @0:2")
	expect(t, "ack", text(d.Ack(shoe.Source{Device: "shoe", Seq: 2})), "ACK,2,0")

	again := New("shoe")
	again.Resume(shoe.Source{Device: "shoe", Seq: 2})
	again.feedText(0, "CRD,2,KD CRD,3,3C")
	r, _ = again.Feed(waitHello, nil)
	expect(t, "known without an epoch", saidAll(r), "drawn 3c @0:3")

	replaced := New("shoe")
	replaced.Resume(source(12))
	replaced.feedText(0, "CRD,2,KD")
	r, _ = replaced.Feed(waitHello, nil)
	expect(t, "known by an epoch", saidAll(r), "gap @7:12 | drawn Kd @0:2")
}

// TestUnderstood: our own sentences, which a line may echo, say nothing of the device.
func TestUnderstood(t *testing.T) {
	for said, want := range map[string]uint64{"HEL,1,demo,0001,7,7:1": 1, "HRT,0": 1, "CRD,1,9S CRD,1,9S": 2, "XYZ,1": 1, "ACK,0,7 GET,1 LCK,1 HST,1": 0} {
		d := New("shoe")
		d.Feed(0, sentences(said))
		if got := d.Understood(); got != want {
			t.Errorf("%s: %d understood, want %d", said, got, want)
		}
	}
	d := New("shoe")
	if d.Feed(0, []byte("$SBHRT,0*00\r\n\xa5\xa5\xa5\r\n")); d.Understood() != 0 {
		t.Error("noise was understood")
	}
}
