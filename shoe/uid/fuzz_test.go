package uid

import (
	"bytes"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/shoetest"
)

// FuzzDecoder feeds anything to all formats: no panic, bounded memory, and cutting into bytes changes nothing.
func FuzzDecoder(f *testing.F) {
	for _, v := range shoetest.Vectors(f, "testdata/uid.hex", 40) {
		f.Add(v.Bytes, true)
		f.Add(v.Bytes, false)
	}
	f.Fuzz(func(t *testing.T, p []byte, enrolled bool) {
		if len(p) == 0 { // which is the tick
			return
		}
		for _, format := range formats {
			o := Options{Format: format.name, Ask: format.ask}
			if enrolled {
				o.Cards = cards(t)
			}
			whole, bytewise := decoderOf(t, o), decoderOf(t, o)
			for round := range 3 {
				now := time.Duration(round) * 900 * time.Millisecond
				want, out := whole.Feed(now, p)
				var got []shoe.Report
				var gotOut []byte
				for i := range p {
					r, o := bytewise.Feed(now, p[i:i+1])
					got, gotOut = append(got, r...), append(gotOut, o...)
				}
				wantTick, _ := whole.Feed(now+700*time.Millisecond, nil)
				gotTick, _ := bytewise.Feed(now+700*time.Millisecond, nil)
				if a, b := saidAll(append(want, wantTick...)), saidAll(append(got, gotTick...)); a != b || !bytes.Equal(out, gotOut) {
					t.Fatalf("%s: at once %s, out %X\nbyte by byte %s, out %X", format.name, a, out, b, gotOut)
				}
				small(t, whole)
				if len(out) > 10*(len(p)+1) {
					t.Fatalf("%s: %d bytes in, %d out", format.name, len(p), len(out))
				}
			}
		}
	})
}

// small fails when a decoder holds more than it may.
func small(t *testing.T, d *Decoder) {
	t.Helper()
	if len(d.sights) > manySights || d.tags.strays > manyStrays {
		t.Fatalf("%d sights, %d foreign tags", len(d.sights), d.tags.strays)
	}
	if p, ok := d.frames.(*packets); ok && len(p.buf) > packetFrame+256 {
		t.Fatalf("%d bytes kept", len(p.buf))
	}
}

// FuzzNoise puts noise between good frames, two of them identical neighbours: all of them arrive.
func FuzzNoise(f *testing.F) {
	f.Add([]byte("garbage"), uint8(20))
	f.Add([]byte{0x00, 0x00, 0xFF, 0x40, 0xC0}, uint8(0))
	f.Add([]byte("\x02123{#"), uint8(7))
	f.Fuzz(func(t *testing.T, noise []byte, card uint8) {
		if len(noise) > 100 { // more than the longest frame it may seem to begin is nothing new
			return
		}
		c := shoe.Deck()[card%52]
		for _, format := range formats {
			if format.ask != nil {
				continue
			}
			quiet := noise
			if format.name == "jsonl" { // which would begin a line, or a comment
				quiet = bytes.ReplaceAll(bytes.ReplaceAll(noise, []byte("{"), nil), []byte("#"), nil)
			}
			o := Options{Format: format.name, Cards: full(t, 2, format.length)}
			dev, d := device(t, o), decoderOf(t, o)
			var reports []shoe.Report
			for i := range 2 {
				r, _ := d.Feed(time.Duration(i)*time.Second, append(bytes.Clone(quiet), dev.Draw(c)...))
				tick, _ := d.Feed(time.Duration(i)*time.Second+idle, nil)
				reports = append(reports, append(r, tick...)...)
			}
			n := 0
			for _, r := range reports {
				if r.Kind == shoe.Drawn && r.Card == c {
					n++
				}
			}
			if n != 2 {
				t.Fatalf("%s, noise %q: %s", format.name, noise, saidAll(reports))
			}
		}
	})
}

func BenchmarkDecoder(b *testing.B) {
	for _, format := range formats {
		if format.ask != nil {
			continue
		}
		c := full(b, 8, format.length)
		o := Options{Format: format.name, Cards: c}
		b.Run(format.name+"/lies", func(b *testing.B) { benchmark(b, o, false) })
		b.Run(format.name+"/draws", func(b *testing.B) { benchmark(b, o, true) })
	}
}

// benchmark feeds a tag that lies on the antenna, or tags that leave one after another.
func benchmark(b *testing.B, o Options, draws bool) {
	d, dev := decoderOf(b, o), device(b, o)
	var frames [][]byte
	for _, c := range shoe.Deck() {
		frames = append(frames, dev.Draw(c))
	}
	if !draws {
		frames = frames[:1]
	}
	i := 0
	b.SetBytes(int64(len(frames[0])))
	b.ReportAllocs()
	for b.Loop() {
		if i == len(frames) && draws {
			d.NewShoe()
			d.sights = d.sights[:0]
		}
		i %= len(frames)
		d.Feed(0, frames[i])
		i++
	}
	if draws {
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cards/s")
	}
}
