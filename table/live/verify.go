package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"sabot/table"
	"sabot/table/journal"
)

// Audit is what Verify is asked.
type Audit struct {
	// Recorded makes what makes games by a configuration in a header, see Config.
	Recorded func(configuration json.RawMessage) (func(table.Opening) table.Game, error)
	Anchors  []journal.Anchor // as they were published
	Heard    journal.Mark     // how far the record is known to have been heard; the zero one for nothing
	Progress func(done, all int64)
}

// Proof is what Verify found. A record is in order when there are no Findings, and it is so against anybody who could write its files only
// up to Anchored.
type Proof struct {
	Record, Table, Game string
	Parent              *journal.Parent // the record before this one, if it was begun anew
	Stretches           []Stretch       // the parts that verify, in order; one for a record in order
	Findings            []error         // what is wrong; the first is the first in the record
	Proven              int64           // the last entry before the first of them, or of what is not understood; of a record in order the last one
	Unfinished          error           // the last line is none yet: the table is writing it, or a power cut left it
	Replayed            int64           // entries that make the recorded calls again
	Older               []Older         // parts that another version of the calls tells of, in order; nothing is wrong with those
	Writers             []Writer        // which programs wrote it
	Unplayed            []Unplayed      // parts that were not played again, and why
	Unread              []error         // *journal.VersionError: where this program does not understand the record, up to the segment's end; nothing is wrong there
	Compared, Anchored  int64           // anchors that fit; the last entry that one of them vouches for, with all of its stretch before it
	Elsewhere           int64           // anchors of other records, and of entries no longer kept
}

// Stretch is a part of a record in which every line continues the one before it.
type Stretch struct {
	FirstSegment, LastSegment int
	First, Last               int64 // entries; Last is First - 1 for none
	Anchored                  int64 // the last entry that an anchor vouches for, and with it all before in the stretch; 0 for none
	Round                     uint32
}

// Older is a part of a record whose calls an older version of the program made, played again by the rules of this one. What a game said of an event then, it
// need not say today: that is no proof against the record, nor is it one for it where both say the same.
type Older struct {
	Calls       int   // its calls' version
	First, Last int64 // entries
	Same        int64 // how many of them say again what was recorded
	Otherwise   []Otherwise
}

// Otherwise is what a program says otherwise today of one kind of entries.
type Otherwise struct {
	Of      string // the event's word, or OfHeader
	Entries int64
	First   int64 // the first entry; of headers the last one before the first of them
}

// OfHeader is of segments that begin in another state than the one before them ends in by the rules of this program.
const OfHeader = "header"

// Unplayed is a part of a record that was not played again, and why.
type Unplayed struct {
	FirstSegment, LastSegment int
	Why                       string
}

// auditor is an audit under way.
type auditor struct {
	Audit
	proof  Proof
	wanted map[string]journal.Anchor // those not met yet, by their hash
	before *journal.File             // the segment read last, closed; nil at the start and after damage
	older  *Older                    // the part being played by other calls than its own; nil where they are the same
	table  *Live                     // a table without a loop, as it stands after the last entry; nil where it cannot be played
}

// Err is what is wrong with the record, a *RecordError; or why not all of it could be read, a *journal.VersionError; nil for neither.
func (p *Proof) Err() error {
	switch n := len(p.Findings); n {
	case 0:
		if len(p.Unread) > 0 {
			return p.Unread[0]
		}
		return nil
	case 1:
		return &RecordError{error: p.Findings[0]}
	default:
		return &RecordError{error: fmt.Errorf("%w; and %d more", p.Findings[0], n-1)}
	}
}

// Verify reads all of a record's segments, which may be in use: every line, that they continue each other,
// that each header is the state in which the segment before it ends, and that the game says again of each event what it said then.
// Damage does not end it: what lies behind is verified in itself. It fails only when files cannot be read.
func Verify(ctx context.Context, files []string, a Audit) (Proof, error) {
	v := &auditor{Audit: a, wanted: map[string]journal.Anchor{}}
	for _, anchor := range a.Anchors {
		v.wanted[anchor.Hash] = anchor
	}
	for i, path := range files {
		a.Progress(int64(i), int64(len(files)))
		err := v.segment(ctx, path, i == len(files)-1)
		var corrupt *journal.CorruptError
		var strange *journal.VersionError
		switch {
		case errors.As(err, &corrupt):
			v.broken(err)
		case errors.As(err, &strange):
			v.unread(err)
		case err != nil:
			return v.proof, err
		}
	}
	a.Progress(int64(len(files)), int64(len(files)))
	if len(v.proof.Findings) == 0 && len(v.proof.Unread) == 0 {
		v.proof.Proven = v.proof.End()
	}
	v.missed()
	v.heard()
	return v.proof, nil
}

// heard notes a record that ends before what was heard of it: what its table could not continue either.
func (v *auditor) heard() {
	if end := v.proof.End(); v.Heard.Record == v.proof.Record && v.Heard.Record != "" && v.Heard.Seq > end && len(v.proof.Unread) == 0 {
		v.find(fmt.Errorf("live: the record ends at entry %d, and entries up to %d were heard: its cursor says so", end, v.Heard.Seq), end)
	}
}

// broken notes where the chain ends; what follows is verified in itself.
func (v *auditor) broken(err error) {
	v.find(err, v.proof.End())
	v.before, v.table = nil, nil
}

// unread notes what is not understood. What follows is verified in itself.
func (v *auditor) unread(err error) {
	if len(v.proof.Findings) == 0 && len(v.proof.Unread) == 0 {
		v.proof.Proven = v.proof.End()
	}
	v.proof.Unread = append(v.proof.Unread, err)
	v.before, v.table = nil, nil
}

// find notes what is wrong behind an entry.
func (v *auditor) find(err error, behind int64) {
	if len(v.proof.Findings) == 0 && len(v.proof.Unread) == 0 {
		v.proof.Proven = behind
	}
	v.proof.Findings = append(v.proof.Findings, err)
}

// segment reads a segment to its end. A *journal.CorruptError says where that is too soon.
func (v *auditor) segment(ctx context.Context, path string, last bool) error {
	f, err := journal.OpenFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	stretch, err := v.begin(f, path)
	if err != nil {
		return err
	}
	h := f.Header()
	for {
		e, err := f.Next()
		switch {
		case err == io.EOF:
			v.before = f
			return nil
		case err == io.ErrUnexpectedEOF && last:
			v.proof.Unfinished = f.Ended(last)
			return nil
		case err == io.ErrUnexpectedEOF:
			return f.Ended(last)
		case err != nil:
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		stretch.Last, stretch.Round = e.Seq, e.Round
		v.proof.Writers = writers(v.proof.Writers, &h, &e)
		v.meet(f, stretch, e.Seq)
		v.play(path, &h, &e)
	}
}

// begin takes a segment's header: it continues the stretch, or begins one where there is none, or where the header does not continue it.
func (v *auditor) begin(f *journal.File, path string) (*Stretch, error) {
	h, p := f.Header(), &v.proof
	if len(p.Stretches) == 0 {
		p.Record, p.Table, p.Game, p.Parent = h.Record, h.Table, h.Game, h.Parent
	}
	follows := f.Follows(v.before)
	switch n := len(p.Stretches); {
	case h.Record != p.Record || h.Table != p.Table || h.Game != p.Game:
		return nil, &journal.CorruptError{File: path, Line: 1, Why: fmt.Sprintf("the header is that of another record: %s of table %s, %s, in a folder of %s of table %s, %s", h.Record, h.Table, h.Game, p.Record, p.Table, p.Game)}
	case n > 0 && h.Segment <= p.Stretches[n-1].LastSegment && follows != nil:
		return nil, follows
	case n > 0 && h.Segment <= p.Stretches[n-1].LastSegment:
		return nil, &journal.CorruptError{File: path, Line: 1, Why: "the segment is out of place"}
	}
	if follows != nil {
		v.broken(follows)
	}
	if v.before != nil && v.table != nil && !v.table.endsAs(h) {
		v.differs(&journal.CorruptError{File: path, Line: 1, Why: "the header is not the state in which the segment before ends"}, OfHeader, h.First-1, h.First-1)
	}
	if v.before == nil {
		p.Stretches = append(p.Stretches, Stretch{FirstSegment: h.Segment, First: h.First, Last: h.First - 1, Round: h.Opening.Round})
	}
	v.open(h)
	s := &p.Stretches[len(p.Stretches)-1]
	s.LastSegment = h.Segment
	return s, nil
}

// open puts a table where a header says it stood.
func (v *auditor) open(h journal.Header) {
	v.table, v.older = nil, nil
	if h.Calls > table.CallsVersion {
		v.unplayed(&h, fmt.Sprintf("their calls are of version %d, and this program knows them up to version %d", h.Calls, table.CallsVersion))
		return
	}
	game, err := v.Recorded(h.Configuration)
	if err != nil {
		v.unplayed(&h, err.Error())
		return
	}
	v.table = &Live{state: begin(h), game: game(h.Opening)}
	if h.Calls < table.CallsVersion {
		v.older = v.proof.olderPart(&h)
	}
}

// olderPart is the part of a record that a segment with older calls continues, or begins.
func (p *Proof) olderPart(h *journal.Header) *Older {
	if n := len(p.Older); n == 0 || p.Older[n-1].Calls != h.Calls || p.Older[n-1].Last != h.First-1 {
		p.Older = append(p.Older, Older{Calls: h.Calls, First: h.First, Last: h.First - 1})
	}
	return &p.Older[len(p.Older)-1]
}

// unplayed notes that a segment is not played again, with those before it of which the same holds.
func (v *auditor) unplayed(h *journal.Header, why string) {
	list := &v.proof.Unplayed
	if h.Build != "" {
		why = "version " + h.Build + " of the program wrote them: " + why
	}
	if n := len(*list); n > 0 && (*list)[n-1].Why == why && (*list)[n-1].LastSegment == h.Segment-1 {
		(*list)[n-1].LastSegment = h.Segment
		return
	}
	*list = append(*list, Unplayed{h.Segment, h.Segment, why})
}

// play plays an entry again. A table that once said something else is not played on, all it says follows from that; where it calls by other rules than those of
// the time, it is played on from what was recorded.
func (v *auditor) play(path string, h *journal.Header, e *journal.Entry) {
	if v.table == nil {
		return
	}
	if v.older != nil {
		v.older.Last = e.Seq
	}
	same, err := v.table.again(e)
	if err == nil && same {
		v.replayed()
		return
	}
	of := e.Event.Kind.Word()
	if err == nil {
		err = errOtherwise
	} else {
		of += ", at which it panics"
	}
	v.differs(fmt.Errorf("%s:%d: entry %d (%s): %w", path, e.Seq-h.First+2, e.Seq, e.Event.Kind.Word(), err), of, e.Seq, e.Seq-1)
}

// replayed counts an entry that is called again as it was.
func (v *auditor) replayed() {
	if v.older != nil {
		v.older.Same++
		return
	}
	v.proof.Replayed++
}

// differs notes that the game says something else than was recorded: of calls of today's version that is wrong, of older ones it is to be known.
func (v *auditor) differs(err error, of string, seq, proven int64) {
	if v.older == nil {
		v.find(err, proven)
		v.table = nil
		return
	}
	list := &v.older.Otherwise
	i := slices.IndexFunc(*list, func(o Otherwise) bool { return o.Of == of })
	if i < 0 {
		i = len(*list)
		*list = append(*list, Otherwise{Of: of, First: seq})
	}
	(*list)[i].Entries++
}

// endsAs says that a header is the state of the table.
func (l *Live) endsAs(h journal.Header) bool {
	now := l.state.header()
	want := h
	want.Dealer, want.Devices, want.Missing, want.Commands, want.Recap = now.Dealer, now.Devices, now.Missing, now.Commands, now.Recap
	want.Opening = l.game.Opening()
	a, errA := json.Marshal(h)
	b, errB := json.Marshal(want)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// meet holds an entry against the anchors.
func (v *auditor) meet(f *journal.File, in *Stretch, seq int64) {
	if len(v.wanted) == 0 {
		return
	}
	hash := f.Anchor()
	a, ok := v.wanted[hash]
	if !ok || a.Seq != 0 && a.Seq != seq || a.Record != "" && a.Record != v.proof.Record {
		return
	}
	delete(v.wanted, hash)
	v.proof.Compared++
	v.proof.Anchored, in.Anchored = seq, seq
}

// missed judges the anchors that no entry has. One finding tells of all entries that are another than was published, one of all that are not here.
func (v *auditor) missed() {
	first := int64(0)
	if len(v.proof.Stretches) > 0 {
		first = v.proof.Stretches[0].First
	}
	var other, gone []int64
	for _, a := range v.Anchors {
		switch _, missed := v.wanted[a.Hash]; {
		case !missed:
		case a.Record != "" && a.Record != v.proof.Record || a.Seq != 0 && a.Seq < first:
			v.proof.Elsewhere++
		case a.Seq == 0:
			v.find(fmt.Errorf("live: no entry has the anchor %s: it is of another record, or this one was written anew", a.Hash), v.proof.Anchored)
		case v.proof.has(a.Seq):
			other = append(other, a.Seq)
		default:
			gone = append(gone, a.Seq)
		}
		delete(v.wanted, a.Hash)
	}
	if len(other) > 0 {
		v.find(fmt.Errorf("live: entry %d is not what was published%s", slices.Min(other), others(other)), v.proof.Anchored)
	}
	if len(gone) > 0 {
		v.find(fmt.Errorf("live: entry %d was published, and is not among those that verify here%s", slices.Min(gone), others(gone)), v.proof.Anchored)
	}
}

// others says how many entries there are beside the first.
func others(list []int64) string {
	if len(list) == 1 {
		return ""
	}
	return fmt.Sprintf(", and so with %d more with an anchor, up to entry %d", len(list)-1, slices.Max(list))
}

// has says that an entry lies in a stretch.
func (p *Proof) has(seq int64) bool {
	return slices.ContainsFunc(p.Stretches, func(s Stretch) bool { return s.First <= seq && seq <= s.Last })
}

// End is the last entry that verifies.
func (p *Proof) End() int64 {
	if len(p.Stretches) == 0 {
		return 0
	}
	return p.Stretches[len(p.Stretches)-1].Last
}
