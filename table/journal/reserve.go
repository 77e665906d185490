package journal

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// reserveLen is how much of the disk is held back, in bytes: some 3000 entries, far more than what a round under way, its void and the
// table's close can take.
const reserveLen = 1 << 20

// reserveName is the file that holds it.
const reserveName = "reserve"

// free is how many bytes a folder's disk has left for us.
func free(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

// Room says that the disk has room for a round to come. When it has not, nothing should be begun that could not be recorded to its end. Once the reserve
// was freed there is none until it could be made again. Only the goroutine that appends may ask.
func (j *Journal) Room() bool {
	left, err := j.disk.Free(j.dir)
	if err != nil {
		return true // we know nothing; an append will tell
	}
	if !j.reserved {
		return left >= 2*reserveLen && j.hold() == nil
	}
	return left >= reserveLen
}

// hold keeps the reserve, unless that is the last room there is. It makes it anew if it is not there.
func (j *Journal) hold() error {
	path := filepath.Join(j.dir, reserveName)
	if info, err := os.Stat(path); err == nil && info.Size() == reserveLen {
		j.reserved = true
		return nil
	}
	if left, err := j.disk.Free(j.dir); err == nil && left < 2*reserveLen {
		return syscall.ENOSPC
	}
	content := make([]byte, reserveLen)
	rand.Read(content) // never fails; no file system makes it smaller
	if err := j.disk.fill(path, content); err != nil {
		j.disk.Remove(path)
		return err
	}
	j.reserved = true
	return nil
}

// fill makes a file of this content.
func (d Disk) fill(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = d.Write(f, content)
	if err == nil {
		err = d.Sync(f)
	}
	return errors.Join(err, f.Close())
}

// release frees the reserve if an error says that the disk is full. What failed is not tried again on that file; the next start has the room.
func (j *Journal) release(err error) {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		j.disk.Remove(filepath.Join(j.dir, reserveName)) // without one there is nothing to free
	}
}
