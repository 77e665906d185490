package broker

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/gorilla/websocket"
)

const anyPort = "127.0.0.1:0"

// over are the options of a client that comes as a web page does.
func over(b *Broker, user string) *paho.ClientOptions {
	o := options(b, user)
	o.Servers = nil
	return o.AddBroker("ws://" + b.Web())
}

// shake opens a WebSocket from a page of a site; "" says none.
func shake(b *Broker, origin string) (*websocket.Conn, error) {
	head := http.Header{}
	if origin != "" {
		head.Set("Origin", origin)
	}
	d := websocket.Dialer{Subprotocols: []string{"mqtt"}, HandshakeTimeout: 10 * time.Second}
	c, _, err := d.Dial("ws://"+b.Web(), head)
	return c, err
}

// What a web page may is what its user may, and passwords are asked as ever.
func TestWebPagesHaveTheirUsersRights(t *testing.T) {
	b := start(t, Config{Web: anyPort, Users: house})
	overlay := dial(t, over(b, "overlay"))
	if overlay == nil {
		t.Fatal("the overlay was refused")
	}
	got := make(chan string, 4)
	wait(t, "subscribe", overlay.Subscribe("#", 1, func(_ paho.Client, m paho.Message) { got <- m.Topic() }))
	table := dial(t, over(b, "table"))
	if table == nil {
		t.Fatal("the table was refused")
	}
	long := strings.Repeat("x", 100<<10) // of more than one frame's buffer
	for _, topic := range []string{"floor", "command/game", "layout"} {
		wait(t, topic, table.Publish("sabot/BJ-1/"+topic, 1, false, long))
	}
	select {
	case topic := <-got:
		if topic != "sabot/BJ-1/layout" {
			t.Errorf("the overlay read %s", topic)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the overlay read nothing")
	}
	for what, o := range map[string]*paho.ClientOptions{"a wrong password": over(b, "table").SetPassword("x"), "no name": over(b, "")} {
		if dial(t, o) != nil {
			t.Errorf("%s was let in", what)
		}
	}
}

// A page of another site, open in a browser on this machine, does not come in, whatever name its site has for this machine.
func TestForeignPagesAreRefused(t *testing.T) {
	b := start(t, Config{Web: anyPort, Origins: []string{"https://studio.example"}})
	port := b.Web()[strings.LastIndex(b.Web(), ":"):]
	for origin, want := range map[string]bool{
		"": true, "http://127.0.0.1:8000": true, "http://localhost": true, "https://[::1]:8443": true, "https://studio.example": true,
		"null": false, "file://": false, "https://evil.example": false, "http://evil.example" + port: false, "http://studio.example": false, "https://studio.example:444": false,
		"https://studio.example.evil.example": false, "http://localhost.evil.example": false, "http://127.0.0.1.evil.example": false, "http://localhost@evil.example": false,
		"chrome-extension://localhost": false, "://": false, "http://0.0.0.0": false,
	} {
		c, err := shake(b, origin)
		if err == nil {
			c.Close()
		}
		if (err == nil) != want {
			t.Errorf("a page from %q: %v", origin, err)
		}
	}
	for what, head := range map[string]http.Header{
		"from two sites":                      {"Origin": {"http://localhost", "https://evil.example"}},
		"whose site gave itself this address": {"Origin": {"http://evil.example" + port}, "Host": {"evil.example" + port}},
		"that says it is from nowhere":        {"Origin": {""}},
	} {
		if c, _, err := websocket.DefaultDialer.Dial("ws://"+b.Web(), head); err == nil {
			c.Close()
			t.Errorf("a page %s was let in", what)
		}
	}
	answer, err := http.Get("http://" + b.Web())
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusBadRequest {
		t.Errorf("a plain request: %s", answer.Status)
	}
}

// The limits are those of every connection: who says nothing goes, in the handshake and after it, and who does not read blocks nobody.
func TestWebPagesHaveTheLimitsOfAll(t *testing.T) {
	b := start(t, Config{Web: anyPort})
	mute, err := net.Dial("tcp", b.Web())
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	shaken, err := shake(b, "")
	if err != nil {
		t.Fatal(err)
	}
	defer shaken.Close()
	words, err := shake(b, "")
	if err != nil {
		t.Fatal(err)
	}
	defer words.Close()
	words.WriteMessage(websocket.TextMessage, []byte("\x10\x11\x00\x04MQTT\x04\x02\x00\x00\x00\x05words"))
	mute.SetReadDeadline(time.Now().Add(10 * helloTime))
	if _, err := io.Copy(io.Discard, mute); err != nil {
		t.Errorf("who says nothing at all: %v", err)
	}
	for what, c := range map[string]*websocket.Conn{"who says nothing in MQTT": shaken, "who says it in text": words} {
		c.SetReadDeadline(time.Now().Add(10 * helloTime))
		if _, _, err := c.ReadMessage(); err == nil || strings.Contains(err.Error(), "timeout") {
			t.Errorf("%s: %v", what, err)
		}
	}
	slow, err := shake(b, "")
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	slow.NetConn().(*net.TCPConn).SetReadBuffer(4096)
	for _, packet := range []string{"\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04slow", "\x82\x11\x00\x01", "\x00\x0csabot/T/call", "\x01"} { // the second one in three frames
		if err := slow.WriteMessage(websocket.BinaryMessage, []byte(packet)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, _, err := slow.ReadMessage(); err != nil {
			t.Fatal(err)
		}
	}
	table := connect(t, b, "table")
	for range 400 {
		wait(t, "publish beside a page that does not read", table.Publish("sabot/T/call", 1, false, strings.Repeat("x", 60<<10)))
	}
	for range 100 {
		if c, ok := b.server.Clients.Get("slow"); !ok || c.Closed() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("a page that does not read is still there")
}

// So many pages at once, and no more; those that leave make room.
func TestWebPagesAreCounted(t *testing.T) {
	b := start(t, Config{Web: anyPort})
	var in []*websocket.Conn
	for range maxConns {
		c, err := shake(b, "")
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, c)
	}
	if c, err := shake(b, ""); err == nil {
		c.Close()
		t.Error("one too many was let in")
	}
	connect(t, b, "table") // has a door of his own
	for _, c := range in {
		c.Close()
	}
	for range 200 {
		if c, err := shake(b, ""); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("nobody is let in any more")
}

// With a certificate pages come encrypted, and in no other way; without users none come from elsewhere.
func TestWebPagesComeEncrypted(t *testing.T) {
	site := httptest.NewUnstartedServer(nil)
	site.StartTLS()
	defer site.Close()
	b := start(t, Config{Web: anyPort, Users: house, TLS: &tls.Config{Certificates: site.TLS.Certificates}})
	trusted := x509.NewCertPool()
	trusted.AddCert(site.Certificate())
	o := over(b, "overlay").SetTLSConfig(&tls.Config{RootCAs: trusted, ServerName: "example.com"})
	o.Servers = nil
	if dial(t, o.AddBroker("wss://"+b.Web())) == nil {
		t.Error("an encrypted page was refused")
	}
	if dial(t, over(b, "overlay")) != nil {
		t.Error("a page came in the clear")
	}
	if b, err := Start(Config{Web: "0.0.0.0:0"}); err == nil {
		b.Close()
		t.Error("pages of other machines need no password")
	}
	if b := start(t, Config{}); b.Web() != "" {
		t.Errorf("listens for pages at %s", b.Web())
	}
}

// A broker closes with pages on it, in all states they can be in.
func TestCloseEndsWebPages(t *testing.T) {
	for i := range 20 {
		b := start(t, Config{Web: anyPort})
		if c := dial(t, over(b, fmt.Sprint("page", i))); c == nil {
			t.Fatal("a page was refused")
		}
		if c, err := shake(b, ""); err == nil {
			t.Cleanup(func() { c.Close() })
		}
		if c, err := net.Dial("tcp", b.Web()); err == nil {
			t.Cleanup(func() { c.Close() })
		}
		closed := make(chan error)
		go func() { closed <- b.Close() }()
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the broker does not close")
		}
	}
}
