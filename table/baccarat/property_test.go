package baccarat_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
)

// world plays random coups on a table and beside it on a twin. mistakes is how often somebody does what he should not.
type world struct {
	t        *testing.T
	seed     uint64
	rng      *rand.Rand
	game     baccarat.Game
	twin     baccarat.Game
	seq      int64
	shoe     int64
	drawn    int // cards that left this shoe
	coups    int
	mistakes float64
	waits    bool   // a result waits for the shoe's
	last     uint32 // the round of the last result
}

func newWorld(t *testing.T, rules *baccarat.Rules, seed uint64, mistakes float64) *world {
	g := baccarat.New(rules, table.Opening{})
	w := &world{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 1)), game: g, twin: g, mistakes: mistakes, waits: rules.ClaimTime > 0}
	w.do("table open by S-1")
	return w
}

func (w *world) do(line string) {
	e, err := table.Parse(line)
	if err != nil {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
	w.step(e)
}

// step asks and steps; what is refused must change nothing, and two games must do the same.
func (w *world) step(e table.Event) []table.Call {
	before := w.game
	code := w.game.Check(e)
	if w.game != before {
		w.t.Fatalf("seed %d: asking %q changed the game", w.seed, e)
	}
	if e.Asked() && code != table.OK {
		return nil
	}
	w.seq++
	e.Seq = w.seq
	if e.Kind == table.Draw {
		w.drawn++
	}
	stopped := w.game.Stopped()
	calls := w.game.Step(e, nil)
	w.twin.Step(e, nil)
	if w.game != w.twin {
		w.t.Fatalf("seed %d: %q makes two games differ", w.seed, e)
	}
	for _, c := range calls {
		if c.Word != table.CallResult {
			continue
		}
		w.coups++
		atOnce := e.Kind == table.Draw || stopped && (e.Kind == table.Claims || e.Kind == table.Timeout)
		if w.waits && atOnce || w.game.Round == w.last {
			w.t.Fatalf("seed %d: %q calls the result of round %d, after that of %d", w.seed, e, w.game.Round, w.last)
		}
		w.last = w.game.Round
	}
	w.cards()
	return calls
}

// cards: as many are counted as left the shoe, and in a coup no more lie on the felt.
func (w *world) cards() {
	l := w.game.Layout()
	felt := 0
	for _, h := range []*table.LayoutHand{l.Player, l.Banker} {
		if h != nil {
			felt += len(h.Cards)
		}
	}
	if l.Shoe.Dealt != w.drawn || felt > 6 || l.Phase == table.Dealing && felt > w.drawn {
		w.t.Fatalf("seed %d: %d cards drawn, %d counted, %d on the felt", w.seed, w.drawn, l.Shoe.Dealt, felt)
	}
}

func (w *world) card() shoe.Card {
	return shoe.New(shoe.Rank(1+w.rng.IntN(13)), shoe.Suit(w.rng.IntN(4)))
}

// turn does the next thing, mostly the right one.
func (w *world) turn() {
	l := w.game.Layout()
	switch {
	case w.rng.Float64() < w.mistakes:
		w.mistake()
	case l.Stopped != nil:
		w.supervise()
	case l.Due.Kind == "shoe":
		w.drawn = 0
		w.shoe++
		w.step(table.Event{Kind: table.NewShoe, N: w.shoe, Text: &table.Text{By: "S-1"}})
	case l.Due.Kind == "open":
		w.do("open")
	case l.Due.Kind == "close":
		w.step(table.Event{Kind: table.Close, Seats: table.Seats(w.rng.IntN(128) << 1)})
	case l.Due.Kind == "result":
		w.do([]string{"timeout result", "claims player", "claims banker", "claims tie", "claims quit"}[w.rng.IntN(5)])
	case w.drawn > 360 && w.rng.IntN(5) == 0:
		w.do("cut")
	default:
		w.step(table.Event{Kind: table.Draw, Card: w.card()})
	}
}

// wrong is a card that may not be due, may be unread, and may be claimed for or put on a place at random.
func (w *world) wrong() table.Event {
	e := table.Event{Kind: table.Draw, Card: w.card()}
	switch w.rng.IntN(4) {
	case 0:
		e.Card = shoe.Unread
	case 1:
		e.Hand = table.PlayerHand + table.Hand(w.rng.IntN(2))
	case 2:
		e.Claim = shoe.Claim{Side: shoe.Side(w.rng.IntN(5)), Index: uint8(w.rng.IntN(4))}
	}
	return e
}

func (w *world) mistake() {
	switch w.rng.IntN(6) {
	case 5:
		w.step(w.again())
	case 0:
		w.do([]string{"claims banker player-pair", "claims tie", "timeout result", "stop", "open", "close none", "pause by S-1", "lost shoe", "restart 3s", "timeout bets"}[w.rng.IntN(10)])
	case 1:
		w.do("void by S-1")
	default:
		w.step(w.wrong())
	}
}

// again is a card that the shoe names again, with the place it claims or without.
func (w *world) again() table.Event {
	e := table.Event{Kind: table.Resent, Card: w.card()}
	if w.rng.IntN(2) == 0 {
		e.Claim = shoe.Claim{Side: shoe.ToPlayer + shoe.Side(w.rng.IntN(2)), Index: uint8(1 + w.rng.IntN(3))}
	}
	return e
}

// supervise does what brings the table back.
func (w *world) supervise() {
	later := func(s table.StopState) bool { return s.Later }
	stops := slices.DeleteFunc(table.Stops(&w.game), later)
	if len(stops) == 0 {
		w.do("resume by S-1")
		return
	}
	e := table.Event{Kind: table.Release, N: stops[0].Irregularity, Text: &table.Text{By: "S-1"}}
	e.Remedy, _ = table.ParseRemedy(stops[0].Remedies[w.rng.IntN(len(stops[0].Remedies))])
	if stops[0].Code == table.Misread.String() && w.rng.IntN(2) == 0 {
		w.reread(e)
		return
	}
	if stops[0].Code == table.Misread.String() || w.game.Check(e) != table.OK {
		e.Kind, e.Remedy, e.Card = table.Correct, table.NoRemedy, w.card()
	}
	w.step(e)
}

// reread orders that a card be read again, before or after the shoe has done so: either deals it.
func (w *world) reread(order table.Event) {
	dealt := w.drawn
	read := table.Event{Kind: table.Resent, Card: w.card()}
	if w.rng.IntN(2) == 0 {
		order, read = read, order
	}
	w.step(order)
	w.step(read)
	for _, s := range table.Stops(&w.game) {
		if s.Irregularity == order.N+read.N || w.drawn != dealt {
			w.t.Fatalf("seed %d: %q and %q leave it unread", w.seed, order, read)
		}
	}
}

func TestRandomPlayKeepsItsPromises(t *testing.T) {
	for seed := range uint64(60) {
		rules := baccarat.PuntoBanco()
		rules.ClaimTime = time.Duration(seed/3%2) * 500 * time.Millisecond
		w := newWorld(t, &rules, seed, 0.05*float64(seed%3))
		for range 3000 {
			w.turn()
		}
		if w.coups < 150 {
			t.Errorf("seed %d: only %d coups in 3000 turns", seed, w.coups)
		}
	}
}

// TestACardAsideIsSecret draws, wherever random play has come to, two different cards that are not dealt: neither the public nor the
// floor may see which.
func TestACardAsideIsSecret(t *testing.T) {
	rules := baccarat.PuntoBanco()
	aside := 0
	for seed := range uint64(20) {
		w := newWorld(t, &rules, seed, 0.1)
		for range 500 {
			w.turn()
			e, other := w.wrong(), w.wrong().Card
			a, b := w.game, w.game
			if x, y := said(a, e), said(b, with(e, other)); e.Card.Known() && other.Known() && !bytes.Contains(x, []byte(`"call":"card"`)) && !bytes.Contains(x, []byte(`"call":"burn"`)) {
				aside++
				if !bytes.Equal(x, y) {
					t.Fatalf("seed %d: %q and %v differ:\n%s\n%s", seed, e, other, x, y)
				}
			}
		}
	}
	if aside < 1500 {
		t.Errorf("only %d cards lay aside", aside)
	}
}

// TestACardReadAgainIsSecret names two different cards again, wherever random play has come to a card that lies unread: whatever happens then, until the
// card is dealt neither the public nor the floor may see which it was.
func TestACardReadAgainIsSecret(t *testing.T) {
	rules := baccarat.PuntoBanco()
	read := 0
	for seed := range uint64(60) {
		w := newWorld(t, &rules, seed, 0.2)
		for range 300 {
			w.turn()
			holds := w.game.Opening().Holds
			if len(holds) == 0 || holds[0].Card != shoe.Unread || holds[0].Reread {
				continue
			}
			read++
			a, b := w.game, w.game
			for i, e := range []table.Event{{Kind: table.Resent}, {Kind: table.Stop}, {Kind: table.Draw, Card: shoe.New(2, shoe.Clubs)}, {Kind: table.Fault, Text: &table.Text{Name: "shoe", Detail: "boot"}}, {Kind: table.Pause}} {
				e.Seq, e.At = int64(1<<20+i), time.Hour
				x, y := e, e
				if e.Kind == table.Resent {
					x.Card, y.Card = shoe.New(9, shoe.Spades), shoe.New(4, shoe.Hearts)
				}
				if x, y := step(&a, x), step(&b, y); !bytes.Equal(x, y) {
					t.Fatalf("seed %d: after two cards read again %q says:\n%s\n%s", seed, e.Kind.Word(), x, y)
				}
			}
		}
	}
	if read < 200 {
		t.Errorf("only %d cards lay unread", read)
	}
}

func with(e table.Event, c shoe.Card) table.Event {
	e.Card = c
	return e
}

// said is every byte of an event's calls and of the layout after it that somebody may see.
func said(g baccarat.Game, e table.Event) []byte {
	e.Seq = 1 << 20
	return step(&g, e)
}

func step(g *baccarat.Game, e table.Event) []byte {
	calls := g.Step(e, nil)
	b := table.AppendCalls(nil, calls, table.ToAll)
	b = table.AppendCalls(b, calls, table.ToFloor)
	for _, part := range []any{g.Layout(), table.Stops(g)} {
		text, err := json.Marshal(part)
		if err != nil {
			panic(err)
		}
		b = append(b, text...)
	}
	return b
}

func TestTheRecapTellsTheCoup(t *testing.T) {
	rules := baccarat.PuntoBanco()
	w := newWorld(t, &rules, 1, 0)
	var recap *table.Recap
	for w.coups == 0 {
		w.turn()
	}
	w.do("open")
	w.do("close none")
	for _, line := range []string{"draw 2s", "draw Ac", "draw 2d", "draw Ah", "draw Kh", "draw Ad"} {
		e, _ := table.Parse(line)
		recap = recap.Fold(w.step(e))
	}
	want := table.LayoutCoup{Winner: "player", Player: 4, Banker: 3, PlayerPair: true, BankerPair: true}
	if recap == nil || recap.Coup == nil || *recap.Coup != want || recap.Ended != "played_out" || len(recap.Results) > 0 {
		t.Errorf("%+v; want %+v", recap, want)
	}
	if l := w.game.Layout(); l.Coup == nil || *l.Coup != want {
		t.Errorf("the layout shows %+v; want %+v", l.Coup, want)
	}
}
