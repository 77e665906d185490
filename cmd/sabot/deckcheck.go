package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"sabot/mqtt"
	"sabot/shoe"
	"sabot/table"
	"sabot/table/journal"
	"sabot/table/live"
)

// deckCheck runs every card of some decks through the shoe before a shift, and records what was found and by whom: as an entry of the table's record, which stands in
// its chain like any card. So the table must not run meanwhile, and must not be in the middle of a shoe.
//
// What the record holds is what somebody has to know later: how many cards came, which were missing or too many, and whether they lay in an order that
// is no shuffle. The order itself it does not hold, because the cards may be dealt as they lie.
func deckCheck(e *env, args []string) error {
	f := e.flags()
	by := f.String("by", "", "who checks, such as D-7; it is recorded")
	decks := f.Int("decks", 0, "decks to check, 1 to 8; without it as many as the rules have")
	rest, err := e.parse(f, args, 0, 1)
	switch {
	case err != nil:
		return err
	case !table.ValidName(*by):
		return usageError("deckcheck: write --by NAME; it is recorded")
	case *decks < 0 || *decks > 8:
		return usageError("deckcheck: --decks must be from 1 to 8")
	}
	c, err := readConfig(configPath(rest))
	if err != nil {
		return err
	}
	if c.Play.House.Decks == 0 {
		return fmt.Errorf("deckcheck: %s is played without cards", c.Play.Game)
	}
	if *decks == 0 {
		*decks = int(c.Play.House.Decks)
	}
	r, err := openResting(e, c)
	if err != nil {
		return err
	}
	return errors.Join(runDecks(e, &c, r, *decks, *by), r.close())
}

// resting is the record of a table that does not run, open to have one thing written into it.
type resting struct {
	live   *live.Live
	stop   func()
	ended  chan error
	last   shoe.Order // of the last shoe that was dealt
	broken bool       // the last thing that was done was a check of decks, and it has no end
}

// openResting opens the record, unless somebody writes it or there are cards on the table.
func openResting(e *env, c Config) (*resting, error) {
	heard, err := mqtt.Heard(c.Journal)
	if err != nil {
		return nil, adviseRecovery(err, c)
	}
	described := liveConfig(c)
	described.Heard, described.Log = heard, slog.New(slog.NewTextHandler(e.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	described.Show, described.Halt = func(table.Snapshot) {}, func() {}
	r := &resting{ended: make(chan error, 1)}
	if r.live, err = live.Open(c.Journal, described); err != nil {
		if errors.Is(err, journal.ErrBusy) {
			return nil, fmt.Errorf("deckcheck: %w: the table runs, and has the shoe too; stop it first", err)
		}
		return nil, adviseRecovery(err, c)
	}
	var phase table.Phase
	if phase, r.last, r.broken, err = lastShoe(c.Journal); err == nil && phase != table.Closed && phase != table.ShoeChange {
		err = fmt.Errorf("deckcheck: the table is in the middle of a shoe; retire it or close the table first")
	}
	if err != nil {
		return nil, errors.Join(err, r.live.Close())
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(e.ctx)) // who interrupts a check has it recorded as far as it came
	r.stop = stop
	go func() { r.ended <- r.live.Run(ctx) }()
	return r, nil
}

// lastShoe plays the last segment again: in what phase it leaves the table, and in what order the cards of the shoe came that was dealt last. Only those
// are known that everybody saw. Broken says that a check of decks had begun, and was not ended.
func lastShoe(dir string) (phase table.Phase, order shoe.Order, broken bool, err error) {
	segments, err := journal.Segments(dir)
	if err != nil {
		return table.Closed, shoe.Order{}, false, err
	}
	f, err := journal.OpenFile(segments[len(segments)-1])
	if err != nil {
		return table.Closed, shoe.Order{}, false, err
	}
	defer f.Close()
	newGame, err := recordedGame(f.Header().Configuration)
	if err != nil {
		return table.Closed, shoe.Order{}, false, err
	}
	game := newGame(f.Header().Opening)
	var last table.Event
	for {
		entry, err := f.Next()
		if err != nil { // the end: it was opened a moment ago, and verified
			break
		}
		last = entry.Event
		game.Step(last, nil)
		switch last.Kind {
		case table.Started, table.Program, table.Clock: // nobody did them
		default:
			broken = last.Kind == table.Checked && strings.HasSuffix(last.Text.Detail, underWay)
		}
	}
	phase = game.Layout().Phase
	cards := game.Opening().Last
	game.Step(table.Event{Kind: table.NewShoe, N: 1, Seq: last.Seq + 1, At: last.At}, nil) // as if: it makes the shoe in play the last one
	if now := game.Opening().Last; now != "" {
		cards = now
	}
	return phase, shoe.ParseOrder(cards), broken, nil
}

// write makes an event of the shoe's the next entry, and gives its number.
func (r *resting) write(ev table.Event, from shoe.Source) (seq int64, err error) {
	done := make(chan struct{})
	r.live.Device(live.Input{Event: ev, Source: from, Done: func() { close(done) }})
	select {
	case <-done:
		return r.live.Journal().Durable(), nil
	case err := <-r.ended:
		r.ended <- err
		return 0, fmt.Errorf("deckcheck: it could not be recorded: %w", err)
	}
}

func (r *resting) close() error {
	r.stop()
	if err := <-r.ended; err != nil && !errors.Is(err, context.Canceled) {
		return errors.Join(err, r.live.Close())
	}
	return r.live.Close()
}

// runDecks lets the cards come, records what was found and tells it. Its error is that they are not all there, or not theirs alone.
func runDecks(e *env, c *Config, r *resting, decks int, by string) error {
	dec, err := c.Device.dialect.decoder(c.Device.Name)
	if err != nil {
		return err
	}
	b := setUp(e, &c.Device, dec, r.live.Resume(c.Device.Name))
	b.device.Lock(true)
	run := &deckRun{bench: b, pile: pile{decks: decks}, source: shoe.Source{Device: c.Device.Name}, broken: r.broken, progress: progress(e.stderr)}
	run.note = func() error {
		_, err := r.write(run.pile.soFar(by), run.source)
		return err
	}
	err = run.wait(e.ctx)
	run.progress(1, 1)
	b.device.Lock(true)
	switch {
	case err != nil:
	case !run.ready:
		err = errors.New("deckcheck: it ended before it began, and nothing is recorded")
	default:
		seq := int64(0)
		if seq, err = r.write(run.pile.event(by, &r.last), run.source); err == nil {
			b.device.Ack(run.source)
			err = run.pile.tell(e.stdout, by, &r.last)
			b.say("  recorded  entry %d of the record %s", seq, r.live.Journal().Record())
		}
	}
	b.close()
	return err
}
