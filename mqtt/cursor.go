package mqtt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sabot/table/journal"
)

// cursor is up to where the record is known to have been heard.
type cursor struct {
	Record string `json:"record"`
	Seq    int64  `json:"seq"`
	sparse        // up to there

	saved   int64 // the Seq the file holds
	savedAt time.Time
	failed  bool // it could not be written the last time
}

// CursorError says that the cursor does not fit the record. Publishing from it could skip calls or use a seq twice, so a person, or
// the program that knows more, must decide.
type CursorError struct {
	File    string
	Record  string // the cursor's
	Seq     int64  // the cursor's
	Durable int64  // the record's last entry
	Why     string
}

// Error says what does not fit and where.
func (e *CursorError) Error() string { return fmt.Sprintf("mqtt: %s: %s", e.File, e.Why) }

// Heard is how far the record in a folder is known to have been heard, by the cursor kept beside it; the zero Mark when there
// is none. The record must reach it, see journal.Open.
func Heard(dir string) (journal.Mark, error) {
	file := filepath.Join(dir, cursorFile)
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return journal.Mark{}, nil
	}
	if err != nil {
		return journal.Mark{}, fmt.Errorf("mqtt: %w", err)
	}
	var c cursor
	if json.Unmarshal(b, &c) != nil || c.Record == "" || c.Seq < 0 {
		return journal.Mark{}, &CursorError{File: file, Why: "it is no cursor"}
	}
	return journal.Mark{Record: c.Record, Seq: c.Seq}, nil
}

// cursorFile is the cursor's name in the record's folder.
const cursorFile = "cursor"

// loadCursor reads the cursor. A missing one is the start of what is kept of the record: everything is sent again, nothing is lost.
func loadCursor(dir string, j *journal.Journal) (cursor, error) {
	file := filepath.Join(dir, cursorFile)
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		first, err := j.First()
		return cursor{Record: j.Record(), Seq: first - 1}, err
	}
	if err != nil {
		return cursor{}, fmt.Errorf("mqtt: %w", err)
	}
	bad := &CursorError{File: file, Durable: j.Durable()}
	var c cursor
	if err := json.Unmarshal(b, &c); err != nil || c.Seq < 0 || min(c.Floor, c.Settlement) < 0 || max(c.Floor, c.Settlement) > c.Seq {
		bad.Why = "it is no cursor"
		return c, bad
	}
	bad.Record, bad.Seq = c.Record, c.Seq
	switch {
	case c.Record != j.Record():
		bad.Why = fmt.Sprintf("it is of the record %s, and this is %s", c.Record, j.Record())
		return c, bad
	case c.Seq > bad.Durable:
		bad.Why = fmt.Sprintf("it stands at %d, and the record ends at %d: messages were sent that it no longer holds", c.Seq, bad.Durable)
		return c, bad
	}
	c.saved = c.Seq
	return c, nil
}

// saveCursor keeps the cursor, if it moved: whole or not at all, and an old one after a power cut, which only means messages
// sent twice.
func (c *Client) saveCursor() error {
	if c.cursor.Seq == c.cursor.saved {
		return nil
	}
	file := filepath.Join(c.config.CursorDir, cursorFile)
	if err := writeFile(c.config.Disk, file+".tmp", encode(c.cursor)); err != nil {
		return fmt.Errorf("mqtt: keep the cursor: %w", err)
	}
	if err := c.config.Disk.Rename(file+".tmp", file); err != nil {
		return fmt.Errorf("mqtt: keep the cursor: %w", err)
	}
	c.cursor.saved = c.cursor.Seq
	return nil
}

// keepCursor writes the cursor now and then. A disk that fails is said once, at its first failure.
func (c *Client) keepCursor() {
	err := c.saveCursor()
	if err != nil && !c.cursor.failed {
		c.log.Warn("the cursor was not kept: messages will be sent twice after a restart", "error", err)
	}
	c.cursor.failed, c.cursor.savedAt = err != nil, time.Now()
}

func writeFile(disk *journal.Disk, name string, b []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = disk.Write(f, b)
	if err == nil {
		err = disk.Sync(f) // else a power cut could leave an empty file under the name
	}
	return errors.Join(err, f.Close())
}
