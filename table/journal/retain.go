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

// away is the most that counts, for each segment, of the time that a record says to have passed while no program wrote it, or by which the clock was set. A clock that is wrong
// by years, once, must not make a record of yesterday an old one. What was longer only keeps it longer.
const away = 7 * 24 * time.Hour

// moment is where a record stands in time.
type moment struct {
	segment    int
	at, offset time.Duration // game time, and what the wall clock was moved by against it
}

// until is how long it was to a later moment at least, as far as clocks could be believed.
func (m moment) until(later moment) time.Duration {
	moved := min(max(later.offset-m.offset, 0), time.Duration(later.segment-m.segment)*away)
	return later.at - m.at + moved
}

// Prune removes the segments that need not be kept any more, oldest first, so that what stays is one chain; those with an incident go
// to a folder of their own until their time has come, too. The entry last heard and all after it stay, and so do the last two segments. What
// time it is the record says, not the system's clock, which may be wrong by years after a start; and of what the clock was moved by within a segment, a week counts. One goroutine
// may call it, any one. It gives the files that it removed.
func (j *Journal) Prune(keep Retention, heard Mark) (removed []string, err error) {
	if keep.All == 0 || heard.Record != j.record {
		return nil, nil
	}
	numbers, err := segments(j.dir)
	if err != nil || len(numbers) < 3 {
		return nil, err
	}
	if old, err := j.claims(numbers, keep); err != nil || !old {
		return nil, err
	}
	began := make([]moment, len(numbers))
	first := make([]int64, len(numbers))
	for i, n := range numbers {
		if began[i], first[i], err = j.begun(n); err != nil {
			return nil, err
		}
	}
	ages := agesOf(began)
	for i, n := range numbers[:len(numbers)-2] {
		if first[i+1] > heard.Seq || ages[i+1] < keep.All {
			break
		}
		path := filepath.Join(j.dir, segmentName(n))
		if err := j.drop(path); err != nil {
			return removed, fmt.Errorf("journal: prune: %w", err)
		}
		delete(j.opened, n)
		removed = append(removed, path)
	}
	old, err := j.pruneIncidents(keep, began[len(removed):])
	return append(removed, old...), err
}

// claims says whether by the record's clock, which may be wrong, anything may be so old that it need not be kept: else the other headers need not be read.
func (j *Journal) claims(numbers []int, keep Retention) (bool, error) {
	second, _, err := j.begun(numbers[1])
	if err != nil {
		return false, err
	}
	last, _, err := j.begun(numbers[len(numbers)-1])
	return keep.Incidents > 0 || last.at+last.offset-second.at-second.offset >= keep.All, err
}

// agesOf is how long ago each of these was when the last one was.
func agesOf(list []moment) []time.Duration {
	ages := make([]time.Duration, len(list))
	for i := len(list) - 2; i >= 0; i-- {
		ages[i] = ages[i+1] + list[i].until(list[i+1])
	}
	return ages
}

// opening is what Prune knows of a segment's beginning, which never changes.
type opening struct {
	moment
	first int64
}

// begun is when a segment begins, and with which entry.
func (j *Journal) begun(number int) (moment, int64, error) {
	o, known := j.opened[number]
	if !known {
		h, err := j.headerOf(number)
		if err != nil {
			return moment{}, 0, err
		}
		o = opening{moment{number, h.At, h.Offset}, h.First}
		if j.opened == nil {
			j.opened = map[int]opening{}
		}
		j.opened[number] = o
	}
	return o.moment, o.first, nil
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
func scan(path string) (incident bool, end moment, err error) {
	f, err := OpenFile(path)
	if err != nil {
		return false, end, err
	}
	defer f.Close()
	h := &f.s.header
	for {
		end = moment{h.Segment, f.s.chain.at, f.s.chain.offset}
		e, err := f.Next()
		if err == io.EOF {
			return incident, end, nil
		}
		if err != nil { // what is damaged is nothing to decide about
			return false, end, err
		}
		incident = incident || incidents[e.Event.Kind]
	}
}

// pruneIncidents removes the incidents whose time has come, by the segments that are kept of the record.
func (j *Journal) pruneIncidents(keep Retention, kept []moment) (removed []string, err error) {
	if keep.Incidents == 0 {
		return nil, nil
	}
	files, err := Segments(filepath.Join(j.dir, Incidents))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	all := agesOf(kept)[0]
	for _, path := range files {
		_, end, err := scan(path)
		if err == nil && all+end.until(kept[0]) >= keep.Incidents {
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
