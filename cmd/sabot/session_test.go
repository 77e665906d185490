package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/wager"
)

// purses are the chips of the players of sessions counted another way: every stake leaves a purse, all that comes back goes into it, and what is reversed never was.
// At the end the rounds are those in which something was paid.
type purses struct {
	moved  map[int64]map[int]int64 // by entry and seat
	rounds map[int64]uint32        // by entry
	paid   map[int64]bool
}

func newPurses() *purses {
	return &purses{map[int64]map[int]int64{}, map[int64]uint32{}, map[int64]bool{}}
}

// hear takes the settlements of an entry, as the record has them.
func (p *purses) hear(t *testing.T, seq int64, round uint32, calls []byte) {
	t.Helper()
	var list []struct {
		Call, Reference       string
		Stake, Paid, Replaces int64
	}
	if err := json.Unmarshal(calls, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		return
	}
	p.moved[seq] = map[int]int64{}
	for _, c := range list {
		seat := 0
		fmt.Sscanf(c.Reference, "P-%d", &seat)
		switch c.Call {
		case "taken":
			p.moved[seq][seat] -= c.Stake
		case "refunded":
			p.moved[seq][seat] += c.Stake
		case "paid":
			p.moved[seq][seat] += c.Paid
			p.paid[seq] = true
		case "reversed":
			round = p.rounds[c.Replaces]
			delete(p.moved, c.Replaces)
			delete(p.paid, c.Replaces)
		}
	}
	p.rounds[seq] = round
}

// paper is a session as people would write it down.
type paper struct {
	left  int
	chips map[int]int64
	place map[int]int
}

func (s *paper) over() bool {
	for _, chips := range s.chips {
		if chips >= 2 {
			return s.left == 0
		}
	}
	return true
}

// paper is how the last session stands.
func (p *purses) paper(start int64) paper {
	var s paper
	var played []uint32
	all := map[uint32]map[int]int64{}
	for seq, moved := range p.moved {
		round := p.rounds[seq]
		if p.paid[seq] {
			played = append(played, round)
		}
		if all[round] == nil {
			all[round] = map[int]int64{}
		}
		for seat, n := range moved {
			all[round][seat] += n
		}
	}
	slices.Sort(played)
	for _, round := range slices.Compact(played) {
		won := all[round]
		if s.over() {
			s = paper{left: 10, chips: map[int]int64{}, place: map[int]int{}}
			for seat := range won {
				s.chips[seat] = start
			}
		}
		s.left--
		for seat := range s.chips {
			s.chips[seat] += won[seat]
		}
	}
	for seat, chips := range s.chips {
		sorted := slices.Sorted(maps.Values(s.chips))
		slices.Reverse(sorted)
		s.place[seat] = slices.Index(sorted, chips) + 1
	}
	return s
}

// onPaper is a session in the same words.
func onPaper(s wager.Session) paper {
	w := paper{int(s.Rounds), map[int]int64{}, map[int]int{}}
	for n := s.Players.Next(0); n > 0; n = s.Players.Next(n) {
		w.chips[n], w.place[n] = s.Chips[n], s.Place(n)
	}
	return w
}

// poor are sessions in which people run out of chips.
func poor(start int64) func(table.Seats) wager.Session {
	return func(players table.Seats) wager.Session {
		s := wager.NewSession(players, 1)
		s.Start = start
		for n := players.Next(0); n > 0; n = players.Next(n) {
			s.Chips[n] = start
		}
		return s
	}
}

type school = wager.Table[blackjack.Game, *blackjack.Game]

// schoolTable is a didactic table with a ledger, and books of its sessions.
type schoolTable struct {
	t      *testing.T
	name   string
	rng    *rand.Rand
	game   *table.Round[school, *school]
	start  int64
	seq    int64
	calls  []string // what was called, for those who ask
	book   *sessionBook
	purses *purses
	cards  []int64 // the draws of the round
	shoes  int
	deaf   bool // the broker loses the settlements
	counts map[string]int
}

func newSchoolTable(t *testing.T, seed uint64) *schoolTable {
	rules, bets := blackjack.Didactic(), wager.Seats()
	if seed%2 > 0 { // the round before can still be void when the bets of the next one lie
		rules.Shuffle = table.AfterCut
	}
	w := &schoolTable{t: t, name: fmt.Sprintf("seed %d", seed), rng: rand.New(rand.NewPCG(seed, 3)), start: 3 + int64(seed%12), purses: newPurses(), counts: map[string]int{}}
	w.game = table.NewRound(wager.New(blackjack.New(&rules, table.Opening{}), &bets))
	w.book = &sessionBook{start: poor(w.start)}
	w.do("table open by S-1")
	return w
}

// do plays an event that the table takes, and has all books hear of it.
func (w *schoolTable) do(format string, args ...any) bool {
	w.t.Helper()
	e, err := table.Parse(fmt.Sprintf(format, args...))
	if err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
	if e.Asked() && w.game.Check(e) != table.OK {
		return false
	}
	w.seq++
	e.Seq = w.seq
	said := w.game.Step(e, nil)
	round := w.game.Layout().Round
	all, game := table.AppendCalls(nil, said, table.ToAll), table.AppendCalls(nil, said, table.ToGame)
	w.calls = append(w.calls, fmt.Sprintf(`{"seq":%d,"round":%d,"calls":%s}`, w.seq, round, all))
	w.purses.hear(w.t, w.seq, round, game)
	if string(game) != "[]" && !w.deaf {
		w.book.hear(read[settlementHeard](w.t, fmt.Sprintf(`{"seq":%d,"round":%d,"calls":%s}`, w.seq, round, game)))
	}
	if e.Kind == table.Draw {
		w.cards = append(w.cards, w.seq)
	}
	w.counts[e.Kind.Word()]++
	return true
}

func read[M any](t *testing.T, text string) (m M) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// forget is a game server that died: the next one asks for all calls.
func (w *schoolTable) forget() {
	w.book = &sessionBook{start: poor(w.start)}
	w.ask()
	w.counts["forgotten"]++
}

// ask asks for the calls that were not asked for before.
func (w *schoolTable) ask() {
	for _, c := range w.calls[w.book.asked:] {
		w.book.recall(read[callHeard](w.t, c))
	}
	l := w.game.Layout()
	l.Seq = w.seq
	w.book.look(&l)
	w.deaf = false
}

func (w *schoolTable) chance(p float64) bool { return w.rng.Float64() < p }

// round plays one, perhaps with a void or a correction on the way.
func (w *schoolTable) round() {
	for w.game.Layout().Phase == table.ShoeChange {
		w.shoes++
		w.do("shoe %d by S-1", w.shoes)
		if w.game.Layout().Stopped != nil { // the shoe before held a card too many
			w.do("retire by S-1")
		}
	}
	w.do("open")
	round := w.game.Layout().Round
	s := w.book.session()
	if s.Over() {
		w.counts["sessions"]++
		s = w.book.start(table.Seats(w.rng.IntN(1<<4-1)+1) << 1)
	}
	w.bet(&s)
	if round > 1 && w.chance(0.1) && w.late(round-1) {
		now := w.book.session()
		if now.Over() || now.Seats() != s.Seats() { // the bets are another session's
			w.do("void %d by S-1", round)
			w.clear()
			return
		}
		w.bet(&now)
	}
	w.cards, w.deaf = nil, w.chance(0.05)
	w.do("close %v", s.Seats())
	w.play()
	if w.after(); w.deaf {
		w.ask()
		w.counts["deaf"]++
	}
}

// bet places everybody's bet.
func (w *schoolTable) bet(s *wager.Session) {
	seats := s.Seats()
	for n := seats.Next(0); n > 0; n = seats.Next(n) {
		if !w.do("bet %s %d %d, balance %d", bettor(n), n, s.Bet, s.Chips[n]) {
			w.t.Fatalf("%s: seat %d cannot bet %+v: %+v", w.name, n, s, w.game.Layout())
		}
	}
}

// late is what may reach a round while the bets of the next one lie.
func (w *schoolTable) late(round uint32) bool {
	if w.chance(0.5) {
		return w.correct("correct late")
	}
	return w.count("void late", w.do("void %d by S-1", round))
}

// correct corrects a card of the last round that was dealt.
func (w *schoolTable) correct(what string) bool {
	if len(w.cards) == 0 {
		return false
	}
	draw, c := w.cards[w.rng.IntN(len(w.cards))], shoe.New(shoe.Rank(1+w.rng.IntN(13)), 0)
	done := w.count(what, w.do("correct %d %v by S-1", draw, c))
	if done && w.chance(0.3) {
		w.forget()
	}
	return done
}

func (w *schoolTable) count(what string, done bool) bool {
	if done {
		w.counts[what]++
	}
	return done
}

// play plays the round to its end.
func (w *schoolTable) play() {
	for range 200 {
		l := w.game.Layout()
		if l.Due == nil || l.Stopped != nil || l.Due.Kind == "shoe" || l.Due.Kind == "open" {
			return
		}
		if w.chance(0.005) {
			w.do("void by S-1")
			return
		}
		w.due(l.Due)
	}
}

// due does what is due. Few ranks make pairs, aces and tens common.
func (w *schoolTable) due(d *table.LayoutDue) {
	switch d.Kind {
	case "card":
		rank := [...]shoe.Rank{1, 1, 8, 8, 9, 10, 11, 12, 13, 3, 5, 6}[w.rng.IntN(12)]
		w.do("draw %v", shoe.New(rank, shoe.Suit(w.rng.IntN(4))))
	case "insurance":
		if !w.do("%s %d", [...]string{"insure", "insure", "decline"}[w.rng.IntN(3)], d.Seats[0]) {
			w.counts["insurance short"]++
			w.do("decline %d", d.Seats[0])
		}
	case "decision":
		if w.chance(0.05) {
			w.do("undo %d by S-1", w.seq)
		}
		do := [...]string{"hit", "stand", "double", "split", "double", "split"}[w.rng.IntN(6)]
		if !w.do("%s", do) && !slices.Contains(d.May, do) {
			w.counts["not offered"]++
		}
	}
}

// after is what may come when a round has ended: a correction, after which it goes on or stands still; a void.
func (w *schoolTable) after() {
	if w.chance(0.15) && w.correct("correct ended") {
		w.play()
	}
	if w.chance(0.1) {
		w.count("void ended", w.do("void by S-1"))
	}
	if w.game.Layout().Stopped != nil { // a card lies where it does not belong
		w.do("void by S-1")
	}
	w.clear()
}

// clear makes the table ready for another round: a shoe has not cards enough, or too many of a kind.
func (w *schoolTable) clear() {
	if l := w.game.Layout(); l.Stopped != nil || w.shoes*4 < int(l.Round) {
		w.do("retire by S-1")
	}
	if l := w.game.Layout(); l.Stopped != nil || l.Phase != table.ShoeChange && l.Phase != table.Results {
		w.t.Fatalf("%s: the table stands: %+v", w.name, l)
	}
}

// The chips that a game server writes down are what the settlements say, counted another way; the places are those of who sorts the chips; and a game server
// that has forgotten all, and asks for the calls, writes the same. Whatever is split, doubled, insured, undone, corrected or void.
func TestSessionsAreWhatSettlementsSay(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(20) {
		w := newSchoolTable(t, seed)
		for range 120 {
			w.round()
			if w.chance(0.05) {
				w.forget()
			}
			got, want := onPaper(w.book.session()), w.purses.paper(w.start)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s: after entry %d the book has %v, and the settlements say %v", w.name, w.seq, got, want)
			}
			if len(w.book.ended) > 11 {
				t.Fatalf("%s: %d rounds are remembered", w.name, len(w.book.ended))
			}
			for seat, chips := range got.chips {
				if chips < 0 {
					t.Fatalf("%s: seat %d has %d chips", w.name, seat, chips)
				}
				if chips < 2 {
					counts["stopped"]++
				}
			}
		}
		for what, n := range w.counts {
			counts[what] += n
		}
	}
	t.Log(counts)
	for _, what := range []string{"void", "void late", "void ended", "correct ended", "correct late", "undo", "split", "double", "insure", "insurance short", "not offered", "forgotten", "deaf", "sessions", "stopped"} {
		if counts[what] < 15 {
			t.Errorf("%s happened %d times", what, counts[what])
		}
	}
}

// Who has no chip beside his bet is not asked for an insurance's.
func TestInsuranceIsAfforded(t *testing.T) {
	s := &studio{}
	if !s.affords(3) {
		t.Error("where nobody counts chips nobody is short of them")
	}
	for chips, affords := range map[int64]bool{2: false, 3: true, 100: true} {
		s.book = &sessionBook{start: poor(chips)}
		s.book.enter(endedRound{round: 1, seats: table.Seat(3)})
		if s.affords(3) != affords {
			t.Errorf("with %d chips: %v", chips, !affords)
		}
	}
}

var errEnough = errors.New("enough")

// TestSessionThroughKills: people of little money play sessions at a table whose daemon is killed, and whose supervisor voids at any moment. What they were told of each
// is what the record's settlements say up to there, and who has no bet left was at no table.
func TestSessionThroughKills(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := newRigOf(t, "didactic", seed)
	p := r.people
	p.mistakes, p.book.start = 0, poor(7)
	var all []toldOf
	sessions := 0
	enough, stop := context.WithCancelCause(r.ctx)
	p.tells = func(_, now wager.Session, seq int64) {
		if all = append(all, toldOf{now, seq}); now.Over() {
			if sessions++; sessions == 12 {
				stop(errEnough)
			}
		}
	}
	rng := rand.New(rand.NewPCG(seed, 9))
	voids := 0
	p.pace = func(time.Duration) {
		if rng.IntN(60) == 0 {
			if a, err := p.command(enough, "floor", map[string]any{"do": "void", "by": "S-2", "because": "tried"}); err == nil && !a.OK {
				p.late()
			} else if err == nil {
				voids++
			}
		}
	}
	go func() { r.played <- p.run(enough, 0) }()
	daemon := r.daemon()
	for range 4 {
		r.progress()
		p.err(table.Restart)
		daemon.Process.Kill()
		daemon.Wait()
		daemon = r.daemon()
	}
	if err := <-r.played; !errors.Is(context.Cause(enough), errEnough) {
		t.Fatalf("seed %d: %v\n%s", seed, err, r.log())
	}
	daemon.Process.Kill()
	daemon.Wait()
	r.holdTold(seed, all)
	t.Logf("%d sessions, told %d times; %d voids", sessions, len(all), voids)
}

// toldOf is a session as people were told of it, up to an entry.
type toldOf struct {
	session wager.Session
	seq     int64
}

// holdTold holds what was told against the record's settlements.
func (r *rig) holdTold(seed uint64, all []toldOf) {
	t := r.t
	record, at := newPurses(), 0
	for _, e := range r.entries() {
		for ; at < len(all) && all[at].seq < e.Seq; at++ {
			if all[at].session.Rounds == 10 {
				continue // it has begun, and nothing was settled
			}
			if got, want := onPaper(all[at].session), record.paper(7); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d: up to entry %d people were told %v, and the record says %v", seed, all[at].seq, got, want)
			}
		}
		record.hear(t, e.Seq, e.Round, e.Game)
		if e.Event.Kind == table.Close {
			before := record.paper(7)
			for seat, chips := range before.chips {
				if chips < 0 {
					t.Errorf("seed %d: entry %d: seat %d has %d chips", seed, e.Seq, seat, chips)
				}
				if playing := !before.over(); playing && e.Event.Seats.Has(seat) != (chips >= 2) {
					t.Errorf("seed %d: entry %d: the seats are %v, and seat %d has %d chips", seed, e.Seq, e.Event.Seats, seat, chips)
				}
			}
		}
	}
}

// TestSessionGoesOn: a demonstration that is killed, its game server with it, goes on with the session of its record. Who wins is told as the record's settlements have it.
func TestSessionGoesOn(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := &rig{t: t, dir: t.TempDir()}
	demo := func(rounds string) *exec.Cmd {
		return exec.Command("sabot", "demo", "--rules", "didactic", "--lang", "en", "--journal", filepath.Join(r.dir, "journal"), "--seed", fmt.Sprint(seed), "--speed", "0", "--mistakes", "0",
			"--mqtt", "127.0.0.1:0", "--rounds", rounds)
	}
	for i := range 4 {
		killed := demo("0")
		said, err := killed.StdoutPipe()
		if err == nil {
			err = killed.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(said)
		for rounds := 0; rounds < 3+i && lines.Scan(); {
			if strings.Contains(lines.Text(), "face down") { // in the middle of a round
				rounds++
			}
		}
		killed.Process.Kill()
		killed.Wait()
	}
	out, err := demo("25").CombinedOutput()
	if err != nil {
		t.Fatalf("seed %d: %v: %s", seed, err, out)
	}
	told, record, last := regexp.MustCompile(`(?m)^\d\. seats? .* chips.*\n`).FindAllString(string(out), -1), newPurses(), ""
	var won []string
	for _, e := range r.entries() {
		record.hear(t, e.Seq, e.Round, e.Game)
		if s := record.paper(100); s.left == 0 && string(e.Game) != "[]" && record.paid[e.Seq] {
			won, last = append(won, s.ranking()...), fmt.Sprint(s)
		}
	}
	if len(told) == 0 || len(told) > len(won) || !slices.Equal(told, won[len(won)-len(told):]) {
		t.Errorf("seed %d: told\n%s, and the record's sessions ended with\n%s", seed, strings.Join(told, ""), strings.Join(won, ""))
	}
	t.Logf("%d places, the last ones of %d in the record; %s", len(told), len(won), last)
}

// ranking are the lines by which a session's end is told.
func (s *paper) ranking() (lines []string) {
	for place := 1; place <= len(s.place); place++ {
		var seats []string
		chips := int64(0)
		for _, seat := range slices.Sorted(maps.Keys(s.place)) {
			if s.place[seat] == place {
				seats, chips = append(seats, fmt.Sprint(seat)), s.chips[seat]
			}
		}
		switch n := len(seats); {
		case n == 1:
			lines = append(lines, fmt.Sprintf("%d. seat %s: %d chips, %+d\n", place, seats[0], chips, chips-100))
		case n > 1:
			lines = append(lines, fmt.Sprintf("%d. seats %s and %s share the place: %d chips each, %+d\n", place, strings.Join(seats[:n-1], ", "), seats[n-1], chips, chips-100))
		}
	}
	return lines
}

// The book has nothing of a void round, and people are told nothing of it; of a round with results they are.
func TestNoSessionIsToldOfAVoidRound(t *testing.T) {
	for results, want := range map[int]int{0: 0, 1: 1} {
		told := 0
		s := &studio{book: &sessionBook{start: poor(7)}, told: wager.NewSession(table.Seat(3), 1), tells: func(_, _ wager.Session, _ int64) { told++ }}
		s.layout.Last = &table.Recap{Round: 4, Results: make([]table.RecapResult, results)}
		if results > 0 {
			s.book.enter(endedRound{round: 4, said: []int64{9}, seats: table.Seat(3)})
		}
		if err := s.settle(t.Context(), s.layout); err != nil || told != want {
			t.Errorf("of a round with %d results a session was told %d times (%v)", results, told, err)
		}
	}
}

// Who wins, who shares a place and who stops is told in both languages, in the rule sheet's words.
func TestSessionIsTold(t *testing.T) {
	none, start := wager.Session{}, wager.NewSession(table.Seat(1)|table.Seat(2)|table.Seat(3)|table.Seat(5), 1)
	stopped, end := start, start
	stopped.End([8]int64{3: -99, 5: -100})
	end.Rounds, end.Chips = 0, [8]int64{1: 107, 2: 96, 3: 107, 5: 100}
	for _, test := range []struct {
		was, now wager.Session
		en, pt   string
	}{
		{none, start, "Didactic session: seats 1, 2, 3 and 5 play, and each bets 2 chips in each round; rounds to play: 10",
			"Sessão didática: jogam os lugares 1, 2, 3 e 5, e cada um aposta 2 fichas em cada ronda; rondas por jogar: 10"},
		{start, stopped, "Seats 3 and 5 have fewer than 2 chips and stop", "Os lugares 3 e 5 estão sem as 2 fichas da aposta e param"},
		{start, start, "", ""},
		{wager.NewSession(table.Seat(4), 1), start, "Didactic session: seats 1, 2, 3 and 5 play, and each bets 2 chips in each round; rounds to play: 10",
			"Sessão didática: jogam os lugares 1, 2, 3 e 5, e cada um aposta 2 fichas em cada ronda; rondas por jogar: 10"},
		{start, end, "The didactic session is over. Final winnings against 100 chips:\n1. seats 1 and 3 share the place: 107 chips each, +7\n3. seat 5: 100 chips, +0\n4. seat 2: 96 chips, -4",
			"A sessão didática acabou. Ganhos finais perante 100 fichas:\n1.ª posição, partilhada: lugares 1 e 3, 107 fichas cada, +7\n3.ª posição: lugar 5, 100 fichas, +0\n4.ª posição: lugar 2, 96 fichas, -4"},
	} {
		for language, want := range map[string]string{"en": test.en, "pt": test.pt} {
			if got := strings.Join(narrator{language}.played(test.was, test.now), "\n"); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		}
	}
}
