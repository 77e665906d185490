package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sabot/mqtt"
)

// loadReport is what came of a load test.
type loadReport struct {
	Tables    int     `json:"tables"`
	Game      string  `json:"game"`
	Rules     string  `json:"rules"`
	Broker    string  `json:"broker"`
	Rate      float64 `json:"rate"`
	Seconds   float64 `json:"seconds"`
	Events    int64   `json:"events"`    // recorded while it was measured
	Published int64   `json:"published"` // by the tables, all topics, meanwhile
	Lost      int64   `json:"lost"`      // calls that the reader never heard, or only behind later ones, from the beginning on
	Gaps      int64   `json:"gaps"`      // where it noticed that, on any topic
	Twice     int64   `json:"twice"`
	Reconnect int64   `json:"reconnections"`
	OnDisk    took    `json:"on_disk"` // from the event to the disk
	Heard     took    `json:"heard"`   // from the event to the reader
}

// took is how long something took, in milliseconds.
type took struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
	P99 float64 `json:"p99_ms"`
	Max float64 `json:"max_ms"`
}

// percentiles sorts the list.
func percentiles(list []time.Duration) took {
	if len(list) == 0 {
		return took{}
	}
	slices.Sort(list)
	at := func(p int) float64 { return float64(list[(len(list)-1)*p/100]) / float64(time.Millisecond) }
	return took{len(list), at(50), at(95), at(99), at(100)}
}

// report makes a report. heard says that the reader had all that was said: what a table has said since, for its clocks go on, is not to be counted.
func (l *load) report(before, after mqtt.Stats, heard bool) loadReport {
	r := loadReport{
		Tables: l.tables, Game: l.play.Game, Rules: l.play.Rules, Broker: l.mqtt.Broker, Rate: l.rate, Seconds: l.lasts.Seconds(),
		Events: after.Acknowledged - before.Acknowledged, Published: after.Published - before.Published, Reconnect: after.Connections - int64(l.tables),
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Gaps, r.Twice, r.OnDisk, r.Heard = l.heard.Missed, l.heard.Twice, percentiles(l.onDisk), percentiles(l.atReader)
	r.Lost = -l.calls
	for name, t := range l.named {
		said := l.heard.Last("sabot/" + name + "/call")
		if !heard {
			said = t.live.Journal().Durable()
		}
		r.Lost += said
	}
	return r
}

// print says it for people, or for machines.
func (r *loadReport) print(w io.Writer, forMachines bool) error {
	var b strings.Builder
	if forMachines {
		line, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("sim: %w", err)
		}
		fmt.Fprintf(&b, "%s\n", line)
	} else {
		fmt.Fprintf(&b, "%s tables of %s by the %s rules at %s, %g events a second each, for %g s\n\n", grouped(int64(r.Tables)), r.Game, r.Rules, r.Broker, r.Rate, r.Seconds)
		fmt.Fprintf(&b, "  %-22s%11s%12s%12s%12s%12s\n", "from the event to", "events", "median", "95 %", "99 %", "longest")
		for _, row := range []struct {
			name string
			took
		}{{"the disk", r.OnDisk}, {"the reader", r.Heard}} {
			fmt.Fprintf(&b, "  %-22s%11s%9.2f ms%9.2f ms%9.2f ms%9.2f ms\n", row.name, grouped(int64(row.N)), row.P50, row.P95, row.P99, row.Max)
		}
		fmt.Fprintf(&b, "\n  %s events recorded, %s messages published, %s a second\n", grouped(r.Events), grouped(r.Published), grouped(int64(float64(r.Published)/r.Seconds)))
		fmt.Fprintf(&b, "  %s calls lost, %s gaps, %s messages came twice, %s connections made anew\n", grouped(r.Lost), grouped(r.Gaps), grouped(r.Twice), grouped(r.Reconnect))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	return nil
}
