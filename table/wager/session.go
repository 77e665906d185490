package wager

import "sabot/table"

// Session is the didactic one of rule sheet 004 (L13, L45): everybody begins with the same chips and bets the same in each of a few rounds; who
// cannot pay the bet any more stops; at the end equal results share a place. It is a plain value, and hears once for each round what it made of
// the chips; a void round made nothing of them, was not played, and is none of the ten. A table keeps no chips from one round to the next, its game server
// does: that of `sabot demo --rules didactic` plays by this, and so do the cases of the sheet.
type Session struct {
	Players table.Seats               // who began
	Start   int64                     // what each began with
	Bet     int64                     // of each seat in each round
	Rounds  uint8                     // still to play
	Chips   [table.MaxSeats + 1]int64 // by seat
}

// NewSession is ten rounds with a bet of 2 chips, and 100 chips for each player. A chip is chip minor units.
func NewSession(players table.Seats, chip int64) Session {
	s := Session{Players: players, Start: 100 * chip, Bet: 2 * chip, Rounds: 10}
	for n := players.Next(0); n > 0; n = players.Next(n) {
		s.Chips[n] = s.Start
	}
	return s
}

// Seats are those who can pay the bet, and must play.
func (s *Session) Seats() table.Seats {
	var seats table.Seats
	for n := s.Players.Next(0); n > 0; n = s.Players.Next(n) {
		if s.Chips[n] >= s.Bet {
			seats |= table.Seat(n)
		}
	}
	return seats
}

// Over says that all rounds were played, or that nobody can pay for another one. The zero Session is over.
func (s *Session) Over() bool { return s.Rounds == 0 || s.Seats() == 0 }

// Check says whether a round may be played by these seats.
func (s *Session) Check(seats table.Seats) table.Code {
	switch {
	case s.Over():
		return table.SessionOver
	case seats != s.Seats():
		return table.SeatsInvalid
	}
	return table.OK
}

// End ends a round with what each seat won or lost. Who has stopped is not heard any more.
func (s *Session) End(net [table.MaxSeats + 1]int64) {
	s.Rounds--
	seats := s.Seats()
	for n := seats.Next(0); n > 0; n = seats.Next(n) {
		s.Chips[n] += net[n]
	}
}

// Place is a player's, from 1: one more than there are players with more chips.
func (s *Session) Place(seat int) int {
	place := 1
	for n := s.Players.Next(0); n > 0; n = s.Players.Next(n) {
		if s.Chips[n] > s.Chips[seat] {
			place++
		}
	}
	return place
}
