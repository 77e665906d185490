package main

import (
	"errors"
	"io"
	"sync/atomic"
	"time"

	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/shoe/uid"
	"sabot/table"
	"sabot/table/journal"
)

// tagged is a decoder of a shoe whose cards are known by tags.
type tagged interface {
	shoe.Decoder
	newShoe()         // is told from the loop that a new shoe is in play, after which each tag may leave once more
	again(raw []byte) // takes a tag as it stands in the record
	NewShoe()
}

// fresh is a new shoe that the decoder's own goroutine is still to hear of.
type fresh struct{ atomic.Bool }

// newShoe may be called from any goroutine.
func (f *fresh) newShoe() { f.Store(true) }

// tagDecoder is a reader of tags.
type tagDecoder struct {
	*uid.Decoder
	fresh
}

// Feed is the decoder's.
func (d *tagDecoder) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	if d.fresh.Swap(false) {
		d.NewShoe()
	}
	return d.Decoder.Feed(now, p)
}

func (d *tagDecoder) again(raw []byte) { d.Decoder.Feed(0, raw) }

// taggedLine is a shoe that speaks the neutral line and names tags.
type taggedLine struct {
	*line.Decoder
	*uid.Tags
	fresh
}

func newTaggedLine(device string, cards *uid.Cards) *taggedLine {
	d := &taggedLine{Tags: uid.NewTags(cards)}
	d.Decoder = line.NewTagged(device, d.leave)
	return d
}

// leave judges a tag however it is written.
func (d *taggedLine) leave(tag string) []shoe.Report {
	if canonical, err := uid.Canonical(tag); err == nil {
		tag = canonical
	}
	return d.Tags.Leave(tag)
}

// Feed is the decoder's.
func (d *taggedLine) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	if d.fresh.Swap(false) {
		d.NewShoe()
	}
	return d.Decoder.Feed(now, p)
}

func (d *taggedLine) again(raw []byte) {
	if tag, ok := line.Tag(raw); ok {
		d.leave(tag)
	}
}

// recall feeds a decoder what the record holds of the shoe in play, so that after a restart a tag that left before is known to have left.
func recall(d tagged, dir, device string) error {
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
			d.again(e.Raw)
		}
	}
}
