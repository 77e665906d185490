package wager_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/wager"
)

type betting = wager.Table[blackjack.Game, *blackjack.Game]

// world plays random blackjack with random bets, and keeps books of its own from what is called.
type world struct {
	t      *testing.T
	name   string
	rng    *rand.Rand
	rules  blackjack.Rules
	bets   wager.Rules
	game   *table.Round[betting, *betting]
	events []table.Event
	said   [][]byte // the calls of each event
	shoes  int
	counts map[table.Word]int
	late   int // rounds that were voided when they had ended,
	later  int // and the next one's bets were open

	*books
	before *books // of the round before
}

// books are a round's.
type books struct {
	balance map[string]int64           // of this round's slips; absent for unlimited
	open    map[string]int64           // what lies on a bettor's bets
	moved   map[int64]map[string]int64 // by event, what it added to open
	paid    map[int64]int              // and how many bets it decided
	ended   bool
}

func newBooks() *books {
	return &books{balance: map[string]int64{}, open: map[string]int64{}, moved: map[int64]map[string]int64{}, paid: map[int64]int{}}
}

func newWorld(t *testing.T, preset string, seed uint64) *world {
	w := &world{t: t, name: fmt.Sprintf("%s, seed %d", preset, seed), rng: rand.New(rand.NewPCG(seed, 1)), counts: map[table.Word]int{}, books: newBooks()}
	w.rules, w.bets = blackjack.Presets[preset](), wager.Deluxe()
	w.rules.Burn, w.rules.Pair = table.BurnRule{}, true
	w.rules.Timeout = blackjack.DrawPast11
	w.bets.Rounding = wager.Rounding(seed % 2)
	w.game = table.NewRound(wager.New(blackjack.New(&w.rules, table.Opening{}), &w.bets))
	w.do("table open by S-1")
	return w
}

func (w *world) do(format string, args ...any) bool {
	e, err := table.Parse(fmt.Sprintf(format, args...))
	if err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
	return w.step(e)
}

// step asks, and steps what is not refused. Refusing changes nothing.
func (w *world) step(e table.Event) bool {
	if e.Asked() {
		before := w.game.Game()
		if code := w.game.Check(e); code != table.OK {
			if w.game.Game() != before {
				w.t.Fatalf("%s: refusing %q changed the game", w.name, e)
			}
			return false
		}
	}
	e.Seq = int64(len(w.events) + 1)
	calls := w.game.Step(e, nil)
	w.events = append(w.events, e)
	w.said = append(w.said, table.AppendCalls(table.AppendCalls(nil, calls, table.ToAll), calls, table.ToGame))
	w.hear(e, calls)
	return true
}

// hear keeps the books.
func (w *world) hear(e table.Event, calls []table.Call) {
	if void := calls; len(void) > 0 && void[0].Word == table.CallVoid && void[0].Ref > 0 {
		defer func(now *books) { w.books = now }(w.books)
		if uint32(void[0].N) < w.game.Layout().Round {
			w.books = w.before
			w.later++
		}
		w.late++
		defer w.undecided()
	}
	moved := map[string]int64{}
	for i := range calls {
		c := &calls[i]
		w.counts[c.Word]++
		name := c.Reference().String()
		switch c.Word {
		case table.CallOpen:
			w.before, w.books = w.books, newBooks()
		case table.CallTaken:
			moved[name] += c.Staked
		case table.CallPaid, table.CallRefunded:
			moved[name] -= c.Staked
			w.won(c, calls)
			if c.Word == table.CallPaid {
				w.paid[e.Seq]++
			}
		case table.CallReversed:
			for name, n := range w.moved[c.Ref] {
				moved[name] -= n
			}
			delete(w.paid, c.Ref)
			w.ended = false
		case table.CallEnd, table.CallVoid:
			w.ended = true
		}
	}
	w.moved[e.Seq] = moved
	for name, n := range moved {
		w.open[name] += n
		balance, limited := w.balance[name]
		switch {
		case w.open[name] < 0, w.ended && w.open[name] != 0:
			w.t.Fatalf("%s: %q: %d lies on the bets of %s", w.name, e, w.open[name], name)
		case limited && w.open[name] > balance:
			w.t.Fatalf("%s: %q: %s has staked %d of %d", w.name, e, name, w.open[name], balance)
		}
	}
	for name, n := range w.open {
		if w.ended && n != 0 {
			w.t.Fatalf("%s: %q: %d of %s is neither paid nor refunded", w.name, e, n, name)
		}
	}
}

// undecided says that of a round nothing is decided and all is back.
func (w *world) undecided() {
	for name, n := range w.open {
		if n != 0 {
			w.t.Fatalf("%s: void, and %d of %s is not refunded", w.name, n, name)
		}
	}
	if len(w.paid) > 0 {
		w.t.Fatalf("%s: void, and bets are decided: %v", w.name, w.paid)
	}
}

// won compares what a bet on a hand won with what the game says in half units.
func (w *world) won(c *table.Call, calls []table.Call) {
	if c.Word != table.CallPaid || c.Spot.Bet != table.BetSeat && c.Spot.Bet != table.BetBehind {
		return
	}
	for _, r := range calls {
		if r.Word != table.CallResult || r.Action == table.Insure || r.Hand != c.Hand {
			continue
		}
		exact := 2 * c.Staked * int64(r.Net) // per half unit of stake, twice what was won
		won := 2 * (c.Paid - c.Staked) * int64(r.Stake)
		if off := won - exact; off > int64(r.Stake) || off < -int64(r.Stake) {
			w.t.Fatalf("%s: %s of %d: paid %d, and the game says net %d of %d", w.name, r.Outcome, c.Staked, c.Paid, r.Net, r.Stake)
		}
		return
	}
	w.t.Fatalf("%s: %v was paid without a result", w.name, c.Hand)
}

// chance is true with probability p.
func (w *world) chance(p float64) bool { return w.rng.Float64() < p }

// slip is a random one; most can be taken.
func (w *world) slip() {
	name := fmt.Sprintf("P-%d", w.rng.IntN(8))
	amount := 10 + w.rng.Int64N(190)
	bets := ""
	for range 1 + w.rng.IntN(4) {
		seat := 1 + w.rng.IntN(int(w.rules.Seats))
		bets += fmt.Sprintf("%d %d%s, ", seat, amount, [...]string{"", "", " behind", " pair"}[w.rng.IntN(4)])
	}
	balance, limited := w.rng.Int64N(6*amount), w.chance(0.6)
	text := bets[:len(bets)-2]
	if limited {
		text += fmt.Sprintf(", balance %d", balance)
	}
	old, was := w.balance[name]
	delete(w.balance, name)
	if limited {
		w.balance[name] = balance
	}
	if !w.do("bet %s %s", name, text) {
		delete(w.balance, name)
		if was {
			w.balance[name] = old
		}
	}
}

// aside is what happens beside the play: followers, plans, failing balances, orders of the supervisor.
func (w *world) aside(hand string) {
	name, seat := fmt.Sprintf("P-%d", w.rng.IntN(8)), 1+w.rng.IntN(int(w.rules.Seats))
	switch w.rng.IntN(9) {
	case 0, 1:
		w.do("follow %s %s double", hand, name)
	case 2, 3:
		w.do("follow %s %s split", hand, name)
	case 4:
		w.do("short %s", hand)
	case 5:
		w.do("plan %da %s", seat, [...]string{"double", "split", "stand"}[w.rng.IntN(3)])
	case 6:
		w.do("undo %d by S-1", len(w.events))
	case 7:
		w.do("insure %d %s", seat, name)
	case 8:
		if w.chance(0.05) {
			w.do("void by S-1")
		}
	}
}

func (w *world) round() {
	if w.game.Layout().Phase == table.ShoeChange {
		w.shoes++
		w.do("shoe %d by S-1", w.shoes)
	}
	w.do("open")
	for range 4 + w.rng.IntN(12) {
		w.slip()
	}
	if round := w.game.Layout().Round; w.chance(0.1) {
		w.do("void %d by S-1", round-1)
	}
	seats := "1,2,3,4,5,6,7"[:2*w.rules.Seats-1]
	if w.chance(0.1) {
		seats = "2"
	}
	w.do("close %s", seats)
	for range 400 {
		l := w.game.Layout()
		if l.Stopped != nil || l.Due == nil || l.Due.Kind == "open" || l.Due.Kind == "shoe" {
			break
		}
		if w.chance(0.4) && l.Due.Hand != "" && l.Due.Hand != "dealer" || w.chance(0.1) {
			hand := l.Due.Hand
			if table.ParseHand(hand).Seat() == 0 {
				hand = "2a"
			}
			w.aside(hand)
			continue
		}
		w.due(l.Due)
	}
	if w.chance(0.1) {
		w.do("void by S-1")
	}
	if l := w.game.Layout(); l.Stopped != nil { // a card beyond the decks: the hold is the round's end here
		w.t.Fatalf("%s: stopped", w.name)
	}
}

// due does what is due. A few ranks make pairs, aces and tens common.
func (w *world) due(d *table.LayoutDue) {
	switch d.Kind {
	case "card":
		rank := [...]shoe.Rank{1, 1, 8, 8, 9, 10, 11, 12, 13, 3, 5, 6}[w.rng.IntN(12)]
		w.step(table.Event{Kind: table.Draw, Card: shoe.New(rank, shoe.Suit(w.rng.IntN(4)))})
	case "insurance":
		seat := 1 + w.rng.IntN(int(w.rules.Seats))
		switch w.rng.IntN(4) {
		case 0:
			w.do("insure %d", seat)
		case 1:
			w.do("%s %d P-%d", [...]string{"insure", "decline"}[w.rng.IntN(2)], seat, w.rng.IntN(8))
		case 2:
			w.do("decline %d", seat)
		case 3:
			if w.chance(0.2) {
				w.do("timeout insurance")
			}
		}
	case "decision":
		w.do("%s", [...]string{"hit", "stand", "double", "split", "double", "split"}[w.rng.IntN(6)])
	}
}

// Every unit taken is refunded or decided exactly once, nobody stakes more than he has, a hand's own bet wins what the game says, whatever is
// split, doubled, undone or voided; and playing the events again says the same.
func TestRandomBettingBalances(t *testing.T) {
	counts, late, later := map[table.Word]int{}, 0, 0
	for preset := range blackjack.Presets {
		for seed := range uint64(6) {
			w := newWorld(t, preset, seed)
			for i := range 40 {
				if i%3 == 0 {
					w.do("retire by S-1") // so that no card runs out
				}
				w.round()
			}
			again := newWorld(t, preset, seed+100)
			again.game = table.NewRound(wager.New(blackjack.New(&w.rules, table.Opening{}), &w.bets))
			for i, e := range w.events {
				calls := again.game.Step(e, nil)
				if said := table.AppendCalls(table.AppendCalls(nil, calls, table.ToAll), calls, table.ToGame); !bytes.Equal(said, w.said[i]) {
					t.Fatalf("%s: %q said %s, then %s", w.name, e, w.said[i], said)
				}
			}
			late, later = late+w.late, later+w.later
			for word, n := range w.counts {
				counts[word] += n
			}
		}
	}
	if late < 40 || later < 20 {
		t.Errorf("%d rounds were voided when they had ended, %d of them while the next one's bets were taken", late, later)
	}
	for _, word := range []table.Word{table.CallTaken, table.CallPaid, table.CallRefunded, table.CallReversed, table.CallVoid, table.CallSplit, table.CallInsured} {
		if counts[word] < 20 {
			t.Errorf("%v happened %d times", word, counts[word])
		}
	}
}
