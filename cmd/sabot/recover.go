package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"sabot/mqtt"
	"sabot/table"
	"sabot/table/journal"
	"sabot/table/live"
)

// recoverRecord brings a table back whose record cannot be continued: it sets the record aside as it is, and begins a child of it.
func recoverRecord(e *env, args []string) error {
	f := e.flags()
	by := f.String("by", "", "who sets it aside, such as S-2; it is recorded")
	because := f.String("because", "", "why; it is recorded")
	force := f.Bool("force", false, "even if nothing is wrong with it: the studio heard more than it holds, or the program that wrote it is gone")
	rest, err := e.parse(f, args, 0, 1)
	switch {
	case err != nil:
		return err
	case !table.ValidName(*by) || *because == "":
		return usageError("recover: write --by NAME and --because TEXT; both are recorded")
	}
	c, err := readConfig(configPath(rest))
	if err != nil {
		return err
	}
	why, err := whatIsWrong(e, c)
	if strange := (*journal.VersionError)(nil); errors.As(err, &strange) && *force {
		why, err = err, nil
	}
	if err != nil {
		return err
	}
	if why == nil {
		if !*force {
			return fmt.Errorf("recover: nothing is wrong with the record in %s; `sabot run` goes on with it, and --force sets it aside all the same", c.Journal)
		}
		why = errors.New("nothing that the record itself tells")
	}
	h, err := live.Recover(c.Journal, liveConfig(c), why.Error(), *by, *because)
	if err != nil {
		return err
	}
	p := h.Parent
	fmt.Fprintf(e.stdout, "the record was set aside in %s/%s: %v\n", c.Journal, p.Aside, why)
	fmt.Fprintf(e.stdout, "%s is proven up to entry %d\n", cmp.Or(p.Record, "a record without a name"), p.Seq)
	fmt.Fprintf(e.stdout, "record %s was begun: the table opens held; release it, and load a new shoe\n", h.Record)
	fmt.Fprintf(e.stdout, "what was dealt behind that is not known: a round that was running is void, and its bets are to be refunded\n")
	return nil
}

// whatIsWrong is why a table could not continue its record, nil when it could.
func whatIsWrong(e *env, c Config) (why, err error) {
	heard, err := mqtt.Heard(c.Journal)
	if cursor := (*mqtt.CursorError)(nil); errors.As(err, &cursor) {
		return err, nil
	}
	if err != nil {
		return nil, err
	}
	if why = journal.Unfinished(c.Journal); why != nil {
		return why, nil
	}
	files, err := journal.Segments(c.Journal)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0 && heard.Record == "":
		return nil, fmt.Errorf("recover: there is no record in %s; `sabot run` begins one", c.Journal)
	case err != nil:
		return nil, err
	}
	proof, err := live.Verify(e.ctx, files, live.Audit{Recorded: recordedGame, Progress: progress(e.stderr)})
	if err != nil {
		return nil, err
	}
	why = proof.Err()
	if strange := (*journal.VersionError)(nil); errors.As(why, &strange) {
		return nil, why // nothing is wrong with it
	}
	if why != nil {
		return why, nil
	}
	if err := later(files); err != nil {
		return nil, err
	}
	if end := proof.End(); heard.Record != "" && (heard.Record != proof.Record || heard.Seq > end) {
		return fmt.Errorf("the record %s ends at entry %d, and entries up to %d of the record %s were heard", proof.Record, end, heard.Seq, heard.Record), nil
	}
	return nil, nil
}

// later says that only a later program can go on with a record.
func later(files []string) error {
	last := files[len(files)-1]
	f, err := journal.OpenFile(last)
	if err != nil {
		return err
	}
	defer f.Close()
	return live.Later(last, f.Header())
}

// adviseRecovery says what to do about a record that a table cannot continue.
func adviseRecovery(err error, c Config) error {
	var (
		corrupt *journal.CorruptError
		record  *live.RecordError
		cursor  *mqtt.CursorError
	)
	if errors.As(err, &corrupt) || errors.As(err, &record) && !record.Foreign || errors.As(err, &cursor) {
		return fmt.Errorf("%w; `sabot verify %s` says what is proven, `sabot recover` sets it aside and begins another", err, c.Journal)
	}
	return err
}
