package main

import (
	"fmt"
	"strings"
)

// check says whether a configuration is in order, and what would run.
func check(e *env, args []string) error {
	rest, err := e.parse(e.flags(), args, 0, 1)
	if err != nil {
		return err
	}
	c, err := readConfig(configPath(rest))
	if err != nil {
		return err
	}
	for _, w := range c.Warnings {
		fmt.Fprintln(e.stderr, w)
	}
	fmt.Fprintf(e.stdout, "%s: ok\n%s", c.File, c.summary())
	return nil
}

// configPath is the configuration a verb was given, or the one it takes by itself.
func configPath(args []string) string {
	if len(args) == 0 {
		return defaultConfig
	}
	return args[0]
}

// summary says in a few lines what will run.
func (c *Config) summary() string {
	p := c.Play
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-11s%s\n", name, fmt.Sprintf(format, args...))
	}
	line("table", "%s, %s by the %s rules", c.Table, p.Game, p.Rules)
	if list := p.overrides(); len(list) > 0 {
		line("changed", "%s", strings.Join(list, ", "))
	}
	var clocks []string
	keys, settings := p.under("procedure")
	for i, s := range settings {
		clocks = append(clocks, keys[i]+" "+s.Get())
	}
	line("procedure", "%s", strings.Join(clocks, ", "))
	if p.Bets != nil {
		var terms []string
		for _, s := range p.Bets.Settings() {
			terms = append(terms, s.Name+" "+s.Get())
		}
		line("bets", "%s", strings.Join(terms, ", "))
	}
	speed := ""
	if c.Device.Baud > 0 {
		speed = fmt.Sprintf(" at %d baud", c.Device.Baud)
	}
	line(c.Device.Name, "%s protocol on %s%s", c.Device.Protocol, c.Device.Port, speed)
	if b := &c.Box; b.Port != "" {
		line("box", "on %s at %d baud", b.Port, b.Baud)
	}
	if parts := c.Box.parts(); len(parts) > 0 {
		var list []string
		for _, part := range parts {
			list = append(list, part[0]+" "+part[1])
		}
		line("box", "%s", strings.Join(list, ", "))
	}
	line("mqtt", "%s", c.MQTT.summary())
	if c.Metrics.Listen != "" {
		line("metrics", "http://%s/metrics", c.Metrics.Listen)
	}
	line("journal", "%s%s", c.Journal, kept(c.Keep))
	return b.String()
}

func (m *MQTTConfig) summary() string {
	switch {
	case m.WebSockets != "":
		return "a broker of its own on " + m.Listen + ", for web pages on " + m.WebSockets
	case m.Listen != "":
		return "a broker of its own on " + m.Listen
	case m.User != "":
		return m.Broker + " as " + m.User
	}
	return m.Broker
}
