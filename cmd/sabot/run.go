package main

import (
	"log/slog"

	"sabot/mqtt/broker"
)

// runTable runs the table a configuration describes, for years.
func runTable(e *env, args []string) error {
	rest, err := e.parse(e.flags(), args, 0, 1)
	if err != nil {
		return err
	}
	file := defaultConfig
	if len(rest) > 0 {
		file = rest[0]
	}
	c, err := readConfig(file)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(e.stderr, nil))
	for _, w := range c.Warnings {
		log.Warn(w.String())
	}
	if c.MQTT.Listen != "" {
		b, err := broker.Start(broker.Config{Addr: c.MQTT.Listen, Log: log})
		if err != nil {
			return err
		}
		defer b.Close()
		c.MQTT.Broker = "tcp://" + b.Addr()
	}
	s, err := openStation(c, log, nil)
	if err != nil {
		return err
	}
	log.Info("ready", "table", c.Table, "game", c.Play.Game, "rules", c.Play.Rules, "record", s.live.Journal().Record(), c.Device.Name, c.Device.Port, "broker", c.MQTT.Broker)
	err = adviseRecovery(s.run(e.ctx), c)
	if err == nil {
		log.Info("stopped in order", "seq", s.live.Journal().Durable())
	}
	return err
}
