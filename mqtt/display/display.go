// Package display shows tables to people: pages over HTTP for the picture on air, the dealer's screen, the supervisor's console.
//
// It is an MQTT subscriber like any other and knows what the contract in ../README.md tells it, of any number of tables on one broker. A browser needs
// no MQTT and never sees the broker's password: it holds one stream of Server-Sent Events. That is plain HTTP in which the answer never ends, a
// few lines of text for each event; after a break the browser asks again by itself and says in Last-Event-ID which seq it saw last.
//
// Each table has a [board]: the last messages in a ring, in the order they came. A browser's stream is nothing but a place in that ring, so a hundred of them
// cost a hundred places, one that asks to be shown everything some seconds later (to align with the video) stands some seconds behind, and one
// that is too slow finds its place overwritten, is dropped, and comes again. A stream begins with the layout that was true at its place and goes on from
// there: a page that was reloaded in the middle of a hand is right at once.
//
// There are two rings. What only the staff may see never enters the one that overlays read, and is not even subscribed to where nobody may see it. A dealer's screen
// that is opened with the dealers' key reads the staff's, but of it only the state: why the table stopped, and where the box's cursor stands.
package display

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Config says where the tables are heard and who may give orders.
type Config struct {
	Broker         string // tcp://, ssl://, ws:// or wss:// HOST:PORT; of a cluster its nodes, with commas between
	User, Password string
	TLS            *tls.Config // of the broker
	Accounts       string      // the file of those who may use the floor console; "" leaves it off
	DealerKey      string      // what the address of a dealer's screen must hold for it to say why the table stopped; "" for none that may
	Secure         bool        // browsers reach us over TLS only: cookies say so
	Log            *slog.Logger
}

// Server serves the pages of one broker's tables.
type Server struct {
	config  Config
	log     *slog.Logger
	hub     *hub
	floor   *floor // nil while it is off
	streams *crowd
}

// New makes a server. It reads the accounts, and fails where they cannot be read.
func New(c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{config: c, log: c.Log, hub: newHub(c.Accounts != "", c.DealerKey != ""), streams: newCrowd()}
	if c.Accounts != "" {
		a, err := ReadAccounts(c.Accounts)
		if err != nil {
			return nil, err
		}
		s.floor = newFloor(a, s.hub, c.Secure)
	}
	return s, nil
}

// Run follows the broker and serves on l until the context ends. A broker that goes away is looked for again for ever.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer stop()
	work.Go(func() { s.hub.follow(ctx, s.config, s.log) })
	work.Go(func() { s.hub.watch(ctx) })
	return Serve(ctx, l, s.Handler())
}

// Serve serves a handler until the context ends, with the limits that anything open to a network needs.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	h2 := &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	context.AfterFunc(ctx, func() { h2.Close() }) // streams never end by themselves
	if err := h2.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("display: %w", err)
	}
	return nil
}

// Handler is all pages.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", missing)
	mux.HandleFunc("GET /static/{name...}", files)
	mux.HandleFunc("GET /{$}", s.index)
	mux.HandleFunc("GET /overlay/{table}", s.page("overlay"))
	mux.HandleFunc("GET /dealer/{table}", s.dealer(s.page("dealer")))
	mux.HandleFunc("GET /events/{table}", s.events)
	mux.HandleFunc("GET /dealer/events/{table}", s.dealer(s.dealerEvents))
	if s.floor != nil {
		s.floor.routes(mux, s)
	}
	return guarded(mux)
}

// guarded puts on every answer what keeps a browser from running, loading or framing anything but ours. Overlays are opened by
// programs that frame nothing either.
func guarded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cache-Control", "no-store")
		h.ServeHTTP(w, r)
	})
}
