package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sabot/drivers/gpio"
	"sabot/drivers/serial"
)

// haltWithin bounds how long a shoe may take to be told.
const haltWithin = 3 * time.Second

// halt leaves a table that nobody runs as one that must not deal: red, all other lamps dark, the locks of mouth and shoe closed. A program that was killed could not do that itself, and
// systemd calls this whenever a table has ended. While a table runs, its lines and its port are its own, and this fails.
func halt(e *env, args []string) error {
	rest, err := e.parse(e.flags(), args, 0, 1)
	if err != nil {
		return err
	}
	file := configPath(rest)
	c, err := readConfig(file)
	if err != nil { // run said what is wrong with it
		return fmt.Errorf("halt: lamps and locks are as they were: the configuration is bad; `sabot check %s` says what to mend", file)
	}
	if err := errors.Join(haltBoard(e, &c.Box), haltShoe(e.ctx, &c)); err != nil {
		return fmt.Errorf("halt: %w", err)
	}
	return nil
}

// haltBoard opens the outputs and ends at once, which leaves them stopped.
func haltBoard(e *env, c *BoxConfig) error {
	if len(c.GPIO.Lamps) == 0 {
		return nil
	}
	b, err := gpio.Open(gpio.Config{Lamps: c.GPIO.Lamps}, newLog(e.stderr))
	if err != nil {
		return err
	}
	ended, end := context.WithCancel(e.ctx)
	end()
	return b.Run(ended, nil)
}

// haltShoe closes the lock of a shoe that has one.
func haltShoe(ctx context.Context, c *Config) error {
	d := &c.Device
	dec, err := d.dialect.decoder(d.Name)
	if err != nil {
		return err
	}
	order := dec.Lock(true)
	if len(order) == 0 {
		return nil
	}
	if heldByTable(d.Port, c.Journal) {
		return fmt.Errorf("%s is the running table's", d.Port)
	}
	ctx, cancel := context.WithTimeout(ctx, haltWithin)
	defer cancel()
	port, err := serial.Open(ctx, d.Port, serial.Mode{Baud: d.Baud})
	if err != nil {
		return err
	}
	port.SetWriteDeadline(time.Now().Add(haltWithin))
	_, err = port.Write(order)
	return errors.Join(err, port.Close())
}
