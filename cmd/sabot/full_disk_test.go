//go:build real

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"sabot/table"
)

// TestFullDisk fills a small file system under a table's record, twice in the middle of a round. The daemon ends at the append that finds no room; the next one has the reserve.
// On it the round is played to its end, and the other one voided and the day closed; no round is begun, and whoever asks is told why. When there is room again the table goes on.
func TestFullDisk(t *testing.T) {
	r := newRig(t, 1)
	mount(t, filepath.Join(r.dir, "journal"), "6m")
	r.people.mistakes = 0
	daemon := r.daemon()
	r.until("a decision", func(l table.Layout) bool { return l.Due != nil && l.Due.Kind == "decision" })
	round := r.people.now().Round
	ballast := r.fill()
	daemon = r.starved(daemon)
	r.until("the round's end", func(l table.Layout) bool { return l.Round == round && l.Ended != "" })
	r.order("game", "DISK_FULL", map[string]any{"do": "open", "round": round + 1})

	os.Remove(ballast)
	r.until("a decision of the next round", func(l table.Layout) bool { return l.Round > round && l.Due != nil && l.Due.Kind == "decision" })
	ballast = r.fill()
	daemon = r.starved(daemon)
	r.order("floor", "", map[string]any{"do": "void", "by": "S-1", "because": "the disk is full"})
	r.order("floor", "", map[string]any{"do": "table-close", "by": "S-1"})
	r.order("floor", "DISK_FULL", map[string]any{"do": "table-open", "by": "S-1"})

	os.Remove(ballast)
	r.until("another round's decision", func(l table.Layout) bool { return l.Round > round+1 && l.Due != nil && l.Due.Kind == "decision" })
	daemon.Process.Signal(syscall.SIGTERM)
	if err := daemon.Wait(); err != nil {
		t.Errorf("asked to stop, the daemon said %v\n%s", err, r.log())
	}
	if out, stderr, code := sabot("verify", filepath.Join(r.dir, "journal")); code != exitOK {
		t.Errorf("verify: exit %d: %s%s", code, out, stderr)
	}
	r.sameCards(1)
}

// mount makes a small file system at a folder.
func mount(t *testing.T, folder, size string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Fatalf("mount a tmpfs: %v; this test must be root and may need CAP_SYS_ADMIN in its container", err)
	}
	t.Cleanup(func() { syscall.Unmount(folder, syscall.MNT_DETACH) })
}

// fill leaves no room beside the record.
func (r *rig) fill() (ballast string) {
	r.t.Helper()
	ballast = filepath.Join(r.dir, "journal", "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.Copy(f, zeros{}); !errors.Is(err, syscall.ENOSPC) {
		r.t.Fatalf("the disk is not full: %v", err)
	}
	return ballast
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// starved writes notes into the record until its daemon ends, and starts the next one.
func (r *rig) starved(daemon *exec.Cmd) *exec.Cmd {
	r.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- daemon.Wait() }()
	for n := 0; ; n++ {
		note := fmt.Sprintf(`{"v":1,"id":"n-%d-%d","do":"dealer","name":"D-7","by":"S-1"}`, daemon.Process.Pid, n)
		r.people.broker.Publish("sabot/"+demoTable+"/command/floor", 1, false, note)
		select {
		case err := <-ended:
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
				r.t.Fatalf("on a full disk the daemon ends with %v\n%s", err, r.log())
			}
			r.people.err(table.Restart)
			return r.daemon()
		case <-time.After(20 * time.Millisecond):
		}
		if n > 1000 {
			r.t.Fatalf("the disk is full, and the daemon goes on\n%s", r.log())
		}
	}
}

// until plays on until the felt is as wanted.
func (r *rig) until(what string, ok func(table.Layout) bool) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.ctx, 2*patience)
	defer cancel()
	if err := r.people.until(ctx, "a layout", func() bool { return r.people.layout.V == 1 && r.people.floor.V == 1 }); err != nil {
		r.t.Fatalf("%v\n%s", err, r.log())
	}
	for l := r.people.now(); !ok(l); l = r.people.now() {
		if err := r.people.turn(ctx, l); err != nil {
			r.t.Fatalf("waiting for %s: %v\n%+v %+v\n%s", what, err, l, l.Due, r.log())
		}
	}
}

// order asks for something, and wants it done, or refused by a code.
func (r *rig) order(who, refused string, fields map[string]any) {
	r.t.Helper()
	a, err := r.people.command(r.ctx, who, fields)
	if err != nil || a.OK != (refused == "") || a.Code != refused {
		r.t.Fatalf("%v was answered %+v, %v; want %q\n%s", fields, a, err, refused, r.log())
	}
}
