package blackjack

import (
	"encoding/json"
	"testing"

	"sabot/table"
)

// TestLayoutOfARound is the felt at the turns of a round: what is due of whom, the hands with what they make, a split, the hole card's back and then its
// face, the results.
func TestLayoutOfARound(t *testing.T) {
	rules := Deluxe()
	g := New(&rules, table.Opening{})
	for _, turn := range []struct {
		events             []string
		phase              string
		due, seats, dealer string
	}{
		{nil, "closed", `null`, `[]`, `null`},
		{[]string{"table open by S-1"}, "shoe-change", `{"kind":"shoe"}`, `[]`, `null`},
		{
			[]string{"shoe 1 by S-1", "draw As", "draw 2s", "open", "close 1,3", "draw 8s"}, "deal",
			`{"kind":"card","hand":"3a"}`,
			`[{"seat":1,"hands":[{"hand":"1a","cards":["8s"],"total":8,"soft":false,"state":"playing"}],"pair":"none"},` +
				`{"seat":3,"hands":[{"hand":"3a","cards":[],"total":0,"soft":false,"state":"playing"}],"pair":"none"}]`,
			`null`,
		},
		{
			[]string{"draw Ah", "draw 6c", "draw 8d", "draw Kh", "draw 9h"}, "decisions",
			`{"kind":"decision","hand":"1a","may":["hit","stand","double","split","surrender"]}`,
			`[{"seat":1,"hands":[{"hand":"1a","cards":["8s","8d"],"total":16,"soft":false,"state":"playing"}],"pair":"mixed"},` +
				`{"seat":3,"hands":[{"hand":"3a","cards":["Ah","Kh"],"total":21,"soft":true,"state":"blackjack"}],"pair":"none"}]`,
			`{"cards":["6c","back"],"total":6,"soft":false}`,
		},
		{
			[]string{"split 1a", "draw 3c", "double 1a", "draw Td"}, "decisions",
			`{"kind":"card","hand":"1b"}`,
			`[{"seat":1,"hands":[{"hand":"1a","cards":["8s","3c","Td"],"total":21,"soft":false,"state":"doubled","split":true,"doubled":true},` +
				`{"hand":"1b","cards":["8d"],"total":8,"soft":false,"state":"playing","split":true}],"pair":"mixed"},` +
				`{"seat":3,"hands":[{"hand":"3a","cards":["Ah","Kh"],"total":21,"soft":true,"state":"blackjack"}],"pair":"none"}]`,
			`{"cards":["6c","back"],"total":6,"soft":false}`,
		},
		{
			[]string{"draw 5s", "stand 1b", "draw Qc"}, "result",
			`{"kind":"open"}`,
			`[{"seat":1,"hands":[{"hand":"1a","cards":["8s","3c","Td"],"total":21,"soft":false,"state":"doubled","split":true,"doubled":true,"result":"win","stake":2,"net":2},` +
				`{"hand":"1b","cards":["8d","5s"],"total":13,"soft":false,"state":"stood","split":true,"result":"win","stake":1,"net":1}],"pair":"mixed"},` +
				`{"seat":3,"hands":[{"hand":"3a","cards":["Ah","Kh"],"total":21,"soft":true,"state":"blackjack","result":"blackjack","stake":1,"net":1.5}],"pair":"none"}]`,
			`{"cards":["6c","9h","Qc"],"total":25,"soft":false}`,
		},
	} {
		for _, line := range turn.events {
			e, err := table.Parse(line)
			if err != nil {
				t.Fatal(err)
			}
			g.Step(e, nil)
		}
		l := g.Layout()
		for _, part := range []struct {
			name, want string
			got        any
		}{{"phase", `"` + turn.phase + `"`, l.Phase}, {"due", turn.due, l.Due}, {"seats", turn.seats, l.Seats}, {"dealer", turn.dealer, l.Dealer}} {
			if got, err := json.Marshal(part.got); err != nil || string(got) != part.want {
				t.Errorf("after %q, %s is\n%s, %v\nwant\n%s", turn.events, part.name, got, err, part.want)
			}
		}
	}
}
