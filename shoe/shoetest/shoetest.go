// Package shoetest is what the tests of the decoders share: their vectors, which are bytes and the reports that must come of them.
//
// A file of vectors has a paragraph for each. What is known of a device is kept in such files, so that a capture from a unit takes the place of a computed
// vector without a line of program.
//
//	# a shoe that starts
//	05 31 53 03 36 31
//	= booted reboot
//
// The first line names it, then come lines of hexadecimal, and what stands behind "=" are its reports in a text that each package makes of them, several
// with " | " between.
package shoetest

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"sabot/shoe"
)

// Vector is bytes and the reports they make.
type Vector struct {
	Name  string
	Bytes []byte
	Want  string
}

// Vectors reads a file of them; least is how many there must be, lest a test of none passes.
func Vectors(t testing.TB, path string, least int) (all []Vector) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var v Vector
	for lines := bufio.NewScanner(f); lines.Scan(); {
		switch text := lines.Text(); {
		case text == "":
		case strings.HasPrefix(text, "# "):
			v = Vector{Name: text[2:]}
		case strings.HasPrefix(text, "="):
			v.Want = strings.TrimSpace(text[1:])
			all = append(all, v)
		default:
			p, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
			if err != nil {
				t.Fatalf("%s: %q: %v", path, v.Name, err)
			}
			v.Bytes = append(v.Bytes, p...)
		}
	}
	if len(all) < least {
		t.Fatalf("%s: only %d vectors read", path, len(all))
	}
	return all
}

// Said is reports in the text that said makes of each.
func Said(reports []shoe.Report, said func(shoe.Report) string) string {
	var all []string
	for _, r := range reports {
		all = append(all, said(r))
	}
	return strings.Join(all, " | ")
}
