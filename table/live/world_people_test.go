package live

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sabot/table"
	"sabot/table/box"
)

// command asks for something, again and again by the same id until there is an answer. Once there is, the same comes by the broker, as far as it gets through, and must be
// answered the same and do nothing. What is refused must be for a reason that the world knows.
func (w *world) command(who table.Audience, excused []table.Code, fields map[string]any) table.Reply {
	w.ids++
	id := fmt.Sprintf("%s-%d", senders[who], w.ids)
	fields["v"], fields["id"] = 1, id
	c := table.Command{ID: id, From: who, Event: event(w.t, written(fields))}
	if c.Event.Kind != table.Void { // which names it
		c.Round, _ = fields["round"].(uint32)
	}
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
			delete(fields, slip)
			body, _ := json.Marshal(fields)
			w.post.say(topics+"command/"+senders[who], body)
			return r
		default:
		}
	}
}

// slip is the field that has a slip's bets in the notation; nobody sends it.
const slip = "slip"

// refuses holds that a command was refused that was asked of a program, at a table that nothing stopped. One that is asked again after a restart may find it stopped.
func (w *world) refuses(ask func() table.Reply) {
	p := w.program
	a := ask()
	if s, _ := p.now(); a.OK && w.program == p && s.Layout.Stopped == nil {
		w.fail("%s was not refused", a.ID)
	}
}

// written is a command in the notation.
func written(fields map[string]any) string {
	text := strings.Replace(fields["do"].(string), "table-", "table ", 1)
	for _, name := range []string{"number", "pocket", "cards", "irregularity", "remedy", "card", "hand", "seat", "name", "reference", slip} {
		if v, ok := fields[name]; ok {
			text += fmt.Sprint(" ", v)
		}
	}
	if round, ok := fields["round"]; ok && text == "void" {
		text += fmt.Sprint(" ", round)
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
	if w.croupier.waits(&s) {
		return
	}
	switch {
	case l.Phase == table.Closed:
		w.floor("table-open")
	case l.Stopped != nil:
		w.supervise(&s)
	case l.Due == nil:
		w.fail("nothing is due: %+v", l)
	case !w.mistake(&s):
		w.croupier.deal(&s)
	}
}

// mistake is somebody's, if he makes one now.
func (w *world) mistake(s *table.Snapshot) bool {
	if !w.errs(5) {
		return false
	}
	if w.dice.IntN(5) == 0 && s.Layout.Phase != table.ShoeChange {
		w.stop()
		return true
	}
	if w.dice.IntN(8) == 0 && w.voidEnded(s) {
		return true
	}
	if due := s.Layout.Due.Kind; w.ledger.rules != nil && s.Layout.Round > 0 && due != "close" && w.dice.IntN(6) == 0 {
		w.tooLate(&s.Layout)
		return true
	}
	return w.croupier.err(s)
}

// opens is a round opened by the game server, and closes the seats that play in it.
func (w *world) opens(l *table.Layout) { w.game(&table.Layout{Round: l.Round + 1}, nil, "open") }

func (w *world) closes(l *table.Layout) {
	switch {
	case !w.placed(l):
	case w.ledger.rules == nil:
		w.game(l, nil, "close", "seats", w.some())
	default:
		w.game(l, nil, "close", "seats", w.ledger.seats)
	}
}

// some are a few of the table's seats.
func (w *world) some() []int {
	seats := w.dice.Perm(w.played.seats)[:1+w.dice.IntN(min(3, w.played.seats))]
	for i := range seats {
		seats[i]++
	}
	slices.Sort(seats)
	return seats
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

// stop is STOP, or the supervisor's key, which pauses and is no irregularity.
func (w *world) stop() {
	if w.dice.IntN(3) == 0 {
		w.count("buttons: the key")
		w.press(box.Key, box.Down, box.Up)
		return
	}
	w.count("buttons: STOP")
	w.pressed(box.Stop, table.StopPressed)
}

// pressed is a button whose press is called by a code.
func (w *world) pressed(b box.Button, code table.Code) {
	w.once(code, func() { w.press(b) })
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
	case w.dice.IntN(25) == 0 && running(l):
		w.floor("void", "because", "enough")
		return
	case w.dice.IntN(15) == 0 && w.voidEnded(s):
		return
	}
	if stop := &s.Floor.Stops[i]; !w.croupier.settle(s, stop) {
		w.floor("release", "irregularity", stop.Irregularity)
	}
}

// voidEnded voids a round that has ended, where one is in reach.
func (w *world) voidEnded(s *table.Snapshot) bool {
	l := &s.Layout
	for _, round := range s.Floor.Void {
		if round == l.Round && running(l) {
			continue
		}
		w.count(map[bool]string{true: "void: the last round", false: "void: the round before the one whose bets are taken"}[round == l.Round])
		w.floorExcused([]table.Code{table.OutOfReach}, "void", "because", "it was dealt wrong", "round", round) // a clock may have named the seats
		return true
	}
	return false
}

// running says that there is a round to void.
func running(l *table.Layout) bool {
	return l.Phase > table.Bets && l.Phase < table.Results || l.Phase == table.Spin || l.Due != nil && l.Due.Kind == "close"
}

// lamps hold what is lit, and the lock, against the felt.
func (w *world) lamps(s *table.Snapshot, p box.Panel) {
	l := &s.Layout
	want := box.Panel{Lock: l.Stopped != nil || l.Phase == table.Closed || l.Phase == table.Bets || l.Phase == table.ShoeChange}
	switch {
	case !w.plugged || s.Floor.Devices[w.played.device] == "lost":
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
		dealers := l.Due != nil && slices.Contains([]string{"card", "burn", "peek", "reveal", "open", "ball"}, l.Due.Kind)
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
		s, draws := w.unwarned()
		w.kill(false)
		if draws {
			w.drawUnheard(&s)
		}
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
		w.croupier.mishap()
	case 15:
		w.fault()
	case 16:
		w.drive.arm([]string{"cursor: write", "cursor: sync"}[w.dice.IntN(2)], 1)
	}
}

// unwarned is the table as it stands, and whether the dealer draws the next card however it goes on: the shoe's mouth stays open for a while, and what it says it keeps.
func (w *world) unwarned() (table.Snapshot, bool) {
	s, _ := w.program.now()
	heard := w.program.live.Resume(w.played.device)
	due := s.Layout.Stopped == nil && s.Layout.Due != nil && s.Layout.Due.Kind == "card"
	return s, due && w.plugged && heard.Seq == w.sent && heard.Epoch == w.epoch && !w.lost
}

// drawUnheard draws the card that was due when the program died. The cable may be out when it lives again.
func (w *world) drawUnheard(s *table.Snapshot) {
	w.count("kill -9, and a card is drawn")
	w.croupier.deal(s)
	if w.dice.IntN(2) == 0 {
		w.unplug()
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
