package tabletest

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sabot/table"
)

// NewGame makes the game a transcript names.
type NewGame func(game string, settings map[string]string) (table.Game, error)

// Transcripts plays each file of testdata/*.txt twice and compares what it calls with what the file says.
func Transcripts(t *testing.T, newGame NewGame) {
	transcripts(t, "testdata/*.txt", newGame, func() tell { return step })
}

// Layouts plays each file of testdata/layout/*.txt likewise, and compares what each event changes on the felt.
func Layouts(t *testing.T, newGame NewGame) { transcripts(t, "testdata/layout/*.txt", newGame, felt) }

// tell does what an event says and writes what came of it, a line each.
type tell func(table.Game, table.Event) string

func transcripts(t *testing.T, in string, newGame NewGame, teller func() tell) {
	files, err := filepath.Glob(in)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in %s: %v", in, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(text), newGame, teller())
			if again := play(t, string(text), newGame, teller()); again != got {
				t.Errorf("%s: played twice it says two things:\n%s\n---\n%s", file, got, again)
			}
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf("%s: what came of it differs (-args -update rewrites them):\n%s", file, diff(string(text), got))
			}
		})
	}
}

// play gives the transcript with what tell says of its events now.
func play(t *testing.T, text string, newGame NewGame, tell tell) string {
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
		calls[s.Line] = tell(game, s.Event)
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

// felt steps too, and writes what is otherwise on the layout then, a line a member; "until" is when the clock of what is due ends. What stands before the game's name
// is the publisher's.
func felt() tell {
	was := map[string]string{}
	return func(game table.Game, e table.Event) string {
		if said := step(game, e); strings.HasPrefix(said, "\trefused") {
			return said
		}
		is, out := members(game.Layout()), ""
		for _, name := range slices.Sorted(maps.Keys(is)) {
			if was[name] != is[name] {
				out += "\t" + name + " " + is[name] + "\n"
			}
		}
		for _, name := range slices.Sorted(maps.Keys(was)) {
			if is[name] == "" {
				out += "\tno " + name + "\n"
			}
		}
		was = is
		return out
	}
}

// members are a layout's, as JSON.
func members(l table.Layout) map[string]string {
	b, err := json.Marshal(l)
	var all map[string]json.RawMessage
	if err = errors.Join(err, json.Unmarshal(b, &all)); err != nil {
		return map[string]string{"error": err.Error()}
	}
	list := map[string]string{}
	for name, v := range all {
		list[name] = string(v)
	}
	if l.Due != nil && l.Due.Deadline != 0 {
		list["until"] = l.Due.Deadline.String()
	}
	for _, name := range []string{"record", "seq", "at", "table", "last"} {
		delete(list, name)
	}
	return list
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
