package mqtt

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"sabot/shoe"
	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/journal"
	"sabot/table/live"
)

// TestRates: so many at once, then so many a second, in whatever bursts; each topic its own, and as many refusals said as commands taken.
func TestRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		quotas := newQuotas(0)
		come := func(from table.Audience, n int) (taken, told int) {
			for range n {
				in, said := quotas[from].take(time.Now(), slog.New(slog.NewTextHandler(&log, nil)), "x")
				if in {
					taken++
				} else if said {
					told++
				}
			}
			return taken, told
		}
		for _, c := range []struct {
			after       time.Duration
			from        table.Audience
			n           int
			taken, told int
		}{
			{0, table.ToGame, 49, 49, 0}, {0, table.ToGame, 10000, 1, 50}, {0, table.ToFloor, 12, 10, 2},
			{time.Second, table.ToGame, 10000, 25, 25}, {0, table.ToFloor, 100, 5, 10}, {40 * time.Millisecond, table.ToGame, 9, 1, 1},
			{39 * time.Millisecond, table.ToGame, 9, 0, 0}, {time.Millisecond, table.ToGame, 9, 1, 1},
			{time.Hour, table.ToGame, 10000, 50, 50}, {0, table.ToFloor, 100, 10, 10},
		} {
			time.Sleep(c.after)
			if taken, told := come(c.from, c.n); taken != c.taken || told != c.told {
				t.Errorf("%v later %d commands: %d taken, %d refusals said; want %d, %d", c.after, c.n, taken, told, c.taken, c.told)
			}
		}
		if n := strings.Count(log.String(), "commands come faster"); n != 4 {
			t.Errorf("said %d times in the log: %s", n, log.String())
		}
		quotas = newQuotas(1000)
		if taken, _ := come(table.ToGame, 100); taken != gameRate.once {
			t.Errorf("a faster game server: %d at once", taken)
		}
		time.Sleep(10 * time.Millisecond)
		if taken, _ := come(table.ToGame, 100); taken != 10 {
			t.Errorf("a faster game server: %d in 10 ms", taken)
		}
	})
}

// flooded is a table with its loop, its record and its link, which a game server floods.
type flooded struct {
	live  *live.Live
	drawn atomic.Int32 // cards recorded
	after []int64      // for each card the last entry on disk when it was in its queue
}

func openTable(t *testing.T) *flooded {
	t.Helper()
	rules := blackjack.Deluxe()
	rules.Burn = table.BurnRule{}
	l, err := live.Open(t.TempDir(), live.Config{
		Table: tableName, GameName: "blackjack", Rules: "deluxe", Log: slog.New(slog.DiscardHandler),
		New:  func(o table.Opening) table.Game { return table.NewRound(blackjack.New(&rules, o)) },
		Show: func(table.Snapshot) {}, Halt: func() {},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &flooded{live: l}
}

// ask is a command from beside the link.
func (f *flooded) ask(t *testing.T, from table.Audience, notation string) {
	t.Helper()
	e, err := table.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	answer := make(chan table.Reply, 1)
	f.live.Command(table.Command{ID: "first-" + e.Kind.Word(), From: from, Event: e}, func(r table.Reply) { answer <- r })
	if r := <-answer; !r.OK {
		t.Fatalf("%s: %s", notation, r.Code)
	}
}

// draw is a card that leaves the shoe.
func (f *flooded) draw(n int) {
	e := table.Event{Kind: table.Draw, Card: shoe.New(shoe.Rank(n%13+1), shoe.Suit(n/13%4))}
	f.live.Device(live.Input{Event: e, Source: shoe.Source{Device: "shoe", Epoch: 1, Seq: uint32(n + 1)}, Done: func() { f.drawn.Add(1) }})
	f.after = append(f.after, f.live.Journal().Durable())
}

// TestAFloodDelaysNoCard: while a game server sends 10,000 commands as fast as the broker takes them, no card waits for more than the one command that was being
// written when it came; the floor is answered; the record takes no more than the rate; and all that is said arrives.
func TestAFloodDelaysNoCard(t *testing.T) { testFlood(t, startBroker(t, "").Addr()) }

const (
	floodOf = 10000
	cards   = 100
)

func testFlood(t *testing.T, addr string) {
	f := openTable(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.live.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	for _, order := range []string{"table open by S-1", "shoe 1 by S-1"} {
		f.ask(t, table.ToFloor, order)
	}
	f.ask(t, table.ToGame, "open")
	f.ask(t, table.ToGame, "close 1,2,3,4,5,6,7")
	r := &record{Journal: f.live.Journal(), t: t, dir: t.TempDir(), seq: f.live.Journal().Durable()}
	w := watch(t, addr)
	c, _ := runClient(t, r, addr, func(c *Client) { c.config.Command = f.live.Command })
	eventually(t, "up", func() bool { return c.Stats().Up })

	began := time.Now()
	server := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("server").SetAutoReconnect(false))
	if token := server.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer server.Disconnect(0)
	for n := range floodOf {
		token := server.Publish("sabot/BJ-1/command/game", 1, false, fmt.Sprintf(`{"v":1,"id":"flood-%d","round":1,"seen":1,"do":"stand","hand":"3a"}`, n))
		if n%(floodOf/cards) == 0 {
			f.draw(n / (floodOf / cards))
			token.WaitTimeout(patience)
		}
		if n == floodOf/2 {
			w.command("floor", `{"v":1,"id":"stop","do":"pause","by":"S-2"}`)
		}
	}
	eventually(t, "the floor's answer", func() bool { m := w.last("reply/floor"); return m["id"] == "stop" && m["ok"] == true })
	eventually(t, "the last card", func() bool { return f.drawn.Load() == cards })
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == f.live.Journal().Durable() })
	most := gameRate.once + gameRate.second*int(time.Since(began)/time.Second+1)
	w.drain()
	late, taken := f.late(t)
	now := c.Stats()
	t.Logf("of %d commands %d were recorded, %d refused above the rate, %d dropped; %d cards, %d of them delayed; %d refusals were said", floodOf, taken, now.Refused, now.Dropped, cards, late, len(w.on("reply/game"))-taken)
	if late > 0 {
		t.Errorf("%d cards were delayed", late)
	}
	if taken < gameRate.once || taken > most {
		t.Errorf("%d commands were recorded, want %d to %d", taken, gameRate.once, most)
	}
	eventually(t, "all calls", func() bool { // a command of the flood's end may be recorded late
		last, _ := w.ordered("call")
		return last == f.live.Journal().Durable()
	})
}

// late counts the cards that more than one other entry went before, cards apart, and the game server's commands in the record.
func (f *flooded) late(t *testing.T) (late, taken int) {
	t.Helper()
	r, err := f.live.Journal().Reader(0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	drawn := 0
	var others []int64 // entries that are no cards
	var e journal.Entry
	for e, err = r.Next(); err == nil; e, err = r.Next() {
		if e.Event.Kind != table.Draw {
			others = append(others, e.Seq)
			if strings.HasPrefix(e.From.Command, "flood-") {
				taken++
			}
			continue
		}
		if n := len(others); n > 1 && others[n-2] > f.after[drawn] {
			late++
		}
		drawn++
	}
	if drawn != cards {
		t.Errorf("%d of %d cards are recorded", drawn, cards)
	}
	return late, taken
}
