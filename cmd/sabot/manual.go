package main

import (
	"embed"
	"fmt"
	"io"
	"path"
	"strings"
)

//go:embed manual/*.md
var manualFiles embed.FS

// manualPages are the manual's pages, in the order a person meets them. What each is about is its first line.
var manualPages = []string{"operator", "dealer", "dealer.pt", "supervisor", "supervisor.pt", "wiring", "rules", "training", "troubleshooting", "messages", "security"}

// manual prints a page, or what the pages have on some words.
func manual(e *env, args []string) error {
	words, err := e.parse(e.flags(), args, 0, 64)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		for _, name := range manualPages {
			title, _, _ := strings.Cut(pageOf(name), "\n")
			fmt.Fprintf(e.stdout, "%-16s %s\n", name, strings.TrimPrefix(title, "# "))
		}
		return nil
	}
	if text := pageOf(words[0]); text != "" && len(words) == 1 {
		_, err := io.WriteString(e.stdout, text)
		return err
	}
	return lookUp(e.stdout, strings.Fields(strings.ToLower(strings.Join(words, " "))))
}

// pageOf is a page's text, "" where there is none.
func pageOf(name string) string {
	text, _ := manualFiles.ReadFile(path.Join("manual", name+".md"))
	return string(text)
}

// lookUp prints the lines that have most of the words, each page's under its headings. An error sentence has names in it that no manual knows, so not
// every word need be found; but half of them.
func lookUp(w io.Writer, words []string) error {
	best := (len(words) + 1) / 2
	var found []string
	for _, name := range manualPages {
		heading := ""
		for line := range strings.Lines(pageOf(name)) {
			if strings.HasPrefix(line, "#") {
				heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
				continue
			}
			n := matches(line, words)
			if n > best {
				best, found = n, nil
			}
			if n == best {
				found = append(found, fmt.Sprintf("%s, %s:\n    %s\n", name, heading, strings.Trim(strings.TrimSpace(line), "| ")))
			}
		}
	}
	if len(found) == 0 {
		return fmt.Errorf("manual: nothing is said of %q; `sabot manual` lists the pages", strings.Join(words, " "))
	}
	_, err := io.WriteString(w, strings.Join(found, ""))
	return err
}

// matches is how many of the words a line has.
func matches(line string, words []string) int {
	line = strings.ToLower(line)
	n := 0
	for _, word := range words {
		if strings.Contains(line, word) {
			n++
		}
	}
	return n
}
