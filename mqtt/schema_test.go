package mqtt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/table"
)

// everyCall gives calls that together have every word, and every word every value it can carry.
func everyCall() []table.Call {
	nine := shoe.New(9, shoe.Spades)
	var list []table.Call
	add := func(c table.Call) {
		list = append(list, c)
		c.Manual = true
		list = append(list, c)
	}
	for w := table.CallShoe; w <= table.CallNoSpin; w++ {
		if w != table.CallDue && w != table.CallResult && w != table.CallIrregular {
			c := table.Call{Word: w, N: 3, Ref: 412, Hand: table.SeatHand(3, 0), Other: table.SeatHand(3, 1), Card: nine, Total: 9, Seats: table.Seat(1) | table.Seat(7), Action: table.Insure, Ended: table.EndedVoid}
			if w == table.CallDecision {
				c.Action = table.Hit
			}
			add(c)
			c.Card, c.Left = shoe.NoCard, 8e9
			add(c)
		}
	}
	for d := table.DueCard; d <= table.DueResult; d++ {
		add(table.Call{Word: table.CallDue, Due: d, Hand: table.DealerHand, Seats: table.Seat(2), May: table.Can(table.Hit) | table.Can(table.Decline), Left: 8e9})
	}
	for s := table.Playing; s <= table.Unplayed; s++ {
		add(table.Call{Word: table.CallResult, Hand: table.SeatHand(1, 3), Status: s, Outcome: table.LostHalf, Stake: 2, Net: -1, Split: true, Doubled: true})
	}
	for o := table.WonBlackjack; o <= table.PaidEven; o++ {
		add(table.Call{Word: table.CallResult, Action: table.Insure, Hand: table.SeatHand(1, 0), Outcome: o, Stake: 1, Net: 3})
	}
	for y := table.WhyDeal; y <= table.WhyThird; y++ {
		add(table.Call{Word: table.CallCard, Hand: table.PlayerHand, Card: shoe.Unread, Why: y})
	}
	for x := table.PlayerWins; x <= table.Tie; x++ {
		add(table.Call{Word: table.CallResult, Natural: true, Coup: table.Coup{Winner: x, Player: 8, PlayerPair: true}})
	}
	for n := range int64(table.Pockets) {
		add(table.Call{Word: table.CallNumber, N: n})
	}
	for k := table.Hit; k <= table.Surrender; k++ {
		add(table.Call{Word: table.CallDecision, Hand: table.SeatHand(1, 0), Action: k})
	}
	for k := table.Insure; k <= table.Decline; k++ {
		add(table.Call{Word: table.CallInsured, Hand: table.SeatHand(1, 0), Action: k})
	}
	for p := table.NoPair; p <= table.SuitedTrips; p++ {
		add(table.Call{Word: table.CallPair, Hand: table.SeatHand(1, 0), Pair: p})
	}
	for e := table.EndedDealerBlackjack; e <= table.EndedVoid; e++ {
		add(table.Call{Word: table.CallEnd, N: 3, Ended: e, Total: 21, Soft: true})
	}
	for _, c := range list {
		switch c.Word {
		case table.CallCard, table.CallPeek, table.CallReveal, table.CallPair, table.CallResult, table.CallEnd:
			c.Again(1, 412)
			list = append(list, c)
		}
	}
	return list
}

func floorCalls() []table.Call {
	list := []table.Call{{Word: table.CallExposed, To: table.ToFloor, Ref: 4, Remedy: table.BurnIt, Card: shoe.New(11, shoe.Diamonds)}, {Word: table.CallReleased, To: table.ToFloor, Ref: 4, Code: table.Misread, Remedy: table.Reread}, {Word: table.CallCorrected, To: table.ToFloor, Ref: 4}}
	for c := table.OK + 1; c < 255; c++ {
		if c.String() != "UNKNOWN" {
			list = append(list, table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: 4, Code: c, Class: table.Note})
		}
	}
	for n := range int64(table.Pockets) {
		list = append(list, table.Call{Word: table.CallNumber, To: table.ToFloor, N: n}, table.Call{Word: table.CallNumber, To: table.ToFloor, N: n, Manual: true})
	}
	for r := table.Use; r <= table.Device; r++ {
		list = append(list, table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: 4, Code: table.Misread, Class: table.Now, Remedy: r})
	}
	return list
}

// settlements give money on every kind of bet.
func settlements() []table.Call {
	list := []table.Call{{Word: table.CallReversed, To: table.ToGame, Ref: 412}}
	for w := table.CallTaken; w <= table.CallRefunded; w++ {
		for k := table.BetSeat; k < table.BetKinds; k++ {
			c := payment(w)
			c.Hand, c.Spot = table.NoHand, table.Spot{Bet: k, At: 1}
			onHand := k == table.BetSeat || k == table.BetBehind
			if k == table.BetSplit {
				c.Spot.At = 1<<2 | 1
			}
			if onHand && w == table.CallPaid {
				c.Hand = table.SeatHand(3, 1)
			}
			list = append(list, c)
			if onHand && w == table.CallTaken {
				c.Hand = table.SeatHand(3, 1)
				list = append(list, c)
			}
		}
	}
	return list
}

// messages are messages around one call each.
func messages() map[string][]string {
	record := strings.Repeat("0", 32)
	m := map[string][]string{}
	for _, c := range everyCall() {
		m["call"] = append(m["call"], fmt.Sprintf(`{"v":1,"record":%q,"seq":413,"at":"2026-11-29T21:04:05.123Z","round":37,"calls":[%s]}`, record, c.AppendJSON(nil)))
	}
	for _, c := range floorCalls() {
		m["floor"] = append(m["floor"], fmt.Sprintf(`{"v":1,"record":%q,"seq":413,"prev":0,"at":"2026-11-29T21:04:05.123Z","round":37,"event":"draw","calls":[%s]}`, record, c.AppendJSON(nil)))
	}
	anchor := strings.Repeat("5c", 32)
	m["floor"] = append(m["floor"], strings.Replace(m["floor"][0], `,"calls":`, `,"anchor":"`+anchor+`","calls":`, 1),
		fmt.Sprintf(`{"v":1,"record":%q,"seq":413,"prev":0,"at":"2026-11-29T21:04:05.123Z","round":37,"event":"draw","calls":[],"anchor":%q}`, record, anchor))
	for _, c := range settlements() {
		m["settlement"] = append(m["settlement"], fmt.Sprintf(`{"v":1,"record":%q,"seq":413,"prev":0,"at":"2026-11-29T21:04:05.123Z","round":37,"calls":[%s]}`, record, c.AppendJSON(nil)))
	}
	return m
}

func TestEveryCallIsInTheSchema(t *testing.T) {
	for name, list := range messages() {
		for _, m := range list {
			if err := conforms(name, []byte(m)); err != nil {
				t.Errorf("%s: %s: %v", name, m, err)
			}
		}
	}
}

// felts are layouts of other games than the snapshot's.
func felts(r *record) []string {
	paused, net := "paused", table.HalfUnit(-1)
	coup, spin := table.Coup{Winner: table.Tie, Player: 8, Banker: 8, BankerPair: true}.Shown(true), table.Number(17).Shown()
	hand := &table.LayoutHand{Cards: []string{"9s", "??"}, Total: 0, State: "natural"}
	s := r.snapshot()
	s.Layout.Due, s.Layout.Stopped, s.Layout.Dealer = nil, &paused, nil
	s.Layout.Seats = []table.LayoutSeat{{Seat: 1, Hands: []table.LayoutHand{{Hand: "1b", Cards: []string{}, State: "doubled", Split: true, Doubled: true, Result: "surrender", Stake: &net, Net: &net}}}}
	s.Layout.Ended, s.Layout.Player, s.Layout.Banker, s.Layout.Coup = "played_out", hand, hand, coup
	s.Layout.Spin, s.Layout.Spins = &spin, []int{17, 0}
	s.Layout.Coups = []string{coup.Mark(), "P", "Bnp"}
	s.Layout.Last = &table.Recap{Round: 1, Ended: "void", Coup: coup, Spin: &spin}
	empty := shown{Snapshot: table.Snapshot{Layout: table.Layout{V: 1, Record: r.Record(), Table: tableName, Game: "g", Rules: "r"}}}
	return []string{string(layoutOf(shown{Snapshot: s}, time.Time{})), string(layoutOf(empty, time.Time{}))}
}

func TestEveryLayoutIsInTheSchema(t *testing.T) {
	for _, m := range felts(openRecord(t, t.TempDir())) {
		if err := conforms("layout", []byte(m)); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// A schema that lets a misspelt member pass says nothing: none may lose or gain one, anywhere.
func TestSchemasFailOnATypo(t *testing.T) {
	all := messages()
	r := openRecord(t, t.TempDir())
	s := shown{Snapshot: r.snapshot()}
	state, _ := floorStateOf(s)
	all["layout"] = append(felts(r), string(layoutOf(s, s.at)))
	all["floor-state"] = []string{string(state)}
	all["status"] = []string{string(encode(statusMessage{V: 1, State: online, Since: "2026-11-29T21:04:05.123Z", Record: r.Record(), Instance: "x", Open: new(bool)}))}
	all["reply"] = []string{`{"v":1,"id":"a","ok":true,"seq":413}`, `{"v":1,"id":"a","ok":false,"code":"STALE","text":"x","seq":4}`, `{"v":1,"id":"a","ok":true,"messages":[` + all["call"][0] + `],"next":7}`}
	for _, c := range accepted {
		all["command-"+c.to] = append(all["command-"+c.to], c.payload)
	}
	for name, list := range all {
		for _, m := range list {
			for _, key := range []string{"v", "id", "do", "record", "seq", "at", "calls", "call", "hand", "card", "total", "left_ms", "code", "shoe", "last_round", "kind", "may", "cards", "results", "net", "stops", "remedies", "aside", "hands", "state", "since", "text", "messages", "next", "by", "because", "irregularity", "insurance", "dealer", "reference", "stake", "paid", "bet", "seat", "numbers", "which", "prev", "anchor", "box", "cursor", "playing", "device", "fault", "over", "undo", "decision", "round", "pause", "order"} {
				old := []byte(`"` + key + `":`)
				typo := bytes.ReplaceAll([]byte(m), old, []byte(`"`+key+`x":`))
				if bytes.Contains([]byte(m), old) && conforms(name, typo) == nil {
					t.Errorf("%s passes: %s", name, typo)
				}
			}
		}
	}
}

// The README's examples are payloads of the schemas.
func TestReadmeExamples(t *testing.T) {
	text := readme(t)
	n := 0
	for _, block := range strings.Split(text, "```json ")[1:] {
		name, body, _ := strings.Cut(block, "\n")
		body, _, _ = strings.Cut(body, "```")
		for _, line := range strings.Split(strings.TrimSpace(body), "\n") {
			n++
			if err := conforms(name, []byte(line)); err != nil || !json.Valid([]byte(line)) {
				t.Errorf("%s: %s: %v", name, line, err)
			}
		}
	}
	if n < 12 {
		t.Errorf("%d examples", n)
	}
	for _, member := range []string{`"game":"blackjack"`, `"game":"baccarat"`, `"game":"roulette"`, `"coup":{`, `"coups":[`, `"spin":{`, `"spins":[`, `"due":{`, `"seats":[{`, `"dealer":{`, `"player":{`, `"banker":{`, `"ended":"`, `"last":{`} {
		if _, layouts, _ := strings.Cut(text, "```json layout\n"); !strings.Contains(strings.SplitN(layouts, "```", 2)[0], member) {
			t.Errorf("no example of a layout has %s", member)
		}
	}
	for c := table.OK + 1; c < 255; c++ {
		if c.String() != "UNKNOWN" && !strings.Contains(text, "`"+c.String()+"`") {
			t.Errorf("%s is not explained", c)
		}
	}
}

// TestContractNamesEveryRemedy: the table of irregularities has each code with its remedies, the default first.
func TestContractNamesEveryRemedy(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(text), "| irregularity |")
	rows, _, _ = strings.Cut(rows, "\n\n")
	for code := table.OK; code < 255; code++ {
		words := code.Remedies()
		if len(words) == 0 || code == table.OK {
			continue
		}
		row := ""
		for _, line := range strings.Split(rows, "\n") {
			if strings.Contains(line, "`"+code.String()+"`") {
				row = line
			}
		}
		first := strings.Index(row, "`"+words[0]+"`")
		for _, w := range words {
			if at := strings.Index(row, "`"+w+"`"); first < 0 || at < first {
				t.Errorf("%v: remedy %s is missing, or before the default, in %q", code, w, row)
			}
		}
	}
}
