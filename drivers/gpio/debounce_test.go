package gpio

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

// told is what a debouncer tells of samples taken every 5 ms: a digit is a run of released ('.'), pressed ('x') or unread ('?') ones.
func told(d *debouncer, script string) string {
	var list []string
	now := time.Duration(0)
	for _, run := range strings.Fields(script) {
		var n int
		var what byte
		if _, err := fmt.Sscanf(run, "%d%c", &n, &what); err != nil {
			panic(err)
		}
		for range n {
			for _, p := range d.feed(map[byte]sample{'.': released, 'x': pressed, '?': unread}[what], now) {
				list = append(list, fmt.Sprintf("%v@%d", p.Kind, now/ms))
			}
			now += 5 * ms
		}
	}
	return strings.Join(list, " ")
}

// chattering is a contact that changes at every one of n samples.
func chattering(n int) string { return strings.Repeat("1x 1. ", n/2) }

func TestDebouncer(t *testing.T) {
	plain := contact{debounce: 20 * ms, hold: 100 * ms, stuck: time.Second}
	loop := contact{debounce: 20 * ms, hold: 100 * ms, stuck: time.Second, halts: true, atOnce: true, late: true}
	latching := contact{debounce: 20 * ms, atOnce: true}
	tests := []struct {
		name   string
		c      contact
		script string
		want   string
	}{
		{"nothing", plain, "100.", ""},
		{"a press", plain, "10. 10x 10.", "down@70 up@120"},
		{"shorter than the debounce", plain, "10. 3x 10.", ""},
		{"bounce both ways", plain, "10. 1x 1. 1x 1. 6x 1. 1x 1. 10.", "down@90 up@130"},
		{"a hole in a press", plain, "10. 5x 2. 5x 10.", "down@70 up@130"},
		{"held", plain, "10. 25x 10.", "down@70 held@150 up@195"},
		{"a press too short for a hold", plain, "10. 19x 10.", "down@70 up@165"},
		{"stuck, once, and free again", plain, "10. 500x 10.", "down@70 held@150 stuck@1050 up@2570 calm@2570"},
		{"down at the start: nobody pressed", plain, "60x 10. 10x 10.", "down@370 up@420"},
		{"stuck at the start", plain, "300x 10.", "stuck@1000 calm@1520"},
		{"one reading fails", plain, "10. 1? 10. 10x 1? 9x 10.", "down@125 up@225"},
		{"unreadable", plain, "10. 100? 10. 10x 10.", "lost@70 calm@550 down@620 up@670"},
		{"unreadable while pressed", plain, "10. 10x 10? 5. 10x", "down@70 lost@120 calm@150 up@170 down@195"},
		{"chatter is one event", plain, "10. " + chattering(1000) + "250.", "bouncing@200 calm@6045"},
		{"chatter that ends pressed is no press", plain, "10. " + chattering(100) + "300x 10. 10x 10.", "bouncing@200 stuck@1550 calm@2070 down@2120 up@2170"},
		{"chatter while pressed", plain, "10. 10x " + chattering(60) + "250.", "down@70 bouncing@250 up@1395 calm@1395"},

		{"a loop", loop, "10. 10x 10.", "down@70 up@120"},
		{"a loop held by a finger", loop, "10. 30x 10.", "down@70 held@220 up@220"},
		{"a loop that is cut", loop, "10. 400x", "down@70 stuck@1050"},
		{"a cut loop that is mended", loop, "10. 400x 10.", "down@70 stuck@1050 up@2070 calm@2070"},
		{"a loop found open", loop, "30x 10. 30x 10.", "down@20 up@170 down@220 held@370 up@370"},
		{"a loop that cannot be read", loop, "10. 30? 10.", "lost@70 down@70 calm@200 up@220"},
		{"a loop with a loose wire", loop, "10. " + chattering(100) + "250. 10x 10.", "down@200 bouncing@200 up@1545 calm@1545 down@1820 up@1870"},
		{"a loop that breaks in the end", loop, "10. " + chattering(100) + "250x 10.", "down@200 bouncing@200 stuck@1550 up@1820 calm@1820"},

		{"a switch", latching, "10. 4000x 10.", "down@70 up@20070"},
		{"a switch found on", latching, "100x 10.", "down@20 up@520"},
	}
	for _, test := range tests {
		if got := told(&debouncer{contact: test.c}, test.script); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// trace is samples of a contact in time.
type trace struct {
	s  []sample
	at []time.Duration
}

func (tr *trace) stay(s sample, d, step time.Duration) {
	last := time.Duration(0)
	if n := len(tr.at); n > 0 {
		last = tr.at[n-1]
	}
	for end := last + d; last < end; {
		last += step
		tr.s, tr.at = append(tr.s, s), append(tr.at, last)
	}
}

// bounce is a contact that chatters on its way to s.
func (tr *trace) bounce(r *rand.Rand, s sample, d, step time.Duration) {
	for range d / step {
		tr.stay([]sample{s, released + pressed - s}[r.IntN(2)], step, step)
	}
}

// slowly says the same as a debouncer, of a contact without faults, with no memory but the whole trace: at each sample it looks back.
func slowly(c contact, tr trace) []string {
	var list []string
	last := released
	var from time.Duration
	held := false
	for i := range tr.s {
		j := i
		for j > 0 && tr.s[j-1] == tr.s[i] {
			j--
		}
		if tr.s[i] != last && tr.at[i]-tr.at[j] >= c.debounce {
			last = tr.s[i]
			if last == pressed {
				from, held = tr.at[j], false
				list = append(list, fmt.Sprint("down ", tr.at[i]))
			} else {
				if c.late && tr.at[j]-from >= c.hold {
					list = append(list, fmt.Sprint("held ", tr.at[i]))
				}
				list = append(list, fmt.Sprint("up ", tr.at[i]))
			}
		}
		if last == pressed && tr.s[i] == pressed && tr.at[i]-tr.at[j] >= c.debounce && !held && !c.late && tr.at[i]-from >= c.hold {
			held = true
			list = append(list, fmt.Sprint("held ", tr.at[i]))
		}
	}
	return list
}

func TestDebouncerAgainstTheSlowOne(t *testing.T) {
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 4))
		c := contact{debounce: time.Duration(r.IntN(40)) * ms, hold: time.Duration(1+r.IntN(300)) * ms, late: r.IntN(2) == 0}
		var tr trace
		tr.stay(released, 100*ms, 5*ms)
		for range 100 {
			step := time.Duration(2+r.IntN(6)) * ms
			s := sample(r.IntN(2))
			tr.bounce(r, s, time.Duration(r.IntN(30))*ms, step)
			tr.stay(s, time.Duration(r.IntN(700))*ms, step)
			tr.stay(s, time.Duration(r.IntN(2))*1200*ms, step) // so that the edges of a second stay those of fingers
		}
		d := debouncer{contact: c}
		var got []string
		for i := range tr.s {
			for _, p := range d.feed(tr.s[i], tr.at[i]) {
				if p.Kind == Bouncing {
					t.Fatalf("seed %d: a finger is taken for a fault at %v", seed, tr.at[i])
				}
				got = append(got, fmt.Sprint(p.Kind, " ", tr.at[i]))
			}
		}
		if want := slowly(c, tr); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d, %+v:\n got %v\nwant %v", seed, c, got, want)
		}
	}
}

// Ten thousand presses by a finger on a worn contact are ten thousand presses.
func TestTenThousandPresses(t *testing.T) {
	const seed = 10000
	r := rand.New(rand.NewPCG(seed, 0))
	for _, c := range []contact{{debounce: 20 * ms, stuck: stuckAfter}, {debounce: 20 * ms, hold: time.Second, stuck: stuckLoopAfter, halts: true, atOnce: true, late: true}} {
		d := debouncer{contact: c}
		count := map[Kind]int{}
		now := time.Duration(0)
		run := func(level sample, bounce, stay time.Duration) {
			for end := now + bounce; now < end; now += pollEvery {
				for _, p := range d.feed(sample(r.IntN(2)), now) {
					count[p.Kind]++
				}
			}
			for end := now + stay; now < end; now += pollEvery {
				for _, p := range d.feed(level, now) {
					count[p.Kind]++
				}
			}
		}
		run(released, 0, time.Second)
		for range 10_000 {
			run(pressed, time.Duration(r.IntN(20))*ms, time.Duration(30+r.IntN(300))*ms)
			run(released, time.Duration(r.IntN(20))*ms, time.Duration(100+r.IntN(600))*ms)
		}
		if len(count) != 2 || count[Down] != 10_000 || count[Up] != 10_000 {
			t.Errorf("seed %d: %v", seed, count)
		}
	}
}

// Whatever a contact does, what is told of it makes sense: presses alternate with releases, a press is held once at most, faults end in one
// Calm, and a second has only so many presses.
func FuzzDebouncer(f *testing.F) {
	f.Add([]byte("\x00\x41\x00\x41\x00\x80\x00"), uint8(0))
	f.Add([]byte("\x41\x00\xff\x41\x00"), uint8(7))
	f.Fuzz(func(t *testing.T, p []byte, how uint8) {
		c := contact{debounce: 20 * ms, hold: 100 * ms, stuck: time.Second, halts: how&1 > 0, atOnce: how&2 > 0, late: how&4 > 0}
		d := debouncer{contact: c}
		var now time.Duration
		var downs []time.Duration
		down, held, faulty := false, false, map[Kind]bool{}
		for _, b := range p {
			for range 1 + b&0x3f {
				for _, p := range d.feed(sample(b>>6)%3, now) {
					wrong := false
					switch p.Kind {
					case Down:
						wrong = down
						down, held, downs = true, false, append(downs, now)
					case Held:
						wrong = !down || held
						held = true
					case Up:
						wrong = !down
						down = false
					case Calm:
						wrong = len(faulty) == 0
						clear(faulty)
					default:
						wrong = faulty[p.Kind] && p.Kind == Bouncing
						faulty[p.Kind] = true
					}
					if n := len(downs); wrong || n > maxEdges/2+1 && downs[n-1]-downs[n-2-maxEdges/2] < time.Second {
						t.Fatalf("%v at %v", p.Kind, now)
					}
				}
				now += pollEvery
			}
		}
	})
}
