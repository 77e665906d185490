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
	where := c.MQTT.summary()
	if c.MQTT.Listen != "" {
		b, err := c.MQTT.start(log)
		if err != nil {
			return err
		}
		defer b.Close()
	}
	s, err := openStation(c, log, nil)
	if err != nil {
		return err
	}
	log.Info("ready", "table", c.Table, "game", c.Play.Game, "rules", c.Play.Rules, "record", s.live.Journal().Record(), c.Device.Name, c.Device.Port, "broker", where)
	err = adviseRecovery(s.run(e.ctx), c)
	if err == nil {
		log.Info("stopped in order", "seq", s.live.Journal().Durable())
	}
	return err
}

// start starts the broker of our own, and turns to it.
func (m *MQTTConfig) start(log *slog.Logger) (*broker.Broker, error) {
	c := broker.Config{Addr: m.Listen, Log: log}
	var err error
	if m.Users != "" {
		if c.Users, err = broker.ReadUsers(m.Users); err != nil {
			return nil, err
		}
	}
	if c.TLS, err = m.tls(); err != nil {
		return nil, err
	}
	b, err := broker.Start(c)
	if err != nil {
		return nil, err
	}
	own := b.Inside()
	*m = MQTTConfig{Broker: "tcp://" + own.Addr, User: own.User, password: own.Password, Commands: m.Commands}
	return b, nil
}
