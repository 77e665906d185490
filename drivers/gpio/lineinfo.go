package gpio

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// LineInfo is one line as the kernel tells it, without taking it. The rules of the calls are in the kernel's
// Documentation/userspace-api/gpio/chardev.rst and its include/uapi/linux/gpio.h.
type LineInfo struct {
	Chip, Label string // "gpiochip0", "pinctrl-bcm2711"
	Offset      int    // the line's number on its chip
	Name        string // "" where the board names none
	Used        bool   // somebody has it: a program, or the kernel itself
	Consumer    string // who, as he calls himself; a program of periph's, and ours, is "program@pid"
	Output      bool
	ActiveLow   bool // for the one who has it
}

// The flags of a line, of enum gpio_v2_line_flag.
const (
	flagUsed      = 1 << 0
	flagActiveLow = 1 << 1
	flagInput     = 1 << 2
	flagOutput    = 1 << 3
	flagRising    = 1 << 4
	flagFalling   = 1 << 5
	flagPullUp    = 1 << 8
	flagPullDown  = 1 << 9
)

// Lines are all lines of all chips. Chips that may not be read are in the error, with what to do; the lines of the others
// are there nevertheless. On a machine without any chip it is an ErrNone.
func Lines() ([]LineInfo, error) { return linesIn("/dev", chipLines) }

func linesIn(dir string, chipLines func(path string) ([]LineInfo, error)) ([]LineInfo, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "gpiochip*"))
	if err != nil {
		return nil, fmt.Errorf("gpio: %w", err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("gpio: %w: there is no %s/gpiochip0; take buttons and lamps out of the configuration, or use a machine that has them", ErrNone, dir)
	}
	var all []LineInfo
	var failed []error
	seen := map[string]bool{}
	for _, path := range paths {
		list, err := chipLines(path)
		switch {
		case errors.Is(err, fs.ErrPermission):
			failed = append(failed, fmt.Errorf("gpio: %w; %s", err, cure))
		case err != nil:
			failed = append(failed, fmt.Errorf("gpio: %w", err))
		case len(list) > 0 && !seen[list[0].Chip]: // a chip may have a second name
			seen[list[0].Chip] = true
			all = append(all, list...)
		}
	}
	return all, errors.Join(failed...)
}

const cure = `put the user in the group that it belongs to: sudo usermod -aG gpio USER; where it belongs to root, give it to a group first: ` +
	`sudo groupadd -f gpio && echo 'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"' | sudo tee /etc/udev/rules.d/70-sabot-gpio.rules && ` +
	`sudo udevadm control --reload && sudo udevadm trigger`

func chipLines(path string) ([]LineInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var chip unix.GPIOChipInfo
	if err := ioctl(f, unix.GPIO_GET_CHIPINFO_IOCTL, &chip); err != nil {
		return nil, fmt.Errorf("%s is no GPIO chip: %w", path, err)
	}
	var all []LineInfo
	for i := range chip.Lines {
		line := unix.GPIOV2LineInfo{Offset: i}
		if err := ioctl(f, unix.GPIO_V2_GET_LINEINFO_IOCTL, &line); err != nil {
			return nil, fmt.Errorf("%s does not tell of its line %d (kernels do since 5.10): %w", path, i, err)
		}
		all = append(all, lineInfo(&chip, &line))
	}
	return all, nil
}

func lineInfo(chip *unix.GPIOChipInfo, line *unix.GPIOV2LineInfo) LineInfo {
	return LineInfo{
		Chip: text(chip.Name[:]), Label: text(chip.Label[:]), Offset: int(line.Offset),
		Name: text(line.Name[:]), Used: line.Flags&flagUsed != 0, Consumer: text(line.Consumer[:]),
		Output: line.Flags&flagOutput != 0, ActiveLow: line.Flags&flagActiveLow != 0,
	}
}

// text is a C string.
func text(p []byte) string {
	p, _, _ = bytes.Cut(p, []byte{0})
	return string(p)
}

// ioctl calls the kernel about an open file, or fails with os.ErrClosed.
func ioctl[T any](f *os.File, request uintptr, arg *T) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var code unix.Errno
	if err := raw.Control(func(fd uintptr) {
		_, _, code = unix.Syscall(unix.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(arg)))
	}); err != nil {
		return os.ErrClosed // the only reason there is
	}
	if code != 0 {
		return code
	}
	return nil
}
