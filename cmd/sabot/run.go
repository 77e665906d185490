package main

import (
	"log/slog"
	"strings"

	"sabot/mqtt/broker"
)

// runTable runs the table a configuration describes, for years. A SIGHUP ends it between rounds.
func runTable(e *env, args []string) error {
	rest, err := e.parse(e.flags(), args, 0, 1)
	if err != nil {
		return err
	}
	c, err := readConfig(configPath(rest))
	if err != nil {
		return err
	}
	log := newLog(e.stderr)
	ctx, service, err := serve(e)
	if err != nil {
		return err
	}
	defer service.leave()
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
	s, err := openStation(c, log, service.show, service.beat)
	if err != nil {
		return err
	}
	log.Info("ready", "table", c.Table, "game", c.Play.Game, "rules", c.Play.Rules, "record", s.live.Journal().Record(), c.Device.Name, c.Device.Port, "broker", where)
	if s.metrics != nil {
		go s.metrics.serve(ctx, &c, log)
	}
	err = adviseRecovery(s.run(ctx), c)
	if err == nil {
		log.Info("stopped in order", "seq", s.live.Journal().Durable())
	}
	return err
}

// start starts the broker of our own, and turns to it.
func (m *MQTTConfig) start(log *slog.Logger) (*broker.Broker, error) {
	c := broker.Config{Addr: m.Listen, Web: m.WebSockets, Origins: strings.FieldsFunc(m.Origins, func(r rune) bool { return r == ',' }), Log: log}
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
