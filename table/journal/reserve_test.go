package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// small is a disk of a given size, of which a record's folder takes what its files hold.
func small(dir string, size *int64) Disk {
	d := RealDisk
	used := func() (n int64) {
		filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
			if info, err := e.Info(); err == nil && !e.IsDir() {
				n += info.Size()
			}
			return err
		})
		return n
	}
	d.Free = func(string) (int64, error) { return *size - used(), nil }
	d.Write = func(f *os.File, p []byte) (int, error) {
		left := max(*size-used(), 0)
		if left >= int64(len(p)) {
			return f.Write(p)
		}
		n, _ := f.Write(p[:left])
		return n, syscall.ENOSPC
	}
	return d
}

// A full disk: the append that finds no room frees the reserve and is the last one. The next start records with that room what ends the day, and says that there
// is none for more; when somebody made room, the reserve is held again.
func TestAFullDiskLeavesRoomForTheDaysEnd(t *testing.T) {
	dir := t.TempDir()
	size := int64(3*reserveLen + 1000)
	d := small(dir, &size)
	j, _, err := d.Open(dir, want, Mark{})
	if err != nil || !j.Room() {
		t.Fatalf("room %v, %v", j.Room(), err)
	}
	info, err := os.Stat(filepath.Join(dir, reserveName))
	if err != nil || info.Size() != reserveLen || info.Mode().Perm() != 0o600 {
		t.Fatalf("the reserve: %v, %v", info, err)
	}
	for left, room := range map[int64]bool{reserveLen: true, reserveLen - 1: false, 2000: false} {
		if size = info.Size() + j.size + left; j.Room() != room {
			t.Errorf("%d bytes are left, and room for a round is %t", left, !room)
		}
	}
	size = info.Size() + j.size + 2000
	seq := int64(1)
	for ; err == nil; seq++ {
		err = j.Append(varied(t, seq))
	}
	if !errors.Is(err, syscall.ENOSPC) || j.Append(varied(t, j.Durable()+1)) == nil {
		t.Fatalf("at entry %d: %v", seq, err)
	}
	durable := j.Durable()
	j.Close()
	if _, err := os.Stat(filepath.Join(dir, reserveName)); err == nil {
		t.Fatal("the reserve was not freed")
	}
	if j, _, err = d.Open(dir, want, Mark{}); err != nil || j.Durable() != durable || j.Room() {
		t.Fatalf("opened again with %v; room %v", err, j.Room())
	}
	for seq := durable + 1; seq <= durable+100; seq++ {
		if err := j.Append(varied(t, seq)); err != nil {
			t.Fatalf("on the reserve: %v", err)
		}
	}
	if j.Room() {
		t.Error("room was said to be on the reserve")
	}
	size += 3 * reserveLen
	if !j.Room() {
		t.Error("there is room again, and it is not said")
	}
	if info, err := os.Stat(filepath.Join(dir, reserveName)); err != nil || info.Size() != reserveLen {
		t.Errorf("the reserve was not made anew: %v", err)
	}
	j.Close()
}

// A start that finds the disk full may need room to set a torn line aside.
func TestATornTailOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 3)
	if err := appendTo(filepath.Join(dir, segmentName(1)), `{"seq":4,"t":`); err != nil {
		t.Fatal(err)
	}
	d := RealDisk
	d.Sync = func(*os.File) error { return syscall.ENOSPC }
	if _, _, err := d.Open(dir, want, Mark{}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, reserveName)); err == nil {
		t.Error("the reserve was kept")
	}
}
