package main

import (
	"maps"
	"testing"

	"sabot/mqtt/broker"
	"sabot/table"
	"sabot/table/box"
)

// A broker that goes away is said on the lamps while the table plays on, and so is its return.
func TestLampsSayThatTheBrokerIsAway(t *testing.T) {
	d := sit(t)
	shines := func(what string, red box.Pattern) {
		t.Helper()
		d.until(what, func(s *table.Snapshot) bool { return box.Lamps(s).Red == red })
	}
	shines("a table that is heard", box.Off)
	at := d.broker.Addr()
	d.broker.Close()
	shines("the broker's loss", box.Fast)
	d.chord() // opens the table
	d.until("the open table", func(s *table.Snapshot) bool { return s.Layout.Phase == table.ShoeChange })
	shines("the broker's loss, still", box.Fast)
	b, err := broker.Start(broker.Config{Addr: at})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	shines("the broker's return", box.Off)
}

// What is known of a device that the record has as lost is why; of one that it has as there nothing is believed before the record says so.
func TestWhyADeviceIsAway(t *testing.T) {
	for _, x := range []struct{ recorded, link, shown string }{
		{"ok", "", "ok"}, {"ok", "ok", "ok"}, {"ok", "busy", "ok"}, {"lost", "", "lost"}, {"lost", "ok", "lost"}, {"lost", "lost", "lost"},
		{"lost", "busy", "busy"}, {"lost", "denied", "denied"}, {"lost", "silent", "silent"},
	} {
		recorded := map[string]string{"shoe": x.recorded, "box": "ok"}
		stop := &table.StopDevice{Name: "shoe", Fault: "lost", Over: x.recorded == "ok"}
		stops := []table.StopState{{Device: stop}, {Device: &table.StopDevice{Name: "shoe", Fault: "jam"}}, {}}
		now := table.Snapshot{Floor: table.FloorState{Devices: recorded, Stops: stops}}
		l := links{devices: map[string]string{"shoe": x.link}}
		l.add(&now)
		if now.Floor.Devices["shoe"] != x.shown || now.Floor.Devices["box"] != "ok" || now.Unheard {
			t.Errorf("%+v: %+v", x, now.Floor.Devices)
		}
		because := x.shown
		if x.recorded == "ok" {
			because = "lost" // it is back; why it was away is not known any more
		}
		if now.Floor.Stops[0].Device.Fault != because || now.Floor.Stops[1].Device.Fault != "jam" || now.Floor.Stops[2].Device != nil {
			t.Errorf("%+v: the stops are about %+v, %+v", x, now.Floor.Stops[0].Device, now.Floor.Stops[1].Device)
		}
		if !maps.Equal(recorded, map[string]string{"shoe": x.recorded, "box": "ok"}) || stops[0].Device != stop || stop.Fault != "lost" {
			t.Error("the loop's own state was written into")
		}
	}
}
