package display

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
)

// view is what a page's frame is filled with; its script does the rest.
type view struct {
	Page     string // overlay, dealer, index, login, wall, desk, audit, refusal
	Language string
	Words    map[string]string
	Table    string
	Tables   []string
	User     string // who is logged in
	Token    string // against orders from other sites
	Problem  string
	Floor    bool
}

// markup is HTML being written. What is filled in stands in text or between double quotes, and is escaped for both; only formats, which are ours, are taken as they are.
//
// A package for templates would do the same, and as it finds methods by their names at run time, the linker would have to keep every method of every
// type in the program: two MiB of it.
type markup struct{ strings.Builder }

// add writes a format with a value for each %s.
func (m *markup) add(format string, values ...string) {
	escaped := make([]any, len(values))
	for i, v := range values {
		escaped[i] = html.EscapeString(v)
	}
	fmt.Fprintf(m, format, escaped...)
}

// frame is a page.
func frame(v *view) string {
	var m markup
	m.add(`<!doctype html>
<html lang="%s" data-page="%s" data-table="%s" data-user="%s" data-token="%s">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/base.css">
<link rel="stylesheet" href="/static/%s.css">
`, v.Language, v.Page, v.Table, v.User, v.Token, v.title(), v.style())
	if v.scripted() {
		words, _ := json.Marshal(v.Words) // always marshals; < and > are escaped in it, so that it cannot end the script
		m.WriteString(`<script type="application/json" id="words">` + string(words) + "</script>\n")
		m.add(`<script type="module" src="/static/%s.js"></script>`+"\n", v.Page)
	}
	m.add("</head>\n"+`<body class="p-%s">`+"\n", v.Page)
	switch v.Page {
	case "index":
		m.index(v)
	case "login":
		m.login(v)
	case "refusal":
		m.add(`<main class="narrow"><h1>%s</h1><p class="problem">%s</p>`+"\n"+`<p><a href="/?lang=%s">%s</a></p></main>`, "Sabot", v.Words[v.Problem], v.Language, v.Words["back"])
	default:
		m.add(`<main id="page"><p id="wait">%s %s</p></main>`, v.Words["waiting"], v.Table)
	}
	m.add("\n</body>\n</html>\n")
	return m.String()
}

// scripted says whether a script makes the page.
func (v *view) scripted() bool { return v.Page != "index" && v.Page != "login" && v.Page != "refusal" }

func (v *view) title() string {
	title := v.Words["title"]
	switch v.Page {
	case "wall", "desk", "login":
		title = v.Words["floor"]
	case "overlay":
		title = v.Words["overlay"]
	case "dealer":
		title = v.Words["dealer-to"]
	}
	if v.Table != "" {
		title = v.Table + " · " + title
	}
	return title
}

func (v *view) style() string {
	if v.Page == "overlay" || v.Page == "dealer" {
		return v.Page
	}
	return "staff"
}

// index lists the tables.
func (m *markup) index(v *view) {
	m.add(`<main class="narrow"><h1>%s</h1>`+"\n", v.Words["tables"])
	for _, table := range v.Tables {
		m.add(`<section class="link"><h2>%s</h2><a href="/overlay/%s?lang=%s">%s</a> `, table, table, v.Language, v.Words["overlay"])
		m.add(`<a href="/dealer/%s?lang=%s">%s</a></section>`+"\n", table, v.Language, v.Words["dealer-to"])
	}
	if len(v.Tables) == 0 {
		m.add("<p>%s</p>\n", v.Words["no-tables"])
	}
	if v.Floor {
		m.add(`<p><a href="/floor/?lang=%s">%s</a></p>`, v.Language, v.Words["floor"])
	}
	m.add("</main>")
}

// login asks who it is.
func (m *markup) login(v *view) {
	m.add(`<main class="narrow login"><h1>%s</h1>
<form method="post" action="/floor/login?lang=%s">
`, v.Words["floor"], v.Language)
	if v.Problem != "" {
		m.add(`<p class="problem" role="alert">%s</p>`+"\n", v.Words[v.Problem])
	}
	m.add(`<label>%s<input name="name" autocomplete="username" required maxlength="64" autofocus></label>
<label>%s<input name="password" type="password" autocomplete="current-password" required maxlength="256"></label>
<button class="big">%s</button>
</form></main>`, v.Words["name"], v.Words["password"], v.Words["login"])
}
