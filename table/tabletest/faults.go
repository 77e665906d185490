package tabletest

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// Caught plays this repository's cases of a variant on a table with a fault in its rules, and gives the names of the cases that notice. It tests
// the tests: a fault that none of them notices needs another case.
func Caught(t *testing.T, variant string, faulty Variant) []string {
	t.Helper()
	var caught []string
	for _, file := range caseFiles(t, ownCases) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var c struct{ ID, Variant string }
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if c.Variant != variant {
				continue
			}
			heard := &listener{TB: t}
			if err := caseLine(heard, line, map[string]Variant{variant: faulty}); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if heard.errors > 0 {
				caught = append(caught, c.ID)
			}
		}
	}
	return caught
}

// listener counts the errors of a test instead of failing.
type listener struct {
	testing.TB
	errors int
}

func (l *listener) Errorf(string, ...any) { l.errors++ }
