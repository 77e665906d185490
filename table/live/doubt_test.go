package live

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"testing"
	"testing/synctest"

	"sabot/table"
	"sabot/table/journal"
)

// ofCalls makes a record one whose calls are of another version, as if another program had written it.
func ofCalls(t *testing.T, dir string, version int) {
	t.Helper()
	was, now := fmt.Appendf(nil, `"calls":%d,`, table.CallsVersion), fmt.Appendf(nil, `"calls":%d,`, version)
	hash := make([]byte, sha256.Size)
	for _, file := range segmentFiles(t, dir) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, was); n != 1 {
			t.Fatalf("%d headers", n)
		}
		text = lastHash.ReplaceAll(bytes.Replace(text, was, now, 1), fmt.Appendf(nil, `"last_hash":"%x"`, hash))
		var out []byte
		for line := range bytes.Lines(text) {
			object := line[:len(line)-2*sha256.Size-2]
			sum := sha256.Sum256(append(hash, object...))
			hash = sum[:]
			out = append(append(append(append(out, object...), ' '), hex.EncodeToString(hash)...), '\n')
		}
		if err := os.WriteFile(file, out, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var lastHash = regexp.MustCompile(`"last_hash":"[0-9a-f]{64}"`)

// A record whose calls another version made stands as it is, and the table is held: a round under way can only be voided, a shoe in play only be
// retired. What the game would say of the old entries today does not matter.
func TestARecordOfOtherCallsIsHeld(t *testing.T) {
	for what, x := range map[string]struct {
		play    []string
		settles string
	}{
		"in a round":     {[]string{"open", "close 1", "draw 9s"}, `void by S-1 because "an update"`},
		"between rounds": {nil, `retire by S-1 because "an update"`},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				change := func(c *Config) { c.GameName, c.New = "blackjack", newBlackjack() }
				d := mustSit(t, dir, change).run()
				for i, e := range append([]string{"table open by S-1", "shoe 1 by S-1"}, x.play...) {
					if r := d.ask(fmt.Sprint(i), e); !r.OK && e != "draw 9s" {
						t.Fatalf("%s: %+v", e, r)
					}
				}
				d.leave()
				ofCalls(t, dir, 1)
				d = mustSit(t, dir, change).run()
				held := d.last().Floor.Stops
				doubt := held[len(held)-1]
				if doubt.Code != table.RecordDoubt.String() || len(doubt.Remedies) != 0 || d.last().Layout.Stopped == nil {
					t.Fatalf("after the start: %+v", held)
				}
				for i, stop := range held {
					want := table.OK
					if i == len(held)-1 {
						want = table.RemedyRefused
					}
					if r := d.ask(fmt.Sprint("r", i), fmt.Sprintf("release %d by S-1", stop.Irregularity)); r.Code != want {
						t.Errorf("release of %s: %+v", stop.Code, r)
					}
				}
				if r := d.ask("o", "open"); r.OK {
					t.Error("a round was opened")
				}
				if r := d.ask("s", x.settles); !r.OK || len(d.last().Floor.Stops) != 0 || d.last().Layout.Stopped != nil {
					t.Errorf("%s: %+v, and then %+v", x.settles, r, d.last().Floor.Stops)
				}
				d.leave()
			})
		})
	}
}

// FuzzHeader: whatever state a header tells, a table opens in it, or is refused; nothing breaks.
func FuzzHeader(f *testing.F) {
	f.Add([]byte(`{"first":1,"opening":{"open":true,"round":7,"shoe":2,"paused":true,"holds":[{"seq":4,"code":"EXTRA_CARD","card":"9s"}],"last_shoe":"9sTd??"}}`))
	f.Add([]byte(`{"first":9,"devices":[{"Device":"shoe","Epoch":1,"Seq":4}],"missing":["shoe"],"commands":[{"from":"floor","id":"a","round":7,"ok":false,"code":"HELD","seq":4}]}`))
	newGame := newBlackjack()
	f.Fuzz(func(t *testing.T, text []byte) {
		var h journal.Header
		if json.Unmarshal(text, &h) != nil {
			return
		}
		l := &Live{state: begin(h), game: newGame(h.Opening)}
		l.snapshot()
		l.game.Step(table.Event{Kind: table.NewShoe, N: 1, Seq: h.First}, nil)
		l.snapshot()
	})
}
