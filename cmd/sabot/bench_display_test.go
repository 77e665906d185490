package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/broker"
)

// overlays is how many pages are open in BenchmarkOverlays.
const overlays = 200

// BenchmarkOverlays has a display in a process of its own serve two hundred overlays of a full table. Each operation is an entry, a call and a layout, that all of them hear. It says how
// much processor time an entry takes in that process and how much memory it holds. For the figures in README: -benchtime 1000x.
func BenchmarkOverlays(b *testing.B) {
	br, err := broker.Start(broker.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer br.Close()
	binary := filepath.Join(b.TempDir(), "sabot")
	if out, err := exec.Command("go", "build", "-o", binary, "sabot/cmd/sabot").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	said := make(lines, 16)
	pages := exec.Command(binary, "display", "--broker", "tcp://"+br.Addr(), "--listen", "127.0.0.1:0")
	pages.Stdout = said
	if err := pages.Start(); err != nil {
		b.Fatal(err)
	}
	defer pages.Process.Kill()
	address := strings.TrimSpace(strings.TrimPrefix(<-said, "pages: ")) + "events/" + demoTable
	table := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + br.Addr()))
	if t := table.Connect(); t.Wait() && t.Error() != nil {
		b.Fatal(t.Error())
	}
	defer table.Disconnect(10)
	seq := 0
	say := func() {
		seq++
		head := fmt.Sprintf(`{"v":1,"record":"3ffbf0a1786e7cd63580c4e1da599516","seq":%d,"at":"2026-11-30T21:00:00.000Z","round":37`, seq)
		table.Publish("sabot/"+demoTable+"/call", 1, false, head+`,"calls":[{"call":"card","hand":"3a","card":"2h","why":"hit","total":13,"soft":false}]}`)
		table.Publish("sabot/"+demoTable+"/layout", 1, true, head+fullFelt)
	}
	say()
	heard := sync.WaitGroup{}
	heard.Add(overlays) // the first layout, which their streams begin with
	for range overlays {
		go watchPage(b, address, heard.Done)
	}
	heard.Wait()
	before := processorTime(b, pages.Process.Pid)
	var took []time.Duration
	for b.Loop() {
		heard.Add(overlays)
		start := time.Now()
		say()
		heard.Wait()
		took = append(took, time.Since(start))
	}
	b.ReportMetric(float64((processorTime(b, pages.Process.Pid)-before).Microseconds())/float64(b.N), "cpu-µs/entry")
	b.ReportMetric(residentMiB(b, pages.Process.Pid), "MiB-resident")
	reportTimes(took, "all", b)
}

// watchPage reads a stream until it ends, and says for each layout that it came.
func watchPage(b *testing.B, address string, came func()) {
	answer, err := http.Get(address)
	if err != nil {
		b.Error(err)
		return
	}
	defer answer.Body.Close()
	buffer, rest := make([]byte, 16<<10), []byte{}
	for {
		n, err := answer.Body.Read(buffer)
		if err != nil {
			return
		}
		rest = append(rest, buffer[:n]...)
		for {
			_, after, found := bytes.Cut(rest, []byte("event: layout\n"))
			if !found {
				break
			}
			rest = after
			came()
		}
		rest = rest[max(len(rest)-16, 0):]
	}
}

// processorTime is what a process has used of the processors, in steps of 10 ms.
func processorTime(b *testing.B, pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	var user, system int64
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if _, err := fmt.Sscan(fields[11], &user); err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Sscan(fields[12], &system); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// fullFelt is the rest of a layout with seven seats.
var fullFelt = func() string {
	seat := `{"seat":%[1]d,"hands":[{"hand":"%[1]da","cards":["9s","2d","5c"],"total":16,"soft":false,"state":"playing"}],"pair":"none"}`
	var seats []string
	for n := 1; n <= 7; n++ {
		seats = append(seats, fmt.Sprintf(seat, n))
	}
	return `,"table":"DEMO","game":"blackjack","rules":"deluxe","shoe":{"number":12,"dealt":83,"left":333,"last_round":false},"phase":"decisions","due":{"kind":"decision","hand":"3a","may":["hit","stand"],"left_ms":8200},"seats":[` +
		strings.Join(seats, ",") + `],"dealer":{"cards":["9c","back"],"total":9,"soft":false},"stopped":null,"last":null}`
}()
