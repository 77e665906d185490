package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabot/mqtt"
	"sabot/table"
)

// speakers are the packages whose errors a person may read, and what they are called in the manual.
var speakers = [][2]string{
	{"cmd/sabot", "sabot's verbs"}, {"drivers/serial", "ports"}, {"drivers/gpio", "contacts and lamps"}, {"mqtt", "the broker"}, {"mqtt/broker", "the embedded broker"},
	{"mqtt/display", "the pages"}, {"table/journal", "the record"}, {"table/live", "the loop"}, {"table/blackjack", "blackjack's rules"}, {"table/baccarat", "baccarat's"}, {"table/wager", "the bets"},
}

// saying are the functions that make a sentence, and which of their arguments it is; two are a finding's mending and what was found.
var saying = map[string][]int{"Errorf": {0}, "New": {0}, "usageError": {0}, "ill": {2, 1}, "warn": {2, 1}, "problem": {1}, "Refuse": {2}, "corrupt": {0}, "corruptHeader": {0}}

// TestMessages holds the manual's list of sentences against those in the source. -update writes it.
func TestMessages(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# Every sentence of the program\n\n… stands for what is named there. What to do stands in the sentence, or under its subject in [troubleshooting](troubleshooting.md).\n")
	for _, s := range speakers {
		fmt.Fprintf(&b, "\n## From %s\n\n", s[1])
		for _, sentence := range sentencesOf(t, filepath.Join("../..", s[0])) {
			fmt.Fprintf(&b, "* %s\n", sentence)
		}
	}
	b.WriteString("\n## Codes, in replies and of irregularities\n\n| code | |\n| --- | --- |\n")
	for c := range 256 {
		if text := mqtt.Sentence("en", table.Code(c)); text != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", table.Code(c), text)
		}
	}
	const file = "manual/messages.md"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(file); !bytes.Equal(got, b.Bytes()) {
		t.Errorf("%s is not what the program says; go test ./cmd/sabot -run TestMessages -update", file)
	}
}

// sentencesOf are the sentences a package makes, sorted, each once; verbs of formats are dots.
func sentencesOf(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no source", dir)
	}
	var list []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				list = append(list, said(n)...)
			case *ast.KeyValueExpr: // of an error that says why
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Why" {
					list = append(list, worded(n.Value)...)
				}
			}
			return true
		})
	}
	slices.Sort(list)
	return slices.Compact(list)
}

var formatVerb = regexp.MustCompile(`%[-+# 0-9.*]*[a-zA-Z]`)

// said are the sentences of one call; what has no words of its own is none.
func said(call *ast.CallExpr) []string {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	var list []string
	for _, i := range saying[name] {
		if i < len(call.Args) {
			list = append(list, worded(call.Args[i])...)
		}
	}
	return list
}

// worded is the sentence of an expression, if it is one.
func worded(e ast.Expr) []string {
	text := formatVerb.ReplaceAllString(strings.Join(literals(e), "…"), "…")
	if text = strings.TrimSpace(text); !regexp.MustCompile(`[a-z]+ [a-z]+`).MatchString(text) {
		return nil
	}
	return []string{text}
}

// literals are the strings an expression is put together from.
func literals(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return []string{s}
		}
	case *ast.BinaryExpr:
		return append(literals(e.X), literals(e.Y)...)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return literals(e.Args[0])
		}
	}
	return nil
}

// TestManual holds the manual against the program: it has each irregularity, each verb it names is one, its wiring is the program's, and its
// settings are the rules'.
func TestManual(t *testing.T) {
	trouble := pageOf("troubleshooting")
	for c := range 256 {
		if code := table.Code(c); code.Irregular() && !strings.Contains(trouble, code.String()) {
			t.Errorf("troubleshooting says nothing of %s", code)
		}
	}
	wiring, drawing := pageOf("wiring"), text(t, "manual/wiring.svg")
	for _, lines := range []map[string]string{buttonWiring, lampWiring} {
		for part, line := range lines {
			if !strings.Contains(wiring, "| "+line+" |") || !strings.Contains(drawing, ">"+line+"<") {
				t.Errorf("%s is on %s, and the wiring's page or drawing has it not there", part, line)
			}
		}
	}
	for _, name := range manualPages {
		if pageOf(name) == "" {
			t.Errorf("there is no page %s", name)
		}
		for _, m := range regexp.MustCompile("`(?:sudo )?sabot ([a-z]+)").FindAllStringSubmatch(pageOf(name), -1) {
			if !slices.ContainsFunc(verbs, func(v verb) bool { return v.name == m[1] }) {
				t.Errorf("%s: there is no verb %s", name, m[1])
			}
		}
	}
}

// TestManualSettings finds each setting that the rules' page names among the games' own.
func TestManualSettings(t *testing.T) {
	var b bytes.Buffer
	for _, word := range regexp.MustCompile("`([a-z][a-z0-9_]+)(?:: [^`]*)?`").FindAllStringSubmatch(pageOf("rules"), -1) {
		fmt.Fprintln(&b, word[1])
	}
	named := b.String()
	for game, presets := range games {
		for _, preset := range presets {
			keys, _ := preset().under("rules")
			for _, key := range keys {
				if !strings.Contains(named, key+"\n") {
					t.Errorf("the page of rules does not name %s of %s", key, game)
				}
			}
		}
	}
}

// TestLinks follows each link to a file of this repository that its documents have.
func TestLinks(t *testing.T) {
	documents, err := filepath.Glob("manual/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"../../*.md", "../../*/README.md", "../../*/*/README.md"} {
		found, _ := filepath.Glob(more)
		documents = append(documents, found...)
	}
	for _, d := range documents {
		for _, m := range regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`).FindAllStringSubmatch(text(t, d), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(d), m[1])); err != nil {
				t.Errorf("%s: %s leads nowhere", d, m[1])
			}
		}
	}
}

func text(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
