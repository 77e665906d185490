// Package serial attaches one device that speaks bytes: a shoe on a serial port, or behind a box that carries serial over TCP.
//
// [Open] opens a port raw and for us alone. [Device] keeps a port open for ever, feeds a [shoe.Decoder] with what
// comes, stamped as it came, and hands its reports on. Cables are pulled, adapters reset, boxes reboot: a device that is gone is a report,
// never an exit.
//
// The serial library knows how to set up a line on every system and at odd speeds; that is what it does here, once, at opening. The
// bytes go through an [os.File] on the same device, because the library's own Read and Write work on a bare descriptor number:
// a Write after Close reaches whatever file got the number next, and a blocked Write cannot be ended. An os.File does neither, its Close
// ends what is blocked, and its writes have deadlines.
package serial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/user"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"
)

// Port is an open port. Close ends a Read or Write that is blocked; afterwards every method fails and touches nothing.
type Port interface {
	io.ReadWriteCloser
	SetWriteDeadline(time.Time) error
}

// Mode is how a serial line is set; all else is 8N1, raw, without flow control. TCP ignores it.
type Mode struct {
	Baud int // bits per second
}

// The errors by which callers tell apart what is not simply gone. Both come with a sentence that says what to do.
var (
	ErrBusy   = errors.New("another program holds this port")
	ErrDenied = errors.New("permission denied")
)

const (
	dialTimeout = 3 * time.Second
	peerTimeout = 11 * time.Second // a TCP peer that answers nothing for so long is gone
)

// Open opens "/dev/…", better one of /dev/serial/by-id, or "tcp://host:port". A device is held exclusively until it
// is closed; where another program holds it, the error is ErrBusy, and where the user may not open it, ErrDenied.
func Open(ctx context.Context, path string, mode Mode) (Port, error) {
	if address, ok := strings.CutPrefix(path, "tcp://"); ok {
		return dial(ctx, address)
	}
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.EBUSY):
		return nil, busy(path)
	case errors.Is(err, fs.ErrPermission):
		return nil, denied(path)
	case err != nil:
		return nil, fmt.Errorf("serial: %w", err)
	}
	if err := claim(f, path, mode); err != nil {
		f.Close()
		return nil, err
	}
	return tty{f}, nil
}

// tty is a device held exclusively. Who else had it open before keeps it, so Close lets others in again.
type tty struct{ *os.File }

// Close closes the device.
func (t tty) Close() error {
	control(t.File, func(fd int) error { return unix.IoctlSetInt(fd, unix.TIOCNXCL, 0) })
	return t.File.Close()
}

// claim makes f ours alone and sets up its line. The lock on the file is for root, whom TIOCEXCL does not stop. The library's
// own descriptor goes again before TIOCEXCL is set, which its closing would undo; ours stays open, so the line keeps its settings.
func claim(f *os.File, path string, mode Mode) error {
	if err := control(f, func(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) }); err != nil {
		return busy(path)
	}
	line, err := serial.Open(path, &serial.Mode{BaudRate: mode.Baud, DataBits: 8})
	if err != nil {
		return fmt.Errorf("serial: %s cannot be set up as a serial line: %w", path, err)
	}
	line.Close()
	if err := control(f, func(fd int) error { return unix.IoctlSetInt(fd, unix.TIOCEXCL, 0) }); err != nil {
		return fmt.Errorf("serial: %s cannot be held exclusively: %w", path, err)
	}
	return nil
}

// control runs do on the descriptor of f and leaves its deadlines working, which f.Fd would not.
func control(f *os.File, do func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = do(int(fd)) }); err != nil {
		return err
	}
	return failed
}

// dial connects to a box. Its keep-alive finds a dead one while the line is silent, and the user timeout while our own
// bytes are unanswered, in which case the keep-alive rests.
func dial(ctx context.Context, address string) (Port, error) {
	dialer := net.Dialer{
		Timeout:         dialTimeout,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3},
		Control: func(_, _ string, raw syscall.RawConn) error {
			var failed error
			err := raw.Control(func(fd uintptr) {
				failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(peerTimeout.Milliseconds()))
			})
			return errors.Join(err, failed)
		},
	}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serial: %w", err)
	}
	return conn.(*net.TCPConn), nil
}

func busy(path string) error {
	return fmt.Errorf("serial: %s: %w; to see which, run: sudo fuser -v %s", path, ErrBusy, path)
}

// denied says who may not open what, and the command that changes it.
func denied(path string) error {
	owner, group, mode := "?", "?", fs.FileMode(0)
	if info, err := os.Stat(path); err == nil {
		stat := info.Sys().(*syscall.Stat_t)
		owner, group, mode = userName(stat.Uid), groupName(stat.Gid), info.Mode()
	}
	ids, _ := os.Getgroups()
	groups := []string{groupName(uint32(os.Getegid()))}
	for _, id := range ids {
		if name := groupName(uint32(id)); name != groups[0] {
			groups = append(groups, name)
		}
	}
	me := userName(uint32(os.Geteuid()))
	return fmt.Errorf("serial: %s: %w for user %s (groups %s): it belongs to %s:%s, mode %v; %s",
		path, ErrDenied, me, strings.Join(groups, " "), owner, group, mode, cure(me, group, mode))
}

// cure is the command that lets the user open the device: by its group where that may, else by a udev rule.
func cure(me, group string, mode fs.FileMode) string {
	if mode.Perm()&0o060 == 0o060 && group != "root" {
		return fmt.Sprintf("run: sudo usermod -aG %s %s, then restart the service or log in again", group, me)
	}
	return `its group does not help, so give it to one; run: echo 'SUBSYSTEM=="tty", KERNEL=="ttyUSB*|ttyACM*|ttyAMA*", GROUP="dialout", MODE="0660"' | ` +
		"sudo tee /etc/udev/rules.d/70-sabot.rules && sudo udevadm control --reload && sudo udevadm trigger && sudo usermod -aG dialout " + me
}

func userName(id uint32) string {
	text := strconv.FormatUint(uint64(id), 10)
	if u, err := user.LookupId(text); err == nil {
		return u.Username
	}
	return text
}

func groupName(id uint32) string {
	text := strconv.FormatUint(uint64(id), 10)
	if g, err := user.LookupGroupId(text); err == nil {
		return g.Name
	}
	return text
}
