package wager

import "sabot/table"

// Rounding says to whose favour an amount goes that is no whole number of minor units.
type Rounding uint8

// The settings of rounding.
const (
	House  Rounding = iota // what goes back is rounded down, what insurance costs is rounded up
	Player                 // the other way round
)

// odds are what a bet wins for its stake: 3 for 2.
type odds struct{ win, stake int64 }

// fixed is what a bet wins that is either won or lost. Roulette's are the standard European ones, because sheet 003 has lost its tables; the Tie pays 8:1 and the Banker,
// before any commission, 1:1 (003, L129).
var fixed = [table.BetKinds]odds{
	table.BetPlayer: {1, 1}, table.BetBanker: {1, 1}, table.BetTie: {8, 1}, table.BetInsurance: {2, 1},
	table.BetStraight: {35, 1}, table.BetSplit: {17, 1}, table.BetStreet: {11, 1}, table.BetTrio: {11, 1}, table.BetCorner: {8, 1}, table.BetFirstFour: {8, 1},
	table.BetSixLine: {5, 1}, table.BetColumn: {2, 1}, table.BetDozen: {2, 1},
	table.BetRed: {1, 1}, table.BetBlack: {1, 1}, table.BetEven: {1, 1}, table.BetOdd: {1, 1}, table.BetLow: {1, 1}, table.BetHigh: {1, 1},
}

// hands is what a hand's bet wins by its outcome (000, L165-169); what is not here is not won.
var hands = [...]odds{table.WonBlackjack: {3, 2}, table.Won: {1, 1}, table.PaidEven: {1, 1}}

// pairs is what Pair wins by its class, of which only the highest counts (000, L170-180).
var pairs = [...]odds{table.MixedPair: {5, 1}, table.ColouredPair: {10, 1}, table.PerfectPair: {30, 1}, table.SuitedTrips: {50, 1}}

// share is amount·num/den in whole minor units, rounded up or down. Amounts are never negative.
func share(amount, num, den int64, up bool) int64 {
	if up {
		return (amount*num + den - 1) / den
	}
	return amount * num / den
}

// won is the stake and what it wins at these odds.
func (r *Rules) won(stake int64, o odds) int64 {
	return stake + share(stake, o.win, o.stake, r.Rounding == Player)
}

// Hand is what goes back to the bettor of a stake on a hand that ended so.
func (r *Rules) Hand(stake int64, o table.Outcome) int64 {
	switch o {
	case table.Pushed:
		return stake
	case table.LostHalf: // surrender
		return share(stake, 1, 2, r.Rounding == Player)
	case table.WonBlackjack, table.Won, table.PaidEven:
		return r.won(stake, hands[o])
	}
	return 0
}

// Pair is what goes back of a stake on Pair.
func (r *Rules) Pair(stake int64, p table.Pair) int64 {
	if p == table.NoPair {
		return 0
	}
	return r.won(stake, pairs[p])
}

// InsurancePrice is what insuring a bet costs: half of it (000, L104).
func (r *Rules) InsurancePrice(bet int64) int64 { return share(bet, 1, 2, r.Rounding == House) }

// Insurance is what goes back of an insurance; natural says that the dealer has one.
func (r *Rules) Insurance(stake int64, natural bool) int64 {
	if !natural {
		return 0
	}
	return r.won(stake, fixed[table.BetInsurance])
}

// Coup is what goes back of a stake on one of baccarat's bets. A tie returns Player and Banker, as is usual; a Banker's win pays the
// commission.
func (r *Rules) Coup(stake int64, bet table.BetKind, w table.Winner) int64 {
	on := [...]table.BetKind{table.PlayerWins: table.BetPlayer, table.BankerWins: table.BetBanker, table.Tie: table.BetTie}[w]
	switch {
	case bet != on && w == table.Tie:
		return stake
	case bet != on:
		return 0
	case bet == table.BetBanker:
		return stake + share(stake, whole-int64(r.Commission), whole, r.Rounding == Player)
	}
	return r.won(stake, fixed[bet])
}

// whole is all of an amount in basis points.
const whole = 10000

// Number is what goes back of a stake on one of roulette's bets. The zero loses even chances: sheet 003 has neither la partage nor en prison.
func (r *Rules) Number(stake int64, s table.Spot, n table.Number) int64 {
	if !s.Numbers().Has(n) {
		return 0
	}
	return r.won(stake, fixed[s.Bet])
}
