package angel

import (
	"bytes"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/shoe/shoetest"
)

// FuzzDecoder feeds anything: no panic, and cutting into bytes changes nothing. The decoder holds no slice but the reports it gives away.
func FuzzDecoder(f *testing.F) {
	for _, v := range shoetest.Vectors(f, "testdata/angel.hex", 40) {
		f.Add(v.Bytes, true)
	}
	f.Fuzz(func(t *testing.T, p []byte, asked bool) {
		whole, bytewise := New("shoe", Options{}), New("shoe", Options{})
		for round := range 3 {
			now := time.Duration(round) * time.Second
			if asked {
				whole.Lock(round == 1)
				bytewise.Lock(round == 1)
			}
			want, out := whole.Feed(now, p)
			var got []shoe.Report
			for i := range p {
				r, _ := bytewise.Feed(now, p[i:i+1])
				got = append(got, r...)
			}
			if a, b := saidAll(want), saidAll(got); a != b {
				t.Fatalf("at once %s\nbyte by byte %s", a, b)
			}
			for _, r := range want {
				if len(r.Raw) == 0 || len(r.Raw) > maxFrame {
					t.Fatalf("%d bytes in %s", len(r.Raw), said(r))
				}
			}
			if len(out) > 1000*(len(p)+1) || len(want) > len(p) {
				t.Fatalf("%d bytes in, %d out, %d reports", len(p), len(out), len(want))
			}
		}
	})
}

// FuzzNoise puts noise around and between good messages, identical neighbours: all of them arrive, each once.
func FuzzNoise(f *testing.F) {
	f.Add([]byte("garbage"), uint8(20))
	f.Add([]byte("\x06\x15\x03\x02\xff"), uint8(0))
	f.Fuzz(func(t *testing.T, noise []byte, card uint8) {
		noise = bytes.ReplaceAll(noise, []byte{enq}, nil) // which would begin a message
		c := append(shoe.Deck(), shoe.Unread)[card%53]
		dev := NewDevice(Options{}, Habits{Copies: 1})
		var stream []byte
		for range 3 {
			stream = append(append(stream, noise...), dev.DrawAt(c, shoe.Claim{Side: shoe.Outside})...)
		}
		reports, _ := New("shoe", Options{}).Feed(0, append(stream, noise...))
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
	f.Add(uint8(0), uint8(1), uint8(3), uint8(1), true, false)
	f.Fuzz(func(t *testing.T, card, side, index, winner uint8, pp, bp bool) {
		dev := NewDevice(Options{}, Habits{Copies: 3})
		c := shoe.Deck()[card%52]
		claim := shoe.Claim{Side: shoe.ToPlayer + shoe.Side(side%4)}
		if claim.Side < shoe.ToBurn {
			claim.Index = index % 16
		}
		result := shoe.Result{Winner: shoe.Winner(winner % 5), PlayerPair: pp, BankerPair: bp}
		r, _ := New("shoe", Options{}).Feed(0, append(append(dev.DrawAt(c, claim), dev.Result(result)...), dev.Cut()...))
		if len(r) != 3 || r[0].Card != c || r[0].Claim != claim || r[1].Result != result || r[2].Kind != shoe.CutOut {
			t.Fatalf("%v %v %v: %s", c, claim, result, saidAll(r))
		}
	})
}

// BenchmarkDecoder reads coups in three copies each.
func BenchmarkDecoder(b *testing.B) {
	dev := NewDevice(Options{}, Habits{Copies: 3})
	var p []byte
	for range 100 {
		for _, text := range []string{"9s", "2c", "Kd", "5h"} {
			c, _ := shoe.ParseCard(text)
			p = append(p, dev.Draw(c)...)
		}
	}
	d := New("shoe", Options{})
	b.ReportAllocs()
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		d.Resume(shoe.Source{})
		if r, _ := d.Feed(0, p); len(r) == 0 {
			b.Fatal("no card")
		}
	}
	b.ReportMetric(400*float64(b.N)/b.Elapsed().Seconds(), "cards/s")
}
