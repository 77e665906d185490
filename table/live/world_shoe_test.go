package live

import (
	"encoding/json"
	"slices"
	"strings"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/box"
	"sabot/table/journal"
)

// cards are those of a card game. Cards that must not be seen are hearts, and no others are: whoever names a heart before it was turned has told a secret.
type cards struct {
	pack   []shoe.Card                 // left in the shoe
	drawn  map[uint32][]string         // by shoe: what left it, in order
	number uint32                      // the shoe in play
	out    int                         // cards that left it
	cut    bool                        // its cut card did
	loose  []string                    // hearts that nobody was due
	unread shoe.Card                   // the last one
	turned map[uint32]map[string]int64 // hearts, by the round in which they may be named, and the entry before they were turned
}

// shoeDealer is what is the same for all who deal cards: the shoe's change, its burn, and what goes wrong with a card.
type shoeDealer struct{ *world }

// fill puts a shoe into play.
func (w *world) fill(number uint32) {
	w.number, w.out, w.cut, w.pack = number, 0, false, nil
	for range w.played.house.Decks {
		w.pack = append(w.pack, shoe.Deck()...)
	}
	w.dice.Shuffle(len(w.pack), func(i, j int) { w.pack[i], w.pack[j] = w.pack[j], w.pack[i] })
	w.drawn[number] = nil
}

// card takes the next card that is a heart, or is none.
func (w *world) card(heart bool) shoe.Card {
	i := slices.IndexFunc(w.pack, func(c shoe.Card) bool { return (c.Suit() == shoe.Hearts) == heart })
	c := w.pack[i]
	w.pack = slices.Delete(w.pack, i, i+1)
	return c
}

// turn is a card that anybody may see from now on, in this round and in so many more.
func (w *world) turn(l *table.Layout, card string, more uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for round := l.Round; round <= l.Round+more; round++ {
		if w.turned[round] == nil {
			w.turned[round] = map[string]int64{}
		}
		if _, was := w.turned[round][card]; !was {
			w.turned[round][card] = l.Seq
		}
	}
}

// secret fails when a message names a card that nobody has seen.
func (w *world) secret(topic string, payload []byte) {
	var m struct {
		Round uint32
		Cards []table.PastCard // the floor's state: each of its own round
	}
	json.Unmarshal(payload, &m)
	for _, quoted := range heart.FindAll(payload, -1) {
		name, rounds := strings.Trim(string(quoted), `"`), []uint32{}
		for _, c := range m.Cards {
			if c.Card == name {
				rounds = append(rounds, c.Round)
			}
		}
		if len(rounds) == 0 {
			rounds = []uint32{m.Round}
		}
		for _, round := range rounds {
			w.mu.Lock()
			_, ok := w.turned[round][name]
			ok = ok || w.lost // the people do not know what the table knows
			w.mu.Unlock()
			if !ok {
				w.t.Errorf("seed %d: %s tells %s of round %d, which nobody has seen: %s", w.seed, topic, name, round, payload)
			}
		}
	}
}

// draw lets a card leave the shoe, if its mouth is open; what the shoe reads of it, and claims, is said.
func (w *world) draw(c, read shoe.Card, claim shoe.Claim) bool {
	if w.device.Locked() || !w.plugged {
		w.pack = append([]shoe.Card{c}, w.pack...)
		return false
	}
	w.out++
	w.drawn[w.number] = append(w.drawn[w.number], read.String())
	w.tell("a card leaves the shoe: %v, read as %v", c, read)
	w.says(w.device.DrawAt(read, claim))
	return true
}

// waits says that the table has not counted all cards that left the shoe.
func (d shoeDealer) waits(s *table.Snapshot) bool {
	l := &s.Layout
	if d.lost { // they look at the felt, and go on
		d.out = l.Shoe.Dealt
	}
	if l.Shoe.Number == d.number && l.Shoe.Dealt > d.out {
		d.fail("%d cards left the shoe, and the table has counted %d", d.out, l.Shoe.Dealt)
	}
	return l.Shoe.Number == d.number && l.Shoe.Dealt < d.out
}

// between does what is due between two rounds, and says whether anything was.
func (d shoeDealer) between(l *table.Layout) bool {
	switch l.Due.Kind {
	case "shoe":
		d.changeShoe(l)
	case "open":
		if d.dice.IntN(12) == 0 || len(d.pack) < 60 {
			d.floor("retire")
			return true
		}
		d.opens(l)
	case "close":
		d.closes(l)
	default:
		return false
	}
	return true
}

func (d shoeDealer) changeShoe(l *table.Layout) {
	if l.Shoe.Number > 0 && d.errs(10) {
		d.floorExcused([]table.Code{table.CountWrong}, "count", "cards", l.Shoe.Left-1)
		d.must(table.CountWrong)
		d.count("mistake: a wrong count")
		return
	}
	if a := d.floor("shoe", "number", l.Shoe.Number+1); a.OK {
		d.fill(l.Shoe.Number + 1)
	}
}

// burning says that the next card is burnt face down.
func (d shoeDealer) burning(l *table.Layout) bool { return l.Phase == table.Burning && d.out > 0 }

// misread lets a card leave the shoe that is due and cannot be read.
func (d shoeDealer) misread(l *table.Layout, c shoe.Card, claim shoe.Claim) {
	if d.draw(c, shoe.Unread, claim) {
		d.count("mistake: a card is not read")
		d.unread = c
		d.must(map[bool]table.Code{true: table.BurnUnread, false: table.Misread}[l.Phase == table.Burning && d.out > 1])
	}
}

// tooMany lets a card leave the shoe that nobody is due.
func (d shoeDealer) tooMany(what string, codes ...table.Code) {
	if c := d.card(true); d.draw(c, c, shoe.Claim{}) {
		d.count("mistake: " + what)
		d.loose = append(d.loose, c.String())
		d.must(append(codes, table.CardHeld)...)
	}
}

// burnsShort has the dealer begin a round when the burn is not done, and says whether he could.
func (d shoeDealer) burnsShort(l *table.Layout) bool {
	short := d.burning(l) && d.dice.IntN(2) == 0
	if short {
		d.count("mistake: a round is opened and the burn is not done")
		d.pressed(box.Next, table.BurnCount)
	}
	return short
}

// aside are the irregularities of a card that lies aside.
var aside = []table.Code{
	table.ExtraCard, table.CardHeld, table.CardAfterEnd, table.BurnCount,
	table.BacNatural, table.BacBothStand, table.BacBankerStands, table.BacComplete, table.ClaimDiffers,
}

// settle has the supervisor settle a card that was not read, or lies aside.
func (d shoeDealer) settle(l *table.Layout, stop *table.StopState, but ...string) bool {
	code, _ := table.ParseCode(stop.Code)
	switch {
	case code == table.Misread:
		d.floor("correct", "irregularity", stop.Irregularity, "card", d.unread.String(), "because", "read off the card")
	case slices.Contains(aside, code):
		d.remedy(l, stop, but)
	default:
		return false
	}
	return true
}

// remedy is what becomes of a card that lies aside. One that is used will be seen.
func (d shoeDealer) remedy(l *table.Layout, stop *table.StopState, but []string) {
	may := slices.DeleteFunc(slices.Clone(stop.Remedies), func(r string) bool {
		return r == "device" || r == "carry" && l.Shoe.LastRound || slices.Contains(but, r)
	})
	remedy := may[d.dice.IntN(len(may))]
	if stop.Code == table.BurnCount.String() {
		remedy = "device"
	}
	if slices.Contains([]string{"use", "carry", "assign"}, remedy) {
		for _, c := range d.loose {
			d.turn(l, c, 4)
		}
	}
	order := []any{"irregularity", stop.Irregularity, "remedy", remedy}
	if remedy == "assign" {
		order = append(order, "hand", l.Due.Hand)
	}
	d.floor("release", order...)
}

// tick changes nothing: a shoe does nothing by itself.
func (d shoeDealer) tick() {}

// mishap is a cut card that leaves the shoe too early. It takes no place.
func (d shoeDealer) mishap() {
	if d.cut || d.device.Locked() || !d.plugged || d.out == 0 || d.out > 150 || d.played.house.Shuffle != table.AfterCut {
		return
	}
	s, _ := d.program.now()
	if s.Layout.Phase <= table.ShoeChange || s.Layout.Shoe.Number != d.number {
		return
	}
	d.count("mistake: the cut card is early")
	d.cut = true
	d.must(table.CutEarly)
	d.says(d.device.Cut())
	d.pump()
}

// account holds what is recorded of each shoe against what left it.
func (d shoeDealer) account(all []journal.Entry, _ []table.Layout) {
	number, got := uint32(0), map[uint32][]string{}
	for _, e := range all {
		switch e.Event.Kind {
		case table.NewShoe:
			number = uint32(e.Event.N)
		case table.Draw:
			got[number] = append(got[number], e.Event.Card.String())
		}
	}
	for number, cards := range d.drawn {
		if !slices.Equal(cards, got[number]) {
			d.t.Errorf("seed %d: of shoe %d left %v, and recorded is %v", d.seed, number, cards, got[number])
		}
	}
}
