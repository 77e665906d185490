package display

import (
	"crypto/subtle"
	"embed"
	"io"
	"io/fs"
	"net/http"
	"time"
)

//go:embed static
var embedded embed.FS

// files are the pages' scripts and styles. They change only with the program.
var files = func() http.Handler {
	static, err := fs.Sub(embedded, "static")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return http.StripPrefix("/static/", http.FileServerFS(static))
}()

func show(w http.ResponseWriter, r *http.Request, v view) { showAs(w, r, http.StatusOK, v) }

// showAs is show with another status.
func showAs(w http.ResponseWriter, r *http.Request, status int, v view) {
	v.Language = languageOf(r)
	v.Words = wordsIn(v.Language)
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
