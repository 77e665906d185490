//go:build real

package mqtt

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sabot/mqtt/mqtttest"
)

// startMosquitto runs a Mosquitto that keeps nothing, and kills it without warning.
func startMosquitto(t *testing.T, addr string) (kill func()) {
	t.Helper()
	return startMosquittoWith(t, addr, "")
}

// startMosquittoWith is startMosquitto with more in its configuration.
func startMosquittoWith(t *testing.T, addr, more string) (kill func()) {
	t.Helper()
	_, port, _ := net.SplitHostPort(addr)
	file := filepath.Join(t.TempDir(), "mosquitto.conf")
	conf := fmt.Sprintf("listener %s 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type error\nlog_type warning\nmax_queued_messages 0\nmax_queued_bytes 0\nset_tcp_nodelay true\n%s", port, more)
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("mosquitto", "-c", file)
	if err := cmd.Start(); err != nil {
		t.Fatalf("mosquitto is needed (package mosquitto): %v", err)
	}
	kill = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	t.Cleanup(kill)
	eventually(t, "mosquitto's port", func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return kill
}

func TestMosquittoOutagesLoseAndReorderNothing(t *testing.T) {
	addr := mqtttest.FreeAddr(t)
	testOutages(t, func() (string, func()) { return addr, startMosquitto(t, addr) })
}

// The table keeps its status right on a broker that knows nothing of it: kept, lost, offline.
func TestMosquittoStatus(t *testing.T) {
	addr := mqtttest.FreeAddr(t)
	startMosquitto(t, addr)
	testStatus(t, addr)
}

func TestMosquittoAnotherInstance(t *testing.T) {
	addr := mqtttest.FreeAddr(t)
	startMosquitto(t, addr)
	testAnotherInstance(t, addr)
}

func TestMosquittoStolenName(t *testing.T) {
	addr := mqtttest.FreeAddr(t)
	startMosquitto(t, addr)
	testStolenName(t, addr)
}

func TestMosquittoFlood(t *testing.T) {
	addr := mqtttest.FreeAddr(t)
	startMosquitto(t, addr)
	testFlood(t, addr)
}

func TestMosquittoLayoutAhead(t *testing.T) {
	addr := mqtttest.FreeAddr(t)
	startMosquitto(t, addr)
	testLayoutAhead(t, addr)
}
