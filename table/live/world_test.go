package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"sabot/mqtt"
	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/table"
	"sabot/table/box"
	"sabot/table/journal"
)

const (
	tableName = "TABLE-1"
	topics    = "sabot/" + tableName + "/"
)

var (
	worldSeed = flag.Uint64("seed", 0, "the one world to play, with its log; 0 plays many")
	worlds    = flag.Int("worlds", 50, "how many worlds to play")
	soak      = flag.Duration("soak", 0, "for how long to play worlds, instead of so many")
)

// TestWorlds plays a table in worlds where everything goes wrong that may: the real game, loop, record and publisher, and around them a dealer who errs, a shoe
// that misreads, repeats itself and is unplugged, buttons that bounce, a disk and a broker as bad as there are, a clock that is set, and a program that is killed. Time
// is a fake, so a day takes a moment. What happens the seed decides; a failure names it, and -seed plays that world again, with its log.
func TestWorlds(t *testing.T) {
	if *worldSeed != 0 {
		playWorld(t, *worldSeed, true, map[string]int{}, func(*world) {})
		return
	}
	did, first, began := map[string]int{}, rand.Uint64()>>1, time.Now()
	n := uint64(0)
	for ; !t.Failed() && (*soak == 0 && n < uint64(*worlds) || time.Since(began) < *soak); n++ {
		playWorld(t, first+n, false, did, func(*world) {})
	}
	t.Logf("%d worlds from seed %d", n, first)
	for _, what := range slices.Sorted(maps.Keys(did)) {
		t.Logf("%7d %s", did[what], what)
	}
}

// TestACutAtEveryStep plays a quiet hour, with a shoe and without, on a disk whose power fails at each step in turn: at each write, sync, rename and removal, those of the
// start among them.
func TestACutAtEveryStep(t *testing.T) {
	for _, deals := range []func(*world) croupier{blackjackWorld, rouletteWorld} {
		steps, game := 0, ""
		for k := 0; k <= steps && !t.Failed(); k++ {
			playWorld(t, 7, false, map[string]int{}, func(w *world) {
				w.croupier = deals(w)
				w.calm, w.length, w.noise, w.post.bad = true, 25, 0, 0
				w.drive.arm("cut", k)
				w.ends = func() {
					if game = w.played.game; k == 0 {
						steps = w.drive.ill
					} else if w.did["power cuts"] != 1 {
						t.Errorf("step %d of %d: the power failed %d times", k, steps, w.did["power cuts"])
					}
				}
			})
		}
		t.Logf("%s: %d steps", game, steps)
	}
}

// TestAWorldReplays: what a seed makes happen, it makes happen again, to the byte of the record.
func TestAWorldReplays(t *testing.T) {
	for i, deals := range croupiers {
		seed := uint64(i + 1)
		var records []string
		for range 2 {
			playWorld(t, seed, false, map[string]int{}, func(w *world) {
				w.croupier = deals(w)
				w.ends = func() {
					text := ""
					for _, e := range w.entriesOf() {
						text += fmt.Sprintf("%+v\n", e)
					}
					records = append(records, text)
				}
			})
		}
		if records[0] != records[1] {
			t.Errorf("seed %d made\n%s\nand then\n%s", seed, records[0], records[1])
		}
	}
}

// playWorld plays one world, changed by prepare, and adds up what was done in it.
func playWorld(t *testing.T, seed uint64, tell bool, did map[string]int, prepare func(*world)) {
	cryptotest.SetGlobalRandom(t, seed)
	dir := filepath.Join(t.TempDir(), "record")
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, seed, dir)
		prepare(w)
		defer func() {
			for what, n := range w.did {
				did[what] += n
			}
			p := recover()
			w.abandon()
			if p != nil || t.Failed() || tell {
				t.Logf("seed %d: go test ./table/live -run TestWorlds -seed %d\n%s", seed, seed, strings.Join(w.story, "\n"))
				if p != nil && p != errWorld {
					panic(p)
				}
			}
		}()
		w.play()
	})
	os.RemoveAll(dir)
}

// abandon ends what a failure left running.
func (w *world) abandon() {
	if w.program == nil {
		return
	}
	w.drive.die()
	w.post.leave(true, false)
	w.program.leave()
	time.Sleep(time.Minute)
	w.program.live.Close()
}

// world is all there is around a table, and what really happened in it.
type world struct {
	t        *testing.T
	seed     uint64
	dice     *rand.Rand
	dir      string
	began    time.Time
	croupier croupier
	played   played
	length   int    // in scenes
	calm     bool   // nothing goes wrong but what is armed
	ends     func() // is called at the end, when all was compared

	drive *drive
	post  *post
	set   time.Duration // what the wall clock was set by
	steps time.Duration // when it was set last
	unset bool          // and nothing was recorded since

	program *program
	again   time.Time // when the next one starts
	starts  int       // of programs since anybody did anything
	ids     int

	cable
	cards
	ledger
	room   time.Time // when somebody will make room on the disk
	roomy  time.Time // when somebody did last
	online time.Time // when the broker is back

	mu      sync.Mutex // what follows is touched by the table's goroutines
	story   []string
	did     map[string]int
	readers *reader
	replies map[string]table.Reply
	felt    map[int64]string // the table as it was shown, by seq
	record  string           // of which
	lost    bool             // a lying disk lost what was said to be durable: nobody can count any more
	log     bytes.Buffer
	books
}

// books are what the table must have called.
type books struct {
	least, most map[table.Code]int
	sum         int // of all that must be called, where it may be called this or that
}

// played is what a world plays: a game by its rules, with a device.
type played struct {
	game, rules, device string

	house *table.House
	seats int
	begin func(table.Opening) table.Game
}

// croupier deals a world's game, and errs in it. What he does the world's dice decide.
type croupier interface {
	waits(*table.Snapshot) bool                    // something is on its way to the table that he has seen
	deal(*table.Snapshot)                          // does what is due
	err(*table.Snapshot) bool                      // makes a mistake, if there is one to make, and expects what it must be called
	settle(*table.Snapshot, *table.StopState) bool // has the supervisor settle a stop, if that takes more than a release
	tick()                                         // time has passed
	bets(seat int) []bet                           // are those of the player who has a seat
	mishap()                                       // something happens that nobody does
	account([]journal.Entry, []table.Layout)       // holds the record, with what lay there before each entry, against what only this game has
}

// croupiers are those of the games; which one a world has its seed decides.
var croupiers = []func(*world) croupier{blackjackWorld, baccaratWorld, rouletteWorld}

// program is a table's program while it runs.
type program struct {
	live    *Live
	decoder *line.Decoder
	leave   context.CancelFunc
	ended   chan error

	mu     sync.Mutex
	shown  table.Snapshot
	panel  box.Panel
	halted bool
	why    error // why the publisher ended
	dead   bool
	acks   []shoe.Source
	told   *bool // what the shoe's lock was told
	heard  shoe.Source
}

func newWorld(t *testing.T, seed uint64, dir string) *world {
	w := &world{
		t: t, seed: seed, dice: rand.New(rand.NewPCG(seed, 11)), dir: dir, began: time.Now(), did: map[string]int{}, ends: func() {},
		readers: newReader(), replies: map[string]table.Reply{}, felt: map[int64]string{},
		books: books{map[table.Code]int{}, map[table.Code]int{}, 0},
		cable: newCable(seed), cards: cards{drawn: map[uint32][]string{}, turned: map[uint32]map[string]int64{}},
	}
	w.croupier = croupiers[w.dice.IntN(len(croupiers))](w)
	w.length = 80 + w.dice.IntN(80)
	w.drive = newDrive(dir, w.count)
	w.post = newPost(seed, []int{0, 5, 20, 60}[w.dice.IntN(4)], w.hear, w.count)
	w.tell("rules %s, broker faults %d ‰", w.played.rules, w.post.bad)
	return w
}

// count counts what was done to the table.
func (w *world) count(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.did[what]++
	w.story = append(w.story, fmt.Sprintf("%9.3f  ! %s", time.Since(w.began).Seconds(), what))
}

func (w *world) tell(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.story = append(w.story, fmt.Sprintf("%9.3f  ", time.Since(w.began).Seconds())+fmt.Sprintf(format, args...))
}

var errWorld = errors.New("the world ends")

// fail ends the world.
func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Errorf("seed %d: "+format, append([]any{w.seed}, args...)...)
	panic(errWorld)
}

// must expects codes to be called: one of them, once.
func (w *world) must(codes ...table.Code) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sum++
	for _, c := range codes {
		w.most[c]++
	}
	if len(codes) == 1 {
		w.least[codes[0]]++
	}
}

// may is a code that is called once or not at all: whoever caused it died over it.
func (w *world) may(c table.Code) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.most[c]++
}

// perhaps takes back that a code must be called.
func (w *world) perhaps(c table.Code) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.least[c]--
	w.sum--
}

// play is the world's course: so many scenes, then everything heals, and what everybody holds is compared.
func (w *world) play() {
	w.start()
	for range w.length {
		w.mishap()
		w.scenes()
	}
	w.heal()
	w.compare()
	w.ends()
	w.kill(false)
	time.Sleep(time.Minute) // what was killed still has to find out
}

// start starts the program.
func (w *world) start() {
	w.starts++
	heard, err := mqtt.Heard(w.dir)
	if err == nil {
		err = w.open(heard)
	}
	switch {
	case err == nil:
		w.pump()
	case w.drive.isDead():
		w.tell("the power fails while the program starts: %v", err)
		w.drive.die()
		w.power()
	case damaged(err):
		w.refused(err)
	default:
		w.tell("the program does not start: %v", err)
		w.may(table.Restart)
		w.again = time.Now().Add(time.Second)
	}
}

// damaged says that a new start will not help.
func damaged(err error) bool {
	var corrupt *journal.CorruptError
	var cursor *mqtt.CursorError
	return errors.As(err, &corrupt) || errors.As(err, &cursor)
}

// refused is a record that is not gone on with. That is right only when the disk has lied, and then the supervisor has it set aside.
func (w *world) refused(err error) {
	w.tell("refused: %v", err)
	if !w.drive.lied {
		w.fail("the record is refused, and the disk never lied: %v", err)
	}
	w.mu.Lock()
	w.lost = true
	w.mu.Unlock()
	w.again = time.Now().Add(time.Second)
	h, err := Recover(w.dir, w.config(), err.Error(), "S-1", "the disk lied")
	switch {
	case w.drive.isDead():
		w.power()
		return
	case err != nil && w.drive.failures() > 0:
		w.tell("recover: %v", err)
		return
	case err != nil:
		w.fail("recover: %v", err)
	}
	w.count("record recovered")
	w.tell("a child is begun, %s", h.Record)
	w.number, w.out, w.pack = 0, 0, nil // no shoe is in play
}

// config is the table's.
func (w *world) config() Config {
	return Config{
		Table: tableName, GameName: w.played.game, Rules: w.played.rules, Build: "world", SegmentPerShoe: w.seed%3 != 0 && w.played.house.Shuffle == table.AfterCut,
		New: w.played.begin, NoShoe: w.played.house.Decks == 0,
		Halt: func() {}, Show: func(table.Snapshot) {},
		Log:  slog.New(slog.NewTextHandler(locked{w}, nil)),
		disk: w.drive.disk(), wall: func() time.Time { return time.Now().Add(w.set).Round(0) },
	}
}

// locked is the program's log.
type locked struct{ *world }

func (w locked) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(p)
}

// open is a program's start as far as it can fail.
func (w *world) open(heard journal.Mark) error {
	p := &program{ended: make(chan error, 1)}
	c := w.config()
	c.Heard = heard
	var client *mqtt.Client
	c.Show = func(s table.Snapshot) { w.show(p, s); client.Show(s) }
	c.Halt = func() { p.mu.Lock(); p.halted = true; p.mu.Unlock() }
	var err error
	if p.live, err = Open(w.dir, c); err != nil {
		return err
	}
	client, err = mqtt.New(mqtt.Config{
		Broker: "broker:1883", Table: tableName, CursorDir: w.dir, Disk: w.drive.disk(), Dial: w.dial(p), Log: c.Log, Commands: 100_000, Command: p.live.Command,
	}, p.live.Journal())
	if err != nil {
		p.live.Close()
		return err
	}
	if p.live.Journal().Durable() > 0 {
		w.started(p)
	}
	p.decoder = line.New(w.played.device)
	p.decoder.Resume(p.live.Resume(w.played.device))
	ctx, leave := context.WithCancel(context.Background())
	p.leave, w.program = leave, p
	go func() { p.ended <- p.live.Run(ctx) }()
	go func() {
		if err := client.Run(ctx); err != nil && ctx.Err() == nil {
			w.tell("the publisher ends: %v", err)
			p.mu.Lock()
			p.why = err
			p.mu.Unlock()
		}
		leave() // the whole program ends when a part of it fails
	}()
	if !w.plugged {
		w.once(table.DeviceLost, func() { w.arrives(shoe.Report{Kind: shoe.Lost, Source: shoe.Source{Device: w.played.device}}) })
	}
	return nil
}

// dial reaches the broker, as long as the program lives.
func (w *world) dial(p *program) func() (net.Conn, error) {
	return func() (net.Conn, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.dead {
			return nil, errPower
		}
		return w.post.dial()
	}
}

// started is a program that found a record.
func (w *world) started(p *program) {
	j := p.live.Journal()
	w.tell("the program starts on entry %d", j.Durable())
	if w.record == j.Record() || w.record == "" {
		w.must(table.Restart)
		w.count("restarts")
	}
	if w.starts >= maxStarts {
		w.may(table.RestartLoop)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for seq := range w.felt {
		if w.record != j.Record() || seq >= j.Durable() && w.drive.lied {
			delete(w.felt, seq)
		}
	}
	w.record = j.Record()
}

// show is what the loop shows: only what is on disk.
func (w *world) show(p *program, s table.Snapshot) {
	w.mu.Lock()
	w.felt[s.Seq] = seen(s.Layout)
	if w.record == "" {
		w.record = s.Layout.Record
	}
	w.mu.Unlock()
	w.isDurable("shown", s.Seq)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown, p.panel, p.halted = s, box.Lamps(&s), false
}

// seen is what of a layout follows from the record alone.
func seen(l table.Layout) string {
	l.Last = nil
	return plain(table.Snapshot{Layout: l})
}

// isDurable fails when an entry is spoken of that the disk could still lose.
func (w *world) isDurable(what string, seq int64) {
	line := fmt.Appendf(nil, `{"seq":%d,`, seq)
	if seq > 0 && !w.drive.durable(func(file []byte) bool { return bytes.Contains(file, line) }) && !w.drive.lying() {
		w.t.Errorf("seed %d: entry %d is %s, and not on disk", w.seed, seq, what)
	}
}

// now is what the table shows, once nothing moves.
func (p *program) now() (table.Snapshot, box.Panel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown, p.panel
}

// hear is what anybody hears at the broker.
func (w *world) hear(topic string, payload []byte) {
	topic = strings.TrimPrefix(topic, topics)
	w.secret(topic, payload)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch topic {
	case "call", "floor", "settlement":
		if err := w.readers.take(topic, payload); err != nil && !w.lost {
			w.t.Errorf("seed %d: %v", w.seed, err)
		}
	case "reply/game", "reply/floor":
		w.repeated(payload)
	}
}

// bury closes what is left of a program that ended.
func (w *world) bury() {
	p := w.program
	w.drive.die()
	p.mu.Lock()
	p.dead = true
	p.mu.Unlock()
	w.post.leave(false, false)
	p.leave()
	if err := p.live.Close(); err != nil {
		w.fail("close: %v", err)
	}
	w.program = nil
	w.again = time.Now().Add(time.Second)
	if w.unset {
		w.perhaps(table.ClockStep)
		w.unset = false
	}
}

// kill is kill -9, or with power the plug.
func (w *world) kill(power bool) {
	p := w.program
	w.drive.die()
	p.leave()
	<-p.ended
	w.bury()
	if power {
		w.power()
		return
	}
	w.drive.revive()
}

// power is what the power leaves.
func (w *world) power() {
	w.count("power cuts")
	w.drive.cut(w.dice.Uint64())
	w.drive.revive()
	w.mu.Lock()
	w.lost = w.lost || w.drive.lied
	w.mu.Unlock()
	w.again = time.Now().Add(time.Second)
	if w.dice.IntN(3) == 0 {
		w.reboot()
	}
}

// died is a program that ended by itself. It may when its disk fails, or when it learns that its disk has lied.
func (w *world) died(err error) {
	w.tell("the program ends: %v", err)
	dead, why := w.drive.isDead(), w.program.why
	if w.drive.failures() == 0 && !w.drive.lied {
		w.fail("the program ended and nothing was wrong: %v", err)
	}
	w.bury()
	if dead {
		w.power()
		return
	}
	w.drive.revive()
	if damaged(why) {
		w.refused(why)
	}
}

// sleep lets time pass, and the world go on in it.
func (w *world) sleep(d time.Duration) {
	for end := time.Now().Add(d); ; {
		w.pump()
		if w.program == nil && !time.Now().Before(w.again) {
			w.start()
			continue
		}
		left := time.Until(end)
		if left <= 0 {
			return
		}
		time.Sleep(min(left, 250*time.Millisecond))
		w.tick()
	}
}

// pump moves what is to be moved until nothing moves.
func (w *world) pump() {
	for moved := true; moved; {
		synctest.Wait()
		moved = false
		if p := w.program; p != nil {
			select {
			case err := <-p.ended:
				w.died(err)
			default:
				moved = w.wire(p)
			}
		}
	}
}

// heal lets everything be well, and waits until all is said.
func (w *world) heal() {
	w.pump()
	w.tell("all is well from here on")
	w.drive.heal()
	w.post.bad = 0
	w.post.back()
	w.noise = 0
	w.plug()
	for range 600 {
		w.sleep(500 * time.Millisecond)
		if w.program == nil {
			continue
		}
		if s, _ := w.program.now(); s.Layout.Stopped != nil || w.croupier.waits(&s) {
			w.scenes()
			continue
		}
		w.floor("dealer", "because", "the end")
		if w.program == nil {
			continue
		}
		w.sleep(12 * time.Second)
		if w.program != nil && w.said() {
			return
		}
	}
	w.fail("it does not come to rest: %+v", w.program)
}

// said says that all of the record has been heard, and the table is online.
func (w *world) said() bool {
	var status struct{ State string }
	w.post.kept(topics+"status", &status)
	w.mu.Lock()
	defer w.mu.Unlock()
	j := w.program.live.Journal()
	return w.readers.last["call "+j.Record()] == j.Durable() && status.State == "online"
}

// entriesOf are all entries of the record as it lies there.
func (w *world) entriesOf() (all []journal.Entry) {
	files, err := journal.Segments(w.dir)
	if err != nil {
		w.fail("%v", err)
	}
	for _, file := range files {
		f, err := journal.OpenFile(file)
		if err != nil {
			w.fail("%v", err)
		}
		defer f.Close()
		for {
			e, err := f.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				w.fail("%s: %v", file, err)
			}
			all = append(all, e)
		}
	}
	return all
}

var heart = regexp.MustCompile(`"[2-9TJQKA]h"`)

// compare holds against each other what the world did, what the record says, what the game says of it again, and what whoever listens has.
func (w *world) compare() {
	if name := regexp.MustCompile(`[^0-9A-Za-z][2-9TJQKA]h[^0-9A-Za-z]`).Find(w.log.Bytes()); name != nil {
		w.fail("the log tells %q", name)
	}
	if w.lost { // nobody can count; that no message was heard in two forms, or told a secret, was looked at as they came
		w.did["worlds whose disk lost what it had confirmed"]++
		return
	}
	all := w.entriesOf()
	before := w.replayed(all)
	w.heardAll(all)
	w.told(all)
	w.croupier.account(all, before)
	w.settled(all)
	w.called(all)
}

// replayed holds what the table showed after each entry, through all its starts, against a game that is stepped once through the record. It gives
// what lay there before each.
func (w *world) replayed(all []journal.Entry) (before []table.Layout) {
	files, err := journal.Segments(w.dir)
	if err != nil {
		w.fail("%v", err)
	}
	c := w.config()
	proof, err := Verify(context.Background(), files, Audit{Recorded: func(json.RawMessage) (func(table.Opening) table.Game, error) { return c.New, nil }, Progress: func(int64, int64) {}})
	if err == nil {
		err = proof.Err()
	}
	if err != nil || proof.Replayed != int64(len(all)) {
		w.fail("verify: %v; %d of %d entries replayed", err, proof.Replayed, len(all))
	}
	f, err := journal.OpenFile(files[0])
	if err != nil {
		w.fail("%v", err)
	}
	defer f.Close()
	game := c.New(f.Header().Opening)
	for _, e := range all {
		before = append(before, game.Layout())
		game.Step(e.Event, nil)
		if was, now := w.felt[e.Seq], seen(game.Layout()); was != "" && was != now {
			w.fail("after entry %d the table showed\n%s\nand its record says\n%s", e.Seq, was, now)
		}
	}
	return before
}

// heardAll holds the calls that came against those of the record.
func (w *world) heardAll(all []journal.Entry) {
	for _, e := range all {
		got := w.readers.took["call "+w.record][e.Seq]
		if !bytes.Contains(got, append([]byte(`"calls":`), e.Calls...)) {
			w.fail("of entry %d was heard\n%s\nand it says\n%s", e.Seq, got, e.Calls)
		}
		floor := w.readers.took["floor "+w.record][e.Seq]
		if string(e.Floor) != "[]" && !bytes.Contains(floor, append([]byte(`"calls":`), e.Floor...)) {
			w.fail("the floor heard of entry %d\n%s\nand it says\n%s", e.Seq, floor, e.Floor)
		}
		money := w.readers.took["settlement "+w.record][e.Seq]
		if string(e.Game) != "[]" && !bytes.Contains(money, append([]byte(`"calls":`), e.Game...)) {
			w.fail("the game server heard of entry %d\n%s\nand it says\n%s", e.Seq, money, e.Game)
		}
	}
	var layout struct {
		Record string
		Seq    int64
	}
	var status struct{ State string }
	if last := all[len(all)-1].Seq; !w.post.kept(topics+"layout", &layout) || layout.Seq != last || !w.post.kept(topics+"status", &status) || status.State != "online" {
		w.fail("entry %d is the last, and the broker keeps %+v and %+v", last, layout, status)
	}
}

// told finds a card that an entry's calls name before it was turned.
func (w *world) told(all []journal.Entry) {
	for _, e := range all {
		for _, name := range heart.FindAll(slices.Concat(e.Calls, e.Floor, e.Game), -1) {
			after, ok := w.turned[e.Round][strings.Trim(string(name), `"`)]
			if !ok || e.Seq <= after {
				w.fail("entry %d tells %s, which nobody had seen: %s", e.Seq, name, e.Calls)
			}
		}
	}
}

// called holds the irregularities called against the mistakes made.
func (w *world) called(all []journal.Entry) {
	got, sum := map[table.Code]int{}, 0
	irregular := regexp.MustCompile(`"call":"irregularity","irregularity":\d+,"code":"([A-Z_]+)"`)
	for _, e := range all {
		for _, m := range irregular.FindAllSubmatch(e.Floor, -1) {
			code, _ := table.ParseCode(string(m[1]))
			got[code]++
			sum++
			w.story = append(w.story, fmt.Sprintf("           called: %d %v: %v", e.Seq, e.Event, code))
		}
	}
	least, most := w.sum, 0
	for code := range table.Code(255) {
		n := got[code]
		most += w.most[code]
		if n < w.least[code] || n > w.most[code] {
			w.t.Errorf("seed %d: %v was called %d times, and must be %d to %d times", w.seed, code, n, w.least[code], w.most[code])
		}
	}
	if sum < least {
		w.t.Errorf("seed %d: %d irregularities were called, of at least %d", w.seed, sum, least)
	}
}
