package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"sabot/shoe"
	"sabot/shoe/uid"
)

// enrolFlags are what the command line says of an enrolment.
type enrolFlags struct {
	decks int
	cards string
	order string
	check bool
}

// enrol says of each tag which card it is glued into: it goes through the decks card by card and writes the file that a reader of tags is configured with.
func enrol(e *env, args []string) error {
	var m enrolFlags
	f := e.flags()
	f.IntVar(&m.decks, "decks", 0, "decks to enrol, 1 to 8; without it as many as the file says, or the rules")
	f.StringVar(&m.cards, "cards", "", "the file, instead of the configuration's")
	f.StringVar(&m.order, "order", newDeckOrder, "how the decks lie: their suits, each from the ace to the king, or with a - from the king to the ace, such as s,d,c-,h-")
	f.BoolVar(&m.check, "check", false, "enrol nothing: only say whether the file is complete; with --cards it takes no configuration")
	rest, err := e.parse(f, args, 0, 1)
	if err != nil {
		return err
	}
	order, err := parseNewDeck(m.order)
	if err != nil {
		return usageError("enrol: " + err.Error())
	}
	if m.decks < 0 || m.decks > 8 {
		return usageError("enrol: --decks must be from 1 to 8")
	}
	if m.check && m.cards != "" && len(rest) == 0 {
		return m.checkFile(e.stdout, 0)
	}
	c, err := readRules(configPath(rest)) // the file it names may not be there yet
	if err != nil {
		return err
	}
	tags, ok := c.Device.dialect.(*uidDialect)
	if !ok {
		return fmt.Errorf("enrol: the %s of %s speaks %s, and only tags are enrolled: write protocol: uid", c.Device.Name, c.File, c.Device.Protocol)
	}
	if m.cards == "" {
		m.cards = tags.cards
	}
	if m.check {
		return m.checkFile(e.stdout, int(c.Play.House.Decks))
	}
	return m.walk(e, &c, tags.Options, order)
}

// walk enrols what is missing, and checks the file in the end.
func (m *enrolFlags) walk(e *env, c *Config, o uid.Options, order []shoe.Card) error {
	if heldByTable(c.Device.Port, c.Journal) {
		return fmt.Errorf("enrol: the table runs, and has %s too; stop it first", c.Device.Port)
	}
	n, err := m.open(order, int(c.Play.House.Decks))
	if err != nil {
		return err
	}
	dec, err := uid.New(c.Device.Name, o)
	if err != nil {
		return err
	}
	if err := n.save(); err != nil { // before anybody draws a card for nothing
		return err
	}
	b := setUp(e, &c.Device, dec, shoe.Source{})
	err = n.walk(e, b)
	b.close()
	if err != nil {
		return err
	}
	return n.judge(e.stdout)
}

// open reads the file; decks is how many the rules have.
func (m *enrolFlags) open(order []shoe.Card, decks int) (*enrolment, error) {
	n := &enrolment{file: m.cards, order: order}
	text, err := os.ReadFile(m.cards)
	if err != nil && (m.check || !errors.Is(err, fs.ErrNotExist)) {
		return nil, fmt.Errorf("enrol: %w", err)
	}
	if n.cards, err = uid.Parse(string(text)); err != nil {
		return nil, fmt.Errorf("enrol: %s: %w", m.cards, err)
	}
	for _, say := range []int{m.decks, n.cards.Decks, decks} {
		if n.decks == 0 {
			n.decks = say
		}
	}
	if n.decks == 0 {
		return nil, usageError("enrol: " + m.cards + " does not say how many decks it is for; write --decks N")
	}
	n.cards.Decks = n.decks
	n.begin()
	return n, nil
}

// checkFile says whether the file is complete, and who may read it.
func (m *enrolFlags) checkFile(w io.Writer, decks int) error {
	n, err := m.open(shoe.Deck(), decks)
	if err != nil {
		return err
	}
	if info, err := os.Stat(m.cards); err == nil && info.Mode()&0o007 != 0 {
		fmt.Fprintf(w, "%s may be read by anybody, and it tells what lies face down: chmod 600 %s\n", m.cards, m.cards)
	}
	return n.judge(w)
}

// judge says what is missing of the file and what is in it too often. Its error is that it is not complete.
func (n *enrolment) judge(w io.Writer) error {
	missing, extra := n.cards.Missing(n.decks), n.cards.Extra(n.decks)
	fmt.Fprintf(w, "%s: %s, %s, %s\n", n.file, plural(n.decks, "deck", "decks"), plural(n.enrolled(), "card", "cards"), plural(len(n.cards.UIDs(shoe.NoCard)), "cut card", "cut cards"))
	for _, one := range missing {
		fmt.Fprintf(w, "  missing  %v: %d of %d\n", one.Card, one.Have, one.Want)
	}
	for _, one := range extra {
		fmt.Fprintf(w, "  double   %v: %d of %d\n", one.Card, one.Have, one.Want)
	}
	if len(missing)+len(extra) > 0 {
		return fmt.Errorf("enrol: %s is not complete; `sabot enrol` goes on with what is missing, and what is double is taken out of the file by hand", n.file)
	}
	fmt.Fprintln(w, "complete")
	return nil
}

// save writes the file so that at every moment the old one or the new one is there, whole, and nobody else may read it. Somebody who
// enrols as root leaves it to whom it belongs.
func (n *enrolment) save() error {
	next := n.file + ".new"
	err := writeNext(next, n.file, n.cards.Format())
	if err == nil {
		err = os.Rename(next, n.file)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(n.file))
	}
	if err != nil {
		return fmt.Errorf("enrol: the file cannot be kept: %w", err)
	}
	return nil
}

func writeNext(next, file, text string) error {
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = f.Chmod(0o600) // it may lie there from before
	if info, gone := os.Stat(file); gone == nil && err == nil {
		stat := info.Sys().(*syscall.Stat_t)
		err = f.Chown(int(stat.Uid), int(stat.Gid))
	}
	if err == nil {
		_, err = io.WriteString(f, text)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// newDeckOrder is package shoe's, the suits in the notation's order.
const newDeckOrder = "c,d,h,s"

// parseNewDeck makes the order in which the cards of a new deck lie.
func parseNewDeck(text string) ([]shoe.Card, error) {
	wrong := fmt.Errorf("--order %q: write the four suits, such as %s or s,d,c-,h-", text, newDeckOrder)
	var order []shoe.Card
	seen := map[string]bool{}
	for _, word := range strings.Split(text, ",") {
		suit, down := strings.CutSuffix(word, "-")
		for r := shoe.Rank(1); r <= 13; r++ {
			rank := r
			if down {
				rank = 14 - r
			}
			c, err := shoe.ParseCard(shoe.New(rank, shoe.Clubs).String()[:1] + suit)
			if err != nil || seen[suit] {
				return nil, wrong
			}
			order = append(order, c)
		}
		seen[suit] = true
	}
	if len(order) != 52 {
		return nil, wrong
	}
	return order, nil
}
