package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sabot/shoe"
	"sabot/shoe/line"
)

// emulate offers a device that is none on a pty, for training and for tests of whoever reads it.
func emulate(e *env, args []string) error {
	f := e.flags()
	link := f.String("link", filepath.Join(os.TempDir(), "sabot-shoe"), "the path to offer the port at")
	seed := f.Uint64("seed", 1, "shuffles the shoe: the same seed gives the same cards")
	decks := f.Int("decks", 8, "decks in the shoe, 1 to 8")
	every := f.Duration("every", 0, "draw a card this often, instead of one for each line typed")
	rest, err := e.parse(f, args, 1, 1)
	if err != nil {
		return err
	}
	if rest[0] != "shoe" {
		return usageError(fmt.Sprintf("emulate: there is no %q to emulate; only a shoe", rest[0]))
	}
	if *decks < 1 || *decks > 8 {
		return usageError("emulate: -decks must be from 1 to 8")
	}
	vs, err := plugShoe(e.ctx, *link, line.NewDevice("virtual", "1", rand.Uint32()|1))
	if err != nil {
		return err
	}
	defer vs.Unplug()
	fmt.Fprintf(e.stdout, "a shoe of %d decks that speaks the neutral line is at %s\n", *decks, *link)
	cards := shuffled(*decks, *seed, 1)
	if *every > 0 {
		return drawEvery(e, vs, cards, *every)
	}
	fmt.Fprintln(e.stdout, "Enter draws the next card; `9s` draws that one, `??` one it cannot read, `cut` the cut card; `unplug`, `plug`; end with Ctrl-D")
	return drawTyped(e, vs, cards)
}

// shuffled is shoe number n of a seed.
func shuffled(decks int, seed uint64, n uint32) []shoe.Card {
	var cards []shoe.Card
	for range decks {
		cards = append(cards, shoe.Deck()...)
	}
	rand.New(rand.NewPCG(seed, uint64(n))).Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return cards
}

// drawEvery draws the whole shoe, a card at a time; a locked mouth is tried again.
func drawEvery(e *env, vs *virtualShoe, cards []shoe.Card, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for len(cards) > 0 {
		select {
		case <-e.ctx.Done():
			return nil
		case <-tick.C:
		}
		if vs.Draw(cards[0]) == nil {
			cards = cards[1:]
		}
	}
	return nil
}

// drawTyped does what is typed, until there is no more.
func drawTyped(e *env, vs *virtualShoe, cards []shoe.Card) error {
	lines := bufio.NewScanner(e.stdin)
	for e.ctx.Err() == nil && lines.Scan() {
		word := strings.TrimSpace(lines.Text())
		next := word == ""
		if next && len(cards) == 0 {
			fmt.Fprintln(e.stdout, "the shoe is empty")
			continue
		}
		if next {
			word = cards[0].String()
		}
		err := act(vs, word)
		switch {
		case errors.Is(err, errLocked):
			fmt.Fprintln(e.stdout, "locked: nothing leaves the shoe; the table stopped, takes bets or is closed, or no host has spoken for 3 s")
			continue
		case err != nil:
			fmt.Fprintln(e.stdout, err)
			continue
		case next:
			cards = cards[1:]
		}
		fmt.Fprintln(e.stdout, word)
	}
	return lines.Err()
}

func act(vs *virtualShoe, word string) error {
	switch word {
	case "cut":
		return vs.Cut()
	case "unplug":
		vs.Unplug()
		return nil
	case "plug":
		return vs.Plug()
	}
	c, err := shoe.ParseCard(word)
	if err != nil {
		return err
	}
	return vs.Draw(c)
}
