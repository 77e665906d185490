package main

import (
	"log/slog"
	"time"

	"sabot/drivers/gpio"
	"sabot/drivers/serial"
	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/table"
	"sabot/table/box"
	"sabot/table/live"
)

// openBoard takes the box's lines of this machine; nil where it has none there.
func openBoard(c *BoxConfig, halt func(), log *slog.Logger) (*gpio.Board, error) {
	if !c.wired() {
		return nil, nil
	}
	config := c.GPIO
	config.Halt = halt
	return gpio.Open(config, log)
}

// strokes are what the table hears of a contact on this machine's lines. What else happens to a contact is its health.
var strokes = map[gpio.Kind]box.Stroke{gpio.Down: box.Down, gpio.Held: box.Held, gpio.Up: box.Up, gpio.Stuck: box.Stuck}

// ailments are what becomes of a contact's health, each said once: it begins, and it ends.
var ailments = map[gpio.Kind]table.Kind{gpio.Stuck: table.Fault, gpio.Bouncing: table.Fault, gpio.Lost: table.Fault, gpio.Calm: table.Clear}

// press hands a press on this machine's lines to the table.
func (s *station) press(p gpio.Press) {
	if ail, ok := ailments[p.Kind]; ok {
		e := table.Event{Kind: ail, Text: &table.Text{Name: boxDevice, Detail: table.FaultContact + p.Button}}
		s.live.Device(live.Input{Event: e, Source: shoe.Source{Device: boxDevice}, Raw: []byte(p.Kind.String()), At: p.At})
	}
	stroke, ok := strokes[p.Kind]
	if !ok {
		return
	}
	s.live.Press(live.Press{Press: box.Press{Button: box.ParseButton(p.Button), Stroke: stroke}, Device: boxDevice, At: p.At})
}

// stale is for how long after a device came, what it says was pressed before: it keeps what nobody heard.
const stale = time.Second

// lineBox makes presses of the buttons of a device on a line, which only says when they go down and up. A press is worth something at once or not at
// all: it is acknowledged as it comes, so that the next start does not hear it again, and one that was made while nobody listened counts only if it stops the deal.
type lineBox struct {
	down  [16]time.Time // by button; zero while it is up, or not heeded
	came  time.Time
	press func(live.Press)
}

// hear takes a report of the device, of whatever kind; true is a press, and nothing else.
func (b *lineBox) hear(a serial.Arrival) bool {
	switch a.Report.Kind {
	case shoe.Found:
		b.came = a.At
	case shoe.Pressed:
		b.stroke(a)
		return true
	}
	return false
}

func (b *lineBox) stroke(a serial.Arrival) {
	button := box.ParseButton(a.Report.Code)
	tell := func(s box.Stroke) {
		b.press(live.Press{Press: box.Press{Button: button, Stroke: s}, Device: a.Report.Source.Device, At: a.At})
	}
	old := a.At.Sub(b.came) < stale && !(box.Press{Button: button, Stroke: box.Down}).Stops()
	since := &b.down[button]
	switch {
	case button == box.NoButton || a.Report.Down && old:
	case a.Report.Down:
		*since = a.At
		tell(box.Down)
	case !since.IsZero():
		if hold := held[button.String()]; hold > 0 && a.At.Sub(*since) >= hold {
			tell(box.Held)
		}
		*since = time.Time{}
		tell(box.Up)
	}
}

// attachBox makes a box on a line ready to be heard. It begins where the box is and not where the record stands: presses leave no numbers there.
func (s *station) attachBox(c *BoxConfig, log *slog.Logger) {
	if c.Port == "" {
		return
	}
	s.buttons = lineBox{came: time.Now(), press: s.live.Press}
	s.box = serial.NewDevice(serial.Config{
		Name: boxDevice, Path: c.Port, Baud: c.Baud, Silence: devices["shoe"]["line"].silence, Link: s.link(boxDevice), Log: log,
	}, line.New(boxDevice), s.hearBox)
}

// hearBox takes what a box said: its buttons, and how it is itself. It has no cards.
func (s *station) hearBox(a serial.Arrival) {
	switch {
	case s.buttons.hear(a):
		s.box.Ack(a.Report.Source)
	case a.Report.Kind != shoe.Drawn && a.Report.Kind != shoe.CutOut:
		s.report(a, s.box)
	}
}

// beep tells the dealer that a press came to nothing.
func (s *station) beep(table.Code) {
	if s.board != nil {
		s.board.Beep()
	}
}

// lights are a panel as this machine's outputs show it.
func lights(p box.Panel) gpio.Lights {
	return gpio.Lights{Green: patterns[p.Green], Amber: patterns[p.Amber], Red: patterns[p.Red], Blue: patterns[p.Blue], Open: !p.Lock}
}

var patterns = [...]gpio.Pattern{box.Off: gpio.Off, box.On: gpio.On, box.Slow: gpio.SlowBlink, box.Fast: gpio.FastBlink}
