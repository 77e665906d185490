package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// reader reads one configuration and gathers what is wrong with it. It walks the nodes of the YAML file and not a struct
// filled from them, because only nodes know their line and column.
type reader struct {
	config   Config
	problems Problems
	root     *yaml.Node            // the file's own mapping
	nodes    map[string]*yaml.Node // the values given, by path such as shoe.port
	failed   map[string]bool       // the paths of those that were refused
}

// key is a key that a section may have.
type key struct {
	name string
	need string // what to write where it is missing; "" where it may be
	read func(*yaml.Node)
}

func (r *reader) problem(n *yaml.Node, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.config.File, max(n.Line, 1), max(n.Column, 1), fmt.Sprintf(format, args...)})
}

// document is the file's one document; nil when it cannot be read.
func (r *reader) document(text string) *yaml.Node {
	if n, what := unfit(text); n != nil {
		r.problem(n, "%s", what)
		return nil
	}
	loader, err := yaml.NewLoader(strings.NewReader(text))
	var doc, second yaml.Node
	if err == nil {
		err = loader.Load(&doc)
	}
	switch {
	case err == io.EOF || err == nil && len(doc.Content) == 0: // nothing but comments
		return &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}
	case err != nil:
		r.syntax(text, err)
		return nil
	}
	switch err := loader.Load(&second); {
	case err == nil:
		r.problem(&second, "a second document begins here; write one")
	case err != io.EOF:
		r.syntax(text, err)
	}
	return doc.Content[0]
}

// unfit finds the first place at which text cannot be a configuration.
func unfit(text string) (*yaml.Node, string) {
	at := &yaml.Node{Line: 1, Column: 1}
	if len(text) > maxConfig {
		return at, fmt.Sprintf("the file is longer than %d bytes; a configuration is a page", maxConfig)
	}
	for i, c := range text {
		switch {
		case c == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			return at, fmt.Sprintf("the byte %#02x is no UTF-8; save the file as UTF-8 text", text[i])
		case odd(c) && !strings.HasPrefix(text[i:], "\r\n"):
			return at, fmt.Sprintf("the control character %U does not belong here; remove it", c)
		case c == '\n':
			at.Line, at.Column = at.Line+1, 0
		}
		at.Column++
	}
	return nil, ""
}

// odd says that c is no text, or what YAML but no editor takes for a line's end.
func odd(c rune) bool {
	return unicode.IsControl(c) && c != '\n' && c != '\t' || c == '\u2028' || c == '\u2029'
}

// syntax is a problem that the YAML parser found.
func (r *reader) syntax(text string, err error) {
	at, what := &yaml.Node{}, err.Error()
	var load *yaml.LoadError
	if errors.As(err, &load) {
		at.Line, at.Column, what = load.Mark.Line, load.Mark.Column, load.Message
	}
	lines := strings.Split(text, "\n")
	if at.Line >= 1 && at.Line <= len(lines) {
		line := lines[at.Line-1]
		if indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]; strings.Contains(indent, "\t") {
			r.problem(&yaml.Node{Line: at.Line, Column: strings.IndexByte(indent, '\t') + 1}, "the line is indented with a tab; write spaces")
			return
		}
	}
	r.problem(at, "this is no YAML: %s; look at the indentation, colons and quotes here", what)
}

// section reads a mapping: each of its keys in the order given, then what is left over. Path is its own, "" for the file.
func (r *reader) section(n *yaml.Node, path string, keys []key) {
	if n.Kind != yaml.MappingNode {
		r.failed[path] = true
		r.problem(n, "%s takes keys of its own; write %s", named(path), oneOf(names(keys)))
		return
	}
	given := r.pairs(n, path, keys)
	for _, k := range keys {
		full := join(path, k.name)
		switch v := given[k.name]; {
		case v == nil && k.need != "":
			r.problem(n, "%s is missing; write %s", full, k.need)
		case v == nil:
		case v.Kind == yaml.AliasNode:
			r.problem(v, "%s refers to another value; write the value itself", full)
		case v.Style&yaml.TaggedStyle != 0:
			r.problem(v, "%s has a tag; write the value alone", full)
		default:
			k.read(v)
		}
	}
}

// pairs are a mapping's values by key, those that are known.
func (r *reader) pairs(n *yaml.Node, path string, keys []key) map[string]*yaml.Node {
	given := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		full := join(path, name.Value)
		switch {
		case name.Kind != yaml.ScalarNode:
			r.problem(name, "a key must be a word; write %s", oneOf(names(keys)))
		case !slices.Contains(names(keys), name.Value):
			r.problem(name, "%s is not known%s", join(path, short(name.Value)), instead(name.Value, names(keys)))
		case given[name.Value] != nil:
			r.problem(name, "%s is there twice, first in line %d; remove one", full, given[name.Value].Line)
		default:
			given[name.Value], r.nodes[full] = value, value
		}
	}
	return given
}

// value reads a single value by set, which says whether it is one.
func (r *reader) value(path, want string, set func(string) bool) func(*yaml.Node) {
	return func(n *yaml.Node) {
		switch {
		case n.Kind != yaml.ScalarNode:
			r.problem(n, "%s takes one value; write %s", path, want)
		case n.Tag == "!!null" && n.Style == 0:
			r.problem(n, "%s has no value; write %s", path, want)
		case !set(n.Value):
			r.problem(n, "%s is no value for %s; write %s", short(n.Value), path, want)
		default:
			return
		}
		r.failed[path] = true
	}
}

// list is value for one or more values, which set takes with commas between them.
func (r *reader) list(path, want string, set func(string) bool) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			r.value(path, want, set)(n)
			return
		}
		var values []string
		for _, one := range n.Content {
			if one.Kind != yaml.ScalarNode {
				r.failed[path] = true
				r.problem(one, "%s takes words; write %s", path, want)
				return
			}
			values = append(values, one.Value)
		}
		if !set(strings.Join(values, ",")) {
			r.failed[path] = true
			r.problem(n, "[%s] is no value for %s; write %s", strings.Join(values, ", "), path, want)
		}
	}
}

// text is value for a text kept as it is.
func (r *reader) text(path, want string, to *string, valid func(string) bool) func(*yaml.Node) {
	return r.value(path, want, func(v string) bool {
		if valid(v) {
			*to = v
		}
		return valid(v)
	})
}

// short is a value for an error's text: quoted unless it is a plain word, cut if it is long, and not shown at all if it may hold a password.
func short(v string) string {
	switch {
	case strings.Contains(v, "@"):
		return "this"
	case len(v) > 60:
		v = v[:60] + "…"
	}
	if q := strconv.Quote(v); len(q) > len(v)+2 || v == "" || strings.ContainsAny(v, " ;") {
		return q
	}
	return v
}

// valueOf is the value of a mapping's key, nil where it is not given.
func valueOf(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func named(path string) string {
	if path == "" {
		return "the file"
	}
	return path
}

func names(keys []key) []string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = k.name
	}
	return list
}

// duration is value for a time such as 2s.
func (r *reader) duration(path string, to *time.Duration) func(*yaml.Node) {
	return r.value(path, "a time such as 500ms or 2s", func(v string) bool {
		d, err := time.ParseDuration(v)
		*to = d
		return err == nil && d >= 0 && d <= time.Hour
	})
}

// table reads a mapping of single values.
func (r *reader) table(path string, to *map[string]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.MappingNode {
			r.failed[path] = true
			r.problem(n, "%s takes keys of its own, such as {1: s, 2: h}", path)
			return
		}
		m := map[string]string{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			from, value := n.Content[i], n.Content[i+1]
			switch _, twice := m[from.Value]; {
			case from.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode:
				r.problem(from, "%s takes single values, such as {1: s, 2: h}", path)
			case twice:
				r.problem(from, "%s is there twice; remove one", join(path, short(from.Value)))
			default:
				m[from.Value] = value.Value
			}
		}
		*to = m
	}
}
