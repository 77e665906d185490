package baccarat

import (
	"testing"

	"sabot/shoe"
	"sabot/table"
)

// longhand is a coup written out as the rule book has it, without a table and without a thought for speed. It is given the
// points of six cards and says how many were drawn and what came of them.
func longhand(p [6]int) (cards, player, banker int) {
	player = (p[0] + p[2]) % 10
	banker = (p[1] + p[3]) % 10
	if player == 8 || player == 9 || banker == 8 || banker == 9 {
		return 4, player, banker
	}
	if player == 6 || player == 7 {
		if banker == 6 || banker == 7 {
			return 4, player, banker
		}
		return 5, player, (banker + p[4]) % 10
	}
	third := p[4]
	player = (player + third) % 10
	draws := false
	switch banker {
	case 0, 1, 2:
		draws = true
	case 3:
		draws = third != 8
	case 4:
		draws = third != 0 && third != 1 && third != 8 && third != 9
	case 5:
		draws = third == 4 || third == 5 || third == 6 || third == 7
	case 6:
		draws = third == 6 || third == 7
	}
	if !draws {
		return 5, player, banker
	}
	return 6, player, (banker + p[5]) % 10
}

// cardOf is a card of so many points; nothing is in turn a ten, jack, queen and king.
func cardOf(points, place int) shoe.Card {
	if points == 0 {
		return shoe.New(shoe.Rank(10+place%4), shoe.Spades)
	}
	return shoe.New(shoe.Rank(points), shoe.Suit(place%4))
}

// walk deals every sequence of points that begins with p[:n] and gives the first that ends otherwise than longhand. Games
// are values, so a prefix is dealt once.
func walk(g Game, p [6]int, n int, coups *int) (bad [6]int, found bool) {
	for p[n] = range 10 {
		next := g
		var room [4]table.Call
		calls := next.Step(table.Event{Kind: table.Draw, Card: cardOf(p[n], n)}, room[:0])
		if next.InRound() && n < 5 {
			if bad, found = walk(next, p, n+1, coups); found {
				return bad, true
			}
			continue
		}
		if bad, found = compare(p, n+1, calls, coups); found {
			return bad, true
		}
	}
	return bad, false
}

// compare holds a coup of n cards against longhand for every way its sequence may go on.
func compare(p [6]int, n int, calls []table.Call, coups *int) (bad [6]int, found bool) {
	var got table.Coup
	for _, c := range calls {
		if c.Word == table.CallResult {
			got = c.Coup
		}
	}
	if n < 6 {
		for p[n] = range 10 {
			if bad, found = compareRest(p, n+1, n, got, coups); found {
				return bad, true
			}
		}
		return bad, false
	}
	return compareRest(p, 6, n, got, coups)
}

func compareRest(p [6]int, filled, dealt int, got table.Coup, coups *int) (bad [6]int, found bool) {
	if filled < 6 {
		for p[filled] = range 10 {
			if bad, found = compareRest(p, filled+1, dealt, got, coups); found {
				return bad, true
			}
		}
		return bad, false
	}
	*coups++
	cards, player, banker := longhand(p)
	winner := table.Tie
	if player > banker {
		winner = table.PlayerWins
	} else if banker > player {
		winner = table.BankerWins
	}
	return p, cards != dealt || int(got.Player) != player || int(got.Banker) != banker || got.Winner != winner
}

// differs plays all sequences and gives the first that ends otherwise than longhand.
func differs() (bad [6]int, found bool, coups int) {
	dealt, third = rules.work()
	r := PuntoBanco()
	r.Burn = table.BurnRule{}
	g := New(&r, table.Opening{Open: true, Shoe: 1})
	g.Step(table.Event{Kind: table.Open}, nil)
	g.Step(table.Event{Kind: table.Close}, nil)
	bad, found = walk(g, [6]int{}, 0, &coups)
	return bad, found, coups
}

func TestEverySequenceOfPoints(t *testing.T) {
	bad, found, coups := differs()
	if found {
		t.Fatalf("points %v end otherwise than the rules say", bad)
	}
	if coups != 1_000_000 {
		t.Fatalf("%d sequences compared", coups)
	}
}

// TestFaultsAreFound seeds faults in the rules, each of which the test above must find.
func TestFaultsAreFound(t *testing.T) {
	faults := []struct {
		name string
		seed func(r *tableau)
	}{
		{"a ten counts", func(r *tableau) { r.points[10] = 1 }},
		{"a picture counts", func(r *tableau) { r.points[13] = 3 }},
		{"a nine is an eight", func(r *tableau) { r.points[9] = 8 }},
		{"an ace is nothing", func(r *tableau) { r.points[1] = 0 }},
		{"an eight is no natural", func(r *tableau) { r.natural &^= 1 << 8 }},
		{"a seven is a natural", func(r *tableau) { r.natural |= 1 << 7 }},
		{"Player stands on 5", func(r *tableau) { r.player &^= 1 << 5 }},
		{"Player draws on 6", func(r *tableau) { r.player |= 1 << 6 }},
		{"Banker stands on 5 when the Player stood", func(r *tableau) { r.stood &^= 1 << 5 }},
		{"Banker draws on 6 when the Player stood", func(r *tableau) { r.stood |= 1 << 6 }},
		{"Banker 3 draws on an 8", func(r *tableau) { r.banker[3] |= 1 << 8 }},
		{"Banker 3 stands on a 9", func(r *tableau) { r.banker[3] &^= 1 << 9 }},
		{"Banker 4 draws on an ace", func(r *tableau) { r.banker[4] |= 1 << 1 }},
		{"Banker 5 draws on a 3", func(r *tableau) { r.banker[5] |= 1 << 3 }},
		{"Banker 6 stands on a 6", func(r *tableau) { r.banker[6] &^= 1 << 6 }},
		{"Banker 7 draws on a 7", func(r *tableau) { r.banker[7] |= 1 << 7 }},
		{"Banker 2 stands on a picture", func(r *tableau) { r.banker[2] &^= 1 }},
	}
	sound := rules
	defer func() {
		rules = sound
		dealt, third = rules.work()
	}()
	for _, fault := range faults {
		rules = sound
		fault.seed(&rules)
		if _, found, _ := differs(); !found {
			t.Errorf("%s, and nothing differs", fault.name)
		}
	}
}

// TestEveryCellOfTheTableau turns each bit of the drawing rules over: none is without effect, unless no coup reaches it.
func TestEveryCellOfTheTableau(t *testing.T) {
	sound := rules
	defer func() {
		rules = sound
		dealt, third = rules.work()
	}()
	for total := range 10 {
		for _, set := range []*uint16{&rules.natural, &rules.player, &rules.stood} {
			if (set != &rules.natural) && total > 7 {
				continue // a natural, which has ended the coup
			}
			was := *set
			*set ^= 1 << total
			if _, found, _ := differs(); !found {
				t.Errorf("total %d turned over, and nothing differs", total)
			}
			*set = was
		}
		for third := range 10 {
			if total > 7 {
				continue
			}
			rules.banker[total] ^= 1 << third
			if _, found, _ := differs(); !found {
				t.Errorf("Banker %d on a third %d turned over, and nothing differs", total, third)
			}
			rules = sound
		}
	}
}
