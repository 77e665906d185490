package live

import (
	"maps"
	"slices"
	"time"

	"sabot/table"
)

// version is that of what layouts and floor states mean.
const version = 1

// snapshot is the table after its last entry.
func (l *Live) snapshot() table.Snapshot {
	s := l.state
	layout := l.game.Layout()
	layout.V, layout.Record, layout.Seq, layout.At = version, s.record, s.seq, s.time
	layout.Table, layout.Game, layout.Rules = l.config.Table, l.config.GameName, l.config.Rules
	layout.Last = s.recap
	if d := layout.Due; d != nil && d.Deadline > 0 {
		left := max(d.Deadline-s.at, 0)
		until := s.time.Add(left).Truncate(time.Millisecond)
		d.LeftMs, d.Until = left.Milliseconds(), &until
	}
	floor := l.floor()
	if layout.Stopped != nil { // by then nothing hurries
		floor.Undo, floor.Cards = table.Past(l.game)
	}
	l.box.See(&layout)
	floor.Box = l.box.State(&layout)
	return table.Snapshot{Seq: s.seq, Layout: layout, Floor: floor, Calls: slices.Clone(l.calls), Halted: l.halted()}
}

// floor is what the staff may see beside the layout.
func (l *Live) floor() table.FloorState {
	s := l.state
	f := table.FloorState{
		V: version, Record: s.record, Seq: s.seq, At: s.time, Table: l.config.Table, Dealer: s.dealer,
		Paused: l.game.Opening().Paused, Stops: table.Stops(l.game), Void: table.Voidable(l.game), Devices: map[string]string{},
	}
	f.Pause = l.state.paused
	l.nameCauses(f.Stops)
	for name, lost := range s.lost {
		f.Devices[name] = "ok"
		if lost {
			f.Devices[name] = "lost"
		}
	}
	return f
}

// nameCauses says of the stops that devices or people made which device, or who, that was, and what it, or he, said.
func (l *Live) nameCauses(stops []table.StopState) {
	held := map[int64]bool{}
	for i := range stops {
		held[stops[i].Irregularity] = true
		if t := l.state.troubles[stops[i].Irregularity]; t != nil {
			stops[i].Order = table.OrderOf(t.Event)
			if stops[i].Device = table.DeviceOf(t.Event); stops[i].Device != nil {
				stops[i].Device.Over = t.over
			}
		}
	}
	if len(l.state.troubles) > maxTroubles {
		maps.DeleteFunc(l.state.troubles, func(seq int64, _ *trouble) bool { return !held[seq] })
	}
}
