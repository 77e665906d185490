package serial

import (
	"io"
	"sync"
	"time"
)

const (
	ringSize = 64 << 10 // a device at 115200 fills it in under 6 s
	maxMarks = 4096     // pieces told apart by their time
)

// ring holds what was read until the device's owner has time for it. It takes bytes always: what has no room is gone,
// and so is all behind it until the ring is empty again, so that there is one hole and its place is known.
type ring struct {
	wake func() // there is something to take

	mu    sync.Mutex
	bytes [ringSize]byte
	head  int // of the first byte
	n     int
	marks []mark // one for each piece, in order; their lengths make n
	full  bool   // bytes were dropped behind the last one
	err   error  // the reader ended
}

// mark is when the next n bytes came.
type mark struct {
	n  int
	at time.Time
}

// fill reads r until it fails, and closes it at once then: a descriptor kept on a device that was pulled makes the system give the
// device another name when it comes back.
func (b *ring) fill(r io.ReadCloser) {
	p := make([]byte, 4096)
	for {
		n, err := r.Read(p)
		b.put(p[:n], time.Now())
		if err != nil {
			r.Close()
			b.end(err)
			return
		}
	}
}

func (b *ring) put(p []byte, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.wake()
	if len(p) == 0 {
		return
	}
	if b.full = b.full || len(p) > ringSize-b.n; b.full {
		return
	}
	tail := (b.head + b.n) % ringSize
	copy(b.bytes[:], p[copy(b.bytes[tail:], p):])
	b.n += len(p)
	if len(b.marks) == maxMarks {
		b.marks[maxMarks-1].n += len(p)
		return
	}
	b.marks = append(b.marks, mark{len(p), at})
}

func (b *ring) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
	b.wake()
}

// piece is one of what take gives: bytes and when they came, a hole, or the reader's end. All zero is nothing.
type piece struct {
	bytes []byte
	at    time.Time
	hole  bool
	err   error
}

func (b *ring) take() piece {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.n > 0:
		m := b.marks[0]
		b.marks = b.marks[1:]
		p := make([]byte, m.n)
		copy(p[copy(p, b.bytes[b.head:]):], b.bytes[:])
		b.head, b.n = (b.head+m.n)%ringSize, b.n-m.n
		return piece{bytes: p, at: m.at}
	case b.full:
		b.full = false
		return piece{hole: true}
	}
	return piece{err: b.err}
}
