package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Segments are the files of a record's segments, in order.
func Segments(dir string) ([]string, error) {
	numbers, err := segments(dir)
	if err != nil {
		return nil, err
	}
	files := make([]string, len(numbers))
	for i, n := range numbers {
		files[i] = filepath.Join(dir, segmentName(n))
	}
	return files, nil
}

// File reads and verifies one segment without opening the record it belongs to: a copy under any name, or the file that a
// running table appends to. Unlike a Reader it cannot know what is durable, so nothing may be done on account of what it reads.
type File struct{ s *segment }

// OpenFile opens a segment and reads its header. A damaged one is a *CorruptError.
func OpenFile(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	var header struct{ Segment int }
	_ = json.NewDecoder(io.LimitReader(f, maxHeader)).Decode(&header) // readHeader says what is wrong with it
	s := &segment{file: f, in: bufio.NewReaderSize(f, MaxEntry)}
	if _, err = f.Seek(0, io.SeekStart); err == nil {
		err = s.readHeader(header.Segment)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{s}, nil
}

// Header is the segment's.
func (f *File) Header() Header { return f.s.header }

// Next is the next entry. io.EOF is the end; io.ErrUnexpectedEOF is an end with an unfinished line, which a power cut leaves, or a table
// that is just writing it. Anything else that does not verify is a *CorruptError.
func (f *File) Next() (Entry, error) {
	e, err := f.s.next()
	if !errors.Is(err, errMalformed) {
		return e, err
	}
	torn, err := f.s.tornTail()
	switch {
	case err != nil:
		return Entry{}, err
	case torn:
		return Entry{}, io.ErrUnexpectedEOF
	}
	return Entry{}, f.s.corrupt("the line is damaged, and others follow it")
}

// LastHash is the hash of the last line read, which the next segment's header repeats.
func (f *File) LastHash() string { return f.s.lastHash() }

// Name is the file's name.
func (f *File) Name() string { return f.s.file.Name() }

// UnfinishedError says that a record ends in a line that is none yet. It is no damage.
type UnfinishedError struct {
	File string
	Line int
}

// Error names the file and the line.
func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("journal: %s:%d: the last line is unfinished: the table is writing it, or a power cut left it, and the next start cuts it", e.File, e.Line)
}

// Ended is what an end with an unfinished line means of a segment: an *UnfinishedError of a record's last one, a *CorruptError of any other.
func (f *File) Ended(last bool) error {
	if last {
		return &UnfinishedError{File: f.Name(), Line: f.s.line + 1}
	}
	return f.s.corrupt("the line is unfinished, and another segment follows")
}

// Walk reads a record's segments as one: that each continues the one before it, and every entry, up to the first that does not verify. An unfinished line at
// the end is an *UnfinishedError, when everything before it was read.
func Walk(files []string, begin func(*File) error, take func(path string, e *Entry) error) error {
	var before *File
	for i, path := range files {
		f, err := OpenFile(path)
		if err != nil {
			return err
		}
		if err = f.Follows(before); err == nil {
			err = begin(f)
		}
		if err == nil {
			err = f.each(take, i == len(files)-1)
		}
		f.Close()
		if err != nil {
			return err
		}
		before = f
	}
	return nil
}

// each takes the entries of a segment, which may be the last.
func (f *File) each(take func(string, *Entry) error, last bool) error {
	for {
		e, err := f.Next()
		switch {
		case err == io.EOF:
			return nil
		case err == io.ErrUnexpectedEOF:
			return f.Ended(last)
		case err == nil:
			err = take(f.Name(), &e)
		}
		if err != nil {
			return err
		}
	}
}

// Close closes the file.
func (f *File) Close() error { return f.s.file.Close() }
