package line

import (
	"testing"
	"time"

	"sabot/shoe"
)

// answered is a device whose hello was answered.
func answered(t *testing.T) *Device {
	t.Helper()
	d := NewDevice("demo", "0001", 7)
	expect(t, "hello", text(d.Hello()), "HEL,1,demo,0001,7,7:1")
	expect(t, "answer", text(d.Feed(0, sentences("ACK,0,7"))), "HRT,0")
	return d
}

func TestDeviceSpeaksOnlyWhenAnswered(t *testing.T) {
	d := NewDevice("demo", "0001", 7)
	expect(t, "boot", text(d.Feed(0, nil)), "HEL,1,demo,0001,7,7:1")
	expect(t, "draw", text(d.Draw(ace)), "")
	expect(t, "too soon", text(d.Feed(999*time.Millisecond, nil)), "")
	expect(t, "again", text(d.Feed(time.Second, nil)), "HEL,1,demo,0001,7,7:1")
	expect(t, "another epoch's ack", text(d.Feed(time.Second, sentences("ACK,1,6"))), "")
	expect(t, "an ack beyond what was sent", text(d.Feed(time.Second, sentences("ACK,2,7"))), "")
	expect(t, "an ack without epoch", text(d.Feed(time.Second, sentences("ACK,0"))), "")
	expect(t, "the ack", text(d.Feed(time.Second, sentences("ACK,0,7"))), "CRD,1,AS HRT,1")
	expect(t, "heartbeat", text(d.Feed(3*time.Second, nil)), "HRT,1")
}

func TestDeviceKeepsUntilAcknowledged(t *testing.T) {
	d := answered(t)
	for range 3 {
		d.Draw(ace)
	}
	expect(t, "get", text(d.Feed(0, sentences("GET,2"))), "CRD,2,AS CRD,3,AS")
	expect(t, "ack", text(d.Feed(0, sentences("ACK,2,7"))), "")
	expect(t, "get", text(d.Feed(0, sentences("GET,1"))), "CRD,3,AS")
	expect(t, "get 0", text(d.Feed(0, sentences("GET,0"))), "HEL,1,demo,0001,7,7:3")
	expect(t, "answer", text(d.Feed(0, sentences("ACK,2,7"))), "CRD,3,AS")
}

func TestDeviceFinishesTheOldEpochFirst(t *testing.T) {
	d := answered(t)
	d.Draw(ace)
	d.Draw(shoe.Unread)
	expect(t, "reboot", text(d.Reboot(8)), "HEL,1,demo,0001,7,7:1")
	expect(t, "draw", text(d.Cut()), "")
	expect(t, "answer", text(d.Feed(0, sentences("ACK,1,7"))), "CRD,2,?? HRT,2")
	expect(t, "draw in between", text(d.Draw(ace)), "")
	expect(t, "rest", text(d.Feed(0, sentences("ACK,2,7"))), "HEL,1,demo,0001,8,8:1")
	expect(t, "answer", text(d.Feed(0, sentences("ACK,0,8"))), "CUT,1 CRD,2,AS")
	expect(t, "draw", text(d.Draw(ace)), "CRD,3,AS")
}

func TestDeviceLocks(t *testing.T) {
	d := answered(t)
	for _, step := range []struct {
		now    time.Duration
		say    string
		locked bool
	}{
		{0, "", true}, {0, "HST,0", true}, {0, "HST,1", false}, {0, "LCK,1", true}, {0, "LCK,0", false},
		{2999 * time.Millisecond, "", false}, {3 * time.Second, "", true}, {3 * time.Second, "HST,1", false}, {4 * time.Second, "HST,0", true},
	} {
		d.Feed(step.now, sentences(step.say))
		if d.Locked() != step.locked {
			t.Errorf("at %v after %q: locked %v", step.now, step.say, d.Locked())
		}
	}
}

func TestDeviceLocksBeforeItsMemoryIsFull(t *testing.T) {
	d := answered(t)
	d.Feed(0, sentences("HST,1"))
	for i := range memory {
		if d.Locked() != (i >= memory-reserve) {
			t.Errorf("locked %v with %d kept", d.Locked(), i)
		}
		if d.Draw(ace) == nil {
			t.Fatalf("card %d was not said", i+1)
		}
	}
	expect(t, "one too many", text(d.Draw(ace)), "")
	expect(t, "its number", text(d.Feed(2*time.Second, sentences("ACK,64,7"))), "HRT,65")
	expect(t, "the next", text(d.Draw(ace)), "CRD,66,AS")
	d.Reboot(8)
	d.Feed(0, sentences("ACK,66,7"))
	if !d.Locked() {
		t.Error("open after a reboot before the host was heard")
	}
}

// TestWhatWasForgottenIsMissed: a button pressed while nothing is acknowledged and the memory is full, a STOP perhaps, is a gap to the host.
func TestWhatWasForgottenIsMissed(t *testing.T) {
	d, host := answered(t), met(t)
	for range memory + 1 {
		host.Feed(0, d.Button("stop", true))
	}
	reports, out := host.Feed(2*time.Second, d.Feed(2*time.Second, nil))
	expect(t, "a heartbeat", saidAll(reports), "")
	host.Feed(2*time.Second, d.Feed(2*time.Second, out))
	reports, _ = host.Feed(4*time.Second, nil)
	expect(t, "what nobody has", saidAll(reports), "gap @7:65")
}

func TestFieldsCannotBreakASentence(t *testing.T) {
	d := NewDevice("a,b*c$d\r\né", "0123456789ABCDEF+", 4294967295)
	expect(t, "hello", text(d.Hello()), "HEL,1,a.b.c.d...,0123456789ABCDEF,4294967295,4294967295:1")
	d.Feed(0, sentences("ACK,0,4294967295"))
	long := "$a,b*\r\n" + string(make([]byte, 200))
	for _, p := range [][]byte{d.Fault(long, long), d.Button(long, true), d.ClearFault(long)} {
		if len(p) > maxFrame+2 || len(p) == 0 {
			t.Errorf("%d bytes: %q", len(p), p)
		}
		if _, ok := parse(string(p[:len(p)-2])); !ok {
			t.Errorf("not a sentence: %q", p)
		}
	}
}

func TestAWheelIsHeardAsItSpeaks(t *testing.T) {
	wheel, host := answered(t), met(t)
	var said []byte
	for _, p := range [][]byte{wheel.Spin(), wheel.NoSpin(), wheel.Spin(), wheel.Win(0), wheel.Win(36)} {
		said = append(said, p...)
	}
	reports, _ := host.Feed(0, said)
	expect(t, "a wheel", saidAll(reports), "ball @7:1 | no-spin @7:2 | ball @7:3 | number 0 @7:4 | number 36 @7:5")
}
