//go:build real

package display

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sabot/mqtt/broker"
)

// The pages in a real Chromium. browser/test.mjs drives it and says what must be true; through a control port it makes the table say things, and the broker
// go away and come back. Screenshots are left in the folder SABOT_SHOTS names.
func TestPagesInABrowser(t *testing.T) {
	s := open(t)
	mux := s.sayer()
	mux.HandleFunc("POST /order", func(w http.ResponseWriter, _ *http.Request) { // the next order that reached the table
		select {
		case order := <-s.orders:
			w.Write(order)
		case <-time.After(time.Minute):
			http.Error(w, "no order came", http.StatusNotFound)
		}
	})
	mux.HandleFunc("POST /broker/stop", func(http.ResponseWriter, *http.Request) { s.broker.Close() })
	mux.HandleFunc("POST /broker/start", func(w http.ResponseWriter, _ *http.Request) {
		b, err := broker.Start(broker.Config{Addr: s.broker.Addr()})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		s.broker = b
		t.Cleanup(func() { b.Close() })
		s.connect()
	})
	mux.HandleFunc("POST /display/stop", func(http.ResponseWriter, *http.Request) { s.stop() })
	mux.HandleFunc("POST /display/start", func(http.ResponseWriter, *http.Request) { s.serve(strings.TrimPrefix(s.url, "http://")) })
	control := httptest.NewServer(mux)
	defer control.Close()
	shots := os.Getenv("SABOT_SHOTS") // "" takes none
	ctx, stop := context.WithTimeout(t.Context(), 8*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "node", "test.mjs", s.url, control.URL, shots, supervisor, password, dealerKey)
	cmd.Dir = "browser"
	cmd.WaitDelay = 10 * time.Second // a browser that outlives its driver may hold the pipe
	cmd.Stdout, cmd.Stderr = heard{t}, heard{t}
	if err := cmd.Run(); err != nil {
		t.Errorf("node and chromium are needed, and `make parts`: %v", err)
	}
}

// heard is a writer into a test's log, at once: what comes to no end says how far it came.
type heard struct{ t *testing.T }

// Write is io.Writer's.
func (h heard) Write(p []byte) (int, error) {
	h.t.Log(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// sayer makes the table say what is posted to it.
func (s *studio) sayer() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /say/{table}/{topic...}", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.sayAt(r.PathValue("table"), r.PathValue("topic"), body)
	})
	return mux
}

// BenchmarkCallToPixels times calls from a table's side until a real Chromium has painted their cards: through the broker, the display and its stream. For the figures in README:
// -benchtime 300x.
func BenchmarkCallToPixels(b *testing.B) {
	s := open(b)
	control := httptest.NewServer(s.sayer())
	defer control.Close()
	cmd := exec.CommandContext(b.Context(), "node", "pixels.mjs", s.url, control.URL, strconv.Itoa(b.N))
	cmd.Dir, cmd.WaitDelay = "browser", 10*time.Second
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("node and chromium are needed, and `make parts`: %v", err)
	}
	var took []float64
	for _, word := range strings.Fields(string(out)) {
		ms, err := strconv.ParseFloat(word, 64)
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, ms)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "p50-ms")
	b.ReportMetric(took[len(took)*99/100], "p99-ms")
	b.ReportMetric(0, "ns/op") // which counts the browser's start
}
