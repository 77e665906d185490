package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"sabot/shoe"
	"sabot/shoe/line"
)

// virtualShoe is a shoe without hardware: the neutral line's device on a pty, behind a link that keeps its name when the shoe is
// unplugged and plugged again, as /dev/serial/by-id does.
type virtualShoe struct {
	link  string
	start time.Time

	mu     sync.Mutex
	device *line.Device
	master *os.File // nil while unplugged
	slave  *os.File // held open, so that the master can be read before anybody opens the other end
}

// errLocked is a draw from a shoe whose mouth is closed.
var errLocked = errors.New("the shoe is locked")

// plugShoe offers a virtual shoe behind a link until the context ends.
func plugShoe(ctx context.Context, link string, device *line.Device) (*virtualShoe, error) {
	s := &virtualShoe{link: link, start: time.Now(), device: device}
	if err := s.Plug(); err != nil {
		return nil, err
	}
	go s.tick(ctx)
	return s, nil
}

// Plug connects the shoe; what it kept while it was unplugged follows.
func (s *virtualShoe) Plug() error {
	master, slave, err := pty.Open()
	if err != nil {
		return fmt.Errorf("virtual shoe: no pty: %w", err)
	}
	if err := raw(slave); err != nil {
		return fmt.Errorf("virtual shoe: %w", err)
	}
	next := s.link + ".new"
	if err := os.Symlink(slave.Name(), next); err != nil {
		return fmt.Errorf("virtual shoe: %w", err)
	}
	if err := os.Rename(next, s.link); err != nil {
		return fmt.Errorf("virtual shoe: %w", err)
	}
	s.mu.Lock()
	s.master, s.slave = master, slave
	s.send(s.device.Hello())
	s.mu.Unlock()
	go s.listen(master)
	return nil
}

// Unplug pulls the cable: the port is gone at once.
func (s *virtualShoe) Unplug() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.master == nil {
		return
	}
	os.Remove(s.link)
	s.master.Close()
	s.slave.Close()
	s.master, s.slave = nil, nil
}

// Draw is a card that leaves the shoe.
func (s *virtualShoe) Draw(c shoe.Card) error {
	return s.say(func() []byte { return s.device.Draw(c) })
}

// Cut is the cut card that leaves the shoe.
func (s *virtualShoe) Cut() error { return s.say(s.device.Cut) }

// Spin is a wheel whose ball was launched.
func (s *virtualShoe) Spin() { s.tell(s.device.Spin) }

// Win is the number the ball fell into.
func (s *virtualShoe) Win(n uint8) { s.tell(func() []byte { return s.device.Win(n) }) }

// tell sends what a wheel says, which no lock holds back.
func (s *virtualShoe) tell(said func() []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send(said())
}

// say sends something that leaves the mouth, which must be open.
func (s *virtualShoe) say(leave func() []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.device.Locked() {
		return errLocked
	}
	s.send(leave())
	return nil
}

// Disturb puts bytes on the line that are no sentence, or a piece of one.
func (s *virtualShoe) Disturb(noise []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send(noise)
}

// send writes to whoever listens. A host that reads nothing for a second loses it, and asks again later.
func (s *virtualShoe) send(p []byte) {
	if s.master == nil || len(p) == 0 {
		return
	}
	s.master.SetWriteDeadline(time.Now().Add(time.Second))
	s.master.Write(p)
}

func (s *virtualShoe) listen(master *os.File) {
	buf := make([]byte, 4096)
	for {
		n, err := master.Read(buf)
		if err != nil {
			return
		}
		s.feed(buf[:n])
	}
}

func (s *virtualShoe) feed(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send(s.device.Feed(time.Since(s.start), p))
}

func (s *virtualShoe) tick(ctx context.Context) {
	every := time.NewTicker(250 * time.Millisecond)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			s.Unplug()
			return
		case <-every.C:
			s.feed(nil)
			s.share()
		}
	}
}

// share lets the port be opened again after a host that held it for itself was killed. The kernel forgets who held a port only when
// nobody has it open, and we always have.
func (s *virtualShoe) share() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slave != nil && s.device.Locked() {
		unix.IoctlSetInt(int(s.slave.Fd()), unix.TIOCNXCL, 0)
	}
}

// raw takes a terminal as a plain wire before anybody opens it: no echo, no lines, no control characters.
func raw(f *os.File) error {
	t, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return err
	}
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	return unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, t)
}
