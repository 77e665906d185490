package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The shape of the repository: who may import whom, what pure packages may not do, and a few habits. It reads the sources and nothing else.

// topLevel are the names at the root, beside those that begin with a dot or that .gitignore lists.
var topLevel = []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "go.mod", "go.sum", "cmd", "drivers", "shoe", "table", "mqtt", "systemd"}

// imports say which of our own packages each package may import; the first row that fits counts. Tests may import more.
var imports = []struct {
	packages string // a path.Match pattern, or a prefix that ends in "/"
	may      []string
}{
	{"cmd/", []string{"cmd/", "drivers/", "mqtt", "mqtt/", "shoe", "shoe/", "table", "table/"}},
	{"drivers/", []string{"shoe"}},
	{"shoe", nil},
	{"shoe/", []string{"shoe"}},
	{"table", []string{"shoe"}},
	{"table/journal", []string{"shoe", "table"}},
	{"table/live", []string{"shoe", "table", "table/box", "table/journal"}},
	{"table/sim", []string{"shoe", "table", "table/"}},
	{"table/tabletest", []string{"shoe", "table", "table/wager"}},
	{"table/wager", []string{"shoe", "table"}},
	{"table/blackjack/", []string{"shoe", "table"}},
	{"table/?*", []string{"shoe", "table"}}, // a game
	{"mqtt", []string{"shoe", "table", "table/journal"}},
	{"mqtt/broker", nil},
	{"mqtt/mqtttest", nil},
	{"mqtt/display", []string{"mqtt", "table", "table/journal"}},
}

// impure are the packages that may have goroutines, clocks and files; all others may not.
var impure = []string{"cmd/", "drivers/", "mqtt", "mqtt/", "table/journal", "table/live", "table/tabletest", "shoe/shoetest"}

// world is what a pure package may not import, and clocks what it may not use of package time.
var (
	world  = []string{"os", "os/", "net", "net/", "io/fs", "log", "log/", "math/rand", "math/rand/", "crypto/rand", "sync", "sync/", "syscall", "context", "runtime", "runtime/", "testing"}
	clocks = []string{"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"}
)

// seeded are the pure packages that may have generators of their own: what those give is decided by a seed.
var (
	seeded     = []string{"table/sim"}
	generators = []string{"PCG", "NewChaCha8"}
)

const longest = 70 // lines of a function

// source is one parsed file.
type source struct {
	path string // from the root, with slashes
	text string
	fset *token.FileSet
	tree *ast.File
}

func (s *source) dir() string { return path.Dir(s.path) }

func (s *source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s *source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.fset.Position(n.Pos()).Line)
}

func parse(name, text string) (*source, error) {
	s := &source{path: name, text: text, fset: token.NewFileSet()}
	tree, err := parser.ParseFile(s.fset, name, text, parser.ParseComments)
	s.tree = tree
	return s, err
}

// listed says whether a package is in a list of names and of prefixes that end in "/".
func listed(list []string, name string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return p == name || strings.HasSuffix(p, "/") && strings.HasPrefix(name, p) })
}

func TestShape(t *testing.T) {
	sources := readSources(t, "../..")
	if len(sources) < 30 {
		t.Fatalf("only %d files were found", len(sources))
	}
	for _, breach := range breaches(sources) {
		t.Error(breach)
	}
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	ignore, err := os.ReadFile("../../.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		built := slices.ContainsFunc(strings.Fields(string(ignore)), func(p string) bool { ok, _ := path.Match(strings.Trim(p, "/"), name); return ok })
		if !built && name[0] != '.' && !slices.Contains(topLevel, name) {
			t.Errorf("%s does not belong to the top level, which has %s", name, strings.Join(topLevel, " "))
		}
	}
}

func readSources(t *testing.T, root string) []*source {
	t.Helper()
	var list []*source
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != root && (d.Name()[0] == '.' || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(p, ".go"):
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		s, err := parse(filepath.ToSlash(name), string(text))
		list = append(list, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// breaches are all breaches of the shape in some files.
func breaches(sources []*source) []string {
	var list []string
	for _, s := range sources {
		list = append(list, habits(s)...)
		if s.test() {
			continue
		}
		list = append(list, wrongImports(s)...)
		if !listed(impure, s.dir()) {
			list = append(list, impurities(s)...)
		}
	}
	return append(list, packages(sources)...)
}

// ours are the file's imports of our own packages.
func ours(s *source) []string {
	var list []string
	for _, i := range s.tree.Imports {
		if name, ok := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "sabot/"); ok {
			list = append(list, name)
		}
	}
	return list
}

func wrongImports(s *source) []string {
	for _, row := range imports {
		if ok, _ := path.Match(row.packages, s.dir()); !ok && !listed([]string{row.packages}, s.dir()) {
			continue
		}
		var list []string
		for _, name := range ours(s) {
			if !listed(row.may, name) {
				list = append(list, fmt.Sprintf("%s: %s may not import %s", s.path, s.dir(), name))
			}
		}
		return list
	}
	return []string{s.path + ": package " + s.dir() + " has no row in the table of imports"}
}

func impurities(s *source) []string {
	var list []string
	for _, i := range s.tree.Imports {
		if name := strings.Trim(i.Path.Value, `"`); listed(world, name) && !(name == "math/rand/v2" && listed(seeded, s.dir())) {
			list = append(list, fmt.Sprintf("%s: a pure package imports %s", s.path, name))
		}
	}
	ast.Inspect(s.tree, func(n ast.Node) bool {
		what := ""
		switch n := n.(type) {
		case *ast.GoStmt:
			what = "starts a goroutine"
		case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
			what = "uses a channel"
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && (x.Name == "time" && slices.Contains(clocks, n.Sel.Name) || x.Name == "rand" && !slices.Contains(generators, n.Sel.Name)) {
				what = "uses " + x.Name + "." + n.Sel.Name
			}
		}
		if what != "" {
			list = append(list, s.at(n)+": a pure package "+what)
		}
		return true
	})
	return list
}

// habits are what every file keeps to.
func habits(s *source) []string {
	var list []string
	for _, word := range []string{"TO" + "DO", "FIX" + "ME"} {
		if i := strings.Index(s.text, word); i >= 0 {
			list = append(list, fmt.Sprintf("%s:%d: %s; do it, or write an issue", s.path, 1+strings.Count(s.text[:i], "\n"), word))
		}
	}
	ast.Inspect(s.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if lines := s.fset.Position(n.End()).Line - s.fset.Position(n.Pos()).Line + 1; lines > longest {
				list = append(list, fmt.Sprintf("%s: %s has %d lines; %d is the most", s.at(n), n.Name.Name, lines, longest))
			}
		case *ast.SelectorExpr:
			if s.test() && (n.Sel.Name == "Skip" || n.Sel.Name == "Skipf" || n.Sel.Name == "SkipNow") {
				list = append(list, s.at(n)+": a test is skipped; it passes, fails, or is not there")
			}
		}
		return true
	})
	return list
}

// packages are the breaches of packages as a whole: their comment, their name, and their tests' flags.
func packages(sources []*source) []string {
	comments, flags, tested := map[string]int{}, map[string]bool{}, map[string]bool{}
	var list []string
	for _, s := range sources {
		dir := s.dir()
		if s.test() {
			tested[dir] = true
			flags[dir] = flags[dir] || slices.Contains(ours(s), "table/tabletest")
			continue
		}
		comments[dir] += 0
		if s.tree.Doc == nil {
			continue
		}
		comments[dir]++
		want := "Package " + path.Base(dir) + " "
		if strings.HasPrefix(dir, "cmd/") {
			want = "Command " + path.Base(dir) + " "
		}
		if text := s.tree.Doc.Text(); !strings.HasPrefix(text, want) {
			list = append(list, fmt.Sprintf("%s: the package's comment begins %.20q, not %q", s.path, text, want))
		}
	}
	for _, dir := range sorted(comments) {
		if n := comments[dir]; n != 1 {
			list = append(list, fmt.Sprintf("%s has %d package comments", dir, n))
		}
		if slices.Contains([]string{"util", "utils", "common", "helpers", "internal", "pkg"}, path.Base(dir)) {
			list = append(list, dir+" is no name; say what it is")
		}
	}
	for _, dir := range sorted(tested) {
		if listed([]string{"table", "table/"}, dir) && !flags[dir] {
			list = append(list, dir+": no test imports table/tabletest, so `go test ./table/... -args -cases DIR` fails there")
		}
	}
	return list
}

// Each rule is seen to find its breach.
func TestShapeFindsBreaches(t *testing.T) {
	const shoe = "// Package shoe x\npackage shoe\n"
	tests := []struct{ name, path, text, want string }{
		{"import against the way", "shoe/x.go", "// Package shoe x\npackage shoe\nimport \"sabot/table\"\n", "shoe may not import table"},
		{"game imports game", "table/baccarat/x.go", "// Package baccarat x\npackage baccarat\nimport \"sabot/table/blackjack\"\n", "table/baccarat may not import table/blackjack"},
		{"driver imports table", "drivers/gpio/x.go", "// Package gpio x\npackage gpio\nimport \"sabot/table\"\n", "drivers/gpio may not import table"},
		{"package without a row", "web/x.go", "// Package web x\npackage web\n", "has no row"},
		{"goroutine", "shoe/x.go", shoe + "func f() { go f() }\n", "shoe/x.go:3: a pure package starts a goroutine"},
		{"channel", "table/x.go", "// Package table x\npackage table\nvar c chan int\n", "uses a channel"},
		{"select", "table/x.go", "// Package table x\npackage table\nfunc f() { select {} }\n", "uses a channel"},
		{"clock", "table/blackjack/strategy/x.go", "// Package strategy x\npackage strategy\nimport \"time\"\nvar t = time.Now()\n", "uses time.Now"},
		{"files", "shoe/line/x.go", "// Package line x\npackage line\nimport \"os\"\n", "imports os"},
		{"network", "shoe/line/x.go", "// Package line x\npackage line\nimport \"net/http\"\n", "imports net/http"},
		{"chance", "table/x.go", "// Package table x\npackage table\nimport \"math/rand/v2\"\n", "imports math/rand/v2"},
		{"chance of no seed", "table/sim/x.go", "// Package sim x\npackage sim\nimport \"math/rand/v2\"\nvar n = rand.IntN(6)\n", "uses rand.IntN"},
		{"no comment", "shoe/x.go", "package shoe\n", "shoe has 0 package comments"},
		{"other comment", "shoe/x.go", "// This is\npackage shoe\n", "the package's comment begins"},
		{"command's comment", "cmd/x/x.go", "// Package x y\npackage main\n", "the package's comment begins"},
		{"long function", "shoe/x.go", shoe + "func f() {" + strings.Repeat("\n", longest) + "}\n", "f has 71 lines"},
		{"skipped", "shoe/x_test.go", "package shoe\nfunc f() { t.Skip() }\n", "a test is skipped"},
		{"left to do", "shoe/x.go", shoe + "// TO" + "DO\n", "shoe/x.go:3: TO" + "DO"},
		{"flags unknown", "table/x/x_test.go", "package x\n", "no test imports table/tabletest"},
		{"no name", "shoe/util/x.go", "// Package util x\npackage util\n", "is no name"},

		{"pure", "shoe/x.go", shoe + "import \"time\"\nvar d = time.Second\n", ""},
		{"goroutine of a driver", "drivers/serial/x.go", "// Package serial x\npackage serial\nimport \"sabot/shoe\"\nfunc f() { go f() }\n", ""},
		{"chance of a seed", "table/sim/x.go", "// Package sim x\npackage sim\nimport \"math/rand/v2\"\nvar p rand.PCG\n", ""},
		{"command", "cmd/sabot/x.go", "// Command sabot x\npackage main\nimport \"sabot/table/live\"\n", ""},
		{"longest function", "shoe/x.go", shoe + "func f() {" + strings.Repeat("\n", longest-1) + "}\n", ""},
		{"test of a test", "table/x/x_test.go", "package x\nimport _ \"sabot/table/tabletest\"\n", ""},
	}
	for _, test := range tests {
		s, err := parse(test.path, test.text)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got := strings.Join(breaches([]*source{s}), "\n")
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
