package main

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sabot/mqtt/broker"
	"sabot/mqtt/display"
	"sabot/shoe/line"
	"sabot/table"
	"sabot/table/blackjack/strategy"
	"sabot/table/wager"
)

// demoFlags are what the command line says of a demonstration.
type demoFlags struct {
	game     string
	rules    string
	rounds   int
	seed     uint64
	speed    float64
	listen   string
	pages    string
	journal  string
	mistakes float64
	language *string
}

// demoTable is the demonstration's table.
const demoTable = "DEMO"

// demo plays a table without hardware: everything between the shoe's port and the subscriber is what `run` uses.
func demo(e *env, args []string) error {
	var d demoFlags
	f := e.flags()
	f.StringVar(&d.game, "game", "blackjack", "the game: "+oneOf(sorted(games)))
	f.StringVar(&d.rules, "rules", "", "the preset of its rules (default deluxe, puntobanco or roulette)")
	f.IntVar(&d.rounds, "rounds", 0, "end after this many rounds; 0 plays until it is stopped")
	f.Uint64Var(&d.seed, "seed", 1, "shuffles the shoes and decides what people do")
	f.Float64Var(&d.speed, "speed", 1, "how fast people act; 10 is ten times as fast, 0 without any pause")
	f.StringVar(&d.listen, "mqtt", "", "where the embedded broker listens (default 127.0.0.1:1883, or any free port when that is taken)")
	f.StringVar(&d.pages, "pages", "", "where the pages for overlay and dealer are served (default "+defaultPages+", or any free port when that is taken)")
	f.StringVar(&d.journal, "journal", "", "keep the record in this folder, and go on with the one it holds (default a temporary one)")
	f.Float64Var(&d.mistakes, "mistakes", 0.02, "how often somebody errs, 0 to 1")
	d.language = languageFlag(f)
	if _, err := e.parse(f, args, 0, 0); err != nil {
		return err
	}
	if d.rounds < 0 || d.speed < 0 || d.mistakes < 0 || d.mistakes > 1 {
		return usageError("demo: rounds and speed cannot be negative, and mistakes are from 0 to 1")
	}
	if err := d.choose(); err != nil {
		return err
	}
	return d.play(e)
}

// choose settles what is played.
func (d *demoFlags) choose() error {
	presets, ok := games[d.game]
	if !ok {
		return usageError(fmt.Sprintf("demo: there is no game %q; write %s", d.game, oneOf(sorted(games))))
	}
	if d.rules == "" {
		d.rules = map[string]string{"blackjack": "deluxe", "baccarat": "puntobanco", "roulette": "roulette"}[d.game]
	}
	if presets[d.rules] == nil {
		return usageError(fmt.Sprintf("demo: there are no rules %q of %s; write %s", d.rules, d.game, oneOf(sorted(presets))))
	}
	return nil
}

func (d *demoFlags) play(e *env) error {
	temp, err := os.MkdirTemp("", "sabot-demo-")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer os.RemoveAll(temp)
	if d.journal == "" {
		d.journal = filepath.Join(temp, "journal")
	}
	if d.journal, err = filepath.Abs(d.journal); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	b, err := d.startBroker()
	if err != nil {
		return err
	}
	defer b.Close()
	ctx, stop := context.WithCancel(e.ctx)
	defer stop()
	vs, err := plugShoe(ctx, filepath.Join(temp, "shoe"), line.NewDevice("virtual", "demo", newEpoch()))
	if err != nil {
		return err
	}
	c, problems := parseConfig("demo", d.config(b.Addr(), vs.at()))
	if len(problems) > 0 {
		return problems
	}
	tell := &teller{narrator: narrator{*d.language}, out: e.stdout}
	s, err := openStation(c, slog.New(slog.DiscardHandler), tell.hear, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "table %s: rules %s, record %s in %s\n", demoTable, c.Play.Rules, s.live.Journal().Record(), d.journal)
	if err := d.servePages(ctx, e.stdout, b.Addr()); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "for web pages of your own: ws://%s\n", b.Web())
	fmt.Fprintf(e.stdout, "watch it: mosquitto_sub -h %s -p %s -t 'sabot/#' -v\n\n", host(b.Addr()), port(b.Addr()))
	return d.run(ctx, stop, s, vs, b.Addr(), tell)
}

// config is a configuration as a technician would write it.
func (d *demoFlags) config(addr, shoe string) string {
	device := games[d.game][d.rules]().Device
	bets := ""
	if d.session() {
		bets = "bets: {seat: 2-2}\n" // a chip is a minor unit, and everybody bets two
	}
	return fmt.Sprintf("table: %s\ngame: %s\nrules: %s\n%sjournal: %q\n%s:\n  protocol: line\n  port: %q\nmqtt:\n  broker: tcp://%s\n  commands: 10000\n", demoTable, d.game, d.rules, bets, d.journal, device, shoe, addr)
}

// session says that the players play the didactic session.
func (d *demoFlags) session() bool { return d.rules == "didactic" }

// startBroker listens where it was told, or where people look first, or anywhere; for web pages on this machine, too.
func (d *demoFlags) startBroker() (*broker.Broker, error) {
	first := []string{"127.0.0.1:1883", "127.0.0.1:0"}
	if d.listen != "" {
		first = []string{d.listen}
	}
	var b *broker.Broker
	var err error
	for _, addr := range first {
		for _, web := range []string{"127.0.0.1:9001", "127.0.0.1:0"} {
			if b, err = broker.Start(broker.Config{Addr: addr, Web: web}); err == nil {
				return b, nil
			}
		}
	}
	return nil, err
}

// servePages serves the pages of the demonstration's table, and says where.
func (d *demoFlags) servePages(ctx context.Context, out io.Writer, broker string) error {
	l, _, err := DisplayConfig{Listen: d.pages}.open()
	if err != nil && d.pages == "" {
		l, _, err = DisplayConfig{Listen: "127.0.0.1:0"}.open()
	}
	if err != nil {
		return err
	}
	key := crand.Text()
	s, err := display.New(display.Config{Broker: "tcp://" + broker, DealerKey: key})
	if err != nil {
		return err
	}
	go s.Run(ctx, l)
	fmt.Fprintf(out, "overlay: %s\n", pageURL("http", l, "/overlay/"+demoTable))
	fmt.Fprintf(out, "dealer: %s?key=%s\n", pageURL("http", l, "/dealer/"+demoTable), key)
	return nil
}

// run plays beside the station, and sums up.
func (d *demoFlags) run(ctx context.Context, stop func(), s *station, vs *virtualShoe, addr string, tell *teller) error {
	played := make(chan error, 1)
	go func() { played <- s.run(ctx) }()
	people, err := d.people(vs, d.pace(ctx))
	if err != nil {
		return err
	}
	if s.resumed { // the program began anew, and the shoe with it; what was before is said again as far as nobody may have heard it
		people.floorSeq = s.live.Journal().Durable()
		people.excused = []string{table.Restart.String(), table.DeviceRestart.String(), table.RecordDoubt.String()}
	}
	people.tells = tell.session
	err = people.join(addr)
	if err == nil {
		err = people.run(ctx, d.rounds)
		people.broker.Disconnect(100)
	}
	stop()
	stopped := <-played
	if errors.Is(err, context.Canceled) { // asked to stop, perhaps in the middle of a mistake
		err = nil
		people.heard(func() { people.erred = nil })
	}
	tell.sumUp(people, s.client.Stats())
	return errors.Join(err, stopped, people.verdict())
}

// people are those who play such a table.
func (d *demoFlags) people(vs *virtualShoe, pace func(time.Duration)) (*studio, error) {
	play := games[d.game][d.rules]()
	s := &studio{
		table: demoTable, device: play.Device, game: d.game, seated: table.MaxSeats,
		shoe: vs, rng: rand.New(rand.NewPCG(d.seed, 0)), seed: d.seed, mistakes: d.mistakes, pace: pace,
	}
	if play.Blackjack == nil {
		return s, nil
	}
	s.seated, s.evens = int(play.Blackjack.Seats), play.Blackjack.EvenMoney
	if d.session() {
		s.book = &sessionBook{start: func(players table.Seats) wager.Session { return wager.NewSession(players, 1) }}
	}
	var err error
	s.play, err = strategy.Load(d.rules)
	return s, err
}

// pace makes people wait at the demonstration's speed.
func (d *demoFlags) pace(ctx context.Context) func(time.Duration) {
	return func(t time.Duration) {
		if d.speed == 0 {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(float64(t) / d.speed)):
		}
	}
}

// verdict is an error when the table missed a mistake or called one that nobody made.
func (s *studio) verdict() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.alarms) > 0:
		return fmt.Errorf("demo: false alarms: %s", strings.Join(s.alarms, ", "))
	case len(s.erred) > 0:
		return fmt.Errorf("demo: not called: %s", strings.Join(s.erred, ", "))
	}
	return nil
}

func host(addr string) string { h, _, _ := net.SplitHostPort(addr); return h }

func port(addr string) string { _, p, _ := net.SplitHostPort(addr); return p }
