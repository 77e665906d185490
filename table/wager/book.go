package wager

import "sabot/table"

// book is the ledger of one round: who has bet, and on what. It is a plain value.
//
// Invariants: a bettor's staked is the sum of what lies on his bets; a bet is decided once, hand by hand, and what is decided
// lies on it no more.
type book struct {
	bettors [maxBets]bettor
	bets    [maxBets]bet
	nb, n   uint8 // how many bettors and bets

	playing table.Seats // the seats of the last close
	hands   [table.MaxSeats + 1]uint8
	pair    [table.MaxSeats + 1]table.Pair
	paired  bool  // the classes in pair are known
	cards   uint8 // of the dealer
	dealt   bool  // the first of all cards came: the stakes of those who do not play are back
}

type bettor struct {
	name    table.Reference
	balance int64 // before the round; unlimited where it is not known
	staked  int64
}

// bet is one bet. The last fields are for a bet on hands only: a seat's own, or one behind.
type bet struct {
	by    uint8 // the bettor's place
	spot  table.Spot
	stake int64 // on each hand

	on       uint8 // the hands it lies on, a bit for each
	doubled  uint8 // those of them that are doubled
	double   uint8 // those whose double a bettor behind follows
	split    bool  // a bettor behind follows the split
	answered bool  // a bettor behind has answered to insurance
	insured  int64 // what lies on its insurance
}

// free is what a bettor can still stake.
func (b *bettor) free() int64 {
	if b.balance == unlimited {
		return int64(maxBets) * MaxStake
	}
	return b.balance - b.staked
}

// bettor finds a bettor's place, or -1.
func (b *book) bettor(name table.Reference) int {
	for i := range b.bettors[:b.nb] {
		if b.bettors[i].name == name {
			return i
		}
	}
	return -1
}

// seatBet is the own bet on a seat, nil where there is none.
func (b *book) seatBet(seat uint8) *bet {
	for i := range b.bets[:b.n] {
		if b.bets[i].spot == (table.Spot{Bet: table.BetSeat, At: seat}) {
			return &b.bets[i]
		}
	}
	return nil
}

// of is a bettor's bet on a spot, nil where he has none.
func (b *book) of(by int, s table.Spot) *bet {
	for i := range b.bets[:b.n] {
		if int(b.bets[i].by) == by && b.bets[i].spot == s {
			return &b.bets[i]
		}
	}
	return nil
}

// occupied are the seats with a bet of their own.
func (b *book) occupied() table.Seats {
	var s table.Seats
	for i := range b.bets[:b.n] {
		if b.bets[i].spot.Bet == table.BetSeat {
			s |= table.Seat(int(b.bets[i].spot.At))
		}
	}
	return s
}

// behind says that somebody bets behind a seat of a set.
func (b *book) behind(seats table.Seats) bool {
	for i := range b.bets[:b.n] {
		if s := b.bets[i].spot; s.Bet == table.BetBehind && seats.Has(int(s.At)) {
			return true
		}
	}
	return false
}

// replace puts a slip in place of the bettor's former one. On a refusal the book is of no use any more: work on a copy.
func (b *book) replace(name table.Reference, s *slip, r *Rules, calls []table.Call) ([]table.Call, table.Code) {
	by := b.bettor(name)
	if by < 0 {
		if b.nb == maxBets {
			return calls, table.BetFull
		}
		by = int(b.nb)
		b.bettors[by].name = name
		b.nb++
	}
	calls = b.withdraw(by, calls)
	b.bettors[by].balance = s.balance
	if code := s.balanced(r); code != table.OK {
		return calls, code
	}
	for _, seats := range [...]bool{true, false} { // bets at a seat need somebody on it
		for i := range s.bets[:s.n] {
			if (s.bets[i].spot.Bet == table.BetSeat) != seats {
				continue
			}
			var code table.Code
			if calls, code = b.add(by, s.bets[i], r, calls); code != table.OK {
				return calls, code
			}
		}
	}
	return calls, table.OK
}

// withdraw gives back all of a bettor's bets; the others keep their order.
func (b *book) withdraw(by int, calls []table.Call) []table.Call {
	n := uint8(0)
	for i := range b.bets[:b.n] {
		if int(b.bets[i].by) == by {
			calls = b.refund(&b.bets[i], calls)
			continue
		}
		b.bets[n] = b.bets[i]
		n++
	}
	clear(b.bets[n:b.n])
	b.n = n
	return calls
}

// add takes one more bet.
func (b *book) add(by int, p placed, r *Rules, calls []table.Call) ([]table.Call, table.Code) {
	limit := r.Limits[p.spot.Bet]
	switch {
	case limit == Limit{}:
		return calls, table.BetNotOffered
	case p.stake < limit.Least || p.stake > limit.Most:
		return calls, table.BetLimit
	case b.of(by, p.spot) != nil:
		return calls, table.BetTwice
	case b.n == maxBets:
		return calls, table.BetFull
	}
	if code := b.seatable(by, p, r); code != table.OK {
		return calls, code
	}
	one := bet{by: uint8(by), spot: p.spot, stake: p.stake}
	if one.onHands() {
		one.on = 1
	}
	b.bets[b.n] = one
	b.n++
	return b.take(&b.bets[b.n-1], table.NoHand, p.stake, calls), table.OK
}

// seatable says whether a bet may lie at its seat.
func (b *book) seatable(by int, p placed, r *Rules) table.Code {
	if !p.spot.Bet.Seated() {
		return table.OK
	}
	there := b.seatBet(p.spot.At)
	switch {
	case p.spot.Bet != table.BetSeat && there == nil:
		return table.SeatEmpty
	case p.spot.Bet == table.BetBehind && int(there.by) == by:
		return table.BetBehindSelf
	case p.spot.Bet == table.BetSeat && there != nil:
		return table.SeatTaken
	case p.spot.Bet != table.BetSeat:
		return table.OK
	}
	own := uint8(1)
	for i := range b.bets[:b.n] {
		if other := &b.bets[i]; int(other.by) == by && other.spot.Bet == table.BetSeat {
			own++
			if r.Equal && other.stake != p.stake {
				return table.BetUnequal
			}
		}
	}
	if own > r.SeatsEach {
		return table.BetSeats
	}
	return table.OK
}

// balanced makes a slip fit its balance: where equal bets on two seats are too much, what is there is split evenly over them (000, L36).
func (s *slip) balanced(r *Rules) table.Code {
	var all, seats int64
	two := 0
	for _, p := range s.bets[:s.n] {
		if p.stake > MaxStake {
			return table.BetLimit
		}
		all += p.stake
		if p.spot.Bet == table.BetSeat {
			seats += p.stake
			two++
		}
	}
	if s.balance == unlimited || all <= s.balance {
		return table.OK
	}
	each := (s.balance - (all - seats)) / 2
	if !r.Equal || two != 2 || each < r.Limits[table.BetSeat].Least {
		return table.InsufficientChips
	}
	stake := int64(0)
	for i := range s.bets[:s.n] {
		p := &s.bets[i]
		if p.spot.Bet != table.BetSeat {
			continue
		}
		if stake != 0 && p.stake != stake {
			return table.BetUnequal
		}
		stake, p.stake = p.stake, each
	}
	return table.OK
}
