package beetek

import (
	"bytes"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/shoetest"
)

// FuzzDecoder feeds anything: no panic, and cutting into bytes changes nothing. The decoder holds no slice but one frame of a card.
func FuzzDecoder(f *testing.F) {
	for _, path := range []string{"testdata/spaced.hex", "testdata/lines.hex"} {
		for _, v := range shoetest.Vectors(f, path, 1) {
			f.Add(v.Bytes, path == "testdata/lines.hex")
		}
	}
	f.Fuzz(func(t *testing.T, p []byte, lines bool) {
		o := Options{}
		if lines {
			o = codes
		}
		whole, bytewise := New("shoe", o), New("shoe", o)
		for round := range 3 {
			now := time.Duration(round) * 200 * time.Millisecond
			want, got := whole.hear(now, p, len(p)+1), bytewise.hear(now, p, 1)
			if a, b := saidAll(want), saidAll(got); a != b {
				t.Fatalf("at once %s\nbyte by byte %s", a, b)
			}
			for _, r := range want {
				if len(r.Raw) == 0 || len(r.Raw) > maxFrame {
					t.Fatalf("%d bytes in %s", len(r.Raw), said(r))
				}
			}
			if len(whole.last.raw) > maxFrame {
				t.Fatalf("%d bytes kept", len(whole.last.raw))
			}
		}
	})
}

// FuzzNoise puts noise around and between good readings, identical neighbours: all of them arrive, each once.
func FuzzNoise(f *testing.F) {
	f.Add([]byte("garbage"), uint8(20), false)
	f.Add([]byte("\x06\x15\x03\x02\xff>]"), uint8(0), true)
	f.Fuzz(func(t *testing.T, noise []byte, card uint8, lines bool) {
		noise = bytes.Map(func(r rune) rune {
			if r == '[' || r == '<' || lines && (r >= ' ' && r <= '~' || r == '\r' || r == '\n') { // which would be a frame's
				return -1
			}
			return r
		}, noise)
		c, o := append(shoe.Deck(), shoe.Unread)[card%53], Options{}
		if lines {
			c, o = []shoe.Card{four, ten, shoe.Unread}[card%3], codes
		}
		dev, host := NewDevice(o, Game), New("shoe", o)
		for i := range 3 {
			now := time.Duration(i) * time.Second
			reports := host.hear(now, append(bytes.Clone(noise), dev.Draw(c)...), 1000)
			if len(reports) != 1 || reports[0].Kind != shoe.Drawn || reports[0].Card != c {
				t.Fatalf("noise %q, card %d: %s", noise, i, saidAll(reports))
			}
		}
	})
}

// FuzzIdentity reads back what the device writes.
func FuzzIdentity(f *testing.F) {
	f.Add(uint8(0), "E3", "Card Not Read", true)
	f.Fuzz(func(t *testing.T, card uint8, code, words string, manual bool) {
		mode := Game
		if manual {
			mode = Manual
		}
		dev := NewDevice(Options{}, mode)
		c := append(shoe.Deck(), shoe.Unread)[card%53]
		r := New("shoe", Options{}).hear(0, append(dev.Draw(c), dev.Fault(code, words)...), 1000)
		want := clean(code, 16)
		if want == "E3" {
			want = "misread"
		}
		if len(r) != 2 || r[0].Card != c || r[1].Kind != shoe.Faulted || r[1].Code+" "+r[1].Text != want+" "+clean(words, 36) {
			t.Fatalf("%v %q %q: %s", c, code, words, saidAll(r))
		}
	})
}

// BenchmarkDecoder reads cards in two copies each.
func BenchmarkDecoder(b *testing.B) {
	for _, dialect := range []struct {
		name string
		o    Options
	}{{"spaced", Options{}}, {"lines", codes}} {
		b.Run(dialect.name, func(b *testing.B) {
			dev, d := NewDevice(dialect.o, Game), New("shoe", dialect.o)
			p := bytes.Repeat(append(dev.Draw(four), dev.Draw(ten)...), 100)
			b.ReportAllocs()
			b.SetBytes(int64(len(p)))
			for b.Loop() {
				if r, _ := d.Feed(0, p); len(r) != 200 {
					b.Fatal(len(r), "cards")
				}
			}
			b.ReportMetric(200*float64(b.N)/b.Elapsed().Seconds(), "cards/s")
		})
	}
}
