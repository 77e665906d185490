package serial

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sabot/shoe"
)

// patience is how long a test waits for what must come. It decides nothing but how soon a failure shows.
const patience = time.Minute

// lines is a decoder of lines: each is a report with its text. It breaks at "panic", and at the first tick sends what it was given.
type lines struct {
	first   []byte // sent once
	half    []byte
	whole   uint64
	resumed chan shoe.Source
	waits   chan string // each half line, when its bytes came
}

func newLines() *lines {
	return &lines{resumed: make(chan shoe.Source, 100), waits: make(chan string, 1000)}
}

func (l *lines) Feed(_ time.Duration, p []byte) (reports []shoe.Report, out []byte) {
	if p == nil {
		out, l.first = l.first, nil
		return nil, out
	}
	l.half = append(l.half, p...)
	for {
		line, rest, ok := bytes.Cut(l.half, []byte("\n"))
		if !ok {
			l.waits <- string(l.half)
			return reports, nil
		}
		l.half = rest
		l.whole++
		if string(line) == "panic" {
			panic("a decoder's mistake")
		}
		reports = append(reports, shoe.Report{Kind: shoe.Pressed, Text: string(line)})
	}
}

func (l *lines) Understood() uint64 { return l.whole }

func (l *lines) Ack(s shoe.Source) []byte { return fmt.Appendf(nil, "ack %d\n", s.Seq) }

func (l *lines) Lock(closed bool) []byte { return fmt.Appendf(nil, "lock %v\n", closed) }

func (l *lines) Resume(s shoe.Source) {
	l.half = nil
	l.resumed <- s
}

// running is a device that runs, and what it reports.
type running struct {
	*Device
	t    *testing.T
	dec  *lines
	came chan Arrival
	log  *syncBuffer
	stop func()
	done chan error
}

// syncBuffer is a log to read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// prepare makes a device at a path; run starts it.
func prepare(t *testing.T, c Config) *running {
	r := &running{t: t, dec: newLines(), came: make(chan Arrival, 1000), log: &syncBuffer{}, done: make(chan error, 1)}
	c.Name, c.Baud, c.Log = "shoe", 115200, slog.New(slog.NewTextHandler(r.log, nil))
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	r.Device = NewDevice(c, r.dec, func(a Arrival) {
		select {
		case r.came <- a:
		case <-ctx.Done():
		}
	})
	t.Cleanup(stop)
	return r
}

func (r *running) run() *running {
	ctx, stop := context.WithCancel(context.Background())
	was := r.stop
	r.stop = func() { was(); stop() }
	r.t.Cleanup(stop)
	go func() { r.done <- r.Run(ctx) }()
	return r
}

// next is the next report, as "kind text".
func (r *running) next() string {
	r.t.Helper()
	select {
	case a := <-r.came:
		if a.Report.Kind == shoe.Pressed {
			return a.Report.Text
		}
		return a.Report.Kind.String() + " " + a.Report.Source.Device
	case <-time.After(patience):
		r.t.Fatal("nothing came")
		return ""
	}
}

func (r *running) expect(all ...string) {
	r.t.Helper()
	for _, want := range all {
		if got := r.next(); got != want {
			r.t.Fatalf("%q came, want %q", got, want)
		}
	}
}

func (r *running) quiet() {
	r.t.Helper()
	select {
	case a := <-r.came:
		r.t.Fatalf("%v %q came too", a.Report.Kind, a.Report.Text)
	default:
	}
}

// ended waits for Run.
func (r *running) ended() error {
	r.t.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(patience):
		r.t.Fatal("Run did not end")
		return nil
	}
}

// plug is a name that can point at one cable after another, as those of /dev/serial/by-id do.
type plug struct {
	t    *testing.T
	path string
}

func newPlug(t *testing.T) plug { return plug{t, filepath.Join(t.TempDir(), "shoe")} }

func (p plug) in() *os.File {
	p.t.Helper()
	device, path := cable(p.t)
	os.Remove(p.path)
	if err := os.Symlink(path, p.path); err != nil {
		p.t.Fatal(err)
	}
	return device
}

func say(t *testing.T, w io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
}

// hear reads until text has come.
func hear(t *testing.T, r io.Reader, text string) {
	t.Helper()
	heard := make(chan string, 1)
	go func() {
		var all []byte
		for p := make([]byte, 1); !strings.Contains(string(all), text); {
			if _, err := r.Read(p); err != nil {
				break
			}
			all = append(all, p...)
		}
		heard <- string(all)
	}()
	select {
	case all := <-heard:
		if !strings.Contains(all, text) {
			t.Fatalf("the device heard %q, want %q", all, text)
		}
	case <-time.After(patience):
		t.Fatalf("the device did not hear %q", text)
	}
}

func TestPluggedFromTheStart(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path, Resume: shoe.Source{Device: "shoe", Epoch: 7, Seq: 12}}).run()
	before := time.Now()
	say(t, device, "one\ntw")
	say(t, device, "o\n")
	first := <-r.came
	if first.Report.Text != "one" || first.At.Before(before) || first.At.After(time.Now()) {
		t.Errorf("%+v", first)
	}
	r.expect("two")
	if s := <-r.dec.resumed; s.Seq != 12 {
		t.Errorf("resumed at %v", s)
	}
	r.Lock(true)
	hear(t, device, "lock true\n")
	r.Ack(shoe.Source{Epoch: 7, Seq: 13})
	hear(t, device, "ack 13\n")
	r.stop()
	if err := r.ended(); err != nil {
		t.Error(err)
	}
	r.quiet()
	if r.log.String() != "" {
		t.Errorf("it logged %s", r.log)
	}
	open(t, p.path)
}

func TestUnplugAndReplug(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path}).run()
	say(t, device, "one\n")
	r.expect("one")
	r.Ack(shoe.Source{Device: "shoe", Epoch: 7, Seq: 1})
	hear(t, device, "ack 1\n")
	r.Lock(true)
	hear(t, device, "lock true\n")
	for range 3 {
		say(t, device, "ha")
		for <-r.dec.waits != "ha" {
		}
		os.Remove(p.path)
		device.Close()
		r.expect("lost shoe")
		r.Ack(shoe.Source{Device: "shoe"}) // as the loop does with every report
		device = p.in()
		r.expect("found shoe")
		say(t, device, "lf\nwhole\n")
		r.expect("lf", "whole")
		hear(t, device, "lock true\n")
	}
	r.quiet()
	<-r.dec.resumed
	for range 3 {
		if s := <-r.dec.resumed; s.Epoch != 7 || s.Seq != 1 {
			t.Errorf("resumed at %v", s)
		}
	}
	log := r.log.String()
	if strings.Count(log, `level=WARN msg="device lost" device=shoe`) != 3 || strings.Count(log, `level=WARN msg="device found" device=shoe`) != 3 || strings.Count(log, "\n") != 6 {
		t.Errorf("log:\n%s", log)
	}
}

func TestMissingAtTheStart(t *testing.T) {
	p := newPlug(t)
	r := prepare(t, Config{Path: p.path}).run()
	a := <-r.came
	if a.Report.Kind != shoe.Lost || a.Report.Code != "lost" || a.Report.Source != (shoe.Source{Device: "shoe"}) || !strings.Contains(a.Report.Text, p.path) {
		t.Errorf("%+v", a.Report)
	}
	device := p.in()
	r.expect("found shoe")
	say(t, device, "one\n")
	r.expect("one")
}

func TestAPortThatAnotherHoldsIsWaitedFor(t *testing.T) {
	p := newPlug(t)
	p.in()
	other := open(t, p.path)
	r := prepare(t, Config{Path: p.path}).run()
	if a := <-r.came; a.Report.Kind != shoe.Lost || a.Report.Code != "busy" || !strings.Contains(a.Report.Text, "sudo fuser -v") {
		t.Errorf("%+v came", a.Report)
	}
	other.Close()
	r.expect("found shoe")
}

func TestAnotherReasonIsSaidAgain(t *testing.T) {
	var heard []string
	r := prepare(t, Config{Path: "x", Link: func(state string) { heard = append(heard, state) }})
	for _, why := range []error{io.EOF, io.ErrUnexpectedEOF, fmt.Errorf("%w: …", ErrDenied), ErrDenied, ErrBusy, fmt.Errorf("%w: …", errSilent)} {
		r.lose(why)
	}
	r.expect("lost shoe")
	r.quiet()
	r.find()
	r.find()
	r.expect("found shoe")
	if n := strings.Count(r.log.String(), "device lost"); n != 4 {
		t.Errorf("%d lines:\n%s", n, r.log)
	}
	if got := strings.Join(heard, " "); got != "lost denied busy silent ok" {
		t.Errorf("heard %s", got)
	}
}

func TestOverTCP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	r := prepare(t, Config{Path: "tcp://" + listener.Addr().String()}).run()
	for i := range 2 {
		box, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			r.expect("lost shoe", "found shoe")
		}
		say(t, box, "one\n")
		r.expect("one")
		box.Close()
	}
}

// A box that takes each call and ends it at once is lost once, and found when it stays.
func TestABoxThatHangsUp(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	r := prepare(t, Config{Path: "tcp://" + listener.Addr().String()}).run()
	for range 4 {
		box, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		box.Close()
	}
	if box, err := listener.Accept(); err == nil {
		defer box.Close()
	}
	r.expect("lost shoe", "found shoe")
	r.quiet()
}

// counted counts what is asked of a port.
type counted struct {
	Port
	reads *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	c.reads.Add(1)
	return c.Port.Read(p)
}

func TestSilenceAndLossCostNothing(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path})
	var opens, reads atomic.Int64
	r.Device.open = func(ctx context.Context) (Port, error) {
		opens.Add(1)
		port, err := Open(ctx, p.path, Mode{})
		return counted{port, &reads}, err
	}
	r.run()
	say(t, device, "one\n")
	r.expect("one")
	time.Sleep(500 * time.Millisecond)
	if n := reads.Load(); n > 3 {
		t.Errorf("%d reads for one line and half a second of silence", n)
	}
	os.Remove(p.path)
	device.Close()
	r.expect("lost shoe")
	time.Sleep(500 * time.Millisecond)
	if n := opens.Load(); n > 8 {
		t.Errorf("opened %d times in half a second", n)
	}
}

func TestAStalledDeviceIsReopenedAndReadMeanwhile(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path})
	r.dec.first = make([]byte, 1<<20) // more than any tty takes from us while nobody reads it
	r.run()
	<-r.dec.resumed
	for range 50 {
		say(t, device, strings.Repeat("x", 999)+"\n")
	}
	n := 0
	for got := r.next(); got != "lost shoe"; got = r.next() {
		n++
	}
	if n == 0 {
		t.Error("nothing was read while the write was blocked")
	}
	for got := r.next(); got != "found shoe"; got = r.next() {
	}
}

func TestATableTooSlowLosesOnePieceAndSaysWhere(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path})
	r.came = make(chan Arrival) // nobody takes anything yet
	r.run()
	say(t, device, "first\n")
	for range 100 {
		say(t, device, strings.Repeat("x", 999)+"\n")
	}
	r.expect("first")
	n := 0
	for got := r.next(); got != "gap shoe"; got = r.next() {
		n++
	}
	if n >= 100 || n < 32 {
		t.Errorf("%d lines before the gap", n)
	}
	if len(r.dec.resumed) != 2 {
		t.Error("the decoder was not told to forget its half line")
	}
	say(t, device, "\nlast\n")
	for got := r.next(); got != "last"; got = r.next() {
	}
	if !strings.Contains(r.log.String(), "bytes lost") {
		t.Error("nothing in the log")
	}
}

func TestCancelEndsWhatIsBlocked(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	blocked := prepare(t, Config{Path: p.path})
	blocked.came = make(chan Arrival)
	blocked.run()
	say(t, device, "one\n")
	blocked.stop()
	if err := blocked.ended(); err != nil {
		t.Error(err)
	}
	away := prepare(t, Config{Path: p.path + "-missing"}).run()
	away.expect("lost shoe")
	away.stop()
	if err := away.ended(); err != nil {
		t.Error(err)
	}
}

func TestADecodersPanicIsAFault(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path}).run()
	say(t, device, "panic\n")
	a := <-r.came
	if a.Report.Kind != shoe.Faulted || a.Report.Code != "decoder" || string(a.Report.Raw) != "panic\n" || a.Report.Source.Device != "shoe" {
		t.Errorf("%+v", a.Report)
	}
	say(t, device, "one\n")
	r.expect("one")
	if strings.Contains(r.log.String(), "mistake") {
		t.Errorf("the log tells what was read: %s", r.log)
	}
}

// told says when a port is closed.
type told struct {
	Port
	closed chan struct{}
	once   *sync.Once
}

func (p told) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Port.Close()
}

func TestAPulledCableIsClosedAtOnceHoweverSlowTheTable(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path})
	closed, once := make(chan struct{}), &sync.Once{}
	r.Device.open = func(ctx context.Context) (Port, error) {
		port, err := Open(ctx, p.path, Mode{})
		return told{port, closed, once}, err
	}
	r.came = make(chan Arrival)
	r.run()
	say(t, device, "one\ntwo\n")
	r.expect("one") // and nobody takes the second
	os.Remove(p.path)
	device.Close()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("the port is held while the table is busy")
	}
	r.stop()
}

func TestASilentDeviceIsLostUntilItSpeaks(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	heard := make(chan string, 100)
	r := prepare(t, Config{Path: p.path, Silence: 10 * time.Millisecond, Link: func(state string) { heard <- state }}).run()
	r.expect("lost shoe")
	if state := <-heard; state != "silent" {
		t.Errorf("it is %s", state)
	}
	<-r.dec.resumed
	<-r.dec.resumed // opened again
	r.quiet()
	go func() { // what is said while the port is closed is lost, so again
		for {
			if _, err := io.WriteString(device, "one\n"); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	r.expect("found shoe", "one")
}

// Bytes are no heartbeat: another device, or a wrong speed, has as many.
func TestBytesThatAreNotUnderstoodAreNoHeartbeat(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path, Silence: 50 * time.Millisecond}).run()
	ctx, stop := context.WithCancel(t.Context())
	babbled := make(chan bool)
	go func() {
		defer close(babbled)
		for ctx.Err() == nil {
			io.WriteString(device, "\xa5\xa5")
			time.Sleep(5 * time.Millisecond)
		}
	}()
	r.expect("lost shoe")
	<-r.dec.resumed
	<-r.dec.resumed // opened again, and lost still
	<-r.dec.resumed
	r.quiet()
	if log := r.log.String(); !strings.Contains(log, "is understood") || !strings.Contains(log, "baud?") {
		t.Errorf("the log says\n%s", log)
	}
	stop()
	<-babbled
	go func() {
		for {
			if _, err := io.WriteString(device, "\none\n"); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	r.expect("found shoe")
}

// A device without a heartbeat that is not understood is a fault, once, until it is.
func TestWhatIsNotUnderstoodIsAFault(t *testing.T) {
	p := newPlug(t)
	device := p.in()
	r := prepare(t, Config{Path: p.path}).run()
	say(t, device, "\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5")
	r.expect("faulted shoe")
	say(t, device, "\xa5\xa5\n")
	r.expect("cleared shoe", "\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5")
}

// A bad contact, a device's words at its start and a byte now and then are no fault.
func TestJunk(t *testing.T) {
	second := time.Second
	for _, test := range []struct {
		what  string
		bytes map[time.Duration]string // by when they come
		want  int
	}{
		{"a bad contact", map[time.Duration]string{0: "123456789012"}, 0},
		{"one that goes on", map[time.Duration]string{0: "123456789012", second: "1234"}, 1},
		{"what is understood in the end", map[time.Duration]string{0: "12345678901234567890", 3 * second / 2: "\n"}, 0},
		{"what never is", map[time.Duration]string{0: "12345678901234567890", 3 * second: "12345678901234567890", 5 * second: "1234567890"}, 1},
		{"a byte now and then", map[time.Duration]string{0: "12345678", 11 * second: "12345678", 22 * second: "12345678"}, 0},
	} {
		faults, dec := 0, newLines()
		d := NewDevice(Config{Name: "shoe", Log: slog.New(slog.DiscardHandler)}, dec, func(a Arrival) {
			if a.Report.Kind == shoe.Faulted {
				faults++
			}
		})
		began := time.Now()
		for at := time.Duration(0); at < 30*second; at += second / 4 {
			if text := test.bytes[at]; text != "" {
				d.feed(began.Add(at), []byte(text))
			}
			d.feed(began.Add(at), nil)
		}
		if faults != test.want {
			t.Errorf("%s: %d faults", test.what, faults)
		}
	}
}

func TestAckAndLockNeverBlock(t *testing.T) {
	r := prepare(t, Config{Path: "/nowhere"}) // and nobody runs it
	for i := range uint32(1000) {
		r.Ack(shoe.Source{Epoch: 1, Seq: i})
		r.Lock(i%2 == 0)
	}
	if got := string(r.orders()); got != "lock false\nack 999\n" {
		t.Errorf("orders %q", got)
	}
	if got := string(r.orders()); got != "" {
		t.Errorf("again %q", got)
	}
}

func TestRing(t *testing.T) {
	woken := 0
	b := &ring{wake: func() { woken++ }}
	at := time.Now()
	for i := range 3 * ringSize / 1000 { // around and around
		in := bytes.Repeat([]byte{byte(i)}, 1000)
		b.put(in[:600], at.Add(time.Duration(i)))
		b.put(in[600:], at.Add(time.Duration(i)))
		one, two := b.take(), b.take()
		if !bytes.Equal(append(one.bytes, two.bytes...), in) || !one.at.Equal(at.Add(time.Duration(i))) {
			t.Fatalf("turn %d: %d and %d bytes", i, len(one.bytes), len(two.bytes))
		}
	}
	for range maxMarks + 10 {
		b.put([]byte{1}, at)
	}
	if len(b.marks) != maxMarks || b.n != maxMarks+10 {
		t.Errorf("%d marks for %d bytes", len(b.marks), b.n)
	}
	b.put(make([]byte, ringSize), at) // no room
	b.put([]byte{2}, at)              // there is, but behind the hole
	b.end(io.EOF)
	total := 0
	for p := b.take(); len(p.bytes) > 0; p = b.take() {
		total += len(p.bytes)
		if bytes.Contains(p.bytes, []byte{2}) {
			t.Error("a byte from behind the hole came before it")
		}
		if b.n == 0 {
			break
		}
	}
	if hole := b.take(); !hole.hole || total != maxMarks+10 {
		t.Errorf("%+v after %d bytes", hole, total)
	}
	if end := b.take(); end.err != io.EOF || end.hole {
		t.Errorf("%+v at the end", end)
	}
	if woken == 0 {
		t.Error("nobody was woken")
	}
}

// repeater is a decoder that repeats the lock it knows whenever the device has spoken, as one does after a hello.
type repeater struct {
	*lines
	closed bool
}

func (r *repeater) Lock(closed bool) []byte {
	r.closed = closed
	return r.lines.Lock(closed)
}

func (r *repeater) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	reports, out := r.lines.Feed(now, p)
	if len(p) > 0 {
		out = append(out, r.lines.Lock(r.closed)...)
	}
	return reports, out
}

// TestTheLatestLockIsTheLastWord: the table unlocks on the very report that the device is back, while the decoder is about to repeat the
// lock from before. What reaches the device last must be what was ordered last.
func TestTheLatestLockIsTheLastWord(t *testing.T) {
	p := newPlug(t)
	dec, lost := &repeater{lines: newLines()}, make(chan struct{})
	var d *Device
	d = NewDevice(Config{Name: "shoe", Path: p.path, Baud: 115200, Silence: time.Minute, Log: slog.New(slog.DiscardHandler)}, dec, func(a Arrival) {
		switch a.Report.Kind {
		case shoe.Lost:
			close(lost)
		case shoe.Found:
			d.Lock(false)
		}
	})
	d.Lock(true)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go d.Run(ctx)
	<-lost
	device := p.in()
	<-dec.resumed // it is open
	in := bufio.NewScanner(device)
	for in.Scan() && in.Text() != "lock true" { // told at the opening
	}
	say(t, device, "one\n")
	var heard []string
	for len(heard) < 2 && in.Scan() {
		heard = append(heard, in.Text())
	}
	if got := strings.Join(heard, ", "); got != "lock true, lock false" {
		t.Errorf("the device heard %q", got)
	}
}
