package display

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/mqtt/broker"
	"sabot/mqtt/mqtttest"
	"sabot/table"
)

// studio is a broker, a server that follows it, and a table that says what a test wants.
type studio struct {
	t        testing.TB
	url      string
	server   *Server
	stop     func()
	broker   *broker.Broker
	accounts string
	table    paho.Client
	orders   chan []byte     // what came on command/floor
	known    map[string]bool // the orders that came, by id: one that is sent again is answered again, and is the same one
}

const (
	supervisor = "S-2"
	password   = "correct horse battery"
	dealerKey  = "0123456789abcdef"
)

func open(t testing.TB) *studio {
	t.Helper()
	b, err := broker.Start(broker.Config{Addr: mqtttest.FreeAddr(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	accounts := filepath.Join(t.TempDir(), "accounts")
	if err := SetPassword(accounts, supervisor, password); err != nil {
		t.Fatal(err)
	}
	s := &studio{t: t, broker: b, accounts: accounts, orders: make(chan []byte, 16), known: map[string]bool{}}
	s.serve(mqtttest.FreeAddr(t))
	t.Cleanup(func() { s.stop() })
	s.connect()
	return s
}

// serve starts the display; stop ends it.
func (s *studio) serve(addr string) {
	s.t.Helper()
	var err error
	if s.server, err = New(Config{Broker: "tcp://" + s.broker.Addr(), Accounts: s.accounts, DealerKey: dealerKey}); err != nil {
		s.t.Fatal(err)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func(server *Server) { done <- server.Run(ctx, l) }(s.server)
	if s.url == "" {
		s.url = "http://" + l.Addr().String()
	}
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	})
}

// connect brings the table to its broker.
func (s *studio) connect() {
	s.t.Helper()
	table := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + s.broker.Addr()).SetClientID("table").SetAutoReconnect(false))
	s.wait(table.Connect())
	s.t.Cleanup(func() { table.Disconnect(0) })
	s.wait(table.Subscribe("sabot/+/command/floor", 1, s.reply))
	s.table = table
}

// reply says yes to every order.
func (s *studio) reply(c paho.Client, m paho.Message) {
	var order struct{ ID string }
	if json.Unmarshal(m.Payload(), &order) == nil {
		if !s.known[order.ID] {
			s.known[order.ID] = true
			s.orders <- m.Payload()
		}
		c.Publish("sabot/T/reply/floor", 1, false, fmt.Appendf(nil, `{"v":1,"id":%q,"ok":true,"seq":9}`, order.ID))
	}
}

func (s *studio) wait(token paho.Token) {
	s.t.Helper()
	if !token.WaitTimeout(10*time.Second) || token.Error() != nil {
		s.t.Fatal(token.Error())
	}
}

func (s *studio) say(topic string, payload []byte) {
	s.t.Helper()
	s.sayAt("T", topic, payload)
}

func (s *studio) sayAt(table, topic string, payload []byte) {
	s.t.Helper()
	retained := topic == "layout" || topic == "status" || topic == "floor/state"
	s.wait(s.table.Publish("sabot/"+table+"/"+topic, 1, retained, payload))
}

// heard waits until the server knows the table up to a seq.
func (s *studio) heard(seq int64) {
	s.t.Helper()
	for range 1000 {
		if b := s.server.hub.board("T"); b != nil {
			b.mu.Lock()
			known := b.layout.Seq
			b.mu.Unlock()
			if known >= seq {
				return
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.t.Fatalf("seq %d was not heard", seq)
}

// listen opens a stream and gives its events, without beats, as "kind id body".
func (s *studio) listen(path, last string) (next func() string) {
	s.t.Helper()
	r, _ := http.NewRequest("GET", s.url+path, nil)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { answer.Body.Close() })
	if got := answer.Header.Get("Content-Type"); got != "text/event-stream" {
		s.t.Fatalf("%s: %s %s", path, answer.Status, got)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	return func() string {
		s.t.Helper()
		id, kind := "", ""
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case name == "id":
				id = value
			case name == "event":
				kind = value
			case name == "data" && kind != "beat":
				return strings.TrimSpace(kind + " " + id)
			}
		}
		s.t.Fatalf("the stream ended: %v", lines.Err())
		return ""
	}
}

func TestStreamsBeginRightAndGoOn(t *testing.T) {
	s := open(t)
	early := s.listen("/events/T", "") // before the table was ever heard
	s.say("status", fmt.Appendf(nil, status, "online"))
	s.say("layout", layoutText("r", 1, `,"round":1,"last":null`))
	begun := []string{early(), early(), early()} // in the order it heard them, or as its opening
	slices.Sort(begun)
	if got := strings.Join(begun, ", "); got != "history, layout 1, state" {
		t.Errorf("early: %s", got)
	}
	s.heard(1)
	late := s.listen("/events/T", "")
	for _, want := range []string{"history", "layout 1", "state"} {
		if got := late(); got != want {
			t.Errorf("late: %s, want %s", got, want)
		}
	}
	for seq := int64(2); seq <= 4; seq++ {
		s.say("call", callText("r", seq, 1, ""))
		want := fmt.Sprintf("call %d", seq)
		if got := early(); got != want {
			t.Errorf("early: %s, want %s", got, want)
		}
		if got := late(); got != want {
			t.Errorf("late: %s, want %s", got, want)
		}
	}
	s.say("layout", layoutText("r", 4, `,"round":1,"last":null`))
	s.heard(4)
	again := s.listen("/events/T", "2") // a browser that saw 2 last
	for _, want := range []string{"history", "layout 1", "state", "call 3", "call 4", "layout 4"} {
		if got := again(); got != want {
			t.Errorf("again: %s, want %s", got, want)
		}
	}
}

// What only the staff may see is nowhere to be had without logging in.
func TestTheFloorIsBehindItsLogin(t *testing.T) {
	s := open(t)
	s.say("status", fmt.Appendf(nil, status, "online"))
	s.say("floor", []byte(`{"v":1,"seq":1,"calls":[{"call":"irregularity","code":"SECRET"}]}`))
	s.say("floor/state", []byte(`{"v":1,"seq":1,"dealer":"SECRET","stops":[{"irregularity":1,"code":"SECRET","remedies":["use"]}]}`))
	s.say("layout", layoutText("r", 1, `,"round":1,"last":null`))
	s.heard(1)
	stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for path, want := range map[string]int{
		"/": 200, "/overlay/T": 200, "/dealer/T": 200, "/floor/login": 200, "/floor/": 303, "/floor/table/T": 303,
		"/dealer/T?key=": 200, "/dealer/T?key=" + dealerKey: 200, "/dealer/T?key=x": 403, "/dealer/events/T?key=x": 403, "/dealer/events/a.b?key=" + dealerKey: 404,
		"/floor/wall": 401, "/floor/events/T": 401, "/floor/order/T": 404, "/overlay/a.b": 404, "/events/a.b": 404, "/static/floor.go": 404, "/x": 404,
	} {
		answer, err := stay.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != want || strings.Contains(string(body), "SECRET") {
			t.Errorf("%s: %s, want %d; %.80s", path, answer.Status, want, body)
		}
		if csp := answer.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
	seq := int64(1)
	for path, staff := range map[string]bool{
		"/events/T": false, "/events/T?key=" + dealerKey: false, "/dealer/events/T": false, "/dealer/events/T?key=": false, "/dealer/events/T?key=" + dealerKey: true,
	} {
		next := s.listen(path, "")
		hears := []string{"history", fmt.Sprint("layout ", seq), "state"}
		if staff {
			hears = append(hears, "floor-state 1")
		}
		seq++
		for _, want := range hears {
			if got := next(); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		}
		s.say("floor", fmt.Appendf(nil, `{"v":1,"seq":%d,"calls":[{"call":"irregularity","code":"SECRET"}]}`, seq)) // which is for the console alone
		s.say("layout", layoutText("r", seq, `,"round":1,"last":null`))
		if got, want := next(), fmt.Sprint("layout ", seq); got != want {
			t.Errorf("%s: then %s, want %s", path, got, want)
		}
		s.heard(seq)
	}
}

// A display that may only read what everybody may knows the roads of a shoe under way.
func TestOverlaysRightsAreEnough(t *testing.T) {
	b, err := broker.Start(broker.Config{Users: map[string]broker.User{"o": {Password: "o", Role: broker.Overlay}, "t": {Password: "t", Role: broker.Table}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, err := New(Config{Broker: "tcp://" + b.Addr(), User: "o", Password: "o"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go s.hub.follow(ctx, s.config, s.log)
	table := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + b.Addr()).SetClientID("table").SetUsername("t").SetPassword("t"))
	st := &studio{t: t, server: s, table: table}
	st.wait(table.Connect())
	defer table.Disconnect(0)
	st.say("layout", layoutText("r", 5, `,"round":4,"coups":["P","Bn","T"],"last":null`))
	st.heard(5)
	if m, ok := s.hub.board("T").public.before("history", s.hub.board("T").public.n); !ok || !strings.Contains(string(m.body), `"tie":1`) {
		t.Errorf("no roads: %s", m.body)
	}
}

// login gives a browser that is logged in, and its token.
func (s *studio) login() (*http.Client, string) {
	s.t.Helper()
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar}
	answer, err := browser.PostForm(s.url+"/floor/login", url.Values{"name": {supervisor}, "password": {password}})
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	page, _ := io.ReadAll(answer.Body)
	token := regexp.MustCompile(`data-token="([A-Z0-9]+)"`).FindSubmatch(page)
	if answer.StatusCode != 200 || token == nil {
		s.t.Fatalf("login: %s", answer.Status)
	}
	return browser, string(token[1])
}

func (s *studio) post(browser *http.Client, path, body string, head map[string]string) int {
	s.t.Helper()
	r, _ := http.NewRequest("POST", s.url+path, strings.NewReader(body))
	for k, v := range head {
		r.Header.Set(k, v)
	}
	answer, err := browser.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

// An order goes to the table under the name of whoever is logged in, from a page of ours and from nowhere else.
func TestOrders(t *testing.T) {
	s := open(t)
	s.say("layout", layoutText("r", 1, `,"round":1,"last":null`))
	s.heard(1)
	browser, token := s.login()
	const release = `{"do":"release","irregularity":4,"remedy":"use"}`
	tests := []struct {
		name, path, body string
		head             map[string]string
		want             int
	}{
		{"as it should be", "/floor/order/T", release, map[string]string{"X-Sabot-Token": token}, 200},
		{"without the token", "/floor/order/T", release, nil, 403},
		{"with another token", "/floor/order/T", release, map[string]string{"X-Sabot-Token": token[1:] + "A"}, 403},
		{"from another site", "/floor/order/T", release, map[string]string{"X-Sabot-Token": token, "Sec-Fetch-Site": "cross-site"}, 403},
		{"from another origin", "/floor/order/T", release, map[string]string{"X-Sabot-Token": token, "Origin": "https://elsewhere.example"}, 403},
		{"of an unknown table", "/floor/order/U", release, map[string]string{"X-Sabot-Token": token}, 404},
		{"no JSON", "/floor/order/T", "release", map[string]string{"X-Sabot-Token": token}, 400},
		{"unknown", "/floor/order/T", `{"do":"dance"}`, map[string]string{"X-Sabot-Token": token}, 400},
		{"two at once", "/floor/order/T", release + release, map[string]string{"X-Sabot-Token": token}, 400},
		{"under another name", "/floor/order/T", `{"do":"pause","by":"S-9"}`, map[string]string{"X-Sabot-Token": token}, 400},
		{"void without a reason", "/floor/order/T", `{"do":"void","round":1}`, map[string]string{"X-Sabot-Token": token}, 400},
		{"too long a reason", "/floor/order/T", `{"do":"void","round":1,"because":"` + strings.Repeat("x", 201) + `"}`, map[string]string{"X-Sabot-Token": token}, 400},
		{"to the overlay", "/overlay/T", release, map[string]string{"X-Sabot-Token": token}, 405},
		{"to the dealer's screen", "/dealer/T", release, map[string]string{"X-Sabot-Token": token}, 405},
		{"to the events", "/events/T", release, map[string]string{"X-Sabot-Token": token}, 405},
	}
	for _, test := range tests {
		if got := s.post(browser, test.path, test.body, test.head); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
	if got := s.post(http.DefaultClient, "/floor/order/T", release, map[string]string{"X-Sabot-Token": token}); got != 401 {
		t.Errorf("without a cookie: %d", got)
	}
	var sent struct {
		Do, By, Remedy string
		Irregularity   int64
	}
	if err := json.Unmarshal(<-s.orders, &sent); err != nil || sent.Do != "release" || sent.By != supervisor || sent.Remedy != "use" || sent.Irregularity != 4 {
		t.Errorf("%+v %v", sent, err)
	}
	if len(s.orders) != 0 {
		t.Errorf("%d more orders reached the table", len(s.orders))
	}
	limited := false
	for range 2 * orderTries {
		limited = limited || s.post(browser, "/floor/order/T", `{"do":"dance"}`, map[string]string{"X-Sabot-Token": token}) == 429
	}
	if !limited {
		t.Error("orders are not limited")
	}
	if got := s.post(browser, "/floor/logout", "", nil); got != 200 {
		t.Errorf("logout: %d", got)
	}
	if got := s.post(browser, "/floor/order/T", release, map[string]string{"X-Sabot-Token": token}); got != 401 {
		t.Errorf("after logging out: %d", got)
	}
}

func TestLogin(t *testing.T) {
	s := open(t)
	browser, _ := s.login()
	try := func(name, password string) int {
		form := url.Values{"name": {name}, "password": {password}}.Encode()
		return s.post(http.DefaultClient, "/floor/login", form, map[string]string{"Content-Type": "application/x-www-form-urlencoded"})
	}
	form := url.Values{"name": {supervisor}, "password": {password}}.Encode()
	if got := s.post(http.DefaultClient, "/floor/login", form, map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}); got != 403 {
		t.Errorf("a login from another site: %d", got)
	}
	for _, wrong := range [][2]string{{supervisor, "wrong"}, {"nobody", password}, {supervisor, ""}} {
		if got := try(wrong[0], wrong[1]); got != 403 {
			t.Errorf("%q: %d", wrong, got)
		}
	}
	for range loginTries {
		try("x", "x")
	}
	if got := try(supervisor, password); got != 429 {
		t.Errorf("after many attempts: %d", got)
	}
	wall := func() int {
		answer, err := browser.Get(s.url + "/floor/wall")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	if got := wall(); got != 200 {
		t.Errorf("logged in: %d", got)
	}
	if err := SetPassword(s.server.floor.accounts.path, supervisor, "another password"); err != nil {
		t.Fatal(err)
	}
	if got := wall(); got != 401 {
		t.Errorf("with a password that was changed meanwhile: %d", got)
	}
}

// A desk that is opened hears what was called of the round, and of what tells a whole only how it is now: the rest would weigh the more the longer the table runs.
func TestADeskBeginsWithTheRound(t *testing.T) {
	now := time.Now()
	b := newBoard("T", now)
	for seq := range int64(40) {
		b.hear("call", callText("r", seq+1, 1, ""), now)
		b.hear("layout", layoutText("r", seq+1, `,"round":1,"last":null`), now)
		b.hear("floor/state", fmt.Appendf(nil, `{"v":1,"record":"r","seq":%d,"stops":[],"devices":{}}`, seq+1), now)
	}
	desk := &stream{source: source{of: func(b *board) *ring { return &b.staff }, all: true}}
	heard := map[string]int{}
	batch := desk.begin(b)
	for len(batch) > 0 {
		for _, m := range batch {
			heard[m.kind]++
			if m.kind == "layout" && m.seq != 40 {
				t.Errorf("layout %d was shown", m.seq)
			}
		}
		batch, _, _, _ = desk.read(b)
	}
	if heard["call"] != 40 || heard["layout"] != 1 || heard["floor-state"] != 1 {
		t.Errorf("%v", heard)
	}
	b.hear("layout", layoutText("r", 41, `,"round":1,"last":null`), now)
	if batch, _, _, _ := desk.read(b); !slices.ContainsFunc(batch, func(m message) bool { return m.kind == "layout" && m.seq == 41 }) {
		t.Errorf("what came then: %v", batch)
	}
}

// A browser that is too slow for the ring is dropped, and one too many is refused.
func TestStreamsAreBounded(t *testing.T) {
	b := newBoard("T", start)
	slow := &stream{source: source{of: func(b *board) *ring { return &b.public }}}
	if _, _, _, ok := slow.read(b); !ok {
		t.Error("dropped where there is nothing to read")
	}
	for seq := range int64(ringSize + 1) {
		b.publish(said("call", seq+1, 0))
	}
	if _, _, _, ok := slow.read(b); ok {
		t.Error("a message was lost on the way to a browser, and it was not dropped")
	}
	s := &Server{hub: newHub(false, false), streams: newCrowd()}
	ask := func(address string) int {
		gone, leave := context.WithCancel(t.Context())
		leave() // a stream that was let in ends at once
		r := httptest.NewRequestWithContext(gone, "GET", "/events/T", nil)
		r.RemoteAddr = address + ":4711"
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w.Code
	}
	for range maxFrom {
		s.streams.enter("10.0.0.1")
	}
	if got := ask("10.0.0.1"); got != http.StatusServiceUnavailable {
		t.Errorf("one too many of a machine's: %d", got)
	}
	if got := ask("10.0.0.2"); got != http.StatusOK {
		t.Errorf("another machine's: %d", got)
	}
	if s.streams.leave("10.0.0.1"); ask("10.0.0.1") != http.StatusOK {
		t.Error("a place that became free is not given again")
	}
	for n := range maxStreams {
		s.streams.enter(fmt.Sprint(n))
	}
	if got := ask("10.0.0.2"); got != http.StatusServiceUnavailable {
		t.Errorf("one too many of all: %d", got)
	}
}

// Whoever guesses at a name from one machine, for as long as he likes, keeps nobody out who logs in from another.
func TestNobodyIsLockedOutByAnother(t *testing.T) {
	f := newFloor(nil, nil, false)
	tried, now := 0, start
	for range 10000 {
		if now = now.Add(time.Second); f.logins.allow("10.0.0.66", now) && f.names.allow(supervisor, now) {
			tried++
		}
	}
	if !f.logins.allow("10.0.0.1", now) || !f.names.allow(supervisor, now) {
		t.Errorf("after %d attempts from elsewhere", tried)
	}
	for n := range 2 * nameTries {
		f.names.allow(supervisor, now.Add(time.Duration(n)))
	}
	if f.names.allow(supervisor, now.Add(time.Second)) {
		t.Error("one name may be guessed at from everywhere without limit")
	}
}

// Without accounts there is no floor, and its topics are not heard.
func TestTheFloorIsOffUnlessConfigured(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"": "status layout call", "0123456789abcdef": "status layout call floor/state"} {
		dealers, err := New(Config{DealerKey: key})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(dealers.hub.topics, " "); got != want {
			t.Errorf("key %q: subscribes to %s, want %s", key, got, want)
		}
	}
	for _, path := range []string{"/floor/", "/floor/login", "/floor/wall", "/floor/events/T", "/floor/table/T"} {
		w := httptest.NewRecorder()
		if s.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil)); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// Pages bring everything themselves, and little of it.
func TestPagesAreSelfContainedAndLight(t *testing.T) {
	outside := regexp.MustCompile(`(?i)(https?:)?//[a-z0-9]+\.[a-z]|@import|url\(`)
	size := len(frame(&view{Page: "login"}))
	err := fs.WalkDir(embedded, "static", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(embedded, path)
		size += len(text)
		clean := strings.NewReplacer("http://www.w3.org/2000/svg", "", "`url(#${clip})`", "").Replace(string(text))
		if found := outside.FindString(clean); found != "" {
			t.Errorf("%s: %q comes from elsewhere", path, found)
		}
		for _, no := range []string{"eval(", "insertAdjacentHTML", "document.write", "innerHTML ="} {
			if strings.Contains(string(text), no) {
				t.Errorf("%s: %s makes text into markup", path, no)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	list, _ := json.Marshal(wordsIn("pt", true))
	if size += len(list); size > 150<<10 {
		t.Errorf("all pages together weigh %d bytes", size)
	}
	t.Logf("all pages together: %d bytes", size)
}

// Whatever is filled into a page, it stands there as text.
func TestFramesAreOfText(t *testing.T) {
	const hostile = `"'></script><script>alert(1)</script><!--&`
	for _, page := range []string{"overlay", "dealer", "index", "login", "wall", "desk", "audit", "refusal"} {
		v := view{
			Page: page, Language: hostile, Table: hostile, Tables: []string{hostile}, User: hostile, Token: hostile, Problem: "wrong",
			Words: map[string]string{hostile: hostile}, Floor: true,
		}
		clean := v
		clean.Language, clean.Table, clean.User, clean.Token, clean.Tables, clean.Words = "", "", "", "", []string{""}, nil
		for _, word := range []string{"title", "floor", "overlay", "dealer-to", "tables", "no-tables", "waiting", "name", "password", "login", "wrong"} {
			v.Words[word] = hostile
		}
		got, want := frame(&v), frame(&clean)
		for _, c := range []string{"<", ">", `"`} {
			if c == `"` { // words stand in a script, as JSON
				got = wordsAsJSON.ReplaceAllString(got, "")
				want = wordsAsJSON.ReplaceAllString(want, "")
			}
			if n := strings.Count(got, c); n != strings.Count(want, c) {
				t.Errorf("%s: %d of %s, want %d:\n%s", page, n, c, strings.Count(want, c), got)
			}
		}
	}
}

var wordsAsJSON = regexp.MustCompile(`(?s)id="words">.*?</script>`)

// A word for each word of the contract that a page may have to say, in each language.
func TestEveryWordIsThere(t *testing.T) {
	need := []string{}
	for p := table.Closed; p <= table.Spin; p++ {
		need = append(need, "phase."+p.String())
	}
	for d := table.DueNothing; d <= table.DueResult; d++ {
		need = append(need, "due."+d.String())
	}
	for _, may := range (^table.Actions(0)).Words() {
		need = append(need, "may."+may)
	}
	for s := table.Playing; s <= table.Unplayed; s++ {
		need = append(need, "state."+s.String())
	}
	for o := table.WonBlackjack; o <= table.PaidEven; o++ {
		need = append(need, "result."+o.String())
	}
	for p := table.NoPair; p <= table.SuitedTrips; p++ {
		need = append(need, "pair."+p.String())
	}
	for w := table.CallShoe; w <= table.CallNoSpin; w++ {
		need = append(need, "call."+w.String())
	}
	need = append(need, "call."+table.CallIrregular.String(), "call."+table.CallExposed.String(), "call."+table.CallReleased.String(), "call."+table.CallCorrected.String())
	for k := table.TableOpen; k.Word() != "none"; k++ {
		need = append(need, "event."+k.Word())
	}
	for do := range doable {
		need = append(need, "event."+strings.Replace(do, "table-", "table ", 1))
	}
	for _, device := range []string{"shoe", "wheel", "box"} {
		need = append(need, "device."+device)
	}
	for _, is := range []string{"ok", "lost", "busy", "denied", "silent"} {
		need = append(need, "dev."+is)
	}
	for r := table.Use; r <= table.Device; r++ {
		need = append(need, "remedy."+r.String())
	}
	used := regexp.MustCompile(`word\("([a-z0-9.-]+)"\)|Words\["([a-z-]+)"\]`)
	scripts, _ := fs.Glob(embedded, "static/*.js")
	source, err := os.ReadFile("frame.go")
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	for _, path := range scripts {
		b, _ := fs.ReadFile(embedded, path)
		text += string(b)
	}
	for _, m := range used.FindAllStringSubmatch(text, -1) {
		need = append(need, m[1]+m[2])
	}
	for _, name := range need {
		if w, known := words[name]; !known || (w[0] == "") != (w[1] == "") {
			t.Errorf("no word for %s: %q", name, w)
		}
	}
}
