package table

import (
	"encoding/json"
	"time"
)

// Layout is what can be seen on the felt, as it is published and shown. A face-down card is its back in it, whatever
// the table knows.
type Layout struct {
	V      int       `json:"v"`
	Record string    `json:"record"`
	Seq    int64     `json:"seq"`
	At     time.Time `json:"at"`
	Table  string    `json:"table"`
	Game   string    `json:"game"`
	Rules  string    `json:"rules"`

	Round  uint32       `json:"round"`
	Shoe   LayoutShoe   `json:"shoe"`
	Phase  Phase        `json:"phase"`
	Due    *LayoutDue   `json:"due"`
	Seats  []LayoutSeat `json:"seats"`
	Dealer *LayoutHand  `json:"dealer"`

	Player *LayoutHand `json:"player,omitempty"` // baccarat's two hands
	Banker *LayoutHand `json:"banker,omitempty"`
	Coup   *LayoutCoup `json:"coup,omitempty"`  // and who won
	Coups  []string    `json:"coups,omitempty"` // the shoe's until now, each as its Mark, the first one first
	Spin   *LayoutSpin `json:"spin,omitempty"`  // roulette's winning number
	Spins  []int       `json:"spins,omitempty"` // and the day's last ones, newest first

	Ended   string  `json:"ended,omitempty"`
	Stopped *string `json:"stopped"` // null, "stopped" or "paused"; never why
	Last    *Recap  `json:"last"`
}

// LayOut fills in what the procedure knows: the shoe, the phase, the stop, and what is due outside a game's own phases.
func (p *Procedure) LayOut(l *Layout) {
	l.Round, l.Phase = p.Round, p.Phase
	l.Shoe = LayoutShoe{Number: p.ShoeNumber, Dealt: int(p.Shoe.Drawn), Left: max(p.Shoe.Left(), 0), LastRound: p.LastRound()}
	if p.Stopped() {
		word := "stopped"
		if p.paused {
			word = "paused"
		}
		l.Stopped = &word
	}
	d := &LayoutDue{Deadline: p.clock.deadline}
	switch {
	case p.rereading():
		d.Kind = DueReread.String()
	case p.Phase == ShoeChange:
		d.Kind = DueShoe.String()
	case p.Phase == Burning:
		d.Kind, d.Cards = DueBurn.String(), int(p.burnLeft)
	case p.Betting():
		d.Kind = DueClose.String()
	case p.Between():
		d.Kind = DueOpen.String()
	default:
		return
	}
	l.Due = d
}

// Lying are the cards that lie on a hand without being dealt there, after a correction.
func (p *Procedure) Lying(on Hand) []string {
	var cards []string
	for i := range int(p.queue.n) {
		switch h := &p.queue.list[i]; {
		case h.Hand != on || h.Code != CardMoved:
		case h.Bared:
			cards = append(cards, h.Card.String())
		default:
			cards = append(cards, Back)
		}
	}
	return cards
}

// Locked says whether the shoe's mouth is to be closed: while the table is closed, stopped or taking bets, and after the last round. It
// stays open between a round's cards, because a lock that toggles at each decision jams them, and for a card that is to
// be read again.
func (l *Layout) Locked() bool {
	switch {
	case l.Due != nil && l.Due.Kind == DueReread.String():
		return false
	case l.Stopped != nil:
		return true
	}
	return l.Phase == Closed || l.Phase == Bets || l.Phase == ShoeChange
}

// BetweenRounds says that no round is under way, nor a burn, from place your bets to the end: whatever the table waits for, it can wait longer.
func (l *Layout) BetweenRounds() bool {
	return l.Phase == Closed || l.Due != nil && (l.Due.Kind == DueOpen.String() || l.Due.Kind == DueShoe.String())
}

// LayoutShoe is the shoe as anybody at the table could count it.
type LayoutShoe struct {
	Number    uint32 `json:"number"`
	Dealt     int    `json:"dealt"`
	Left      int    `json:"left"`
	LastRound bool   `json:"last_round"`
}

// LayoutDue is what the table waits for. LeftMs is how much of the clock was left at the layout's time: paint the countdown
// from it, not from Until, which is for people.
type LayoutDue struct {
	Kind   string     `json:"kind"`
	Hand   string     `json:"hand,omitempty"`
	Seats  []int      `json:"seats,omitempty"`
	May    []string   `json:"may,omitempty"`
	Cards  int        `json:"cards,omitempty"` // burn: how many are still to go
	LeftMs int64      `json:"left_ms,omitempty"`
	Until  *time.Time `json:"until,omitempty"`

	Deadline time.Duration `json:"-"` // game time; the publisher makes LeftMs and Until of it
}

// LayoutSeat is one seat that plays.
type LayoutSeat struct {
	Seat      int          `json:"seat"`
	Hands     []LayoutHand `json:"hands"`
	Pair      string       `json:"pair,omitempty"`
	Insurance string       `json:"insurance,omitempty"`
}

// LayoutHand is a hand's cards and what they make.
type LayoutHand struct {
	Hand    string    `json:"hand,omitempty"`
	Cards   []string  `json:"cards"`
	Total   int       `json:"total"`
	Soft    bool      `json:"soft"`
	State   string    `json:"state,omitempty"`
	Split   bool      `json:"split,omitempty"`
	Doubled bool      `json:"doubled,omitempty"`
	Result  string    `json:"result,omitempty"`
	Stake   *HalfUnit `json:"stake,omitempty"`
	Net     *HalfUnit `json:"net,omitempty"`
}

// LayoutCoup is how a coup ended.
type LayoutCoup struct {
	Winner     string `json:"winner"`
	Player     int    `json:"player"`
	Banker     int    `json:"banker"`
	Natural    bool   `json:"natural"`
	PlayerPair bool   `json:"player_pair"`
	BankerPair bool   `json:"banker_pair"`
}

// Mark is the coup as roads need it, in a word: P, B or T for who won, then n after a natural, p and b for the Player's and the Banker's pair.
func (c *LayoutCoup) Mark() string {
	mark := map[string]string{PlayerWins.String(): "P", BankerWins.String(): "B", Tie.String(): "T"}[c.Winner]
	for _, more := range []struct {
		is     bool
		letter string
	}{{c.Natural, "n"}, {c.PlayerPair, "p"}, {c.BankerPair, "b"}} {
		if more.is {
			mark += more.letter
		}
	}
	return mark
}

// LayoutSpin is a winning number as it is shown.
type LayoutSpin struct {
	Number int    `json:"number"`
	Colour string `json:"colour"`
}

// Shown is the coup for the layout; natural says that one ended it.
func (c Coup) Shown(natural bool) *LayoutCoup {
	return &LayoutCoup{c.Winner.String(), int(c.Player), int(c.Banker), natural, c.PlayerPair, c.BankerPair}
}

// Shown is the number for the layout.
func (n Number) Shown() LayoutSpin { return LayoutSpin{int(n), n.Colour().String()} }

// HalfUnit is a number of half bet units; in JSON it is units, 1.5 for 3.
type HalfUnit int8

// MarshalJSON writes units.
func (h HalfUnit) MarshalJSON() ([]byte, error) { return AppendHalves(nil, int(h)), nil }

// UnmarshalJSON reads units.
func (h *HalfUnit) UnmarshalJSON(b []byte) error {
	var f float64
	err := json.Unmarshal(b, &f)
	*h = HalfUnit(f * 2)
	return err
}

// Recap is the last round's results, folded from calls, because the game forgets them at the next open.
type Recap struct {
	Round   uint32        `json:"round"`
	Ended   string        `json:"ended"`
	Dealer  int           `json:"dealer,omitempty"` // the dealer's total
	Results []RecapResult `json:"results,omitempty"`
	Coup    *LayoutCoup   `json:"coup,omitempty"`
	Spin    *LayoutSpin   `json:"spin,omitempty"`
}

// RecapResult is one hand's result.
type RecapResult struct {
	Hand   string   `json:"hand"`
	Result string   `json:"result"`
	Net    HalfUnit `json:"net"`
}

// Fold gives the recap after calls: a new one when a round ended in them, else r itself.
func (r *Recap) Fold(calls []Call) *Recap {
	next := &Recap{}
	for _, c := range calls {
		switch c.Word {
		case CallNumber:
			spin := Number(c.N).Shown()
			next.Spin = &spin
		case CallResult:
			if c.Coup.Winner != NoWinner {
				next.Coup = c.Coup.Shown(c.Natural)
			} else if c.Action != Insure {
				next.Results = append(next.Results, RecapResult{c.Hand.String(), c.Outcome.String(), HalfUnit(c.Net)})
			}
		case CallEnd:
			next.Round, next.Ended, next.Dealer = uint32(c.N), c.Ended.String(), int(c.Total)
			return next
		case CallVoid:
			return &Recap{Round: uint32(c.N), Ended: EndedVoid.String()}
		}
	}
	return r
}
