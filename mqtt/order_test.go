package mqtt

import (
	"bytes"
	"encoding/json"
	"testing"

	"sabot/table"
)

// What a console writes of an event is what the table reads of it, for every command of the floor.
func TestOrdersAreReadAsTheyAreWritten(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range accepted {
		if c.to != "floor" {
			continue
		}
		want, _ := parseCommand(table.ToFloor, []byte(c.payload))
		e, err := table.Parse(c.event)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := Order(table.Command{ID: "a", Event: e, Round: want.Round, Seen: want.Seen})
		if err != nil {
			t.Errorf("%s: %v", c.event, err)
			continue
		}
		if got, bad := parseCommand(table.ToFloor, payload); bad != nil || !got.Event.Equal(want.Event) || got.Round != want.Round || got.ID != "a" {
			t.Errorf("%s is written %s, and read %+v %+v", c.event, payload, got, bad)
		}
		if err := conforms("command-floor", payload); err != nil {
			t.Errorf("%s: %v", payload, err)
		}
		var m struct{ Do string }
		json.Unmarshal(payload, &m)
		tried[m.Do] = true
	}
	for _, do := range Orders() {
		if !tried[do] {
			t.Errorf("%s was not tried", do)
		}
	}
}

func TestOrdersThatTheTableWouldNotRead(t *testing.T) {
	for _, c := range []struct{ notation, why string }{
		{"pause", "It must say by whom"},
		{"hit 3a by S-2", "no command of the floor"},
		{"draw ?? by S-2", "no such card"},
		{"draw 9s player 1 by S-2", "says more"},
		{"shoe 0 by S-2", "number must"},
	} {
		e, err := table.Parse(c.notation)
		if err != nil {
			t.Fatal(err)
		}
		if payload, err := Order(table.Command{ID: "a", Event: e}); err == nil || !bytes.Contains([]byte(err.Error()), []byte(c.why)) {
			t.Errorf("%s: %s %v, want %q", c.notation, payload, err, c.why)
		}
	}
}
