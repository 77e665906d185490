package tabletest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/table"
)

// Variant makes a fresh table, with its ledger, for the cases of one variant.
type Variant struct {
	New   func() table.Game
	Pair  bool  // everybody bets on Pair, too
	Chips int64 // what a seat has where the case does not say; 0 for any amount
}

// Cases plays every *.jsonl file below the folder of -cases, or testdata/cases, each named by its variant. A file of a variant that is
// not known fails, and so does finding none.
func Cases(t *testing.T, variants map[string]Variant) {
	dir := *casesDir
	if dir == "" {
		dir = ownCases
	} else if !filepath.IsAbs(dir) {
		t.Fatalf("-cases %s: the folder must be absolute, because every package's test runs in its own", dir)
	}
	for _, file := range caseFiles(t, dir) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) { caseFile(t, file, variants) })
	}
}

// ownCases are the cases of this repository.
const ownCases = "testdata/cases"

// caseFiles are the files below a folder, of which there must be some.
func caseFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".jsonl") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	if len(files) == 0 {
		t.Fatalf("%s: no file of cases (*.jsonl) below it", dir)
	}
	return files
}

// Case is one line of a file: a round, or a shoe of rounds, and what must come of it.
type Case struct {
	ID        string
	What      string
	Variant   string
	Seats     []int
	Cards     []string
	Decisions []decision
	Order     string
	Balance   map[string]int64 // by seat
	Behind    []behind
	Burned    *int
	CutAt     *int `json:"cut_at"`
	Rounds    []round
	Expected  expected
}

type round struct {
	Seats     []int
	Decisions []decision
	Order     string
}

type decision struct {
	Seat         int
	Hand         int
	Action       string
	Insufficient bool
}

// refusal is where and why a case must be refused.
type refusal struct {
	Round  *int
	Event  int
	Kind   string
	Index  *int
	Reason string
}

func (r *refusal) String() string {
	if r == nil {
		return "accepted"
	}
	s := fmt.Sprintf("%s %s at event %d", r.Kind, r.Reason, r.Event)
	if r.Index != nil {
		s += fmt.Sprintf(", index %d", *r.Index)
	}
	if r.Round != nil {
		s += fmt.Sprintf(", round %d", *r.Round)
	}
	return s
}

func caseFile(t *testing.T, file string, variants map[string]Variant) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		n++
		if err := caseLine(t, lines.Bytes(), variants); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%s: %d cases, %v", file, n, err)
	}
	t.Logf("%d cases played", n)
}

// caseLine plays the case of one line, by the game of its variant.
func caseLine(t testing.TB, line []byte, variants map[string]Variant) error {
	var head struct{ Variant string }
	if err := json.Unmarshal(line, &head); err != nil {
		return err
	}
	v, known := variants[head.Variant]
	switch {
	case !known:
		return fmt.Errorf("variant %q is not known", head.Variant)
	case head.Variant == "baccarat":
		return baccaratCase(t, line, v)
	case head.Variant == "roulette":
		return rouletteCase(t, line, v)
	case head.Variant == "004_session":
		return sessionCaseLine(t, line, v)
	}
	var c Case
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	playCase(t, &c, v)
	return nil
}

func playCase(t testing.TB, c *Case, v Variant) {
	p := newPlayer(t, c, v)
	p.cards, p.balance = c.Cards, c.Balance
	p.ask("table open by S-1")
	p.ask("shoe 1 by S-1")
	if len(c.Rounds) > 0 {
		p.shoe()
		return
	}
	got := p.round(c.Seats, c.Decisions, c.Order)
	p.compareRefusal(got, c.Expected.Refuse)
	if got == nil {
		p.compareResult(&c.Expected.result)
	}
}

func newPlayer(t testing.TB, c *Case, v Variant) *player {
	return &player{t: t, c: c, v: v, game: v.New(), twin: v.New()}
}

// player plays one case on a game and, beside it, on a twin: a game that is a value can only do the same twice.
type player struct {
	t     testing.TB
	c     *Case
	v     Variant
	game  table.Game
	twin  table.Game
	cards []string
	next  int // the next card's index
	seq   int64
	cut   bool
	seen  []dealt
	calls []table.Call // of the round

	balance map[string]int64 // in chips, by seat
}

// dealt is a card that was dealt in the round, with the call that said where.
type dealt struct {
	card string
	call table.Call
}

// ask is event for one in the notation that must be accepted.
func (p *player) ask(line string) {
	if code := p.try(line); code != table.OK {
		p.t.Errorf("%s: %s: %v", p.c.ID, line, code)
	}
}

// try is event for one in the notation.
func (p *player) try(line string) table.Code {
	e, err := table.Parse(line)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.event(e)
}

// event checks and steps, and gives why it was refused or found irregular.
func (p *player) event(e table.Event) table.Code {
	if e.Asked() {
		if code := p.game.Check(e); code != table.OK {
			return code
		}
	}
	p.seq++
	e.Seq = p.seq
	calls := p.game.Step(e, nil)
	if again := p.twin.Step(e, nil); fmt.Sprint(again) != fmt.Sprint(calls) {
		p.t.Errorf("%s: %s: two games differ: %v and %v", p.c.ID, e, calls, again)
	}
	code := table.OK
	for _, c := range calls {
		if c.Word == table.CallIrregular && c.Ref == e.Seq && code == table.OK {
			code = c.Code
		}
		if c.Word == table.CallCard {
			p.seen = append(p.seen, dealt{e.Card.String(), c})
		}
	}
	p.calls = append(p.calls, calls...)
	return code
}

// due is what the table waits for.
func (p *player) due() string {
	if d := p.game.Layout().Due; d != nil {
		return d.Kind
	}
	return ""
}

// round plays one round and gives where it was refused, nil where it was not.
func (p *player) round(seats []int, decisions []decision, order string) *refusal {
	p.seen, p.calls = nil, nil
	if code := p.event(table.Event{Kind: table.Open}); code != table.OK {
		return &refusal{Event: 0, Reason: code.String()}
	}
	set, code := table.MakeSeats(seats, table.MaxSeats)
	if code == table.OK {
		code = p.bets(seats)
	}
	if code == table.OK {
		code = p.event(table.Event{Kind: table.Close, Seats: set})
	}
	if code != table.OK {
		return &refusal{Event: 0, Kind: "seats", Reason: code.String()}
	}
	first, made := p.next, 0
	for i, kind := range order {
		var code table.Code
		r := &refusal{Event: i, Kind: "card", Index: new(int)}
		if kind == 'C' {
			*r.Index = p.next - first
			code = p.card()
		} else {
			r.Kind, *r.Index = "decision", made
			code = p.decide(decisions[made])
			made++
		}
		if code != table.OK {
			r.Reason = code.String()
			return r
		}
	}
	return p.endOfRound(len(order))
}

// endOfRound refuses a transcript that stops too early.
func (p *player) endOfRound(events int) *refusal {
	p.endInsurance()
	switch p.due() {
	case table.DueCard.String():
		return &refusal{Event: events, Kind: "end", Reason: "INCOMPLETE_CARD"}
	case table.DueDecision.String():
		return &refusal{Event: events, Kind: "end", Reason: "INCOMPLETE_DECISION"}
	}
	return nil
}

// endInsurance ends the phase of which the cases know nothing but the answers given, and which bettors behind insure.
func (p *player) endInsurance() {
	if p.due() == table.DueInsurance.String() {
		p.insureBehind()
	}
	if p.due() == table.DueInsurance.String() {
		p.event(table.Event{Kind: table.Timeout, Phase: table.Insurance})
	}
}

func (p *player) card() table.Code {
	if p.c.CutAt != nil && p.next == *p.c.CutAt && !p.cut {
		p.cut = true
		p.event(table.Event{Kind: table.Cut})
	}
	p.endInsurance()
	text := p.cards[p.next]
	p.next++
	c, err := shoe.ParseCard(text)
	if err != nil || !c.Known() {
		return table.CardInvalid
	}
	return p.event(table.Event{Kind: table.Draw, Card: c})
}

var actions = map[string]table.Kind{
	"hit": table.Hit, "stand": table.Stand, "double": table.Double, "split": table.Split, "surrender": table.Surrender,
	"insurance": table.Insure, "even_money": table.EvenMoney, "timeout": table.Timeout,
}

func (p *player) decide(d decision) table.Code {
	kind, known := actions[d.Action]
	if !known {
		return table.UnknownAction
	}
	if d.Seat < 1 || d.Seat > table.MaxSeats {
		return table.SeatEmpty
	}
	if d.Hand < 0 || d.Hand >= table.MaxHands {
		return table.NoSuchHand
	}
	hand := table.SeatHand(d.Seat, d.Hand)
	if kind != table.Insure && kind != table.EvenMoney {
		p.endInsurance()
	}
	p.follow(kind, hand)
	if d.Insufficient {
		p.event(table.Event{Kind: table.Short, Hand: hand})
	}
	return p.event(table.Event{Kind: kind, Hand: hand})
}

// shoe plays a case of many rounds: burn, rounds, cut card.
func (p *player) shoe() {
	got := p.burn()
	for i := 0; got == nil && i < len(p.c.Rounds); i++ {
		r := p.c.Rounds[i]
		first := p.next
		got = p.round(r.Seats, r.Decisions, r.Order)
		if got == nil {
			p.compareRound(i, first)
			continue
		}
		if got.Reason != table.BurnCount.String() {
			got.Round = &i
		}
	}
	p.compareRefusal(got, p.c.Expected.Refuse)
	if p.c.Expected.Refuse != nil {
		return
	}
	if !p.cut {
		p.t.Errorf("%s: the cut card never came", p.c.ID)
	}
	if n := len(p.c.Expected.Rounds); n != len(p.c.Rounds) {
		p.t.Errorf("%s: %d rounds were played, of %d expected", p.c.ID, len(p.c.Rounds), n)
	}
}

func (p *player) burn() *refusal {
	first, err := shoe.ParseCard(p.cards[0])
	if err != nil {
		return &refusal{Kind: "card", Index: new(int), Reason: table.CardInvalid.String()}
	}
	p.next = 1
	code := p.event(table.Event{Kind: table.Draw, Card: first})
	burned := min(int(first.Rank()), 10)
	if p.c.Burned != nil {
		burned = *p.c.Burned
	}
	for range burned {
		if code == table.OK {
			code = p.card()
		}
	}
	if code != table.OK {
		return &refusal{Reason: code.String()}
	}
	return nil
}

func (p *player) compareRefusal(got, want *refusal) {
	p.t.Helper()
	if got.String() == want.String() {
		return
	}
	if got != nil && want != nil { // cases of a shoe do not say the kind where there is only one
		g, w := *got, *want
		if w.Kind == "" {
			g.Kind, g.Index = "", nil
		}
		if g.String() == w.String() {
			return
		}
	}
	p.t.Errorf("%s (%s): %s; want %s", p.c.ID, p.c.What, got, want)
}
