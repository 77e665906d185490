package mqtt

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
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
