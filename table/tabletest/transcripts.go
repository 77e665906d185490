package tabletest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sabot/table"
)

// NewGame makes the game a transcript names.
type NewGame func(game string, settings map[string]string) (table.Game, error)

// Transcripts plays each file of testdata/*.txt twice and compares what it calls with what the file says.
func Transcripts(t *testing.T, newGame NewGame) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(text), newGame)
			if again := play(t, string(text), newGame); again != got {
				t.Errorf("%s: played twice it says two things:\n%s\n---\n%s", file, got, again)
			}
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf("%s: the calls differ (-args -update rewrites them):\n%s", file, diff(string(text), got))
			}
		})
	}
}

// play gives the transcript with the calls its events make now.
func play(t *testing.T, text string, newGame NewGame) string {
	t.Helper()
	script, err := table.ParseTranscript(text)
	if err != nil {
		t.Fatal(err)
	}
	game, err := newGame(script.Game, script.Settings)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[int]string{}
	for _, s := range script.Steps {
		calls[s.Line] = step(game, s.Event)
	}
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		out.WriteString(line + "\n" + calls[i+1])
	}
	return out.String()
}

// step asks, steps, and writes what was called, a line a call, its audience first.
func step(game table.Game, e table.Event) string {
	if e.Asked() {
		if code := game.Check(e); code != table.OK {
			return "\trefused " + code.String() + "\n"
		}
	}
	var out []byte
	for _, c := range game.Step(e, nil) {
		out = append(append(append(out, '\t'), [...]string{"", "floor ", "game "}[c.To]...), plain(c)...)
		out = append(out, '\n')
	}
	return string(out)
}

// plain is the call's JSON without what is the same in every line.
func plain(c table.Call) string {
	s := string(c.AppendJSON(nil))
	s = strings.TrimSuffix(strings.TrimPrefix(s, `{"call":"`), "}")
	return strings.Replace(s, `"`, "", 1)
}

// diff shows the first lines in which two texts differ.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, b := at(w, i), at(g, i)
		if a != b {
			return "want: " + a + "\n got: " + b + "\nafter: " + at(w, i-1)
		}
	}
	return ""
}

func at(lines []string, i int) string {
	if i < 0 || i >= len(lines) {
		return "(nothing)"
	}
	return lines[i]
}
