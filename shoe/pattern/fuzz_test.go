package pattern

import (
	"bytes"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/shoetest"
)

// FuzzDecoder feeds anything: no panic, and cutting into bytes changes nothing.
func FuzzDecoder(f *testing.F) {
	for _, v := range append(shoetest.Vectors(f, "testdata/five.hex", 1), shoetest.Vectors(f, "testdata/barcode.hex", 1)...) {
		f.Add(v.Bytes, uint16(0))
		f.Add(v.Bytes, uint16(300))
	}
	f.Fuzz(func(t *testing.T, p []byte, repeat uint16) {
		for _, o := range []Options{Presets["five"], Presets["barcode"], {Expression: `(?P<code>.*)`}} {
			o.Repeat = time.Duration(repeat) * time.Millisecond
			whole, bytewise := decoder(t, o), decoder(t, o)
			for round := range 3 {
				now := time.Duration(round) * 700 * time.Millisecond
				want, _ := whole.Feed(now, p)
				var got []shoe.Report
				for i := range p {
					r, _ := bytewise.Feed(now, p[i:i+1])
					got = append(got, r...)
				}
				wantTick, _ := whole.Feed(now+time.Second, nil)
				gotTick, _ := bytewise.Feed(now+time.Second, nil)
				if a, b := saidAll(append(want, wantTick...)), saidAll(append(got, gotTick...)); a != b {
					t.Fatalf("at once %s\nbyte by byte %s", a, b)
				}
				for _, r := range append(want, wantTick...) {
					if len(r.Raw) == 0 || len(r.Raw) > maxFrame {
						t.Fatalf("%s: %d bytes", saidOf(r), len(r.Raw))
					}
				}
			}
		}
	})
}

// FuzzNoise puts noise between good lines, two of them identical neighbours: all of them arrive. Behind noise a reading begins with STX, or after an end.
func FuzzNoise(f *testing.F) {
	f.Add([]byte("garbage"), uint8(20), true)
	f.Add([]byte("\xff\x80A1"), uint8(0), false)
	f.Fuzz(func(t *testing.T, noise []byte, card uint8, started bool) {
		c := shoe.Deck()[card%52]
		dev, err := NewDevice(Presets["five"])
		if err != nil {
			t.Fatal(err)
		}
		start := byte('\r')
		if started {
			start = stx
		}
		var stream []byte
		for range 3 {
			stream = append(append(append(stream, noise...), start), dev.Draw(c)...)
		}
		alone, _ := decoder(t, Presets["five"]).Feed(0, append(bytes.Clone(noise), start))
		want := 3 * (1 + count(alone, c))
		if reports, _ := decoder(t, Presets["five"]).Feed(0, stream); count(reports, c) != want {
			t.Fatalf("noise %q: %s", noise, saidAll(reports))
		}
	})
}

// count is how many of the reports are of this card.
func count(reports []shoe.Report, c shoe.Card) (n int) {
	for _, r := range reports {
		if r.Kind == shoe.Drawn && r.Card == c {
			n++
		}
	}
	return n
}

// FuzzOptions makes readers of anything: an error or a decoder, and a device whose every line is read back.
func FuzzOptions(f *testing.F) {
	for _, o := range expressions {
		f.Add(o.Expression, "A", "9s")
	}
	f.Fuzz(func(t *testing.T, expression, key, value string) {
		if len(expression) > 200 {
			return
		}
		o := Options{Expression: expression, Codes: map[string]string{key: value}}
		dev, err := NewDevice(o)
		if err != nil {
			return
		}
		for _, c := range []shoe.Card{shoe.New(9, shoe.Spades), shoe.Unread} {
			line := dev.Draw(c)
			if line == nil {
				continue
			}
			if r, ok := dev.form.read(bytes.TrimSuffix(line, []byte("\r"))); !ok || r.card != c {
				t.Fatalf("%q says %q for %v", expression, line, c)
			}
		}
	})
}

func BenchmarkDecoder(b *testing.B) {
	for _, name := range []string{"barcode", "five"} {
		b.Run(name, func(b *testing.B) {
			dev, err := NewDevice(Presets[name])
			if err != nil {
				b.Fatal(err)
			}
			d := decoder(b, Presets[name])
			p := dev.Draw(shoe.New(10, shoe.Hearts))
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			for b.Loop() {
				if r, _ := d.Feed(0, p); len(r) != 1 {
					b.Fatal("no card")
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cards/s")
		})
	}
}
