package wager

import (
	"math/bits"

	"sabot/table"
)

// settlement appends one of a bet and gives it.
func (b *book) settlement(w table.Word, one *bet, stake int64, calls []table.Call) ([]table.Call, *table.Call) {
	calls, c := table.Add(calls, w)
	c.To, c.Spot, c.Staked = table.ToGame, one.spot, stake
	c.SetReference(b.bettors[one.by].name)
	return calls, c
}

// take takes a stake, on a hand where it is one more for it.
func (b *book) take(one *bet, on table.Hand, stake int64, calls []table.Call) []table.Call {
	b.bettors[one.by].staked += stake
	calls, c := b.settlement(table.CallTaken, one, stake, calls)
	c.Hand = on
	return calls
}

// insure takes the price of a bet's insurance.
func (b *book) insure(one *bet, price int64, calls []table.Call) []table.Call {
	one.insured = price
	b.bettors[one.by].staked += price
	calls, c := b.settlement(table.CallTaken, one, price, calls)
	c.Spot.Bet = table.BetInsurance
	return calls
}

// lies is what lies on a bet, but for its insurance.
func (one *bet) lies() int64 {
	if one.onHands() {
		return one.stake * int64(bits.OnesCount8(one.on)+bits.OnesCount8(one.doubled))
	}
	return one.stake
}

// refund gives back whatever lies on a bet.
func (b *book) refund(one *bet, calls []table.Call) []table.Call {
	if lies := one.lies(); lies > 0 {
		b.bettors[one.by].staked -= lies
		calls, _ = b.settlement(table.CallRefunded, one, lies, calls)
	}
	if one.insured > 0 {
		b.bettors[one.by].staked -= one.insured
		var c *table.Call
		calls, c = b.settlement(table.CallRefunded, one, one.insured, calls)
		c.Spot.Bet = table.BetInsurance
	}
	one.stake, one.on, one.doubled, one.insured = 0, 0, 0, 0
	return calls
}

// refundAll gives everything back.
func (b *book) refundAll(calls []table.Call) []table.Call {
	for i := range b.bets[:b.n] {
		calls = b.refund(&b.bets[i], calls)
	}
	return calls
}

// refundAbsent gives back what lies where nobody plays (000, L50).
func (b *book) refundAbsent(calls []table.Call) []table.Call {
	for i := range b.bets[:b.n] {
		if one := &b.bets[i]; one.spot.Bet.Seated() && !b.playing.Has(int(one.spot.At)) {
			calls = b.refund(one, calls)
		}
	}
	return calls
}

// pay decides a stake: paid is what goes back. Kept by the house is the rest, which is less than nothing when the bet won.
func (b *book) pay(one *bet, stake, paid int64, calls []table.Call) ([]table.Call, *table.Call) {
	b.bettors[one.by].staked -= stake
	calls, c := b.settlement(table.CallPaid, one, stake, calls)
	c.Paid = paid
	return calls, c
}

// double doubles the bets on a hand: the seat's own, and those behind that follow and can.
func (b *book) double(h table.Hand, calls []table.Call) []table.Call {
	bit := uint8(1) << h.Index()
	for i := range b.bets[:b.n] {
		if one := &b.bets[i]; one.rides(h) && (one.spot.Bet == table.BetSeat || one.double&bit != 0 && b.bettors[one.by].free() >= one.stake) {
			one.doubled |= bit
			calls = b.take(one, h, one.stake, calls)
		}
	}
	return calls
}

// split makes of a hand's bets bets on two hands, for the seat's own and those behind that follow and can; the others stay on the
// first. The seat's later hands move on by one.
func (b *book) split(h table.Hand, calls []table.Call) []table.Call {
	seat, at := h.Seat(), h.Index()
	b.hands[seat]++
	for i := range b.bets[:b.n] {
		one := &b.bets[i]
		if !one.onHands() || int(one.spot.At) != seat {
			continue
		}
		one.on, one.doubled, one.double = movedOn(one.on, at), movedOn(one.doubled, at), movedOn(one.double, at)
		if one.rides(h) && (one.spot.Bet == table.BetSeat || one.split && b.bettors[one.by].free() >= one.stake) {
			one.on |= 2 << at
			calls = b.take(one, h+1, one.stake, calls)
		}
		if one.rides(h) { // said for this split; another one is asked anew
			one.split = false
		}
	}
	return calls
}

// movedOn makes room for a new hand behind hand i.
func movedOn(hands uint8, i int) uint8 {
	upTo := uint8(2)<<i - 1
	return hands&upTo | hands&^upTo<<1
}

// onHands says that the bet lies on hands, each of which decides its part of it.
func (one *bet) onHands() bool {
	return one.spot.Bet == table.BetSeat || one.spot.Bet == table.BetBehind
}

// rides says that the bet lies on a hand.
func (one *bet) rides(h table.Hand) bool {
	return one.onHands() && int(one.spot.At) == h.Seat() && one.on>>h.Index()&1 != 0
}

// hand pays the bets on a hand.
func (b *book) hand(r *Rules, h table.Hand, o table.Outcome, calls []table.Call) []table.Call {
	bit := uint8(1) << h.Index()
	for i := range b.bets[:b.n] {
		one := &b.bets[i]
		if !one.rides(h) {
			continue
		}
		stake := one.stake
		if one.doubled&bit != 0 {
			stake *= 2
		}
		one.on, one.doubled = one.on&^bit, one.doubled&^bit
		var c *table.Call
		calls, c = b.pay(one, stake, r.Hand(stake, o), calls)
		c.Hand = h
	}
	return calls
}

// coup pays baccarat's bets.
func (b *book) coup(r *Rules, w table.Winner, calls []table.Call) []table.Call {
	for i := range b.bets[:b.n] {
		one := &b.bets[i]
		calls, _ = b.pay(one, one.stake, r.Coup(one.stake, one.spot.Bet, w), calls)
		one.stake = 0
	}
	return calls
}

// number pays roulette's bets.
func (b *book) number(r *Rules, n table.Number, calls []table.Call) []table.Call {
	for i := range b.bets[:b.n] {
		one := &b.bets[i]
		calls, _ = b.pay(one, one.stake, r.Number(one.stake, one.spot, n), calls)
		one.stake = 0
	}
	return calls
}

// end pays what the round's end decides, Pair and insurance, and gives back what was never played.
func (b *book) end(r *Rules, natural bool, calls []table.Call) []table.Call {
	for i := range b.bets[:b.n] {
		one := &b.bets[i]
		if one.spot.Bet == table.BetPair && one.stake > 0 && b.paired {
			calls, _ = b.pay(one, one.stake, r.Pair(one.stake, b.pair[one.spot.At]), calls)
			one.stake = 0
		}
		if one.insured > 0 {
			var c *table.Call
			calls, c = b.pay(one, one.insured, r.Insurance(one.insured, natural), calls)
			c.Spot.Bet = table.BetInsurance
			one.insured = 0
		}
	}
	return b.refundAll(calls)
}
