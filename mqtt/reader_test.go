package mqtt

import "testing"

func TestReader(t *testing.T) {
	var r Reader
	for i, test := range []struct {
		topic, payload string
		seq            int64
		fresh, gap     bool
	}{
		{"sabot/A/call", `{"seq":1}`, 1, true, false},
		{"sabot/A/call", `{"seq":2}`, 2, true, false},
		{"sabot/B/call", `{"seq":1}`, 1, true, false}, // each topic counts by itself
		{"sabot/A/floor", `{"seq":2,"prev":0}`, 2, true, false},
		{"sabot/A/call", `{"seq":2}`, 2, false, false},
		{"sabot/A/call", `{"seq":5}`, 5, true, true},
		{"sabot/A/call", `{"seq":3}`, 3, false, false}, // too late
		{"sabot/A/call", `{"seq":6}`, 6, true, false},
		{"sabot/A/floor", `{"seq":6,"prev":2}`, 6, true, false},
		{"sabot/A/settlement", `{"seq":9,"prev":4}`, 9, true, true},
		{"sabot/A/call", `{"seq":0}`, 0, false, false},
		{"sabot/A/call", `seven`, 0, false, false},
	} {
		if seq, fresh, gap := r.Take(test.topic, []byte(test.payload)); seq != test.seq || fresh != test.fresh || gap != test.gap {
			t.Errorf("%d: %s %s is %d, fresh %v, gap %v", i, test.topic, test.payload, seq, fresh, gap)
		}
	}
	if r.Twice != 2 || r.Missed != 2 || r.Last("sabot/A/call") != 6 || r.Last("sabot/C/call") != 0 {
		t.Errorf("%+v", r)
	}
}
