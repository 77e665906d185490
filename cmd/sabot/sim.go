package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"sabot/table/blackjack/strategy"
	"sabot/table/sim"
)

// simFlags are what the command line says of a simulation.
type simFlags struct {
	rules    string
	strategy string
	rounds   int64
	seed     uint64
	cores    int
	fresh    bool
	json     bool
}

// simulation is what is played, and what came of it.
type simulation struct {
	simFlags
	play   *Play
	table  *strategy.Table // nil for games that need none
	done   atomic.Int64    // rounds
	tally  sim.Tally
	took   time.Duration
	cpu    time.Duration
	ctx    context.Context
	blocks atomic.Int64 // begun
}

// simulate plays rounds by the rules of a preset or a configuration and prints what they returned.
func simulate(e *env, args []string) error {
	s := simulation{ctx: e.ctx}
	var l loadFlags
	f := e.flags()
	f.StringVar(&s.rules, "rules", "deluxe", "the preset to play, or a configuration file")
	f.Int64Var(&s.rounds, "rounds", 10_000_000, "how many rounds")
	f.Uint64Var(&s.seed, "seed", 1, "shuffles; the same one gives the same figures, whatever the cores")
	f.StringVar(&s.strategy, "strategy", "", "the player's table: a CSV file, or "+oneOf(strategy.Names)+" (default the rules')")
	f.IntVar(&s.cores, "cores", runtime.NumCPU(), "how many to use")
	f.BoolVar(&s.fresh, "fresh-shoe", false, "shuffle before each round, as exact figures suppose, instead of playing to the cut card")
	f.BoolVar(&s.json, "json", false, "print one line of JSON")
	l.register(f)
	if _, err := e.parse(f, args, 0, 0); err != nil {
		return err
	}
	if loads, err := l.chosen(f); err != nil {
		return err
	} else if loads {
		return s.load(e, l)
	}
	if s.rounds < 1 || s.cores < 1 || s.cores > 1024 {
		return usageError("sim: rounds begin at 1, and cores are from 1 to 1024")
	}
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.run(progress(e.stderr)); err != nil {
		return err
	}
	if s.json {
		return s.printJSON(e.stdout)
	}
	return s.print(e.stdout)
}

// load tries a broker with tables that play by these rules.
func (s *simulation) load(e *env, flags loadFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	if err := s.find(); err != nil {
		return err
	}
	l := load{loadFlags: flags, play: s.play, seed: s.seed}
	if err := l.prepare(); err != nil {
		return err
	}
	report, err := l.run(s.ctx, progress(e.stderr))
	if report.Tables > 0 {
		err = errors.Join(report.print(e.stdout, s.json), err)
	}
	if err == nil && report.Lost+report.Gaps > 0 {
		err = fmt.Errorf("sim: the reader lost %d calls, and found %d gaps", report.Lost, report.Gaps)
	}
	return err
}

// prepare finds the rules and the player's table.
func (s *simulation) prepare() error {
	if err := s.find(); err != nil {
		return err
	}
	switch {
	case s.play.Game != "blackjack" && s.strategy != "":
		return usageError("sim: nobody decides anything in " + s.play.Game + "; leave --strategy out")
	case s.play.House.Decks == 0 && s.fresh:
		return usageError("sim: there is no shoe in " + s.play.Game + "; leave --fresh-shoe out")
	case s.play.Game != "blackjack":
		return nil
	case s.strategy == "":
		s.strategy = s.play.Rules
	}
	return s.readTable()
}

// find finds the rules.
func (s *simulation) find() error {
	for _, presets := range games {
		if preset := presets[s.rules]; preset != nil {
			s.play = preset()
		}
	}
	if s.play == nil {
		c, err := readRules(s.rules)
		switch {
		case err != nil && strings.ContainsAny(s.rules, "/."):
			return err
		case err != nil:
			return usageError(fmt.Sprintf("sim: there are no rules %q%s", s.rules, instead(s.rules, allPresets())))
		}
		s.play = c.Play
	}
	return nil
}

// readTable reads an embedded table or a file.
func (s *simulation) readTable() (err error) {
	if slices.Contains(strategy.Names, s.strategy) {
		s.table, err = strategy.Load(s.strategy)
		return err
	}
	f, err := os.Open(s.strategy)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError(fmt.Sprintf("sim: %s is no file, and no table: %s", s.strategy, oneOf(strategy.Names)))
	}
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	defer f.Close()
	if s.table, err = strategy.Parse(f); err != nil {
		return fmt.Errorf("sim: %s: %w", s.strategy, err)
	}
	return nil
}

// allPresets are the names of the presets of all games.
func allPresets() []string {
	var names []string
	for _, game := range sorted(games) {
		names = append(names, sorted(games[game])...)
	}
	return names
}

// perBlock is how many rounds a block has. It belongs to what a seed means.
const perBlock = 1 << 16

// run plays all blocks on all cores and tells how far it is.
func (s *simulation) run(tell func(done, all int64)) error {
	began, cpu := time.Now(), cpuTime()
	tallies := make(chan sim.Tally)
	for range s.cores {
		go func() { tallies <- s.work() }()
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for left := s.cores; left > 0; {
		select {
		case t := <-tallies:
			s.tally.Add(t)
			left--
		case <-tick.C:
			tell(s.done.Load(), s.rounds)
		}
	}
	tell(s.rounds, s.rounds)
	s.took, s.cpu = time.Since(began), cpuTime()-cpu
	if s.ctx.Err() != nil {
		return fmt.Errorf("sim: stopped after %d of %d rounds", s.tally.Rounds, s.rounds)
	}
	return nil
}

// work plays blocks until none is left.
func (s *simulation) work() sim.Tally {
	var sum sim.Tally
	player := s.play.simulate(s.table, s.fresh)
	for s.ctx.Err() == nil {
		block := s.blocks.Add(1) - 1
		rounds := min(perBlock, s.rounds-block*perBlock)
		if rounds <= 0 {
			break
		}
		sum.Add(player.Block(s.seed, uint64(block), rounds))
		s.done.Add(rounds)
	}
	return sum
}

// cpuTime is the processor time that this process has used so far.
func cpuTime() time.Duration {
	var used unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &used) // never fails
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
