package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"sabot/drivers/serial"
	"sabot/shoe"
)

// workbench is a person at a terminal with the table's shoe and a pile of cards, while no table is run. The shoe's reports and what is typed come by channels.
type workbench struct {
	device *serial.Device
	heard  chan shoe.Report
	typed  chan string   // lines without what surrounds them, in small letters; closed at Ctrl-D
	there  chan struct{} // closed when the shoe is there: at its first byte, or, should it say nothing by itself, when its port is open
	ended  chan struct{}

	out  io.Writer
	bell string // a beep, where somebody hears it
	ctx  context.Context
	stop func()
}

// setUp opens the bench. The cards pass by until close.
func setUp(e *env, c *DeviceConfig, dec shoe.Decoder, resume shoe.Source) *workbench {
	b := &workbench{heard: make(chan shoe.Report, 64), typed: make(chan string), there: make(chan struct{}), ended: make(chan struct{}), out: e.stdout}
	if terminal(e.stdout) {
		b.bell = "\a"
	}
	b.ctx, b.stop = context.WithCancel(context.WithoutCancel(e.ctx))
	b.device = serial.NewDevice(serial.Config{
		Name: c.Name, Path: c.Port, Baud: c.Baud, Silence: c.protocol().silence, Resume: resume, Log: slog.New(slog.DiscardHandler),
	}, &arriving{Decoder: dec, mute: c.protocol().silence == 0, there: b.there}, b.hear)
	go func() {
		defer close(b.ended)
		b.device.Run(b.ctx)
	}()
	go b.read(e.stdin)
	return b
}

func (b *workbench) hear(a serial.Arrival) {
	select {
	case b.heard <- a.Report:
	case <-b.ctx.Done():
	}
}

func (b *workbench) read(from io.Reader) {
	defer close(b.typed)
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		select {
		case b.typed <- strings.ToLower(strings.TrimSpace(lines.Text())):
		case <-b.ctx.Done():
			return
		}
	}
}

// close lets go of the port.
func (b *workbench) close() {
	b.stop()
	<-b.ended
}

func (b *workbench) say(format string, args ...any) { fmt.Fprintf(b.out, format+"\n", args...) }

// refuse says what was not taken. Two beeps are heard without looking.
func (b *workbench) refuse(format string, args ...any) {
	fmt.Fprint(b.out, b.bell+b.bell)
	b.say(format, args...)
}

// away tells a lost device, and that it is back. Its error is one that waiting does not mend.
func (b *workbench) away(r shoe.Report) error {
	switch {
	case r.Kind == shoe.Found:
		b.say("the %s is back", r.Source.Device)
	case r.Code == "denied" || r.Code == "busy":
		return fmt.Errorf("%s", r.Text)
	default:
		b.refuse("the %s is lost: %s; waiting for it", r.Source.Device, r.Text)
	}
	return nil
}

// arriving is a decoder that tells when its device is there.
type arriving struct {
	shoe.Decoder
	mute  bool // it says nothing by itself
	once  sync.Once
	there chan struct{}
}

// Feed is the decoder's. The driver ticks it for the first time when the port is open.
func (d *arriving) Feed(now time.Duration, p []byte) ([]shoe.Report, []byte) {
	if len(p) > 0 || d.mute {
		d.once.Do(func() { close(d.there) })
	}
	return d.Decoder.Feed(now, p)
}

// terminal says that a person reads what is written there.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
