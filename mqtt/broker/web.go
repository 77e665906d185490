package broker

import (
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// web is a listener whose connections are WebSockets that came by another one. Who is let in there, and for how long without a word, is that one's doing.
type web struct {
	net.Listener
	server  *http.Server
	frames  websocket.Upgrader
	origins []string
	log     *slog.Logger
	came    chan net.Conn
	closed  chan struct{}
	close   sync.Once
}

// newWeb begins to serve on l.
func newWeb(l net.Listener, origins []string, to *slog.Logger) *web {
	w := &web{Listener: l, origins: origins, log: to, came: make(chan net.Conn), closed: make(chan struct{})}
	w.frames = websocket.Upgrader{Subprotocols: []string{"mqtt"}, CheckOrigin: w.admits}
	w.server = &http.Server{
		Handler: w, ReadTimeout: helloTime, MaxHeaderBytes: 16 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // which tells of each connection that breaks off
	}
	w.server.SetKeepAlivesEnabled(false)
	go w.server.Serve(l) // until l ends
	return w
}

// ServeHTTP makes a WebSocket of a request that asks for one.
func (w *web) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	c, err := w.frames.Upgrade(to, r, nil)
	if err != nil {
		return // it was answered
	}
	in := &socket{Conn: c.NetConn(), frames: c}
	if in.SetReadDeadline(time.Now().Add(helloTime)) != nil { // asking took the first one away
		in.Close()
		return
	}
	select {
	case w.came <- in:
	case <-w.closed:
		in.Close()
	}
}

// admits says whether a page may come in, by where the browser says that it is from. A page whose site has a name of its own for this machine (which is for that site to say) is that site's page still.
// What is no browser says nothing of the kind.
func (w *web) admits(r *http.Request) bool {
	from := r.Header.Values("Origin")
	if len(from) == 0 || len(from) == 1 && (slices.Contains(w.origins, from[0]) || here(from[0])) {
		return true
	}
	w.log.Warn("a web page was refused: its site is not among the origins", "origin", from[0], "from", r.RemoteAddr)
	return false
}

// here says whether pages from there are this machine's own. "null" is what browsers say of a file, and of any page that hides where it is from.
func here(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip, _ := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || ip.IsLoopback()
}

// Accept is net.Listener's.
func (w *web) Accept() (net.Conn, error) {
	select {
	case c := <-w.came:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

// Close is net.Listener's. What came in stays.
func (w *web) Close() error {
	w.close.Do(func() { close(w.closed) })
	return w.server.Close()
}

// socket is a WebSocket as a stream of bytes: a packet of MQTT may begin in one frame and end in another.
type socket struct {
	net.Conn
	frames *websocket.Conn
	frame  io.Reader // nil between two
}

var errText = errors.New("broker: MQTT comes in binary frames")

// Read is net.Conn's.
func (s *socket) Read(p []byte) (int, error) {
	for {
		if s.frame == nil {
			kind, frame, err := s.frames.NextReader()
			if err == nil && kind != websocket.BinaryMessage {
				err = errText
			}
			if err != nil {
				return 0, err
			}
			s.frame = frame
		}
		n, err := s.frame.Read(p)
		if err == io.EOF {
			s.frame, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Write is net.Conn's.
func (s *socket) Write(p []byte) (int, error) {
	if err := s.frames.WriteMessage(websocket.BinaryMessage, p); err != nil {
		return 0, err
	}
	return len(p), nil
}
