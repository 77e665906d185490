package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sabot/drivers/serial"
	"sabot/mqtt/mqtttest"
	"sabot/shoe"
	"sabot/shoe/uid"
)

// enrolmentFile is an enrolment of a number of decks, with made-up tags.
func enrolmentFile(t testing.TB, decks int) string {
	t.Helper()
	cards := &uid.Cards{Decks: decks}
	for n := range decks {
		for i, c := range shoe.Deck() {
			if err := cards.Add("04AA"+hex4(n*52+i)+"CC", c); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "cards.txt")
	if err := os.WriteFile(file, []byte(cards.Format()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func hex4(n int) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{digits[n>>12&15], digits[n>>8&15], digits[n>>4&15], digits[n&15]})
}

// TestEmulatedDevicesAreRead draws from each device that can be emulated, through a real port and its driver: what was drawn is reported, in order.
func TestEmulatedDevicesAreRead(t *testing.T) {
	for _, d := range []struct {
		name, options string
	}{
		{"line", ""}, {"angel", ""}, {"angel", "bcc=without-stx"}, {"pattern", "preset=barcode"}, {"pattern", "preset=five"},
		{"uid", "format=rdm6300 cards="}, {"uid", "format=jsonl cards="}, {"beetek", ""}, {"beetek", "copies=1"},
	} {
		t.Run(d.name+" "+d.options, func(t *testing.T) {
			m := emulateFlags{seed: 7, decks: 1}
			for _, o := range strings.Fields(strings.Replace(d.options, "cards=", "cards="+enrolmentFile(t, 1), 1)) {
				m.options = append(m.options, o)
			}
			drawAll(t, &m, d.name)
		})
	}
}

// drawAll draws a deck from a device.
func drawAll(t *testing.T, m *emulateFlags, name string) {
	dev, _, err := m.model(name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	v, err := plugIn(ctx, &ptyCable{link: filepath.Join(t.TempDir(), "port")}, dev, faults{})
	if err != nil {
		t.Fatal(err)
	}
	p := devices["shoe"][name]
	settings := p.dialect()
	if err := m.set(settings); err != nil {
		t.Fatal(err)
	}
	dec, err := settings.decoder("shoe")
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan shoe.Report, 256)
	d := serial.NewDevice(serial.Config{Name: "shoe", Path: v.at(), Baud: p.baud, Log: slog.New(slog.DiscardHandler)}, dec, func(a serial.Arrival) { heard <- a.Report })
	go d.Run(ctx)
	d.Lock(false)
	for i, want := range shuffled(1, 7, 1)[:20] {
		for v.Draw(want) != nil { // until the lock is open
			time.Sleep(10 * time.Millisecond)
		}
		if got := nextCard(t, heard); got != want {
			t.Fatalf("card %d is %v, want %v", i+1, got, want)
		}
	}
}

// TestEmulateSaysWhatItDid: whoever tests a reader with it can hold the faults against what the reader noticed.
func TestEmulateSaysWhatItDid(t *testing.T) {
	var out, errs strings.Builder
	args := []string{"emulate", "pattern", "--option", "preset=barcode", "--misread", "1", "--repeat", "2", "--link", filepath.Join(t.TempDir(), "port")}
	if code := run(args, strings.NewReader("\n\nunplug\n\n"), &out, &errs); code != exitOK {
		t.Fatal(code, errs.String())
	}
	if want := "faults: cards not read 3, messages repeated 6, times unplugged 1, messages said meanwhile 1\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("it says\n%s\nwant %s", out.String(), want)
	}
}

// TestEmulateHarmsNothing: a path that is something else stays what it is, and a device that is offered already goes on.
func TestEmulateHarmsNothing(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{file + ".new", link, link + ".new"} {
		if err := os.Symlink("/nowhere/of/one/that/was/killed", old); err != nil {
			t.Fatal(err)
		}
	}
	if _, errs, code := sabot("emulate", "line", "--link", file); code != exitFailed || !strings.Contains(errs, file+" is there, and is no link; name another path with --link") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if text, err := os.ReadFile(file); string(text) != "precious" {
		t.Errorf("the file is now %q, %v", text, err)
	}
	if _, errs, code := sabot("emulate", "line", "--link", link); code != exitOK {
		t.Errorf("over what a killed one left: exit %d: %s", code, errs)
	}
	first, second := &ptyCable{link: link}, &ptyCable{link: link}
	for _, c := range []*ptyCable{first, second} {
		if err := c.plug(func([]byte) {}); err != nil {
			t.Fatal(err)
		}
	}
	first.unplug()
	if _, err := os.Stat(link); err != nil {
		t.Errorf("the first one took the second one's name with it: %v", err)
	}
	second.unplug()
	if _, err := os.Lstat(link); err == nil {
		t.Error("the name is left")
	}
}

// TestEmulateRefuses what no device does, and says what to write.
func TestEmulateRefuses(t *testing.T) {
	blank := filepath.Join(t.TempDir(), "blank.txt")
	if err := os.WriteFile(blank, []byte("game blackjack preset=deluxe\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"line --misread 2":           "-misread is how often, from 0 to 1",
		"line --drop NaN":            "-drop is how often, from 0 to 1",
		"line --repeat -1":           "-repeat must be from 0 to 100",
		"line --unplug 1s":           "-unplug must be longer than the 2s",
		"line --decks 9":             "-decks must be from 1 to 8",
		"pattern":                    "emulate: pattern: it has neither preset nor expression; write preset: barcode or five",
		"line --script " + blank:     blank + " has no card and no spin",
		"line --link /nowhere/a/b/c": "/nowhere/a/b/c cannot be offered: no such file or directory; name another path with --link",
	} {
		if _, errs, code := sabot(append([]string{"emulate"}, strings.Fields(args)...)...); code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d: %s", args, code, errs)
		}
	}
}

// TestEmulateMakesUpTags: who has no reader yet has no enrolment either.
func TestEmulateMakesUpTags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cards.txt")
	m := emulateFlags{decks: 1, options: []string{"format=jsonl", "cards=" + file}}
	drawAll(t, &m, "uid")
	if m.made != file {
		t.Errorf("made up in %q", m.made)
	}
	m.made = ""
	drawAll(t, &m, "uid")
	if m.made != "" {
		t.Error("an enrolment that is there was made up again")
	}
}

// nextCard is the next card reported.
func nextCard(t *testing.T, heard chan shoe.Report) shoe.Card {
	t.Helper()
	limit := time.After(patience)
	for {
		select {
		case r := <-heard:
			if r.Kind == shoe.Drawn {
				return r.Card
			}
		case <-limit:
			t.Fatal("no card was reported")
		}
	}
}

// TestAPulledCableIsPutBack: even if somebody else had its place meanwhile, as soon as that is free again.
func TestAPulledCableIsPutBack(t *testing.T) {
	dev, _, err := new(emulateFlags).model("line")
	if err != nil {
		t.Fatal(err)
	}
	v, err := plugIn(t.Context(), &tcpCable{address: mqtttest.FreeAddr(t)}, dev, faults{Unplug: 3 * pulled})
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(v.at(), "tcp://")
	within := func(limit time.Duration, what string, done func() bool) {
		t.Helper()
		for began := time.Now(); !done(); time.Sleep(10 * time.Millisecond) {
			if time.Since(began) > limit {
				t.Fatalf("not %s in %v", what, limit)
			}
		}
	}
	var other net.Listener
	within(6*pulled, "pulled", func() bool {
		other, err = net.Listen("tcp", address)
		return err == nil
	})
	time.Sleep(pulled + pulled/4) // it was tried once
	other.Close()
	within(2*pulled, "put back", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}
