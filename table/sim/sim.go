// Package sim plays rounds by the games' own rules and sums up what they return.
//
// There is no second, fast copy of the rules here: a simulated round is the events of a real one, stepped by the same games, only that the
// shoe is shuffled by a generator and the player decides by a table. What a rule sheet says a bet returns can so be held
// against what the program would pay.
//
// Rounds are played in blocks. A block has its own seed and begins with a new table, so that blocks may be played in any order, at
// once on many cores, and sum up to the same figures. All sums are whole numbers for the same reason.
//
// A shoe is not shuffled before it is dealt: each card drawn is one of those left, all equally likely, which is the same and
// costs only the cards that are seen (Fisher and Yates, stopped early).
package sim

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"sabot/shoe"
	"sabot/table"
)

// Simulator plays rounds of one game. One goroutine uses it.
type Simulator interface {
	// Block plays this many rounds on a new table. The same seed and number give the same rounds.
	Block(seed, number uint64, rounds int64) Tally
}

// unit is what is staked on a bet that the ledger pays, in minor units: enough for a commission of tenths of a percent to come out even.
const unit = 1000

// dice are the generator of a block.
type dice struct{ rand.PCG }

// seed begins a block. A generator's states for neighbouring seeds are neighbours too, so where a block begins is drawn by another generator,
// whose streams have nothing to do with each other.
func (d *dice) seed(seed, block uint64) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], block)
	c := rand.NewChaCha8(key)
	d.Seed(c.Uint64(), c.Uint64())
}

// below is a number from 0 to n-1, each exactly as likely (Lemire's method).
func (d *dice) below(n uint64) uint64 {
	high, low := bits.Mul64(d.Uint64(), n)
	if low < n {
		for uneven := -n % n; low < uneven; {
			high, low = bits.Mul64(d.Uint64(), n)
		}
	}
	return high
}

// stack is a shoe with its cut card.
type stack struct {
	dice
	cards []shoe.Card
	drawn int
	cut   int // the cut card lies behind this many cards; behind all of them it never comes out
	stop  int // what comes after this many cards is none: the cut card, and then nothing
}

// newStack is a shoe of this many decks with this many cards behind the cut card.
func newStack(decks, behind int) stack {
	return stack{cards: make([]shoe.Card, decks*52), cut: decks*52 - behind}
}

// sort begins a block: all decks lie as they came, and the generator is seeded.
func (s *stack) sort(seed, block uint64) {
	s.seed(seed, block)
	deck := shoe.Deck()
	for i := range s.cards {
		s.cards[i] = deck[i%len(deck)]
	}
}

// fill puts all cards back.
func (s *stack) fill() table.Event {
	s.drawn, s.stop = 0, s.cut
	return table.Event{Kind: table.NewShoe, N: 1}
}

// draw is the next card. It is NoCard when what comes is none, see none.
func (s *stack) draw() shoe.Card {
	i := s.drawn
	if i >= s.stop {
		return shoe.NoCard
	}
	j := i + int(s.below(uint64(len(s.cards)-i)))
	c := s.cards[j]
	s.cards[i], s.cards[j] = c, s.cards[i]
	s.drawn++
	return c
}

// none is what happens instead of a card: the cut card comes out, or the shoe is empty, which makes a round void.
func (s *stack) none() table.Event {
	if s.stop == len(s.cards) {
		return table.Event{Kind: table.Void}
	}
	s.stop = len(s.cards)
	return table.Event{Kind: table.Cut}
}

// drawTo draws for a game.
func (s *stack) drawTo(g table.Game, calls []table.Call) []table.Call {
	if c := s.draw(); c != shoe.NoCard {
		return g.Step(table.Event{Kind: table.Draw, Card: c}, calls)
	}
	return g.Step(s.none(), calls)
}

// ofRound takes off what stands behind a round's calls when its shoe is empty: that it is, and that the table stops for it.
func ofRound(calls []table.Call) []table.Call {
	n := len(calls)
	for calls[n-1].Word == table.CallStopped || calls[n-1].Code == table.ShoeExhausted {
		n--
	}
	return calls[:n]
}

// ready makes a round possible: a shoe is filled and burnt where it must be. Nobody here wonders that the last one is empty.
func (s *stack) ready(g table.Game, p *table.Procedure, calls []table.Call) {
	for !p.Between() {
		switch {
		case p.Stopped():
			g.Step(table.Event{Kind: table.Release}, calls)
		case p.Phase == table.Closed:
			g.Step(table.Event{Kind: table.TableOpen}, calls)
		case p.Phase == table.ShoeChange:
			g.Step(s.fill(), calls)
		default:
			s.drawTo(g, calls)
		}
	}
}

// fresh changes a house to one that shuffles before each round, with nothing burnt.
func fresh(h *table.House) {
	h.Shuffle, h.HandsAfterCut, h.Burn = table.EveryRound, 0, table.BurnRule{}
}
