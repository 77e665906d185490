package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"sabot/table"
	"sabot/table/wager"
)

// The didactic session (rule sheet 004, L13, L45) as a school's game server plays it: the table's ledger takes and pays the bets of a round and forgets them, so whose chips
// they are from one round to the next is in a book of the game server. It is written by what the topic settlement says. What it missed there, while it was away or
// dead, it asks for: the results of the same rounds are calls, and kept.

// sessionBook has what each round made of everybody's chips. A round that is void, and one that was not played, is not in it.
type sessionBook struct {
	start func(table.Seats) wager.Session // a new session of these players
	ended []endedRound                    // by round: those of the session that is played, or of the one just over
	first uint32                          // of these rounds; what is said of an earlier one comes too late
	asked int64                           // the seq up to which calls were asked for
}

// endedRound is what a round made of everybody's chips.
type endedRound struct {
	round uint32
	said  []int64 // the entries that said so: what was settled under one of them may be reversed
	seats table.Seats
	net   [table.MaxSeats + 1]int64
}

func (r *endedRound) won(seat int, chips int64) {
	r.seats |= table.Seat(seat)
	r.net[seat] += chips
}

// settlementHeard is a message of the topic settlement.
type settlementHeard struct {
	Seq   int64
	Round uint32
	Calls []struct {
		Call, Reference, Hand string
		Seat                  int
		Stake, Paid, Replaces int64
	}
}

// bettor is what the game server calls the player on a seat.
func bettor(seat int) string { return fmt.Sprintf("P-%d", seat) }

// hear takes a settlement. All bets of a round are decided by one, at its end; a corrected one reverses it before, and so does a void.
func (b *sessionBook) hear(m settlementHeard) {
	r := endedRound{round: m.Round, said: []int64{m.Seq}}
	for _, c := range m.Calls {
		seat := c.Seat
		if c.Hand != "" {
			seat = table.ParseHand(c.Hand).Seat()
		}
		switch {
		case c.Call == "reversed":
			if i := slices.IndexFunc(b.ended, func(r endedRound) bool { return slices.Contains(r.said, c.Replaces) }); i >= 0 {
				r.round = b.ended[i].round
				b.ended = slices.Delete(b.ended, i, i+1)
			}
		case c.Call == "paid" && c.Reference == bettor(seat):
			r.won(seat, c.Paid-c.Stake)
		}
	}
	b.enter(r)
}

// enter writes a round that somebody played, in place of what was written of it before.
func (b *sessionBook) enter(r endedRound) {
	i, found := b.find(r.round)
	switch {
	case r.seats == 0 || r.round < b.first:
	case found:
		r.said = append(b.ended[i].said, r.said...)
		b.ended[i] = r
	default:
		b.ended = slices.Insert(b.ended, i, r)
	}
}

// find is the place of a round, and whether it is there: it is settled.
func (b *sessionBook) find(round uint32) (int, bool) {
	return slices.BinarySearchFunc(b.ended, round, func(e endedRound, round uint32) int { return cmp.Compare(e.round, round) })
}

// callHeard is a message of the topic call.
type callHeard struct {
	Seq   int64
	Round uint32
	Calls []struct {
		Call, Hand string
		Seat       int
		Round      uint32
		Net        float64
	}
}

// recall takes a call that was missed as a settlement: results are in bets. Those of a round are said together, with an end that says which round's they are; and again when a correction
// changed a card of theirs, whether it changed what is paid or not.
func (b *sessionBook) recall(m callHeard) {
	r, bet := endedRound{round: m.Round, said: []int64{m.Seq}}, b.start(0).Bet
	for _, c := range m.Calls {
		seat := c.Seat
		if c.Hand != "" {
			seat = table.ParseHand(c.Hand).Seat()
		}
		switch c.Call {
		case "result":
			r.won(seat, int64(c.Net*float64(bet)))
		case "end":
			r.round = c.Round
		case "void":
			b.ended = slices.DeleteFunc(b.ended, func(r endedRound) bool { return r.round == c.Round })
		}
	}
	b.enter(r)
	b.asked = m.Seq
}

// look takes what a correction left running of a round that had ended: calls do not say it, and the layout does.
func (b *sessionBook) look(l *table.Layout) {
	if l.Phase > table.Bets && l.Phase < table.Results {
		b.ended = slices.DeleteFunc(b.ended, func(r endedRound) bool { return r.round == l.Round && slices.Max(r.said) <= l.Seq })
	}
}

// session is the one that is played as it stands now, over until a round of the next one is settled. The one before it is forgotten with that one's second round: a void
// reaches the last round only.
func (b *sessionBook) session() wager.Session {
	var s wager.Session
	before, begin := 0, 0
	for i, r := range b.ended {
		if s.Over() {
			s, before, begin = b.start(r.seats), begin, i
		}
		s.End(r.net)
	}
	if begin == len(b.ended)-1 {
		begin = before
	}
	if b.ended = b.ended[begin:]; len(b.ended) > 0 {
		b.first = b.ended[0].round
	}
	return s
}

// hearSettlement writes the book.
func (s *studio) hearSettlement(p []byte) {
	var m settlementHeard
	if json.Unmarshal(p, &m) == nil {
		s.heard(func() { s.book.hear(m) })
	}
}

// recall asks for the calls from where it was asked before, and writes the book by them.
func (s *studio) recall(ctx context.Context) error {
	for next := s.book.asked; ; {
		a, err := s.command(ctx, "game", map[string]any{"do": "since", "seq": next})
		switch {
		case err != nil:
			return err
		case !a.OK:
			return fmt.Errorf("demo: the calls since %d were refused: %s", next, a.Code)
		}
		s.heard(func() {
			for _, m := range a.Messages {
				s.book.recall(m)
			}
			s.book.look(&s.layout)
		})
		if next = a.Next; next == 0 {
			return nil
		}
	}
}

// settle waits until the book has the last round, or has it no more, as the layout shows it, and tells what it made of the session.
func (s *studio) settle(ctx context.Context, l table.Layout) error {
	shown := func() bool {
		last := s.layout.Last
		if last == nil {
			return true
		}
		_, settled := s.book.find(last.Round)
		return settled == (len(last.Results) > 0)
	}
	err := s.within(ctx, time.Second, shown)
	for limit := time.Now().Add(patience); errors.Is(err, errLate) && time.Now().Before(limit); err = s.within(ctx, time.Second, shown) {
		if err := s.recall(ctx); err != nil {
			return err
		}
	}
	if last := s.now().Last; err == nil && last != nil && len(last.Results) > 0 { // of a void round there is nothing to tell
		s.tell(s.session(), l.Seq)
	}
	return err
}

// session is the one that is played.
func (s *studio) session() wager.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.session()
}

// tell tells what is new of a session.
func (s *studio) tell(now wager.Session, seq int64) {
	if now != s.told {
		s.tells(s.told, now, seq)
		s.told = now
	}
}

// playing is the session of which a round is one: a new one when the last one is over, of the same players for the same seed, whoever asks.
func (s *studio) playing(round uint32) wager.Session {
	now := s.session()
	if now.Over() {
		players, _ := table.MakeSeats(s.seats(rand.New(rand.NewPCG(s.seed, uint64(round)))), table.MaxSeats)
		now = s.book.start(players)
	}
	return now
}

// closeSession closes the bets of a session's round when everybody who can has bet.
func (s *studio) closeSession(ctx context.Context, l table.Layout) error {
	now := s.playing(l.Round)
	s.tell(now, l.Seq)
	seats, err := s.bet(ctx, l, now)
	if len(seats) == 0 {
		return err
	}
	seen := s.now().Seq
	s.pace(800 * time.Millisecond)
	return s.must(ctx, "game", map[string]any{"do": "close", "round": l.Round, "seen": seen, "seats": seats})
}

// bet places everybody's bet, and gives their seats. A round for which somebody comes too late is void before its first card, and the next one is played in its place.
func (s *studio) bet(ctx context.Context, l table.Layout, now wager.Session) (seats []int, err error) {
	set := now.Seats()
	for n := set.Next(0); n > 0; n = set.Next(n) {
		a, err := s.command(ctx, "game", map[string]any{
			"do": "bet", "round": l.Round, "seen": s.now().Seq, "reference": bettor(n), "bets": []any{map[string]any{"bet": "seat", "seat": n, "stake": now.Bet}}, "balance": now.Chips[n],
		})
		switch {
		case err != nil:
			return nil, err
		case a.OK:
			seats = append(seats, n)
			continue
		}
		s.late()
		switch a.Code {
		case table.BetLate.String():
			return nil, s.must(ctx, "floor", map[string]any{"do": "void", "round": l.Round, "by": "S-1", "because": "not everybody has bet"})
		case table.Stale.String(), table.Held.String():
			return nil, nil
		}
		return nil, fmt.Errorf("demo: the bet of %s was refused: %s", bettor(n), a.Code)
	}
	return seats, nil
}

// affords says that a seat has the chips for an insurance beside its bet. What a double or a split would cost the table knows, and does not offer it.
func (s *studio) affords(seat int) bool {
	if s.book == nil {
		return true
	}
	now, rules := s.session(), wager.Seats()
	return now.Chips[seat]-now.Bet >= rules.InsurancePrice(now.Bet)
}
