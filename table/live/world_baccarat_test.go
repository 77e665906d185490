package live

import (
	"slices"
	"strings"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/box"
)

// baccaratDealer deals punto banco, from a shoe that says where it thinks each card went, or says nothing. He knows the tableau by himself, and holds the table's against it.
type baccaratDealer struct {
	shoeDealer
	rules  baccarat.Rules
	claims bool // the shoe says where each card went, and who won
	adrift bool // and may have lost count
}

func baccaratWorld(w *world) croupier {
	d := &baccaratDealer{shoeDealer: shoeDealer{w}, rules: baccarat.PuntoBanco(), claims: w.dice.IntN(2) == 0}
	if d.claims {
		d.rules.ClaimTime = []time.Duration{0, 500 * time.Millisecond}[w.dice.IntN(2)]
	}
	r := &d.rules
	game := func(o table.Opening) baccarat.Game { return baccarat.New(r, o) }
	w.played = played{"baccarat", r.Name, "shoe", &r.House, int(r.Seats), begins(w, r.Name, game)}
	return d
}

// bets are on one side or the other, and sometimes on neither.
func (d *baccaratDealer) bets(int) []bet {
	list := []bet{on([]string{"player", "banker"}[d.dice.IntN(2)], 100)}
	if d.dice.IntN(3) == 0 {
		list = append(list, on("tie", 15))
	}
	return list
}

// bankerDraws has for each total of the Banker's the points of the Player's third card on which he draws (rule sheet 003).
var bankerDraws = [10]string{"0123456789", "0123456789", "0123456789", "012345679", "234567", "4567", "67"}

// points are a card's: an ace 1, tens and pictures nothing.
func points(card string) int { return max(strings.Index("-A23456789", card[:1]), 0) }

func total(cards []string) (n int) {
	for _, c := range cards {
		n += points(c)
	}
	return n % 10
}

// sides are the cards on the felt.
func sides(l *table.Layout) (player, banker []string) {
	if l.Player != nil {
		player, banker = l.Player.Cards, l.Banker.Cards
	}
	return player, banker
}

// third is the hand that draws a third card, or none and why not.
func third(player, banker []string) (string, table.Code) {
	p, b := total(player[:2]), total(banker)
	switch {
	case len(banker) == 3 || len(player) == 3 && b == 7:
		return "", map[bool]table.Code{true: table.BacComplete, false: table.BacBankerStands}[len(banker) == 3]
	case len(player) == 3 && strings.Contains(bankerDraws[b], string(rune('0'+points(player[2])))):
		return "banker", table.OK
	case len(player) == 3:
		return "", table.BacBankerStands
	case p > 7 || b > 7:
		return "", table.BacNatural
	case p < 6:
		return "player", table.OK
	case b < 6:
		return "banker", table.OK
	}
	return "", table.BacBothStand
}

// next is the hand the next card goes to, or none and why not.
func next(l *table.Layout) (string, table.Code) {
	player, banker := sides(l)
	switch {
	case len(player) == len(banker) && len(player) < 2:
		return "player", table.OK
	case len(banker) < 2:
		return "banker", table.OK
	}
	return third(player, banker)
}

// deal does what is due, if it is what the dealer would do.
func (d *baccaratDealer) deal(s *table.Snapshot) {
	l := &s.Layout
	to, why := next(l)
	switch kind := l.Due.Kind; {
	case kind == "card" && l.Due.Hand != to:
		d.fail("a card is due for %s, and by the tableau for %q: %+v %+v", l.Due.Hand, to, l.Player, l.Banker)
	case (kind == "result" || l.Coup != nil) && why == table.OK:
		d.fail("%s is due a card, and the coup is over: %+v %+v", to, l.Player, l.Banker)
	case l.Coup != nil && *l.Coup != d.coup(l):
		d.fail("the coup is %+v, and should be %+v", l.Coup, d.coup(l))
	case kind == "card" || kind == "burn":
		c := d.card(d.burning(l))
		drawn := d.draw(c, c, d.place(l, false))
		d.adrift = d.adrift && !(drawn && kind == "card" && l.Player == nil)
	case kind == "result":
		d.judged(l)
	case !d.between(l):
		d.fail("nobody does %+v", l.Due)
	}
}

// coup is how it ended, by the cards.
func (d *baccaratDealer) coup(l *table.Layout) table.LayoutCoup {
	player, banker := sides(l)
	c := table.LayoutCoup{Player: total(player), Banker: total(banker), PlayerPair: player[0][0] == player[1][0], BankerPair: banker[0][0] == banker[1][0]}
	c.Natural = len(player)+len(banker) == 4 && max(c.Player, c.Banker) > 7
	switch {
	case c.Player > c.Banker:
		c.Winner = "player"
	case c.Player < c.Banker:
		c.Winner = "banker"
	default:
		c.Winner = "tie"
	}
	return c
}

// place is where a shoe says that the next card went: where it is due, or on the other hand.
func (d *baccaratDealer) place(l *table.Layout, other bool) shoe.Claim {
	player, banker := sides(l)
	to, _ := next(l)
	switch {
	case !d.claims:
		return shoe.Claim{}
	case l.Phase == table.Burning:
		return shoe.Claim{Side: shoe.ToBurn}
	case (to == "player") != other:
		return shoe.Claim{Side: shoe.ToPlayer, Index: uint8(min(len(player)+1, 3))}
	}
	return shoe.Claim{Side: shoe.ToBanker, Index: uint8(len(banker) + 1)}
}

// judged is the shoe's own result while the table waits for it; sometimes it never comes.
func (d *baccaratDealer) judged(l *table.Layout) {
	if d.plugged && d.dice.IntN(3) > 0 {
		d.gives(l, false)
		return
	}
	p := d.program
	d.sleep(d.rules.ClaimTime)
	if s, _ := p.now(); d.program == p && !d.drive.slow() && s.Layout.Stopped == nil && s.Layout.Coup == nil {
		d.fail("the shoe gives no result, and the table still waits for it: %+v", s.Layout.Due)
	}
}

// gives is the shoe's own result of the coup, or another one.
func (d *baccaratDealer) gives(l *table.Layout, other bool) {
	c := d.coup(l)
	r := shoe.Result{Winner: map[string]shoe.Winner{"player": shoe.PlayerWins, "banker": shoe.BankerWins, "tie": shoe.Tie}[c.Winner], PlayerPair: c.PlayerPair, BankerPair: c.BankerPair}
	if other {
		r.BankerPair = !r.BankerPair
	}
	d.arrives(shoe.Report{Kind: shoe.Claimed, Result: r, Source: shoe.Source{Device: d.played.device}})
	d.pump()
}

// err makes a mistake, and expects what the table must call it.
func (d *baccaratDealer) err(s *table.Snapshot) bool {
	l := &s.Layout
	player, banker := sides(l)
	_, why := next(l)
	dealt := len(player) > 1 && len(banker) > 1
	switch due := l.Due.Kind; {
	case due == "burn" && d.burnsShort(l):
	case due == "card" && dealt && d.dice.IntN(3) > 0:
		d.count("mistake: a third card is missed")
		d.pressed(box.Next, table.DealerCardDue)
	case due == "card" && d.claims && d.dice.IntN(2) == 0:
		d.misplaced(l)
	case due == "card" && d.dice.IntN(2) == 0 && !dealt:
		d.count("mistake: a coup is opened in the deal")
		d.pressed(box.Next, table.Refused)
	case due == "card" || due == "burn":
		d.misread(l, d.card(d.burning(l)), d.place(l, false))
	case d.claims && dealt && d.plugged && (due == "result" || due == "open") && d.dice.IntN(2) == 0:
		d.count("mistake: the shoe gives another result")
		d.once(table.ResultDiffers, func() { d.gives(l, true) })
	case dealt && len(d.pack) > 70 && due == "result": // which may come before the card is heard, and be the shoe's last
		d.tooMany("a third card that is not due", why, table.CardAfterEnd)
	case dealt && len(d.pack) > 70 && due == "open":
		d.tooMany("a third card that is not due", why)
	case due == "open" && l.Phase == table.Results && len(d.pack) > 70:
		d.tooMany("a card after a void coup", table.CardAfterEnd)
	default:
		return false
	}
	return true
}

// misplaced is a card that the shoe says went to the other hand. A shoe that may have lost count is not believed: the card is dealt, for all to see.
func (d *baccaratDealer) misplaced(l *table.Layout) {
	d.adrift = d.adrift || l.Player == nil // it was before, perhaps, and goes on so
	believed := !d.adrift
	c := d.card(believed)
	if !d.draw(c, c, d.place(l, true)) {
		return
	}
	d.count("mistake: a card on the other hand")
	if believed {
		d.loose = append(d.loose, c.String())
	}
	d.must(table.ClaimDiffers, table.CardHeld)
}

// settle has the supervisor settle a stop. Where cards were moved the shoe loses count.
func (d *baccaratDealer) settle(s *table.Snapshot, stop *table.StopState) bool {
	code, _ := table.ParseCode(stop.Code)
	d.adrift = d.adrift || slices.Contains(aside, code)
	return d.shoeDealer.settle(&s.Layout, stop)
}
