package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sabot/drivers/serial"
	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/shoe/uid"
	"sabot/table"
	"sabot/table/journal"
)

// deckBench is a shoe with one deck on a pty, and a configuration of its table.
type deckBench struct {
	*testing.T
	config, journal string
	*virtual
	tags *uid.Device // nil for a shoe that speaks the line
}

// newDeckBench has a shoe that speaks the neutral line, or a reader of the tags in a file.
func newDeckBench(t *testing.T, cards string) *deckBench {
	t.Helper()
	dir := t.TempDir()
	b := &deckBench{T: t, config: filepath.Join(dir, "sabot.yaml"), journal: filepath.Join(dir, "journal")}
	var dev model = lineModel{line.NewDevice("shoe", "1", newEpoch())}
	section := "{protocol: line, port: "
	if cards != "" {
		d := &uidDialect{Options: uid.Options{Format: "jsonl"}, cards: cards}
		m, err := d.model()
		if err != nil {
			t.Fatal(err)
		}
		b.tags, dev = m.(*uid.Device), m
		section = "{protocol: uid, format: jsonl, linger: 20ms, cards: " + cards + ", port: "
	}
	var err error
	if b.virtual, err = plugIn(t.Context(), &ptyCable{link: filepath.Join(dir, "shoe")}, dev, faults{}); err != nil {
		t.Fatal(err)
	}
	writeTableConfig(t, b.config, dir, section+b.at()+"}")
	return b
}

// draw draws a card as soon as the mouth is open: "cut" is the cut card, and a number of several digits the tag.
func (b *deckBench) draw(cards ...string) {
	b.Helper()
	for _, card := range cards {
		if len(card) > 4 {
			b.tell(func() []byte { return b.tags.Tag(card) })
			continue
		}
		b.leaves(card)
	}
}

func (b *deckBench) leaves(card string) {
	b.Helper()
	c, err := shoe.ParseCard(card)
	out := func() error { return b.virtual.Draw(c) }
	if card == cutWord {
		out, err = b.Cut, nil
	}
	if err != nil {
		b.Fatal(err)
	}
	for limit := time.Now().Add(patience); out() != nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			b.Fatalf("%s cannot be drawn: the mouth stays closed", card)
		}
	}
}

// asTyped are cards as they are typed.
func asTyped(cards []shoe.Card) (list []string) {
	for _, c := range cards {
		list = append(list, c.String())
	}
	return list
}

// entry is the record's entry about the check that came to its end. There is one.
func (b *deckBench) entry() string {
	b.Helper()
	found := ""
	for _, e := range entriesOf(b.T, b.journal) {
		if e.Event.Kind != table.Checked || strings.Contains(e.Event.Text.Detail, underWay) {
			continue
		}
		if found != "" || len(e.Calls) > 2 || len(e.Floor) > 2 || len(e.Game) > 2 {
			b.Errorf("entry %d: another one, or one of which something is called", e.Seq)
		}
		found = e.Event.String()
	}
	return found
}

func entriesOf(t *testing.T, dir string) (all []journal.Entry) {
	t.Helper()
	files, err := journal.Segments(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := journal.OpenFile(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for e, err := f.Next(); err == nil; e, err = f.Next() {
			all = append(all, e)
		}
	}
	return all
}

// TestDecksAreChecked runs decks with something wrong through shoes on a pty: what is said and what is recorded is what was wrong, by name.
func TestDecksAreChecked(t *testing.T) {
	mixed := asTyped(shuffled(1, 3, 1))
	swap := func(i int, by ...string) []string {
		return append(append(append([]string{}, mixed[:i]...), by...), mixed[i+1:]...)
	}
	double := mixed[20]
	tests := []struct {
		name    string
		tags    bool
		cards   []string
		done    bool // somebody says that no more come
		code    int
		told    []string
		entries string
	}{
		{"new decks", false, append(asTyped(shoe.Deck()), cutWord), false, exitOK, []string{"complete\n", "52 of 52, and 1 cut card", "that of new decks"},
			"cards 52, missing none, extra none, foreign 0, unread 0, twice 0, cut 1, faults 0, order new-decks"},
		{"mixed", true, mixed, false, exitOK, []string{"complete\n", "neither that of new decks nor"},
			"cards 52, missing none, extra none, foreign 0, unread 0, twice 0, cut 0, faults 0, order mixed"},
		{"one missing", true, swap(10), true, exitFailed, []string{"NOT COMPLETE", "missing   " + mixed[10] + " 1\n"},
			"cards 51, missing " + mixed[10] + " 1, extra none, foreign 0, unread 0, twice 0, cut 0, faults 0, order mixed"},
		{"one double", false, swap(10, double), false, exitFailed, []string{"it is " + double + " number 2", "NOT COMPLETE", "missing   " + mixed[10] + " 1\n", "extra     " + double + " 1\n"},
			"cards 52, missing " + mixed[10] + " 1, extra " + double + " 1, foreign 0, unread 0, twice 0, cut 0, faults 0, order mixed"},
		{"one too many", false, append(append([]string{}, mixed...), double), false, exitFailed, []string{"card 53: it is " + double, "53 of 52", "extra     " + double + " 1\n"},
			"cards 53, missing none, extra " + double + " 1, foreign 0, unread 0, twice 0, cut 0, faults 0, order mixed"},
		{"one of another deck", true, swap(10, "04DDDDDDDD"), false, exitFailed, []string{"card 11: it is of none of these decks", "missing   " + mixed[10] + " 1\n", "foreign   1, of none"},
			"cards 52, missing " + mixed[10] + " 1, extra none, foreign 1, unread 0, twice 0, cut 0, faults 0, order mixed"},
		{"one not read", false, swap(10, "??"), false, exitFailed, []string{"card 11: it was not read", "missing   " + mixed[10] + " 1\n", "unread    1;"},
			"cards 52, missing " + mixed[10] + " 1, extra none, foreign 0, unread 1, twice 0, cut 0, faults 0, order mixed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := ""
			if test.tags {
				file = enrolmentFile(t, 1)
			}
			b := newDeckBench(t, file)
			c := sitDown(t, "deckcheck", "--by", "D-7", b.config)
			c.until("draw every card of 1 deck: 52.")
			b.draw(test.cards...)
			if test.done {
				time.Sleep(300 * time.Millisecond) // until the last card has come
				c.types("done")
			}
			if code := c.end(); code != test.code {
				t.Errorf("exit %d, want %d", code, test.code)
			}
			for _, want := range test.told {
				if !strings.Contains(c.all(), want) {
					t.Errorf("%q is not said:\n%s", want, c.all())
				}
			}
			want := strings.ToLower("deckcheck 1 "+test.entries) + " by D-7"
			if got := b.entry(); got != want {
				t.Errorf("recorded is\n%s, want\n%s", got, want)
			}
			if stdout, _, code := sabot("verify", b.journal); code != exitOK {
				t.Errorf("the record is not in order: %s", stdout)
			}
		})
	}
}

// TestATagThatComesAgain: a copy of a tag shows, though every card of the deck came.
func TestATagThatComesAgain(t *testing.T) {
	t.Parallel()
	b := newDeckBench(t, enrolmentFile(t, 1))
	c := sitDown(t, "deckcheck", "--by", "D-7", b.config)
	c.until("draw every card")
	b.draw(asTyped(shoe.Deck())...)
	time.Sleep(300 * time.Millisecond)
	b.draw("04AA0007CC")
	c.until("a tag came that had come before")
	if code := c.end(); code != exitFailed || !strings.Contains(b.entry(), "missing none, extra none, foreign 0, unread 0, twice 1,") {
		t.Errorf("exit %d: %s\n%s", code, b.entry(), c.all())
	}
}

// TestDecksInTheLastShoesOrder deals a shoe and checks the same cards as they came.
func TestDecksInTheLastShoesOrder(t *testing.T) {
	t.Parallel()
	b := newDeckBench(t, "")
	cards := shuffled(1, 9, 1)
	b.deal(cards)
	c := sitDown(t, "deckcheck", "--by", "D-7", b.config)
	c.until("draw every card")
	b.draw(asTyped(cards)...)
	if code := c.end(); code != exitOK || !strings.HasSuffix(b.entry(), "order last-shoe by D-7") || !strings.Contains(c.all(), "that of the last shoe: shuffle them") {
		t.Errorf("exit %d: %s\n%s", code, b.entry(), c.all())
	}
}

// deal plays a shoe to its end, with nothing but its record.
func (b *deckBench) deal(cards []shoe.Card) {
	b.Helper()
	c, err := readConfig(b.config)
	if err != nil {
		b.Fatal(err)
	}
	r, err := openResting(&env{ctx: b.Context(), stderr: os.Stderr}, c)
	if err != nil {
		b.Fatal(err)
	}
	twin := c.Play.New(table.Opening{})
	do := func(line string) {
		e, err := table.Parse(line)
		if err != nil {
			b.Fatal(err)
		}
		if e.Seq, err = r.write(e, shoe.Source{}); err != nil {
			b.Fatal(err)
		}
		twin.Step(e, nil)
	}
	do("table open by S-1")
	do("shoe 1 by S-1")
	for len(cards) > 0 {
		switch due := twin.Layout().Due; due.Kind {
		case "open":
			do("open")
		case "close":
			do("close none")
		case "card":
			do("draw " + cards[0].String())
			cards = cards[1:]
		default:
			b.Fatalf("%s is due", due.Kind)
		}
	}
	if twin.Layout().Phase != table.ShoeChange {
		do("void by S-1")
		do("retire by S-1")
	}
	if err := r.close(); err != nil {
		b.Fatal(err)
	}
}

// TestDeckCheckIsRefused: not beside a table that runs, not in the middle of a shoe, and not before the table has what the shoe kept for it.
func TestDeckCheckIsRefused(t *testing.T) {
	refused := func(t *testing.T, b *deckBench, why string) {
		t.Helper()
		c := sitDown(t, "deckcheck", "--by", "D-7", b.config)
		if code := c.end(); code != exitFailed || !strings.Contains(c.all(), why) {
			t.Errorf("exit %d, want 1 and %q:\n%s", code, why, c.all())
		}
		if got := b.entry(); got != "" {
			t.Errorf("recorded is %s", got)
		}
	}
	open := func(t *testing.T, b *deckBench) (*resting, Config) {
		c, err := readConfig(b.config)
		if err != nil {
			t.Fatal(err)
		}
		r, err := openResting(&env{ctx: t.Context(), stderr: os.Stderr}, c)
		if err != nil {
			t.Fatal(err)
		}
		return r, c
	}
	t.Run("the table runs", func(t *testing.T) {
		b := newDeckBench(t, "")
		r, _ := open(t, b)
		defer r.close()
		refused(t, b, "another program is writing the record in "+b.journal+"; one table has one daemon: the table runs, and has the shoe too; stop it first")
	})
	t.Run("the shoe is used", func(t *testing.T) {
		b := newDeckBench(t, "")
		port, err := serial.Open(t.Context(), b.at(), serial.Mode{Baud: 115200})
		if err != nil {
			t.Fatal(err)
		}
		defer port.Close()
		refused(t, b, "another program holds this port")
	})
	t.Run("in the middle of a shoe", func(t *testing.T) {
		b := newDeckBench(t, "")
		r, _ := open(t, b)
		for _, line := range []string{"table open by S-1", "shoe 1 by S-1"} {
			e, _ := table.Parse(line)
			if _, err := r.write(e, shoe.Source{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.close(); err != nil {
			t.Fatal(err)
		}
		refused(t, b, "the table is in the middle of a shoe; retire it or close the table first")
	})
	t.Run("the shoe kept a card", func(t *testing.T) {
		b := newDeckBench(t, "")
		b.tell(func() []byte { return b.model.Draw(shoe.New(9, shoe.Spades)) }) // while nobody listened
		refused(t, b, "the shoe kept something that the record does not hold")
		heard := make(chan shoe.Report, 8)
		d := serial.NewDevice(serial.Config{Name: "shoe", Path: b.at(), Baud: 115200, Log: slog.New(slog.DiscardHandler)}, line.New("shoe"), func(a serial.Arrival) { heard <- a.Report })
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go d.Run(ctx)
		if got := nextCard(t, heard); got != shoe.New(9, shoe.Spades) {
			t.Errorf("it keeps %v", got)
		}
	})
}

// TestTheShoeForgetsWhatWasChecked: a check leaves nothing behind in the shoe. Another one follows, and then a table finds that nothing is missing.
func TestTheShoeForgetsWhatWasChecked(t *testing.T) {
	t.Parallel()
	b := newDeckBench(t, "")
	for range 2 {
		c := sitDown(t, "deckcheck", "--by", "D-7", b.config)
		c.until("draw every card")
		b.draw("9s", "Td", "??")
		c.until("card 3: it was not read")
		c.in.Close() // Ctrl-D
		if code := c.end(); code != exitFailed || !strings.Contains(c.all(), "3 of 52") {
			t.Errorf("exit %d:\n%s", code, c.all())
		}
	}
	all := entriesOf(t, b.journal)
	last := all[len(all)-1]
	if last.From.Device != "shoe" || last.From.Seq < 6 || len(last.Raw) > 0 {
		t.Errorf("the last entry is from %+v", last.From)
	}
	for _, e := range all {
		if !slices.Contains([]table.Kind{table.Checked, table.Started, table.Program}, e.Event.Kind) {
			t.Errorf("recorded is %s", e.Event)
		}
	}
}

// TestADeckCheckOverAPulledCable: what the shoe kept while it was unplugged is counted, and that it was unplugged is recorded. The cards are more than it
// can keep.
func TestADeckCheckOverAPulledCable(t *testing.T) {
	t.Parallel()
	b := newDeckBench(t, "")
	c := sitDown(t, "deckcheck", "--decks", "2", "--by", "D-7", b.config)
	c.until("draw every card of 2 decks: 104.")
	deck := asTyped(shuffled(2, 4, 1))
	b.draw(deck[:20]...)
	b.Unplug()
	c.until("the shoe is lost")
	if err := b.Plug(); err != nil {
		t.Fatal(err)
	}
	c.until("the shoe is back")
	b.draw(deck[20:]...)
	if code := c.end(); code != exitOK || !strings.Contains(b.entry(), "missing none, extra none, foreign 0, unread 0, twice 0, cut 0, faults 1, ") {
		t.Errorf("exit %d: %s\n%s", code, b.entry(), c.all())
	}
}

// TestAnInterruptedDeckCheckIsRecorded: nobody makes a check undone that does not come out well.
func TestAnInterruptedDeckCheckIsRecorded(t *testing.T) {
	t.Parallel()
	b := newDeckBench(t, "")
	p := exec.Command("sabot", "deckcheck", "--by", "D-7", b.config)
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, in: in}
	p.Stdout, p.Stderr = c, c
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	c.until("draw every card")
	b.draw("9s", "Td", "??")
	c.until("card 3: it was not read")
	p.Process.Signal(os.Interrupt)
	p.Wait()
	if code := p.ProcessState.ExitCode(); code != exitFailed || !strings.HasPrefix(b.entry(), "deckcheck 1 cards 3, ") {
		t.Errorf("exit %d: %s\n%s", code, b.entry(), c.all())
	}
}

// TestNoEmulatedCardIsLost: an emulated shoe that deals by itself is checked, whichever of the two is started first: it waits for who reads it, and at its end until
// all is read.
func TestNoEmulatedCardIsLost(t *testing.T) {
	for _, shoe := range []string{"line", "beetek"} {
		for _, first := range []string{"the shoe", "the shoe, behind TCP", "the check"} {
			t.Run(shoe+", first "+first, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				port, config := filepath.Join(dir, "port"), filepath.Join(dir, "sabot.yaml")
				offer := []string{"emulate", "--decks", "1", "--every", "2ms", "--link", port, shoe}
				if strings.Contains(first, "TCP") {
					offer[5], offer[6] = "--listen", "127.0.0.1:0"
				}
				emulated := func() {
					p := startVerb(t, offer...)
					p.until("it begins ")
					if strings.Contains(first, "TCP") {
						_, port, _ = strings.Cut(p.all(), "is at ")
						port, _, _ = strings.Cut(port, "\n")
					}
				}
				if first != "the check" {
					emulated()
				}
				writeTableConfig(t, config, dir, "{protocol: "+shoe+", port: \""+port+"\"}")
				c := sitDown(t, "deckcheck", "--by", "D-7", config)
				if first == "the check" {
					c.until("the shoe is lost")
					emulated()
				}
				code := c.end()
				if entry := (&deckBench{T: t, journal: filepath.Join(dir, "journal")}).entry(); code != exitOK || !strings.Contains(entry, "cards 52, missing none, extra none, foreign 0, unread 0, twice 0, cut 0, faults 0") {
					t.Errorf("exit %d: %s\n%s", code, entry, c.all())
				}
			})
		}
	}
}

// TestACheckBeginsAtAnOpenPort: nobody is told to draw while a box behind TCP does not answer yet.
func TestACheckBeginsAtAnOpenPort(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "sabot.yaml")
	writeTableConfig(t, config, dir, "{protocol: beetek, port: \"tcp://"+deafAddress(t)+"\"}")
	c := sitDown(t, "deckcheck", "--by", "D-7", config)
	c.until("the shoe is lost")
	if strings.Contains(c.all(), "draw every card") {
		t.Errorf("nothing is open, and it says\n%s", c.all())
	}
	c.in.Close()
	c.end()
}

// deafAddress is one where calls are not answered: its one place is taken.
func deafAddress(t *testing.T) string {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		t.Cleanup(func() { unix.Close(fd) })
		err = errors.Join(unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), unix.Listen(fd, 0))
	}
	if err != nil {
		t.Fatal(err)
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprint("127.0.0.1:", at.(*unix.SockaddrInet4).Port)
	first, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { first.Close() })
	return address
}

// startVerb starts a verb as a program of its own, until the test ends.
func startVerb(t *testing.T, args ...string) *console {
	t.Helper()
	p := exec.Command("sabot", args...)
	c := &console{t: t}
	p.Stdout, p.Stderr = c, c
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Process.Kill()
		p.Wait()
	})
	return c
}

// underWays are what the record says of checks, and how often. It may hold no fault of the shoe.
func underWays(t *testing.T, dir string) map[string]int {
	t.Helper()
	begun := map[string]int{}
	for _, e := range entriesOf(t, dir) {
		switch e.Event.Kind {
		case table.Checked:
			begun[e.Event.String()]++
		case table.Fault:
			t.Errorf("entry %d: %v", e.Seq, e.Event)
		}
	}
	return begun
}

// TestADeckCheckThatIsKilled: the shoe forgets no card before the record knows of it, so a check that is killed leaves no gap, only that it began; and the next one lets
// go what the shoe kept of it.
func TestADeckCheckThatIsKilled(t *testing.T) {
	t.Parallel()
	b := newDeckBench(t, "")
	deck := asTyped(shuffled(1, 6, 1))
	for _, drawn := range []int{0, 1, 40} {
		p := exec.Command("sabot", "deckcheck", "--by", "D-7", b.config)
		in, err := p.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		c := &console{t: t, in: in}
		p.Stdout, p.Stderr = c, c
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Process.Kill() })
		c.until("draw every card")
		b.draw(deck[:drawn]...)
		for limit := time.Now().Add(patience); drawn == 40 && underWays(t, b.journal)["deckcheck 1 cards 32, under way by D-7"] == 0 && time.Now().Before(limit); {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(300 * time.Millisecond) // it would acknowledge the last ones by now, if it did
		p.Process.Kill()
		p.Wait()
	}
	c := sitDown(t, "deckcheck", "--by", "D-8", b.config)
	c.until("draw every card")
	b.draw(deck...)
	if code := c.end(); code != exitOK || !strings.HasPrefix(b.entry(), "deckcheck 1 cards 52, missing none, extra none, foreign 0, unread 0, twice 0, cut 0, faults 0,") {
		t.Errorf("exit %d: %s\n%s", code, b.entry(), c.all())
	}
	begun := underWays(t, b.journal)
	if begun["deckcheck 1 cards 0, under way by D-7"] != 3 || begun["deckcheck 1 cards 32, under way by D-7"] != 1 || begun["deckcheck 1 cards 0, under way by D-8"] != 1 {
		t.Errorf("the record holds %v", begun)
	}
}

// TestPile: what devices report besides cards.
func TestPile(t *testing.T) {
	nine := shoe.New(9, shoe.Spades)
	p := pile{decks: 1}
	for _, r := range []shoe.Report{
		{Kind: shoe.Drawn, Card: shoe.Unread}, {Kind: shoe.Reread, Card: nine}, // it was read after all
		{Kind: shoe.Reread, Card: nine},                                                                                 // said again
		{Kind: shoe.Faulted, Code: "foreign-card"},                                                                      // without a card before it
		{Kind: shoe.Drawn, Card: shoe.Unread}, {Kind: shoe.Faulted, Code: "jam"}, {Kind: shoe.Faulted, Code: "foreign"}, // of two cards
		{Kind: shoe.Gap}, {Kind: shoe.Pressed, Code: "next"}, {Kind: shoe.Cleared, Code: "jam"},
	} {
		p.take(r)
	}
	if p.cards != 2 || p.have[nine] != 1 || p.unread != 1 || p.foreign != 2 || p.faults != 2 || p.order.String() != "9s--" {
		t.Errorf("%+v", p)
	}
	e := p.event("D-7", &shoe.Order{})
	if back, err := table.Parse(e.String()); err != nil || !back.Equal(e) {
		t.Errorf("%s reads back as %s: %v", e, back, err)
	}
}
