package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sabot/drivers/gpio"
	"sabot/drivers/serial"
	"sabot/shoe"
	"sabot/table/journal"
)

// listenFor is how long the doctor waits for a device to say something.
const listenFor = 3 * time.Second

// heldByTable says that a port is the running table's, although it could be opened: a box that carries serial over TCP may know but one host, and drop it for the next. Other
// ports are locked.
func heldByTable(port, record string) bool {
	return strings.HasPrefix(port, "tcp://") && journal.Busy(record)
}

// examineDevice looks at the name and the port of the shoe or wheel of the table that has this record.
func examineDevice(ctx context.Context, d *DeviceConfig, record string) []finding {
	if heldByTable(d.Port, record) {
		return []finding{fine(d.Name, "%s is the running table's; floor/state says how it is", d.Port)}
	}
	return append(examineName(d, machinePorts()), examinePort(ctx, d, record)...)
}

// examinePort opens a port and listens. It sends nothing: what a shoe keeps for the table stays kept.
func examinePort(ctx context.Context, d *DeviceConfig, record string) []finding {
	port, err := serial.Open(ctx, d.Port, serial.Mode{Baud: d.Baud})
	switch {
	case errors.Is(err, serial.ErrBusy):
		return []finding{examineHolder(d, record)}
	case errors.Is(err, serial.ErrDenied):
		return []finding{ill(d.Name, "see the command at the end of the line", "%v", err)}
	case err != nil && len(examinePins(d, "/proc")) > 0:
		return append(examinePins(d, "/proc"), ill(d.Name, "", "%v", err))
	case err != nil:
		return append([]finding{ill(d.Name, "switch it on and plug it in; if it is, write one of the ports below into the configuration", "%v", err)}, examinePorts(ctx)...)
	}
	defer port.Close()
	if pid, name := holder(d.Port); pid > 0 && name != program {
		return []finding{ill(d.Name, "end it, or keep it from starting: each takes bytes from the other", "%s is open in %s too, process %d", d.Port, name, pid)}
	}
	dec, err := d.listener()
	if err != nil {
		return []finding{ill(d.Name, "", "%v", err)}
	}
	return append(examinePins(d, "/proc"), listenTo(d, port, dec))
}

// examinePins looks whether the serial pins of a Raspberry Pi are the shoe's alone: a new one has Bluetooth on the better of its serial ports, which programs then do
// not see, and a console on the other. It reads the kernel's command line and device tree below proc.
func examinePins(d *DeviceConfig, proc string) (list []finding) {
	port := filepath.Base(d.Port)
	if real, err := filepath.EvalSymlinks(d.Port); err == nil {
		port = filepath.Base(real)
	}
	if port != "ttyAMA0" && port != "ttyS0" && port != "serial0" {
		return nil
	}
	line, _ := os.ReadFile(filepath.Join(proc, "cmdline"))
	for _, word := range strings.Fields(string(line)) {
		if name, _, _ := strings.Cut(word, ","); name == "console="+port || name == "console=serial0" {
			list = append(list, ill(d.Name, "take "+word+" out of /boot/firmware/cmdline.txt and restart", "%s is the machine's console too: what that prints goes to the shoe", d.Port))
		}
	}
	const bluetooth = "device-tree/soc/serial@7e201000/bluetooth"
	status, err := os.ReadFile(filepath.Join(proc, bluetooth, "status"))
	if _, gone := os.Stat(filepath.Join(proc, bluetooth)); gone == nil && port != "ttyS0" && (err != nil || strings.HasPrefix(string(status), "ok")) {
		list = append(list, ill(d.Name, "write dtoverlay=disable-bt into /boot/firmware/config.txt and restart", "%s is Bluetooth's", d.Port))
	}
	return list
}

// listener is a decoder of the device's protocol; a box has no settings of its own.
func (d *DeviceConfig) listener() (shoe.Decoder, error) {
	said := d.dialect
	if said == nil {
		said = d.protocol().dialect()
	}
	return said.decoder(d.Name)
}

// program is the name of our own processes.
const program = "sabot"

// examineHolder says who has the port. When it is the table of this record that is as it should be.
func examineHolder(d *DeviceConfig, record string) finding {
	for pid := range openIn(d.Port) {
		if tableOf(record, pid) {
			return fine(d.Name, "%s is in use by sabot, process %d; floor/state says how it is", d.Port, pid)
		}
	}
	switch pid, name := holder(d.Port); {
	case name == program:
		return ill(d.Name, otherTable(pid), "%s is held by another sabot, process %d, which is not this table's", d.Port, pid)
	case pid > 0:
		return ill(d.Name, "end it, or keep it from starting", "%s is held by %s, process %d", d.Port, name, pid)
	}
	return ill(d.Name, "sudo fuser -v "+d.Port+" says which; only root may see it", "%s is held by another program", d.Port)
}

// otherTable is what to do about what another process of ours has.
func otherTable(pid int) string {
	return fmt.Sprintf("`ps -fp %d` says which: end it, or give each table its own in the configurations", pid)
}

// tableOf says that a process is the running table that has a record, as far as we may look.
func tableOf(record string, pid int) bool {
	if !journal.Busy(record) {
		return false
	}
	has := openIn(record)
	return len(has) == 0 || has[pid] != ""
}

// holder is a process that has a file open, rather one of another program than one of ours: what emulates a device has its port open, too.
func holder(path string) (pid int, name string) {
	for p, n := range openIn(path) {
		if pid == 0 || name == program {
			pid, name = p, n
		}
	}
	return pid, name
}

// openIn finds the processes that have a file open, or one in a folder, and their names, among those we may look at; we are none of them.
func openIn(path string) map[int]string {
	all := map[int]string{}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return all
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if to, err := os.Readlink(link); err != nil || to != real && filepath.Dir(to) != real {
			continue
		}
		var pid int
		fmt.Sscanf(link, "/proc/%d/", &pid)
		comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if pid != os.Getpid() {
			all[pid] = strings.TrimSpace(string(comm))
		}
	}
	return all
}

// fewBytes may be a bad contact's.
const fewBytes = 16

// listenTo judges what a device says by itself in a few seconds, by what its decoder makes of it. What it says is not shown: it may name a card.
func listenTo(d *DeviceConfig, port serial.Port, dec shoe.Decoder) finding {
	stop := time.AfterFunc(listenFor, func() { port.Close() })
	defer stop.Stop()
	heard, began := 0, time.Now()
	for buf := make([]byte, 4096); ; {
		n, err := port.Read(buf)
		heard += n
		if err != nil {
			break
		}
		dec.Feed(time.Since(began), buf[:n])
	}
	speaks := d.protocol().silence > 0
	switch {
	case heard == 0 && speaks:
		return ill(d.Name, "switch it on, look at the cable, and at protocol and baud in the configuration", "%s opens, but says nothing; this one speaks by itself", d.Port)
	case heard == 0:
		return fine(d.Name, "%s opens; it says nothing before a card is drawn", d.Port)
	case dec.Understood() == 0 && (speaks || heard >= fewBytes):
		return ill(d.Name, "the speed is wrong, or it is another device: look at baud and protocol", "%s says %d bytes, and nothing in them is of protocol %s", d.Port, heard, d.Protocol)
	}
	return fine(d.Name, "%s speaks: %d bytes in %v, %d messages", d.Port, heard, listenFor, dec.Understood())
}

// examineBox looks at the dealer's box: its port, or whether this machine has the lines and who has taken them.
func examineBox(ctx context.Context, b *BoxConfig, record string) []finding {
	var list []finding
	if b.Port != "" {
		list = examineDevice(ctx, &DeviceConfig{Name: "box", Protocol: "line", Port: b.Port, Baud: b.Baud}, record)
	}
	if !b.wired() {
		return list
	}
	lines, err := gpio.Lines()
	return append(list, examineLines(b, record, lines, err)...)
}

// examineLines looks for the box's lines among those of this machine.
func examineLines(b *BoxConfig, record string, lines []gpio.LineInfo, err error) (list []finding) {
	if err != nil {
		list = append(list, ill("box", "", "%v", err))
	}
	if len(lines) == 0 { // each of them would say it again
		return list
	}
	known := map[string]gpio.LineInfo{}
	for _, l := range lines {
		known[l.Name] = l
	}
	for _, part := range b.parts() {
		list = append(list, examineLine(part[0], part[1], record, known))
	}
	return list
}

// parts are the name and line of all that hangs on this machine's lines.
func (b *BoxConfig) parts() (list [][2]string) {
	for _, one := range b.GPIO.Buttons {
		list = append(list, [2]string{one.Name, one.Line})
	}
	for _, one := range b.GPIO.Lamps {
		list = append(list, [2]string{one.Name, one.Line})
	}
	return list
}

// examineLine says whether a line is there, and whose it is.
func examineLine(part, line, record string, known map[string]gpio.LineInfo) finding {
	l, ok := known[line]
	if !ok {
		l, ok = known[gpio.Place(line)]
	}
	var pid int
	_, notOurs := fmt.Sscanf(l.Consumer, program+"@%d", &pid)
	switch {
	case !ok:
		return ill("box", "`gpioinfo` lists the lines of this machine", "%s: there is no line %s", part, line)
	case l.Used && notOurs != nil:
		return ill("box", "end that program, or write another line", "%s: %s is taken by %s", part, line, l.Consumer)
	case l.Used && !tableOf(record, pid):
		return ill("box", otherTable(pid), "%s: %s is taken by another sabot, process %d, which is not this table's", part, line, pid)
	}
	return fine("box", "%s on %s (%s %d)", part, line, l.Chip, l.Offset)
}
