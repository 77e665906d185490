package main

import (
	"context"
	"errors"
	"time"

	"sabot/shoe"
)

const (
	ackEvery = 32              // cards, of which the record holds how many came: a shoe keeps at least 64, and may forget what is on disk alone
	stillFor = time.Second     // what a shoe kept from before has come by then, and its mouth opens
	lastFor  = 3 * time.Second // behind the last card that was to come, for one too many
)

// deckRun is a check under way.
type deckRun struct {
	bench    *workbench
	pile     pile
	source   shoe.Source  // the shoe's last sentence
	note     func() error // records how many cards came, as of source
	owed     int          // cards that the record does not know of yet
	broken   bool         // the check before this one was broken off: what the shoe kept is of that one
	progress func(done, all int64)

	there <-chan struct{}  // closed when the shoe is there for the first time; nil when it was, or was lost before
	still <-chan time.Time // fires when the shoe has been silent for long enough: to begin, or to end
	ready bool             // cards are counted
	early int              // cards that came before
}

// wait lets the cards come until all have, or somebody says that no more will.
func (d *deckRun) wait(ctx context.Context) error {
	b := d.bench
	d.there = b.there
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-d.there:
			d.there, d.still = nil, time.After(stillFor)
		case <-d.still:
			if d.ready {
				return nil
			}
			if err := d.begin(); err != nil {
				return err
			}
		case line, more := <-b.typed:
			switch {
			case !more || line == "done":
				return nil
			case line != "":
				d.refuse("%q is no command; done (Ctrl-D) ends the check", line)
			}
		case r := <-b.heard:
			if err := d.hear(r); err != nil {
				return err
			}
		}
	}
}

// begin opens the mouth. That there is a check is recorded before, so that none is undone which does not come out well.
func (d *deckRun) begin() error {
	d.ready, d.still = true, nil
	if err := d.keep(); err != nil {
		return err
	}
	d.bench.device.Lock(false)
	if d.early > 0 {
		d.refuse("%s came before the check began and %s not counted: put them back", plural(d.early, "card", "cards"), map[bool]string{true: "is", false: "are"}[d.early == 1])
	}
	d.bench.say("draw every card of %s: %d. The check ends when all have come, or with done (Ctrl-D)", plural(d.pile.decks, "deck", "decks"), d.pile.all())
	return nil
}

// keep records how far the check is, and lets the shoe forget what came so far.
func (d *deckRun) keep() error {
	if err := d.note(); err != nil {
		return err
	}
	d.owed = 0
	d.bench.device.Ack(d.source)
	return nil
}

// refuse says what was irregular, on a line of its own.
func (d *deckRun) refuse(format string, args ...any) {
	d.progress(1, 1)
	d.bench.refuse(format, args...)
}

// hear takes what the shoe says. Its error is one with which there can be no check.
func (d *deckRun) hear(r shoe.Report) error {
	switch {
	case r.Kind == shoe.Lost || r.Kind == shoe.Found:
		return d.away(r)
	case !d.ready && r.Source.Seq > 0 && (!d.broken || r.Kind == shoe.Gap):
		return errors.New("deckcheck: the shoe kept something that the record does not hold; start the table, settle what it says there, and check the decks then")
	case !d.ready:
		if r.Kind == shoe.Drawn {
			d.early++
		}
		d.said(r.Source)
		return nil
	}
	d.said(r.Source)
	if why := d.pile.take(r); why != "" {
		d.refuse("card %d: %s", d.pile.cards, why)
	}
	d.progress(min(int64(d.pile.cards), int64(d.pile.all()-1)), int64(d.pile.all()))
	if d.pile.cards >= d.pile.all() {
		d.still = time.After(lastFor)
	}
	if d.owed++; d.owed >= ackEvery && r.Source.Seq > 0 {
		return d.keep()
	}
	return nil
}

// said notes a sentence as the last one, if the shoe counts them.
func (d *deckRun) said(s shoe.Source) {
	if s.Seq > 0 || s.Epoch > 0 {
		d.source = s
	}
}

// away takes a shoe that is lost, and its return. What it kept while it was away, it says then.
func (d *deckRun) away(r shoe.Report) error {
	switch {
	case d.ready:
		d.pile.take(r)
	case r.Kind == shoe.Lost:
		d.there, d.still = nil, nil
	default:
		d.still = time.After(stillFor)
	}
	d.progress(1, 1)
	return d.bench.away(r)
}
