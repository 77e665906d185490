package gpio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/host/v3"
	"periph.io/x/host/v3/bcm283x"
	"periph.io/x/host/v3/distro"
	"periph.io/x/host/v3/gpioioctl"
)

// machine is the GPIO of the machine we run on.
type machine struct{}

// findMachine fails where there is none, or none that we may use.
func findMachine(log *slog.Logger) (lines, error) {
	all, err := Lines()
	if len(all) == 0 {
		return nil, err
	}
	if err != nil {
		log.Warn("some GPIO chips cannot be used", "why", err)
	}
	if err := boardChip(all, distro.DTCompatible()); err != nil {
		return nil, err
	}
	state, err := hostInit()
	if err != nil {
		return nil, fmt.Errorf("gpio: %w", err)
	}
	for _, f := range slices.Concat(state.Skipped, state.Failed) {
		log.Debug("periph does not use a driver", "driver", f.D, "why", f.Err)
	}
	return machine{}, nil
}

// bcmLines are the lines that periph takes for granted on the first chip of a Raspberry Pi; with fewer it panics where nobody can recover.
const bcmLines = 47

// boardChip looks whether a Raspberry Pi shows us its own chip, and not only the small ones beside it.
func boardChip(all []LineInfo, compatible []string) error {
	if !slices.ContainsFunc(compatible, func(s string) bool { return strings.HasPrefix(s, "brcm,bcm") }) {
		return nil
	}
	first := slices.MinFunc(all, func(x, y LineInfo) int { return strings.Compare(sortKey(x), sortKey(y)) })
	n := 0
	for _, l := range all {
		if l.Chip == first.Chip {
			n++
		}
	}
	if n < bcmLines {
		return fmt.Errorf("gpio: the board's own chip cannot be opened, only %s (%s): let the service open all of /dev/gpiochip* (DeviceAllow=char-gpiochip rw)", first.Chip, first.Label)
	}
	return nil
}

// sortKey puts chips in periph's order.
func sortKey(l LineInfo) string {
	if strings.HasPrefix(l.Label, "pinctrl-") {
		return "\x00" + l.Label
	}
	return "\x01" + l.Label
}

// hostInit looks for the machine's GPIO, once in the life of the program: chips that come later are not found.
var hostInit = sync.OnceValues(func() (*driverreg.State, error) {
	text := log.Writer()
	log.SetOutput(io.Discard) // periph logs what it also returns
	defer log.SetOutput(text)
	state, err := host.Init()
	// A second name of a chip (gpiochip4 on a Pi 5) makes periph close descriptor 0. Whatever is opened next would be the standard input, so that is nothing, for good.
	if _, closed := unix.FcntlInt(0, unix.F_GETFD, 0); errors.Is(closed, unix.EBADF) {
		_, _ = unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	}
	return state, err
})

// find is a line by its own name on the character device, or by its place on the header, which periph knows only on boards whose revision it does; or, on a
// Raspberry Pi whose kernel calls its lines by what they do, by periph's names.
func (machine) find(name string) (*gpioioctl.GPIOChip, *gpioioctl.GPIOLine) {
	for _, known := range []string{name, Place(name)} {
		for _, chip := range gpioioctl.Chips {
			if line := chip.ByName(known); known != "" && line != nil {
				return chip, line
			}
		}
	}
	pin := gpioreg.ByName(Place(name))
	if alias, ok := pin.(gpio.RealPin); ok {
		pin = alias.Real()
	}
	if p, ok := pin.(*bcm283x.Pin); ok {
		chip := gpioioctl.Chips[0] // the one that periph has them on
		if line := chip.ByNumber(p.Number()); line != nil && line.Name() != "" {
			return chip, line
		}
	}
	return nil, nil
}

// names are what find knows, header places and numbers left out.
func (m machine) names() []string {
	var all []string
	for _, pin := range gpioreg.All() {
		if _, line := m.find(pin.Name()); line != nil {
			all = append(all, pin.Name())
		}
	}
	return all
}

// The kernel tells of edges with their times, from which presses can be made that happened while we had no processor; periph keeps the edge and throws away its
// time. And it makes an output low before it sets its level. So lines are requested here.

func (m machine) output(name string, high bool) (output, error) {
	r := unix.GPIOV2LineRequest{Config: unix.GPIOV2LineConfig{Flags: flagOutput}}
	if high {
		r.Config.Num_attrs = 1
		r.Config.Attrs[0] = unix.GPIOV2LineConfigAttribute{Attr: unix.GPIOV2LineAttribute{Id: unix.GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, Flags: 1}, Mask: 1}
	}
	f, err := m.take(name, r)
	if err != nil {
		return nil, err
	}
	return writing{f}, nil
}

// writing is an output.
type writing struct{ *os.File }

// Write sets the line's level.
func (w writing) Write(high bool) error {
	v := unix.GPIOV2LineValues{Mask: 1}
	if high {
		v.Bits = 1
	}
	return ioctl(w.File, unix.GPIO_V2_LINE_SET_VALUES_IOCTL, &v)
}

// edgesKept is how many edges the kernel keeps of a line until they are read, the latest ones.
const edgesKept = 256

func (m machine) input(name string, pull Pull) (input, error) {
	bias := map[Pull]uint64{"": flagPullUp, PullUp: flagPullUp, PullDown: flagPullDown}[pull]
	r := unix.GPIOV2LineRequest{Config: unix.GPIOV2LineConfig{Flags: flagInput | flagRising | flagFalling | bias}, Event_buffer_size: edgesKept}
	f, err := m.take(name, r)
	if err == nil {
		return &reading{File: f, edges: true}, nil
	}
	r.Config.Flags, r.Event_buffer_size = flagInput|bias, 0 // some chips have no interrupts
	if f, again := m.take(name, r); again == nil {
		return &reading{File: f}, nil
	}
	return nil, err
}

// reading is an input.
type reading struct {
	*os.File
	edges bool
	buf   [edgesKept * eventSize]byte
}

// eventSize is that of a unix.GPIOV2LineEvent.
const eventSize = 48

// Wait implements input. Without edges it sleeps no longer than a poll.
func (r *reading) Wait(limit time.Duration) (edges []edge, high bool, err error) {
	if r.edges {
		edges, err = r.events(limit)
	} else {
		time.Sleep(min(limit, pollEvery))
	}
	if err != nil {
		return nil, false, err
	}
	v := unix.GPIOV2LineValues{Mask: 1}
	err = ioctl(r.File, unix.GPIO_V2_LINE_GET_VALUES_IOCTL, &v)
	return edges, v.Bits&1 == 1, err
}

func (r *reading) events(limit time.Duration) ([]edge, error) {
	n, err := r.read(limit)
	if err != nil {
		return nil, err
	}
	var clock unix.Timespec // the kernel's edges and Go's monotonic readings are of this clock, but Go shows only differences
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &clock); err != nil {
		return nil, err
	}
	now := time.Now()
	var list []edge
	for p := r.buf[:n]; len(p) >= eventSize; p = p[eventSize:] {
		at := time.Duration(binary.NativeEndian.Uint64(p))
		list = append(list, edge{binary.NativeEndian.Uint32(p[8:]) == unix.GPIO_V2_LINE_EVENT_RISING_EDGE, now.Add(at - time.Duration(clock.Nano()))})
	}
	return list, nil
}

// read reads what events there are, or waits for one.
func (r *reading) read(limit time.Duration) (n int, err error) {
	if limit > 0 {
		if err := r.SetReadDeadline(time.Now().Add(limit)); err != nil {
			return 0, err
		}
		if n, err = r.Read(r.buf[:]); errors.Is(err, os.ErrDeadlineExceeded) {
			return 0, nil
		}
		return n, err
	}
	raw, err := r.SyscallConn()
	if err != nil {
		return 0, err
	}
	if gone := raw.Control(func(fd uintptr) { n, err = unix.Read(int(fd), r.buf[:]) }); gone != nil {
		return 0, gone
	}
	if errors.Is(err, unix.EAGAIN) {
		return 0, nil
	}
	return n, err
}

// take requests one line.
func (m machine) take(name string, r unix.GPIOV2LineRequest) (*os.File, error) {
	chip, line := m.find(name)
	if line == nil {
		return nil, errUnknown
	}
	f, err := request(chip.Path(), uint32(line.Number()), r)
	if err != nil {
		return nil, refused(name, chip, line, err)
	}
	return f, nil
}

// request has the kernel do what r says to one line of a chip.
func request(chip string, offset uint32, r unix.GPIOV2LineRequest) (*os.File, error) {
	f, err := os.Open(chip)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r.Offsets[0], r.Num_lines = offset, 1
	copy(r.Consumer[:len(r.Consumer)-1], fmt.Sprintf("%s@%d", filepath.Base(os.Args[0]), os.Getpid()))
	if err := ioctl(f, unix.GPIO_V2_GET_LINE_IOCTL, &r); err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(int(r.Fd), true); err != nil { // for deadlines
		unix.Close(int(r.Fd))
		return nil, err
	}
	return os.NewFile(uintptr(r.Fd), chip), nil
}

// refused says who has a line that we did not get.
func refused(name string, chip *gpioioctl.GPIOChip, line *gpioioctl.GPIOLine, why error) error {
	all, _ := chipLines(chip.Path())
	if n := line.Number(); n < len(all) && all[n].Used {
		return fmt.Errorf("line %s is taken by %q; use another, or stop what has it", name, all[n].Consumer)
	}
	return fmt.Errorf("line %s: %w", name, why)
}
