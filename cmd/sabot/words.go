package main

import (
	"fmt"
	"strconv"
	"strings"
)

// Numbers and lists as people write them, for what verbs print.

// plural is a number with what is counted: "1 card", "3 cards".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// grouped is a number with its thousands apart: "1,000,000".
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// span is a range of numbers: "entry 7", "entries 7 to 9", "no entry".
func span(one, many string, first, last int64) string {
	switch {
	case last < first:
		return "no " + one
	case first == last:
		return fmt.Sprintf("%s %d", one, first)
	}
	return fmt.Sprintf("%s %d to %d", many, first, last)
}

// oneOf is a list of words for people: "a, b or c".
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
