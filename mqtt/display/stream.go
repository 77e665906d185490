package display

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	maxDelay  = 30 * time.Second
	beatTime  = time.Second     // a page that hears nothing for some of these says so
	writeTime = 5 * time.Second // a browser that does not read is dropped
)

const (
	maxStreams = 1000 // browsers that are served at once
	maxFrom    = 250  // of them from one address, so that one machine cannot keep the others' pages off the air
)

// crowd counts the browsers that are served, by the address they come from.
type crowd struct {
	mu   sync.Mutex
	all  int
	from map[string]int
}

func newCrowd() *crowd { return &crowd{from: map[string]int{}} }

// enter counts one more, or is false where there are too many.
func (c *crowd) enter(address string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= maxStreams || c.from[address] >= maxFrom {
		return false
	}
	c.all++
	c.from[address]++
	return true
}

func (c *crowd) leave(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.from[address]--; c.from[address] == 0 {
		delete(c.from, address)
	}
}

// source is what a stream shows, and to whom.
type source struct {
	of   func(*board) *ring
	all  bool            // with the calls that are still held, and not from now on
	may  func() bool     // asked before each message
	less map[string]bool // the kinds of message that are left out
}

// events streams a table's public messages.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, source{of: func(b *board) *ring { return &b.public }, may: func() bool { return true }})
}

// dealerEvents streams to a dealer's screen what the staff may see of the table's state, and of the orders nothing; without a key only what everybody may see.
func (s *Server) dealerEvents(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("key") == "" {
		s.events(w, r)
		return
	}
	s.stream(w, r, source{of: func(b *board) *ring { return &b.staff }, may: func() bool { return true }, less: map[string]bool{"floor": true}})
}

// stream sends a ring's messages as they come. A table that nobody heard of yet is waited for: pages are opened before tables.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, shows source) {
	name := r.PathValue("table")
	if !validName(name) {
		missing(w, r)
		return
	}
	from := addressOf(r)
	if !s.streams.enter(from) {
		refuse(w, r, http.StatusServiceUnavailable, "pages-many")
		return
	}
	defer s.streams.leave(from)
	w.Header().Set("Content-Type", "text/event-stream")
	t := &stream{w: w, control: http.NewResponseController(w), delay: delayOf(r), source: shows}
	t.last, _ = strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	if t.beat() != nil {
		return
	}
	for s.hub.board(name) == nil {
		if !t.wait(r.Context(), nil, time.Time{}) {
			return
		}
	}
	t.follow(r.Context(), s.hub.board(name))
}

func delayOf(r *http.Request) time.Duration {
	ms, err := strconv.ParseUint(r.URL.Query().Get("delay"), 10, 31)
	if err != nil {
		return 0
	}
	return min(time.Duration(ms)*time.Millisecond, maxDelay)
}

// stream is one browser's.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	delay   time.Duration
	last    int64 // the seq it saw last
	source  source
	next    uint64
	past    uint64 // of what came before this one no whole is shown: the opening had the latest
	wrote   time.Time
}

// follow sends until the browser leaves or is overtaken.
func (t *stream) follow(ctx context.Context, b *board) {
	batch := t.begin(b)
	for {
		for _, m := range batch {
			if t.send(&m) != nil {
				return
			}
		}
		if len(batch) > 0 && t.control.Flush() != nil {
			return
		}
		var due time.Time
		var changed <-chan struct{}
		var ok bool
		if batch, due, changed, ok = t.read(b); !ok {
			return
		}
		if len(batch) == 0 && !t.wait(ctx, changed, due) {
			return
		}
	}
}

// begin finds the stream's place, and gives what makes a page right at once.
func (t *stream) begin(b *board) []message {
	b.mu.Lock()
	defer b.mu.Unlock()
	ring := t.source.of(b)
	t.next = ring.place(t.last, t.delay, time.Now())
	opening := ring.opening(t.next)
	if t.source.all {
		t.next, t.past = ring.oldest(), t.next
	}
	return opening
}

// read takes what is to be shown now, or says when the next message is, or what to wait for. It is false for a browser that was overtaken.
func (t *stream) read(b *board) (batch []message, due time.Time, changed <-chan struct{}, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ring := t.source.of(b)
	if t.next < ring.oldest() {
		return nil, due, nil, false
	}
	limit := time.Now().Add(-t.delay)
	for ; t.next < ring.n && len(batch) < 64; t.next++ {
		m := ring.get(t.next)
		if m.at.After(limit) {
			due = m.at.Add(t.delay)
			break
		}
		if !t.source.less[m.kind] && (t.next >= t.past || !slices.Contains(wholes, m.kind)) {
			batch = append(batch, *m)
		}
	}
	return batch, due, b.changed, true
}

// wait ends at news, at a moment (zero for none), or at a beat, which it sends; false when the browser is gone.
func (t *stream) wait(ctx context.Context, changed <-chan struct{}, due time.Time) bool {
	pause := max(time.Until(t.wrote.Add(beatTime)), 0)
	if !due.IsZero() {
		pause = min(pause, max(time.Until(due), 0))
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-changed:
		return true
	case <-timer.C:
		return time.Since(t.wrote) < beatTime || t.beat() == nil
	}
}

// beat says that the line is good.
func (t *stream) beat() error {
	if err := t.patience(); err != nil {
		return err
	}
	if _, err := t.w.Write([]byte("event: beat\ndata: {}\n\n")); err != nil {
		return err
	}
	return t.control.Flush()
}

// send writes a message with its age beyond the delay, by which a page counts its clocks down.
func (t *stream) send(m *message) error {
	if err := t.patience(); err != nil {
		return err
	}
	id := ""
	if m.seq > 0 {
		id = fmt.Sprintf("id: %d\n", m.seq)
	}
	age := max(time.Since(m.at)-t.delay, 0).Milliseconds()
	_, err := fmt.Fprintf(t.w, "%sevent: %s\ndata: {\"age\":%d,\"body\":%s}\n\n", id, m.kind, age, m.body)
	return err
}

// errLoggedOut ends the stream of whoever may no longer see it.
var errLoggedOut = errors.New("display: logged out")

// patience gives the next write its time, and takes the server's own limit on reading away.
func (t *stream) patience() error {
	if !t.source.may() {
		return errLoggedOut
	}
	if err := t.control.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	t.wrote = time.Now()
	return t.control.SetWriteDeadline(t.wrote.Add(writeTime))
}
