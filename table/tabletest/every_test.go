package tabletest_test

import (
	"os"
	"path/filepath"
	"testing"

	"sabot/table"
)

// TestEveryEventHasATranscript: what can happen at a table was written down once, with what is called of it.
func TestEveryEventHasATranscript(t *testing.T) {
	files, err := filepath.Glob("../*/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	seen := map[table.Kind]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, err := table.ParseTranscript(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, s := range script.Steps {
			seen[s.Event.Kind] = true
		}
	}
	for k := table.NoEvent + 1; k.Word() != "none"; k++ {
		if !seen[k] {
			t.Errorf("no transcript has %q", k.Word())
		}
	}
}
