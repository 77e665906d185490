package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/box"
)

// Non-interference. Two tables have the same day but for one card that lies face down: the hole card, a burnt one, one that lies aside, one that is read
// again. Whatever is done to them after it, right or wrong, to that card too, everything anybody may see of them is the same until the card is turned. A
// look at the hole card may tell one bit of it; so may the end count of a shoe, if a shoe held a card too many. Nothing else may.

// happening is an event as it comes to the two tables, the same but for the card; refused is what it was answered.
type happening struct {
	a, b    table.Event
	refused table.Code
}

// twins are the two tables.
type twins struct {
	t     *testing.T
	seed  uint64
	rng   *rand.Rand
	play  *Play
	rules string
	a, b  table.Game
	seq   int64
	at    time.Duration

	wanted string       // where the card is to lie, if that comes to pass
	still  bool         // no time passes
	steady bool         // the dealer's up card is never corrected: then only a look that is due counts
	where  string       // the card lies face down; "" as long as the tables are equal
	secret [2]shoe.Card // what it is
	inShoe uint32       // and of which shoe
	turned bool         // it was turned
	equal  bool         // a correction made it the same card at both tables

	happened []happening
	calls    [2][]table.Call // of the last event
	draws    []int64         // the seqs of all draws
	hole     int64           // of the hole card, or of the last one
	stopped  time.Duration   // when the table stopped last, or something came back
	burnUp   bool            // the shoe's first burnt card is still to come, face up
	shoes    int
	done     map[string]int // what was done while a card was secret
}

// settle draws a game, a preset and settings; still has no clock run. Those that make no sense together are drawn again.
func settle(rng *rand.Rand, still bool) (*Play, string) {
	for {
		game := []string{"blackjack", "blackjack", "blackjack", "baccarat"}[rng.IntN(4)]
		preset := sorted(games[game])[rng.IntN(len(games[game]))]
		settings := map[string]string{"preset": preset, "decks": []string{"1", "2", "6", "8"}[rng.IntN(4)]}
		p := games[game][preset]()
		for _, s := range p.settings {
			if words := strings.FieldsFunc(s.Values, func(c rune) bool { return c == ',' || c == ' ' }); rng.IntN(2) == 0 && !strings.Contains(s.Values, "such as") && !strings.Contains(s.Values, "number") {
				words = slices.DeleteFunc(words, func(w string) bool { return w == "or" })
				settings[s.Name] = words[rng.IntN(len(words))]
			}
		}
		settings["burn"] = []string{"value", "none", "1", "5"}[rng.IntN(4)]
		settings["cut_least"] = "0%"
		for _, clock := range []string{"bet_time", "insurance_time", "decision_time"} {
			if still && p.settings.Get(clock) != "" {
				settings[clock] = "0s"
			}
		}
		if still {
			settings["grace"] = "0s"
		}
		if game == "baccarat" && !still && rng.IntN(2) == 0 {
			settings["claim_time"] = "500ms"
		}
		if o := p.orders[rng.IntN(len(p.orders))]; strings.HasPrefix(o.Name, "classes.") {
			settings[o.Name] = "now"
		}
		if rng.IntN(2) == 0 {
			settings["bets"] = "on"
		}
		var text []string
		for _, name := range sorted(settings) {
			text = append(text, name+"="+settings[name])
		}
		if p, err := newPlay(game, settings); err == nil {
			return p, game + " " + strings.Join(text, " ")
		}
	}
}

// places are where a card can lie face down.
var places = []string{"hole", "burnt", "aside", "read again", "counted out", "hole"}

func newTwins(t *testing.T, seed uint64, still bool) *twins {
	w := &twins{t: t, seed: seed, still: still, rng: rand.New(rand.NewPCG(seed, 5)), done: map[string]int{}}
	w.play, w.rules = settle(w.rng, still)
	w.wanted = places[seed%uint64(len(places))]
	w.a, w.b = w.play.New(table.Opening{}), w.play.New(table.Opening{})
	w.steady = w.rng.IntN(2) == 0
	w.do("table open by S-1")
	return w
}

func (w *twins) fail(format string, args ...any) {
	w.t.Helper()
	var story []string
	for i, h := range w.happened {
		line := fmt.Sprintf("%d %v", i+1, h.a)
		if h.a.Card != h.b.Card {
			line += fmt.Sprintf("   / %v", h.b.Card)
		}
		if h.refused != table.OK {
			line += "   " + h.refused.String()
		}
		story = append(story, line)
	}
	w.t.Fatalf("seed %d, %s\n%s\n%s", w.seed, w.rules, strings.Join(story[max(0, len(story)-40):], "\n"), fmt.Sprintf(format, args...))
}

func (w *twins) do(format string, args ...any) bool {
	w.t.Helper()
	e, err := table.Parse(fmt.Sprintf(format, args...))
	if err != nil {
		w.fail("%v", err)
	}
	return w.step(e)
}

// step has an event happen at both tables. Its card is another one at the second table if the first one hides it.
func (w *twins) step(e table.Event) bool {
	w.t.Helper()
	if w.turned {
		return false
	}
	if pause := time.Duration(w.rng.IntN(3000)) * time.Millisecond; !w.still {
		w.at += pause
	}
	e.Seq, e.At = w.seq+1, w.at
	x, y := e, e
	if e.Kind == table.Resent && e.Card == w.secret[0] && (e.Card == w.last() && w.lastHidden() || e.Claim.Side == shoe.ToBurn) {
		y.Card = w.secret[1]
	}
	w.happened = append(w.happened, happening{x, y, table.OK})
	now := &w.happened[w.seq]
	if now.refused = w.ask(x, y); now.refused != table.OK {
		x = table.Event{Kind: table.Refusal, Code: now.refused, Seq: e.Seq, At: e.At, Text: &table.Text{Name: e.Kind.Word()}}
		y = x
	}
	w.seq++
	before, down := w.a.Layout(), w.liesDown(x.N)
	w.calls[0] = w.a.Step(x, nil)
	if where := w.hides(&x, &before, down); where != "" && w.where == "" && (where == w.wanted || w.seq > 400) && w.rng.IntN(3) == 0 {
		if other := w.other(x.Card, &before); other != shoe.NoCard {
			w.where, w.secret, w.inShoe = where, [2]shoe.Card{x.Card, other}, w.a.Opening().Shoe
			y.Card, now.b.Card = other, other
		}
	}
	w.calls[1] = w.b.Step(y, nil)
	w.note(&x, &before)
	w.compare(&x)
	return now.refused == table.OK
}

// ask is what both tables answer.
func (w *twins) ask(x, y table.Event) table.Code {
	if !x.Asked() {
		return table.OK
	}
	code := w.a.Check(x)
	if other := w.b.Check(y); code != other {
		w.fail("%v is answered %v and %v", x, code, other)
	}
	return code
}

// note remembers what the test has to know of an event that happened. What was done to a secret is counted.
func (w *twins) note(e *table.Event, before *table.Layout) {
	called := func(is func(c table.Call) bool) bool { return slices.ContainsFunc(w.calls[0], is) }
	if called(func(c table.Call) bool { return c.Word == table.CallCard && c.Card == shoe.NoCard }) {
		w.hole = w.seq
	}
	if e.Kind == table.Draw {
		w.draws = append(w.draws, e.Seq)
	}
	if w.a.Layout().Stopped != nil && before.Stopped == nil || e.Kind == table.Started || e.Kind == table.Found {
		w.stopped = w.at
	}
	w.burnUp = e.Kind == table.NewShoe && w.play.House.Burn.ByValue || w.burnUp && !called(func(c table.Call) bool { return c.Word == table.CallBurn })
	if w.where != "" {
		w.done[e.Kind.Word()]++
	}
}

// liesDown says that the card of an event lies face down: aside, or as the hole card.
func (w *twins) liesDown(seq int64) bool {
	hole := w.a.Layout().Dealer
	if hole != nil && slices.Contains(hole.Cards, table.Back) && seq == w.hole {
		return true
	}
	return slices.ContainsFunc(w.a.Opening().Holds, func(h table.Hold) bool { return h.Seq == seq && h.Card != shoe.NoCard && !h.Bared })
}

// hides says where an event's card lies face down after it, by what the table called; and that it may call no card that has to. Down says that
// the card which a correction speaks of lies so.
func (w *twins) hides(e *table.Event, before *table.Layout, down bool) string {
	if !e.Card.Known() || e.Kind != table.Draw && e.Kind != table.Resent && e.Kind != table.Correct {
		return ""
	}
	named := slices.ContainsFunc(w.calls[0], func(c table.Call) bool { return c.Card == e.Card && c.Word != table.CallReveal })
	where := w.faceDown(e, before)
	switch {
	case slices.ContainsFunc(w.calls[0], func(c table.Call) bool { return c.Word == table.CallReveal }): // it was the last card before its turn
		return ""
	case named && where != "":
		w.fail("a card that lies face down (%s) is called: %s", where, callsText(w.calls[0]))
	case named || e.Kind == table.Resent && !w.unread() || e.Kind == table.Correct && !down:
		return ""
	case where != "":
		return where
	case e.Kind == table.Draw:
		return "aside"
	}
	return "read again"
}

// unread says that a card lies unread, which a second reading may be of.
func (w *twins) unread() bool {
	return slices.ContainsFunc(w.a.Opening().Holds, func(h table.Hold) bool { return h.Card == shoe.Unread })
}

// faceDown is where the procedure puts a card that a shoe gives face down, whatever the table says; "" where it does not, or it is not as clear as that.
func (w *twins) faceDown(e *table.Event, l *table.Layout) string {
	clear := e.Kind == table.Draw && e.By() == "" && l.Due != nil
	switch {
	case e.Kind == table.Draw && e.By() == "" && l.Stopped != nil && w.at > w.stopped+20*time.Second && (l.Due == nil || l.Due.Kind != "reread"):
		return "aside"
	case !clear || l.Stopped != nil:
	case l.Due.Kind == "burn" && !w.burnUp:
		return "burnt"
	case l.Due.Kind == "card" && l.Due.Hand == "dealer" && l.Phase == table.Dealing && l.Dealer != nil && len(l.Dealer.Cards) == 1:
		return "hole"
	case l.Due.Kind == "shoe":
		return "counted out"
	}
	return ""
}

// other is another card for one that lies face down, with the same answer to a look at it; NoCard for none.
func (w *twins) other(c shoe.Card, l *table.Layout) shoe.Card {
	o := w.card()
	r := w.play.Blackjack
	looks := r != nil && r.Peek != blackjack.PeekNever
	if looks && w.steady && l.Dealer != nil {
		up, _ := shoe.ParseCard(l.Dealer.Cards[0])
		looks = points(up) == 1 && r.Peek == blackjack.PeekAceTen || points(up) == 10
	}
	if o == c || looks && class(o) != class(c) {
		return shoe.NoCard
	}
	return o
}

func points(c shoe.Card) int { return int(min(c.Rank(), 10)) }

// class is what a card has to do with a natural.
func class(c shoe.Card) int {
	if n := points(c); n == 1 || n == 10 {
		return n
	}
	return 0
}

func callsText(calls []table.Call) string {
	var b []byte
	for to := table.ToAll; to <= table.ToGame; to++ {
		b = append(table.AppendCalls(b, calls, to), ' ')
	}
	return string(b)
}

// compare holds the two tables against each other, after what was called of an event at both.
func (w *twins) compare(e *table.Event) {
	w.t.Helper()
	if w.where == "" {
		return
	}
	for i := range max(len(w.calls[0]), len(w.calls[1])) {
		if i < len(w.calls[0]) && i < len(w.calls[1]) && w.calls[0][i] == w.calls[1][i] {
			continue
		}
		if i < min(len(w.calls[0]), len(w.calls[1])) && w.turns(&w.calls[0][i], &w.calls[1][i]) || w.endCount(e) {
			w.turned = true
			return
		}
		w.fail("with the %s card %v / %v they call\n%s\n%s", w.where, w.secret[0], w.secret[1], callsText(w.calls[0]), callsText(w.calls[1]))
	}
	if x, y := w.shown(w.a, w.calls[0]), w.shown(w.b, w.calls[1]); !bytes.Equal(x, y) {
		w.fail("with the %s card %v / %v they show\n%s\n%s", w.where, w.secret[0], w.secret[1], x, y)
	}
	if w.rng.IntN(4) > 0 {
		return
	}
	for _, e := range w.questions() {
		if x, y := w.a.Check(e), w.b.Check(e); x != y {
			w.fail("with the %s card %v / %v %q would be answered %v and %v", w.where, w.secret[0], w.secret[1], e, x, y)
		}
	}
}

// turns says that two calls turn the card.
func (w *twins) turns(x, y *table.Call) bool {
	switch x.Word {
	case table.CallCard, table.CallReveal, table.CallBurn, table.CallExposed:
		return x.Word == y.Word && x.Hand == y.Hand && x.Card == w.secret[0] && y.Card == w.secret[1]
	}
	return false
}

// endCount says that the shoe is over, and one of the two held a card too many: what cannot be said without what lay face down, and must be.
func (w *twins) endCount(e *table.Event) bool {
	without := func(calls []table.Call) string {
		return callsText(slices.DeleteFunc(slices.Clone(calls), func(c table.Call) bool { return c.Code == table.CardCopies || c.Word == table.CallStopped }))
	}
	return e.Kind == table.NewShoe && without(w.calls[0]) == without(w.calls[1])
}

// shown is everything that can be seen of a table, by whomever: layout, floor, lamps, lock, and when its clock runs out.
func (w *twins) shown(g table.Game, calls []table.Call) []byte {
	o := g.Opening()
	s := table.Snapshot{Seq: w.seq, Layout: g.Layout(), Floor: table.FloorState{Paused: o.Paused, Stops: table.Stops(g), Devices: map[string]string{}}, Calls: calls}
	s.Floor.Undo, s.Floor.Cards = table.Past(g)
	text, err := json.Marshal([]any{s.Layout, s.Floor, box.Lamps(&s), g.Deadline(), o.Round, o.Shoe, o.Last})
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

// questions are what somebody may ask for to see what is refused.
func (w *twins) questions() []table.Event {
	lines := []string{"open", "close 1,2", "close none", "hit", "stand", "double", "split", "surrender", "hit 1a", "insure 1", "even-money 1", "decline 2", "peek", "reveal", "short 1a",
		"plan 2a stand", "void by S-1", "retire by S-1", "shoe 9 by S-1", "burn 1 by S-1", "count 9 by S-1", "resume by S-1", "table close by S-1", "draw 9s by S-1",
		"draw Ah dealer by S-1", "draw 5d 1a by S-1", fmt.Sprintf("undo %d by S-1", w.seq), fmt.Sprintf("dispute %d by S-1", w.a.Opening().Round)}
	for _, seq := range w.draws[max(0, len(w.draws)-5):] {
		lines = append(lines, fmt.Sprintf("exposed %d by S-1", seq))
		if !w.steady {
			lines = append(lines, fmt.Sprintf("correct %d 9s by S-1", seq), fmt.Sprintf("correct %d Td by S-1", seq), fmt.Sprintf("correct %d cut by S-1", seq))
		}
	}
	for _, s := range table.Stops(w.a) {
		for _, r := range []string{"use", "burn", "carry", "assign 1a", "assign dealer", "reread", "reveal", "device"} {
			lines = append(lines, fmt.Sprintf("release %d %s by S-1", s.Irregularity, r))
		}
	}
	events := make([]table.Event, len(lines))
	for i, line := range lines {
		events[i], _ = table.Parse(line)
		events[i].Seq, events[i].At = w.seq+1, w.at
	}
	return events
}

func (w *twins) card() shoe.Card {
	return shoe.New(shoe.Rank(1+w.rng.IntN(13)), shoe.Suit(w.rng.IntN(4)))
}

// turn does one thing: mostly what is due, often something wrong.
func (w *twins) turn() {
	l := w.a.Layout()
	stops := slices.DeleteFunc(table.Stops(w.a), func(s table.StopState) bool { return s.Later && w.rng.IntN(8) > 0 })
	switch n := w.rng.IntN(100); {
	case n < 50 && w.wanted == "read again" && w.unread() && w.where == "":
		w.readAgain()
	case n < 18:
		w.mistake(&l)
	case n < 24:
		w.supervise()
	case w.a.Opening().Paused && n < 60:
		w.do("resume by S-1")
	case l.Stopped != nil && len(stops) > 0 && (l.Due == nil || l.Due.Kind != "reread"):
		w.release(stops[max(0, w.rng.IntN(len(stops)+6)-6)])
	case l.Stopped != nil && (l.Due == nil || l.Due.Kind != "reread"):
		w.do("resume by S-1")
	default:
		w.next(&l)
	}
}

// next does what is due.
func (w *twins) next(l *table.Layout) {
	kind := "table open by S-1"
	if l.Due != nil {
		kind = l.Due.Kind
	}
	switch kind {
	case "shoe":
		if w.rng.IntN(3) == 0 {
			w.do("draw %v", w.card())
			return
		}
		w.shoes++
		w.do("shoe %d by S-1", w.shoes)
	case "close":
		if w.rng.IntN(2) == 0 {
			w.do("bet P-1 %s", map[string]string{"blackjack": "1 100", "baccarat": "player 100, tie 10"}[w.play.Game])
		}
		w.do("close 1,2")
	case "insurance":
		if word := []string{"timeout", "insure", "decline", "even-money"}[w.rng.IntN(4)]; word == "timeout" {
			w.do("timeout insurance")
		} else {
			w.do("%s %d", word, l.Due.Seats[0])
		}
	case "decision":
		w.do("%s", l.Due.May[w.rng.IntN(len(l.Due.May))])
	case "card", "burn":
		if l.Shoe.Left < 2 && !w.do("void by S-1") {
			w.do("retire by S-1")
		} else if l.Shoe.Left >= 2 {
			w.do("draw %v%s", w.card(), w.claim(l))
		}
	case "result":
		w.do("%s", []string{"timeout result", "claims player", "claims tie player-pair", "claims quit"}[w.rng.IntN(4)])
	case "reread":
		w.do("draw %v", w.card())
	case "reveal", "peek":
		if w.where == "" || w.rng.IntN(4) == 0 {
			w.do("%s", kind)
		}
	default:
		w.do("%s", kind)
	}
}

// claim is where baccarat's shoe says that a card went, or nothing.
func (w *twins) claim(l *table.Layout) string {
	if w.play.Game != "baccarat" || w.rng.IntN(3) > 0 || l.Due.Hand == "" {
		return ""
	}
	return " " + l.Due.Hand + " " + []string{"1", "2", "3"}[w.rng.IntN(3)]
}

// deviceFaults are the details of faults, each kind of them.
var deviceFaults = []string{"gap", "conflict", "boot", "new-shoe", "same-uid", "foreign", "foreign-card", "overdraw", "pushed-back", "lid-opened", "draw-timeout", "misread", "contact-next", "panic"}

// mistake is what dealers, shoes and cables do wrong, to the card that lies face down too.
func (w *twins) mistake(l *table.Layout) {
	again, burn := w.last(), ""
	if w.play.Game == "baccarat" && w.where == "burnt" && w.a.Opening().Shoe == w.inShoe && w.rng.IntN(2) == 0 { // a shoe with places can mean it at any time
		again, burn = w.secret[0], " burn"
	}
	switch w.rng.IntN(14) {
	case 0, 1:
		w.do("draw %v", w.card())
	case 2, 3:
		w.do("draw ??")
	case 4:
		w.do("stop")
	case 5:
		w.do("pause by S-1")
	case 6, 7:
		w.do("fault shoe %s", deviceFaults[w.rng.IntN(len(deviceFaults))])
	case 8:
		lines := []string{"lost shoe", "found shoe", "clear shoe misread", "timeout bets", "timeout 1a", "restart 3s", "clock -5s"} // the last two come with the time
		if w.still {
			lines = lines[:5]
		}
		w.do("%s", lines[w.rng.IntN(len(lines))])
	case 9, 10:
		if again.Known() && !w.unread() { // else nobody knows which one it means
			w.do("resent %v%s", again, burn)
		}
	case 11:
		if third := w.card(); third != w.secret[0] && third != w.secret[1] {
			w.do("resent %v", third)
		}
	case 12:
		if w.rng.IntN(4) == 0 {
			w.do("cut")
		}
	default:
		w.do("resent ??")
	}
	if l.Stopped == nil && w.rng.IntN(30) == 0 {
		w.do("draw %v %s", w.card(), []string{"burn", "outside"}[w.rng.IntN(2)])
	}
}

// readAgain gives a card that lies unread its value: by the shoe, or by the supervisor.
func (w *twins) readAgain() {
	holds := w.a.Opening().Holds
	h := holds[slices.IndexFunc(holds, func(h table.Hold) bool { return h.Card == shoe.Unread })]
	if w.rng.IntN(2) == 0 {
		w.do("resent %v", w.card())
	} else {
		w.do("correct %d %v by S-1", h.Seq, w.card())
	}
}

// last is the card that left the shoe last, which a shoe without places means when it names one again.
func (w *twins) last() shoe.Card {
	if len(w.draws) == 0 {
		return shoe.NoCard
	}
	return w.happened[w.draws[len(w.draws)-1]-1].a.Card
}

// lastHidden says that it is the secret one.
func (w *twins) lastHidden() bool {
	last := w.happened[w.draws[len(w.draws)-1]-1]
	return last.a.Card != last.b.Card
}

// decided is the seq of the last decision.
func (w *twins) decided() int {
	seq := len(w.happened)
	for seq > 0 && !w.happened[seq-1].a.Kind.Decision() {
		seq--
	}
	return seq
}

// supervise is what a supervisor may order at any time.
func (w *twins) supervise() {
	switch w.rng.IntN(9) {
	case 0, 1:
		w.correct()
	case 2:
		w.do("undo %d by S-1", w.decided()) // if nothing but notes came since
	case 3:
		w.do("draw %v by S-1", w.card())
	case 4:
		w.do("draw %v %s by S-1", w.card(), []string{"1a", "2a", "dealer", "player", "banker"}[w.rng.IntN(5)])
	case 5:
		w.do("%s", []string{"void by S-1", "retire by S-1", "burn 2 by S-1", "burn 1 by S-1", "burn 1 by S-1", "dealer D-7 by S-1", "dispute 1 by S-1"}[w.rng.IntN(7)])
	default:
		if n := len(w.draws); n > 0 {
			w.do("exposed %d by S-1", w.draws[n-1-w.rng.IntN(min(n, 4))])
		}
	}
}

// correct takes one of the last cards for another one, or for the cut card. What is corrected is the same card at both tables afterwards.
func (w *twins) correct() {
	if len(w.draws) == 0 {
		return
	}
	seq := w.draws[len(w.draws)-1-w.rng.IntN(min(len(w.draws), 8))]
	if l := w.a.Layout(); w.steady && l.Dealer != nil {
		return
	}
	secret := w.happened[seq-1]
	if w.rng.IntN(6) == 0 {
		w.do("correct %d cut by S-1", seq)
	} else {
		w.do("correct %d %v by S-1", seq, w.card())
	}
	w.equal = w.equal || secret.a.Card != secret.b.Card
}

func (w *twins) release(s table.StopState) {
	remedy := s.Remedies[w.rng.IntN(len(s.Remedies))]
	if remedy == "assign" {
		remedy += []string{" 1b", " 1a", " 2a", " dealer", " player", " banker"}[w.rng.IntN(6)]
	}
	w.do("release %d %s by S-1", s.Irregularity, remedy)
}

// TestWhatLiesFaceDownIsSecret plays days with every game and setting.
func TestWhatLiesFaceDownIsSecret(t *testing.T) {
	t.Parallel()
	where, done := map[string]int{}, map[string]int{}
	turned := 0
	for seed := range uint64(500) {
		w := newTwins(t, seed, false)
		for i, since := 0, 0; i < 600 && since < 80 && !w.turned && !w.equal; i++ {
			w.turn()
			if w.where != "" && !(seed%4 == 0) {
				since++
			}
		}
		where[w.where]++
		if w.turned {
			turned++
		}
		for k, n := range w.done {
			done[k] += n
		}
	}
	t.Logf("where the card lay: %v; turned %d times; done meanwhile: %v", where, turned, done)
	for _, k := range places {
		if where[k] < 20 {
			t.Errorf("only %d cards were %s; the test tests less than it says", where[k], k)
		}
	}
	for _, k := range []string{"draw", "refused", "stop", "pause", "resume", "fault", "lost", "found", "resent", "release", "correct", "exposed", "undo", "void", "retire", "shoe", "burn", "cut", "claims", "bet", "hit", "split", "peek", "reveal", "insure", "timeout", "restart"} {
		if done[k] < 3 {
			t.Errorf("%q was done %d times; the test tests less than it says", k, done[k])
		}
	}
}
