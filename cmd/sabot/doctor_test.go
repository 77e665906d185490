package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sabot/drivers/gpio"
	"sabot/mqtt/broker"
	"sabot/shoe/line"
	"sabot/table"
)

// diagnose runs the doctor on a configuration.
func diagnose(t *testing.T, config string) (map[string]finding, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sabot.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	out, stderr, code := sabot("doctor", "--json", file)
	var list []finding
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%v: %s%s", err, out, stderr)
	}
	found := map[string]finding{}
	for _, f := range list {
		if old, ok := found[f.What]; !ok || old.State == isGood {
			found[f.What] = f
		}
	}
	return found, code
}

// TestDoctor looks at a table that is in order, and at the same one with each part broken: the doctor names that part, and no other.
func TestDoctor(t *testing.T) {
	dir := t.TempDir()
	b, err := broker.Start(broker.Config{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	vs, err := plugShoe(t.Context(), filepath.Join(dir, "shoe"), line.NewDevice("virtual", "test", 1))
	if err != nil {
		t.Fatal(err)
	}
	d := demoFlags{game: "blackjack", rules: "deluxe", journal: filepath.Join(dir, "journal")}
	config := d.config(b.Addr(), vs.at())
	if found, code := diagnose(t, config); code != exitOK {
		t.Errorf("all is in order, and the doctor says %+v", found)
	}
	damaged := filepath.Join(dir, "damaged")
	if err := os.MkdirAll(damaged, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(damaged, "00000001.journal"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, old, new string }{
		{"shoe", vs.at(), filepath.Join(dir, "nowhere")},
		{"shoe", "protocol: line", "protocol: angel"},
		{"broker", b.Addr(), "127.0.0.1:1"},
		{"configuration", "rules: deluxe", "rules: best"},
		{"record", d.journal, damaged},
	} {
		found, code := diagnose(t, strings.ReplaceAll(config, c.old, c.new))
		if code != exitFailed || found[c.what].State != isBad {
			t.Errorf("%s broken: exit %d, %+v", c.what, code, found)
		}
		for what, f := range found {
			if what != c.what && f.State == isBad {
				t.Errorf("%s broken, and the doctor says %+v", c.what, f)
			}
		}
	}
}

// TestDoctorFindsASecondReader: a program that had the port open before us keeps it, and takes every other byte.
func TestDoctorFindsASecondReader(t *testing.T) {
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
	second := exec.Command("sleep", "60")
	second.Stdin = port
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { second.Process.Kill(); second.Wait() }()
	d := demoFlags{game: "blackjack", rules: "deluxe", journal: filepath.Join(dir, "journal")}
	found, _ := diagnose(t, d.config("127.0.0.1:1", vs.at()))
	if shoe := found["shoe"]; shoe.State != isBad || !strings.Contains(shoe.Said, fmt.Sprintf("is open in sleep too, process %d", second.Process.Pid)) {
		t.Errorf("the doctor says %+v", shoe)
	}
}

// TestDoctorNamesACauseOnce: where there is no GPIO, no line is missing besides.
func TestDoctorNamesACauseOnce(t *testing.T) {
	box := &BoxConfig{GPIO: gpio.Config{Buttons: []gpio.Button{{Name: "next", Line: "GPIO5"}, {Name: "hit", Line: "GPIO6"}, {Name: "stand", Line: "P1_29"}, {Name: "double", Line: "P1_11"}}}}
	if list := examineLines(box, "", nil, gpio.ErrNone); len(list) != 1 || list[0].State != isBad {
		t.Errorf("%+v", list)
	}
	lines := []gpio.LineInfo{{Chip: "gpiochip0", Name: "GPIO5"}, {Chip: "gpiochip0", Name: "GPIO6", Used: true, Consumer: "spi0 CS0"}}
	if list := examineLines(box, "", lines, nil); len(list) != 4 || list[0].State != isGood || list[1].State != isBad || list[2].State != isGood || list[3].State != isBad {
		t.Errorf("%+v", list)
	}
}

// TestDoctorKnowsWhoHasAPisPins: a Raspberry Pi as it is delivered has Bluetooth and a console where the shoe is to be.
func TestDoctorKnowsWhoHasAPisPins(t *testing.T) {
	for name, c := range map[string]struct {
		port, line, status string // status of bluetooth: "-" without the node, "" without a status
		want               string
	}{
		"bluetooth":             {"/dev/ttyAMA0", "console=tty1", "", "dtoverlay=disable-bt"},
		"bluetooth, by status":  {"/dev/serial0", "", "okay\x00", "dtoverlay=disable-bt"},
		"bluetooth is off":      {"/dev/ttyAMA0", "", "disabled\x00", ""},
		"a console":             {"/dev/ttyAMA0", "console=ttyAMA0,115200 console=tty1", "-", "take console=ttyAMA0,115200 out"},
		"a console by its name": {"/dev/ttyS0", "console=serial0,115200", "", "take console=serial0,115200 out"},
		"another console":       {"/dev/ttyAMA0", "console=ttyS0", "-", ""},
		"another port":          {"/dev/ttyUSB0", "console=ttyAMA0", "", ""},
	} {
		proc := t.TempDir()
		os.WriteFile(filepath.Join(proc, "cmdline"), []byte(c.line+"\n"), 0o600)
		node := filepath.Join(proc, "device-tree/soc/serial@7e201000/bluetooth")
		if c.status != "-" {
			os.MkdirAll(node, 0o700)
		}
		if len(c.status) > 1 {
			os.WriteFile(filepath.Join(node, "status"), []byte(c.status), 0o600)
		}
		list := examinePins(&DeviceConfig{Name: "shoe", Port: c.port}, proc)
		if c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.Contains(list[0].Mend, c.want)) {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// TestARunningTablesShoeIsLeftAlone: a shoe behind TCP knows one host, and neither doctor, halt nor enrol is to be it while the table deals.
func TestARunningTablesShoeIsLeftAlone(t *testing.T) {
	b, err := broker.Start(broker.Config{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	v, err := plugIn(t.Context(), &tcpCable{address: "127.0.0.1:0"}, lineModel{line.NewDevice("shoe", "1", 1)}, faults{})
	if err != nil {
		t.Fatal(err)
	}
	d := demoFlags{game: "blackjack", rules: "deluxe", journal: filepath.Join(t.TempDir(), "journal")}
	text := d.config(b.Addr(), v.at())
	c, problems := parseConfig("test", text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	lost := false
	s, err := openStation(c, slog.New(slog.DiscardHandler), func(now table.Snapshot) { lost = lost || now.Floor.Devices["shoe"] == "lost" }, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	hosted := func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.heard > 0
	}
	for limit := time.Now().Add(patience); !hosted() && time.Now().Before(limit); {
		time.Sleep(10 * time.Millisecond)
	}
	found, _ := diagnose(t, text)
	refused := map[string]string{}
	for verb, protocol := range map[string]string{"halt": "line", "enrol": "uid\n  format: jsonl\n  cards: " + filepath.Join(t.TempDir(), "cards")} {
		file := filepath.Join(t.TempDir(), "sabot.yaml")
		if err := os.WriteFile(file, []byte(strings.Replace(text, "protocol: line", "protocol: "+protocol, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, refused[verb], _ = sabot(verb, file)
	}
	stop()
	<-ended
	if lost || found["shoe"].State != isGood {
		t.Errorf("lost %v, and the doctor says %+v", lost, found["shoe"])
	}
	for verb, want := range map[string]string{"halt": v.at() + " is the running table's", "enrol": "the table runs, and has " + v.at() + " too"} {
		if !strings.Contains(refused[verb], want) {
			t.Errorf("%s says %q, not %q", verb, refused[verb], want)
		}
	}
}
