package angel

import (
	"strconv"
	"time"

	"sabot/shoe"
)

// Habits are how a [Device] behaves where shoes differ.
type Habits struct {
	Copies int  // of each message, from 1; the real one says 3
	Burn   bool // a new shoe's first card sets how many are burnt
}

// Device is the shoe's side, without the hardware: it keeps the position in the coup, the errors and the lock. Its methods
// return the bytes to send, which may be none. It is used by one goroutine. What a real one makes of a coup with a card it never read is not
// known: this one takes it as worth nothing, and ends such a coup as quit when the next one begins.
type Device struct {
	o Options
	h Habits

	seq      byte // counts 0 to 9, which is as good as any
	coup     coup
	fresh    bool // no S since the shoe was filled
	setsBurn bool // the next card sets the burn count
	burns    int  // cards to burn
	burnt    int
	unread   shoe.Claim // where the last card lies that was not read
	closed   bool
	errors   uint64 // a bit for each code

	command [commandLen]byte
	n       int
}

// commandLen is from 02 to the BCC.
const commandLen = 10

// NewDevice is a shoe that was just filled, and not switched on.
func NewDevice(o Options, h Habits) *Device { return &Device{o: o, h: h, fresh: true} }

// Boot is S. It ends everything that ran, and burns after a new filling.
func (d *Device) Boot() []byte {
	*d = Device{o: d.o, h: d.h, setsBurn: d.h.Burn && d.fresh}
	return d.say('S')
}

// Draw is the next card of the coup or the burn, with the result and standby after a coup's last; shoe.Unread where it
// could not be read. While locked or in error mode it is a card outside the game.
func (d *Device) Draw(c shoe.Card) (out []byte) {
	switch {
	case d.closed || d.errors != 0:
		return d.DrawAt(c, shoe.Claim{Side: shoe.Outside})
	case d.setsBurn || d.burns > 0:
		return d.burn(c)
	}
	claim := d.coup.due()
	if claim.Side == shoe.Nowhere { // it waited for a card that was not read
		out = d.Result(shoe.Result{Winner: shoe.Quit})
		claim = d.coup.due()
	}
	return append(append(out, d.DrawAt(c, claim)...), d.finish()...)
}

// DrawAt is a card where the shoe claims it went, without a thought of its own. It has no words for Nowhere.
func (d *Device) DrawAt(c shoe.Card, claim shoe.Claim) []byte {
	d.coup.lay(claim, c)
	if claim.Side == shoe.ToBurn {
		d.burnt++
	}
	position, ok := d.position(claim)
	switch {
	case !ok:
		return nil
	case claim.Side == shoe.Outside:
		return d.say('d', position, writeCard(c))
	case c == shoe.Unread:
		d.unread = claim
		return d.Fault(faults[misread].name, "")
	}
	return d.say('D', position, writeCard(c))
}

// Reread is the value of the card that was not read last, nil where all were.
func (d *Device) Reread(c shoe.Card) []byte {
	position, ok := d.position(d.unread)
	if !ok {
		return nil
	}
	d.coup.lay(d.unread, c)
	d.unread = shoe.Claim{}
	return append(d.say('R', position, writeCard(c)), d.finish()...)
}

// Result is the shoe's result, and standby. The coup is over.
func (d *Device) Result(r shoe.Result) []byte {
	d.coup, d.unread = coup{}, shoe.Claim{}
	return append(d.say('G', writeResult(r)), d.say('P')...)
}

// Cut is the cut card that left.
func (d *Device) Cut() []byte {
	d.fresh = true
	return d.say('C')
}

// Fault puts the shoe in error mode. The codes are the names of its errors; it has no others, and no texts.
func (d *Device) Fault(code, _ string) []byte {
	n := errorCode(code)
	if n == 0 {
		return nil
	}
	d.errors |= 1 << n
	return d.say('E', 0x80|errorMode|n)
}

// ClearFault ends an error.
func (d *Device) ClearFault(code string) []byte {
	n := errorCode(code)
	if n == 0 || d.errors>>n&1 == 0 {
		return nil
	}
	d.errors &^= 1 << n
	return d.say('e', 0x80|n)
}

// Locked says that the host closed the mouth.
func (d *Device) Locked() bool { return d.closed }

// Feed takes what the host sent. A command that does not verify, or that it does not know, is not answered: the codes of refusals are unknown.
func (d *Device) Feed(_ time.Duration, p []byte) (out []byte) {
	for _, b := range p {
		if b == stx {
			d.n = 0
		}
		if d.n == commandLen || d.n == 0 && b != stx {
			continue
		}
		d.command[d.n] = b
		d.n++
		if d.n == commandLen {
			out = append(out, d.obey(string(d.command[3:7]))...)
		}
	}
	return out
}

// obey does what a command says, if the whole of it is right.
func (d *Device) obey(word string) []byte {
	if string(d.o.command(word)) != string(d.command[:]) {
		return nil
	}
	switch word {
	case "LK02", "LK01":
		d.closed = word == "LK02"
		return []byte{ack}
	}
	n, err := strconv.Atoi(word[2:])
	if word[:2] != "EC" || err != nil || n < 1 || n >= len(faults) {
		return nil
	}
	return append([]byte{ack}, d.ClearFault(faults[n].name)...)
}

// burn takes a card to the burn, and says standby behind the last.
func (d *Device) burn(c shoe.Card) []byte {
	claim := shoe.Claim{Side: shoe.ToBurn}
	if d.setsBurn && c != shoe.Unread {
		out := d.say('D', 0x80|setsBurn<<4|1, writeCard(c))
		d.setsBurn, d.burns = false, min(int(c.Rank()), 10)
		return out
	}
	out := d.DrawAt(c, claim)
	if d.setsBurn { // an unread card sets nothing; the next one does
		return out
	}
	d.burns--
	if d.burns == 0 {
		out = append(out, d.say('P')...)
	}
	return out
}

// finish says the result of a coup that is complete, if every card of it was read.
func (d *Device) finish() []byte {
	if d.coup.n[0] == 0 || d.coup.due().Side != shoe.Nowhere || d.unread.Side != shoe.Nowhere {
		return nil
	}
	return d.Result(d.coup.result())
}

// say is a message, in all its copies.
func (d *Device) say(letter byte, payload ...byte) (out []byte) {
	d.seq = (d.seq + 1) % 10
	one := frame(enq, false, string(append([]byte{'0' + d.seq, letter}, payload...)))
	for range d.h.Copies {
		out = append(out, one...)
	}
	return out
}

// position is a claim's byte; ok is false where there is none. Outside says why a card is: locked or in error.
func (d *Device) position(claim shoe.Claim) (b byte, ok bool) {
	switch claim.Side {
	case shoe.ToPlayer:
		return 0x80 | toPlayer<<4 | claim.Index&15, true
	case shoe.ToBanker:
		return 0x80 | toBanker<<4 | claim.Index&15, true
	case shoe.ToBurn:
		return 0x80 | toBurn<<4 | byte(1+(d.burnt-1)%15), true
	case shoe.Outside:
		if d.errors != 0 && !d.closed {
			return 0x81, true
		}
		return 0x80, true
	}
	return 0, false
}

// errorCode is the code of an error's name, 0 for none.
func errorCode(name string) byte {
	for code, f := range faults {
		if f.name == name && name != "" {
			return byte(code)
		}
	}
	return 0
}

// coup is the shoe's own baccarat.
type coup struct {
	cards [2][3]shoe.Card // the player's, the banker's
	n     [2]uint8
}

// lay puts a card to a hand. Player 1 begins a coup.
func (c *coup) lay(claim shoe.Claim, card shoe.Card) {
	if claim.Side != shoe.ToPlayer && claim.Side != shoe.ToBanker || claim.Index < 1 || claim.Index > 3 {
		return
	}
	side := claim.Side - shoe.ToPlayer
	if claim == (shoe.Claim{Side: shoe.ToPlayer, Index: 1}) && c.n[0] > 1 {
		*c = coup{}
	}
	c.cards[side][claim.Index-1] = card
	c.n[side] = max(c.n[side], claim.Index)
}

// points is a hand's total.
func (c *coup) points(side int) (total uint8) {
	for _, card := range c.cards[side][:c.n[side]] {
		total += worth(card)
	}
	return total % 10
}

// worth is a card's points; pictures, tens and unread cards have none.
func worth(c shoe.Card) uint8 {
	if c.Rank() > 9 {
		return 0
	}
	return uint8(c.Rank())
}

// bankerDraws are the player's third cards, a bit for each worth, against which the banker draws on a total.
var bankerDraws = [10]uint16{0x3ff, 0x3ff, 0x3ff, 0x2ff, 0x0fc, 0x0f0, 0x0c0, 0, 0, 0}

// due is where the next card goes; nowhere when the coup is complete.
func (c *coup) due() shoe.Claim {
	player := shoe.Claim{Side: shoe.ToPlayer, Index: c.n[0] + 1}
	banker := shoe.Claim{Side: shoe.ToBanker, Index: c.n[1] + 1}
	p, b := c.points(0), c.points(1)
	switch {
	case c.n[0] < 2 && c.n[0] <= c.n[1]:
		return player
	case c.n[1] < 2:
		return banker
	case c.n[1] == 3 || c.n[0] == 2 && (p > 7 || b > 7):
		return shoe.Claim{}
	case c.n[0] == 2 && p < 6:
		return player
	case c.n[0] == 2 && b < 6 || c.n[0] == 3 && bankerDraws[b]>>worth(c.cards[0][2])&1 != 0:
		return banker
	}
	return shoe.Claim{}
}

// result is that of a complete coup.
func (c *coup) result() shoe.Result {
	r := shoe.Result{Winner: shoe.Tie, PlayerPair: c.pair(0), BankerPair: c.pair(1)}
	switch p, b := c.points(0), c.points(1); {
	case p > b:
		r.Winner = shoe.PlayerWins
	case b > p:
		r.Winner = shoe.BankerWins
	}
	return r
}

// pair says that a hand's first two cards have one rank.
func (c *coup) pair(side int) bool { return c.cards[side][0].Rank() == c.cards[side][1].Rank() }
