package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sabot/mqtt/broker"
	"sabot/mqtt/display"
	"sabot/shoe/line"
	"sabot/table/journal"
)

// shown is a real table, played by a demonstration's people, and pages that follow it.
type shown struct {
	t       *testing.T
	broker  string
	journal string
	people  *studio
	shoe    *virtualShoe
	ctx     context.Context
}

// play plays some rounds of a game on a table of its own, which goes on running.
func play(t *testing.T, game string, rounds int) *shown {
	t.Helper()
	b, err := broker.Start(broker.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	ctx, stop := context.WithCancel(context.Background())
	dir := t.TempDir()
	vs, err := plugShoe(ctx, filepath.Join(dir, "shoe"), line.NewDevice("virtual", "test", rand.Uint32()|1))
	if err != nil {
		t.Fatal(err)
	}
	d := demoFlags{game: game, seed: 3, journal: filepath.Join(dir, "journal")}
	if err := d.choose(); err != nil {
		t.Fatal(err)
	}
	c, problems := parseConfig("demo", d.config(b.Addr(), vs.at()))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s, err := openStation(c, slog.New(slog.DiscardHandler), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	played := make(chan error, 1)
	go func() { played <- s.run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-played; err != nil {
			t.Error(err)
		}
	})
	people, err := d.people(vs, d.pace(ctx))
	if err == nil {
		err = people.join(b.Addr())
	}
	if err == nil {
		t.Cleanup(func() { people.broker.Disconnect(100) })
		err = people.run(ctx, rounds)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &shown{t, b.Addr(), d.journal, people, vs, ctx}
}

// display serves pages that begin to follow the table now.
func (s *shown) display(accounts string) string {
	s.t.Helper()
	pages, err := display.New(display.Config{Broker: "tcp://" + s.broker, Accounts: accounts})
	if err != nil {
		s.t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	go pages.Run(s.ctx, l)
	return "http://" + l.Addr().String()
}

// hear gives a stream's events of a kind until one satisfies enough.
func (s *shown) hear(address, kind string, enough func(body []byte) bool) {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.ctx, patience)
	defer stop()
	r, _ := http.NewRequestWithContext(ctx, "GET", address, nil)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	is := ""
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		if name == "event" {
			is = value
		}
		if name == "data" && is == kind && enough([]byte(value)) {
			return
		}
	}
	s.t.Fatalf("no %s that was waited for: %v", kind, lines.Err())
}

// Pages that are started in the middle of a shoe know its roads at once, by the layout alone.
func TestRoadsOfAShoeUnderWay(t *testing.T) {
	const rounds = 7
	s := play(t, "baccarat", rounds)
	s.hear(s.display("")+"/events/"+demoTable, "history", func(body []byte) bool {
		var m struct{ Body display.Roads }
		return json.Unmarshal(body, &m) == nil && len(m.Body.Bead) == rounds
	})
}

// login gives what sends orders from a page of whoever logs in.
func (s *shown) login(at, name, password string) (order func(body string) (ok bool, seq int64)) {
	s.t.Helper()
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar}
	answer, err := browser.PostForm(at+"/floor/login", url.Values{"name": {name}, "password": {password}})
	if err != nil {
		s.t.Fatal(err)
	}
	page, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	token := regexp.MustCompile(`data-token="([A-Z0-9]+)"`).FindSubmatch(page)
	if token == nil {
		s.t.Fatalf("no token after the login: %s", answer.Status)
	}
	return func(body string) (ok bool, seq int64) {
		r, _ := http.NewRequest("POST", at+"/floor/order/"+demoTable, strings.NewReader(body))
		r.Header.Set("X-Sabot-Token", string(token[1]))
		answer, err := browser.Do(r)
		if err != nil {
			s.t.Fatal(err)
		}
		defer answer.Body.Close()
		var reply struct {
			OK  bool
			Seq int64
		}
		if err := json.NewDecoder(answer.Body).Decode(&reply); err != nil {
			s.t.Fatalf("%s: %s: %v", body, answer.Status, err)
		}
		return reply.OK, reply.Seq
	}
}

// A supervisor logs in, sees why the table stopped, and brings it back with an order that the record has under his name.
func TestTheFloorClearsAStopOfARealTable(t *testing.T) {
	s := play(t, "blackjack", 1)
	accounts := filepath.Join(t.TempDir(), "accounts")
	if err := display.SetPassword(accounts, "ana.silva", "a long password"); err != nil {
		t.Fatal(err)
	}
	at := s.display(accounts)
	order := s.login(at, "ana.silva", "a long password")
	s.hear(at+"/events/"+demoTable, "layout", func([]byte) bool { return true })
	if err := s.shoe.Draw(s.people.cards[s.people.drawn]); err != nil { // a card that nobody waits for
		t.Fatal(err)
	}
	if err := s.people.until(s.ctx, "the stop", func() bool { return len(s.people.floor.Stops) == 1 }); err != nil {
		t.Fatal(err)
	}
	s.people.mu.Lock()
	stop := s.people.floor.Stops[0]
	s.people.mu.Unlock()
	ok, seq := order(fmt.Sprintf(`{"do":"release","irregularity":%d,"remedy":%q,"because":"seen"}`, stop.Irregularity, stop.Remedies[0]))
	if !ok || seq == 0 {
		t.Fatalf("refused: %v %d", ok, seq)
	}
	if err := s.people.until(s.ctx, "the release", func() bool { return len(s.people.floor.Stops) == 0 && s.people.layout.Stopped == nil }); err != nil {
		t.Fatal(err)
	}
	if ok, _ := order(`{"do":"void","round":1,"because":"the result was wrong"}`); !ok {
		t.Error("the last round was not voided")
	}
	if ok, _ := order(`{"do":"void","round":1,"because":"once more"}`); ok {
		t.Error("it was voided twice")
	}
	if ok, _ := order(`{"do":"pause"}`); !ok {
		t.Error("no pause")
	}
	files, err := journal.Segments(s.journal)
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		said += string(text)
	}
	if !strings.Contains(said, `by ana.silva because \"seen\"`) {
		t.Error("the record does not say who released")
	}
}
