package main

import (
	"context"

	"sabot/shoe/line"
)

// virtualShoe is a shoe or wheel that speaks the neutral line on a pty.
type virtualShoe struct {
	*virtual
	device *line.Device
}

// plugShoe offers one behind a link until the context ends.
func plugShoe(ctx context.Context, link string, device *line.Device) (*virtualShoe, error) {
	v, err := plugIn(ctx, &ptyCable{link: link}, lineModel{device}, faults{})
	if err != nil {
		return nil, err
	}
	return &virtualShoe{v, device}, nil
}

// Spin is a wheel whose ball was launched.
func (s *virtualShoe) Spin() { s.tell(s.device.Spin) }

// Win is the number the ball fell into.
func (s *virtualShoe) Win(n uint8) { s.tell(func() []byte { return s.device.Win(n) }) }
