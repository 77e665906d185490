package wager_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"sabot/table"
	"sabot/table/wager"
)

// What the rule sheets print, for a stake of 100, and of an odd 5 both ways of rounding.
func TestWhatBetsPay(t *testing.T) {
	house, player := wager.Deluxe(), wager.Deluxe()
	player.Rounding = wager.Player
	hand := func(r *wager.Rules, o table.Outcome) func(int64) int64 {
		return func(n int64) int64 { return r.Hand(n, o) }
	}
	pair := func(p table.Pair) func(int64) int64 { return func(n int64) int64 { return house.Pair(n, p) } }
	for _, c := range []struct {
		name    string
		pay     func(int64) int64
		of, odd int64
	}{
		{"natural", hand(&house, table.WonBlackjack), 250, 12}, {"natural to the player", hand(&player, table.WonBlackjack), 250, 13},
		{"win", hand(&house, table.Won), 200, 10}, {"even money", hand(&house, table.PaidEven), 200, 10},
		{"push", hand(&house, table.Pushed), 100, 5}, {"lost", hand(&house, table.LostBet), 0, 0}, {"bust", hand(&house, table.LostBust), 0, 0},
		{"surrender", hand(&house, table.LostHalf), 50, 2}, {"surrender to the player", hand(&player, table.LostHalf), 50, 3},
		{"no pair", pair(table.NoPair), 0, 0}, {"mixed", pair(table.MixedPair), 600, 30}, {"coloured", pair(table.ColouredPair), 1100, 55},
		{"perfect", pair(table.PerfectPair), 3100, 155}, {"suited trips", pair(table.SuitedTrips), 5100, 255},
		{"insurance costs", house.InsurancePrice, 50, 3}, {"insurance costs the player", player.InsurancePrice, 50, 2},
		{"insurance", func(n int64) int64 { return house.Insurance(n, true) }, 300, 15}, {"insurance lost", func(n int64) int64 { return house.Insurance(n, false) }, 0, 0},
	} {
		if a, b := c.pay(100), c.pay(5); a != c.of || b != c.odd {
			t.Errorf("%s: %d of 100, %d of 5; want %d, %d", c.name, a, b, c.of, c.odd)
		}
	}
}

func TestWhatBaccaratPays(t *testing.T) {
	sheet, taxed := wager.PuntoBanco(), wager.PuntoBanco()
	taxed.Commission = 500
	generous := taxed
	generous.Rounding = wager.Player
	for _, c := range []struct {
		r       *wager.Rules
		bet     table.BetKind
		winner  table.Winner
		of, odd int64 // of 100, of 5
	}{
		{&sheet, table.BetPlayer, table.PlayerWins, 200, 10}, {&sheet, table.BetPlayer, table.BankerWins, 0, 0}, {&sheet, table.BetPlayer, table.Tie, 100, 5},
		{&sheet, table.BetBanker, table.BankerWins, 200, 10}, {&sheet, table.BetBanker, table.PlayerWins, 0, 0}, {&sheet, table.BetBanker, table.Tie, 100, 5},
		{&sheet, table.BetTie, table.Tie, 900, 45}, {&sheet, table.BetTie, table.PlayerWins, 0, 0},
		{&taxed, table.BetBanker, table.BankerWins, 195, 9}, {&generous, table.BetBanker, table.BankerWins, 195, 10}, {&taxed, table.BetPlayer, table.PlayerWins, 200, 10},
	} {
		if a, b := c.r.Coup(100, c.bet, c.winner), c.r.Coup(5, c.bet, c.winner); a != c.of || b != c.odd {
			t.Errorf("%v, %v: %d of 100, %d of 5; want %d, %d", c.bet, c.winner, a, b, c.of, c.odd)
		}
	}
}

// Every bet of roulette returns 36/37 of what is staked on all numbers in turn: that is what its odds are for.
func TestRouletteReturnsTheSameOnEveryBet(t *testing.T) {
	r := wager.Roulette()
	n := 0
	for k := table.BetStraight; k < table.BetKinds; k++ {
		for at := range uint8(255) {
			s := table.Spot{Bet: k, At: at}
			if s.Numbers() == 0 || !k.Layout() && at > 0 {
				continue
			}
			n++
			back := int64(0)
			for number := range table.Number(table.Pockets) {
				back += r.Number(7, s, number)
			}
			if back != 7*36 {
				t.Errorf("%v %d: %d of %d", k, at, back, 7*table.Pockets)
			}
		}
	}
	if n != 37+60+12+2+22+1+11+3+3+6 {
		t.Errorf("%d bets", n)
	}
}

// A payout is the exact one rounded to a whole unit, down for the house and up for the player, whatever the stake.
func TestRoundingIsWithinOneUnit(t *testing.T) {
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 20000 {
		stake := 1 + rng.Int64N(wager.MaxStake)
		commission := uint16(rng.IntN(10001))
		for _, c := range []struct {
			pay      func(*wager.Rules) int64
			num, den int64
			asked    bool
		}{
			{func(r *wager.Rules) int64 { return r.Hand(stake, table.WonBlackjack) }, 5, 2, false},
			{func(r *wager.Rules) int64 { return r.Hand(stake, table.LostHalf) }, 1, 2, false},
			{func(r *wager.Rules) int64 { return r.InsurancePrice(stake) }, 1, 2, true},
			{func(r *wager.Rules) int64 { return r.Coup(stake, table.BetBanker, table.BankerWins) }, 20000 - int64(commission), 10000, false},
		} {
			exact := new(big.Int).Mul(big.NewInt(stake), big.NewInt(c.num))
			down, rest := new(big.Int).QuoRem(exact, big.NewInt(c.den), new(big.Int))
			up := down.Int64()
			if rest.Sign() > 0 {
				up++
			}
			house, player := wager.Rules{Commission: commission}, wager.Rules{Commission: commission, Rounding: wager.Player}
			least, most := c.pay(&house), c.pay(&player)
			if c.asked {
				least, most = most, least
			}
			if least != down.Int64() || most != up {
				t.Fatalf("seed %d: stake %d: %d and %d; want %v and %d", seed, stake, least, most, down, up)
			}
		}
	}
}

func TestSettingsReadWhatTheyWrite(t *testing.T) {
	for name, preset := range wager.Presets {
		r := preset()
		for _, s := range r.Settings() {
			if !s.Set(s.Get()) || r != preset() {
				t.Errorf("%s: %s: setting it to what it is, %q, changes the rules", name, s.Name, s.Get())
			}
			if s.Set("nonsense") || s.Set("0-5") || s.Set("9-5") || s.Set("10001") {
				t.Errorf("%s: %s took nonsense", name, s.Name)
			}
		}
	}
	r := wager.Deluxe()
	if err := r.Settings().Set("pair", "off"); err != nil || r.Limits[table.BetPair] != (wager.Limit{}) {
		t.Errorf("pair is not off: %v", err)
	}
	if err := r.Settings().Set("seat", "100-500"); err != nil || r.Limits[table.BetSeat] != (wager.Limit{Least: 100, Most: 500}) {
		t.Errorf("seat is not 100-500: %v", err)
	}
}

// A session's places are shared, and who cannot pay the bet stops (rule sheet 004, L45).
func TestSession(t *testing.T) {
	all := table.Seat(1) | table.Seat(2) | table.Seat(5)
	s := wager.NewSession(all, 50)
	if s.Check(all) != table.OK || s.Check(table.Seat(1)) != table.SeatsInvalid || s.Check(0) != table.SeatsInvalid || s.Bet != 100 || s.Chips[5] != 5000 {
		t.Errorf("it begins as %+v", s)
	}
	s.End([8]int64{1: -4950, 2: 100, 5: 100})
	left := table.Seat(2) | table.Seat(5)
	if s.Seats() != left || s.Check(all) != table.SeatsInvalid || s.Check(left) != table.OK {
		t.Errorf("seats %v play on", s.Seats())
	}
	if a, b, c := s.Place(1), s.Place(2), s.Place(5); a != 3 || b != 1 || c != 1 {
		t.Errorf("places %d, %d, %d", a, b, c)
	}
	for range 9 {
		s.End([8]int64{1: 500, 3: 500}) // one has stopped, and one has never played
	}
	if s.Check(left) != table.SessionOver || !s.Over() || s.Chips != [8]int64{1: 50, 2: 5100, 5: 5100} {
		t.Errorf("after the last round: %v, %+v", s.Check(left), s)
	}
}

// It is over when nobody can pay for another round, too.
func TestSessionOfWhoHasLostAll(t *testing.T) {
	s := wager.NewSession(table.Seat(4), 1)
	s.End([8]int64{4: -98})
	if s.Over() || s.Chips[4] != s.Bet || s.Check(table.Seat(4)) != table.OK {
		t.Errorf("with just a bet left: %+v", s)
	}
	s.End([8]int64{4: -1})
	if !s.Over() || s.Rounds != 8 || s.Check(table.Seat(4)) != table.SessionOver {
		t.Errorf("with less than a bet: %+v", s)
	}
}
