package mqtt

import (
	"bytes"
	"encoding/json"
	"testing"

	paho "github.com/eclipse/paho.mqtt.golang"

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
		{"peek by S-2", "no command of the floor"}, {"hit 3a by S-2", "because is missing"},
		{"draw ?? by S-2", "no such card"},
		{"draw 9s player 1 by S-2", "says more"},
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

// FuzzOrder: an event of the notation is written as a command that is read as the same event, or refused; it breaks nothing.
func FuzzOrder(f *testing.F) {
	for _, c := range accepted {
		f.Add(c.event, uint32(0), int64(0))
	}
	f.Fuzz(func(t *testing.T, line string, round uint32, seen int64) {
		e, err := table.Parse(line)
		if err != nil {
			return
		}
		payload, err := Order(table.Command{ID: "a", Event: e, Round: round, Seen: seen})
		if err != nil {
			return
		}
		if err := conforms("command-floor", payload); err != nil {
			t.Fatalf("%s: %v", payload, err)
		}
		if c, bad := parseCommand(table.ToFloor, payload); bad != nil || c.Event.String() != e.String() {
			t.Fatalf("%s is read as %s: %+v", payload, c.Event, bad)
		}
	})
}

// FuzzHeard: what others publish on the table's topics, its own among them, neither breaks a connection's state nor counts as ours, and a console neither.
func FuzzHeard(f *testing.F) {
	topics := topicsOf("BJ-1")
	for _, m := range []string{
		`{"v":1,"state":"online","open":true,"since":"2026-11-30T01:53:54.152Z","record":"x","instance":"other"}`, `{"v":1,"state":"lost","instance":"mine"}`,
		`{"v":1,"record":"x","seq":5,"table":"BJ-1","phase":"decisions"}`, `{"seq":9,"stops":[{"irregularity":4}]}`, `{"id":"a","ok":true,"seq":3}`, `null`, `[`,
	} {
		for n := range 4 {
			f.Add(uint8(n), n%2 == 0, []byte(m))
		}
	}
	r := openRecord(f, f.TempDir())
	f.Fuzz(func(t *testing.T, n uint8, retained bool, payload []byte) {
		m := heard{[]string{topics.status, topics.layout, topics.floorState, topics.call, topics.floor, topics.replyFloor}[n%6], payload, retained}
		c, err := New(Config{Broker: "127.0.0.1:1", Table: "BJ-1", Instance: "mine", CursorDir: r.dir}, r.Journal)
		if err != nil {
			t.Fatal(err)
		}
		l := newLink(c)
		l.paho = paho.NewClient(paho.NewClientOptions())
		l.hear(m) // that there is no connection is an error like any other
		if l.cursor.Seq > r.Durable() && m.topic != topics.layout || len(l.others) > maxOthers {
			t.Fatalf("%q moved the cursor to %d", payload, l.cursor.Seq)
		}
		console := Console{topics: topics, known: map[string]bool{}}
		console.answer(m, "a")
	})
}
