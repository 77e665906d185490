//go:build real

package main

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"sabot/mqtt/display"
)

// The auditor's pages in a real Chromium, with a record that was kept: mqtt/display/browser/audit.mjs says what must be true.
func TestAuditInABrowser(t *testing.T) {
	t.Parallel()
	h, err := display.Audit(keptRecord, recordedGame)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go display.Serve(t.Context(), l, h)
	shots := os.Getenv("SABOT_SHOTS")
	if shots == "" {
		shots = t.TempDir()
	}
	cmd := exec.Command("node", "audit.mjs", "http://"+l.Addr().String(), shots)
	cmd.Dir = "../../mqtt/display/browser"
	out, err := cmd.CombinedOutput()
	t.Log(strings.TrimSpace(string(out)))
	if err != nil {
		t.Errorf("node and chromium are needed, and `make parts`: %v", err)
	}
}
