package uid

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/shoetest"
)

const enrolled = `decks 8
0A00123456 9s
0A00123457 9s
04AABBCCDD11 9s
04AABBCCDD12 9s
04AABBCCDD13 Kd
04AABBCCDD1122 Th
0A001234FF cut
04AABBCCDDFF cut
`

func cards(t testing.TB) *Cards {
	t.Helper()
	c, err := Parse(enrolled)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func decoder(t testing.TB, format string) *Decoder {
	t.Helper()
	return decoderOf(t, Options{Format: format, Cards: cards(t)})
}

func decoderOf(t testing.TB, o Options) *Decoder {
	t.Helper()
	d, err := New("reader", o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func device(t testing.TB, o Options) *Device {
	t.Helper()
	dev, err := NewDevice(o)
	if err != nil {
		t.Fatal(err)
	}
	return dev
}

// said is a report as the vectors write it.
func said(r shoe.Report) string {
	words := r.Kind.String()
	if r.Card != shoe.NoCard {
		words += " " + r.Card.String()
	}
	if r.Code != "" {
		words += " " + r.Code
	}
	return words
}

func saidAll(reports []shoe.Report) string { return shoetest.Said(reports, said) }

func feed(d *Decoder, now time.Duration, p []byte) string {
	reports, _ := d.Feed(now, p)
	return saidAll(reports)
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// formatOf is the format a vector is of, by which its name begins.
func formatOf(v shoetest.Vector) string {
	format, _, _ := strings.Cut(v.Name, ":")
	return format
}

func TestVectors(t *testing.T) {
	all := shoetest.Vectors(t, "testdata/uid.hex", 40)
	for _, v := range all {
		d := decoder(t, formatOf(v))
		reports, _ := d.Feed(0, v.Bytes)
		tick, _ := d.Feed(time.Second, nil)
		expect(t, v.Name, saidAll(append(reports, tick...)), v.Want)
		d, reports = decoder(t, formatOf(v)), nil
		for i := range v.Bytes {
			r, _ := d.Feed(0, v.Bytes[i:i+1])
			reports = append(reports, r...)
		}
		tick, _ = d.Feed(time.Second, nil)
		expect(t, v.Name+", byte by byte", saidAll(append(reports, tick...)), v.Want)
	}
}

// frameOf is a frame of rdm6300.
func frameOf(t *testing.T, id string) []byte {
	t.Helper()
	return device(t, Options{Format: "rdm6300"}).Tag(id)
}

func TestATagIsOneCard(t *testing.T) {
	d, a := decoder(t, "rdm6300"), frameOf(t, "0A00123456")
	expect(t, "it leaves", feed(d, 0, a), "drawn 9s")
	expect(t, "it lies there", feed(d, 1999*time.Millisecond, a), "")
	expect(t, "since it was seen last", feed(d, 3998*time.Millisecond, a), "")
	expect(t, "it was away", feed(d, 5998*time.Millisecond, a), "faulted same-uid")
	expect(t, "and lies there", feed(d, 6*time.Second, a), "")
	expect(t, "the cut card", feed(d, 6*time.Second, frameOf(t, "0A001234FF")), "cut")
	expect(t, "again", feed(d, 9*time.Second, frameOf(t, "0A001234FF")), "faulted same-uid")
	d.NewShoe()
	expect(t, "it lies there while the shoe is changed", feed(d, 10*time.Second, frameOf(t, "0A001234FF")), "")
	expect(t, "a new shoe", feed(d, 20*time.Second, a), "drawn 9s")
}

func TestAForeignTagTakesOnePlace(t *testing.T) {
	d, stray := decoder(t, "rdm6300"), frameOf(t, "0A00999999")
	expect(t, "it leaves", feed(d, 0, stray), "drawn ?? | faulted foreign")
	expect(t, "it lies there", feed(d, time.Second, stray), "")
	expect(t, "again", feed(d, 9*time.Second, stray), "faulted same-uid")
	d.NewShoe()
	expect(t, "a new shoe", feed(d, 19*time.Second, stray), "drawn ?? | faulted foreign")
}

func TestLinger(t *testing.T) {
	d, a := decoderOf(t, Options{Format: "rdm6300", Cards: cards(t), Linger: time.Minute}), frameOf(t, "0A00123456")
	expect(t, "set", feed(d, 0, a)+feed(d, 59*time.Second, a)+feed(d, 119*time.Second, a), "drawn 9sfaulted same-uid")
}

// What is spoilt and does not come again is said. A repeat in time heals it.
func TestASpoiltFrameIsNotForgotten(t *testing.T) {
	for _, format := range []string{"rdm6300", "pn532"} {
		d, dev := decoder(t, format), device(t, Options{Format: format, Cards: cards(t)})
		good := dev.Tag("0A00123456")
		bad := append([]byte(nil), good...)
		bad[len(bad)-2] ^= 1
		expect(t, format+": spoilt", feed(d, 0, bad), "")
		expect(t, format+": a repeat may come", feed(d, repair-1, nil), "")
		expect(t, format+": it did not", feed(d, repair, nil), "faulted unknown-reading")
		expect(t, format+": once", feed(d, 2*repair, nil), "")
		expect(t, format+": spoilt", feed(d, time.Second, bad), "")
		expect(t, format+": a repeat", feed(d, time.Second+repair-1, good), "drawn 9s")
		expect(t, format+": healed", feed(d, 2*time.Second, nil), "")
		feed(d, 3*time.Second, bad)
		feed(d, 3*time.Second+repair-1, bad)
		expect(t, format+": the first one's time is over", feed(d, 3*time.Second+repair, nil), "faulted unknown-reading")
	}
}

func TestResume(t *testing.T) {
	for _, format := range []string{"rdm6300", "pn532", "jsonl"} {
		d, dev := decoder(t, format), device(t, Options{Format: format, Cards: cards(t)})
		first := dev.Tag("0A00123456")
		expect(t, format, feed(d, 0, first), "drawn 9s")
		feed(d, 0, first[:len(first)/2])
		d.Resume(shoe.Source{})
		expect(t, format+": two halves are no frame", feed(d, 9*time.Second, first[len(first)/2:])+feed(d, 10*time.Second, nil), "")
		feed(d, 10*time.Second, first[:len(first)/2])
		d.Resume(shoe.Source{})
		expect(t, format+": half a frame is forgotten", feed(d, 10*time.Second, dev.Tag("0A00123457")), "drawn 9s")
		expect(t, format+": what left is not", feed(d, 19*time.Second, dev.Tag("0A00123456")), "faulted same-uid")
	}
}

// A decoder that is made in the middle of a shoe is fed what the record holds.
func TestTheRecordSaysWhatLeft(t *testing.T) {
	for _, format := range []string{"rdm6300", "id12", "pn532", "jsonl"} {
		d, dev := decoder(t, format), device(t, Options{Format: format, Cards: cards(t)})
		stream := slices.Concat(dev.Tag("0A00123456"), dev.Tag("0A00999999"), dev.Tag("0A001234FF"))
		reports, _ := d.Feed(0, stream)
		again := decoder(t, format)
		for _, r := range reports {
			again.Feed(0, r.Raw)
		}
		for _, id := range []string{"0A00123456", "0A00999999", "0A001234FF"} {
			expect(t, format+": "+id, feed(again, time.Minute, dev.Tag(id)), "faulted same-uid")
		}
		expect(t, format+": one that did not", feed(again, time.Minute, dev.Tag("0A00123457")), "drawn 9s")
	}
}

func TestWithoutAnEnrolmentTagsAreSaid(t *testing.T) {
	d := decoderOf(t, Options{Format: "rdm6300"})
	a, b := frameOf(t, "0A00123456"), frameOf(t, "0A00123457")
	expect(t, "two", feed(d, 0, a)+" "+feed(d, 0, a)+feed(d, 0, b), "tagged 0A00123456 tagged 0A00123457")
	expect(t, "again, later", feed(d, 9*time.Second, a), "tagged 0A00123456")
}

// UIDs are as good as the cards that may lie face down: they stand in Raw alone.
func TestWordsTellNoUID(t *testing.T) {
	for _, v := range shoetest.Vectors(t, "testdata/uid.hex", 40) {
		reports, _ := decoder(t, formatOf(v)).Feed(0, v.Bytes)
		for _, r := range reports {
			if len(r.Raw) == 0 || r.Source != (shoe.Source{Device: "reader"}) {
				t.Errorf("%s: %s: raw %q of %+v", v.Name, said(r), r.Raw, r.Source)
			}
			for _, secret := range []string{"04AABB", "0A00"} {
				if strings.Contains(strings.ToUpper(r.Code+r.Text), secret) {
					t.Errorf("%s: %s: %q", v.Name, said(r), r.Text)
				}
			}
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	d, dev := decoder(t, "jsonl"), device(t, Options{Format: "jsonl"})
	for i := range 1000 {
		id := hex.EncodeToString([]byte{1, byte(i >> 8), byte(i)})
		expect(t, id, feed(d, time.Duration(i)*time.Minute, dev.Tag(id)), "drawn ?? | faulted foreign")
	}
	if len(d.tags.left) > manyStrays || len(d.sights) > manySights {
		t.Errorf("%d tags, %d sights", len(d.tags.left), len(d.sights))
	}
	expect(t, "one of those remembered", feed(d, 2000*time.Minute, dev.Tag("010000")), "faulted same-uid")
	expect(t, "the last one seen lies there", feed(d, 2000*time.Minute, dev.Tag("010000")), "")
	d.NewShoe()
	expect(t, "remembered in the next shoe", feed(d, 3000*time.Minute, dev.Tag("010000"))+" "+feed(d, 3001*time.Minute, dev.Tag("010000")), "drawn ?? | faulted foreign faulted same-uid")
	for i := range manySights + 1 {
		feed(d, 4000*time.Minute+time.Duration(i), dev.Tag(hex.EncodeToString([]byte{2, byte(i)})))
	}
	expect(t, "the last but one lies there", feed(d, 4000*time.Minute+time.Second, dev.Tag(hex.EncodeToString([]byte{2, manySights - 1}))), "")
	p := decoder(t, "pn532")
	for range 1000 {
		p.Feed(0, []byte{0x00, 0xFF, 0xFF, 0x01})
		if n := len(p.frames.(*packets).buf); n > packetFrame+256 {
			t.Fatalf("%d bytes kept", n)
		}
	}
}

// hexes are frames to be sent, without spaces.
func hexes(p []byte) string { return strings.ToUpper(hex.EncodeToString(p)) }

func TestAsking(t *testing.T) {
	const setup, poll = "0000FF04FCD41401001700", "0000FF04FCD44A0100E100"
	o := Options{Format: "pn532", Cards: cards(t), Ask: []string{"5555000000", "D4140100", "d44a0100"}}
	d := decoderOf(t, o)
	out := func(now time.Duration, p []byte) string {
		_, out := d.Feed(now, p)
		return hexes(out)
	}
	expect(t, "the first tick", out(0, nil), "5555000000"+setup)
	expect(t, "waiting", out(999*time.Millisecond, acknowledged), "")
	expect(t, "an answer to something else", out(0, packet([]byte{fromChip, 0x03})), "")
	expect(t, "answered", out(999*time.Millisecond, packet([]byte{fromChip, 0x15})), poll)
	expect(t, "listed", out(time.Second, packet([]byte{fromChip, listedTags, 0})), poll)
	expect(t, "listed again", out(time.Second, packet([]byte{fromChip, listedTags, 0})), poll)
	bad := packet([]byte{fromChip, listedTags, 0})
	bad[len(bad)-2] ^= 1
	expect(t, "spoilt", out(1500*time.Millisecond, bad), poll)
	expect(t, "waiting", out(2499*time.Millisecond, nil), "")
	expect(t, "no answer", out(2500*time.Millisecond, nil), "5555000000"+setup)
	d.Resume(shoe.Source{})
	expect(t, "a new conversation", out(2600*time.Millisecond, nil), "5555000000"+setup)
	quiet := decoder(t, "pn532")
	_, o1 := quiet.Feed(0, nil)
	_, o2 := quiet.Feed(0, packet([]byte{fromChip, listedTags, 0}))
	expect(t, "nothing to ask", hexes(append(o1, o2...)), "")
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	tests := []struct {
		name string
		o    Options
		want []string
	}{
		{"no format", Options{}, []string{`no format ""`, "rdm6300 id12 pn532 jsonl"}},
		{"two things", Options{Format: "x", Linger: -1}, []string{`no format "x"`, "linger is -1ns"}},
		{"asking who cannot hear", Options{Format: "rdm6300", Ask: []string{"D44A0100"}}, []string{`for the format pn532, not for "rdm6300"`}},
		{"no hex", Options{Format: "pn532", Ask: []string{"D4 4A"}}, []string{`"D4 4A" is not`, "hexadecimal"}},
		{"nothing", Options{Format: "pn532", Ask: []string{""}}, []string{`"" is not`}},
		{"too much", Options{Format: "pn532", Ask: []string{strings.Repeat("D4", 256)}}, []string{"1 to 255 bytes"}},
		{"no command at the end", Options{Format: "pn532", Ask: []string{"D44A0100", "5555"}}, []string{`"5555"`, "D4"}},
		{"no code in it", Options{Format: "pn532", Ask: []string{"D4"}}, []string{`"D4"`}},
	}
	for _, test := range tests {
		_, err := New("reader", test.o)
		_, same := NewDevice(test.o)
		if err == nil || same == nil || err.Error() != same.Error() {
			t.Errorf("%s: the decoder says %v, the device %v", test.name, err, same)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", test.name, err, want)
			}
		}
	}
}

// What a reader says while no tag is there is understood all the same, or it would be taken for another device.
func TestUnderstood(t *testing.T) {
	for _, test := range []struct {
		format, said string
		want         uint64
	}{
		{"pn532", "\x00\x00\xff\x00\xff\x00", 1}, // a question was taken
		{"pn532", "\x00\x00\xff\x02\xfe\xd5\x15\x16\x00", 1},
		{"pn532", "\x00\x00\xff\x02\xfe\xd5\x15\x17\x00", 0},
		{"jsonl", "# heap 20480\n{\"type\":\"alive\"}\n", 2},
		{"jsonl", "ets Jun  8 2016\n{\"type\":\n", 0},
		{"rdm6300", "\x020A001234567A\x03", 1},
		{"rdm6300", "\x020A0012345678\x03", 0},
		{"id12", "\x020A001234567A\r\n\x03", 1},
	} {
		d, err := New("shoe", Options{Format: test.format})
		if err != nil {
			t.Fatal(err)
		}
		d.Feed(0, []byte(test.said))
		d.Feed(time.Second, nil)
		if got := d.Understood(); got != test.want {
			t.Errorf("%s %q: %d understood, want %d", test.format, test.said, got, test.want)
		}
	}
}
