package sim

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/blackjack/strategy"
	"sabot/table/roulette"
	_ "sabot/table/tabletest" // its flags must be known to every test below table
	"sabot/table/wager"
)

func load(t testing.TB, name string) *strategy.Table {
	t.Helper()
	play, err := strategy.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return play
}

// blocks plays n blocks of 50,000 rounds.
func blocks(s Simulator, n uint64) Tally {
	var sum Tally
	for number := range n {
		sum.Add(s.Block(1, number, 50_000))
	}
	return sum
}

// The exact figures of the rules reference, in percent, for its strategy tables and a fresh shoe.
func TestReturnsAreTheExactOnes(t *testing.T) {
	fresh := func(r blackjack.Rules) Simulator { return NewBlackjack(r, load(t, r.Name), true) }
	wheel := map[string]float64{}
	for kind := table.BetStraight; kind < table.BetKinds; kind++ {
		wheel[kind.String()] = 100 * 36 / 37.
	}
	tests := []struct {
		name  string
		plays Simulator
		exact map[string]float64
	}{
		{"deluxe", fresh(blackjack.Deluxe()), map[string]float64{"initial bet": 99.5150, "total stake": 99.5699, "Pair": 97.1154}},
		{"classic", fresh(blackjack.Classic()), map[string]float64{"initial bet": 99.5401, "total stake": 99.5920}},
		{"live", fresh(blackjack.Live()), map[string]float64{"initial bet": 99.4022, "total stake": 99.4623}},
		{"didactic", fresh(blackjack.Didactic()), map[string]float64{"initial bet": 99.5941, "total stake": 99.6413}},
		{"puntobanco", NewBaccarat(baccarat.PuntoBanco(), wager.PuntoBanco(), true), map[string]float64{"player": 98.7649, "banker": 101.2351, "tie": 85.6404,
			"coup player": 44.6246609, "coup banker": 45.8597423, "coup tie": 9.5155968}},
		{"roulette", NewRoulette(roulette.SingleZero(), wager.Roulette()), wheel},
	}
	for _, test := range tests {
		sum := blocks(test.plays, 20)
		seen := 0
		compare := func(name string, mean, err float64) {
			exact, known := test.exact[name]
			if !known {
				return
			}
			seen++
			z := (100*mean - exact) / (100 * err)
			t.Logf("%s, %s: %.4f ± %.4f, exactly %.4f, z %.2f", test.name, name, 100*mean, 100*err, exact, z)
			if math.Abs(z) > 3 {
				t.Errorf("%s, %s: %.4f ± %.4f is not %.4f", test.name, name, 100*mean, 100*err, exact)
			}
		}
		for i := range sum.Bets {
			mean, err := sum.Bets[i].Return()
			compare(sum.Bets[i].Name, mean, err)
		}
		for _, c := range sum.Counts {
			share, err := c.Share()
			compare(c.Group+" "+c.Name, share, err)
		}
		if seen != len(test.exact) || sum.Rounds != 1_000_000 {
			t.Errorf("%s: %d of %d figures compared, %d rounds", test.name, seen, len(test.exact), sum.Rounds)
		}
	}
}

// players are one of each game, twice where a shoe may be played to its cut card.
func players(t testing.TB) map[string]Simulator {
	return map[string]Simulator{
		"blackjack": NewBlackjack(blackjack.Deluxe(), load(t, "deluxe"), false), "blackjack fresh": NewBlackjack(blackjack.Deluxe(), load(t, "deluxe"), true),
		"baccarat": NewBaccarat(baccarat.PuntoBanco(), wager.PuntoBanco(), false), "baccarat fresh": NewBaccarat(baccarat.PuntoBanco(), wager.PuntoBanco(), true),
		"roulette": NewRoulette(roulette.SingleZero(), wager.Roulette()),
	}
}

func TestABlockIsItsSeedAndNumber(t *testing.T) {
	for name, s := range players(t) {
		first := s.Block(1, 1, 2000)
		other, seeded := s.Block(1, 2, 2000), s.Block(2, 1, 2000)
		if again := s.Block(1, 1, 2000); !reflect.DeepEqual(again, first) {
			t.Errorf("%s: played again it is %+v, not %+v", name, again, first)
		}
		if reflect.DeepEqual(other, first) || reflect.DeepEqual(seeded, first) {
			t.Errorf("%s: another block or seed is the same", name)
		}
	}
}

func TestBlocksAddUpInAnyOrder(t *testing.T) {
	for name, s := range players(t) {
		a, b, c := s.Block(1, 0, 500), s.Block(1, 1, 300), s.Block(1, 2, 200)
		var one, two Tally
		for _, block := range []Tally{clone(a), b, c} {
			one.Add(block)
		}
		for _, block := range []Tally{{}, clone(c), a, {}, b} {
			two.Add(block)
		}
		if !reflect.DeepEqual(one, two) || one.Rounds != 1000 {
			t.Errorf("%s: %+v and %+v", name, one, two)
		}
	}
}

func clone(t Tally) Tally {
	t.Bets, t.Counts = append([]Bet{}, t.Bets...), append([]Count{}, t.Counts...)
	return t
}

// Whatever happened is counted once: shares of a group that is whole add up.
func TestCountsAreWhole(t *testing.T) {
	whole := map[string][]string{"blackjack": {"pair", "hand", "round"}, "roulette": {"number"}}
	for name, s := range players(t) {
		sum := s.Block(3, 0, 20_000)
		if doubles := count(sum, "made", "double"); doubles >= 0 && (doubles < 1800 || doubles > 2300) {
			t.Errorf("%s: %d hands of 20,000 rounds were doubled", name, doubles)
		}
		n, of := map[string]int64{}, map[string]int64{}
		for _, c := range sum.Counts {
			n[c.Group] += c.N
			of[c.Group] = c.Of
		}
		for _, group := range whole[name] {
			if n[group] != of[group] || n[group] < 20_000 {
				t.Errorf("%s: %d of %d in %s", name, n[group], of[group], group)
			}
		}
	}
}

// Nothing is allocated for a round, or for a step of one.
func TestRoundsAllocateNothing(t *testing.T) {
	for name, s := range players(t) {
		few := testing.AllocsPerRun(2, func() { s.Block(1, 0, 10) })
		if many := testing.AllocsPerRun(2, func() { s.Block(1, 0, 5000) }); many > few {
			t.Errorf("%s: %v allocations for 10 rounds, %v for 5000", name, few, many)
		}
	}
}

// A dealer who presses his buttons deals the same rounds.
func TestButtonsChangeNothing(t *testing.T) {
	for _, preset := range blackjack.Presets {
		implied, pressed := preset(), preset()
		pressed.ImpliedPeek, pressed.ImpliedReveal = pressed.Peek == blackjack.PeekNever, false
		play := load(t, implied.Name)
		if a, b := NewBlackjack(implied, play, false).Block(1, 0, 5000), NewBlackjack(pressed, play, false).Block(1, 0, 5000); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %+v and, with buttons, %+v", implied.Name, a, b)
		}
	}
}

// The ledger's commission is taken off the Banker's win.
func TestTheBankerPaysCommission(t *testing.T) {
	pays := wager.PuntoBanco()
	pays.Commission = 500
	one, five := NewBaccarat(baccarat.PuntoBanco(), wager.PuntoBanco(), true), NewBaccarat(baccarat.PuntoBanco(), pays, true)
	without, _ := one.Block(1, 0, 10_000).Bets[1].Return()
	sum := five.Block(1, 0, 10_000)
	with, _ := sum.Bets[1].Return()
	share, _ := sum.Counts[1].Share()
	if math.Abs(without-with-share/20) > 1e-9 || sum.Counts[1].Name != "banker" {
		t.Errorf("%v without and %v with five percent, %v won", without, with, share)
	}
}

// A shoe whose cut card lies before its last card is dealt to its end. The round that finds it empty is void, and a new shoe follows.
func TestAnEmptyShoeMakesARoundVoid(t *testing.T) {
	rules := blackjack.Deluxe()
	rules.Decks, rules.HandsAfterCut = 1, 1
	b := NewBlackjack(rules, load(t, "deluxe"), false)
	b.shoe.cut = 51
	sum := b.Block(1, 0, 5000)
	void := count(sum, "round", "void")
	if void < 300 || void > 1500 || sum.Rounds != 5000 || sum.Bets[0].stake != initial*(5000-void) {
		t.Errorf("%d rounds are void, %+v", void, sum)
	}
	if n := count(sum, "made", "split"); n < 20 || n > 200 {
		t.Errorf("%d splits", n)
	}
	c := NewBaccarat(baccarat.PuntoBanco(), wager.PuntoBanco(), false)
	c.shoe.cut = len(c.shoe.cards) - 1
	coups := c.Block(1, 0, 5000)
	if void := count(coups, "coup", "void"); void < 20 || void > 200 {
		t.Errorf("%d coups are void", void)
	}
}

func count(t Tally, group, name string) int64 {
	for _, c := range t.Counts {
		if c.Group == group && c.Name == name {
			return c.N
		}
	}
	return -1
}

// All cards come out once each, and each as often first as any other.
func TestAShoeIsShuffled(t *testing.T) {
	s := newStack(2, 0)
	s.sort(1, 1)
	var first [shoe.Values]int
	const rounds = 20_800
	for range rounds {
		s.fill()
		var seen [shoe.Values]int
		for i := range 104 {
			c := s.draw()
			seen[c]++
			if i == 0 {
				first[c]++
			}
		}
		for _, c := range shoe.Deck() {
			if seen[c] != 2 {
				t.Fatalf("%v came %d times out of two decks", c, seen[c])
			}
		}
		if s.draw() != shoe.NoCard || s.none().Kind != table.Void {
			t.Fatal("a card came out of an empty shoe")
		}
	}
	for _, c := range shoe.Deck() {
		if n := float64(first[c]); math.Abs(n-rounds/52) > 4.5*math.Sqrt(rounds/52) {
			t.Errorf("%v came first %v times, about %v expected", c, n, rounds/52)
		}
	}
}

// A quarter of what the generator gives must be thrown again here, or every third number would come twice as often.
func TestDiceAreEven(t *testing.T) {
	var d dice
	d.seed(1, 1)
	const n = 1<<63 + 1<<62 // 2^64 is one and a third times as much
	third := 0
	for range 30_000 {
		v := d.below(n)
		if v >= n {
			t.Fatalf("%d is not below %d", v, uint64(n))
		}
		if v%3 == 0 {
			third++
		}
	}
	if math.Abs(float64(third)-10_000) > 4*82 {
		t.Errorf("%d of 30000 can be divided by three", third)
	}
}

// The errors are those of textbooks: of a mean, and of a ratio of sums.
func TestStandardErrors(t *testing.T) {
	var b Bet
	b.add(1, 2, 49)
	b.add(1, 0, 51)
	if mean, err := b.Return(); math.Abs(mean-0.98) > 1e-12 || math.Abs(err-2*math.Sqrt(0.49*0.51/100)) > 1e-12 {
		t.Errorf("%v ± %v", mean, err)
	}
	var r Bet
	r.add(2, 4, 3)
	r.add(4, 0, 1)
	want := math.Sqrt(3*math.Pow(4-1.2*2, 2)+math.Pow(0-1.2*4, 2)) / 10
	if mean, err := r.Return(); math.Abs(mean-1.2) > 1e-12 || math.Abs(err-want) > 1e-12 {
		t.Errorf("%v ± %v, want ± %v", mean, err, want)
	}
	c := Count{N: 25, Of: 100}
	if mean, err := c.Share(); mean != 0.25 || math.Abs(err-math.Sqrt(0.25*0.75/100)) > 1e-12 {
		t.Errorf("%v ± %v", mean, err)
	}
}

// People do the same by the same seed, nothing at a table that is stopped, and a shoe they fill has all its cards.
func TestPeopleAreTheirSeed(t *testing.T) {
	play := func(seed uint64) (done string, drawn int) {
		rules := blackjack.Deluxe()
		g := blackjack.New(&rules, table.Opening{})
		p := NewPeople(int(rules.Decks), false, seed)
		seen := map[shoe.Card]int{}
		for seq := int64(1); ; seq++ {
			l := g.Layout()
			e := p.Next(&l)
			if e.Kind == table.NewShoe && e.N == 2 {
				break
			}
			if e.Kind == table.Draw {
				drawn++
				if seen[e.Card]++; seen[e.Card] > int(rules.Decks) {
					t.Fatalf("%v was drawn %d times", e.Card, seen[e.Card])
				}
			}
			done += e.String() + "\n"
			e.Seq = seq
			g.Step(e, nil)
		}
		return done, drawn
	}
	one, drawn := play(1)
	if again, _ := play(1); again != one {
		t.Error("a seed gives two different days")
	}
	if other, _ := play(2); other == one {
		t.Error("two seeds give the same day")
	}
	if drawn < 416*4/5 || !strings.Contains(one, "count ") || !strings.Contains(one, "cut\n") {
		t.Errorf("%d cards of a shoe: %s", drawn, one)
	}
	stopped := "stopped"
	if e := NewPeople(8, false, 1).Next(&table.Layout{Stopped: &stopped}); e.Kind != table.NoEvent {
		t.Errorf("%v at a table that is stopped", e)
	}
}
