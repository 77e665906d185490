package live

import (
	"encoding/json"
	"fmt"
	"strings"

	"sabot/table"
	"sabot/table/journal"
	"sabot/table/wager"
)

// ledger is the bets of a table that keeps them, with its bettors and their game server. A world's table keeps them, or does not.
type ledger struct {
	rules *wager.Rules // nil where somebody else keeps it
	round uint32       // the last one in which somebody bet
	seats []int        // that will play in it
	slips int          // of so many of them there is one
}

// begins is a game as a world's table plays it. Half of the tables keep a ledger around it.
func begins[G comparable, P wager.Game[G]](w *world, rules string, game func(table.Opening) G) func(table.Opening) table.Game {
	w.ledger = ledger{}
	if w.dice.IntN(2) == 0 {
		return func(o table.Opening) table.Game { return table.NewRound[G, P](game(o)).After(o) }
	}
	r := wager.Presets[rules]()
	w.ledger.rules = &r
	return func(o table.Opening) table.Game { return table.NewRound(wager.New[G, P](game(o), &r)).After(o) }
}

// bet is one of a slip, as a game server writes it, and the notation.
type bet struct {
	fields map[string]any
	clause string
}

// on bets on a seat, a number, or what there is but one of.
func on(kind string, stake int) bet {
	return bet{map[string]any{"bet": kind, "stake": stake}, fmt.Sprint(kind, " ", stake)}
}

func onSeat(seat, stake int) bet {
	return bet{map[string]any{"bet": "seat", "seat": seat, "stake": stake}, fmt.Sprint(seat, " ", stake)}
}

func onPair(seat, stake int) bet {
	return bet{map[string]any{"bet": "pair", "seat": seat, "stake": stake}, fmt.Sprint(seat, " ", stake, " pair")}
}

func straight(number, stake int) bet {
	return bet{map[string]any{"bet": "straight", "numbers": []int{number}, "stake": stake}, fmt.Sprint("straight ", number, " ", stake)}
}

// bet is the command of a bettor with his bets, which replace what he bet before.
func (w *world) bet(l *table.Layout, excused []table.Code, bettor string, bets ...bet) table.Reply {
	var list []map[string]any
	var clauses []string
	for _, b := range bets {
		list, clauses = append(list, b.fields), append(clauses, b.clause)
	}
	return w.game(l, excused, "bet", "reference", bettor, "bets", list, slip, strings.Join(clauses, ", "))
}

// placed says that all have bet who will play, or has the next one of them bet.
func (w *world) placed(l *table.Layout) bool {
	b := &w.ledger
	if b.rules == nil {
		return true
	}
	if b.round != l.Round {
		b.round, b.seats, b.slips = l.Round, w.some(), 0
	}
	if b.slips == len(b.seats) {
		return true
	}
	seat := b.seats[b.slips]
	b.slips++
	late := []table.Code{table.BetLate, table.NoRound} // a disk may take its time
	w.bet(l, late, fmt.Sprint("P-", seat), w.croupier.bets(seat)...)
	return false
}

// tooLate is a slip when no bets are taken.
func (w *world) tooLate(l *table.Layout) {
	w.count("mistake: a bet that is late")
	w.refuses(func() table.Reply {
		return w.bet(l, []table.Code{table.BetLate, table.NoRound}, "P-9", w.croupier.bets(1)...)
	})
}

// settled holds against each other what was taken of each bettor in a round that is over, and what was decided or given back. What reverses an entry speaks of that entry's round, as
// does what is settled with it.
func (w *world) settled(all []journal.Entry) {
	open, rounds, moved := map[string]int64{}, map[int64]uint32{}, map[int64]map[string]int64{}
	move := func(seq int64, name string, stake int64) {
		who := fmt.Sprint("round ", rounds[seq], " ", name)
		open[who] += stake
		moved[seq][name] += stake
	}
	for _, e := range all {
		var calls []struct {
			Call, Reference string
			Stake, Replaces int64
		}
		rounds[e.Seq], moved[e.Seq] = e.Round, map[string]int64{}
		if err := json.Unmarshal(e.Game, &calls); err != nil {
			w.fail("entry %d: %v", e.Seq, err)
		}
		for _, c := range calls {
			switch c.Call {
			case "taken":
				move(e.Seq, c.Reference, c.Stake)
			case "paid", "refunded":
				move(e.Seq, c.Reference, -c.Stake)
			case "reversed":
				rounds[e.Seq] = rounds[c.Replaces]
				for name, stake := range moved[c.Replaces] {
					move(e.Seq, name, -stake)
				}
			}
		}
	}
	running := fmt.Sprint("round ", all[len(all)-1].Round, " ")
	for who, stake := range open {
		if stake != 0 && !strings.HasPrefix(who, running) {
			w.fail("%s: of what was taken %d are neither decided nor given back", who, stake)
		}
	}
}
