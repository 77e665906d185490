package serial

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// cable is a pty: the device's end, and the path of ours. Closing the device's end is pulling the cable.
func cable(t *testing.T) (device *os.File, path string) {
	t.Helper()
	device, ours, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { device.Close() })
	ours.Close()
	return device, ours.Name()
}

func open(t *testing.T, path string) Port {
	t.Helper()
	p, err := Open(t.Context(), path, Mode{Baud: 115200})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// allBytes is every byte there is, the ones a terminal would act on first.
func allBytes() []byte {
	p := []byte{0x03, 0x15, 0x11, 0x13, 0x04, 0x1a, 0x1c, '\r', '\n', '\r', '\n', 0x7f, 0xff, 0xff, 0}
	for i := range 256 {
		p = append(p, byte(i))
	}
	return p
}

// carry sends all bytes from one end to the other.
func carry(t *testing.T, what string, from io.Writer, to io.Reader) {
	t.Helper()
	want := allBytes()
	if _, err := from.Write(want); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(to, got); err != nil || string(got) != string(want) {
		t.Errorf("%s: %v\n got %x\nwant %x", what, err, got, want)
	}
}

func TestEveryBytePasses(t *testing.T) {
	device, path := cable(t)
	port := open(t, path)
	carry(t, "from the device", device, port)
	carry(t, "to the device", port, device)

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port = open(t, "tcp://"+listener.Addr().String())
	box, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	carry(t, "from the box", box, port)
	carry(t, "to the box", port, box)
}

func TestSpeeds(t *testing.T) {
	_, path := cable(t)
	for baud, want := range map[int]uint32{4800: unix.B4800, 9600: unix.B9600, 115200: unix.B115200, 250000: unix.BOTHER} {
		p, err := Open(t.Context(), path, Mode{Baud: baud})
		if err != nil {
			t.Fatal(err)
		}
		var set *unix.Termios
		if err := control(p.(tty).File, func(fd int) (err error) {
			set, err = unix.IoctlGetTermios(fd, unix.TCGETS2)
			return err
		}); err != nil || set.Cflag&unix.CBAUD != want || set.Ospeed != uint32(baud) {
			t.Errorf("%d: %v, flags %x, speed %d", baud, err, set.Cflag, set.Ospeed)
		}
		p.Close()
	}
}

func TestASecondProgramIsRefused(t *testing.T) {
	_, path := cable(t)
	emulator, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer emulator.Close()
	first := open(t, path)
	link := filepath.Join(t.TempDir(), "by-id")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		_, err := Open(t.Context(), name, Mode{Baud: 9600})
		if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), name+": another program holds this port") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if held, err := unix.IoctlGetInt(int(emulator.Fd()), unix.TIOCGEXCL); err != nil || held != 1 {
		t.Errorf("the port is not held against those who use no locks: %d, %v", held, err)
	}
	first.Close()
	if held, err := unix.IoctlGetInt(int(emulator.Fd()), unix.TIOCGEXCL); err != nil || held != 0 {
		t.Errorf("the port is still held: %d, %v", held, err)
	}
	open(t, path)
}

// asNobody runs do as a user who is nobody, where the tests run as root.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	me := os.Geteuid()
	if me == 0 {
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(me)
	}
	do()
}

func TestDeniedSaysWhatToDo(t *testing.T) {
	_, path := cable(t)
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		_, err := Open(context.Background(), path, Mode{Baud: 9600})
		if !errors.Is(err, ErrDenied) || errors.Is(err, ErrBusy) {
			t.Fatalf("%v", err)
		}
		for _, part := range []string{path, "for user " + userName(uint32(os.Geteuid())), "groups", "belongs to", "mode Dc---------", "udev"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q is not said: %v", part, err)
			}
		}
	})
	if got := cure("sabot", "plugdev", 0o660); got != "run: sudo usermod -aG plugdev sabot, then restart the service or log in again" {
		t.Error(got)
	}
	for _, got := range []string{cure("sabot", "root", 0o660), cure("sabot", "plugdev", 0o600)} {
		if !strings.Contains(got, "udev") || strings.Contains(got, "usermod -aG plugdev") || strings.Contains(got, "usermod -aG root") {
			t.Error(got)
		}
	}
	for _, got := range []string{cure("sabot", "root", 0o660), cure("sabot", "plugdev", 0o600), cure("sabot", "plugdev", 0o660)} {
		if strings.Contains(got, "chmod") || strings.Contains(got, "666") {
			t.Error(got)
		}
	}
}

func TestWhatIsNoPort(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(t.Context(), filepath.Join(dir, "gone"), Mode{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing device: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), file, Mode{}); err == nil || !strings.HasPrefix(err.Error(), "serial: "+file) {
		t.Errorf("a file: %v", err)
	}
	if _, err := Open(t.Context(), "tcp://127.0.0.1", Mode{}); err == nil {
		t.Error("an address without a port was taken")
	}
}

func TestCloseEndsReadAndTouchesNothingAfter(t *testing.T) {
	_, path := cable(t)
	port := open(t, path)
	ended := make(chan error)
	go func() {
		_, err := port.Read(make([]byte, 1))
		ended <- err
	}()
	port.Close()
	if err := <-ended; !errors.Is(err, os.ErrClosed) {
		t.Errorf("Read: %v", err)
	}
	heirs := make([]*os.File, 8) // one of them gets the port's number
	for i := range heirs {
		f, err := os.Create(filepath.Join(t.TempDir(), "heir"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		heirs[i] = f
	}
	if _, err := port.Write([]byte("after")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write: %v", err)
	}
	for _, f := range heirs {
		if info, _ := f.Stat(); info.Size() != 0 {
			t.Error("a write after Close reached another file")
		}
	}
}

func TestUnplugEndsRead(t *testing.T) {
	device, path := cable(t)
	port := open(t, path)
	ended := make(chan error)
	go func() {
		_, err := port.Read(make([]byte, 1))
		ended <- err
	}()
	device.Close()
	if err := <-ended; err == nil {
		t.Error("Read went on")
	}
	if _, err := port.Write([]byte("x")); err == nil {
		t.Error("Write went on")
	}
}
