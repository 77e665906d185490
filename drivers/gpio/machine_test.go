package gpio

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestNoChips(t *testing.T) {
	_, err := linesIn(t.TempDir(), chipLines)
	if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "take buttons and lamps out of the configuration") {
		t.Error(err)
	}
}

func TestWhatIsNoChip(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gpiochip0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := linesIn(dir, chipLines)
	if len(all) != 0 || err == nil || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "gpiochip0 is no GPIO chip") {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := request(filepath.Join(dir, "gpiochip0"), 0, unix.GPIOV2LineRequest{}); !errors.Is(err, unix.ENOTTY) {
		t.Error(err)
	}
}

// TestChipOfTwoNames: a Raspberry Pi 5 has its chip as gpiochip0 and as gpiochip4; each line is there once. A chip may have no lines.
func TestChipOfTwoNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"gpiochip0", "gpiochip1", "gpiochip2", "gpiochip4"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := linesIn(dir, func(path string) ([]LineInfo, error) {
		switch filepath.Base(path) {
		case "gpiochip1":
			return nil, nil
		case "gpiochip2":
			return []LineInfo{{Chip: "gpiochip2"}}, nil
		}
		return []LineInfo{{Chip: "gpiochip0"}, {Chip: "gpiochip0", Offset: 1}}, nil
	})
	if want := []LineInfo{{Chip: "gpiochip0"}, {Chip: "gpiochip0", Offset: 1}, {Chip: "gpiochip2"}}; !slices.Equal(all, want) || err != nil {
		t.Errorf("%v, %v; want %v", all, err, want)
	}
}

func TestLineInfo(t *testing.T) {
	chip, line := unix.GPIOChipInfo{Lines: 54}, unix.GPIOV2LineInfo{Offset: 17, Flags: flagUsed | flagOutput}
	copy(chip.Name[:], "gpiochip0")
	copy(chip.Label[:], "pinctrl-rp1")
	copy(line.Name[:], "GPIO17")
	copy(line.Consumer[:], strings.Repeat("x", 32))
	want := LineInfo{Chip: "gpiochip0", Label: "pinctrl-rp1", Offset: 17, Name: "GPIO17", Used: true, Consumer: strings.Repeat("x", 32), Output: true}
	if got := lineInfo(&chip, &line); got != want {
		t.Errorf("%+v", got)
	}
}

// The size of its argument is part of a request's number: bits 16 to 29.
func TestRequestsFitTheirArguments(t *testing.T) {
	for request, size := range map[uint32]uintptr{
		unix.GPIO_GET_CHIPINFO_IOCTL:       unsafe.Sizeof(unix.GPIOChipInfo{}),
		unix.GPIO_V2_GET_LINEINFO_IOCTL:    unsafe.Sizeof(unix.GPIOV2LineInfo{}),
		unix.GPIO_V2_GET_LINE_IOCTL:        unsafe.Sizeof(unix.GPIOV2LineRequest{}),
		unix.GPIO_V2_LINE_SET_VALUES_IOCTL: unsafe.Sizeof(unix.GPIOV2LineValues{}),
	} {
		if uintptr(request>>16&0x3fff) != size {
			t.Errorf("request %#x has an argument of %d bytes", request, size)
		}
	}
	var e unix.GPIOV2LineEvent
	if unsafe.Sizeof(e) != eventSize || unsafe.Offsetof(e.Id) != 8 {
		t.Errorf("an event has %d bytes", unsafe.Sizeof(e))
	}
}

func TestAClosedOutput(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := (writing{f}).Write(true); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// Where a Raspberry Pi shows us only its small chips, periph would panic.
func TestBoardChip(t *testing.T) {
	chip := func(name, label string, n int) (all []LineInfo) {
		for i := range n {
			all = append(all, LineInfo{Chip: name, Label: label, Offset: i})
		}
		return all
	}
	pi5, pc := []string{"raspberrypi,5-model-b", "brcm,bcm2712"}, []string(nil)
	expander, own := chip("gpiochip0", "brcmvirt-gpio", 8), chip("gpiochip1", "pinctrl-rp1", 54)
	tests := []struct {
		all        []LineInfo
		compatible []string
		fine       bool
	}{
		{append(expander, own...), pi5, true},
		{expander, pi5, false},
		{expander, pc, true},
		{append(chip("gpiochip2", "pinctrl-a", 4), own...), pi5, false},
	}
	for i, test := range tests {
		if err := boardChip(test.all, test.compatible); (err == nil) != test.fine {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// Plain machines that run these tests have no GPIO; where there is one, a line of this name is still missing.
func TestOpenSaysWhatIsMissing(t *testing.T) {
	_, err := Open(Config{Buttons: []Button{{Name: "hit", Line: "no line has this name"}}}, slog.New(slog.DiscardHandler))
	if err == nil || !strings.HasPrefix(err.Error(), "gpio: ") {
		t.Error(err)
	}
}
