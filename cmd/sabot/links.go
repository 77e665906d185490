package main

import (
	"maps"
	"sync"

	"sabot/table"
)

// links is how the table's devices and its broker are reached at this moment. The record knows that a device is lost; why it is, and that the broker is away, is
// nothing that happened at the table, and still what the staff must mend: so it is added to what is shown.
type links struct {
	mu      sync.Mutex
	devices map[string]string // by name: ok, or why it is away
	unheard bool              // what the table says does not arrive
}

// link hears how a device is.
func (s *station) link(name string) func(state string) {
	return func(state string) {
		s.links.mu.Lock()
		if s.links.devices == nil {
			s.links.devices = map[string]string{}
		}
		s.links.devices[name] = state
		s.links.mu.Unlock()
		s.live.Refresh()
	}
}

// linked hears whether what the table says arrives.
func (s *station) linked(up bool, _ error) {
	s.links.mu.Lock()
	s.links.unheard = !up
	s.links.mu.Unlock()
	s.live.Refresh()
}

// add adds what is known here to a state. A device is away from when the record says so until it says that it is back.
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
}
