package tabletest_test

import (
	"testing"

	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/tabletest"
	"sabot/table/wager"
)

// Each fault is a rule of another house, played under a name that it breaks.
//
// Faults that no setting can make were made by hand in the games, one at a time. What noticed, in this package unless another is named:
//
//	a push at one point less, blackjack at 1:1, surrender that takes all, insurance at 1:1   000, 002, 003; blackjack's transcripts naturals, insurance
//	the dealer stands on 16                                   000, 002, 003; blackjack's transcripts round, extra
//	the dealer does not look at ten                           000, 002; blackjack's transcripts naturals, cut
//	the hole card lies face up                                all of blackjack's transcripts
//	insurance against ten, surrender against ten              000
//	surrender after a hit                                     blackjack's transcripts short, misread, undo
//	a hand of a split is split again                          blackjack's transcript split
//	a natural after a split                                   002, 003_no_hole
//	a split ace gets another card                             000, 002, 003; blackjack's transcript split
//	21 does not stand by itself, 21 is bust                   000, 002, 003; blackjack's transcripts round, extra
//	double on three cards                                     000, 003; blackjack's transcripts
//	a time-out draws to 12                                    000_shoe; blackjack's transcript timeout
//	a short split of 12 hits, of 10 stands                    000_immediate_split, 000
//	the Pair by points, its colours by suit, trips by rank    000, 000_shoe; sim's TestReturnsAreTheExactOnes
//	a jack burns 11, a cut card in a round counts for the next   000_shoe; blackjack's transcripts burn, cut
//	copies are not compared with the decks                    000, 002, 003; baccarat's transcript copies
//	the Banker stands on 4 against 2, the Player draws on 6   baccarat; baccarat's TestEveryCellOfTheTableau
//	the Banker draws on 3 against 8                           baccarat's TestEveryCellOfTheTableau
//	8 is no natural, pairs by points                          baccarat; baccarat's transcripts
//	36 is black                                               roulette; roulette's TestEveryPocket
//	a number counts while bets are open                       roulette's transcript wrong
var faults = []struct {
	name    string
	variant string // whose cases must notice
	faulty  tabletest.Variant
}{
	{"the dealer hits soft 17", "000", deluxe("dealer_soft17", "hit")},
	{"the dealer hits soft 17", "003", live("dealer_soft17", "hit")},
	{"the dealer draws although nothing is at stake", "000", deluxe("draw_without_stake", "true")},
	{"the dealer stops when nothing is at stake", "002", classic("draw_without_stake", "false")},
	{"the dealer does not look at an ace", "000", deluxe("peek", "ten")},
	{"the dealer never looks", "002", classic("peek", "never")},
	{"the dealer looks", "003", live("peek", "ace_ten")},
	{"king and ten are no pair", "000", deluxe("split", "face")},
	{"king and ten are a pair", "003", live("split", "points")},
	{"a split hand gets its second card at once", "000", deluxe("split_deal", "both")},
	{"no double after a split", "000", deluxe("double_after_split", "false")},
	{"no surrender", "000", deluxe("surrender", "none")},
	{"surrender against an ace", "000", deluxe("surrender", "late_any")},
	{"surrender where there is none", "003", live("surrender", "late_2_9")},
	{"no insurance", "003", live("insurance", "false")},
	{"no even money", "002", classic("even_money", "false")},
	{"even money where there is none", "000", deluxe("even_money", "true")},
	{"a clock that runs out decides nothing", "000", deluxe("timeout_rule", "none")},
	{"a double without balance is refused", "000", deluxe("short_of_money", "refuse")},
	{"no Pair bet", "000", deluxe("pair", "false")},
	{"nothing is burnt", "000_shoe", burning("burn", "none")},
	{"a round too many after the cut card", "000_shoe", burning("hands_after_cut", "1")},
	{"one deck", "000", deluxe("decks", "1")},
	{"a seat splits no more than once", "004", didactic("split_hands", "2")},
	{"the dealer hits soft 17", "004", didactic("dealer_soft17", "hit")},
	{"the Banker pays a commission", "baccarat", commission()},
}

func deluxe(set ...string) tabletest.Variant {
	return burning(append([]string{"burn", "none"}, set...)...)
}

// burning is deluxe with its burn.
func burning(set ...string) tabletest.Variant {
	return pair(variant(blackjack.Deluxe, wager.Deluxe, set...))
}

func classic(set ...string) tabletest.Variant { return variant(blackjack.Classic, wager.Seats, set...) }

func live(set ...string) tabletest.Variant { return variant(blackjack.Live, wager.Seats, set...) }

func didactic(set ...string) tabletest.Variant {
	return chips(variant(blackjack.Didactic, wager.Seats, set...))
}

func commission() tabletest.Variant {
	return tabletest.Variant{New: func() table.Game {
		r, bets := baccarat.PuntoBanco(), wager.PuntoBanco()
		r.Burn, bets.Commission = table.BurnRule{}, 500
		return table.NewRound(wager.New(baccarat.New(&r, table.Opening{}), &bets))
	}}
}

func TestCasesCatchFaults(t *testing.T) {
	for _, f := range faults {
		caught := tabletest.Caught(t, f.variant, f.faulty)
		if len(caught) == 0 {
			t.Errorf("%s: no case of %s notices", f.name, f.variant)
			continue
		}
		t.Logf("%s: %d cases of %s notice, %s first", f.name, len(caught), f.variant, caught[0])
	}
}

// Without a fault nobody may notice anything.
func TestCasesCatchNoFaultWhereIsNone(t *testing.T) {
	for name, v := range variants {
		if caught := tabletest.Caught(t, name, v); len(caught) > 0 {
			t.Errorf("%s: %v fail", name, caught)
		}
	}
}
