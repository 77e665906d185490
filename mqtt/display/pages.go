package display

import (
	"bytes"
	"crypto/subtle"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"time"
)

//go:embed static
var embedded embed.FS

//go:embed page.html
var pageText string

var pages = template.Must(template.New("page").Parse(pageText))

// files are the pages' scripts and styles. They change only with the program.
var files = func() http.Handler {
	static, err := fs.Sub(embedded, "static")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return http.StripPrefix("/static/", http.FileServerFS(static))
}()

// view is what a page's frame is filled with; its script does the rest.
type view struct {
	Page     string // overlay, dealer, index, login, wall, desk, audit
	Language string
	Words    map[string]string
	Table    string
	Tables   []string
	User     string // who is logged in
	Token    string // against orders from other sites
	Problem  string
	Floor    bool
}

func show(w http.ResponseWriter, r *http.Request, v view) { showAs(w, r, http.StatusOK, v) }

// showAs is show with another status.
func showAs(w http.ResponseWriter, r *http.Request, status int, v view) {
	v.Language = languageOf(r)
	v.Words = wordsIn(v.Language)
	var page bytes.Buffer
	if err := pages.Execute(&page, v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if status != http.StatusOK {
		w.WriteHeader(status)
	}
	_, _ = page.WriteTo(w) // a browser that left
}

// page serves a table's page of a kind. The table need not be heard of yet.
func (s *Server) page(kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !validName(r.PathValue("table")) {
			http.NotFound(w, r)
			return
		}
		show(w, r, view{Page: kind, Table: r.PathValue("table")})
	}
}

// dealer turns away whose address holds a key that is not the dealers'. With none the screen is anybody's, and shows no more than an overlay.
func (s *Server) dealer(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if key := r.URL.Query().Get("key"); key != "" && !s.knows(key) {
			http.Error(w, "this is not the dealers' key", http.StatusForbidden)
			return
		}
		h(w, r)
	}
}

func (s *Server) knows(key string) bool {
	return s.config.DealerKey != "" && subtle.ConstantTimeCompare([]byte(key), []byte(s.config.DealerKey)) == 1
}

func (s *Server) index(w http.ResponseWriter, r *http.Request) {
	names := s.hub.names()
	if len(names) == 0 {
		w.Header().Set("Refresh", "2")
	}
	show(w, r, view{Page: "index", Tables: names, Floor: s.floor != nil})
}

// seconds since a moment, -1 for none.
func since(t time.Time) int {
	if t.IsZero() {
		return -1
	}
	return int(time.Since(t).Seconds())
}
