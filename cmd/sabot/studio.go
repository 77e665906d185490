package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack/strategy"
	"sabot/table/wager"
)

// studio is the people around a demonstration's table: a dealer who draws from the virtual shoe, players who play the basic strategy through
// a game server, a supervisor who releases. They know what the topics tell them and nothing else. Now and then
// somebody errs on purpose; what the table said of it is compared with what was done.
type studio struct {
	table    string
	broker   paho.Client
	shoe     *virtualShoe
	rng      *rand.Rand
	seed     uint64
	mistakes float64
	pace     func(time.Duration) // waits, at the demonstration's speed
	device   string              // what the table is played with, by its name on the floor
	game     string              //
	seated   int                 // seats at the table
	play     *strategy.Table     // nil where there is nothing to decide
	evens    bool                // a natural is offered even money, and not insurance
	book     *sessionBook        // nil where nobody plays a session
	told     wager.Session       // as it was told last
	tells    func(was, now wager.Session, seq int64)

	mu      sync.Mutex
	changed chan struct{} // closed at the next news
	layout  table.Layout
	floor   table.FloorState
	replies map[string]answer

	ids      int
	number   uint32 // of the shoe whose cards these are
	cards    []shoe.Card
	drawn    int // of them
	cutAt    int
	isCut    bool
	excused  []string // codes of what the demonstration itself may cause once, by going on with a record
	erred    []string // codes of the mistakes made that the table did not yet call
	caused   int
	caught   int
	alarms   []string // what it called that nobody did
	refused  int
	floorSeq int64          // of the last floor message
	settled  map[int64]bool // irregularities released: the floor's state follows by a moment
	rounds   int
	dealt    int
}

// answer is a reply as it came.
type answer struct {
	OK       bool
	Code     string
	Seq      int64
	Messages []callHeard // of a page of calls
	Next     int64       // where the next page begins
}

// patience is how long the people wait for the table to react before they give up.
const patience = time.Minute

// join connects the people to the broker.
func (s *studio) join(addr string) error {
	s.changed = make(chan struct{})
	s.replies, s.settled = map[string]answer{}, map[int64]bool{}
	o := paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("studio-" + s.table).SetAutoReconnect(true).SetOrderMatters(true)
	joined := make(chan error, 1)
	o.SetOnConnectHandler(func(c paho.Client) { // a broker that cut us off forgot what we listen to
		err := s.subscribe(c)
		select {
		case joined <- err:
		default:
		}
	})
	s.broker = paho.NewClient(o)
	if t := s.broker.Connect(); !t.WaitTimeout(patience) || t.Error() != nil {
		return fmt.Errorf("demo: the studio cannot reach the broker at %s: %v", addr, t.Error())
	}
	select {
	case err := <-joined:
		return err
	case <-time.After(patience):
		return errors.New("demo: the studio cannot subscribe: no answer")
	}
}

// subscribe listens to the topics people follow.
func (s *studio) subscribe(c paho.Client) error {
	topics := map[string]func([]byte){
		"layout": s.hearLayout, "floor/state": s.hearFloorState, "floor": s.hearFloor, "reply/game": s.hearReply, "reply/floor": s.hearReply,
	}
	if s.book != nil {
		topics["settlement"] = s.hearSettlement
	}
	for topic, hear := range topics {
		t := c.Subscribe("sabot/"+s.table+"/"+topic, 1, func(_ paho.Client, m paho.Message) { hear(m.Payload()) })
		if !t.WaitTimeout(patience) || t.Error() != nil {
			return fmt.Errorf("demo: the studio cannot subscribe to %s: %v", topic, t.Error())
		}
		if t.(*paho.SubscribeToken).Result()["sabot/"+s.table+"/"+topic] > 2 {
			return fmt.Errorf("demo: the broker refuses the studio's subscription to %s", topic)
		}
	}
	return nil
}

// heard runs a change under the lock and wakes all who wait.
func (s *studio) heard(change func()) {
	s.mu.Lock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
}

func (s *studio) hearLayout(p []byte) {
	var l table.Layout
	if json.Unmarshal(p, &l) == nil {
		s.heard(func() {
			if s.layout = l; s.book != nil {
				s.book.look(&l)
			}
		})
	}
}

func (s *studio) hearFloorState(p []byte) {
	var f table.FloorState
	if json.Unmarshal(p, &f) == nil {
		s.heard(func() { s.floor = f })
	}
}

func (s *studio) hearReply(p []byte) {
	var r struct {
		ID string
		answer
	}
	if json.Unmarshal(p, &r) == nil {
		s.heard(func() { s.replies[r.ID] = r.answer })
	}
}

// hearFloor holds each irregularity called against the mistakes made.
func (s *studio) hearFloor(p []byte) {
	var m struct {
		Seq   int64
		Calls []struct{ Call, Code string }
	}
	if json.Unmarshal(p, &m) != nil {
		return
	}
	s.heard(func() {
		if m.Seq <= s.floorSeq { // delivery is at least once: this one was heard before
			return
		}
		s.floorSeq = m.Seq
		for _, c := range m.Calls {
			if c.Call == "irregularity" {
				s.judge(c.Code)
			}
		}
	})
}

func (s *studio) judge(code string) {
	if i := slices.Index(s.erred, code); i >= 0 {
		s.erred = slices.Delete(s.erred, i, i+1)
		s.caught++
		return
	}
	if i := slices.Index(s.excused, code); i >= 0 {
		s.excused = slices.Delete(s.excused, i, i+1)
		return
	}
	if code != table.ClockStep.String() { // the machine's clock is nobody's mistake
		s.alarms = append(s.alarms, code)
	}
}

// err is about to make a mistake, of which the table must call this code.
func (s *studio) err(code table.Code) {
	s.mu.Lock()
	s.erred = append(s.erred, code.String())
	s.caused++
	s.mu.Unlock()
}

// until waits for something to become true of what was heard.
func (s *studio) until(ctx context.Context, what string, true func() bool) error {
	err := s.within(ctx, patience, true)
	if errors.Is(err, errLate) {
		return fmt.Errorf("demo: waited %v in vain for %s", patience, what)
	}
	return err
}

// errLate is a wait that took too long.
var errLate = errors.New("demo: no answer")

func (s *studio) within(ctx context.Context, most time.Duration, true func() bool) error {
	limit := time.After(most)
	for {
		s.mu.Lock()
		ok, changed := true(), s.changed
		s.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-limit:
			return errLate
		}
	}
}

// command sends a command and waits for its answer and for the layout that shows it. Without an answer it sends it again under the
// same id, which does no harm: a repeated id gets its first answer.
func (s *studio) command(ctx context.Context, who string, fields map[string]any) (answer, error) {
	s.ids++
	id := fmt.Sprintf("%s-%d-%d", who, time.Now().UnixNano(), s.ids)
	fields["v"], fields["id"] = 1, id
	body, err := json.Marshal(fields)
	if err != nil {
		return answer{}, err
	}
	var a answer
	answered := func() (ok bool) {
		a, ok = s.replies[id]
		return ok && s.layout.Seq >= a.Seq
	}
	for limit := time.Now().Add(patience); ; {
		t := s.broker.Publish("sabot/"+s.table+"/command/"+who, 1, false, body)
		if !t.WaitTimeout(patience) || t.Error() != nil {
			return a, fmt.Errorf("demo: the broker took no command: %v", t.Error())
		}
		err := s.within(ctx, time.Second, answered)
		if err == nil {
			s.heard(func() { delete(s.replies, id) })
		}
		if err == nil && a.Code != table.Busy.String() || ctx.Err() != nil || time.Now().After(limit) {
			return a, err
		}
	}
}

// must is command for one that the table has to accept. When the table stopped or went on meanwhile it is refused, rightly, and
// the next turn sees why.
func (s *studio) must(ctx context.Context, who string, fields map[string]any) error {
	a, err := s.command(ctx, who, fields)
	switch {
	case err != nil || a.OK:
		return err
	case a.Code == table.Stale.String() || a.Code == table.Held.String():
		s.late()
		return nil
	}
	return fmt.Errorf("demo: %v was refused: %s", fields, a.Code)
}

// late is a command refused because it crossed with what happened. The table's note of it is no false alarm, whether it was heard
// already or is still to come.
func (s *studio) late() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.caused++
	if i := slices.Index(s.alarms, table.Refused.String()); i >= 0 {
		s.alarms = slices.Delete(s.alarms, i, i+1)
		s.caught++
		return
	}
	s.erred = append(s.erred, table.Refused.String())
}

// draw takes a card from the shoe and waits until the table has counted it. When the table stopped first, nothing is drawn.
func (s *studio) draw(ctx context.Context, c shoe.Card) error {
	_, err := s.take(ctx, c)
	return err
}

func (s *studio) take(ctx context.Context, c shoe.Card) (left bool, err error) {
	want := s.now().Shoe.Dealt + 1
	if left, err = s.leave(ctx, func() error { return s.shoe.Draw(c) }); !left {
		return false, err
	}
	s.drawn++
	s.dealt++
	return true, s.until(ctx, "a card to be counted", func() bool { return s.layout.Shoe.Dealt >= want })
}

// drawWrong is draw for a card that the table must call by a code.
func (s *studio) drawWrong(ctx context.Context, c shoe.Card, code table.Code) error {
	s.err(code)
	left, err := s.take(ctx, c)
	if !left { // nobody erred
		s.heard(func() {
			s.caused--
			i := slices.Index(s.erred, code.String())
			s.erred = slices.Delete(s.erred, i, i+1)
		})
	}
	return err
}

// leave waits for the mouth to open: the lock follows the layout by a moment. It leaves nothing, and the next turn sees why, when the table stops
// before it opens.
func (s *studio) leave(ctx context.Context, out func() error) (left bool, err error) {
	limit := time.Now().Add(patience)
	for {
		err := out()
		layout := s.now()
		switch {
		case err == nil:
			return true, nil
		case time.Now().After(limit) || ctx.Err() != nil:
			return false, err
		case layout.Locked():
			return false, nil
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// shoeInHand makes the cards of the shoe the table plays; after a restart it goes on where the record stands.
func (s *studio) shoeInHand(l table.Layout) {
	if s.number == l.Shoe.Number && s.drawn == l.Shoe.Dealt {
		return
	}
	s.number, s.drawn = l.Shoe.Number, l.Shoe.Dealt
	s.cards = shuffled((l.Shoe.Dealt+l.Shoe.Left)/52, s.seed, s.number)
	s.cutAt = len(s.cards)*77/100 + rand.New(rand.NewPCG(s.seed, uint64(s.number)^1)).IntN(len(s.cards)/10) // no house has it earlier than 75 %
	s.isCut = l.Shoe.LastRound || s.drawn > s.cutAt
}

// run plays until this many rounds have ended, or for ever with 0.
func (s *studio) run(ctx context.Context, rounds int) error {
	if err := s.until(ctx, "a layout", func() bool { return s.layout.V == 1 && s.floor.V == 1 }); err != nil {
		return err
	}
	if s.book != nil {
		if err := s.recall(ctx); err != nil {
			return err
		}
	}
	for ended := s.now().Round; ; {
		l := s.now()
		if l.Ended != "" && s.book != nil {
			if err := s.settle(ctx, l); err != nil {
				return err
			}
		}
		if l.Ended != "" && l.Round > ended {
			ended = l.Round
			s.rounds++
			if s.rounds == rounds {
				return s.until(ctx, "every mistake to be called", func() bool { return len(s.erred) == 0 })
			}
		}
		if err := s.turn(ctx, l); err != nil {
			return err
		}
	}
}

func (s *studio) now() table.Layout {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.layout
}

// turn does the next thing that is due.
func (s *studio) turn(ctx context.Context, l table.Layout) error {
	switch {
	case l.Stopped != nil:
		return s.supervise(ctx)
	case l.Due == nil:
		return s.must(ctx, "floor", map[string]any{"do": "table-open", "by": "S-1"})
	case s.runsOut(l):
		return s.giveUp(ctx, l)
	}
	switch l.Due.Kind {
	case "shoe":
		return s.changeShoe(ctx, l)
	case "burn", "card":
		return s.deal(ctx, l)
	case "open":
		return s.openRound(ctx, l)
	case "close":
		if s.book != nil {
			return s.closeSession(ctx, l)
		}
		s.pace(800 * time.Millisecond)
		return s.must(ctx, "game", map[string]any{"do": "close", "round": l.Round, "seen": l.Seq, "seats": s.seats(s.rng)})
	case "insurance":
		return s.must(ctx, "game", map[string]any{"do": s.insures(l.Due.Seats[0]), "round": l.Round, "seen": l.Seq, "seat": l.Due.Seats[0]})
	case "decision":
		return s.decide(ctx, l)
	case "ball":
		s.pace(time.Second)
		s.shoe.Spin()
		return s.until(ctx, "the ball to be counted", func() bool { return s.layout.Seq > l.Seq })
	case "result":
		s.pace(3 * time.Second)
		s.shoe.Win(uint8(s.rng.IntN(table.Pockets)))
		return s.until(ctx, "the number to be called", func() bool { return s.layout.Seq > l.Seq })
	}
	return fmt.Errorf("demo: nobody here does %q", l.Due.Kind)
}

// runsOut says that the shoe has not the cards for what is due.
func (s *studio) runsOut(l table.Layout) bool {
	return s.device == "shoe" && l.Shoe.Number > 0 && l.Phase != table.ShoeChange && l.Shoe.Left < 2
}

// giveUp ends a shoe that was wasted on mistakes: the round is void, the shoe retired.
func (s *studio) giveUp(ctx context.Context, l table.Layout) error {
	if l.Phase > table.Bets && l.Phase < table.Results || l.Due.Kind == "close" {
		return s.must(ctx, "floor", map[string]any{"do": "void", "by": "S-1", "because": "the shoe is empty"})
	}
	return s.must(ctx, "floor", map[string]any{"do": "retire", "by": "S-1"})
}

// clearFelt ends what a record in doubt does not vouch for: the round, or where none is under way the shoe.
func (s *studio) clearFelt(ctx context.Context, l table.Layout) error {
	do := "void"
	if l.BetweenRounds() || l.Last != nil && l.Last.Round == l.Round {
		do = "retire"
	}
	return s.must(ctx, "floor", map[string]any{"do": do, "by": "S-1", "because": "the record does not vouch for the felt"})
}

func (s *studio) changeShoe(ctx context.Context, l table.Layout) error {
	s.pace(1500 * time.Millisecond)
	if l.Shoe.Number > 0 {
		if err := s.must(ctx, "floor", map[string]any{"do": "count", "cards": l.Shoe.Left, "by": "S-1"}); err != nil {
			return err
		}
	}
	return s.must(ctx, "floor", map[string]any{"do": "shoe", "number": l.Shoe.Number + 1, "by": "S-1"})
}

func (s *studio) openRound(ctx context.Context, l table.Layout) error {
	s.pace(1200 * time.Millisecond)
	if s.game == "blackjack" && l.Phase == table.Results && s.errs() {
		s.shoeInHand(l)
		return s.drawWrong(ctx, s.cards[s.drawn], table.CardAfterEnd)
	}
	return s.must(ctx, "game", map[string]any{"do": "open", "round": l.Round + 1})
}

// seats are one to four of those at the table.
func (s *studio) seats(rng *rand.Rand) []int {
	seats := rng.Perm(s.seated)[:1+rng.IntN(min(4, s.seated))]
	for i := range seats {
		seats[i]++
	}
	slices.Sort(seats)
	return seats
}

func (s *studio) insures(seat int) string {
	if s.evens || s.rng.IntN(4) > 0 || !s.affords(seat) {
		return "decline"
	}
	return "insure"
}

// errs says that somebody makes a mistake now.
func (s *studio) errs() bool { return s.rng.Float64() < s.mistakes }

// deal draws the card that is due, with the cut card where it lies.
func (s *studio) deal(ctx context.Context, l table.Layout) error {
	s.pace(280 * time.Millisecond)
	s.shoeInHand(l)
	if s.drawn >= s.cutAt && !s.isCut {
		left, err := s.leave(ctx, s.shoe.Cut)
		if !left {
			return err
		}
		s.isCut = true
	}
	c := s.cards[s.drawn]
	if s.rng.IntN(10) == 0 { // the line is not clean; no harm may come of it
		s.shoe.Disturb([]byte("\x00\xff$SBCRD,9,9S*00\r\n"))
	}
	switch {
	case !s.errs():
		return s.draw(ctx, c)
	case s.rng.IntN(4) == 0 && l.Due.Kind == "card":
		return s.pullCable(ctx)
	case l.Due.Kind == "burn" && l.Shoe.Dealt > 0:
		return s.drawWrong(ctx, shoe.Unread, table.BurnUnread)
	}
	return s.drawWrong(ctx, shoe.Unread, table.Misread)
}

func (s *studio) pullCable(ctx context.Context) error {
	s.err(table.DeviceLost)
	s.shoe.Unplug()
	if err := s.until(ctx, "the lost shoe to be called", func() bool { return len(s.erred) == 0 && s.floor.Devices[s.device] == "lost" }); err != nil {
		return err
	}
	s.pace(time.Second)
	if err := s.shoe.Plug(); err != nil {
		return err
	}
	return s.until(ctx, "the shoe to be found", func() bool { return s.floor.Devices[s.device] == "ok" })
}

// decide plays the basic strategy for the hand in turn, or does what nobody should.
func (s *studio) decide(ctx context.Context, l table.Layout) error {
	s.pace(450 * time.Millisecond)
	if s.errs() {
		return s.decideWrong(ctx, l)
	}
	do, err := s.basic(l)
	if err != nil {
		return err
	}
	order := map[string]any{"do": do, "hand": l.Due.Hand, "round": l.Round, "seen": l.Seq}
	if do == table.Surrender.Word() { // it is the seat's, not a hand's
		delete(order, "hand")
		order["seat"] = table.ParseHand(l.Due.Hand).Seat()
	}
	return s.must(ctx, "game", order)
}

// decideWrong is a player who acts on another's hand, or a dealer who draws before the player has decided.
func (s *studio) decideWrong(ctx context.Context, l table.Layout) error {
	if s.rng.IntN(2) == 0 {
		s.shoeInHand(l)
		return s.drawWrong(ctx, s.cards[s.drawn], table.ExtraCard)
	}
	s.err(table.Refused)
	a, err := s.command(ctx, "game", map[string]any{"do": "hit", "hand": strconv.Itoa(l.Seats[0].Seat%7+1) + "d", "round": l.Round, "seen": l.Seq})
	if err == nil && a.OK {
		err = fmt.Errorf("demo: a decision on a hand that is not there was accepted")
	}
	s.refused++
	return err
}

// basic is the strategy's decision for the hand in turn.
func (s *studio) basic(l table.Layout) (string, error) {
	hand, up, err := inTurn(l)
	if err != nil {
		return "", err
	}
	var may table.Actions
	for _, w := range l.Due.May {
		may |= table.Can(table.ParseKind(w))
	}
	return s.play.Decide(hand, up.Rank(), may).Word(), nil
}

// inTurn are the cards of the hand in turn and the dealer's up card.
func inTurn(l table.Layout) (hand []shoe.Card, up shoe.Card, err error) {
	if up, err = shoe.ParseCard(l.Dealer.Cards[0]); err != nil {
		return nil, up, err
	}
	for _, seat := range l.Seats {
		for _, h := range seat.Hands {
			if h.Hand != l.Due.Hand {
				continue
			}
			for _, text := range h.Cards {
				c, err := shoe.ParseCard(text)
				if err != nil {
					return nil, up, err
				}
				hand = append(hand, c)
			}
			return hand, up, nil
		}
	}
	return nil, up, fmt.Errorf("demo: the hand in turn, %s, is not on the layout", l.Due.Hand)
}

// supervise releases the oldest irregularity as a house would: what could not be read is read off the card, what fell
// out is burnt, what was looked at goes on.
func (s *studio) supervise(ctx context.Context) error {
	s.pace(1500 * time.Millisecond)
	var (
		stop   table.StopState
		layout table.Layout
	)
	err := s.until(ctx, "the floor to say what stopped the table", func() bool {
		layout = s.layout
		i := slices.IndexFunc(s.floor.Stops, func(st table.StopState) bool { return !s.settled[st.Irregularity] && !st.Later })
		if i >= 0 {
			stop = s.floor.Stops[i]
		}
		return i >= 0 || s.floor.Paused || layout.Stopped == nil
	})
	switch {
	case err != nil || layout.Stopped == nil:
		return err
	case stop.Irregularity == 0:
		return s.must(ctx, "floor", map[string]any{"do": "resume", "by": "S-1"})
	}
	s.settled[stop.Irregularity] = true
	if len(stop.Remedies) == 0 {
		return s.clearFelt(ctx, layout)
	}
	order := map[string]any{"do": "release", "irregularity": stop.Irregularity, "by": "S-1"}
	switch stop.Code {
	case table.Misread.String():
		s.shoeInHand(layout)
		order["do"], order["card"], order["because"] = "correct", s.cards[s.drawn-1].String(), "read off the card"
	case table.ExtraCard.String():
		order["remedy"], order["because"] = "burn", "drawn too early, exposed"
	}
	return s.must(ctx, "floor", order)
}
