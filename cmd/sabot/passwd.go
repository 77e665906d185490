package main

import (
	"fmt"

	"sabot/mqtt/broker"
	"sabot/mqtt/display"
)

// passwd gives a person a password for the floor console, or a program one for the broker of our own.
func passwd(e *env, args []string) error {
	f := e.flags()
	remove := f.Bool("remove", false, "take the person out instead")
	users := f.Bool("broker", false, "FILE is that of an embedded broker's users (mqtt.embedded.users), NAME one of them; it takes effect when the table starts")
	role := f.String("role", "", "with --broker, what the user may: overlay, game, floor or table")
	rest, err := e.parse(f, args, 2, 2)
	switch {
	case err != nil:
		return err
	case *users && *role == "" && !*remove:
		return usageError("passwd: --broker needs --role overlay, game, floor or table")
	case !*users && *role != "":
		return usageError("passwd: --role belongs to --broker")
	}
	set := func(password string) error {
		if *users {
			return broker.SetUser(rest[0], rest[1], broker.Role(*role), password)
		}
		return display.SetPassword(rest[0], rest[1], password)
	}
	if *remove {
		return set("")
	}
	password, err := e.typist().password("password")
	if err != nil {
		return fmt.Errorf("passwd: %w", err)
	}
	return set(password)
}
