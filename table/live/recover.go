package live

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/journal"
)

// Recover sets aside, untouched, the record in a folder, which cannot be continued, and begins another in its place: a child. The child
// names the old one and vouches for the part of it that [Verify] finds nothing wrong with. It opens held: its first entry is a fault that the supervisor
// releases. The shoe is out of play, and whatever round was running is void, because what was dealt of it is not known. Of c, what describes the
// table is used. Why says what is wrong with the old record, by and because who sets it aside and why.
func Recover(dir string, c Config, why, by, because string) (journal.Header, error) {
	return c.files().Renew(dir, func(old string) (journal.Header, error) {
		r, err := salvage(old, c.recorded)
		if err != nil {
			return journal.Header{}, err
		}
		h := r.state.header()
		h.Commands, h.Recap = nil, nil
		h.Table, h.Game, h.Rules, h.Configuration, h.Build = c.Table, c.GameName, c.Rules, c.Configuration, c.Build
		h.Opening = table.Opening{Open: r.open, Round: r.parent.Round}
		r.parent.Why, r.parent.By, r.parent.Because = why, by, because
		h.Parent = &r.parent
		return h, nil
	})
}

// salvaged is what is known of a record that cannot be continued.
type salvaged struct {
	parent  journal.Parent
	state   *state // the devices, the dealer
	open    bool   // the day has begun
	proven  int64  // the last entry that verifies
	damaged bool   // what follows does not count as proven
}

// salvage reads a record as far as it verifies. Of what lies behind, nothing is believed but that its rounds were played.
func salvage(dir string, recorded func(json.RawMessage) (func(table.Opening) table.Game, error)) (*salvaged, error) {
	files, err := journal.Segments(dir)
	if err != nil {
		return nil, err
	}
	proof, err := Verify(context.Background(), files, Audit{Recorded: recorded, Progress: func(int64, int64) {}})
	if err != nil {
		return nil, err
	}
	r := &salvaged{state: &state{lost: map[string]bool{}, sources: map[string]shoe.Source{}}, proven: proof.Proven}
	var before *journal.File
	for _, path := range files {
		f, err := journal.OpenFile(path)
		if err == nil {
			err = f.Follows(before)
			r.damaged = r.damaged || err != nil
			err = r.read(f)
			f.Close()
		}
		var corrupt *journal.CorruptError
		var strange *journal.VersionError
		if err != nil && !errors.As(err, &corrupt) && !errors.As(err, &strange) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, err
		}
		r.damaged = r.damaged || err != nil
		before = f
	}
	return r, nil
}

// read takes what a segment tells, as far as it can be read.
func (r *salvaged) read(f *journal.File) error {
	h := f.Header()
	r.parent.Round = max(r.parent.Round, h.Opening.Round)
	if !r.damaged && (r.parent.Record == "" || h.First <= r.proven) { // one behind the last entry proven may be what is wrong
		r.state, r.open = begin(h), h.Opening.Open
		r.parent.Record, r.parent.Seq, r.parent.Hash = h.Record, h.First-1, f.LastHash()
	}
	for {
		e, err := f.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		r.parent.Round = max(r.parent.Round, e.Round)
		if r.damaged = r.damaged || e.Seq > r.proven; r.damaged {
			continue
		}
		r.parent.Seq, r.parent.Hash = e.Seq, f.LastHash()
		r.state.fold(&e, nil)
		switch e.Event.Kind {
		case table.TableOpen:
			r.open = true
		case table.TableClose:
			r.open = false
		}
	}
}
