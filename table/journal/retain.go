package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sabot/table"
)

// Retention says how long a segment is kept after its last entry.
type Retention struct {
	All       time.Duration // 0 keeps everything
	Incidents time.Duration // of a segment in which one happened; 0 keeps those for ever
}

// Incidents is the folder, beside the segments, of those that are kept longer than others for what happened in them. Each verifies by itself.
const Incidents = "incidents"

// incidents are the events for which a segment is kept longer: what was decided by hand, and what somebody may still ask about.
var incidents = map[table.Kind]bool{table.Void: true, table.Dispute: true, table.Correct: true, table.Undo: true, table.Stop: true, table.Fault: true}

// Prune removes the segments that need not be kept any more, oldest first, so that what stays is one chain; those with an incident go
// to a folder of their own until their time has come, too. The entry last heard and all after it stay, and so do the last two segments. What
// time it is the record says, not the system's clock, which may be wrong by years after a start. Any goroutine may call it. It
// gives the files that it removed.
func (j *Journal) Prune(keep Retention, heard Mark) (removed []string, err error) {
	if keep.All == 0 || heard.Record != j.record {
		return nil, nil
	}
	numbers, err := segments(j.dir)
	if err != nil || len(numbers) < 3 {
		return nil, err
	}
	last, err := j.headerOf(numbers[len(numbers)-1])
	if err != nil {
		return nil, err
	}
	now := last.Began()
	for i, n := range numbers[:len(numbers)-2] {
		next, err := j.headerOf(numbers[i+1])
		if err != nil {
			return removed, err
		}
		if next.First > heard.Seq || now.Sub(next.Began()) < keep.All {
			break
		}
		path := filepath.Join(j.dir, segmentName(n))
		if err := j.drop(path); err != nil {
			return removed, fmt.Errorf("journal: prune: %w", err)
		}
		removed = append(removed, path)
	}
	old, err := j.pruneIncidents(keep, now)
	return append(removed, old...), err
}

func (j *Journal) headerOf(number int) (Header, error) {
	s, err := openSegment(j.dir, number, os.O_RDONLY)
	if err != nil {
		return Header{}, err
	}
	return s.header, s.file.Close()
}

// Began is the wall clock at which the segment begins, and the one before ends.
func (h *Header) Began() time.Time { return h.Start.Add(h.At + h.Offset) }

// drop removes a segment, or puts it among the incidents.
func (j *Journal) drop(path string) error {
	incident, _, err := scan(path)
	if err != nil {
		return err
	}
	if !incident {
		return errors.Join(j.disk.Remove(path), j.disk.syncDir(j.dir))
	}
	folder := filepath.Join(j.dir, Incidents)
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := j.disk.Rename(path, filepath.Join(folder, filepath.Base(path))); err != nil {
		return err
	}
	return errors.Join(j.disk.syncDir(folder), j.disk.syncDir(j.dir))
}

// scan says whether a segment holds an incident, and when its last entry was.
func scan(path string) (incident bool, end time.Time, err error) {
	f, err := OpenFile(path)
	if err != nil {
		return false, end, err
	}
	defer f.Close()
	end = f.s.header.Began()
	for {
		e, err := f.Next()
		if err == io.EOF {
			return incident, end, nil
		}
		if err != nil { // what is damaged is nothing to decide about
			return false, end, err
		}
		incident, end = incident || incidents[e.Event.Kind], e.Time
	}
}

// pruneIncidents removes the incidents whose time has come.
func (j *Journal) pruneIncidents(keep Retention, now time.Time) (removed []string, err error) {
	if keep.Incidents == 0 {
		return nil, nil
	}
	files, err := Segments(filepath.Join(j.dir, Incidents))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, path := range files {
		_, end, err := scan(path)
		if err == nil && now.Sub(end) >= keep.Incidents {
			err = j.disk.Remove(path)
			removed = append(removed, path)
		}
		if err != nil {
			return removed, fmt.Errorf("journal: prune: %w", err)
		}
	}
	return removed, err
}

// First is the number of the first entry that is kept, or will be.
func (j *Journal) First() (int64, error) {
	numbers, err := segments(j.dir)
	if err != nil {
		return 0, err
	}
	if len(numbers) == 0 {
		return 0, fmt.Errorf("journal: the segments in %s are gone", j.dir)
	}
	h, err := j.headerOf(numbers[0])
	return h.First, err
}
