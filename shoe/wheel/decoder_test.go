package wheel

import (
	"fmt"
	"testing"
	"time"

	"sabot/shoe"
)

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// hears feeds lines at once and gives what is reported and answered.
func hears(d *Decoder, lines ...string) (said, answered string) {
	text := ""
	for _, l := range lines {
		text += l + "\r\n"
	}
	reports, out := d.Feed(0, []byte(text))
	return saidAll(reports), string(out)
}

func wheelSource(epoch, seq uint32) shoe.Source {
	return shoe.Source{Device: "wheel", Epoch: epoch, Seq: seq}
}

func TestReportsTellTheirLineAndDevice(t *testing.T) {
	d := New("wheel")
	reports, _ := d.Feed(0, []byte("*F 7\r\n*X;3;010; 7;0;280;0\r\n*X;4;010; 7;0;280;0\r\n25\r\n*X;5;011;25;0;165;0\r\n"))
	raws := []string{"*F 7", "*X;3;010; 7;0;280;0", "*X;4;010; 7;0;280;0", "*X;5;011;25;0;165;0", "*X;5;011;25;0;165;0"}
	if len(reports) != len(raws) {
		t.Fatal(saidAll(reports))
	}
	for i, r := range reports {
		if string(r.Raw) != raws[i] || r.Source.Device != "wheel" {
			t.Errorf("%s of %q came by %q", said(r), r.Source.Device, r.Raw)
		}
	}
	d.Feed(0, []byte("*X;3;011;25;0;280;0\r\n*X;4;011;25;0;280;0\r\n*X;5;012;26;0;165;0\r\n"))
	d.Feed(0, []byte("24\r\n*X;5;012;24"))
	reports, _ = d.Feed(time.Second, nil)
	if len(reports) != 1 || string(reports[0].Raw) != "*X;5;012;26;0;165;0" {
		t.Errorf("the tick reported %s", saidAll(reports))
	}
}

func TestEveryPocket(t *testing.T) {
	d := New("wheel")
	for n := range 37 {
		written := fmt.Sprintf("%2d", n)
		got, _ := hears(d, "*X;3;010;25;0;280;0", "*X;4;010;25;0;280;0", written, fmt.Sprintf("*X;5;011;%s;0;165;0", written))
		expect(t, written, got, fmt.Sprintf("ball | no-more-bets | number %d @11:%d", n, n+1))
	}
}

func TestEverySpinOfTheCountAndBeyond(t *testing.T) {
	d, dev := New("wheel"), NewDevice()
	for i := range 3 * maxSpin {
		n := uint8(i % 2) // the count comes back to the same number
		stream := append(append(dev.Spin(), dev.NoMoreBets()...), dev.Win(n)...)
		reports, _ := d.Feed(0, stream)
		expect(t, "spin", saidAll(reports), fmt.Sprintf("ball | no-more-bets | number %d @%d:%d", n, i%maxSpin+1, n+1))
	}
}

func TestAVoidSpinIsAcknowledgedOnceItIsOnDisk(t *testing.T) {
	const void = "*X;3;010; 7;2;280;0"
	d := New("wheel")
	said, out := hears(d, "*X;3;010; 7;0;280;0", void, void, void)
	expect(t, "void", said+out, "ball | no-spin @10:100")
	expect(t, "another ack", string(d.Ack(wheelSource(10, 8))), "")
	expect(t, "the ack", string(d.Ack(wheelSource(10, voidWord))), "*R\r\n")
	said, out = hears(d, void)
	expect(t, "it still stands", said+out, "*R\r\n")
	said, out = hears(d, "*X;2;010; 7;0;280;0")
	expect(t, "it goes on", said+out, "")
	expect(t, "late", string(d.Ack(wheelSource(10, voidWord))), "")
	said, out = hears(d, "*X;3;010; 7;0;280;0", void, void)
	expect(t, "a second one is not on disk yet", said+out, "ball | no-spin @10:100")
}

func TestAnAckNeverResetsASpinThatRuns(t *testing.T) {
	d := New("wheel")
	hears(d, "*X;3;010; 7;0;280;0", "*X;3;010; 7;2;280;0", "*X;3;010; 7;2;280;0", "*X;3;010; 7;0;280;0")
	expect(t, "the warning is over", string(d.Ack(wheelSource(10, voidWord))), "")
	d = New("wheel")
	hears(d, "*X;4;010; 7;0;280;0", "*X;7;010; 7;0;280;0", "*X;7;010; 7;0;280;0")
	expect(t, "void for another reason", string(d.Ack(wheelSource(10, voidWord))), "")
	said, _ := hears(d, "*X;3;010; 7;0;280;0", "*X;4;010; 7;0;280;0", "25", "*X;5;011;25;0;165;0")
	expect(t, "a number", said+string(d.Ack(wheelSource(11, 26))), "ball | no-more-bets | number 25 @11:26")
	expect(t, "lock", string(d.Lock(true)), "")
}

func TestStandingWhenFirstHeard(t *testing.T) {
	number, void := []string{"*X;5;011;25;0;165;0", "*X;5;011;25;0;165;0", "*X;5;011;25;0;165;0"}, []string{"*X;3;010; 7;2;280;0", "*X;3;010; 7;2;280;0"}
	for _, c := range []struct {
		name   string
		record shoe.Source
		lines  []string
		want   string
	}{
		{"a number, and an empty record", shoe.Source{}, number, "proposed 25 @11:26"},
		{"a number the record holds", wheelSource(11, 26), number, ""},
		{"another number of that spin", wheelSource(11, 27), number, "proposed 25 @11:26"},
		{"that number of another spin", wheelSource(10, 26), number, "proposed 25 @11:26"},
		{"a number, and a void spin in the record", wheelSource(11, voidWord), number, "proposed 25 @11:26"},
		{"a void spin, and an empty record", shoe.Source{}, void, "ball | no-spin @10:100"},
		{"a void spin the record holds", wheelSource(10, voidWord), void, "*R\r\n*R\r\n"},
		{"a void spin, and a number in the record", wheelSource(10, 8), void, "ball | no-spin @10:100"},
		{"no more bets", wheelSource(10, 8), []string{"*X;4;010; 7;0;200;0", "25", "*X;5;011;25;0;165;0"}, "ball | no-more-bets | number 25 @11:26"},
		{"place your bets", wheelSource(10, 8), []string{"*X;2;010; 7;0;200;0", "*X;2;010; 7;0;200;0"}, ""},
		{"closed", wheelSource(10, 8), []string{"*X;6;010; 7;0;000;0"}, "faulted closed"},
	} {
		d := New("wheel")
		d.Resume(c.record)
		said, out := hears(d, c.lines...)
		expect(t, c.name, said+out, c.want)
	}
}

// TestUnplugged: what happened while the cable was out is not made up, what was said before is not said again, and half a line is forgotten.
func TestUnplugged(t *testing.T) {
	d := New("wheel")
	hears(d, "*X;3;010; 7;0;280;0", "*X;4;010; 7;0;280;0")
	d.Feed(0, []byte("*X;5;011;2"))
	d.Resume(shoe.Source{})
	said, _ := hears(d, "5;0;165;0", "*X;5;011;25;0;165;0", "*X;5;011;25;0;165;0")
	expect(t, "it fell meanwhile", said, "proposed 25 @11:26")
	d.Resume(shoe.Source{}) // and the proposal is not on disk yet
	said, _ = hears(d, "*X;5;011;25;0;165;0", "*X;5;011;25;0;165;0")
	expect(t, "it was proposed", said, "")

	d.Feed(0, []byte("*F 1"))
	d.Resume(shoe.Source{})
	said, _ = hears(d, "2")
	expect(t, "half a line and another half", said, "")

	hears(d, "*X;3;011;25;0;280;0")
	d.Resume(shoe.Source{})
	said, _ = hears(d, "*X;1;012;26;0;280;0", "*X;1;012;26;0;280;0")
	expect(t, "a spin went by", said, "")

	hears(d, "*X;3;012;26;0;280;0", "*X;3;012;26;2;280;0", "*X;3;012;26;2;280;0")
	d.Resume(wheelSource(11, 26)) // the void is on its way to the disk
	said, out := hears(d, "*X;3;012;26;2;280;0", "*X;3;012;26;2;280;0")
	expect(t, "the void is known", said+out, "")
	expect(t, "and on disk", string(d.Ack(wheelSource(12, voidWord))), "*R\r\n")
	said, out = hears(d, "*X;2;012;26;0;280;0", "*X;6;012;26;0;000;0")
	d.Resume(wheelSource(12, voidWord))
	again, _ := hears(d, "*X;6;012;26;0;000;0", "*X;1;012;26;0;000;0")
	expect(t, "a fault stands", said+out+", "+again, "faulted closed, cleared closed")
}

// TestADueWordIsForgottenWithTheCable: what was said once, and then the cable went.
func TestADueWordIsForgottenWithTheCable(t *testing.T) {
	d := New("wheel")
	hears(d, "*X;4;010; 7;0;280;0", "*X;5;010; 7;0;280;0")
	d.Resume(shoe.Source{})
	if reports, _ := d.Feed(time.Hour, nil); len(reports) > 0 {
		t.Error(saidAll(reports))
	}
}

func TestFaultsAreBounded(t *testing.T) {
	d := New("wheel")
	n := 0
	for i := range 1000 {
		reports, _ := d.Feed(0, fmt.Appendf(nil, "*F %d\r\n", i))
		n += len(reports)
	}
	if n != maxFaults {
		t.Errorf("%d faults are told apart", n)
	}
}

func BenchmarkDecoder(b *testing.B) {
	d := New("wheel")
	spin := []byte("*X;2;010; 7;0;120;0\r\n*X;3;010; 7;0;280;0\r\n*X;3;010; 7;0;280;0\r\n*X;4;010; 7;0;280;0\r\n*X;4;010; 7;0;280;0\r\n25\r\n*X;5;011;25;0;165;0\r\n*X;5;011;25;0;165;0\r\n*X;1;011;25;0;165;0\r\n")
	b.ReportAllocs()
	b.SetBytes(int64(len(spin)))
	for b.Loop() {
		if r, _ := d.Feed(0, spin); len(r) != 3 {
			b.Fatal(saidAll(r))
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "numbers/s")
}

// BenchmarkStatus is a line that says nothing new. It does not allocate.
func BenchmarkStatus(b *testing.B) {
	d := New("wheel")
	line := []byte("*X;2;010; 7;0;120;0\r\n")
	b.ReportAllocs()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		d.Feed(0, line)
	}
}

func TestUnderstood(t *testing.T) {
	for said, want := range map[string]uint64{"*X;2;010; 7;0;120;0": 1, "*X;9;010; 7;0;120;0": 0, "\xa5\xa5": 0, "25": 0} {
		d := New("wheel")
		hears(d, said)
		if got := d.Understood(); got != want {
			t.Errorf("%q: %d understood, want %d", said, got, want)
		}
	}
}
