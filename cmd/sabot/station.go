package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"sabot/drivers/gpio"
	"sabot/drivers/serial"
	"sabot/mqtt"
	"sabot/table"
	"sabot/table/box"
	"sabot/table/live"
)

// station is one table with all that is attached to it: the shoe or wheel, the loop that plays and records, the way out to the broker.
// Data flows one way through it, shoe to live to record to broker; what comes back is commands, and the shoe's lock.
type station struct {
	live    *live.Live
	device  *serial.Device
	tags    tagged         // the device's, where cards are read by tags
	filling uint32         // the number of the one in play, for the tags
	board   *gpio.Board    // buttons and lamps on this machine's lines; may be nil
	box     *serial.Device // a box of buttons on a line; may be nil
	buttons lineBox        // the box's
	onShoe  lineBox        // the shoe's own
	client  *mqtt.Client
	pruner  *pruner              // nil where everything is kept
	resumed bool                 // the record was not new
	links   links                // how all of these are reached
	metrics *metrics             // nil where nobody asks
	watch   func(table.Snapshot) // sees each state after it is durable; may be nil
}

// openStation opens the record and makes everything ready to run. The loop tells beat that it turns; nil for nobody.
func openStation(c Config, log *slog.Logger, watch func(table.Snapshot), beat func()) (*station, error) {
	s := &station{watch: watch}
	var err error
	if s.board, err = openBoard(&c.Box, func() { s.live.Halt() }, log); err != nil { // before any other file, see package gpio
		return nil, err
	}
	heard, err := mqtt.Heard(c.Journal)
	if err != nil {
		return nil, adviseRecovery(err, c)
	}
	described := liveConfig(c)
	described.Heard, described.Show, described.Halt, described.Log = heard, s.show, s.halt, log
	described.Box, described.Beep, described.Beat = c.Play.Box(), s.beep, beat
	if c.Metrics.Listen != "" {
		s.metrics = newMetrics(&c, s)
		described.Wrote, described.Beat = s.metrics.appended, both(s.metrics.beat, beat)
	}
	s.live, err = live.Open(c.Journal, described)
	if err != nil {
		return nil, adviseRecovery(err, c)
	}
	s.resumed = s.live.Journal().Durable() > 0
	if err := s.attach(&c, log); err != nil {
		s.live.Close()
		return nil, err
	}
	s.attachBox(&c.Box, log)
	if c.Keep.All > 0 {
		s.pruner = &pruner{s.live.Journal(), c.Journal, c.Keep, log}
	}
	config, err := c.MQTT.client()
	if err != nil {
		s.live.Close()
		return nil, err
	}
	config.Table, config.CursorDir, config.Log = c.Table, c.Journal, log
	config.Command, config.OnLink = s.live.Command, s.linked
	s.client, err = mqtt.New(config, s.live.Journal())
	if err != nil {
		s.live.Close()
	}
	return s, err
}

// both calls two, the second of which may be nil.
func both(one, other func()) func() {
	if other == nil {
		return one
	}
	return func() {
		one()
		other()
	}
}

// attach makes the shoe or wheel ready to be heard.
func (s *station) attach(c *Config, log *slog.Logger) error {
	name := c.Device.Name
	s.onShoe = lineBox{came: time.Now(), press: s.live.Press}
	dec, err := c.Device.dialect.decoder(name)
	if err != nil {
		return err
	}
	if tags, ok := dec.(tagged); ok {
		if err := recall(tags, c.Journal, name); err != nil {
			return err
		}
		s.tags = tags
	}
	s.device = serial.NewDevice(serial.Config{
		Name: name, Path: c.Device.Port, Baud: c.Device.Baud, Silence: c.Device.protocol().silence, Resume: s.live.Resume(name), Link: s.link(name), Log: log,
	}, dec, s.hear)
	return nil
}

// liveConfig is what a configuration says of the table.
func liveConfig(c Config) live.Config {
	return live.Config{
		Table: c.Table, GameName: c.Play.Game, Rules: c.Play.Rules, Configuration: c.ForRecord(), Build: build(), Binary: binary(),
		New: c.Play.New, Recorded: recordedGame, SegmentPerShoe: c.Play.House.Shuffle == table.AfterCut, NoShoe: c.Play.House.Decks == 0,
	}
}

// recordedGame makes games by the configuration in a record's header.
func recordedGame(configuration json.RawMessage) (func(table.Opening) table.Game, error) {
	play, err := recordedPlay(configuration)
	if err != nil {
		return nil, err
	}
	return play.New, nil
}

// hear takes what the shoe said. It may have buttons of its own; its sentences are acknowledged by its cards alone.
func (s *station) hear(a serial.Arrival) {
	if !s.onShoe.hear(a) {
		s.report(a, s.device)
	}
}

// report takes what a device said to the loop; the device may forget it when it is on disk.
func (s *station) report(a serial.Arrival, from *serial.Device) {
	e, ok := table.FromReport(a.Report)
	if !ok {
		return
	}
	source := a.Report.Source
	s.live.Device(live.Input{Event: e, Source: source, Raw: a.Report.Raw, At: a.At, Done: func() { from.Ack(source) }})
}

// show passes a durable state on. The lock is level-triggered: what should be, each time.
func (s *station) show(now table.Snapshot) {
	s.links.add(&now)
	panel := box.Lamps(&now)
	s.device.Lock(panel.Lock)
	if s.board != nil {
		s.board.Show(lights(panel))
	}
	if n := now.Layout.Shoe.Number; s.tags != nil && n != s.filling {
		if s.filling != 0 {
			s.tags.newShoe()
		}
		s.filling = n
	}
	s.client.Show(now)
	if s.metrics != nil {
		s.metrics.show(now)
	}
	if s.watch != nil {
		s.watch(now)
	}
}

// halt stops the deal at once: the record does not follow, or cannot.
func (s *station) halt() {
	s.device.Lock(true)
	if s.board != nil {
		s.board.Halt()
	}
}

// run runs the station until the context ends or a part of it fails. What was recorded by then is still published, if the broker
// takes it.
func (s *station) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	publishing, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	var (
		dealing, sending sync.WaitGroup
		once             sync.Once
		why              error
	)
	part := func(wg *sync.WaitGroup, ctx context.Context, run func(context.Context) error) {
		wg.Go(func() {
			if err := run(ctx); err != nil && !errors.Is(err, context.Canceled) {
				once.Do(func() { why = err })
			}
			cancel()
		})
	}
	part(&sending, publishing, s.client.Run)
	part(&dealing, ctx, s.live.Run)
	part(&dealing, ctx, s.device.Run)
	if s.box != nil {
		part(&dealing, ctx, s.box.Run)
	}
	if s.board != nil {
		part(&dealing, ctx, func(ctx context.Context) error { return s.board.Run(ctx, s.press) })
	}
	if s.pruner != nil {
		part(&dealing, ctx, s.pruner.run)
	}
	dealing.Wait()
	s.drain()
	leave()
	sending.Wait()
	return errors.Join(why, s.live.Close())
}

// drainFor bounds how long the end waits for the broker.
const drainFor = 2 * time.Second

// drain waits until all that is recorded has come back from the broker, as long as there is one.
func (s *station) drain() {
	for limit := time.Now().Add(drainFor); time.Now().Before(limit); time.Sleep(2 * time.Millisecond) {
		now := s.client.Stats()
		if !now.Up || now.Acknowledged >= s.live.Journal().Durable() {
			return
		}
	}
}

// client is the mqtt configuration a table's describes.
func (m MQTTConfig) client() (mqtt.Config, error) {
	c := mqtt.Config{Broker: m.Broker, User: m.User, Password: m.password, Commands: m.Commands}
	if m.PasswordFile != "" {
		secret, err := os.ReadFile(m.PasswordFile)
		if err != nil {
			return c, fmt.Errorf("mqtt: the password file: %w", err)
		}
		c.Password = strings.TrimRight(string(secret), "\r\n")
	}
	var err error
	c.TLS, err = m.tls()
	return c, err
}
