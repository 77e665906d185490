package pattern

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/shoetest"
)

// saidOf is a report as the vectors write it.
func saidOf(r shoe.Report) string {
	words := []string{r.Kind.String()}
	if r.Card != shoe.NoCard {
		words = append(words, r.Card.String())
	}
	if r.Claim != (shoe.Claim{}) {
		side := map[shoe.Side]string{shoe.ToPlayer: "P", shoe.ToBanker: "B", shoe.ToBurn: "BURN", shoe.Outside: "OUT"}[r.Claim.Side]
		if r.Claim.Index > 0 {
			side += strconv.Itoa(int(r.Claim.Index))
		}
		words = append(words, side)
	}
	if r.Code != "" {
		words = append(words, r.Code)
	}
	return strings.Join(words, " ")
}

func saidAll(reports []shoe.Report) string { return shoetest.Said(reports, saidOf) }

func decoder(t testing.TB, o Options) *Decoder {
	t.Helper()
	d, err := New("reader", o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// feed gives a decoder text, or the tick.
func feed(d *Decoder, now time.Duration, text string) string {
	reports, _ := d.Feed(now, []byte(text))
	return saidAll(reports)
}

func TestVectors(t *testing.T) {
	for _, preset := range []string{"five", "barcode"} {
		all := shoetest.Vectors(t, "testdata/"+preset+".hex", 3)
		for _, v := range all {
			expect(t, preset+": "+v.Name, feed(decoder(t, Presets[preset]), 0, string(v.Bytes)), v.Want)
			d, got := decoder(t, Presets[preset]), []shoe.Report(nil)
			for i := range v.Bytes {
				reports, _ := d.Feed(0, v.Bytes[i:i+1])
				got = append(got, reports...)
			}
			expect(t, preset+": "+v.Name+", byte by byte", saidAll(got), v.Want)
		}
	}
}

// A line that stopped is over when time has passed, and does not spoil the next one.
func TestALineWithoutAnEnd(t *testing.T) {
	d := decoder(t, Presets["five"])
	expect(t, "half", feed(d, 0, "A10"), "")
	expect(t, "too early", feed(d, 999*time.Millisecond, ""), "")
	expect(t, "over", feed(d, time.Second, ""), "faulted unknown-reading")
	expect(t, "the next", feed(d, time.Second, "A1010\r"), "drawn As P1")
	expect(t, "noise alone", feed(d, 2*time.Second, "\xff\x80")+feed(d, 3*time.Second, ""), "")
	expect(t, "and behind it", feed(d, 3*time.Second, "A1010\r"), "drawn As P1")
}

// A line that fits the pattern as far as it was kept, but was longer, is none.
func TestALineTooLong(t *testing.T) {
	d := decoder(t, Options{Expression: `(?P<code>9S)x*`})
	fits := "9S" + strings.Repeat("x", maxFrame-2)
	expect(t, "as long as may be", feed(d, 0, fits+"\r"), "drawn 9s")
	expect(t, "longer", feed(d, 0, fits+"x\r"+fits+"xy\r"), "faulted unknown-reading | faulted unknown-reading")
}

func TestResumeForgetsHalfALine(t *testing.T) {
	d := decoder(t, Presets["five"])
	feed(d, 0, "A10")
	d.Resume(shoe.Source{})
	expect(t, "the next", feed(d, 0, "A1010\r"), "drawn As P1")
}

func TestRepeat(t *testing.T) {
	o := Presets["barcode"]
	o.Repeat = 300 * time.Millisecond
	d := decoder(t, o)
	expect(t, "thrice at once", feed(d, 0, "9S\r9S\r9S\r"), "drawn 9s")
	expect(t, "still", feed(d, 299*time.Millisecond, "9S\r"), "")
	expect(t, "still, since the last", feed(d, 598*time.Millisecond, "9S\r"), "")
	expect(t, "a second nine", feed(d, 898*time.Millisecond, "9S\r"), "drawn 9s")
	expect(t, "another and back", feed(d, 900*time.Millisecond, "KD\r9S\r"), "drawn Kd | drawn 9s")
	d.Resume(shoe.Source{})
	expect(t, "after a reconnection", feed(d, 900*time.Millisecond, "9S\r"), "drawn 9s")
}

func TestCodes(t *testing.T) {
	o := Options{
		Expression: `\]C1(?P<code>\d{4}|NR)(?:@(?P<position>\w+))?`,
		Codes:      map[string]string{"0001": "9s", "0002": "10H", "0003": "cut", "NR": "??"},
	}
	d := decoder(t, o)
	expect(t, "codes", feed(d, 0, "]C10001\r]C10002@P3\r]C10003\r]C1NR@burn\r"), "drawn 9s | drawn Th P3 | cut | drawn ?? BURN")
	expect(t, "a position nobody knows is no claim", feed(d, 0, "]C10001@XX\r"), "drawn 9s")
	expect(t, "a card nobody knows takes a place", feed(d, 0, "]C10009@P1\r"), "drawn ?? P1 | faulted foreign")
	expect(t, "without the prefix", feed(d, 0, "0001\r"), "faulted unknown-reading")
	plain := decoder(t, Options{Expression: `(?P<code>\S+)`})
	expect(t, "without a table", feed(plain, 0, "9S\rtd\r??\rCUT\rXX\r"), "drawn 9s | drawn Td | drawn ?? | cut | drawn ?? | faulted foreign")
	empty := decoder(t, Options{Expression: `-(?P<code>\w*)(?P<misread>!?)`})
	expect(t, "a group that took nothing", feed(empty, 0, "-\r-!\r"), "faulted unknown-reading | drawn ??")
}

// What was read stays in Raw: the words of a report go where face-down cards may not.
func TestWordsTellNoCode(t *testing.T) {
	d := decoder(t, Options{Expression: `(?P<code>\d{4})`, Codes: map[string]string{"0001": "9s"}})
	reports, _ := d.Feed(0, []byte("0002\rA0001\r0001\r"))
	if len(reports) != 4 {
		t.Fatalf("%s", saidAll(reports))
	}
	for i, r := range reports {
		if strings.Contains(r.Text+r.Code, "000") {
			t.Errorf("%s: %q", saidOf(r), r.Text)
		}
		if r.Source != (shoe.Source{Device: "reader"}) || string(r.Raw) != [...]string{"0002", "0002", "A0001", "0001"}[i] {
			t.Errorf("%s: source %+v, raw %q", saidOf(r), r.Source, r.Raw)
		}
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	tests := []struct {
		name string
		o    Options
		want []string
	}{
		{"nothing", Options{}, []string{"no expression"}},
		{"no expression at all", Options{Expression: "("}, []string{"\"(\"", "missing closing"}},
		{"an unknown group", Options{Expression: `(?P<code>.)(?P<seat>.)`}, []string{`group "seat"`, "rank suit code position misread cut"}},
		{"no card", Options{Expression: `(?P<position>.)`}, []string{"group code, or the groups rank and suit"}},
		{"half a card", Options{Expression: `(?P<rank>.)`}, []string{"group rank but no group suit"}},
		{"the other half", Options{Expression: `(?P<suit>.)(?P<code>.)`}, []string{"group suit but no group rank"}},
		{"a code that is no card", Options{Expression: `(?P<code>.)`, Codes: map[string]string{"b": "9x", "a": "11s"}}, []string{`codes: "a" is "11s"`, `codes: "b" is "9x"`}},
		{"tables without a group", Options{Expression: `(?P<code>.)`, Suits: map[string]string{"1": "s"}, Ranks: map[string]string{"1": "A"}, Positions: map[string]string{"A": "P1"}},
			[]string{"positions, but the expression has no group position", "suits, but", "ranks, but"}},
		{"codes without a group", Options{Expression: `(?P<rank>.)(?P<suit>.)`, Codes: map[string]string{"1": "9s"}}, []string{"codes, but the expression has no group code"}},
		{"no suit", Options{Expression: `(?P<rank>.)(?P<suit>.)`, Suits: map[string]string{"1": "spades"}}, []string{`suits: "1" is "spades"`, "c d h s"}},
		{"no rank", Options{Expression: `(?P<rank>.)(?P<suit>.)`, Ranks: map[string]string{"1": "1"}}, []string{`ranks: "1" is "1"`}},
		{"no position", Options{Expression: `(?P<code>.)(?P<position>.)`, Positions: map[string]string{"A": "P4"}}, []string{`positions: "A" is "P4"`}},
		{"a nameless entry", Options{Expression: `(?P<code>.)`, Codes: map[string]string{"": "9s"}}, []string{"codes: an entry has no name"}},
		{"no time", Options{Expression: `(?P<code>.)`, Repeat: -1}, []string{"repeat is -1ns"}},
	}
	for _, test := range tests {
		_, err := New("reader", test.o)
		if err == nil {
			t.Errorf("%s: accepted", test.name)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", test.name, err, want)
			}
		}
		if _, same := NewDevice(test.o); same == nil || same.Error() != err.Error() {
			t.Errorf("%s: the device says %v, the decoder %v", test.name, same, err)
		}
	}
	for name, o := range Presets {
		if _, err := New("reader", o); err != nil {
			t.Errorf("preset %s: %v", name, err)
		}
	}
}

// TestUnderstood: a line that is dropped as a repeat fits all the same.
func TestUnderstood(t *testing.T) {
	for said, want := range map[string]uint64{"9S\r\n": 1, "9S\r\n9S\r\n": 2, "\xa5\xa5\r\n": 0, "hello\r\n": 0} {
		o := Presets["barcode"]
		o.Repeat = time.Second
		d := decoder(t, o)
		d.Feed(0, []byte(said))
		if got := d.Understood(); got != want {
			t.Errorf("%q: %d understood, want %d", said, got, want)
		}
	}
}
