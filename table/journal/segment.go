package journal

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sabot/table"
)

// segment reads one file, and verifies as it goes.
type segment struct {
	file   *os.File
	in     *bufio.Reader
	buf    []byte
	header Header
	chain  chain
	build  string // the version of the program that wrote the last of them, "" where none says so
	line   int    // how many lines verified
	last   int64  // where the last of them begins
	size   int64  // how long they are
}

// openSegment opens a segment and reads its header. The flag is os.OpenFile's.
func openSegment(dir string, number, flag int) (*segment, error) {
	f, err := os.OpenFile(filepath.Join(dir, segmentName(number)), flag, 0)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	s := &segment{file: f, in: bufio.NewReaderSize(f, MaxEntry)}
	if err := s.readHeader(number); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func (s *segment) readHeader(number int) error {
	line, err := s.readLine(maxHeader)
	if err == io.EOF || err == errMalformed {
		return s.corruptHeader(unlikeHeader(s.buf).Error())
	}
	if err != nil { // the disk cannot read it
		return err
	}
	object, _, err := s.chain.open(line)
	if err != nil {
		return s.corruptHeader(unlikeHeader(line).Error())
	}
	if s.header, err = decodeHeader(object); err != nil {
		return s.strangeHeader(line, object, err)
	}
	if s.header.Segment != number {
		return s.corruptHeader(fmt.Sprintf("the header is that of segment %d", s.header.Segment))
	}
	if s.chain, err = s.header.chain(); err != nil {
		return s.corruptHeader(err.Error())
	}
	if _, continues, _ := s.chain.open(line); !continues {
		return s.corruptHeader("the header's hash is wrong")
	}
	s.build = s.header.Build
	s.took(line, object)
	return nil
}

// strangeHeader says what it means that a header is not one of ours: it is of another version of the program if its hash is right, else it is damaged.
func (s *segment) strangeHeader(line, object []byte, why error) error {
	var h struct {
		Last  string `json:"last_hash"`
		Build string
	}
	if json.Unmarshal(object, &h) != nil {
		return s.corruptHeader(unlikeHeader(line).Error())
	}
	var c chain
	if err := c.setHash(h.Last); err != nil {
		return s.corruptHeader(why.Error())
	}
	if _, continues, _ := c.open(line); !continues {
		return s.corruptHeader(why.Error())
	}
	return &VersionError{File: s.file.Name(), Line: 1, Build: h.Build, Why: why.Error()}
}

// unlikeHeader says what a first line is that is none of ours, as far as it is something that people do to files.
func unlikeHeader(line []byte) error {
	switch {
	case len(line) == 0:
		return errors.New("the file is empty")
	case bytes.HasPrefix(line, []byte("\xef\xbb\xbf")):
		return errors.New("the file begins with a byte order mark: an editor wrote it anew")
	case bytes.HasSuffix(line, []byte("\r\n")):
		return errors.New("its lines end in CR LF: an editor, or a copy made as text, wrote it anew")
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return errors.New("the file is compressed: unpack it with gunzip")
	}
	return errors.New("the header cannot be read")
}

// readLine reads up to and with the next newline. errMalformed means that there is none.
func (s *segment) readLine(limit int) ([]byte, error) {
	s.buf = s.buf[:0]
	for {
		part, err := s.in.ReadSlice('\n')
		s.buf = append(s.buf, part...)
		switch {
		case err == io.EOF && len(s.buf) == 0:
			return nil, io.EOF
		case err == io.EOF || len(s.buf) > limit:
			return nil, errMalformed
		case err == nil:
			return s.buf, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("journal: %w", err)
		}
	}
}

// took moves past a line that verified.
func (s *segment) took(line, object []byte) {
	s.chain.hash = s.chain.extend(object)
	s.line++
	s.last, s.size = s.size, s.size+int64(len(line))
}

// next reads the next entry. io.EOF is the end of the file; errMalformed may be a torn line; a *CorruptError is neither.
func (s *segment) next() (Entry, error) {
	line, err := s.readLine(MaxEntry)
	if err != nil {
		return Entry{}, err
	}
	object, continues, err := s.chain.open(line)
	if err != nil {
		return Entry{}, err
	}
	e, err := decodeEntry(object)
	if err != nil && continues { // it is whole, so no power cut tore it
		return Entry{}, &VersionError{File: s.file.Name(), Line: s.line + 1, Build: s.build, Why: "the line continues the chain, and this program does not understand it"}
	}
	if err != nil {
		return Entry{}, err
	}
	if !continues {
		return Entry{}, s.corrupt("the hash does not continue the chain: the line, or one before it, was changed")
	}
	if err := s.chain.follow(&e); err != nil {
		return Entry{}, s.corrupt(err.Error())
	}
	s.took(line, object)
	s.wrote(&e.Event)
	return e, nil
}

// wrote notes which program writes. One that was started says so itself, or nobody does.
func (s *segment) wrote(e *table.Event) {
	switch e.Kind {
	case table.Started:
		s.build = ""
	case table.Program:
		s.build = e.Text.Name
	}
}

// corrupt says what is wrong with the line after those that verified.
func (s *segment) corrupt(why string) error {
	return &CorruptError{File: s.file.Name(), Line: s.line + 1, Why: why}
}

// corruptHeader says what is wrong with the first line.
func (s *segment) corruptHeader(why string) error {
	return &CorruptError{File: s.file.Name(), Line: 1, Why: why}
}

// tornTail says whether everything behind the last good line can be one append that a power cut left unfinished. Each is durable before the next is begun,
// so a second line's start in it is damage to the first.
func (s *segment) tornTail() (bool, error) {
	if _, err := s.file.Seek(s.size, io.SeekStart); err != nil {
		return false, fmt.Errorf("journal: %w", err)
	}
	in := bufio.NewReaderSize(s.file, MaxEntry)
	if _, err := in.Discard(1); err != nil { // the line's own start
		return false, fmt.Errorf("journal: %w", err)
	}
	for {
		window, err := in.Peek(MaxEntry)
		if bytes.Contains(window, []byte(lineStart)) {
			return false, nil
		}
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, fmt.Errorf("journal: %w", err)
		}
		in.Discard(len(window) - len(lineStart) + 1)
	}
}

// reopen verifies the last segment and continues it.
func (j *Journal) reopen(number int) (*Torn, error) {
	s, err := openSegment(j.dir, number, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	j.file, j.header = s.file, s.header
	if err := s.follows(j.dir); err != nil {
		return nil, err
	}
	torn, err := s.toEnd(j.disk, j.heard)
	if err != nil {
		return nil, err
	}
	j.chain, j.size = s.chain, s.size
	if err := j.disk.rewrite(s.file, s.last, s.size); err != nil { // what a program wrote that was killed, or whose fsync failed, may not have reached the disk
		return nil, fmt.Errorf("journal: %w", err)
	}
	if err := j.disk.syncDir(j.dir); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return torn, nil
}

// toEnd reads all entries, and cuts a torn tail. Nothing that was heard can be torn: it was durable before it was said.
func (s *segment) toEnd(d Disk, heard Mark) (*Torn, error) {
	var err error
	for err == nil {
		_, err = s.next()
	}
	if err != io.EOF && !errors.Is(err, errMalformed) {
		return nil, err
	}
	if why := s.unlike(heard); why != "" {
		return nil, s.corrupt(why)
	}
	if err == io.EOF {
		return nil, nil
	}
	torn, err := s.tornTail()
	if err != nil {
		return nil, err
	}
	if !torn {
		return nil, s.corrupt("the line is damaged, and others follow it")
	}
	kept, n, err := d.cut(s.file, s.file.Name(), s.size)
	if err != nil {
		return nil, fmt.Errorf("journal: cut a torn tail: %w", err)
	}
	return &Torn{File: s.file.Name(), Line: s.line + 1, Bytes: n, Copy: kept}, nil
}

// unlike says how the record, read to its end, contradicts what was heard of it.
func (s *segment) unlike(heard Mark) string {
	switch {
	case heard.Record == "":
		return ""
	case heard.Record != s.header.Record:
		return fmt.Sprintf("this is the record %s, and what was heard is of the record %s", s.header.Record, heard.Record)
	case s.chain.seq < heard.Seq:
		return fmt.Sprintf("the record ends at entry %d, and entries up to %d were heard", s.chain.seq, heard.Seq)
	}
	return ""
}

// follows makes sure that the segment before this one ends where this one begins.
func (s *segment) follows(dir string) error {
	if s.header.Segment == 1 {
		if s.header.Last != firstHash {
			return s.corruptHeader("the record's first header names a segment before it")
		}
		return nil
	}
	path := filepath.Join(dir, segmentName(s.header.Segment-1))
	f, err := os.Open(path)
	if err != nil {
		return &CorruptError{File: path, Why: "the segment cannot be opened, and a later one continues it"}
	}
	defer f.Close()
	end := make([]byte, hashLen)
	if info, err := f.Stat(); err == nil && info.Size() > hashLen {
		f.ReadAt(end, info.Size()-hashLen)
	}
	if string(end) != " "+s.header.Last+"\n" {
		return &CorruptError{File: path, Why: "it does not end where the next segment begins"}
	}
	return nil
}

// lastHash is the hash of the last line read, as headers write it.
func (s *segment) lastHash() string { return hex.EncodeToString(s.chain.hash[:]) }
