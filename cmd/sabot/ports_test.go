package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sabot/drivers/gpio"
	"sabot/shoe/line"
)

// usbPort makes a port of an adapter as Linux and udev show it, at a socket of its own. What it says is maker, product and serial number.
func usbPort(t *testing.T, root, tty, socket string, says ...string) {
	t.Helper()
	interfaced := filepath.Join(root, "sys/devices/usb1", socket, socket+":1.0")
	for _, dir := range []string{filepath.Join(interfaced, tty), filepath.Join(root, "sys/class/tty", tty), filepath.Join(root, "dev/serial/by-id"), filepath.Join(root, "dev/serial/by-path")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{filepath.Join(interfaced, "bInterfaceNumber"): "00", filepath.Join(interfaced, tty, "port_number"): "0", filepath.Join(root, "dev", tty): ""}
	for i, name := range []string{"manufacturer", "product", "serial"} {
		if i < len(says) {
			files[filepath.Join(filepath.Dir(interfaced), name)] = says[i]
		}
	}
	files[filepath.Join(filepath.Dir(interfaced), "idVendor")], files[filepath.Join(filepath.Dir(interfaced), "idProduct")] = "0403", "6001"
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	byID := filepath.Join(root, "dev/serial/by-id", "usb-"+strings.ReplaceAll(strings.Join(says, "_"), " ", "_")+"-if00-port0")
	os.Remove(byID) // the one that was plugged in last has it
	for link, to := range map[string]string{
		byID: "../../" + tty, filepath.Join(root, "dev/serial/by-path/pci-0-usb-"+socket): "../../" + tty, filepath.Join(root, "sys/class/tty", tty, "device"): filepath.Join(interfaced, tty),
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAPortsNameIsOneDevices: adapters are called by what they say of themselves, and where two say the same by their sockets.
func TestAPortsNameIsOneDevices(t *testing.T) {
	root := t.TempDir()
	dev := filepath.Join(root, "dev")
	usbPort(t, root, "ttyUSB0", "1-1", "FTDI", "FT232R", "A1")
	usbPort(t, root, "ttyUSB1", "1-2", "1a86", "USB Serial")
	usbPort(t, root, "ttyUSB2", "1-3", "1a86", "USB Serial")
	usbPort(t, root, "ttyUSB3", "1-4", "FTDI", "FT232R", "A2")
	if err := os.WriteFile(filepath.Join(dev, "ttyAMA0"), nil, 0o600); err != nil { // a board's own, of which nobody says anything
		t.Fatal(err)
	}
	ports := portsIn(dev, filepath.Join(root, "sys"))
	names := map[string]string{}
	for _, p := range ports {
		names[filepath.Base(p.real)] = strings.TrimPrefix(p.name, dev+"/") + p.about
	}
	for real, want := range map[string]string{
		"ttyUSB0": "serial/by-id/usb-FTDI_FT232R_A1-if00-port0 (FTDI, FT232R)", "ttyUSB1": "serial/by-path/pci-0-usb-1-2 (1a86, USB Serial)", "ttyUSB2": "serial/by-path/pci-0-usb-1-3 (1a86, USB Serial)",
		"ttyUSB3": "serial/by-id/usb-FTDI_FT232R_A2-if00-port0 (FTDI, FT232R)", "ttyAMA0": "ttyAMA0",
	} {
		if names[real] != want {
			t.Errorf("%s is called %q, want %q", real, names[real], want)
		}
	}
	for _, x := range []struct {
		port  string
		state health
		mend  string
	}{
		{"serial/by-id/usb-FTDI_FT232R_A1-if00-port0", "", ""},
		{"ttyUSB0", isOdd, "write " + dev + "/serial/by-id/usb-FTDI_FT232R_A1-if00-port0"},
		{"serial/by-id/usb-1a86_USB_Serial-if00-port0", isBad, "write " + dev + "/serial/by-path/pci-0-usb-1-3, "},
		{"ttyUSB1", isBad, "write " + dev + "/serial/by-path/pci-0-usb-1-2, "},
		{"serial/by-path/pci-0-usb-1-2", "", ""},
		{"ttyAMA0", "", ""},
		{"nowhere", "", ""},
	} {
		var said finding
		for _, f := range examineName(&DeviceConfig{Name: "shoe", Port: filepath.Join(dev, x.port)}, ports) {
			said = f
		}
		if said.State != x.state || !strings.HasPrefix(said.Mend, x.mend) || (x.mend == "") != (said.Mend == "") {
			t.Errorf("of %s it says %+v", x.port, said)
		}
	}
}

// TestDoctorTellsTablesApart: a port or a line that another process of ours has is this table's only where that is the table.
func TestDoctorTellsTablesApart(t *testing.T) {
	dir := t.TempDir()
	vs, err := plugShoe(t.Context(), filepath.Join(dir, "shoe"), line.NewDevice("virtual", "test", 1))
	if err != nil {
		t.Fatal(err)
	}
	port, err := os.OpenFile(vs.at(), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	ours := filepath.Join(dir, program)
	if err := os.Symlink("/bin/sleep", ours); err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(dir, "record")
	if err := os.Mkdir(record, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Create(filepath.Join(record, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	run := func(files ...*os.File) int {
		c := exec.Command(ours, "60")
		c.ExtraFiles = files
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Process.Kill(); c.Wait() })
		return c.Process.Pid
	}
	d := &DeviceConfig{Name: "shoe", Port: vs.at()}
	says := func(what string, pid int, want health) {
		t.Helper()
		box := &BoxConfig{GPIO: gpio.Config{Lamps: []gpio.Lamp{{Name: "red", Line: "GPIO22"}}}}
		lines := examineLines(box, record, []gpio.LineInfo{{Name: "GPIO22", Used: true, Consumer: program + "@" + strconv.Itoa(pid)}}, nil)
		if f := examineHolder(d, record); f.State != want || lines[0].State != want {
			t.Errorf("%s: %+v %+v", what, f, lines)
		}
	}
	other := run(port)
	says("this table does not run", other, isBad)
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	run(lock)
	says("this table runs, and has another one", other, isBad)
	says("this table runs, and has it", run(lock, port), isGood)
}
