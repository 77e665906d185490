package journal

import (
	"os"
	"testing"
	"time"
)

// BenchmarkAppend says how long an entry takes to become durable, and what of it is the disk's and what is ours.
func BenchmarkAppend(b *testing.B) {
	var disk time.Duration
	d := RealDisk
	d.Write = func(f *os.File, p []byte) (int, error) {
		begin := time.Now()
		defer func() { disk += time.Since(begin) }()
		return f.Write(p)
	}
	d.Sync = func(f *os.File) error {
		begin := time.Now()
		defer func() { disk += time.Since(begin) }()
		return f.Sync()
	}
	j, _, err := d.Open(b.TempDir(), want, Mark{})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	e := varied(b, 3)
	disk = 0
	b.ReportAllocs()
	for b.Loop() {
		restamp(e, j.Durable()+1)
		if err := j.Append(e); err != nil {
			b.Fatal(err)
		}
	}
	n := float64(b.N)
	b.ReportMetric(float64(disk.Microseconds())/n, "disk-µs/op")
	b.ReportMetric(float64((b.Elapsed()-disk).Microseconds())/n, "cpu-µs/op")
	b.ReportMetric(float64(j.size)/n, "bytes/op")
}

func restamp(e *Entry, seq int64) {
	e.Seq, e.At = seq, time.Duration(seq)*time.Millisecond
	e.Event.Seq, e.Event.At = e.Seq, e.At
}

// BenchmarkOpen opens and reads a record of 100,000 entries: the time from a crash to the table's state, the game's own steps apart.
func BenchmarkOpen(b *testing.B) {
	const n = 100_000
	dir := b.TempDir()
	d := RealDisk
	d.Sync = func(*os.File) error { return nil }
	j, _, err := d.Open(dir, want, Mark{})
	if err != nil {
		b.Fatal(err)
	}
	e := varied(b, 3)
	for seq := int64(1); seq <= n; seq++ {
		restamp(e, seq)
		if err := j.Append(e); err != nil {
			b.Fatal(err)
		}
	}
	j.Close()
	b.ReportAllocs()
	for b.Loop() {
		j, r := mustOpen(b, dir)
		in, err := j.Reader(r.Header.First - 1)
		if err != nil {
			b.Fatal(err)
		}
		for range n {
			if _, err := in.Next(); err != nil {
				b.Fatal(err)
			}
		}
		in.Close()
		j.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entry")
}
