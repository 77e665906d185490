package main

import (
	"fmt"
	"strings"
)

// Problem is one thing wrong with a configuration, at its place.
type Problem struct {
	File         string
	Line, Column int // from 1; 0 where it is the file as a whole
	Text         string
}

// String is the problem as editors can follow it.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text)
}

// Problems is everything wrong with a configuration, in the order of the file.
type Problems []Problem

// Error is a line a problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}
