package shoe

// Inventory counts what has left a shoe: how many cards, how many burnt, and how many copies of each were seen.
// Cards that lie face up and cards that lie face down are counted apart, because what is said of a shoe in public
// may depend on the first alone. The zero value is an empty shoe; it is comparable, and assignment copies it.
//
// Invariant: Drawn = cards face up + cards face down + Unread; Burnt counts a part of them.
type Inventory struct {
	Decks  uint8  // decks loaded
	Drawn  uint16 // cards that left, the cut card not among them
	Burnt  uint16 // of these, discarded unused
	Unread uint16 // of these, never identified

	last uint16 // what Drawn is when one card is left: Deal is asked for every card, and is short enough to be inlined
	up   [Values]uint8
	down [Values]uint8
}

// Load is a shoe just filled with this many decks of 52.
func Load(decks int) Inventory { return Inventory{Decks: uint8(decks), last: uint16(decks)*52 - 1} }

// Loaded is how many cards the shoe held when it was filled.
func (v *Inventory) Loaded() int { return int(v.Decks) * 52 }

// Left is how many cards should still be in the shoe. It is negative when more came out than were loaded.
func (v *Inventory) Left() int { return v.Loaded() - int(v.Drawn) }

// Draw counts a card that left the shoe and lies face down, or is not yet known to lie face up.
func (v *Inventory) Draw(c Card) {
	v.Drawn++
	if c == Unread {
		v.Unread++
		return
	}
	v.down[c&(Values-1)]++
}

// Turn counts a card drawn before as lying face up now. It reports false when more copies of it
// lie face up than there are decks.
func (v *Inventory) Turn(c Card) bool {
	i := c & (Values - 1)
	v.down[i]--
	v.up[i]++
	return v.up[i] <= v.Decks
}

// Show is Draw and Turn in one: the card left the shoe face up.
func (v *Inventory) Show(c Card) bool {
	v.Drawn++
	i := c & (Values - 1)
	v.up[i]++
	return v.up[i] <= v.Decks
}

// Deal is Show, or Draw for a card that goes face down, unless Show would report false or the card is the shoe's last one: then nothing is counted.
func (v *Inventory) Deal(c Card, down bool) bool {
	i := c & (Values - 1)
	switch {
	case v.Drawn == v.last:
		return false
	case down:
		v.down[i]++
	case v.up[i] < v.Decks:
		v.up[i]++
	default:
		return false
	}
	v.Drawn++
	return true
}

// Identify gives a card that was counted as Unread its value; it still lies face down for the count.
func (v *Inventory) Identify(c Card) {
	v.Unread--
	v.down[c&(Values-1)]++
}

// Mistook counts a card that lies face up as another one than it was taken for; NoCard is none.
func (v *Inventory) Mistook(was, is Card) {
	v.up[was&(Values-1)]--
	if is == NoCard {
		v.Drawn--
		return
	}
	v.up[is&(Values-1)]++
}

// Withdraw takes a card back that was counted by Draw: it was none, but the cut card.
func (v *Inventory) Withdraw(c Card) {
	v.Drawn--
	if c == Unread {
		v.Unread--
		return
	}
	v.down[c&(Values-1)]--
}

// Burn counts a card drawn before as discarded.
func (v *Inventory) Burn() { v.Burnt++ }

// Seen is how many copies of c lie face up.
func (v *Inventory) Seen(c Card) int { return int(v.up[c&(Values-1)]) }

// Excess is a card of which more copies left the shoe than it has decks, face down ones included, or NoCard.
// It may only be asked once the shoe is over: before, the answer would tell of cards nobody has seen.
func (v *Inventory) Excess() Card {
	if v.Drawn <= uint16(v.Decks) {
		return NoCard
	}
	for c := range v.up {
		if Card(c).Known() && v.up[c]+v.down[c] > v.Decks {
			return Card(c)
		}
	}
	return NoCard
}
