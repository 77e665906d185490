package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// finding is what the doctor says of one thing.
type finding struct {
	What  string `json:"what"`
	State health `json:"state"`
	Said  string `json:"said"`
	Mend  string `json:"mend,omitempty"` // what to do; "" where nothing must be done
}

// health is how a thing is.
type health string

const (
	isGood health = "good"
	isOdd  health = "look" // works, and somebody should know
	isBad  health = "bad"
)

func fine(what, format string, args ...any) finding {
	return finding{what, isGood, fmt.Sprintf(format, args...), ""}
}

func warn(what, mend, format string, args ...any) finding {
	return finding{what, isOdd, fmt.Sprintf(format, args...), mend}
}

func ill(what, mend, format string, args ...any) finding {
	return finding{what, isBad, fmt.Sprintf(format, args...), mend}
}

// doctor looks at all a table needs, on this machine, now: each thing is good or bad, and what is bad comes with what to do.
func doctor(e *env, args []string) error {
	f := e.flags()
	asJSON := f.Bool("json", false, "write an array of {what, state, said, mend}")
	rest, err := e.parse(f, args, 0, 1)
	if err != nil {
		return err
	}
	file := configPath(rest)
	c, err := readConfig(file)
	tell := tellLine(e.stdout)
	var all []finding
	if *asJSON {
		tell = func(finding) {}
	}
	for _, list := range examinations(file, c, err) {
		for _, one := range list(e.ctx) {
			all = append(all, one)
			tell(one)
		}
	}
	if *asJSON {
		if err := json.NewEncoder(e.stdout).Encode(all); err != nil {
			return err
		}
	}
	return verdict(all)
}

// examination looks at one thing.
type examination func(context.Context) []finding

// examinations are all there are. Without a configuration only the machine can be looked at.
func examinations(file string, c Config, err error) []examination {
	machine := []examination{examineClock, examinePi, examineGPIO}
	if err != nil {
		return append([]examination{func(context.Context) []finding { return badConfig(file, err) }, examinePorts}, machine...)
	}
	table := []examination{
		func(context.Context) []finding { return examineConfig(&c) },
		func(ctx context.Context) []finding { return examineDevice(ctx, &c.Device, c.Journal) },
		func(ctx context.Context) []finding { return examineBox(ctx, &c.Box, c.Journal) },
		func(ctx context.Context) []finding { return examineBroker(ctx, &c) },
		func(context.Context) []finding { return examineDisk(c.Journal) },
		func(context.Context) []finding { return examineRecord(&c) },
	}
	return append(table, machine...)
}

// badConfig is a finding for each problem.
func badConfig(file string, err error) []finding {
	var problems Problems
	if !errors.As(err, &problems) {
		return []finding{ill("configuration", "", "%s: %v", file, err)}
	}
	var list []finding
	for _, p := range problems {
		list = append(list, ill("configuration", "README has a whole one to begin with", "%v", p))
	}
	return list
}

func examineConfig(c *Config) []finding {
	list := []finding{fine("configuration", "%s: table %s, %s by the %s rules", c.File, c.Table, c.Play.Game, c.Play.Rules)}
	for _, w := range c.Warnings {
		list = append(list, warn("configuration", "", "%v", w))
	}
	return list
}

// tellLine prints each finding as it comes, because some take seconds.
func tellLine(w io.Writer) func(finding) {
	return func(f finding) {
		fmt.Fprintf(w, "%-5s %-14s %s\n", f.State, f.What, f.Said)
		if f.Mend != "" {
			fmt.Fprintf(w, "%-5s %-14s -> %s\n", "", "", f.Mend)
		}
	}
}

// verdict is an error when anything is bad.
func verdict(all []finding) error {
	n := 0
	for _, f := range all {
		if f.State == isBad {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("doctor: %d of %d things are bad", n, len(all))
}
