package gpio

import (
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

// null keeps descriptor 0 in use, should looking for chips have closed it.
var null *os.File

// hostInit looks for the machine's GPIO, once in the life of the program: chips that come later are not found.
var hostInit = sync.OnceValues(func() (*driverreg.State, error) {
	text := log.Writer()
	log.SetOutput(io.Discard) // periph logs what it also returns
	defer log.SetOutput(text)
	state, err := host.Init()
	// A second name of a chip (gpiochip4 on a Pi 5) makes periph close descriptor 0. Whatever is opened next gets it then, and a line
	// that does counts as not open.
	if _, closed := unix.FcntlInt(0, unix.F_GETFD, 0); errors.Is(closed, unix.EBADF) {
		null, _ = os.Open(os.DevNull)
	}
	return state, err
})

// find is a line by its own name on the character device or, on a Raspberry Pi whose kernel calls its lines by what they do, by periph's names.
func (machine) find(name string) (*gpioioctl.GPIOChip, *gpioioctl.GPIOLine) {
	for _, chip := range gpioioctl.Chips {
		if line := chip.ByName(name); name != "" && line != nil {
			return chip, line
		}
	}
	pin := gpioreg.ByName(name)
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

// reading is an input of periph's. A set of one line has what its plain line lacks: its errors, and a Close.
type reading struct{ *gpioioctl.LineSet }

// Read is the line's level.
func (r reading) Read() (high bool, err error) {
	v, err := r.LineSet.Read(1)
	return v&1 == 1, err
}

func (m machine) input(name string, pull Pull) (input, error) {
	chip, line := m.find(name)
	if line == nil {
		return nil, errUnknown
	}
	bias := map[Pull]gpio.Pull{"": gpio.PullUp, PullUp: gpio.PullUp, PullDown: gpio.PullDown, PullNone: gpio.Float}[pull]
	set, err := chip.LineSet(gpioioctl.LineInput, gpio.NoEdge, bias, line.Name())
	if err != nil {
		return nil, refused(name, chip, line, err)
	}
	return reading{set}, nil
}

// writing is an output: the file of a line request.
type writing struct{ *os.File }

// Write sets the line's level.
func (w writing) Write(high bool) error {
	v := unix.GPIOV2LineValues{Mask: 1}
	if high {
		v.Bits = 1
	}
	return ioctl(w.File, unix.GPIO_V2_LINE_SET_VALUES_IOCTL, &v)
}

func (m machine) output(name string, high bool) (output, error) {
	chip, line := m.find(name)
	if line == nil {
		return nil, errUnknown
	}
	f, err := requestOutput(chip.Path(), uint32(line.Number()), high)
	if err != nil {
		return nil, refused(name, chip, line, err)
	}
	return writing{f}, nil
}

// requestOutput takes a line that has its level before it becomes an output.
func requestOutput(chip string, offset uint32, high bool) (*os.File, error) {
	f, err := os.Open(chip)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := unix.GPIOV2LineRequest{Num_lines: 1}
	r.Offsets[0] = offset
	r.Config.Flags = flagOutput
	if high {
		r.Config.Num_attrs = 1
		r.Config.Attrs[0] = unix.GPIOV2LineConfigAttribute{Attr: unix.GPIOV2LineAttribute{Id: unix.GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, Flags: 1}, Mask: 1}
	}
	copy(r.Consumer[:len(r.Consumer)-1], fmt.Sprintf("%s@%d", filepath.Base(os.Args[0]), os.Getpid()))
	if err := ioctl(f, unix.GPIO_V2_GET_LINE_IOCTL, &r); err != nil {
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
