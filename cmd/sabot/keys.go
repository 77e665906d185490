package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"sabot/shoe/line"
	"sabot/table/box"
)

// stroke is what a key of the keyboard does: it presses a button, as long as it takes for what it means. A terminal does not say when a key is let go.
type stroke struct {
	button box.Button
	held   bool
}

// keyboard are the keys of a terminal, those of the English and the Portuguese words.
var keyboard = map[byte]stroke{
	' ': {box.Next, false}, '\r': {box.Next, false}, '\n': {box.Next, false},
	'h': {box.Hit, false}, 'y': {box.Hit, false},
	's': {box.Stand, false}, 'n': {box.Stand, false},
	'd': {box.Double, false},
	'p': {box.Split, false}, 'u': {box.Split, true},
	'x': {box.Stop, false},
	'k': {box.Key, false}, 'K': {box.Key, true},
}

const keysHelp = `  space, Enter   NEXT
  h, y           HIT, YES
  s, n           STAND, NO
  d              DOUBLE
  p              SPLIT
  u              SURRENDER (SPLIT held)
  x              STOP
  k              the supervisor's key: pause
  K              the key held: release, or resume
  q              end
`

// keys makes a terminal the dealer's box: a device that speaks the neutral line, whose buttons are the terminal's keys.
func keys(e *env, args []string) error {
	f := e.flags()
	link := f.String("link", filepath.Join(os.TempDir(), "sabot-keys"), "the path to offer the port at")
	listen := f.String("listen", "", "offer it on this TCP address instead, such as 127.0.0.1:4002")
	if _, err := e.parse(f, args, 0, 0); err != nil {
		return err
	}
	var on cable = &ptyCable{link: *link}
	if *listen != "" {
		on = &tcpCable{address: *listen}
	}
	device := line.NewDevice("keys", "1", newEpoch())
	v, err := plugIn(e.ctx, on, lineModel{device}, faults{})
	if err != nil {
		return err
	}
	defer v.Unplug()
	fmt.Fprintf(e.stdout, "a box of buttons is at %s; write that under box: port: into the configuration\n%s", v.at(), keysHelp)
	restore := rawKeys(e.stdin)
	defer restore()
	return pressKeys(e, v, device)
}

// pressKeys presses what is typed, until there is no more or q.
func pressKeys(e *env, v *virtual, device *line.Device) error {
	typed := make(chan byte)
	failed := make(chan error, 1)
	go func() {
		one := make([]byte, 1)
		for {
			if _, err := e.stdin.Read(one); err != nil {
				failed <- err
				return
			}
			select {
			case typed <- one[0]:
			case <-e.ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-e.ctx.Done():
			return nil
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		case k := <-typed:
			s, known := keyboard[k]
			switch {
			case k == 'q' || k == 3 || k == 4:
				return nil
			case !known:
				continue
			}
			hold := ""
			if s.held {
				hold = (held[s.button.String()] + 200*time.Millisecond).String()
			}
			if err := press(e, v, device, s.button.String(), hold); err != nil {
				return err
			}
			fmt.Fprintf(e.stdout, "%s\r\n", s)
		}
	}
}

// String is the stroke for people.
func (s stroke) String() string {
	if s.held {
		return s.button.String() + ", held"
	}
	return s.button.String()
}

// rawKeys lets each key come at once and unseen, if in is a terminal; the result puts it back.
func rawKeys(in io.Reader) (restore func()) {
	f, ok := in.(*os.File)
	if !ok {
		return func() {}
	}
	was, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return func() {}
	}
	now := *was
	now.Lflag &^= unix.ICANON | unix.ECHO
	now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
	if unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, &now) != nil {
		return func() {}
	}
	return func() { unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, was) }
}
