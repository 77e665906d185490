package display

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC)

func said(kind string, seq int64, after time.Duration) message {
	return message{kind, seq, start.Add(after), json.RawMessage("{}")}
}

// seconds makes a ring with a call a second, and a layout with each.
func seconds(n int) *ring {
	r := &ring{}
	for i := 1; i <= n; i++ {
		r.add(said("call", int64(i), time.Duration(i)*time.Second))
		r.add(said("layout", int64(i), time.Duration(i)*time.Second))
	}
	return r
}

func seqs(list []message) string {
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "%s %d ", m.kind, m.seq)
	}
	return strings.TrimSpace(b.String())
}

func TestPlaceInTheRing(t *testing.T) {
	r := seconds(100)
	now := start.Add(100 * time.Second)
	tests := []struct {
		name  string
		last  int64
		delay time.Duration
		want  uint64
		opens string
	}{
		{"now", 0, 0, 200, "layout 100"},
		{"ten seconds behind", 0, 10 * time.Second, 180, "layout 90"},
		{"goes on where it was", 97, 0, 194, "layout 97"},
		{"goes on where it was, behind", 85, 10 * time.Second, 170, "layout 85"},
		{"saw what is not to be shown yet", 99, 10 * time.Second, 180, "layout 90"},
		{"saw what was never here", 500, 0, 200, "layout 100"},
	}
	for _, test := range tests {
		place := r.place(test.last, test.delay, now)
		if got := seqs(r.opening(place)); place != test.want || got != test.opens {
			t.Errorf("%s: place %d, opening %q; want %d, %q", test.name, place, got, test.want, test.opens)
		}
	}
}

// What tells a whole is not forgotten with the messages it came among.
func TestOpeningOutlivesTheRing(t *testing.T) {
	r := &ring{}
	r.add(said("history", 0, 0))
	r.add(said("state", 0, 0))
	r.add(said("layout", 1, 0))
	for i := range int64(3 * ringSize) {
		r.add(said("call", i+2, time.Second))
	}
	if got := seqs(r.opening(r.n)); got != "history 0 layout 1 state 0" {
		t.Error(got)
	}
	if r.oldest() != r.n-ringSize {
		t.Errorf("oldest %d of %d", r.oldest(), r.n)
	}
}

func layoutText(record string, seq int64, more string) []byte {
	return fmt.Appendf(nil, `{"v":1,"record":%q,"seq":%d,"at":"2026-11-30T21:00:00.000Z","table":"T","game":"baccarat","rules":"puntobanco",`+
		`"shoe":{"number":1,"dealt":4,"left":412,"last_round":false},"phase":"result","due":null,"seats":[],"dealer":null,"stopped":null%s}`, record, seq, more)
}

func callText(record string, seq int64, round int, calls string) []byte {
	return fmt.Appendf(nil, `{"v":1,"record":%q,"seq":%d,"at":"2026-11-30T21:00:00.000Z","round":%d,"calls":[%s]}`, record, seq, round, calls)
}

const status = `{"v":1,"state":%q,"since":"2026-11-30T21:00:00.000Z","record":"r","instance":"i"}`

func kinds(r *ring) string {
	var list []message
	for i := r.oldest(); i < r.n; i++ {
		list = append(list, *r.get(i))
	}
	return seqs(list)
}

func TestBoardTakesEachMessageOnce(t *testing.T) {
	b := newBoard("T", start)
	hear := func(topic string, payload []byte) { b.hear(topic, payload, start) }
	hear("call", callText("r", 5, 1, ""))
	hear("layout", layoutText("r", 5, `,"round":1,"last":null`))
	hear("call", callText("r", 5, 1, "")) // again
	hear("layout", layoutText("r", 4, `,"round":1,"last":null`))
	hear("call", callText("r", 6, 1, ""))
	hear("call", callText("r", 8, 1, ""))
	for _, rubbish := range []string{"", "{", "[]", `"x"`, `{"seq":-1}`, "null", "\x00", `{"seq":1e99}`} {
		hear("call", []byte(rubbish))
		hear("layout", []byte(rubbish))
		hear("status", []byte(rubbish))
		hear("floor", []byte(rubbish))
		hear("floor/state", []byte(rubbish))
	}
	if got := kinds(&b.public); got != "call 5 history 0 layout 5 call 6 call 8" {
		t.Errorf("public ring: %s", got)
	}
	hear("call", callText("s", 1, 1, "")) // another record counts anew
	if b.seq != 1 || b.record != "s" {
		t.Errorf("record %s at %d", b.record, b.seq)
	}
}

// Nothing that only the staff may hear is in the public's ring, whatever else is published before and after.
func TestStaffsMessagesStayInTheStaffsRing(t *testing.T) {
	b := newBoard("T", start)
	b.hear("layout", layoutText("r", 1, `,"round":1,"last":null`), start)
	b.hear("floor", []byte(`{"seq":2,"calls":[{"call":"irregularity","code":"SECRET_CODE"}]}`), start)
	b.hear("floor/state", []byte(`{"seq":2,"dealer":"SECRET_DEALER","stops":[]}`), start)
	b.hear("command/floor", []byte(`{"by":"SECRET_NAME"}`), start)
	b.hear("settlement", []byte(`{"seq":2,"SECRET":1}`), start)
	b.hear("call", callText("r", 2, 1, ""), start)
	for i := range b.public.n {
		if m := b.public.get(i); strings.Contains(string(m.body), "SECRET") || strings.HasPrefix(m.kind, "floor") {
			t.Errorf("public: %s %s", m.kind, m.body)
		}
	}
	if got := kinds(&b.staff); !strings.Contains(got, "floor 2 floor-state 2") || strings.Contains(fmt.Sprint(b.staff.list), "SECRET_NAME") {
		t.Errorf("staff: %s", got)
	}
}

func TestStaleAfterThreeSeconds(t *testing.T) {
	b := newBoard("T", start)
	state := func() string {
		m, ok := b.public.before("state", b.public.n)
		if !ok {
			return ""
		}
		return string(m.body)
	}
	at := func(d time.Duration) time.Time { return start.Add(d) }
	b.judge(at(patience - 1))
	b.hear("status", fmt.Appendf(nil, status, "online"), at(patience))
	if b.stale || state() != `{"stale":false}` {
		t.Errorf("online: %v %s", b.stale, state())
	}
	b.hear("status", fmt.Appendf(nil, status, "lost"), at(10*time.Second))
	b.judge(at(10*time.Second + patience - 1))
	if b.stale {
		t.Error("stale too early")
	}
	b.judge(at(10*time.Second + patience))
	if !b.stale || state() != `{"stale":true}` {
		t.Errorf("lost: %v %s", b.stale, state())
	}
	b.hear("status", fmt.Appendf(nil, status, "online"), at(20*time.Second))
	if b.stale || state() != `{"stale":false}` {
		t.Errorf("online again: %v %s", b.stale, state())
	}
	b.link(false, at(30*time.Second)) // our own link to the broker
	b.judge(at(30*time.Second + patience))
	if !b.stale {
		t.Error("not stale without a broker")
	}
}

// A layout tells the roads of its shoe whole, and they are sent when they have changed.
func TestHistory(t *testing.T) {
	b := newBoard("T", start)
	sent := func() (bead string, n int) {
		for i := range b.public.n {
			if m := b.public.get(i); m.kind == "history" {
				var r Roads
				if json.Unmarshal(m.body, &r) != nil {
					t.Fatalf("%s", m.body)
				}
				bead = ""
				for _, c := range r.Bead {
					bead += c.Won
				}
				n++
			}
		}
		return bead, n
	}
	for i, coups := range []string{``, `"Pn"`, `"Pn"`, `"Pn","Bpb","T"`, `"Pn","P"`, ``} {
		more := `,"round":7,"last":null`
		if coups != "" {
			more += `,"coups":[` + coups + `]`
		}
		b.hear("layout", layoutText("r", int64(i+1), more), start)
		want := []struct {
			bead string
			n    int
		}{{"", 1}, {"P", 2}, {"P", 2}, {"PBT", 3}, {"PP", 4}, {"", 5}}[i]
		if bead, n := sent(); bead != want.bead || n != want.n {
			t.Errorf("%s: %q, sent %d times; want %q, %d", coups, bead, n, want.bead, want.n)
		}
	}
	if c := beadOf("Bnpb"); c != (Bead{"B", true, 3}) {
		t.Errorf("%+v", c)
	}
}

func TestHotAndCold(t *testing.T) {
	var numbers []int
	for n := range 37 {
		numbers = append(numbers, n)
	}
	numbers = append(numbers, 7, 7, 3)
	slices.Reverse(numbers)
	s := spinsOf(numbers)
	if got := fmt.Sprint(s); got != "{40 [7 3] [0 1 2 4]}" {
		t.Error(got)
	}
	if s := spinsOf([]int{1, 1, 99, -1}); fmt.Sprint(s.Hot, s.Cold) != "[1] []" {
		t.Errorf("few: %v", s)
	}
}

func FuzzHear(f *testing.F) {
	f.Add("layout", layoutText("r", 1, `,"round":1,"last":null`))
	f.Add("layout", layoutText("r", 1, `,"round":1,"coups":["Pn","Bpb","T"],"last":null`))
	f.Add("call", callText("r", 1, 1, `{"call":"card","hand":"player","card":"9s","total":9}`))
	f.Add("status", fmt.Appendf(nil, status, "online"))
	f.Add("floor/state", []byte(`{"seq":1,"stops":[]}`))
	f.Fuzz(func(t *testing.T, topic string, payload []byte) {
		b := newBoard("T", start)
		b.hear(topic, payload, start)
		for i := range b.staff.n {
			if m := b.staff.get(i); strings.ContainsAny(string(m.body), "\n\r") || !json.Valid(m.body) {
				t.Fatalf("%s: %q would break a stream", m.kind, m.body)
			}
		}
	})
}
