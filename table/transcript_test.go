package table

import (
	"strings"
	"testing"
)

// FuzzTranscript: whatever is in the file is refused with its line, or is events of the notation in an order of time.
func FuzzTranscript(f *testing.F) {
	f.Add("game blackjack preset=deluxe burn=none\ntable open by S-1\n+2.5s open # bets\n\topen\n\ndraw 9s 3a by S-2 because \"fell\"\n")
	f.Add("game roulette\n+2562047h47m16s ball\n+2s no-spin\n")
	f.Add("# nothing\n")
	f.Add("game x y\n")
	f.Fuzz(func(t *testing.T, text string) {
		script, err := ParseTranscript(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("no line in %q", err)
			}
			return
		}
		at := script.Steps
		for i := range at {
			if back, err := Parse(at[i].Event.String()); err != nil || back.String() != at[i].Event.String() {
				t.Fatalf("%q reads back as %q, %v", at[i].Event.String(), back.String(), err)
			}
			if at[i].Event.Seq != int64(i+1) || at[i].Event.At < 0 || i > 0 && at[i].Event.At < at[i-1].Event.At {
				t.Fatalf("line %d is event %d at %v", at[i].Line, at[i].Event.Seq, at[i].Event.At)
			}
		}
	})
}
