package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// hungAfter is how long a loop may not turn before it counts as dead. It waits for the disk, and a card that is about to fail may take seconds.
const hungAfter = 30 * time.Second

// handler answers /metrics, /healthz (the loop turns) and /readyz (a round could be dealt now, and would be heard).
func (m *metrics) handler(name string) http.Handler {
	all := prometheus.NewRegistry()
	prometheus.WrapRegistererWith(prometheus.Labels{"table": name}, all).MustRegister(m)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(all, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second, DisableCompression: true}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say503(w, m.ailing()) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { say503(w, append(m.ailing(), m.away()...)) })
	return mux
}

// say503 answers ok, or what is wrong, a line each.
func say503(w http.ResponseWriter, wrong []string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if len(wrong) == 0 {
		io.WriteString(w, "ok\n")
		return
	}
	w.WriteHeader(http.StatusServiceUnavailable)
	for _, line := range wrong {
		fmt.Fprintln(w, line)
	}
}

// ailing is what a new start would mend.
func (m *metrics) ailing() []string {
	if idle := m.idle(); idle > hungAfter {
		return []string{fmt.Sprintf("the loop has not turned for %v", idle.Round(time.Second))}
	}
	return nil
}

// away is what is not there.
func (m *metrics) away() (list []string) {
	if m.table.Load() == nil {
		list = append(list, "the table is not ready yet")
	}
	for _, name := range m.devices {
		if state, _ := m.station.links.of(name); state != "ok" {
			list = append(list, name+": "+state)
		}
	}
	if !m.station.client.Stats().Up {
		list = append(list, "broker: what the table says does not arrive")
	}
	return list
}

// serve answers until the context ends. That it cannot is no reason not to deal: whoever asks sees that nobody answers.
func (m *metrics) serve(ctx context.Context, c *Config, log *slog.Logger) {
	l, err := net.Listen("tcp", c.Metrics.Listen)
	if err != nil {
		log.Error("metrics are not served", "error", err)
		return
	}
	s := http.Server{
		Handler: m.handler(c.Table), ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 8 << 10,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	defer context.AfterFunc(ctx, func() { s.Close() })()
	log.Info("metrics are served", "at", "http://"+l.Addr().String()+"/metrics")
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		log.Error("metrics are not served any more", "error", err)
	}
}
