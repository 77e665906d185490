package live

import (
	"maps"
	"slices"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/box"
)

// blackjackDealer deals any of the blackjacks. His hole card is a heart, and so is a card that nobody was due.
type blackjackDealer struct {
	shoeDealer
	rules blackjack.Rules
	hole  []string // what may lie there
	holes uint32   // in which round
}

func blackjackWorld(w *world) croupier {
	presets := slices.Sorted(maps.Keys(blackjack.Presets))
	d := &blackjackDealer{shoeDealer: shoeDealer{w}, rules: blackjack.Presets[presets[w.dice.IntN(len(presets))]]()}
	r := &d.rules
	r.ImpliedPeek, r.ImpliedReveal = false, false
	if r.Timeout == blackjack.NoTimeoutRule {
		r.DecisionTime = 0 // nobody waits: a clock that says nothing would be called
	}
	game := func(o table.Opening) blackjack.Game { return blackjack.New(r, o) }
	w.played = played{"blackjack", r.Name, "shoe", &r.House, int(r.Seats), begins(w, r.Name, game)}
	return d
}

// bets are a stake on the seat, and sometimes one more.
func (d *blackjackDealer) bets(seat int) []bet {
	list := []bet{onSeat(seat, 100)}
	if d.ledger.rules.Limits[table.BetPair].Most > 0 && d.dice.IntN(2) == 0 {
		list = append(list, onPair(seat, 25))
	}
	return list
}

// deal does what is due.
func (d *blackjackDealer) deal(s *table.Snapshot) {
	l := &s.Layout
	switch l.Due.Kind {
	case "card", "burn":
		c := d.next(l)
		d.draw(c, c, shoe.Claim{})
	case "insurance":
		d.insure(l)
	case "decision":
		d.decide(l)
	case "peek", "reveal":
		d.look(l)
	default:
		if !d.between(l) {
			d.fail("nobody does %+v", l.Due)
		}
	}
}

// holeDue says that the dealer's second card is the next one.
func (d *blackjackDealer) holeDue(l *table.Layout) bool {
	if l.Phase != table.Dealing || l.Dealer == nil || len(l.Dealer.Cards) != 1 {
		return false
	}
	for _, seat := range l.Seats {
		if len(seat.Hands[0].Cards) < 2 {
			return false
		}
	}
	return true
}

// next is the next card, a heart if it is to lie face down.
func (d *blackjackDealer) next(l *table.Layout) shoe.Card {
	if !d.holeDue(l) {
		return d.card(d.burning(l))
	}
	if d.holes != l.Round {
		d.hole, d.holes = nil, l.Round
	}
	c := d.card(true)
	d.hole = append(d.hole, c.String())
	return c
}

// bare is the hole card turned.
func (d *blackjackDealer) bare(l *table.Layout) {
	if d.holes == l.Round {
		for _, c := range d.hole {
			d.turn(l, c, 1)
		}
	}
}

// look is NEXT, for a look at the hole card or its turn. Sometimes its contact bounces: what it asks for a second time is refused.
func (d *blackjackDealer) look(l *table.Layout) {
	if l.Due.Kind == "reveal" {
		d.bare(l)
	}
	before := d.program
	bounce := d.errs(5)
	if bounce {
		d.count("buttons: NEXT bounces")
		d.press(box.Next)
		if d.program != before {
			return
		}
		s, _ := before.now()
		asks := s.Layout.Due != nil && slices.Contains([]string{"reveal", "open", "card", "decision", "shoe", "insurance"}, s.Layout.Due.Kind) || s.Layout.Due == nil
		at := time.Now()
		if asks && s.Seq > l.Seq {
			d.once(table.Refused, func() {
				before.live.Press(Press{Press: box.Press{Button: box.Next}, Device: "box", At: at.Add(-time.Microsecond)})
			})
		}
		return
	}
	d.press(box.Next)
}

func (d *blackjackDealer) insure(l *table.Layout) {
	seat := l.Due.Seats[0]
	if d.dice.IntN(3) > 0 {
		d.game(l, nil, "decline", "seat", seat)
		return
	}
	if d.rules.EvenMoney && hand(l, table.SeatHand(seat, 0).String()).State == "blackjack" {
		d.game(l, nil, "even-money", "seat", seat)
		return
	}
	d.game(l, nil, "insure", "seat", seat)
}

func (d *blackjackDealer) decide(l *table.Layout) {
	do := l.Due.May[d.dice.IntN(len(l.Due.May))]
	var late []table.Code
	if d.errs(15) {
		d.count("mistake: a player thinks for long")
		late = []table.Code{table.Stale, table.Held, table.NotYourTurn, table.CardDue}
		d.sleep(d.rules.DecisionTime + time.Second)
	}
	if do == "surrender" {
		d.game(l, late, do, "seen", l.Seq, "seat", table.ParseHand(l.Due.Hand).Seat())
		return
	}
	d.game(l, late, do, "seen", l.Seq, "hand", l.Due.Hand)
}

// err makes a mistake, and expects what the table must call it.
func (d *blackjackDealer) err(s *table.Snapshot) bool {
	l := &s.Layout
	switch due := l.Due.Kind; {
	case due == "decision" && d.dice.IntN(2) == 0:
		d.count("mistake: a decision on another's hand")
		other := table.SeatHand(table.ParseHand(l.Due.Hand).Seat()%d.played.seats+1, 3)
		d.refuses(func() table.Reply {
			return d.game(l, []table.Code{table.SeatEmpty, table.NoSuchHand, table.NotYourTurn}, "hit", "seen", l.Seq, "hand", other.String())
		})
	case due == "decision":
		d.tooMany("a card too early", table.ExtraCard)
	case due == "open" && l.Phase == table.Results && len(d.pack) > 70:
		d.tooMany("a card after the end", table.CardAfterEnd)
	case due == "burn" && d.burnsShort(l):
	case due == "card" && l.Phase == table.Dealers && d.dice.IntN(2) == 0:
		d.count("mistake: a round is opened and the dealer's card is due")
		d.pressed(box.Next, table.DealerCardDue)
	case due == "card" || due == "burn":
		d.misread(l, d.next(l), shoe.Claim{})
	default:
		return false
	}
	return true
}

// settle has the supervisor turn a hole card that all have seen, and not use a card where it would be one.
func (d *blackjackDealer) settle(s *table.Snapshot, stop *table.StopState) bool {
	l := &s.Layout
	if stop.Code == table.StopPressed.String() && l.Dealer != nil && slices.Contains(l.Dealer.Cards, table.Back) && d.dice.IntN(3) == 0 {
		d.bare(l)
		d.floor("release", "irregularity", stop.Irregularity, "remedy", "reveal")
		return true
	}
	but := []string{"assign"}
	if d.holeDue(l) {
		but = append(but, "use")
	}
	return d.shoeDealer.settle(l, stop, but...)
}
