package wheel

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
)

// FuzzDecoder feeds anything: no panic, bounded memory, and cutting into bytes changes nothing.
func FuzzDecoder(f *testing.F) {
	for _, v := range vectors(f) {
		var p []byte
		for _, piece := range v.pieces {
			p = append(p, piece.bytes...)
		}
		f.Add(p, uint32(11), uint32(26))
	}
	f.Fuzz(func(t *testing.T, p []byte, epoch, seq uint32) {
		whole, bytewise := New("wheel"), New("wheel")
		for round := range 3 {
			now := time.Duration(round) * 4 * time.Second
			whole.Resume(wheelSource(epoch, seq))
			bytewise.Resume(wheelSource(epoch, seq))
			want, out := whole.Feed(now, p)
			var got []shoe.Report
			var gotOut []byte
			for i := range p {
				r, o := bytewise.Feed(now, p[i:i+1])
				got, gotOut = append(got, r...), append(gotOut, o...)
			}
			wantTick, _ := whole.Feed(now+time.Second, nil)
			gotTick, _ := bytewise.Feed(now+time.Second, nil)
			if a, b := saidAll(append(want, wantTick...)), saidAll(append(got, gotTick...)); a != b || !bytes.Equal(out, gotOut) {
				t.Fatalf("at once %s, %q\nbyte by byte %s, %q", a, out, b, gotOut)
			}
			if len(whole.faults) > maxFaults || len(whole.dueRaw) > maxLine || len(out) > len(p) {
				t.Fatalf("%d faults, %d bytes kept, %d bytes in, %d out", len(whole.faults), len(whole.dueRaw), len(p), len(out))
			}
		}
	})
}

// noisy are spins with noise before each line and at the end. The noise has no "*", which would begin a line.
func noisy(noise []byte, lines []string) []byte {
	var p []byte
	for _, l := range lines {
		if !strings.HasPrefix(l, "*") {
			p = append(p, "\r\n"...) // what stands before the number alone must have ended
		}
		p = append(append(p, noise...), l+"\r\n"...)
	}
	return append(p, noise...)
}

// FuzzNoise puts noise between good lines: they say what they said, whatever number the noise may look like.
func FuzzNoise(f *testing.F) {
	f.Add([]byte("garbage"), uint8(20))
	f.Add([]byte("\r\n24\r\n"), uint8(17))
	f.Add([]byte("\x00\xff;5;011;25;0;165;1\r\n"), uint8(0))
	f.Fuzz(func(t *testing.T, noise []byte, n uint8) {
		noise = bytes.ReplaceAll(noise, []byte("*"), nil)
		written := writeNumber(n % 37)
		five := "*X;5;011;" + written + ";0;165;0"
		lines := []string{"*X;3;010; 7;0;280;0", "*X;4;010; 7;0;280;0", written, five, five, "*X;3;011; 7;0;280;0", "*X;3;011; 7;2;280;0", "*X;3;011; 7;2;280;0"}
		reports, _ := New("wheel").Feed(0, noisy(noise, lines))
		if got, want := saidAll(reports), fmt.Sprintf("ball | no-more-bets | number %d @11:%d | ball | no-spin @11:100", n%37, n%37+1); got != want {
			t.Fatalf("noise %q: %s", noise, got)
		}
	})
}
