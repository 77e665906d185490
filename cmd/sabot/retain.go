package main

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"sabot/mqtt"
	"sabot/table/journal"
)

const daysWanted = "a number of days such as 90d"

// days reads a setting of whole days.
func days(to *time.Duration) func(string) bool {
	return func(v string) bool {
		n, unit := strings.CutSuffix(v, "d")
		d, err := strconv.ParseUint(n, 10, 16)
		if !unit || err != nil || d < 1 || d > 36500 {
			return false
		}
		*to = time.Duration(d) * 24 * time.Hour
		return true
	}
}

// settleKeep wants incidents to be kept at least as long as all else.
func (r *reader) settleKeep() {
	keep, all, incidents := r.config.Keep, r.nodes["journal_keep"], r.nodes["incidents_keep"]
	switch {
	case incidents == nil || r.failed["incidents_keep"] || r.failed["journal_keep"]:
	case all == nil:
		r.problem(incidents, "incidents_keep without journal_keep: everything is kept for ever; write both, or remove it")
	case keep.Incidents < keep.All:
		r.problem(incidents, "incidents_keep is shorter than journal_keep, which the incidents are kept in any case; write more, or remove it to keep them for ever")
	}
}

// kept says for how long.
func kept(k journal.Retention) string {
	d := func(t time.Duration) string { return fmt.Sprintf("%dd", t/(24*time.Hour)) }
	switch {
	case k.All == 0:
		return ""
	case k.Incidents == 0:
		return ", kept " + d(k.All) + ", shoes with an incident for ever"
	}
	return ", kept " + d(k.All) + ", shoes with an incident " + d(k.Incidents)
}

// pruneEvery is how often a table looks whether segments need not be kept any more.
const pruneEvery = time.Hour

// pruner removes what need not be kept any more of a table's record.
type pruner struct {
	journal *journal.Journal
	dir     string
	keep    journal.Retention
	log     *slog.Logger
}

// run prunes now and then until the context ends. That it cannot is no reason to stop a table.
func (p *pruner) run(ctx context.Context) error {
	tick := time.NewTicker(pruneEvery)
	defer tick.Stop()
	for {
		p.prune()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (p *pruner) prune() {
	heard, err := mqtt.Heard(p.dir)
	if err == nil {
		var removed []string
		if removed, err = p.journal.Prune(p.keep, heard); len(removed) > 0 {
			p.log.Info("segments of the record whose time has come are no longer kept", "segments", len(removed), "last", removed[len(removed)-1])
		}
	}
	if err != nil {
		p.log.Warn("the record is not pruned", "error", err)
	}
}
