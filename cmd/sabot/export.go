package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"sabot/table"
	"sabot/table/journal"
)

// export writes what a record holds for auditors and spreadsheets: the entries of rounds, shoes or a time, or figures of them. It verifies
// what it reads and ends where that does not.
func export(e *env, args []string) error {
	x := &exporter{progress: progress(e.stderr)}
	f := e.flags()
	f.Func("rounds", "of these rounds alone: 37 or 30-40", x.rounds.set)
	f.Func("shoe", "of these shoes alone: 12 or 10-12", x.shoes.set)
	f.Func("from", "from this moment on: 2026-11-30 or 2026-11-30T21:00:00Z", moment(&x.from))
	f.Func("to", "up to this moment", moment(&x.to))
	asCSV := f.Bool("csv", false, "write CSV, not a line of JSON for each entry")
	f.BoolVar(&x.public, "public", false, "only what the public heard: no face-down card, no name")
	f.StringVar(&x.per, "figures", "", "no entries, but figures of each dealer, shoe or table")
	rest, err := e.parse(f, args, 1, 1)
	switch {
	case err != nil:
		return err
	case x.per != "" && x.per != "dealer" && x.per != "shoe" && x.per != "table":
		return usageError("export: --figures takes dealer, shoe or table")
	case x.per != "" && x.public:
		return usageError("export: figures name dealers and irregularities; leave --public out")
	}
	files, err := recordFiles(rest[0])
	if err != nil {
		return private(err)
	}
	out := bufio.NewWriter(e.stdout)
	x.out = newRows(out, *asCSV)
	err = private(x.run(e, files))
	if flushed := out.Flush(); err == nil && flushed != nil {
		err = fmt.Errorf("export: %w", flushed)
	}
	return err
}

// exporter is an export under way.
type exporter struct {
	rounds, shoes numberRange
	from, to      time.Time
	public        bool
	per           string // figures by this; "" writes entries
	progress      func(done, all int64)
	out           *rows

	record, table string
	shoe          uint32
	dealer        string
	figures       figures
}

// numberRange is a range of numbers, the zero one all.
type numberRange struct{ first, last uint64 }

func (r *numberRange) set(v string) (err error) {
	first, last, two := strings.Cut(v, "-")
	if !two {
		last = first
	}
	if r.first, err = strconv.ParseUint(first, 10, 32); err == nil {
		r.last, err = strconv.ParseUint(last, 10, 32)
	}
	if err != nil || r.first > r.last || r.last == 0 {
		return errors.New("write a number such as 37, or two such as 30-40")
	}
	return nil
}

func (r *numberRange) has(n uint32) bool {
	return r.last == 0 || uint64(n) >= r.first && uint64(n) <= r.last
}

// moment reads a date or a time; without a zone it is UTC, as everything in the record.
func moment(to *time.Time) func(string) error {
	return func(v string) error {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", time.DateOnly} {
			if t, err := time.Parse(layout, v); err == nil {
				*to = t
				return nil
			}
		}
		return errors.New("write 2026-11-30 or 2026-11-30T21:00:00Z")
	}
}

func (x *exporter) run(e *env, files []string) error {
	parts, err := x.parts(e.ctx, files)
	if err != nil {
		return err
	}
	done := 0
	for _, part := range parts {
		err := journal.Walk(part, func(f *journal.File) error {
			h := f.Header()
			x.record, x.table, x.shoe, x.dealer = h.Record, h.Table, h.Opening.Shoe, h.Dealer
			x.progress(int64(done), int64(len(files)))
			done++
			return nil
		}, func(_ string, entry *journal.Entry) error {
			if err := e.ctx.Err(); err != nil {
				return err
			}
			return x.entry(entry)
		})
		if err != nil && !errors.As(err, new(*journal.UnfinishedError)) { // the table may be writing that line just now
			return err
		}
		x.figures.pass()
	}
	x.progress(int64(len(files)), int64(len(files)))
	if left := len(files) - done; left > 0 {
		fmt.Fprintf(e.stderr, "sabot: %s not read: by their headers nothing of what was asked for is in them\n", plural(left, "segment was", "segments were"))
	}
	return x.figures.write(x)
}

// parts are the segments that may hold what was asked for, those that follow each other together. Only headers are read for it.
func (x *exporter) parts(ctx context.Context, files []string) (parts [][]string, err error) {
	if x.rounds.last == 0 && x.from.IsZero() && x.to.IsZero() {
		return [][]string{files}, nil
	}
	marks := make([]mark, len(files), len(files)+1)
	for i, path := range files {
		if marks[i], err = begun(path); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	marks = append(marks, mark{math.MaxUint32, time.Unix(math.MaxInt32<<8, 0)}) // the last one may go on for ever
	before := false
	for i, path := range files {
		reached := x.reaches(marks[i], marks[i+1])
		switch {
		case reached && before:
			parts[len(parts)-1] = append(parts[len(parts)-1], path)
		case reached:
			parts = append(parts, []string{path})
		}
		before = reached
	}
	return parts, nil
}

// mark is where a record stands as a segment begins.
type mark struct {
	round uint32
	at    time.Time
}

func begun(path string) (mark, error) {
	f, err := journal.OpenFile(path)
	if err != nil {
		return mark{}, err
	}
	h := f.Header()
	return mark{h.Opening.Round, h.Began()}, f.Close()
}

// reaches says that what was asked for may lie between two marks. Rounds are counted up. Time is taken as if no clock was set away and back between them.
func (x *exporter) reaches(a, b mark) bool {
	switch {
	case x.rounds.last > 0 && (uint64(a.round) > x.rounds.last || uint64(b.round) < x.rounds.first),
		a.at.Before(x.from) && b.at.Before(x.from),
		!x.to.IsZero() && !a.at.Before(x.to) && !b.at.Before(x.to):
		return false
	}
	return true
}

// entry writes an entry, or counts it, if it was asked for.
func (x *exporter) entry(e *journal.Entry) error {
	switch e.Event.Kind {
	case table.NewShoe:
		x.shoe = uint32(e.Event.N)
	case table.Dealer:
		x.dealer = e.Event.Text.Name
	}
	wanted := x.rounds.has(e.Round) && x.shoes.has(x.shoe) && !e.Time.Before(x.from) && (x.to.IsZero() || e.Time.Before(x.to))
	switch {
	case !wanted:
		x.figures.pass()
		return nil
	case x.per != "":
		x.figures.count(x, e)
		return nil
	case x.public:
		return x.out.write(x.publicRow(e))
	}
	return x.out.write(x.row(e))
}

// publicRow is what the public heard of an entry, and where it belongs.
func (x *exporter) publicRow(e *journal.Entry) row {
	return row{{"record", x.record}, {"seq", e.Seq}, {"at", e.Time.Format("2006-01-02T15:04:05.000000Z")}, {"round", e.Round}, {"shoe", x.shoe}, {"calls", e.Calls}}
}

// row is everything of an entry.
func (x *exporter) row(e *journal.Entry) row {
	return append(x.publicRow(e)[:5], row{
		{"dealer", x.dealer}, {"event", e.Event.String()}, {"by", e.Event.By()},
		{"device", e.From.Device}, {"device_epoch", e.From.Epoch}, {"device_seq", e.From.Seq}, {"command", e.From.Command}, {"raw", hex.EncodeToString(e.Raw)},
		{"calls", e.Calls}, {"floor", e.Floor}, {"game", e.Game},
	}...)
}

// row is a line of an export: its columns in order.
type row []struct {
	name  string
	value any
}

// rows writes rows as JSON Lines or CSV.
type rows struct {
	out   *bufio.Writer
	csv   *csv.Writer // nil for JSON
	began bool
}

func newRows(out *bufio.Writer, asCSV bool) *rows {
	r := &rows{out: out}
	if asCSV {
		r.csv = csv.NewWriter(out)
	}
	return r
}

func (r *rows) write(line row) error {
	if r.csv == nil {
		return r.writeJSON(line)
	}
	if !r.began {
		r.began = true
		var names []string
		for _, c := range line {
			names = append(names, c.name)
		}
		if err := r.csv.Write(names); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	var values []string
	for _, c := range line {
		if raw, ok := c.value.(json.RawMessage); ok {
			c.value = string(raw)
		}
		values = append(values, fmt.Sprint(c.value))
	}
	err := r.csv.Write(values)
	r.csv.Flush()
	if err = errors.Join(err, r.csv.Error()); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func (r *rows) writeJSON(line row) error {
	b := []byte{'{'}
	for i, c := range line {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := json.Marshal(c.value)
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		b = append(append(strconv.AppendQuote(b, c.name), ':'), value...)
	}
	if _, err := r.out.Write(append(b, '}', '\n')); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}
