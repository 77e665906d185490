package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/table"
	"sabot/table/box"
)

// scene is what stands and lies at the table. Cards that must not be seen are hearts, and no others are: whoever names a heart before it was turned has told a secret.
type scene struct {
	shoe   *line.Device
	pack   []shoe.Card                 // left in the shoe
	drawn  map[uint32][]string         // by shoe: what left it, in order
	number uint32                      // the shoe in play
	out    int                         // cards that left it
	cut    bool                        // its cut card did
	hole   []string                    // what may lie there
	loose  []string                    // hearts that nobody was due
	holes  uint32                      // in which round
	turned map[uint32]map[string]int64 // hearts, by the round in which they may be named, and the entry before they were turned

	plugged  bool
	back     time.Time // when it is plugged in again
	toHost   []byte
	toShoe   []byte
	noise    int // of a hundred sentences so many are disturbed
	dropped  map[string]bool
	rebooted bool      // the table did not call it yet
	roomy    time.Time // when somebody made room on the disk last
	room     time.Time // when somebody will again
	online   time.Time // when the broker is back
	unread   shoe.Card // the last one
}

func newScene(seed uint64) scene {
	return scene{
		shoe: line.NewDevice("virtual", "world", uint32(seed)|1), plugged: true, drawn: map[uint32][]string{}, turned: map[uint32]map[string]int64{},
		noise: 5, dropped: map[string]bool{},
	}
}

// forget is a new record: no shoe is in play.
func (s *scene) forget() { s.number, s.out, s.pack = 0, 0, nil }

// fill puts a shoe into play.
func (w *world) fill(number uint32) {
	w.number, w.out, w.cut, w.pack = number, 0, false, nil
	for range w.rules.Decks {
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
	var m struct{ Round uint32 }
	json.Unmarshal(payload, &m)
	for _, name := range heart.FindAll(payload, -1) {
		w.mu.Lock()
		_, ok := w.turned[m.Round][strings.Trim(string(name), `"`)]
		ok = ok || w.lost // the people do not know what the table knows
		w.mu.Unlock()
		if !ok {
			w.t.Errorf("seed %d: %s tells %s, which nobody has seen: %s", w.seed, topic, name, payload)
		}
	}
}

// draw lets a card leave the shoe, if its mouth is open; what the shoe reads of it is said.
func (w *world) draw(c, read shoe.Card) bool {
	if w.shoe.Locked() || !w.plugged {
		w.pack = append([]shoe.Card{c}, w.pack...)
		return false
	}
	w.out++
	w.drawn[w.number] = append(w.drawn[w.number], read.String())
	w.tell("a card leaves the shoe: %v, read as %v", c, read)
	w.toHost = append(w.toHost, w.shoe.Draw(read)...)
	return true
}

var sentence = regexp.MustCompile(`\$[^\r\n]*\r\n`)

// wire carries what shoe and program say to each other, and does to it what wires do. Each sentence is lost at most once: one that is lost for good is called a gap.
func (w *world) wire(p *program) bool {
	p.mu.Lock()
	acks, lock := p.acks, p.shown.Locked() || p.halted
	p.acks = nil
	p.mu.Unlock()
	for _, s := range acks {
		w.toShoe = append(w.toShoe, p.decoder.Ack(s)...)
	}
	if p.told == nil || *p.told != lock {
		p.told = &lock
		w.toShoe = append(w.toShoe, p.decoder.Lock(lock)...)
	}
	moved := len(acks)+len(w.toHost)+len(w.toShoe) > 0
	up, down := w.toHost, w.toShoe
	w.toHost, w.toShoe = nil, nil
	if !w.plugged {
		return false
	}
	now := time.Since(w.began)
	if up = w.disturb(up); len(up) > 0 {
		w.hears(p, now, up)
	}
	if down = w.loseAcks(down); len(down) > 0 {
		w.toHost = append(w.toHost, w.shoe.Feed(now, down)...)
	}
	return moved
}

// hears is the program's driver.
func (w *world) hears(p *program, now time.Duration, bytes []byte) {
	reports, out := p.decoder.Feed(now, bytes)
	w.toShoe = append(w.toShoe, out...)
	for _, r := range reports {
		w.arrives(r)
	}
}

// arrives is a report that goes to the loop.
func (w *world) arrives(r shoe.Report) {
	e, ok := table.FromReport(r)
	if !ok {
		return
	}
	p := w.program
	p.heard = r.Source
	p.live.Device(Input{Event: e, Source: r.Source, Raw: r.Raw, At: time.Now(), Done: func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		w.rebooted = w.rebooted && r.Kind != shoe.Booted
		if r.Source.Seq > 0 || r.Source.Epoch > 0 {
			p.acks = append(p.acks, r.Source)
		}
	}})
}

func (w *world) disturb(p []byte) (out []byte) {
	for _, s := range sentence.FindAll(p, -1) {
		numbered := !bytes.HasPrefix(s, []byte("$SBH"))
		switch n := w.dice.IntN(100); {
		case n >= w.noise:
			out = append(out, s...)
		case n%4 == 0:
			w.count("wire: noise")
			out = append(append(out, "\x00\xff$SBCRD,9,9S*00\r\n"...), s...)
		case n%4 == 1 && numbered && !w.dropped[string(s)]:
			w.count("wire: sentence lost")
			w.dropped[string(s)] = true
		default:
			w.count("wire: sentence twice")
			out = append(append(out, s...), s...)
		}
	}
	return out
}

func (w *world) loseAcks(p []byte) (out []byte) {
	for _, s := range sentence.FindAll(p, -1) {
		if bytes.HasPrefix(s, []byte("$SBACK")) && w.dice.IntN(100) < w.noise {
			w.count("wire: acknowledgement lost")
			continue
		}
		out = append(out, s...)
	}
	return out
}

// tick is time that has passed: for the shoe, the wire, and who mends what was broken.
func (w *world) tick() {
	now := time.Since(w.began)
	w.toHost = append(w.toHost, w.shoe.Feed(now, nil)...)
	if w.program != nil && w.plugged {
		w.hears(w.program, now, nil)
	}
	if !w.plugged && !w.back.IsZero() && time.Now().After(w.back) {
		w.plug()
	}
	if !w.online.IsZero() && time.Now().After(w.online) {
		w.online = time.Time{}
		w.post.back()
	}
	if !w.room.IsZero() && time.Now().After(w.room) {
		w.room = time.Time{}
		w.tell("somebody makes room on the disk")
		w.roomy = time.Now()
		w.drive.fill(0)
	}
}

// once does what is called by one code, once: or not at all, if the program dies over it.
func (w *world) once(code table.Code, do func()) {
	p := w.program
	w.must(code)
	do()
	w.pump()
	if w.program != p || w.drive.slow() {
		w.perhaps(code)
	}
}

func (w *world) unplug() {
	w.count("shoe: unplugged")
	w.plugged, w.back = false, time.Now().Add(time.Duration(1+w.dice.IntN(20))*time.Second)
	w.toHost, w.toShoe = nil, nil
	if w.program != nil {
		w.once(table.DeviceLost, func() { w.arrives(shoe.Report{Kind: shoe.Lost, Source: shoe.Source{Device: "shoe"}}) })
	}
}

func (w *world) plug() {
	if w.plugged {
		return
	}
	w.tell("the shoe is plugged in")
	w.plugged, w.back = true, time.Time{}
	if p := w.program; p != nil {
		p.decoder.Resume(p.live.Resume("shoe"))
		p.told = nil
		w.arrives(shoe.Report{Kind: shoe.Found, Source: shoe.Source{Device: "shoe"}})
	}
	w.toHost = append(w.toHost, w.shoe.Hello()...)
}

// reboot is a shoe that starts afresh, and keeps what was not acknowledged.
func (w *world) reboot() {
	if w.out == 0 || w.rebooted {
		return
	}
	w.count("shoe: starts afresh")
	w.toHost = append(w.toHost, w.shoe.Reboot(w.dice.Uint32()|1)...)
	w.rebooted = true
	w.must(table.DeviceRestart)
}

// command asks for something, again and again by the same id until there is an answer. Once there is, the same comes by the broker, as far as it gets through, and must be
// answered the same and do nothing. What is refused must be for a reason that the world knows.
func (w *world) command(who table.Audience, excused []table.Code, fields map[string]any) table.Reply {
	w.ids++
	id := fmt.Sprintf("%s-%d", senders[who], w.ids)
	fields["v"], fields["id"] = 1, id
	c := table.Command{ID: id, From: who, Event: event(w.t, written(fields))}
	c.Round, _ = fields["round"].(uint32)
	c.Seen, _ = fields["seen"].(int64)
	w.tell("%s asks: %v %s", senders[who], c.Event, id)
	for try := 0; ; try++ {
		if w.program == nil {
			w.sleep(time.Second)
			continue
		}
		p, answers, hurt := w.program, make(chan table.Reply, 1), w.drive.hurt()
		p.live.Command(c, func(r table.Reply) { answers <- r })
		w.sleep(250 * time.Millisecond)
		for w.program == p && w.drive.slow() {
			w.sleep(250 * time.Millisecond)
		}
		select {
		case r := <-answers:
			if r.Code == table.Busy {
				continue
			}
			w.answered(r, excused, try > 0, hurt)
			body, _ := json.Marshal(fields)
			w.post.say("sabot/BJ-1/command/"+senders[who], body)
			return r
		default:
		}
	}
}

// written is a command in the notation.
func written(fields map[string]any) string {
	text := strings.Replace(fields["do"].(string), "table-", "table ", 1)
	for _, name := range []string{"number", "cards", "irregularity", "remedy", "card", "hand", "seat", "name"} {
		if v, ok := fields[name]; ok {
			text += fmt.Sprint(" ", v)
		}
	}
	if seats, ok := fields["seats"]; ok {
		text += " " + strings.ReplaceAll(strings.Trim(fmt.Sprint(seats), "[]"), " ", ",")
	}
	if _, ok := fields["by"]; ok {
		text += " by S-1"
	}
	if why, ok := fields["because"]; ok {
		text += fmt.Sprintf(" because %q", why)
	}
	return text
}

// repeated holds an answer that came by the broker against the first one.
func (w *world) repeated(payload []byte) {
	var r struct {
		ID   string
		OK   bool
		Code string
		Seq  int64
	}
	if err := json.Unmarshal(payload, &r); err != nil {
		w.t.Errorf("seed %d: %v", w.seed, err)
	}
	first, code := w.replies[r.ID], r.Code
	if code == "" {
		code = table.OK.String()
	}
	if got := (table.Reply{ID: r.ID, OK: r.OK, Code: first.Code, Seq: r.Seq}); code != table.Rate.String() && code != table.Busy.String() && (got != first || code != first.Code.String()) && !w.lost {
		w.t.Errorf("seed %d: %s was answered %+v and then %s", w.seed, r.ID, first, payload)
	}
}

// answered judges an answer.
func (w *world) answered(r table.Reply, excused []table.Code, again bool, hurt int) {
	w.tell("answer: %+v", r)
	w.isDurable("confirmed", r.Seq)
	w.mu.Lock()
	w.replies[r.ID] = r
	w.mu.Unlock()
	known := slices.Contains(excused, r.Code)
	if r.OK || known && r.Code.Irregular() { // it is itself what went wrong
		if !again {
			w.starts = 0
		}
		return
	}
	w.must(table.Refused)
	if !known && !again && !(r.Code == table.DiskFull && (w.drive.tight() || time.Since(w.roomy) < 5*time.Second || w.drive.hurt() > hurt)) {
		w.fail("refused for no reason: %+v", r)
	}
}

// floor is a command of the supervisor's; args are more of its fields and their values.
func (w *world) floor(do string, args ...any) table.Reply { return w.floorExcused(nil, do, args...) }

func (w *world) floorExcused(excused []table.Code, do string, args ...any) table.Reply {
	fields := map[string]any{"do": do, "by": "S-1"}
	if do == "dealer" {
		fields["name"] = "D-7"
	}
	for i := 0; i < len(args); i += 2 {
		fields[args[i].(string)] = args[i+1]
	}
	return w.command(table.ToFloor, excused, fields)
}

func (w *world) game(l *table.Layout, excused []table.Code, do string, args ...any) table.Reply {
	fields := map[string]any{"do": do, "round": l.Round}
	for i := 0; i < len(args); i += 2 {
		fields[args[i].(string)] = args[i+1]
	}
	return w.command(table.ToGame, excused, fields)
}

// press is a press of the dealer's box.
func (w *world) press(b box.Button, strokes ...box.Stroke) {
	w.tell("%v is pressed", b)
	if len(strokes) == 0 {
		strokes = []box.Stroke{box.Down}
	}
	for _, s := range strokes {
		if w.program != nil {
			w.program.live.Press(Press{Press: box.Press{Button: b, Stroke: s}, Device: "box", At: time.Now()})
		}
	}
	w.pump()
}

// errs says that somebody errs now.
func (w *world) errs(n int) bool { return !w.calm && w.dice.IntN(n) == 0 }

// onTheWay says that the table has not counted all cards that left the shoe.
func (w *world) onTheWay(s *table.Snapshot) bool {
	if w.lost { // they look at the felt, and go on
		w.out = s.Layout.Shoe.Dealt
	}
	return s.Layout.Shoe.Number == w.number && s.Layout.Shoe.Dealt < w.out
}

// scenes is the next thing people do.
func (w *world) scenes() {
	w.sleep(time.Duration(100+w.dice.IntN(600)) * time.Millisecond)
	if w.program == nil {
		w.sleep(time.Second)
		return
	}
	if w.late() {
		return
	}
	s, panel := w.program.now()
	l := &s.Layout
	w.lamps(&s, panel)
	if w.onTheWay(&s) {
		return
	}
	if l.Shoe.Number == w.number && l.Shoe.Dealt > w.out && !w.lost {
		w.fail("%d cards left the shoe, and the table has counted %d", w.out, l.Shoe.Dealt)
	}
	switch {
	case l.Phase == table.Closed:
		w.floor("table-open")
	case l.Stopped != nil:
		w.supervise(&s)
	case l.Due == nil:
		w.fail("nothing is due: %+v", l)
	case !w.mistake(&s):
		w.proceed(&s)
	}
}

// late waits for a disk that takes its time. The deal is stopped meanwhile.
func (w *world) late() bool {
	if !w.drive.slow() {
		return false
	}
	p := w.program
	w.sleep(haltAfter + time.Millisecond)
	p.mu.Lock()
	halted := p.halted
	p.mu.Unlock()
	if w.drive.slow() && w.program == p && !halted {
		w.fail("the disk is late, and the shoe is open")
	}
	w.sleep(2 * time.Second)
	return true
}

// proceed does what is due.
func (w *world) proceed(s *table.Snapshot) {
	l := &s.Layout
	switch l.Due.Kind {
	case "shoe":
		w.changeShoe(l)
	case "open":
		if w.dice.IntN(12) == 0 || len(w.pack) < 60 {
			w.floor("retire")
			return
		}
		w.game(&table.Layout{Round: l.Round + 1}, nil, "open")
	case "close":
		seats := w.dice.Perm(int(w.rules.Seats))[:1+w.dice.IntN(min(3, int(w.rules.Seats)))]
		for i := range seats {
			seats[i]++
		}
		slices.Sort(seats)
		w.game(l, nil, "close", "seats", seats)
	case "card", "burn":
		w.deal(l)
	case "insurance":
		w.insure(l)
	case "decision":
		w.decide(l)
	case "peek", "reveal":
		w.look(l)
	default:
		w.fail("nobody does %+v", l.Due)
	}
}

func (w *world) changeShoe(l *table.Layout) {
	if l.Shoe.Number > 0 && w.errs(10) {
		w.floorExcused([]table.Code{table.CountWrong}, "count", "cards", l.Shoe.Left-1)
		w.must(table.CountWrong)
		w.count("mistake: a wrong count")
		return
	}
	if a := w.floor("shoe", "number", l.Shoe.Number+1); a.OK {
		w.fill(l.Shoe.Number + 1)
	}
}

// holeDue says that the dealer's second card is the next one.
func (w *world) holeDue(l *table.Layout) bool {
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

// face is the next card, a heart if it is to lie face down.
func (w *world) next(l *table.Layout) shoe.Card {
	down := l.Phase == table.Burning && w.out > 0
	if w.holeDue(l) {
		if w.holes != l.Round {
			w.hole, w.holes = nil, l.Round
		}
		c := w.card(true)
		w.hole = append(w.hole, c.String())
		return c
	}
	return w.card(down)
}

func (w *world) deal(l *table.Layout) {
	c := w.next(l)
	w.draw(c, c)
}

// bare is the hole card turned.
func (w *world) bare(l *table.Layout) {
	if w.holes == l.Round {
		for _, c := range w.hole {
			w.turn(l, c, 1)
		}
	}
}

// look is NEXT, for a look at the hole card or its turn. Sometimes its contact bounces: what it asks for a second time is refused.
func (w *world) look(l *table.Layout) {
	if l.Due.Kind == "reveal" {
		w.bare(l)
	}
	before := w.program
	bounce := w.errs(5)
	if bounce {
		w.count("buttons: NEXT bounces")
		w.press(box.Next)
		if w.program != before {
			return
		}
		s, _ := before.now()
		asks := s.Layout.Due != nil && slices.Contains([]string{"reveal", "open", "card", "decision", "shoe", "insurance"}, s.Layout.Due.Kind) || s.Layout.Due == nil
		at := time.Now()
		if asks && s.Seq > l.Seq {
			w.once(table.Refused, func() {
				before.live.Press(Press{Press: box.Press{Button: box.Next}, Device: "box", At: at.Add(-time.Microsecond)})
			})
		}
		return
	}
	w.press(box.Next)
}

func (w *world) insure(l *table.Layout) {
	seat := l.Due.Seats[0]
	if w.dice.IntN(3) > 0 {
		w.game(l, nil, "decline", "seat", seat)
		return
	}
	if w.rules.EvenMoney && hand(l, table.SeatHand(seat, 0).String()).State == "blackjack" {
		w.game(l, nil, "even-money", "seat", seat)
		return
	}
	w.game(l, nil, "insure", "seat", seat)
}

func (w *world) decide(l *table.Layout) {
	do := l.Due.May[w.dice.IntN(len(l.Due.May))]
	var late []table.Code
	if w.errs(15) {
		w.count("mistake: a player thinks for long")
		late = []table.Code{table.Stale, table.Held, table.NotYourTurn, table.CardDue}
		w.sleep(w.rules.DecisionTime + time.Second)
	}
	if do == "surrender" {
		w.game(l, late, do, "seen", l.Seq, "seat", table.ParseHand(l.Due.Hand).Seat())
		return
	}
	w.game(l, late, do, "seen", l.Seq, "hand", l.Due.Hand)
}

// mistake is somebody's, if he makes one now, and what the table must call it.
func (w *world) mistake(s *table.Snapshot) bool {
	if !w.errs(5) {
		return false
	}
	l := &s.Layout
	if w.dice.IntN(5) == 0 && l.Phase != table.ShoeChange {
		return w.callFloor()
	}
	held := []table.Code{table.ExtraCard, table.CardHeld}
	switch due := l.Due.Kind; {
	case due == "decision" && w.dice.IntN(2) == 0:
		w.count("mistake: a decision on another's hand")
		other := table.SeatHand(table.ParseHand(l.Due.Hand).Seat()%int(w.rules.Seats)+1, 3)
		w.game(l, []table.Code{table.SeatEmpty, table.NoSuchHand, table.NotYourTurn}, "hit", "seen", l.Seq, "hand", other.String())
	case due == "decision":
		c := w.card(true)
		if w.draw(c, c) {
			w.count("mistake: a card too early")
			w.loose = append(w.loose, c.String())
			w.must(held...)
		}
	case due == "open" && l.Phase == table.Results && len(w.pack) > 70:
		c := w.card(true)
		if w.draw(c, c) {
			w.count("mistake: a card after the end")
			w.loose = append(w.loose, c.String())
			w.must(table.CardAfterEnd, table.CardHeld)
		}
	case due == "burn" && w.out > 0 && w.dice.IntN(2) == 0:
		w.count("mistake: a round is opened and the burn is not done")
		w.pressed(table.BurnCount)
	case due == "card" && l.Phase == table.Dealers && w.dice.IntN(2) == 0:
		w.count("mistake: a round is opened and the dealer's card is due")
		w.pressed(table.DealerCardDue)
	case due == "card" || due == "burn":
		c := w.next(l)
		if w.draw(c, shoe.Unread) {
			w.count("mistake: a card is not read")
			w.unread = c
			w.must(map[bool]table.Code{true: table.BurnUnread, false: table.Misread}[due == "burn" && w.out > 1])
		}
	default:
		return false
	}
	return true
}

// callFloor is STOP.
func (w *world) callFloor() bool {
	w.count("buttons: STOP")
	w.once(table.StopPressed, func() { w.press(box.Stop) })
	return true
}

// pressed is NEXT when that is a mistake.
func (w *world) pressed(code table.Code) {
	w.once(code, func() { w.press(box.Next) })
}

// supervise releases what is oldest.
func (w *world) supervise(s *table.Snapshot) {
	l := &s.Layout
	i := slices.IndexFunc(s.Floor.Stops, func(st table.StopState) bool { return !st.Later })
	switch {
	case i < 0 && s.Floor.Paused:
		w.floor("resume")
		return
	case i < 0:
		w.fail("stopped by nothing: %+v", s.Floor)
	case w.dice.IntN(25) == 0 && (l.Phase > table.Bets && l.Phase < table.Results || l.Due != nil && l.Due.Kind == "close"):
		w.floor("void", "because", "enough")
		return
	}
	stop := s.Floor.Stops[i]
	switch stop.Code {
	case table.Misread.String():
		w.floor("correct", "irregularity", stop.Irregularity, "card", w.unread.String(), "because", "read off the card")
	case table.ExtraCard.String(), table.CardHeld.String(), table.CardAfterEnd.String(), table.BurnCount.String():
		w.remedy(l, &stop)
	case table.StopPressed.String():
		if l.Dealer != nil && slices.Contains(l.Dealer.Cards, table.Back) && w.dice.IntN(3) == 0 {
			w.bare(l)
			w.floor("release", "irregularity", stop.Irregularity, "remedy", "reveal")
			return
		}
		fallthrough
	default:
		w.floor("release", "irregularity", stop.Irregularity)
	}
}

// remedy is what becomes of a card that lies aside. One that is used will be seen.
func (w *world) remedy(l *table.Layout, stop *table.StopState) {
	may := slices.DeleteFunc(slices.Clone(stop.Remedies), func(r string) bool {
		return r == "assign" || r == "device" || r == "carry" && l.Shoe.LastRound || r == "use" && w.holeDue(l)
	})
	remedy := may[w.dice.IntN(len(may))]
	if stop.Code == table.BurnCount.String() {
		remedy = "device"
	}
	if remedy == "use" || remedy == "carry" {
		for _, c := range w.loose {
			w.turn(l, c, 4)
		}
	}
	w.floor("release", "irregularity", stop.Irregularity, "remedy", remedy)
}

// lamps hold what is lit, and the lock, against the felt.
func (w *world) lamps(s *table.Snapshot, p box.Panel) {
	l := &s.Layout
	want := box.Panel{Lock: l.Stopped != nil || l.Phase == table.Closed || l.Phase == table.Bets || l.Phase == table.ShoeChange}
	switch {
	case !w.plugged || s.Floor.Devices["shoe"] == "lost":
		want.Red = box.Fast
	case l.Stopped == nil:
	case slices.ContainsFunc(s.Floor.Stops, func(st table.StopState) bool {
		return !st.Later && (strings.HasPrefix(st.Code, "DEVICE") || strings.HasPrefix(st.Code, "SEQUENCE"))
	}):
		want.Red = box.Fast
	case s.Floor.Paused:
		want.Red = box.Slow
	default:
		want.Red = box.On
	}
	if l.Shoe.LastRound && l.Phase != table.ShoeChange && l.Phase != table.Closed {
		want.Blue = box.On
	}
	if l.Stopped == nil {
		dealers := l.Due != nil && slices.Contains([]string{"card", "burn", "peek", "reveal", "open"}, l.Due.Kind)
		want.Green, want.Amber = box.Off, box.On
		if dealers {
			want.Green, want.Amber = box.On, box.Off
		}
	}
	if p != want {
		w.fail("the lamps are %+v, want %+v: %+v %+v", p, want, l, s.Floor)
	}
}

// mishap is one that nobody makes.
func (w *world) mishap() {
	w.pump()
	if w.program == nil || w.calm {
		return
	}
	switch w.dice.IntN(120) {
	case 0:
		w.count("kill -9")
		w.kill(false)
	case 1:
		w.kill(true)
	case 2:
		w.drive.arm("cut", 1+w.dice.IntN(8))
	case 3:
		w.drive.arm("write", 1+w.dice.IntN(4))
	case 4:
		w.drive.arm("sync", 1+w.dice.IntN(4))
	case 5:
		w.drive.arm("slow", 1+w.dice.IntN(4))
	case 6:
		if w.room.IsZero() {
			w.drive.fill(int64(1 + w.dice.IntN(3000)))
			w.room = time.Now().Add(time.Duration(5+w.dice.IntN(60)) * time.Second)
		}
	case 7:
		if w.seed%4 == 0 {
			w.drive.lie(1 + w.dice.IntN(12))
		}
	case 8, 9:
		w.outage()
	case 10:
		if w.plugged {
			w.unplug()
		}
	case 11:
		if w.plugged {
			w.reboot()
		}
	case 12:
		w.setClock()
	case 13:
		w.conflict()
	case 14:
		w.cutCard()
	case 15:
		w.drive.arm([]string{"cursor: write", "cursor: sync"}[w.dice.IntN(2)], 1)
	}
}

// outage is a broker that is away for a while, now and then long, and may come back with nothing.
func (w *world) outage() {
	away, forgets := w.dice.IntN(3) > 0, w.dice.IntN(2) == 0 && !w.drive.mayLie(w.seed)
	w.count("broker: restarts" + map[bool]string{true: " empty", false: ""}[forgets])
	w.post.leave(away, forgets)
	if away {
		w.online = time.Now().Add(time.Duration(1+w.dice.IntN(20)) * time.Second)
	}
}

// setClock is a time server, or somebody's finger.
func (w *world) setClock() {
	now := time.Since(w.began)
	if w.unset || now-w.steps < 15*time.Second {
		return
	}
	step := time.Duration(2000+w.dice.IntN(3_600_000)) * time.Millisecond
	if w.dice.IntN(2) == 0 {
		step = -step
	}
	w.count("clock is set")
	w.set, w.steps, w.unset = w.set+step, now, true
	w.must(table.ClockStep)
	w.floor("dealer", "because", "looks at the clock")
	w.unset = false
}

// conflict is a number of the shoe's that comes again with other content.
func (w *world) conflict() {
	p := w.program
	if !w.plugged || p.heard.Seq == 0 || p.live.Resume("shoe") != p.heard {
		return
	}
	w.count("shoe: a number for two things")
	body := fmt.Sprintf("SBCRD,%d,OTHER", p.heard.Seq)
	sum := byte(0)
	for _, b := range []byte(body) {
		sum ^= b
	}
	w.once(table.SequenceConflict, func() { w.hears(p, time.Since(w.began), fmt.Appendf(nil, "$%s*%02X\r\n", body, sum)) })
}

// cutCard leaves the shoe too early. It takes no place.
func (w *world) cutCard() {
	if w.cut || w.shoe.Locked() || !w.plugged || w.out == 0 || w.out > 150 || w.rules.Shuffle != table.AfterCut {
		return
	}
	s, _ := w.program.now()
	if s.Layout.Phase <= table.ShoeChange || s.Layout.Shoe.Number != w.number {
		return
	}
	w.count("mistake: the cut card is early")
	w.cut = true
	w.must(table.CutEarly)
	w.toHost = append(w.toHost, w.shoe.Cut()...)
	w.pump()
}
