package display

import (
	"strings"
	"testing"
)

// TestTableNames: whatever is heard on the broker makes no table of a name that no table can have.
func TestTableNames(t *testing.T) {
	long := strings.Repeat("x", 64)
	for name, want := range map[string]bool{"bj-1": true, "Table_2": true, long: true, "": false, long + "x": false, "bj.1": false, "bj 1": false, "../x": false, "é": false} {
		if validName(name) != want {
			t.Errorf("%q: %t", name, !want)
		}
	}
}
