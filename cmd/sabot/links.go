package main

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"sabot/table"
)

// links is how the table's devices and its broker are reached at this moment. The record knows that a device is lost; why it is, and that the broker is away, is
// nothing that happened at the table, and still what the staff must mend: so it is added to what is shown.
type links struct {
	mu      sync.Mutex
	devices map[string]string // by name: ok, or why it is away
	losses  map[string]int    // by name, how often it was lost
	unheard bool              // what the table says does not arrive
}

// link hears how a device is.
func (s *station) link(name string) func(state string) {
	return func(state string) {
		s.links.mu.Lock()
		s.links.set(name, state)
		s.links.mu.Unlock()
		s.live.Refresh()
	}
}

// set notes how a device is.
func (l *links) set(name, state string) {
	if l.devices == nil {
		l.devices, l.losses = map[string]string{}, map[string]int{}
	}
	if was := l.devices[name]; state != "ok" && (was == "" || was == "ok") {
		l.losses[name]++
	}
	l.devices[name] = state
}

// of is how a device is, and how often it was lost. One that was never spoken of is there.
func (l *links) of(name string) (state string, losses int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.devices[name], "ok"), l.losses[name]
}

// linked hears whether what the table says arrives.
func (s *station) linked(up bool, _ error) {
	s.links.mu.Lock()
	s.links.unheard = !up
	s.links.mu.Unlock()
	s.live.Refresh()
}

// add adds what is known here to a state. A device is away from when the record says so until it says that it is back; and so it is in what it stopped.
func (l *links) add(now *table.Snapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now.Unheard = l.unheard
	now.Floor.Devices = maps.Clone(now.Floor.Devices)
	for name, state := range now.Floor.Devices {
		if why := l.devices[name]; state != "ok" && why != "" && why != "ok" {
			now.Floor.Devices[name] = why
		}
	}
	now.Floor.Stops = slices.Clone(now.Floor.Stops)
	for i := range now.Floor.Stops {
		d := now.Floor.Stops[i].Device
		if d == nil || d.Fault != "lost" || d.Over {
			continue
		}
		if why := now.Floor.Devices[d.Name]; why != "ok" {
			now.Floor.Stops[i].Device = &table.StopDevice{Name: d.Name, Fault: why}
		}
	}
}
