package table_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/wager"
)

// counted is what the test needs of a game to count its cards.
type counted interface {
	table.Game
	count() (drawn, burnt, waiting int)
}

type blackjackTable struct {
	*table.Round[blackjack.Game, *blackjack.Game]
}

func (t blackjackTable) count() (drawn, burnt, waiting int) {
	g := t.Game()
	return int(g.Shoe.Drawn), int(g.Shoe.Burnt), g.Waiting()
}

type baccaratTable struct {
	*table.Round[baccarat.Game, *baccarat.Game]
}

func (t baccaratTable) count() (drawn, burnt, waiting int) {
	g := t.Game()
	return int(g.Shoe.Drawn), int(g.Shoe.Burnt), g.Waiting()
}

func newBlackjack() counted {
	r := blackjack.Deluxe()
	return blackjackTable{table.NewRound(blackjack.New(&r, table.Opening{}))}
}

// blackjackOfOneDeck is dealt to its last card again and again.
func blackjackOfOneDeck() counted {
	r := blackjack.Deluxe()
	r.Decks = 1
	return blackjackTable{table.NewRound(blackjack.New(&r, table.Opening{}))}
}

func baccaratOfOneDeck() counted {
	r := baccarat.PuntoBanco()
	r.Decks = 1
	return baccaratTable{table.NewRound(baccarat.New(&r, table.Opening{}))}
}

func newBaccarat() counted { return baccaratWaiting(0) }

// claimingBaccarat is baccarat from a shoe that gives results of its own.
func claimingBaccarat() counted { return baccaratWaiting(500 * time.Millisecond) }

func baccaratWaiting(claim time.Duration) counted {
	r := baccarat.PuntoBanco()
	r.ClaimTime = claim
	return baccaratTable{table.NewRound(baccarat.New(&r, table.Opening{}))}
}

// floor plays at random, with dealers who err and a supervisor who has every remedy.
type floor struct {
	t         *testing.T
	seed      uint64
	rng       *rand.Rand
	game      table.Game
	again     table.Game // the same events, stepped once more
	seq       int64
	shoes     int64
	cards     []int64 // the seqs of the draws of late
	did       map[string]int
	discarded int // cards of rounds that are over
	calls     []table.Call
	story     []string // what happened, for a failure
	hear      func()   // what is called, if anybody listens
}

// last is the end of the story.
func (f *floor) last() string { return strings.Join(f.story[max(0, len(f.story)-12):], "\n") }

func newFloor(t *testing.T, seed uint64, game, again table.Game) *floor {
	f := &floor{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 9)), game: game, again: again, did: map[string]int{}}
	f.do("table open by S-1")
	return f
}

func (f *floor) card() shoe.Card {
	return shoe.New(shoe.Rank(1+f.rng.IntN(13)), shoe.Suit(f.rng.IntN(4)))
}

// do asks and steps; refused it says false.
func (f *floor) do(format string, args ...any) bool {
	f.t.Helper()
	e, err := table.Parse(fmt.Sprintf(format, args...))
	if err != nil {
		f.t.Fatalf("seed %d: %v", f.seed, err)
	}
	e.Seq = f.seq + 1
	if e.Asked() && f.game.Check(e) != table.OK {
		return false
	}
	f.seq++
	if e.Kind == table.Draw {
		f.cards = append(f.cards, e.Seq)
	}
	felt := feltCards(f.game)
	if e.Kind == table.Draw && f.game.Layout().Phase == table.ShoeChange {
		f.discarded++ // it is counted out
	}
	f.calls = f.game.Step(e, nil)
	b := f.again.Step(e, nil)
	if x, y := said(f.calls), said(b); !bytes.Equal(x, y) {
		f.t.Fatalf("seed %d: %q played twice says\n%s\n%s", f.seed, e, x, y)
	}
	if f.hear != nil {
		f.hear()
	}
	for _, c := range f.calls {
		if c.Word == table.CallOpen || c.Word == table.CallVoid || c.Word == table.CallShoe {
			f.discarded += felt
		}
		if c.Word == table.CallShoe {
			f.discarded = 0
		}
	}
	f.did[e.Kind.Word()+" "+e.Remedy.String()]++
	f.story = append(f.story, fmt.Sprintf("%d %v  %s", e.Seq, e, said(f.calls)))
	return true
}

func said(calls []table.Call) []byte {
	b := table.AppendCalls(nil, calls, table.ToAll)
	return table.AppendCalls(table.AppendCalls(b, calls, table.ToFloor), calls, table.ToGame)
}

// feltCards are the cards dealt to hands, those that only lie there not among them.
func feltCards(g table.Game) int {
	l, n := g.Layout(), 0
	for _, s := range l.Seats {
		for _, h := range s.Hands {
			n += len(h.Cards)
		}
	}
	for _, h := range []*table.LayoutHand{l.Dealer, l.Player, l.Banker} {
		if h != nil {
			n += len(h.Cards)
		}
	}
	for _, h := range g.Opening().Holds {
		if h.Code == table.CardMoved {
			n--
		}
	}
	return n
}

// turn does one thing.
func (f *floor) turn() {
	l := f.game.Layout()
	switch stops := table.Stops(f.game); {
	case f.rng.IntN(12) == 0:
		f.mistake()
	case f.rng.IntN(25) == 0:
		f.correct()
	case l.Stopped != nil && len(stops) > 0:
		f.release(stops[f.rng.IntN(len(stops))])
	case l.Stopped != nil:
		f.do("resume by S-1")
	default:
		f.play(l)
	}
}

func (f *floor) play(l table.Layout) {
	switch l.Due.Kind {
	case "shoe":
		f.shoes++
		f.do("shoe %d by S-1", f.shoes)
	case "close":
		if f.rng.IntN(30) == 0 {
			f.void()
			return
		}
		f.do("close 1,2,4")
	case "insurance":
		f.do("timeout insurance")
	case "decision":
		f.do("%s", l.Due.May[f.rng.IntN(len(l.Due.May))])
	case "card", "burn":
		if l.Shoe.Left > 0 || f.rng.IntN(4) == 0 { // by the house's rule the deal may go on with the discards
			f.do("draw %v", f.card())
		} else if l.Phase == table.Burning || !f.do("void by S-1") {
			f.do("retire by S-1")
		}
	case "result":
		if f.rng.IntN(2) == 0 {
			f.do("timeout result")
			return
		}
		f.claim()
	default:
		if f.rng.IntN(40) == 0 && f.do("retire by S-1") {
			return
		}
		f.do("%s", l.Due.Kind)
	}
}

// claim is what a shoe makes of a coup.
func (f *floor) claim() {
	pair := [...]string{"", " player-pair", " banker-pair"}[max(0, f.rng.IntN(6)-3)]
	f.do("claims %s%s", [...]string{"player", "banker", "tie", "quit"}[f.rng.IntN(4)], pair)
}

// resend names a card again: any card, or the last one.
func (f *floor) resend() {
	if f.rng.IntN(2) == 0 {
		f.do("resent %v", f.card())
		return
	}
	f.do("resent %v %s %d", f.card(), [...]string{"player", "banker"}[f.rng.IntN(2)], 1+f.rng.IntN(3))
}

func (f *floor) mistake() {
	switch f.rng.IntN(12) {
	case 0, 1, 2:
		f.do("draw %v", f.card())
	case 3:
		f.do("draw ??")
	case 4:
		f.do("stop")
	case 5:
		f.do("pause by S-1")
	case 6:
		if f.rng.IntN(4) == 0 {
			f.void()
		}
	case 7:
		f.claim()
	case 8, 9:
		f.resend()
	case 10:
		if f.rng.IntN(8) == 0 {
			f.do("cut")
		}
	default:
		f.do("lost shoe")
		f.do("draw %v %s by S-1", f.card(), f.hand())
	}
}

// void voids a round, the one that runs, or one that has ended. None is voided twice, and no card of it is corrected.
func (f *floor) void() {
	rounds := table.Voidable(f.game)
	if len(rounds) == 0 {
		return
	}
	n := rounds[f.rng.IntN(len(rounds))]
	f.do("void %d by S-1", n)
	if c := f.calls[0]; c.Ref > 0 {
		f.did["voided when it had ended"]++
		if n < f.game.Layout().Round {
			f.did["voided while bets are taken"]++
		}
	}
	if f.do("void %d by S-1", n) || slices.Contains(table.Voidable(f.game), n) {
		f.t.Fatalf("seed %d: round %d is voided twice\n%s", f.seed, n, f.last())
	}
}

// hand is one that may take a card.
func (f *floor) hand() string {
	if l := f.game.Layout(); l.Due != nil && l.Due.Hand != "" && f.rng.IntN(3) > 0 {
		return l.Due.Hand
	}
	return []string{"1a", "2a", "4a", "1b", "dealer", "player", "banker"}[f.rng.IntN(7)]
}

// correct takes one of the last cards for another, or for the cut card.
func (f *floor) correct() {
	if len(f.cards) == 0 {
		return
	}
	seq := f.cards[len(f.cards)-1-f.rng.IntN(min(len(f.cards), 14))]
	if f.rng.IntN(6) == 0 {
		f.do("correct %d cut by S-1", seq)
		return
	}
	if f.do("correct %d %v by S-1", seq, f.card()) && len(f.calls) > 0 {
		for _, c := range f.calls {
			f.did["said "+c.Word.String()]++
			if c.Code == table.CardMoved {
				f.did["moved"]++
			}
		}
	}
}

func (f *floor) release(s table.StopState) {
	switch f.rng.IntN(11) {
	case 9, 10:
		f.enter()
	case 8:
		f.resend()
	case 0:
		f.do("exposed %d by S-1", s.Irregularity)
	case 1:
		f.do("draw %v %s by S-1", f.card(), f.hand())
	case 2:
		f.do("correct %d %v by S-1", s.Irregularity, f.card())
	case 3:
		f.do("undo %d by S-1", f.seq)
	default:
		remedy := s.Remedies[f.rng.IntN(len(s.Remedies))]
		if remedy == "assign" && f.rng.IntN(2) == 0 {
			hands := append([]string{f.hand()}, s.Hands...)
			remedy += " " + hands[f.rng.IntN(len(hands))]
		}
		if remedy != "assign" {
			f.do("release %d %s by S-1", s.Irregularity, remedy)
		}
	}
	if f.rng.IntN(40) == 0 {
		f.void()
	}
}

// enter says for a player what nobody sent: what he may, or what comes to mind.
func (f *floor) enter() {
	said := []string{"hit", "stand", "double", "split", "surrender", "insure", "decline"}[f.rng.IntN(7)] + []string{"", " 1", " 2", " 4"}[f.rng.IntN(4)]
	if n := len(said); said[n-1] <= '9' && said[n-1] >= '0' && f.rng.IntN(7) > 2 {
		said = []string{"hit", "stand", "double", "split"}[f.rng.IntN(4)] + said[n-2:] + "a"
	}
	if l := f.game.Layout(); l.Due != nil && len(l.Due.May) > 0 && f.rng.IntN(2) == 0 {
		said = l.Due.May[f.rng.IntN(len(l.Due.May))]
	}
	if e, err := table.Parse(said + " by S-1"); err == nil && f.do("%v", e) {
		f.did["entered"]++
	}
}

// TestNoCardIsLost: whatever happens, a card that left the shoe was dealt, lies aside, waits to be used, or was burnt; and the same events make the same game.
func TestNoCardIsLost(t *testing.T) {
	games := map[string]func() counted{
		"blackjack": newBlackjack, "baccarat": newBaccarat, "baccarat with claims": claimingBaccarat,
		"blackjack of one deck": blackjackOfOneDeck, "baccarat of one deck": baccaratOfOneDeck,
	}
	for name, make := range games {
		did := map[string]int{}
		for seed := range uint64(40) {
			g := make()
			f := newFloor(t, seed, g, make())
			for range 1500 {
				f.turn()
				drawn, burnt, waiting := g.count()
				held := 0
				for _, h := range g.Opening().Holds {
					if h.Card != shoe.NoCard {
						held++
					}
				}
				if felt := feltCards(g); drawn != f.discarded+felt+held+waiting+burnt {
					t.Fatalf("%s, seed %d, seq %d: %d cards drawn; %d in rounds that are over, %d dealt, %d held, %d to be used, %d burnt\n%s", name, seed, f.seq, drawn, f.discarded, felt, held, waiting, burnt, f.last())
				}
			}
			for k, n := range f.did {
				did[k] += n
			}
		}
		if name == "blackjack" && did["entered"] < 5 {
			t.Errorf("decisions were entered by hand %d times; the test tests less than it says", did["entered"])
		}
		for _, what := range []string{"release use", "release burn", "release carry", "release assign", "release reread", "release device", "exposed ", "correct ", "void ", "voided when it had ended", "voided while bets are taken", "retire ", "moved", "said card", "said result", "resent "} {
			if did[what] < 5 {
				t.Errorf("%s: %q came to pass %d times; the test tests less than it says", name, what, did[what])
			}
		}
	}
}

// TestEveryStakeIsSettledOnce: however often rounds are corrected, of all that stands each stake that was taken is given back or decided once.
func TestEveryStakeIsSettledOnce(t *testing.T) {
	settleAll(t, func() table.Game {
		r, w := blackjack.Deluxe(), wager.Deluxe()
		return table.NewRound(wager.New(blackjack.New(&r, table.Opening{}), &w))
	}, "bet P-1 1 100, 1 10 pair", "bet P-2 2 50, 1 25 behind")
	settleAll(t, func() table.Game {
		r, w := baccarat.PuntoBanco(), wager.PuntoBanco()
		r.ClaimTime = 500 * time.Millisecond
		return table.NewRound(wager.New(baccarat.New(&r, table.Opening{}), &w))
	}, "bet P-1 player 100, tie 10", "bet P-2 banker 50")
}

func settleAll(t *testing.T, make func() table.Game, bets ...string) {
	reversed := 0
	for seed := range uint64(25) {
		f := newFloor(t, seed, make(), make())
		stands := map[int64][]table.Call{}
		f.hear = func() {
			for _, c := range f.calls {
				switch {
				case c.Word == table.CallReversed:
					delete(stands, c.Ref)
					reversed++
				case c.To == table.ToGame:
					stands[f.seq] = append(stands[f.seq], c)
				case c.Word == table.CallOpen:
					f.settledOnce(stands)
				}
			}
		}
		for range 1500 {
			if l := f.game.Layout(); l.Due != nil && l.Due.Kind == "close" && l.Stopped == nil {
				for _, bet := range bets {
					f.do("%s", bet)
				}
			}
			f.turn()
		}
	}
	if reversed < 50 {
		t.Errorf("only %d settlements were reversed", reversed)
	}
}

// settledOnce holds what was taken against what was given back and decided, as a round opens.
func (f *floor) settledOnce(stands map[int64][]table.Call) {
	f.t.Helper()
	open := map[table.Reference]int64{}
	for _, list := range stands {
		for _, c := range list {
			if c.Word == table.CallTaken {
				open[c.Reference()] += c.Staked
			} else {
				open[c.Reference()] -= c.Staked
			}
		}
	}
	for name, stake := range open {
		if stake != 0 {
			f.t.Fatalf("seed %d: of %v's stakes %d is settled too little\n%s", f.seed, name, stake, f.last())
		}
	}
}

// TestBetweenRoundsIsWhenNoneRuns: whatever dealers and supervisors do, a round runs from its open to its end, and the table can wait outside it. Where a correction took
// an end back, the calls do not tell until the next open.
func TestBetweenRoundsIsWhenNoneRuns(t *testing.T) {
	for name, make := range map[string]func() counted{"blackjack": newBlackjack, "baccarat": newBaccarat} {
		told := map[bool]int{}
		for seed := range uint64(25) {
			f, running, known := newFloor(t, seed, make(), make()), false, true
			f.hear = func() {
				for _, c := range f.calls {
					switch c.Word {
					case table.CallOpen:
						running, known = true, true
					case table.CallEnd:
						running = false
					case table.CallVoid:
						running = running && c.N != int64(f.game.Opening().Round)
					case table.CallCorrected:
						known = false
					}
				}
				l := f.game.Layout()
				if !known || l.Phase == table.Burning {
					return
				}
				if told[running]++; l.BetweenRounds() == running {
					t.Fatalf("%s, seed %d: a round runs: %v; in phase %s, due %+v, it is the other way round\n%s", name, seed, running, l.Phase, l.Due, f.last())
				}
			}
			for range 400 {
				f.turn()
			}
		}
		if told[true] < 1000 || told[false] < 300 {
			t.Errorf("%s: only %d events in rounds and %d outside", name, told[true], told[false])
		}
	}
}

// TestNothingFollowsAnEmptyShoe: whatever dealers and supervisors do, the card that empties a shoe in play says so, the round running is then its last one, and behind it, or
// where none runs, there is nothing but the shoe's change.
func TestNothingFollowsAnEmptyShoe(t *testing.T) {
	for name, make := range map[string]func() counted{"blackjack": blackjackOfOneDeck, "baccarat": baccaratOfOneDeck} {
		emptied, in := 0, map[table.Phase]int{}
		for seed := range uint64(40) {
			f, was := newFloor(t, seed, make(), make()), table.Layout{}
			f.hear = func() {
				l := f.game.Layout()
				said := slices.ContainsFunc(f.calls, func(c table.Call) bool { return c.Code == table.ShoeExhausted && c.Word == table.CallIrregular })
				if empties := was.Shoe.Left == 1 && l.Shoe.Left == 0 && l.Shoe.Number == was.Shoe.Number && was.Phase != table.ShoeChange; empties != said {
					t.Fatalf("%s, seed %d: emptied %v, and said %v\n%s", name, seed, empties, said, f.last())
				}
				if said {
					emptied++
					in[was.Phase]++
				}
				running := l.Phase >= table.Dealing && l.Phase <= table.Dealers || l.Due != nil && l.Due.Kind == "close"
				if l.Shoe.Number > 0 && l.Shoe.Left == 0 && l.Phase != table.ShoeChange && !(running && l.Shoe.LastRound) {
					t.Fatalf("%s, seed %d: the shoe is empty, in phase %v, due %+v, last round %v\n%s", name, seed, l.Phase, l.Due, l.Shoe.LastRound, f.last())
				}
				was = l
			}
			for range 1200 {
				f.turn()
			}
		}
		if emptied < 30 || len(in) < 2 {
			t.Errorf("%s: %d shoes were emptied, in the phases %v; the test tests less than it says", name, emptied, in)
		}
	}
}
