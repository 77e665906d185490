package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"sabot/drivers/gpio"
	"sabot/mqtt"
	"sabot/table"
	"sabot/table/journal"
	"sabot/table/live"
)

const (
	lowDisk   = 1 << 30 // bytes free, below which somebody should know
	fullDisk  = 64 << 20
	slowSync  = 100 * time.Millisecond // an append that takes longer is felt by the dealer
	deadSync  = 250 * time.Millisecond // and one beyond this stops the deal
	syncs     = 20
	hot       = 75.0 // degrees Celsius
	clockSlip = time.Second
)

// examineBroker tries the broker as the table would use it.
func examineBroker(ctx context.Context, c *Config) []finding {
	if c.MQTT.Listen != "" {
		return []finding{fine("broker", "the table brings %s", c.MQTT.summary())}
	}
	config, err := c.MQTT.client()
	if err != nil {
		return []finding{ill("broker", "", "%v", err)}
	}
	config.Table = c.Table
	rights, online, err := mqtt.Probe(ctx, config)
	switch {
	case err != nil:
		return []finding{ill("broker", "is it running, reachable from here, and are user and password right?", "%s: %v", c.MQTT.summary(), err)}
	case online != "":
		return []finding{fine("broker", "%s answers; table %s is online there as instance %s, so nothing was tried", c.MQTT.summary(), c.Table, online)}
	}
	list := []finding{fine("broker", "%s answers", c.MQTT.summary())}
	for _, r := range rights {
		if r.Why != "" {
			list = append(list, ill("topic", "give this user read and write on sabot/"+c.Table+"/# in the broker's ACL", "%s: %s", r.Topic, r.Why))
			continue
		}
		list = append(list, fine("topic", "%s", r.Topic))
	}
	return list
}

// examineDisk looks where the record is, or will be: its room, and how long it takes until a line is safe.
func examineDisk(dir string) []finding {
	at := dir
	for ; at != "/"; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil {
			break
		}
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(at, &fs); err != nil {
		return []finding{ill("disk", "", "%s: %v", at, err)}
	}
	free := fs.Bavail * uint64(fs.Bsize)
	list := []finding{fine("disk", "%s has %d MB free", at, free>>20)}
	switch {
	case free < fullDisk:
		list[0] = ill("disk", "make room: without it the table cannot deal", "%s has only %d MB free", at, free>>20)
	case free < lowDisk:
		list[0] = warn("disk", "make room; a busy table writes a few MB a day", "%s has only %d MB free", at, free>>20)
	}
	return append(list, examineSync(dir, at))
}

// examineSync measures an append as the record makes them.
func examineSync(dir, at string) finding {
	f, err := os.CreateTemp(at, ".doctor-")
	if err != nil && at != dir {
		return warn("fsync", "the service's first start makes it (StateDirectory), or: sudo install -d -o sabot "+dir, "%s is not there yet", dir)
	}
	if err != nil {
		return ill("fsync", "run the doctor as the service's user: sudo -u sabot sabot doctor", "%v", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	line := make([]byte, 300)
	took := make([]time.Duration, syncs)
	for i := range took {
		began := time.Now()
		if _, err = f.Write(line); err == nil {
			err = f.Sync()
		}
		if err != nil {
			return ill("fsync", "the disk fails, or is full", "%v", err)
		}
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	median, worst := took[syncs/2].Round(10*time.Microsecond), took[syncs-1].Round(10*time.Microsecond)
	switch {
	case median > deadSync:
		return ill("fsync", "use a better card or an SSD: each card waits for this, and beyond 250 ms the deal is stopped", "a line is safe after %v, at worst %v", median, worst)
	case median > slowSync || worst > deadSync:
		return warn("fsync", "a better card or an SSD would be felt", "a line is safe after %v, at worst %v", median, worst)
	}
	return fine("fsync", "a line is safe after %v, at worst %v", median, worst)
}

// examineRecord reads the record's last segment and looks whether one is missing, which is what a start does.
func examineRecord(c *Config) []finding {
	segments, err := journal.Segments(c.Journal)
	switch {
	case errors.Is(err, os.ErrNotExist) || err == nil && len(segments) == 0:
		return []finding{fine("record", "%s holds none yet", c.Journal)}
	case err != nil:
		return []finding{ill("record", "", "%v", err)}
	}
	last := segments[len(segments)-1]
	h, n, err := readThrough(last)
	if err == nil {
		err = cmp.Or(live.Later(last, h), journal.Missing(c.Journal))
	}
	switch {
	case errors.As(err, new(*journal.VersionError)):
		return []finding{ill("record", "install that version, or a newer one; nothing is wrong with the record", "%v", err)}
	case err != nil:
		return []finding{ill("record", "`sabot verify "+c.Journal+"` says more; `sabot recover` begins anew beside it", "%v", err)}
	case h.Table != c.Table || h.Game != c.Play.Game:
		return []finding{ill("record", "give each table a folder of its own", "%s is that of table %s playing %s", c.Journal, h.Table, h.Game)}
	case h.Calls < table.CallsVersion:
		return []finding{warn("record", "start the table between rounds; a supervisor retires the shoe, and the next one is played", "%s: an older version began its last segment, and this one calls otherwise: a start holds the table", c.Journal)}
	}
	return []finding{fine("record", "%s: %s; the last one is whole, %d entries", c.Journal, plural(len(segments), "segment", "segments"), n)}
}

// readThrough reads a segment to its end. An unfinished last line is none of its damages: a table that runs is just writing it, and a start cuts it off.
func readThrough(file string) (h journal.Header, entries int, err error) {
	f, err := journal.OpenFile(file)
	if err != nil {
		return h, 0, err
	}
	defer f.Close()
	for {
		switch _, err := f.Next(); {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return f.Header(), entries, nil
		case err != nil:
			return h, entries, err
		}
		entries++
	}
}

// examineClock asks the kernel whether something keeps its clock.
func examineClock(context.Context) []finding {
	c := readClock()
	switch {
	case c.err != nil:
		return []finding{warn("clock", "", "the kernel does not say whether it is kept: %v", c.err)}
	case !c.kept:
		return []finding{warn("clock", "sudo apt install systemd-timesyncd, and let NTP through; the record must match the video", "nobody keeps it; it says %s", time.Now().UTC().Format(time.DateTime))}
	case c.slip > clockSlip:
		return []finding{warn("clock", "the time server is far away or gone", "it is kept, and may be off by %v", c.slip)}
	}
	return []finding{fine("clock", "it is kept, within %v", c.slip)}
}

// clockState is how the kernel's clock is kept: adjtimex(2).
type clockState struct {
	kept   bool
	offset time.Duration // still to be made good
	slip   time.Duration // it may be off by this much
	err    error
}

func readClock() (c clockState) {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	c.err = err
	c.kept = err == nil && state != unix.TIME_ERROR && t.Status&unix.STA_UNSYNC == 0
	c.slip, c.offset = time.Duration(t.Esterror)*time.Microsecond, time.Duration(t.Offset)*time.Microsecond
	if t.Status&unix.STA_NANO != 0 {
		c.offset = time.Duration(t.Offset)
	}
	return c
}

// examinePi looks at what a Raspberry Pi says of itself: its heat, and whether its power sags.
func examinePi(context.Context) []finding {
	var list []finding
	if degrees, ok := temperature(); ok {
		list = append(list, fine("temperature", "%.0f °C", degrees))
		if degrees > hot {
			list[0] = warn("temperature", "give it air: it slows down at 80", "%.0f °C", degrees)
		}
	}
	bits, ok := throttled()
	switch {
	case !ok:
		return list
	case bits == 0:
		return append(list, fine("power", "it never sagged since the start"))
	}
	return append(list, warn("power", "use the maker's power supply and a short cable", "it sagged, or the processor was slowed down (%s)", fmt.Sprintf("0x%x", bits)))
}

// temperature is the processor's in degrees Celsius.
func temperature() (degrees float64, ok bool) {
	text, err := os.ReadFile("/sys/class/thermal/thermal_zone0/temp")
	if err != nil {
		return 0, false
	}
	milli, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return float64(milli) / 1000, err == nil
}

// throttled are the bits in which a Raspberry Pi's firmware says what became of its power and heat, from 0 on now, from 16 on since its start.
func throttled() (bits uint64, ok bool) {
	text, err := os.ReadFile("/sys/devices/platform/soc/soc:firmware/get_throttled")
	if err != nil {
		return 0, false
	}
	bits, err = strconv.ParseUint(strings.TrimSpace(string(text)), 16, 32)
	return bits, err == nil
}

// examineGPIO says which chips there are. A machine without any is in order, as long as no box is configured on its lines.
func examineGPIO(context.Context) []finding {
	lines, err := gpio.Lines()
	if errors.Is(err, gpio.ErrNone) {
		return []finding{fine("gpio", "this machine has none")}
	}
	var list []finding
	for _, chip := range slices.Compact(chips(lines)) {
		list = append(list, fine("gpio", "%s", chip))
	}
	if err != nil {
		list = append(list, warn("gpio", "needed only for buttons and lamps on this machine's lines", "%v", err))
	}
	return list
}

// chips are the chips of lines, each as often as it has lines.
func chips(lines []gpio.LineInfo) []string {
	var list []string
	for _, l := range lines {
		list = append(list, l.Chip+" ("+l.Label+")")
	}
	return list
}
