package display

import (
	"crypto/subtle"
	"embed"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

//go:embed static
var embedded embed.FS

// files are the pages' scripts and styles, each under its name and nothing else: no folder is listed. They change only with the program.
func files(w http.ResponseWriter, r *http.Request) {
	name := "static/" + r.PathValue("name")
	if f, err := fs.Stat(embedded, name); err != nil || !f.Mode().IsRegular() {
		refuse(w, r, http.StatusNotFound, "no-page")
		return
	}
	http.ServeFileFS(w, r, embedded, name)
}

// refuse says why nothing comes of a request, in the language it was asked in: on a page to a browser that wanted one, and else in a line.
func refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		showAs(w, r, status, view{Page: "refusal", Problem: why})
		return
	}
	http.Error(w, Word(languageOf(r), why), status)
}

// missing is every page there is not.
func missing(w http.ResponseWriter, r *http.Request) { refuse(w, r, http.StatusNotFound, "no-page") }

func show(w http.ResponseWriter, r *http.Request, v view) { showAs(w, r, http.StatusOK, v) }

// showAs is show with another status.
func showAs(w http.ResponseWriter, r *http.Request, status int, v view) {
	v.Language = languageOf(r)
	v.Words = wordsIn(v.Language, v.Page != "overlay")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if status != http.StatusOK {
		w.WriteHeader(status)
	}
	_, _ = io.WriteString(w, frame(&v)) // a browser that left
}

// page serves a table's page of a kind. The table need not be heard of yet.
func (s *Server) page(kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !validName(r.PathValue("table")) {
			missing(w, r)
			return
		}
		show(w, r, view{Page: kind, Table: r.PathValue("table")})
	}
}

// dealer turns away whose address holds a key that is not the dealers'. With none the screen is anybody's, and shows no more than an overlay.
func (s *Server) dealer(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if key := r.URL.Query().Get("key"); key != "" && !s.knows(key) {
			refuse(w, r, http.StatusForbidden, "key-wrong")
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

// since is how many seconds ago a moment was, -1 for none.
func since(t time.Time) int {
	if t.IsZero() {
		return -1
	}
	return int(time.Since(t).Seconds())
}
