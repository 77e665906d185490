package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// cable is what a virtual device hangs on. Its methods may be called from any goroutine.
type cable interface {
	plug(heard func([]byte)) error // what the host sends goes to heard, from the cable's own goroutine
	unplug()                       // the port is gone at once
	send(p []byte)                 // to whoever listens; a host that reads nothing for a second loses it
	share(idle bool)               // called a few times a second; idle says that no host was heard
	at() string                    // where a configuration finds it
	attended() bool                // a host has the port open
	unheard() bool                 // something sent has not reached it yet
}

// ptyCable is a pty behind a link that keeps its name when the device is unplugged and plugged again, as /dev/serial/by-id does.
type ptyCable struct {
	link string

	mu     sync.Mutex
	master *os.File // nil while unplugged
	slave  *os.File // held open, so that the master can be read before anybody opens the other end
}

func (c *ptyCable) at() string { return c.link }

func (c *ptyCable) plug(heard func([]byte)) error {
	blocking, slave, err := pty.Open()
	if err != nil {
		return fmt.Errorf("no pty: %w", err)
	}
	master, err := unblocked(blocking)
	if err != nil {
		slave.Close()
		return err
	}
	if err = raw(slave); err == nil {
		err = c.name(slave.Name())
	}
	if err != nil {
		master.Close()
		slave.Close()
		return err
	}
	c.mu.Lock()
	c.master, c.slave = master, slave
	c.mu.Unlock()
	go listen(master, heard)
	return nil
}

// name points the link at a pty, in place of a link that was left there, and of nothing else.
func (c *ptyCable) name(pty string) error {
	next := c.link + ".new"
	for _, path := range []string{c.link, next} {
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink == 0 {
			return fmt.Errorf("%s is there, and is no link; name another path with --link", path)
		}
	}
	if pid, name := holder(c.link); name == program {
		return fmt.Errorf("%s is offered by sabot already, process %d; end that one, or name another path with --link", c.link, pid)
	}
	os.Remove(next) // of one that was killed in between
	if err := os.Symlink(pty, next); err != nil {
		return fmt.Errorf("%s cannot be offered: %w; name another path with --link", c.link, errors.Unwrap(err))
	}
	return os.Rename(next, c.link)
}

// unblocked is f again, with deadlines, and a Close that waits for nobody: that of a pty as it comes waits for a host that says nothing to say something.
func unblocked(f *os.File) (*os.File, error) {
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

func (c *ptyCable) unplug() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.master == nil {
		return
	}
	if to, _ := os.Readlink(c.link); to == c.slave.Name() {
		os.Remove(c.link)
	}
	c.master.Close()
	c.slave.Close()
	c.master, c.slave = nil, nil
}

func (c *ptyCable) send(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.master == nil {
		return
	}
	c.master.SetWriteDeadline(time.Now().Add(time.Second))
	c.master.Write(p)
}

// share lets the port be opened again after a host that held it for itself was killed. The kernel forgets who held a port only when
// nobody has it open, and we always have.
func (c *ptyCable) share(idle bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slave != nil && idle {
		unix.IoctlSetInt(int(c.slave.Fd()), unix.TIOCNXCL, 0)
	}
}

// attended looks among the processes we may look at: the kernel does not tell, because we have the port open ourselves.
func (c *ptyCable) attended() bool {
	pid, _ := holder(c.link)
	return pid > 0
}

func (c *ptyCable) unheard() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slave != nil && waiting(c.slave, unix.TIOCINQ)
}

// tcpCable is a box that carries serial over TCP: one host at a time, the next one in the place of the last.
type tcpCable struct {
	mu       sync.Mutex
	address  string       // with the port the kernel chose, once it was plugged in
	listener net.Listener // nil while unplugged
	conn     net.Conn     // nil while nobody is there
}

func (c *tcpCable) at() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return "tcp://" + c.address
}

func (c *tcpCable) plug(heard func([]byte)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, err := net.Listen("tcp", c.address)
	if err != nil {
		return err
	}
	c.listener, c.address = l, l.Addr().String()
	go c.accept(l, heard)
	return nil
}

func (c *tcpCable) accept(l net.Listener, heard func([]byte)) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		c.mu.Lock()
		if c.conn != nil {
			c.conn.Close()
		}
		c.conn = conn
		c.mu.Unlock()
		go listen(conn, heard)
	}
}

func (c *tcpCable) unplug() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listener != nil {
		c.listener.Close()
		c.listener = nil
	}
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

func (c *tcpCable) send(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		c.conn.SetWriteDeadline(time.Now().Add(time.Second))
		c.conn.Write(p)
	}
}

func (c *tcpCable) share(bool) {}

func (c *tcpCable) attended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn != nil
}

func (c *tcpCable) unheard() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn, ok := c.conn.(*net.TCPConn)
	return ok && waiting(conn, unix.TIOCOUTQ)
}

// waiting says that bytes are on their way, by the kernel's count of them.
func waiting(on syscall.Conn, count uint) bool {
	raw, err := on.SyscallConn()
	if err != nil {
		return false
	}
	n := 0
	err = raw.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), count) })
	return err == nil && n > 0
}

// listen hands on what a host sends until it is gone.
func listen(from io.Reader, heard func([]byte)) {
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		heard(buf[:n])
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
