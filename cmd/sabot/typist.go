package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// typist is somebody who answers, line by line. Waiting for him ends with the verb.
type typist struct {
	ctx   context.Context
	in    io.Reader
	out   io.Writer // sees what is asked
	lines chan string
}

// maxTyped bounds what is read of him in bytes.
const maxTyped = 64 << 10

// typist listens to stdin, which is his from now on.
func (e *env) typist() *typist {
	t := &typist{ctx: e.ctx, in: e.stdin, out: e.stderr, lines: make(chan string)}
	go t.listen()
	return t
}

func (t *typist) listen() {
	defer close(t.lines)
	for lines := bufio.NewScanner(io.LimitReader(t.in, maxTyped)); lines.Scan(); {
		select {
		case t.lines <- lines.Text():
		case <-t.ctx.Done():
			return
		}
	}
}

// line is the next one; io.EOF when there is no more.
func (t *typist) line() (string, error) {
	select {
	case line, ok := <-t.lines:
		if !ok {
			return "", io.EOF
		}
		return line, nil
	case <-t.ctx.Done():
		return "", t.ctx.Err()
	}
}

// password is a line that is not shown, from a terminal twice.
func (t *typist) password(what string) (string, error) {
	typed, restore := unseen(t.in)
	defer restore()
	ask := func(what string) (string, error) {
		if typed {
			fmt.Fprint(t.out, what+": ")
			defer fmt.Fprintln(t.out)
		}
		line, err := t.line()
		if err == io.EOF {
			err = errors.New("no password was given")
		}
		return line, err
	}
	password, err := ask(what)
	if err == nil && password == "" {
		err = errors.New("the password is empty; nothing was changed")
	}
	if err == nil && typed {
		var again string
		if again, err = ask("again"); err == nil && again != password {
			err = errors.New("these are two different passwords; nothing was changed")
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
