package line

import (
	"bytes"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/shoetest"
)

// small fails when a decoder holds more than it may.
func small(t *testing.T, d *Decoder) {
	t.Helper()
	if len(d.aside) > memory || cap(d.aside) > 4*memory || len(d.before) > epochs {
		t.Fatalf("%d sentences aside (%d), %d epochs", len(d.aside), cap(d.aside), len(d.before))
	}
}

// FuzzDecoder feeds anything: no panic, bounded memory, and cutting into bytes changes nothing.
func FuzzDecoder(f *testing.F) {
	for _, v := range shoetest.Vectors(f, "testdata/line.hex", 1) {
		f.Add(v.Bytes, true)
	}
	f.Fuzz(func(t *testing.T, p []byte, resumed bool) {
		whole, bytewise := New("shoe"), New("shoe")
		if resumed {
			whole.Resume(source(3))
			bytewise.Resume(source(3))
		}
		for round := range 3 {
			now := time.Duration(round) * 5 * time.Second
			want, out := whole.Feed(now, p)
			var got []shoe.Report
			for i := range p {
				r, _ := bytewise.Feed(now, p[i:i+1])
				got = append(got, r...)
			}
			wantTick, _ := whole.Feed(now+4*time.Second, nil)
			gotTick, _ := bytewise.Feed(now+4*time.Second, nil)
			if a, b := saidAll(append(want, wantTick...)), saidAll(append(got, gotTick...)); a != b {
				t.Fatalf("at once %s\nbyte by byte %s", a, b)
			}
			small(t, whole)
			if len(out) > 100*(len(p)+1) {
				t.Fatalf("%d bytes in, %d out", len(p), len(out))
			}
		}
	})
}

// FuzzNoise puts noise around and between good sentences, two of them identical neighbours: all of them arrive.
func FuzzNoise(f *testing.F) {
	f.Add([]byte("garbage"), uint8(20))
	f.Add([]byte("\x00\xff,*47\r\n"), uint8(0))
	f.Fuzz(func(t *testing.T, noise []byte, card uint8) {
		noise = bytes.ReplaceAll(noise, []byte("$"), nil) // which would begin a sentence
		c := shoe.Deck()[card%52]
		dev := NewDevice("d", "s", 7)
		stream := dev.Hello()
		dev.Feed(0, sentences("ACK,0,7"))
		for range 3 {
			stream = append(append(stream, noise...), dev.Draw(c)...)
		}
		d := New("shoe")
		reports, _ := d.Feed(0, append(stream, noise...))
		if len(reports) != 3 {
			t.Fatalf("noise %q: %s", noise, saidAll(reports))
		}
		for _, r := range reports {
			if r.Kind != shoe.Drawn || r.Card != c {
				t.Fatalf("noise %q: %s", noise, said(r))
			}
		}
	})
}

// FuzzIdentity reads back what the device writes.
func FuzzIdentity(f *testing.F) {
	f.Add(uint8(0), uint8(1), uint8(3), "E3", "card not read", true)
	f.Fuzz(func(t *testing.T, card, side, index uint8, code, words string, down bool) {
		dev := NewDevice("d", "s", 7)
		stream := dev.Hello()
		dev.Feed(0, sentences("ACK,0,7"))
		c := append(shoe.Deck(), shoe.Unread)[card%53]
		claim := readClaim(writeClaim(shoe.Claim{Side: shoe.Side(side), Index: index}))
		stream = append(stream, dev.DrawAt(c, claim)...)
		stream = append(stream, dev.Fault(code, words)...)
		stream = append(stream, dev.Button(code, down)...)
		stream = append(stream, dev.ClearFault(code)...)
		stream = append(stream, dev.Cut()...)
		r, _ := New("shoe").Feed(0, stream)
		if len(r) != 5 {
			t.Fatalf("%q: %s", stream, saidAll(r))
		}
		if r[0].Card != c || r[0].Claim != claim || r[1].Code != clean(code, 16) || r[1].Text != clean(words, 36) || r[2].Code != clean(code, 16) ||
			r[2].Down != down || r[3].Kind != shoe.Cleared || r[4].Kind != shoe.CutOut {
			t.Fatalf("%q: %s", stream, saidAll(r))
		}
	})
}

func BenchmarkDecoder(b *testing.B) {
	d := New("shoe")
	d.Feed(0, sentences("HEL,1,demo,0001,7,7:1"))
	var p []byte
	b.ReportAllocs()
	for seq := uint32(1); b.Loop(); seq++ {
		p = write("CRD", decimal(seq), "9S")
		if r, _ := d.Feed(0, p); len(r) != 1 {
			b.Fatal("no card")
		}
	}
	b.SetBytes(int64(len(p)))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cards/s")
}
