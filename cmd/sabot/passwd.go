package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

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
	password, err := e.askPassword()
	if err != nil {
		return err
	}
	return set(password)
}

// askPassword asks for a password, twice where somebody types it.
func (e *env) askPassword() (string, error) {
	in, restore := unseen(e.stdin)
	defer restore()
	lines := bufio.NewReader(io.LimitReader(e.stdin, 4<<10))
	ask := func(what string) (string, error) {
		if in {
			fmt.Fprint(e.stderr, what)
			defer fmt.Fprintln(e.stderr)
		}
		line, err := lines.ReadString('\n')
		if err != nil && (line == "" || err != io.EOF) {
			return "", errors.New("passwd: no password was given")
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	password, err := ask("password: ")
	if err == nil && password == "" {
		err = errors.New("passwd: the password is empty; --remove takes a person out")
	}
	if err == nil && in {
		var again string
		if again, err = ask("again: "); err == nil && again != password {
			err = errors.New("passwd: these are two different passwords; nothing was changed")
		}
	}
	return password, err
}

// unseen keeps what is typed from the screen, if in is a terminal.
func unseen(in io.Reader) (terminal bool, restore func()) {
	f, ok := in.(*os.File)
	if !ok {
		return false, func() {}
	}
	was, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return false, func() {}
	}
	now := *was
	now.Lflag &^= unix.ECHO
	if unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, &now) != nil {
		return false, func() {}
	}
	return true, func() { unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, was) }
}
