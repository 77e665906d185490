package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"sabot/table"
	"sabot/table/journal"
)

// figures are what was done at a table, counted for each dealer, each shoe or the whole.
type figures struct {
	names []string // in the order they came
	of    map[string]*figure
	ended *figure       // the row of the round that ended last
	last  time.Duration // game time of the entry before, where that counted
	runs  bool          // it did
}

// figure is one row of them.
type figure struct {
	played         time.Duration // between entries that follow each other within idle
	rounds, voids  int64
	cards          int64
	irregularities int64 // that held the table, at once or after the round
	misreads       int64 // cards nobody could read, burnt ones too
	overrides      int64 // what the supervisor changed or entered by hand
}

// idle is how long nothing may happen before the table counts as not being played.
const idle = 10 * time.Minute

// pass leaves out an entry that was not asked for, and the time up to the next one.
func (f *figures) pass() { f.runs = false }

// count adds an entry.
func (f *figures) count(x *exporter, e *journal.Entry) {
	name := map[string]string{"dealer": cmp.Or(x.dealer, "(nobody)"), "shoe": fmt.Sprint(x.shoe), "table": x.table}[x.per]
	if f.of[name] == nil {
		if f.of == nil {
			f.of = map[string]*figure{}
		}
		f.names = append(f.names, name)
		f.of[name] = &figure{}
	}
	row := f.of[name]
	if d := e.At - f.last; f.runs && d < idle {
		row.played += d
	}
	f.last, f.runs = e.At, true
	row.add(e)
	f.rounds(row, e)
}

// rounds counts a round that an entry ends or voids. What a correction says again was counted; and one that is void although it had ended was none, whoever dealt then.
func (f *figures) rounds(row *figure, e *journal.Entry) {
	var calls []struct {
		Call string
		Rev  int
	}
	if text := string(e.Calls); !strings.Contains(text, `{"call":"end"`) && !strings.Contains(text, `{"call":"void"`) || json.Unmarshal(e.Calls, &calls) != nil {
		return
	}
	for _, c := range calls {
		switch again := c.Rev > 0; {
		case c.Call == "end" && !again:
			row.rounds++
			f.ended = row
		case c.Call == "void" && !again:
			row.voids++
		case c.Call == "void" && f.ended != nil:
			f.ended.rounds--
			f.ended.voids++
		}
	}
}

func (r *figure) add(e *journal.Entry) {
	k, byHand := e.Event.Kind, e.Event.By() != ""
	if k == table.Draw {
		r.cards++
	}
	if k == table.Correct || k == table.Undo || byHand && (k == table.Draw || k == table.Result || k.Decision()) {
		r.overrides++
	}
	if string(e.Floor) == "[]" {
		return
	}
	var calls []struct{ Call, Code, Class string }
	if json.Unmarshal(e.Floor, &calls) != nil {
		return // another version's
	}
	for _, c := range calls {
		if c.Call != "irregularity" {
			continue
		}
		if c.Class != "note" {
			r.irregularities++
		}
		if c.Code == table.Misread.String() || c.Code == table.BurnUnread.String() {
			r.misreads++
		}
	}
}

// write writes a row for each.
func (f *figures) write(x *exporter) error {
	for _, name := range f.names {
		r := f.of[name]
		hours, perHour := r.played.Hours(), 0.0
		if hours > 0 {
			perHour = float64(r.rounds) / hours
		}
		err := x.out.write(row{
			{x.per, name}, {"hours", round(hours, 100)}, {"rounds", r.rounds}, {"rounds_per_hour", round(perHour, 10)}, {"cards", r.cards}, {"voids", r.voids},
			{"irregularities", r.irregularities}, {"misreads", r.misreads}, {"overrides", r.overrides},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// round is a figure with as many places as it is worth.
func round(v, places float64) float64 { return math.Round(v*places) / places }
