package wager

import "sabot/table"

// Session is the didactic one of rule sheet 004 (L45): everybody begins with some chips and bets the same in each of a few rounds; who
// cannot pay the bet any more stops; at the end equal results share a place. It is a plain value. No
// table of this program plays sessions: the cases of that sheet do, and a game server may.
type Session struct {
	Bet    int64                     // of each seat in each round
	Rounds uint8                     // still to play
	Chips  [table.MaxSeats + 1]int64 // by seat; less than a bet from the start is nobody
}

// NewSession is ten rounds with a bet of 2 chips, and 100 chips on each seat of a set. A chip is chip minor units.
func NewSession(seats table.Seats, chip int64) Session {
	s := Session{Bet: 2 * chip, Rounds: 10}
	for n := seats.Next(0); n > 0; n = seats.Next(n) {
		s.Chips[n] = 100 * chip
	}
	return s
}

// Seats are those who can pay the bet, and must play.
func (s *Session) Seats() table.Seats {
	var seats table.Seats
	for n, chips := range s.Chips {
		if n > 0 && chips >= s.Bet {
			seats |= table.Seat(n)
		}
	}
	return seats
}

// Check says whether a round may be played by these seats.
func (s *Session) Check(seats table.Seats) table.Code {
	switch {
	case s.Rounds == 0:
		return table.SessionOver
	case seats == 0 || seats != s.Seats():
		return table.SeatsInvalid
	}
	return table.OK
}

// End ends a round with what each seat won or lost.
func (s *Session) End(net [table.MaxSeats + 1]int64) {
	s.Rounds--
	for n := range s.Chips {
		s.Chips[n] += net[n]
	}
}

// Rank is a seat's place, from 1: one more than there are of a set with more chips.
func (s *Session) Rank(seat int, among table.Seats) int {
	rank := 1
	for n := among.Next(0); n > 0; n = among.Next(n) {
		if s.Chips[n] > s.Chips[seat] {
			rank++
		}
	}
	return rank
}
