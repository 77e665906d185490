package live

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"sabot/table"
	"sabot/table/roulette"
)

// ails is what the stops say of devices.
func (d *desk) ails() string {
	var list []string
	for _, s := range d.last().Floor.Stops {
		text := fmt.Sprint(s.Irregularity, " ", s.Code)
		if s.Device != nil {
			text += fmt.Sprintf(" %s %s %v", s.Device.Name, s.Device.Fault, s.Device.Over)
		}
		if s.Order != nil {
			text += " by " + s.Order.By + " " + s.Order.Because
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// TestAStopNamesItsDevice: which one it was, what it said, and whether that has passed; after a restart, too.
func TestAStopNamesItsDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, c := t.TempDir(), func(c *Config) { c.New = newBlackjack() }
		d := mustSit(t, dir, c).run()
		for i, order := range []string{"table open by S-1", "shoe 1 by S-1", "open", "close 1"} {
			if r := d.ask(fmt.Sprint(i), order); !r.OK {
				t.Fatalf("%s: %+v", order, r)
			}
		}
		for i, x := range []struct{ says, want string }{
			{"lost shoe", "5 DEVICE_LOST shoe lost false"},
			{"found box", "5 DEVICE_LOST shoe lost false"},
			{"fault shoe jam", "5 DEVICE_LOST shoe lost false; 7 DEVICE_FAULT shoe jam false"},
			{"clear shoe lid", "5 DEVICE_LOST shoe lost false; 7 DEVICE_FAULT shoe jam false"},
			{"found shoe", "5 DEVICE_LOST shoe lost true; 7 DEVICE_FAULT shoe jam false"},
			{"clear shoe jam", "5 DEVICE_LOST shoe lost true; 7 DEVICE_FAULT shoe jam true"},
			{"fault reader-2 gap", "5 DEVICE_LOST shoe lost true; 7 DEVICE_FAULT shoe jam true; 11 SEQUENCE_GAP reader-2  false"},
			{"stop", "5 DEVICE_LOST shoe lost true; 7 DEVICE_FAULT shoe jam true; 11 SEQUENCE_GAP reader-2  false; 12 STOP"},
		} {
			d.device(uint32(i+1), x.says)
			if got := d.ails(); got != x.want {
				t.Errorf("%s: %s, want %s", x.says, got, x.want)
			}
		}
		d.device(20, "clear shoe gap")
		before := d.ails()
		d.leave()
		d = mustSit(t, dir, c).run()
		if got, _, _ := strings.Cut(d.ails(), "; 14 RESTART"); got != before {
			t.Errorf("after a restart: %s, want %s", got, before)
		}
		for i := range 3 * maxTroubles { // nobody comes
			d.device(uint32(100+i), "fault shoe jam")
		}
		if got, _, _ := strings.Cut(d.ails(), "; 14 RESTART"); got != before || len(d.live.state.troubles) > maxTroubles+1 {
			t.Errorf("after many more: %s, %d kept", got, len(d.live.state.troubles))
		}
		d.leave()
	})
}

// TestWhoStoppedTheTable: a pause and a stop say whose they are and why; a dealer's, who presses a button, has no name. After a restart, too.
func TestWhoStoppedTheTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, c := t.TempDir(), func(c *Config) { c.New = newBlackjack() }
		d := mustSit(t, dir, c).run()
		paused := func() string {
			if p := d.last().Floor.Pause; p != nil {
				return p.By + " " + p.Because
			}
			return ""
		}
		d.ask("a", "table open by S-1")
		d.ask("b", `stop by S-2 because "seen"`)
		d.device(1, "stop")
		d.ask("c", `pause by S-3 because "tea"`)
		if got, want := d.ails(), "2 STOP by S-2 seen; 3 STOP"; got != want || paused() != "S-3 tea" {
			t.Errorf("%s, paused by %q", got, paused())
		}
		d.leave()
		d = mustSit(t, dir, c).run()
		if got, want := d.ails(), "2 STOP by S-2 seen; 3 STOP"; got != want || paused() != "S-3 tea" {
			t.Errorf("after a restart: %s, paused by %q", got, paused())
		}
		if d.ask("d", "resume by S-1"); paused() != "" || d.last().Floor.Paused {
			t.Errorf("resumed, and paused by %q", paused())
		}
		d.leave()
	})
}

// TestAStopOfAnEarlierSegmentNamesItsDevice: a segment's header names what holds the table, and the record what that was.
func TestAStopOfAnEarlierSegmentNamesItsDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := roulette.SingleZero()
		dir, c := t.TempDir(), func(c *Config) {
			c.NoShoe, c.SegmentPerShoe = true, true
			c.New = func(o table.Opening) table.Game { return table.NewRound(roulette.New(&rules, o)) }
		}
		d := mustSit(t, dir, c).run()
		d.device(1, "fault wheel conflict")
		d.device(2, "fault shoe conflict")
		d.ask("a", "table open by S-1")
		d.leave()
		d = mustSit(t, dir, c).run()
		if got, want := d.ails(), "1 SEQUENCE_CONFLICT wheel  false; 2 SEQUENCE_CONFLICT shoe  false"; len(segmentFiles(t, dir)) != 2 || got != want {
			t.Errorf("%d segments: %s, want %s", len(segmentFiles(t, dir)), got, want)
		}
		d.leave()
	})
}
