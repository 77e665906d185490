package main

import (
	"errors"
	"io"
	"sync/atomic"
	"time"

	"sabot/shoe"
	"sabot/shoe/uid"
	"sabot/table"
	"sabot/table/journal"
)

// tagDecoder is a reader of tags that is told from the loop when a new shoe is in play, after which each tag may leave once more.
type tagDecoder struct {
	*uid.Decoder
	fresh atomic.Bool
}

// newShoe may be called from any goroutine.
func (d *tagDecoder) newShoe() { d.fresh.Store(true) }

// Feed is the decoder's.
func (d *tagDecoder) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	if d.fresh.Swap(false) {
		d.NewShoe()
	}
	return d.Decoder.Feed(now, p)
}

// recall feeds the decoder what the record holds of the shoe in play, so that after a restart a tag that left before is known to have left.
func (d *tagDecoder) recall(dir, device string) error {
	segments, err := journal.Segments(dir)
	if err != nil || len(segments) == 0 {
		return err
	}
	f, err := journal.OpenFile(segments[len(segments)-1])
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		e, err := f.Next()
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		case e.Event.Kind == table.NewShoe:
			d.NewShoe()
		case e.From.Device == device && len(e.Raw) > 0:
			d.Decoder.Feed(e.At, e.Raw)
		}
	}
}
