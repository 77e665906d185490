package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/mqtt"
	"sabot/shoe"
	"sabot/table"
)

// novice is a supervisor who knows nothing but what `sabot floor state` says, at a table where everybody errs.
type novice struct {
	t     *testing.T
	name  string
	rng   *rand.Rand
	game  table.Game
	seq   int64
	story []string
	saw   map[string]int // orders that were offered, and codes that stopped the table
}

// told is what the state says now.
func (n *novice) told() (text string, orders []string) {
	s := mqtt.Standing{State: "online", Layout: n.game.Layout(), Floor: table.FloorState{Paused: n.game.Opening().Paused, Stops: table.Stops(n.game), Void: table.Voidable(n.game)}}
	if s.Layout.Stopped != nil {
		s.Floor.Undo, s.Floor.Cards = table.Past(n.game)
	}
	s.Layout.Game, _, _ = strings.Cut(n.name, " ")
	var b strings.Builder
	(narrator{"en"}).state(&b, &s)
	for line := range strings.Lines(b.String()) {
		if order, ok := strings.CutPrefix(line, "    "); ok {
			order, means, _ := strings.Cut(order, "  ")
			if strings.TrimSpace(means) == "" {
				n.t.Fatalf("%s: nothing says what %s does", n.name, order)
			}
			orders = append(orders, n.each(order)...)
		}
	}
	return b.String(), orders
}

// each are the orders of a line, with values where it leaves them open.
func (n *novice) each(line string) (orders []string) {
	n.saw[strings.Fields(line)[0]]++
	line, why, _ := strings.Cut(line, " --because WHY")
	if why != "" {
		n.t.Fatalf("%s: %s", n.name, line)
	}
	words := strings.Fields(line)
	last := len(words) - 1
	for _, one := range strings.Split(words[last], "|") {
		words[last] = one
		order := strings.Join(words, " ")
		order = strings.NewReplacer("CARDS", "7", "CARD", n.card().String(), "SEATS", "1,3", "POCKET", "17").Replace(order)
		orders = append(orders, order)
	}
	return orders
}

func (n *novice) card() shoe.Card {
	return shoe.New(shoe.Rank(1+n.rng.IntN(13)), shoe.Suit(n.rng.IntN(4)))
}

// event is an order as it reaches the table.
func (n *novice) event(order string) table.Event {
	n.t.Helper()
	c, err := (&floorFlags{by: "S-2", because: "seen"}).command(strings.Fields(order))
	if err != nil {
		n.t.Fatalf("%s: %s: %v", n.name, order, err)
	}
	return c.Event
}

func (n *novice) do(e table.Event) {
	n.seq++
	e.Seq, e.At = n.seq, time.Duration(n.seq)*5*time.Second
	n.story = append(n.story, fmt.Sprint(e.Seq, " ", e))
	for _, c := range n.game.Step(e, nil) {
		n.saw[c.Code.String()]++
		if c.Word == table.CallVoid && c.Ref > 0 {
			n.saw["void of a round that had ended"]++
		}
	}
}

// happens is what is due, or now and then anything.
func (n *novice) happens() {
	l := n.game.Layout()
	say := func(format string, args ...any) {
		e, err := table.Parse(fmt.Sprintf(format, args...))
		if err != nil {
			n.t.Fatal(err)
		}
		if e.At = time.Duration(n.seq+1) * 5 * time.Second; !e.Asked() || n.game.Check(e) == table.OK {
			n.do(e)
		}
	}
	if n.rng.IntN(8) == 0 {
		wrong := []string{"draw " + n.card().String(), "draw ??", "stop", "cut", "open", "pause by S-1", "restart 3s", "lost shoe", "fault shoe gap", "fault shoe lid-opened", "ball", "no-spin", "result 40", "result 3",
			"proposed 9", "draw " + n.card().String() + " banker", "fault shoe same-uid", "correct " + fmt.Sprint(max(1, n.seq-int64(n.rng.IntN(12)))) + " 9s by S-1", "retire by S-1", "table close by S-1"}
		say("%s", wrong[n.rng.IntN(len(wrong))])
		return
	}
	switch due := l.Due; {
	case due == nil:
		say("stop")
	case due.Kind == "card", due.Kind == "burn", due.Kind == "reread":
		say("draw %v", n.card())
	case due.Kind == "decision":
		say("%s", due.May[n.rng.IntN(len(due.May))])
	case due.Kind == "insurance":
		say("timeout insurance")
	case due.Kind == "close":
		say("close 1,3")
	case due.Kind == "result" && l.Phase != table.Spin:
		say("timeout result")
	case due.Kind == "result":
		say("result %d", n.rng.IntN(37))
	case due.Kind != "shoe":
		say("%s", due.Kind)
	}
}

// TestANoviceBringsTheTableBack plays every set of rules with mistakes, and clears what stops the table by nothing but orders as the state writes them: each is taken, and it
// goes on.
func TestANoviceBringsTheTableBack(t *testing.T) {
	saw := map[string]int{}
	for _, game := range sorted(games) {
		for _, rules := range sorted(games[game]) {
			for seed := range uint64(4) {
				play := games[game][rules]()
				n := &novice{t: t, name: fmt.Sprintf("%s %s, seed %d", game, rules, seed), rng: rand.New(rand.NewPCG(seed, 7)), game: play.New(table.Opening{}), saw: saw}
				n.shift()
			}
		}
	}
	for _, order := range []string{"table-open", "shoe", "count", "close", "release", "assign", "correct", "exposed", "draw", "result", "void", "void of a round that had ended", "retire", "resume", "undo", "hit", "surrender", "insure", "decline", "card named", "undo named"} {
		if saw[order] == 0 {
			t.Errorf("%s was never offered", order)
		}
	}
	t.Log(saw)
}

// shift plays for a while.
func (n *novice) shift() {
	stuck := 0
	for range 1000 {
		text, orders := n.told()
		for _, order := range orders {
			if code := n.game.Check(n.event(order)); code != table.OK {
				n.t.Fatalf("%s: %s is refused: %v\n%s%s", n.name, order, code, text, strings.Join(n.story[max(0, len(n.story)-20):], "\n"))
			}
		}
		if stops := table.Stops(n.game); len(stops) > 0 && !stops[0].Later && len(stops[0].Remedies) > 0 && stops[0].Code != table.CardMoved.String() { // which may lie where it cannot stay
			if code := n.game.Check(n.event(fmt.Sprint("release ", stops[0].Irregularity))); code != table.OK {
				n.t.Fatalf("%s: the default is refused: %v\n%s", n.name, code, text)
			}
		}
		if n.rng.IntN(8) == 0 {
			n.remembers()
		}
		l := n.game.Layout()
		yours := l.Stopped != nil || l.Phase == table.Closed || l.Due != nil && l.Due.Kind == "shoe"
		switch {
		case !yours:
			stuck = 0
			n.happens()
		case len(orders) == 0 || stuck > 60:
			n.t.Fatalf("%s: no way out\n%s%s", n.name, text, strings.Join(n.story[max(0, len(n.story)-20):], "\n"))
		case n.rng.IntN(6) == 0:
			n.happens()
		default:
			stuck++
			if away := slices.DeleteFunc(slices.Clone(orders), func(o string) bool {
				return strings.HasPrefix(o, "count") || strings.HasPrefix(o, "void") && n.rng.IntN(3) > 0
			}); len(away) > 0 {
				n.do(n.event(away[n.rng.IntN(len(away))]))
			}
		}
	}
}

// remembers holds what is said of the past against what the table takes: the one undo, and no correction of a card that is not named.
func (n *novice) remembers() {
	undo, cards := table.Past(n.game)
	takes := func(format string, args ...any) table.Code {
		e, err := table.Parse(fmt.Sprintf(format+" by S-2", args...))
		if err != nil {
			n.t.Fatal(err)
		}
		return n.game.Check(e)
	}
	named := map[int64]bool{}
	for _, s := range table.Stops(n.game) {
		named[s.Irregularity] = true
	}
	for _, c := range cards {
		named[c.Seq] = true
		if code := takes("correct %d 9s", c.Seq); code == table.NoSuchHold {
			n.t.Fatalf("%s: %+v is named, and %v\n%s", n.name, c, code, strings.Join(n.story[max(0, len(n.story)-40):], "\n"))
		}
		n.saw["card named"]++
	}
	for seq := max(1, n.seq-100); seq <= n.seq; seq++ {
		if code := takes("undo %d", seq); (code == table.OK) != (undo != nil && undo.Seq == seq) {
			n.t.Fatalf("%s: undo %d is %v, and %+v is named", n.name, seq, code, undo)
		}
		if code := takes("correct %d 9s", seq); code == table.OK && !named[seq] {
			n.t.Fatalf("%s: correct %d is taken, and not named\n%s", n.name, seq, strings.Join(n.story[max(0, len(n.story)-100):], "\n"))
		}
	}
	if undo != nil {
		n.saw["undo named"]++
	}
}

// says plays events, and wants of what the state then says the lines with one of these pieces, without the explanation that stands behind an order.
func (n *novice) says(events, want string, pieces ...string) {
	n.t.Helper()
	for line := range strings.SplitSeq(events, ", ") {
		e, err := table.Parse(line)
		if err != nil {
			n.t.Fatal(err)
		}
		n.do(e)
	}
	text, _ := n.told()
	got := ""
	for line := range strings.Lines(text) {
		if slices.ContainsFunc(pieces, func(piece string) bool { return strings.Contains(line, piece) }) {
			order := strings.TrimLeft(line, " ")
			indent := line[:len(line)-len(order)]
			order, _, _ = strings.Cut(order, "  ")
			got += indent + strings.TrimSpace(order) + "\n"
		}
	}
	if got != want {
		n.t.Errorf("%s: it says\n%swant\n%s\n%s", events, got, want, text)
	}
}

// TestStateSaysWhatCanBeChanged: while the table is stopped, the decision that an undo takes back, and the cards by their numbers; none that lies face down by more than that.
func TestStateSaysWhatCanBeChanged(t *testing.T) {
	n := &novice{t: t, name: "blackjack", rng: rand.New(rand.NewPCG(1, 7)), game: games["blackjack"]["classic"]().New(table.Opening{}), saw: map[string]int{}}
	for _, x := range []struct{ events, want string }{
		{"table open by S-1, shoe 1 by S-1, open, close 1,3, draw 9s, draw 8h, draw 7d, draw 2c, draw 3h", ""},
		{"pause by S-1", "  cards of round 1, for correct SEQ CARD|cut: 1a 5=9s 8=2c, 3a 6=8h 9=3h, dealer 7=7d\n"},
		{"resume by S-1, draw Kd, double 1a", ""},
		{"stop", "  the last decision: Seat 1 doubles\n    undo 13\n  cards of round 1, for correct SEQ CARD|cut: 1a 5=9s 8=2c, 3a 6=8h 9=3h, dealer 7=7d 12=back\n"},
		{"undo 13 by S-1", "  cards of round 1, for correct SEQ CARD|cut: 1a 5=9s 8=2c, 3a 6=8h 9=3h, dealer 7=7d 12=back\n"},
		{"release 14 by S-1, stand 1a, stand 3a, reveal", ""},
		{"correct 8 3c by S-1, stop", "  cards of round 1, for correct SEQ CARD|cut: 1a 5=9s 8=3c, 3a 6=8h 9=3h, dealer 7=7d 12=Kd\n"},
		{"void by S-1", ""},
	} {
		n.says(x.events, x.want, "decision:", "    undo", "cards of")
	}
}

// TestStateSaysWhichRoundsCanBeVoid: the one running while the table is stopped, and by its number one that has ended, stopped or not, as long as it is in reach.
func TestStateSaysWhichRoundsCanBeVoid(t *testing.T) {
	n := &novice{t: t, name: "roulette", rng: rand.New(rand.NewPCG(1, 7)), game: games["roulette"]["roulette"]().New(table.Opening{}), saw: map[string]int{}}
	for _, x := range []struct{ events, want string }{
		{"table open by S-1, open, close none, ball", ""},
		{"stop", "    void 1\n"},
		{"release 5 by S-1, result 17", "  round 1 has ended\n    void 1\n"},
		{"stop", "  round 1 has ended\n    void 1\n"},
		{"release 8 by S-1, open", "  round 1 has ended\n    void 1\n"},
		{"stop", "  round 1 has ended\n    void 1\n    void 2\n"},
		{"void 2 by S-1", "  round 1 has ended\n    void 1\n"},
		{"void 1 by S-1", ""},
		{"open, close none, ball, result 3, open, close none", ""},
	} {
		n.says(x.events, x.want, "ended\n", "    void")
	}
}

// TestStateNamesTheDevice: which one a stop is about, and what is the matter with it, in words where there are some.
func TestStateNamesTheDevice(t *testing.T) {
	for _, x := range []struct {
		device table.StopDevice
		en, pt string
	}{
		{table.StopDevice{Name: "shoe"}, "Shoe", "Sabot"},
		{table.StopDevice{Name: "shoe", Fault: "denied"}, "Shoe: may not be opened", "Sabot: sem autorização"},
		{table.StopDevice{Name: "box", Fault: "lost", Over: true}, "Buttons: lost, over now", "Botões: perdido, já passou"},
		{table.StopDevice{Name: "reader-2", Fault: "E9"}, "reader-2: E9", "reader-2: E9"},
		{table.StopDevice{Name: "shoe", Over: true}, "Shoe: over now", "Sabot: já passou"},
	} {
		s := mqtt.Standing{Floor: table.FloorState{Stops: []table.StopState{{Irregularity: 7, Code: "DEVICE_FAULT", Remedies: []string{"device"}, Device: &x.device}}, Devices: map[string]string{"reader-2": "lost"}}}
		for language, want := range map[string]string{"en": "stopped by 7 DEVICE_FAULT: A device reports a fault. " + x.en + ".\n", "pt": "parada por 7 DEVICE_FAULT: Um aparelho avisa de uma avaria. " + x.pt + ".\n"} {
			var b strings.Builder
			(narrator{language}).state(&b, &s)
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: it says\n%swant\n%s", language, b.String(), want)
			}
			if language == "pt" && !strings.HasSuffix(b.String(), "  reader-2: perdido\n") {
				t.Errorf("a device that has no word of ours: %s", b.String())
			}
		}
	}
}

// TestStateSaysWhoStoppedTheTable: with the reason, which may hold anything and rules no terminal.
func TestStateSaysWhoStoppedTheTable(t *testing.T) {
	s := mqtt.Standing{Floor: table.FloorState{Paused: true, Pause: &table.Ordered{By: "key"}, Stops: []table.StopState{{Irregularity: 7, Code: "STOP", Remedies: []string{"device"}, Order: &table.Ordered{By: "S-2", Because: "é\x1b[2J"}}}}}
	var b strings.Builder
	(narrator{"en"}).state(&b, &s)
	for _, want := range []string{"  paused (key)\n", `  stopped by 7 STOP: The supervisor was called. (S-2: "é\x1b[2J")` + "\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it says\n%swant\n%s", b.String(), want)
		}
	}
}

// TestStateSaysWhatIsOnTheFelt: the shoe, a number, whom insurance is asked of, and after a restart that the felt is to be looked at.
func TestStateSaysWhatIsOnTheFelt(t *testing.T) {
	spin := table.Number(17).Shown()
	for _, x := range []struct {
		layout table.Layout
		code   table.Code
		en, pt string
	}{
		{table.Layout{Spin: &spin}, table.OK, "  felt: 17 black\n", "  mesa: 17 preto\n"},
		{table.Layout{Shoe: table.LayoutShoe{Number: 12, Dealt: 83, Left: 333}}, table.OK, "  shoe 12: 83 cards out, 333 left\n", "  sabot 12: saíram 83 cartas, restam 333\n"},
		{table.Layout{Shoe: table.LayoutShoe{Number: 12, Dealt: 362, Left: 54, LastRound: true}}, table.OK, "362 cards out, 54 left, last round\n", "saíram 362 cartas, restam 54, última ronda\n"},
		{table.Layout{Due: &table.LayoutDue{Kind: "insurance", Seats: []int{1, 3}}}, table.OK, "  due: insurance 1 3 (the players say)\n", "  a seguir: Pergunte pelo seguro 1 3 (os jogadores dizem)\n"},
		{table.Layout{}, table.Restart, "The program started afresh. After the restart: compare each hand with the felt before you release.\n", "O programa reiniciou. Depois do reinício: compare cada mão com a mesa antes de libertar.\n"},
	} {
		s := mqtt.Standing{Layout: x.layout}
		if x.code != table.OK {
			s.Floor.Stops = []table.StopState{{Irregularity: 7, Code: x.code.String(), Remedies: []string{"device"}}}
		}
		for language, want := range map[string]string{"en": x.en, "pt": x.pt} {
			var b strings.Builder
			(narrator{language}).state(&b, &s)
			if !strings.Contains(b.String(), want) {
				t.Errorf("it says\n%swant\n%s", b.String(), want)
			}
		}
	}
}
