package display

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Two hundred overlays on one process: each hears each call.
func BenchmarkTwoHundredOverlays(b *testing.B) {
	h := newHub(false, false)
	h.link(nil)
	board := h.admit("T")
	s := &Server{hub: h, streams: make(chan struct{}, maxStreams)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: s.Handler()}
	go server.Serve(l)
	defer server.Close()
	board.hear("layout", layoutText("r", 1, `,"round":1,"last":null`), time.Now())
	heard := make(chan struct{}, 4096)
	for range 200 {
		go func() {
			answer, err := http.Get("http://" + l.Addr().String() + "/events/T")
			if err != nil {
				return
			}
			buffer := make([]byte, 4096)
			for {
				n, err := answer.Body.Read(buffer)
				if err != nil {
					return
				}
				for range strings.Count(string(buffer[:n]), "event: call") {
					heard <- struct{}{}
				}
			}
		}()
	}
	time.Sleep(time.Second)
	seq := int64(1)
	for b.Loop() {
		seq++
		board.hear("call", callText("r", seq, 1, `{"call":"card","hand":"player","card":"9s","total":9}`), time.Now())
		for range 200 {
			<-heard
		}
	}
}
