package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"
)

// newLog is the log of a verb that runs for years. It says what changes and nothing else, and no face-down card.
//
// Where systemd's journal reads it, a line begins with its level as the journal knows it, so that `journalctl -p warning` finds it, and has no time of its
// own: the journal has that.
func newLog(w io.Writer) *slog.Logger {
	if !toJournal(w, os.Getenv("JOURNAL_STREAM")) {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(leveled{w}, &slog.HandlerOptions{ReplaceAttr: timeless}))
}

// complain writes what ends a verb.
func complain(w io.Writer, text string) {
	level := ""
	if toJournal(w, os.Getenv("JOURNAL_STREAM")) {
		level = levels["level=ERROR"]
	}
	fmt.Fprintln(w, level+strings.ReplaceAll(text, "\n", "\n"+level))
}

// toJournal says whether w is the stream that systemd named.
func toJournal(w io.Writer, stream string) bool {
	f, ok := w.(*os.File)
	if !ok || stream == "" {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && stream == fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}

func timeless(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.Attr{}
	}
	return a
}

// levels are slog's as a line without time begins, and as the journal has them: sd-daemon(3).
var levels = map[string]string{"level=DEBUG": "<7>", "level=INFO": "<6>", "level=WARN": "<4>", "level=ERROR": "<3>"}

// leveled writes lines of slog for the journal.
type leveled struct{ io.Writer }

// Write writes a line.
func (l leveled) Write(line []byte) (int, error) {
	word, rest, _ := bytes.Cut(line, []byte(" "))
	if _, err := l.Writer.Write(append([]byte(levels[string(word)]), rest...)); err != nil {
		return 0, err
	}
	return len(line), nil
}
