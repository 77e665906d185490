package wheel

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
)

// heard is a status line and when it came.
type heard struct {
	at                         time.Duration
	state, spin, number, warns string
}

// slow is what the package comment says, written down a second time, in words instead of numbers: it keeps all it heard and looks back through it. It knows no
// faults and no ticks.
type slow struct {
	said  []string
	all   []heard
	ball  string // "", "rim", "falling", "over"
	alone string
	word  string // of the line before
	last  string // what decided last, as "25@11" or "void@11"
}

var statusLine = regexp.MustCompile(`^\*X;([1-7]);((?:[01]\d| [ \d])\d|2[0-4]\d|25[0-6]);([ 0-2]\d|3[0-6]|  );([0-9A-Fa-f]);(?:  | \d|\d\d)\d;[01]$`)

var aloneLine = regexp.MustCompile(`^([ 0-2]\d|3[0-6])$`)

func (r *slow) hear(at time.Duration, line string) {
	m := statusLine.FindStringSubmatch(line)
	if m == nil {
		if aloneLine.MatchString(line) {
			r.alone = plain(line)
		}
		return
	}
	l := heard{at, m[1], plain(m[2]), plain(m[3]), fmt.Sprintf("%04b", strings.Index("0123456789ABCDEF", strings.ToUpper(m[4])))}
	was := "none"
	if len(r.all) > 0 {
		was = r.all[len(r.all)-1].state
	}
	r.all = append(r.all, l)
	if r.ball == "over" && (strings.Contains("126", l.state) || l.state == "3" && was != "3") {
		r.ball = ""
	}
	if r.ball == "" && (l.state == "3" || l.state == "4") {
		r.ball, r.said = "rim", append(r.said, "ball")
	}
	if r.ball == "rim" && l.state == "4" {
		r.ball, r.said = "falling", append(r.said, "no-more-bets")
	}
	if l.state != "4" && l.state != "5" {
		r.alone = ""
	}
	word := r.judge(l)
	if word != "" && (word == r.word || l.state == "5" && l.number == r.alone) {
		r.said = append(r.said, strings.TrimPrefix(word, "void "))
		r.last, r.ball, word = word[strings.LastIndex(word, " ")+1:], "over", ""
	}
	r.word = word
}

// plain is a number without what it is padded with, "" for none.
func plain(padded string) string {
	n := strings.TrimLeft(padded, " 0")
	if n == "" && strings.Contains(padded, "0") {
		return "0"
	}
	return n
}

func (r *slow) judge(l heard) string {
	mark := l.number + "@" + l.spin
	flying := r.ball == "rim" || r.ball == "falling"
	switch {
	case l.state == "5" && l.number == "":
		return ""
	case l.state == "5" && r.ball == "falling":
		return "number " + mark
	case l.state == "5" && mark == r.last:
		return ""
	case l.state == "5" && r.ball == "over" && strings.HasSuffix(r.last, "@"+l.spin) && !strings.HasPrefix(r.last, "void"):
		return "conflict " + mark
	case l.state == "5":
		return "proposed " + mark
	case flying && strings.Contains("127", l.state), flying && l.state == "3" && l.warns[2] == '1',
		flying && l.state == "3" && l.warns[0] == '1' && r.lasted(func(o heard) bool { return o.state == "3" }, false) >= 3*time.Second,
		flying && l.state == "4" && r.lasted(func(o heard) bool { return o.state == "4" && o.warns[3] == '1' }, true) >= 5*time.Second:
		return "no-spin void@" + l.spin
	}
	return ""
}

// lasted is for how long something has been true of all lines; or since the last line of which it was not, if that counts.
func (r *slow) lasted(is func(heard) bool, beyond bool) time.Duration {
	now := r.all[len(r.all)-1].at
	first := len(r.all)
	for first > 0 && is(r.all[first-1]) {
		first--
	}
	switch {
	case first == len(r.all):
		return 0
	case beyond && first > 0:
		first--
	}
	return now - r.all[first].at
}

// asSlow is a report as the reference writes it; the faults it does not know are left out.
func asSlow(r shoe.Report) string {
	mark := fmt.Sprintf("%d@%d", int(r.Source.Seq)-1, r.Source.Epoch)
	switch r.Kind {
	case shoe.Faulted, shoe.Cleared:
		return ""
	case shoe.NoSpin:
		return fmt.Sprintf("no-spin void@%d", r.Source.Epoch)
	case shoe.Number, shoe.Proposed, shoe.Conflict:
		return r.Kind.String() + " " + mark
	}
	return r.Kind.String()
}

// wander is a state that may follow: mostly as wheels go, sometimes any.
func wander(rng *rand.Rand, state int) int {
	if rng.IntN(12) == 0 {
		return 1 + rng.IntN(7)
	}
	if rng.IntN(3) > 0 {
		return state
	}
	return [...]int{1: 2, 2: 3, 3: 4, 4: 5, 5: 1, 6: 1, 7: 2}[state]
}

// TestAgainstTheReference plays wheels that go right and wrong, with lines that are spoilt, and compares with the reference.
func TestAgainstTheReference(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		d, r := New("wheel"), &slow{}
		d.Resume(shoe.Source{})
		state, spin, number, warn, now := 2, 1, 7, 0, time.Duration(0)
		var got []string
		for range 400 {
			now += time.Duration(rng.IntN(1000)) * time.Millisecond
			was := state
			if state = wander(rng, state); state == 5 && was != 5 {
				spin, number = spin%4+1, rng.IntN(37)
			}
			if state == 5 && rng.IntN(10) == 0 {
				number = rng.IntN(37) // the wheel thinks again
			}
			if rng.IntN(3) == 0 {
				warn = rng.IntN(16) & rng.IntN(16) &^ sensor
			}
			lines := []string{fmt.Sprintf("*X;%d;%03d;%s;%X;165;0", state, spin, writeNumber(uint8(number)), warn)}
			if state == 5 && was != 5 && rng.IntN(2) == 0 {
				lines = []string{writeNumber(uint8(number)), lines[0]}
			}
			for _, l := range lines {
				if rng.IntN(15) == 0 {
					b := []byte(l)
					b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
					l = string(b)
				}
				if strings.ContainsAny(l, "\r\n") || strings.Contains(l, ";00;") || l == "00" || strings.LastIndex(l, "*") > 0 {
					continue // what makes two lines of one, or a double zero
				}
				reports, _ := d.Feed(now, []byte(l+"\r\n"))
				for _, report := range reports {
					if text := asSlow(report); text != "" {
						got = append(got, text)
						counts[report.Kind.String()]++
					}
				}
				r.hear(now, l)
			}
			if !slices.Equal(got, r.said) {
				t.Fatalf("seed %d, after %v:\nthe decoder   %s\nthe reference %s", seed, now, strings.Join(got, " | "), strings.Join(r.said, " | "))
			}
		}
	}
	for _, kind := range []string{"ball", "no-more-bets", "number", "no-spin", "proposed", "conflict"} {
		if counts[kind] < 20 {
			t.Errorf("only %d of %s were compared: %v", counts[kind], kind, counts)
		}
	}
}
