package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// machinePort is a serial port of this machine. Adapters on USB are numbered as they are plugged in, so a port is called by what the adapter says of itself
// (/dev/serial/by-id), and where two say the same, by the socket it is plugged into (/dev/serial/by-path): the one name that both claim goes to either.
type machinePort struct {
	name  string   // the one to write into a configuration
	real  string   // the kernel's, such as /dev/ttyUSB0
	about string   // maker and product, as far as USB says anything
	twins []string // the kernel's names of ports whose adapters say the same of themselves
}

// machinePorts are this machine's.
func machinePorts() []machinePort { return portsIn("/dev", "/sys") }

func portsIn(dev, sys string) []machinePort {
	var ports []machinePort
	says, alike := map[string]string{}, map[string][]string{}
	for _, pattern := range []string{"ttyUSB*", "ttyACM*", "ttyAMA*"} {
		found, _ := filepath.Glob(filepath.Join(dev, pattern))
		for _, real := range found {
			p := machinePort{real: real}
			if p.about, says[real] = usbOf(sys, real); says[real] != "" {
				alike[says[real]] = append(alike[says[real]], real)
			}
			ports = append(ports, p)
		}
	}
	ids, paths := linksIn(filepath.Join(dev, "serial/by-id")), linksIn(filepath.Join(dev, "serial/by-path"))
	for i := range ports {
		p := &ports[i]
		p.twins = slices.DeleteFunc(slices.Clone(alike[says[p.real]]), func(other string) bool { return other == p.real })
		p.name = cmp.Or(ids[p.real], paths[p.real], p.real)
		if len(p.twins) > 0 {
			p.name = cmp.Or(paths[p.real], p.name)
		}
	}
	slices.SortStableFunc(ports, func(a, b machinePort) int { return strings.Compare(a.name, b.name) })
	return ports
}

// linksIn are the links in a folder by what they lead to.
func linksIn(dir string) map[string]string {
	to := map[string]string{}
	links, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, link := range links {
		if real, err := filepath.EvalSymlinks(link); err == nil && to[real] == "" {
			to[real] = link
		}
	}
	return to
}

// usbOf is what the adapter behind a port says of itself on USB: for people, and all that udev makes its name under /dev/serial/by-id of. A port that is not on USB says nothing.
func usbOf(sys, real string) (about, says string) {
	dir, err := filepath.EvalSymlinks(filepath.Join(sys, "class/tty", filepath.Base(real), "device"))
	if err != nil {
		return "", ""
	}
	var part []string
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(dir, name))
		return strings.TrimSpace(string(text))
	}
	for ; len(dir) > len(sys); dir = filepath.Dir(dir) {
		part = append(part, read("port_number"), read("bInterfaceNumber"))
		if read("idVendor") == "" {
			continue
		}
		maker, product := read("manufacturer"), read("product")
		part = append(part, cmp.Or(maker, read("idVendor")), cmp.Or(product, read("idProduct")), read("serial"))
		return fmt.Sprintf(" (%s)", strings.Trim(maker+", "+product, ", ")), strings.Join(part, "\x00")
	}
	return "", ""
}

// examineName looks whether the name by which a configuration has a port means the same device after the next start.
func examineName(d *DeviceConfig, ports []machinePort) []finding {
	real, err := filepath.EvalSymlinks(d.Port)
	i := slices.IndexFunc(ports, func(p machinePort) bool { return p.real == real })
	if err != nil || i < 0 || strings.Contains(d.Port, "/by-path/") {
		return nil
	}
	p := ports[i]
	twins := strings.Join(p.twins, ", ")
	switch {
	case twins != "" && p.name == d.Port:
		return []finding{ill(d.Name, "give one of them a serial number of its own, or use one of another make", "%s is %s now, and the adapter on %s says the same of itself: this name goes to either", d.Port, p.real, twins)}
	case twins != "":
		return []finding{ill(d.Name, "write "+p.name+", the socket this one is plugged into", "%s is %s now, and the adapter on %s says the same of itself: this name goes to either", d.Port, p.real, twins)}
	case d.Port == p.real && p.name != p.real:
		return []finding{warn(d.Name, "write "+p.name, "%s%s may be another device after the next start", d.Port, p.about)}
	}
	return nil
}

// examinePorts lists the serial ports of this machine by the names to write, with what is attached.
func examinePorts(context.Context) []finding {
	ports := machinePorts()
	if len(ports) == 0 {
		return []finding{warn("ports", "plug the shoe in; `dmesg | tail` says what the kernel makes of it", "there is no serial port on this machine")}
	}
	var list []finding
	for _, p := range ports {
		list = append(list, fine("ports", "%s%s", p.name, p.about))
	}
	return list
}
