package main

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"

	"sabot/table"
	"sabot/table/journal"
)

// metrics is how a table runs, in figures for those who look after many: rounds, irregularities, how far the broker is behind, how long the disk takes.
//
// The loop tells what happened, by atomic additions that wait for nothing; all else is read when somebody asks. A Prometheus that hangs, or asks too often, is no
// concern of the table's.
//
// What lies face down is in none of them before it is turned. Metrics are for the staff, but a card is secret from the staff, too, and what may be read once a second may
// be watched for the moment at which it moves. So everything that comes from the game is counted from what is shown to the floor at that moment (table.Snapshot),
// which is the same whatever card lies face down; an irregularity is counted, by its code, when the floor hears of it and not when it happens. What could
// tell a card by its length is not measured while it could: the record's bytes are those of finished segments, shoes out of play, and the disk's
// are whole MiB. For the same reason there is no figure of the bytes that a device sends.
type metrics struct {
	station  *station
	journal  string // the record's folder
	devices  []string
	expected [256]bool // codes of irregularities there may be; they are 0 before the first, so that it shows as an increase

	// told by the loop
	rounds, voids, cards, misreads atomic.Uint64
	irregular                      [256]atomic.Uint64 // by code
	table                          atomic.Pointer[glance]
	turned                         atomic.Int64 // when the loop last turned, since start
	wrote                          prometheus.Histogram

	// the loop's own
	seq   int64
	shoe  uint32
	dealt int
}

// glance is what the last state shown says of the table.
type glance struct {
	open, stopped bool
	holds         int
}

// started is when the program was, as far as figures go.
var started = time.Now()

func newMetrics(c *Config, s *station) *metrics {
	m := &metrics{station: s, journal: c.Journal, devices: []string{c.Device.Name}}
	if c.Box.Port != "" {
		m.devices = append(m.devices, boxDevice)
	}
	for _, order := range c.Play.orders {
		if name, ok := strings.CutPrefix(order.Name, "classes."); ok {
			code, _ := table.ParseCode(name)
			m.expected[code] = true
		}
	}
	m.wrote = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "sabot_append_seconds", Help: "How long an entry took until it was durable, the fsync included. Beyond 0.25 the deal is stopped.",
		Buckets: []float64{0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30},
	})
	m.beat()
	return m
}

// beat is told by the loop that it turns.
func (m *metrics) beat() { m.turned.Store(int64(time.Since(started))) }

// idle is for how long the loop has not turned.
func (m *metrics) idle() time.Duration { return time.Since(started) - time.Duration(m.turned.Load()) }

// appended is told by the loop how long an append took.
func (m *metrics) appended(d time.Duration) { m.wrote.Observe(d.Seconds()) }

// show is told by the loop what is shown.
func (m *metrics) show(now table.Snapshot) {
	if m.table.Load() != nil && now.Seq > m.seq { // the first state is what was before us, and others are shown again
		m.count(&now)
	}
	m.seq, m.shoe, m.dealt = now.Seq, now.Layout.Shoe.Number, now.Layout.Shoe.Dealt
	m.table.Store(&glance{open: now.Layout.Phase != table.Closed, stopped: now.Layout.Stopped != nil, holds: len(now.Floor.Stops)})
}

// count adds what an entry says.
func (m *metrics) count(now *table.Snapshot) {
	if more := now.Layout.Shoe.Dealt - m.dealt; more > 0 && now.Layout.Shoe.Number == m.shoe {
		m.cards.Add(uint64(more))
	}
	for i := range now.Calls {
		switch c := &now.Calls[i]; c.Word {
		case table.CallEnd:
			m.rounds.Add(once(c))
		case table.CallVoid:
			m.rounds.Add(once(c))
			m.voids.Add(1)
		case table.CallIrregular:
			m.irregular[c.Code].Add(1)
			if c.Code == table.Misread || c.Code == table.BurnUnread {
				m.misreads.Add(1)
			}
		}
	}
}

// once is 1 for a round that is over now, and 0 where that was counted before: its end is said again by a correction, or it is void although it had ended.
func once(c *table.Call) uint64 {
	if c.Ref > 0 {
		return 0
	}
	return 1
}

// say gives a value, with its label's where it has one.
type say func(value float64, label ...string)

// figureOf is one metric: its label, "" for none, and how it is read.
type figureOf struct {
	name, help string
	kind       prometheus.ValueType
	label      string
	read       func(*metrics, say)
}

// measured are all there are, beside sabot_append_seconds.
var measured = []figureOf{
	{"sabot_info", "1, labelled with the program's version.", prometheus.GaugeValue, "version", func(_ *metrics, say say) { say(1, build()) }},
	{"sabot_rounds_total", "Rounds that ended, void ones among them.", prometheus.CounterValue, "", func(m *metrics, say say) { say(float64(m.rounds.Load())) }},
	{"sabot_rounds_void_total", "Rounds declared void.", prometheus.CounterValue, "", func(m *metrics, say say) { say(float64(m.voids.Load())) }},
	{"sabot_cards_total", "Cards that left the shoe.", prometheus.CounterValue, "", func(m *metrics, say say) { say(float64(m.cards.Load())) }},
	{"sabot_misreads_total", "Cards that could not be read, burnt ones too.", prometheus.CounterValue, "", func(m *metrics, say say) { say(float64(m.misreads.Load())) }},
	{"sabot_irregularities_total", "Irregularities by their code, as the floor heard of them.", prometheus.CounterValue, "code", readIrregular},
	{"sabot_open", "1 while the table is open.", prometheus.GaugeValue, "", ofTable(func(g *glance) float64 { return bit(g.open) })},
	{"sabot_stopped", "1 while the table is stopped.", prometheus.GaugeValue, "", ofTable(func(g *glance) float64 { return bit(g.stopped) })},
	{"sabot_holds", "Irregularities that wait for their release.", prometheus.GaugeValue, "", ofTable(func(g *glance) float64 { return float64(g.holds) })},
	{"sabot_queue_length", "What waits for the loop: of devices, and commands; 64 is full.", prometheus.GaugeValue, "queue", readQueues},
	{"sabot_loop_idle_seconds", "Since the loop last turned; it does once a second at least.", prometheus.GaugeValue, "", func(m *metrics, say say) { say(m.idle().Seconds()) }},
	{"sabot_record_entries", "Entries in the record, which is the number of the last.", prometheus.GaugeValue, "", func(m *metrics, say say) { say(float64(m.station.live.Journal().Durable())) }},
	{"sabot_record_bytes", "Length of the record's finished segments.", prometheus.GaugeValue, "", readRecord},
	{"sabot_unheard_entries", "Entries that did not come back from the broker yet: how far the cursor is behind.", prometheus.GaugeValue, "", readUnheard},
	{"sabot_broker_up", "1 while what the table says arrives.", prometheus.GaugeValue, "", func(m *metrics, say say) { say(bit(m.station.client.Stats().Up)) }},
	{"sabot_broker_connections_total", "Connections made to the broker.", prometheus.CounterValue, "", func(m *metrics, say say) { say(float64(m.station.client.Stats().Connections)) }},
	{"sabot_messages_published_total", "Messages handed to the broker, repeated ones too.", prometheus.CounterValue, "", func(m *metrics, say say) { say(float64(m.station.client.Stats().Published)) }},
	{"sabot_messages_dropped_total", "Messages that came, and replies, for which there was no room.", prometheus.CounterValue, "", func(m *metrics, say say) { say(float64(m.station.client.Stats().Dropped)) }},
	{"sabot_commands_refused_total", "Commands above the rate.", prometheus.CounterValue, "", func(m *metrics, say say) { say(float64(m.station.client.Stats().Refused)) }},
	{"sabot_device_up", "1 while the device is there.", prometheus.GaugeValue, "device", readDevices},
	{"sabot_device_losses_total", "How often the device was lost.", prometheus.CounterValue, "device", readLosses},
	{"sabot_temperature_celsius", "The processor's.", prometheus.GaugeValue, "", readTemperature},
	{"sabot_throttled", "1 for what a Raspberry Pi's firmware says of its power and heat, now or since its start.", prometheus.GaugeValue, "what", readThrottled},
	{"sabot_clock_kept", "1 while something keeps the machine's clock.", prometheus.GaugeValue, "", func(_ *metrics, say say) { say(bit(readClock().kept)) }},
	{"sabot_clock_offset_seconds", "How far off the clock is that is kept, as the kernel knows it.", prometheus.GaugeValue, "", readOffset},
	{"sabot_disk_free_bytes", "Room on the record's disk, in whole MiB.", prometheus.GaugeValue, "", readDisk},
	{"process_resident_memory_bytes", "Resident memory.", prometheus.GaugeValue, "", readMemory},
	{"process_cpu_seconds_total", "Processor time used.", prometheus.CounterValue, "", readProcessor},
	{"process_start_time_seconds", "When the program started, since 1970.", prometheus.GaugeValue, "", func(_ *metrics, say say) { say(float64(started.UnixMilli()) / 1000) }},
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func ofTable(read func(*glance) float64) func(*metrics, say) {
	return func(m *metrics, say say) {
		if g := m.table.Load(); g != nil {
			say(read(g))
		}
	}
}

func readIrregular(m *metrics, say say) {
	for code := range m.irregular {
		if n := m.irregular[code].Load(); n > 0 || m.expected[code] {
			say(float64(n), table.Code(code).String())
		}
	}
}

func readQueues(m *metrics, say say) {
	devices, commands := m.station.live.Waiting()
	say(float64(devices), "devices")
	say(float64(commands), "commands")
}

// readRecord leaves out the segment being written, see metrics.
func readRecord(m *metrics, say say) {
	segments, err := journal.Segments(m.journal)
	if err != nil || len(segments) == 0 {
		return
	}
	var sum int64
	for _, file := range segments[:len(segments)-1] {
		if info, err := os.Stat(file); err == nil {
			sum += info.Size()
		}
	}
	say(float64(sum))
}

func readUnheard(m *metrics, say say) {
	heard := m.station.client.Stats().Acknowledged // first, for the record goes on
	say(float64(m.station.live.Journal().Durable() - heard))
}

func readDevices(m *metrics, say say) {
	for _, name := range m.devices {
		state, _ := m.station.links.of(name)
		say(bit(state == "ok"), name)
	}
}

func readLosses(m *metrics, say say) {
	for _, name := range m.devices {
		_, losses := m.station.links.of(name)
		say(float64(losses), name)
	}
}

func readTemperature(_ *metrics, say say) {
	if degrees, ok := temperature(); ok {
		say(degrees)
	}
}

// throttles are the bits of a Raspberry Pi's get_throttled.
var throttles = map[string]uint{
	"under voltage": 0, "frequency capped": 1, "throttled": 2, "soft temperature limit": 3,
	"under voltage since start": 16, "frequency capped since start": 17, "throttled since start": 18, "soft temperature limit since start": 19,
}

func readThrottled(_ *metrics, say say) {
	bits, ok := throttled()
	for what, n := range throttles {
		if ok {
			say(float64(bits>>n&1), what)
		}
	}
}

func readOffset(_ *metrics, say say) {
	if c := readClock(); c.kept {
		say(c.offset.Seconds())
	}
}

func readDisk(m *metrics, say say) {
	var fs unix.Statfs_t
	if unix.Statfs(m.journal, &fs) == nil {
		say(float64(fs.Bavail * uint64(fs.Bsize) >> 20 << 20))
	}
}

func readMemory(_ *metrics, say say) {
	if pages, err := residentPages(); err == nil {
		say(float64(pages * os.Getpagesize()))
	}
}

// residentPages is how much memory this program holds.
func residentPages() (n int, err error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(text), new(int), &n)
	}
	return n, err
}

func readProcessor(_ *metrics, say say) { say(cpuTime().Seconds()) }

// Describe says what there is.
func (m *metrics) Describe(c chan<- *prometheus.Desc) {
	for i := range measured {
		c <- measured[i].desc()
	}
	m.wrote.Describe(c)
}

// Collect reads all of it.
func (m *metrics) Collect(c chan<- prometheus.Metric) {
	for i := range measured {
		f := &measured[i]
		f.read(m, func(v float64, label ...string) { c <- prometheus.MustNewConstMetric(f.desc(), f.kind, v, label...) })
	}
	m.wrote.Collect(c)
}

func (f *figureOf) desc() *prometheus.Desc {
	var labels []string
	if f.label != "" {
		labels = []string{f.label}
	}
	return prometheus.NewDesc(f.name, f.help, labels, nil)
}
