package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sabot/drivers/serial"
	"sabot/shoe"
	"sabot/shoe/uid"
)

// console is a person at a verb: he types, and reads what comes.
type console struct {
	t  *testing.T
	in io.WriteCloser

	mu   sync.Mutex
	text string
	read int // up to here it was waited for
	code chan int
}

// sitDown starts a verb in this process.
func sitDown(t *testing.T, args ...string) *console {
	from, in := io.Pipe()
	c := &console{t: t, in: in, code: make(chan int, 1)}
	go func() { c.code <- run(args, from, c, c) }()
	return c
}

// Write is what the verb writes.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text += string(p)
	return len(p), nil
}

func (c *console) all() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text
}

// until waits for words that were not waited for before.
func (c *console) until(words string) {
	c.t.Helper()
	for limit := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		c.mu.Lock()
		i := strings.Index(c.text[c.read:], words)
		if i >= 0 {
			c.read += i + len(words)
		}
		c.mu.Unlock()
		if i >= 0 {
			return
		}
		if time.Now().After(limit) {
			c.t.Fatalf("waited in vain for %q in:\n%s", words, c.all())
		}
	}
}

func (c *console) types(line string) { fmt.Fprintln(c.in, line) }

// end waits for the verb's end, and gives its exit code.
func (c *console) end() int {
	c.t.Helper()
	select {
	case code := <-c.code:
		return code
	case <-time.After(patience):
		c.t.Fatalf("it does not end:\n%s", c.all())
		return 0
	}
}

// tagBench is a reader of tags on a pty, and a configuration whose enrolment is still to be made.
type tagBench struct {
	*testing.T
	config, file string
	*virtual
	reader *uid.Device
}

func newTagBench(t *testing.T) *tagBench {
	t.Helper()
	dir := t.TempDir()
	b := &tagBench{T: t, config: filepath.Join(dir, "sabot.yaml"), file: filepath.Join(dir, "cards.txt")}
	var err error
	if b.reader, err = uid.NewDevice(uid.Options{Format: "jsonl"}); err != nil {
		t.Fatal(err)
	}
	if b.virtual, err = plugIn(t.Context(), &ptyCable{link: filepath.Join(dir, "reader")}, b.reader, faults{}); err != nil {
		t.Fatal(err)
	}
	writeTableConfig(t, b.config, dir, fmt.Sprintf("{protocol: uid, format: jsonl, linger: 20ms, cards: %s, port: %s}", b.file, b.at()))
	return b
}

// writeTableConfig writes a configuration of a table with one deck and that shoe.
func writeTableConfig(t *testing.T, file, dir, shoe string) {
	t.Helper()
	text := fmt.Sprintf("table: BAC-1\ngame: baccarat\nrules: {preset: puntobanco, decks: 1, burn: none}\njournal: %s/journal\nshoe: %s\nmqtt: {broker: tcp://127.0.0.1:1}\n", dir, shoe)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// show holds tag n before the reader.
func (b *tagBench) show(n int) { b.tell(func() []byte { return b.reader.Tag(tagName(n)) }) }

func tagName(n int) string { return "04AA" + hex4(n) + "CC" }

// enrolled is what the file says of tag n.
func (b *tagBench) enrolled(n int) string {
	b.Helper()
	text, err := os.ReadFile(b.file)
	if err != nil {
		b.Fatal(err)
	}
	cards, err := uid.Parse(string(text))
	if err != nil {
		b.Fatal(err)
	}
	c, ok := cards.Card(tagName(n))
	if !ok {
		return ""
	}
	return cardName(c)
}

func (b *tagBench) expect(n int, want string) {
	b.Helper()
	if got := b.enrolled(n); got != want {
		b.Errorf("tag %d is enrolled as %q, want %q", n, got, want)
	}
}

// TestEnrolWalksThroughNewDecks draws two decks as they come from their boxes: the file says of each tag what was in hand.
func TestEnrolWalksThroughNewDecks(t *testing.T) {
	b := newTagBench(t)
	box, err := parseNewDeck("s,d,c-,h-")
	if err != nil {
		t.Fatal(err)
	}
	c := sitDown(t, "enrol", "--decks", "2", "--order", "s,d,c-,h-", b.config)
	for n := range 104 {
		c.until("draw " + box[n%52].String() + "\n")
		b.show(n)
	}
	c.until("draw the cut card, or skip")
	b.show(104)
	c.until("2 decks, 104 cards, 1 cut card\ncomplete")
	if code := c.end(); code != exitOK {
		t.Errorf("exit %d:\n%s", code, c.all())
	}
	for n := range 104 {
		b.expect(n, box[n%52].String())
	}
	b.expect(104, "the cut card")
	info, err := os.Stat(b.file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if stdout, stderr, code := sabot("check", b.config); code != exitOK {
		t.Errorf("what was enrolled cannot be run with: %s%s", stdout, stderr)
	}
	if strings.Contains(c.all(), tagName(3)) {
		t.Error("a tag's number was shown")
	}
}

// TestEnrolIsCorrected: what people do besides drawing the next card.
func TestEnrolIsCorrected(t *testing.T) {
	b := newTagBench(t)
	c := sitDown(t, "enrol", b.config)
	c.until("draw Ac\n")
	c.types("undo")
	c.until("nothing was enrolled since the start")
	b.show(1)
	c.until("draw 2c\n")
	time.Sleep(50 * time.Millisecond) // longer than it lingers
	b.show(1)
	c.until("this tag is enrolled already, as Ac; 2c is due")
	b.show(2)
	c.until("draw 3c\n")
	c.types("undo")
	c.until("taken out: 2c\ndraw 2c\n")
	b.expect(2, "")
	b.expect(1, "Ac")
	c.types("skip")
	c.until("draw 3c\n")
	b.show(3)
	c.until("draw 4c\n")
	c.types("QH")
	c.until("draw Qh\n")
	b.show(4)
	c.until("draw Kh\n")
	c.types("ac")
	c.until("all 1 of Ac are enrolled")
	c.types("9x")
	c.until(`"9x" is no card and no command`)
	c.types("cut")
	c.until("draw the cut card")
	b.show(5)
	c.until("draw Kh\n")
	b.show(6)
	c.until("draw As\n")
	b.Unplug()
	c.until("the shoe is lost")
	if err := b.Plug(); err != nil {
		t.Fatal(err)
	}
	c.until("the shoe is back")
	b.show(7)
	c.until("draw 2s\n")
	c.types("done")
	c.until("missing  2c: 0 of 1")
	if code := c.end(); code != exitFailed || strings.Count(c.all(), "  missing  ") != 47 {
		t.Errorf("exit %d:\n%s", code, c.all())
	}
	for n, want := range []string{1: "Ac", 2: "", 3: "3c", 4: "Qh", 5: "the cut card", 6: "Kh", 7: "As"} {
		b.expect(n, want)
	}
}

// TestEnrolLosesNothing kills an enrolment again and again: each card that it said was enrolled is in the file, which is whole, and it goes on
// with the next one.
func TestEnrolLosesNothing(t *testing.T) {
	b := newTagBench(t)
	deck := shoe.Deck()
	shown := 0
	for shown < 104 {
		p := exec.Command("sabot", "enrol", "--decks", "2", b.config)
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
		for range 30 {
			if shown == 104 {
				break
			}
			c.until("draw " + deck[shown%52].String() + "\n")
			b.show(shown)
			shown++
			c.until(fmt.Sprintf("%4d of 104: %v", shown, deck[(shown-1)%52]))
		}
		p.Process.Kill()
		p.Wait()
		for n := range shown {
			b.expect(n, deck[n%52].String())
		}
		b.expect(shown, "")
		b.virtual.share(true) // as an idle pty does, see ptyCable
	}
	if stdout, stderr, code := sabot("enrol", "--check", b.config); code != exitOK || !strings.HasSuffix(stdout, "\ncomplete\n") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

// TestEnrolNeedsItsPort: while a table reads the tags, nobody else does.
func TestEnrolNeedsItsPort(t *testing.T) {
	b := newTagBench(t)
	port, err := serial.Open(context.Background(), b.at(), serial.Mode{Baud: 9600})
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	c := sitDown(t, "enrol", b.config)
	if code := c.end(); code != exitFailed || !strings.Contains(c.all(), "another program holds this port") {
		t.Errorf("exit %d: %s", code, c.all())
	}
}

// TestEnrolDoesNotStartWhereItCannotKeep: before anybody draws a card for nothing.
func TestEnrolDoesNotStartWhereItCannotKeep(t *testing.T) {
	b := newTagBench(t)
	_, stderr, code := sabot("enrol", "--cards", filepath.Join(t.TempDir(), "none", "cards.txt"), b.config)
	if code != exitFailed || !strings.Contains(stderr, "the file cannot be kept: open ") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
