package mqtt

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/table"
)

// stands is a console that heard what a table of this state retains.
func stands(state string) *Console {
	f := &Console{topics: topicsOf("T-1"), heard: make(chan heard, 4), known: map[string]bool{}}
	f.heard <- heard{f.topics.status, []byte(`{"state":"` + state + `","since":"2026-11-30T11:17:30.000Z"}`), true}
	f.heard <- heard{f.topics.layout, []byte(`{"round":2}`), true}
	f.heard <- heard{f.topics.floorState, []byte(`{}`), true}
	return f
}

// timeout ends after a while, or with the test.
func timeout(t *testing.T, after time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), after)
	t.Cleanup(cancel)
	return ctx
}

// A table that was started a moment ago is joining: what it retains may be of before, so its state is waited for.
func TestAConsoleWaitsForATableThatIsJoining(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := stands(joining)
		go func() {
			time.Sleep(time.Second)
			f.heard <- heard{f.topics.layout, []byte(`{"round":3}`), false}
			f.heard <- heard{f.topics.status, []byte(`{"state":"online","since":"2026-11-30T11:17:31.000Z"}`), false}
		}()
		s, err := f.State(timeout(t, 10*time.Second))
		if err != nil || s.State != online || s.Layout.Round != 3 {
			t.Errorf("the table is %q in round %d, %v", s.State, s.Layout.Round, err)
		}
	})
}

// One that stays so, as while two tables have one name, and one that has left are told as they stand.
func TestAConsoleTellsATableThatIsNotThere(t *testing.T) {
	for state, waits := range map[string]time.Duration{joining: 10 * time.Second, offline: 0, lost: 0} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			s, err := stands(state).State(timeout(t, 10*time.Second))
			if err != nil || s.State != state || time.Since(begun) != waits {
				t.Errorf("%s: the table is %q, %v, after %v", state, s.State, err, time.Since(begun))
			}
		})
	}
}

// hasty is a broker behind which a table refuses the first orders with a code.
type hasty struct {
	paho.Client
	f          *Console
	code       string
	sent, late int // of the first late ones
}

func (h *hasty) Publish(string, byte, bool, any) paho.Token {
	reply := `{"v":1,"id":"a","ok":true,"seq":9}`
	if h.sent++; h.sent <= h.late {
		reply = fmt.Sprintf(`{"v":1,"id":"a","ok":false,"code":%q,"text":"x"}`, h.code)
	}
	h.f.heard <- heard{h.f.topics.replyFloor, []byte(reply), false}
	return &paho.DummyToken{}
}

// An order that comes too fast is sent again, for as long as there is time; one that is refused for what it is is not.
func TestAConsoleIsPatient(t *testing.T) {
	for _, x := range []struct {
		code       string
		late, sent int
		want       string
	}{{"RATE", 3, 4, ""}, {"BUSY", 3, 4, ""}, {"RATE", 100, 10, "RATE"}, {"HELD", 100, 1, "HELD"}} {
		synctest.Test(t, func(t *testing.T) {
			h := &hasty{f: stands(online), code: x.code, late: x.late}
			h.f.client = h
			a, err := h.f.Order(timeout(t, 9500*time.Millisecond), table.Command{ID: "a", Event: table.Event{Kind: table.Pause, Text: &table.Text{By: "S-2"}}})
			if err != nil || a.Code != x.want || h.sent != x.sent {
				t.Errorf("%s: %+v, %v, sent %d times", x.code, a, err, h.sent)
			}
		})
	}
}
