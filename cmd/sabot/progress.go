package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// progress paints how far something long is, where somebody can see it: on a terminal.
func progress(w io.Writer) func(done, all int64) {
	f, ok := w.(*os.File)
	if !ok {
		return func(int64, int64) {}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return func(int64, int64) {}
	}
	began := time.Now()
	return func(done, all int64) { fmt.Fprint(w, bar(done, all, time.Since(began))) }
}

// bar is a line that overwrites itself, and is wiped when all is done.
func bar(done, all int64, since time.Duration) string {
	if done >= all {
		return "\r\x1b[K"
	}
	const width = 40
	full := int(done * width / all)
	left := ""
	if done > 0 {
		left = ", " + time.Duration(float64(since)*(float64(all)/float64(done)-1)).Round(time.Second).String() + " left"
	}
	return fmt.Sprintf("\r\x1b[K[%s%s] %d %%%s", strings.Repeat("#", full), strings.Repeat(".", width-full), done*100/all, left)
}
