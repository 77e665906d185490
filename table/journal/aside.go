package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// aside begins the names of the folders that keep records which cannot be continued; begun ends one while files are still on their way.
const (
	aside = "aside-"
	begun = ".begun"
)

// stays are the files of a folder that belong to no record.
var stays = []string{lockName, reserveName}

// Renew sets a record's files aside, untouched, in a folder beside it, and begins another record in their place. The header of
// that is made by child, which finds the old files in the folder it is given; Renew names the folder in its Parent, which must be set.
// Whenever it is cut short Open refuses the folder and Renew goes on where it was, so that no record is ever begun without its parent or a part of the old
// one taken for the whole.
func (d Disk) Renew(dir string, child func(old string) (Header, error)) (Header, error) {
	lock, err := lockDir(dir)
	if err != nil {
		return Header{}, err
	}
	defer lock.Close()
	h, err := renew(dir, child, d)
	if err != nil {
		return Header{}, fmt.Errorf("journal: set %s aside: %w", dir, err)
	}
	return h, nil
}

func renew(dir string, child func(string) (Header, error), d Disk) (Header, error) {
	folder, err := asideFolder(dir, d)
	if err != nil {
		return Header{}, err
	}
	name := filepath.Base(folder)
	h, err := bornOf(dir, name)
	if err != nil { // not yet there
		if err := moveAll(dir, folder+begun, d); err != nil {
			return Header{}, err
		}
		if h, err = child(folder + begun); err != nil {
			return Header{}, err
		}
		h.Parent.Aside = name
		j := &Journal{dir: dir, disk: d}
		if err := j.start(h); err != nil {
			return Header{}, err
		}
		j.file.Close()
		h = j.header
	}
	if err := d.Rename(folder+begun, folder); err != nil {
		return Header{}, err
	}
	return h, d.syncDir(dir)
}

// asideFolder is the folder that was begun, or makes the first that is free. Its name is without begun.
func asideFolder(dir string, d Disk) (string, error) {
	if folder := halfway(dir); folder != "" {
		return folder[:len(folder)-len(begun)], nil
	}
	for i := 1; ; i++ {
		folder := filepath.Join(dir, fmt.Sprint(aside, i))
		if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return "", err
			}
			continue
		}
		if err := os.Mkdir(folder+begun, 0o700); err != nil {
			return "", err
		}
		return folder, d.syncDir(dir)
	}
}

// halfway is the folder in which setting a record aside was not finished, "" for none.
func halfway(dir string) string {
	folders, _ := filepath.Glob(filepath.Join(dir, aside+"*"+begun)) // the pattern is well formed
	if len(folders) == 0 {
		return ""
	}
	return folders[0]
}

// Unfinished says that a record in the folder is being set aside, and that this was cut short; nil when it was not.
func Unfinished(dir string) error {
	if folder := halfway(dir); folder != "" {
		return &CorruptError{File: folder, Why: "a record is being set aside there, and that was not finished"}
	}
	return nil
}

// bornOf is the header of the record that was begun in place of the one in a folder.
func bornOf(dir, folder string) (Header, error) {
	f, err := OpenFile(filepath.Join(dir, segmentName(1)))
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	if p := f.Header().Parent; p == nil || p.Aside != folder {
		return Header{}, errors.New("it is another record")
	}
	return f.Header(), nil
}

// moveAll moves a record's files, and makes that durable.
func moveAll(dir, to string, d Disk) error {
	if err := d.removeUnfinished(dir); err != nil { // as Open would; it may be a child's that was not born
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.IsDir() || slices.Contains(stays, f.Name()) {
			continue
		}
		target := filepath.Join(to, f.Name())
		if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already", target)
		}
		if err := d.Rename(filepath.Join(dir, f.Name()), target); err != nil {
			return err
		}
	}
	if err := d.syncDir(to); err != nil {
		return err
	}
	return d.syncDir(dir)
}
