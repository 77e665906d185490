package gpio

import "sync"

// mostWaiting is how much of one button waits for a slow table: some sixteen presses, more than anybody makes in vain.
const mostWaiting = 32

// queue holds presses until the table has time for them, in order. It takes no more than mostWaiting of each button, so none crowds out
// another, and what is in it is whole: a press whose Down found no room is not there at all, and one that got in is always ended; likewise
// a fault and its Calm. A contact that halts always gets in. When it has no room its older presses go, whose last word would
// be the same: down.
type queue struct {
	wake chan struct{}

	mu   sync.Mutex
	list []entry
}

type entry struct {
	Press
	of *button
}

// halting says whether this is the press that stops the deal.
func (e entry) halting() bool { return e.Kind == Down && e.of.Halts }

// put says whether it let a press in, and how many of those that halt went for it.
func (q *queue) put(p Press, of *button) (ok bool, gone int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	full := of.waiting >= mostWaiting
	switch p.Kind {
	case Down:
		if full && of.Halts {
			gone = q.forget(of)
		}
		of.begun = !full || of.Halts
		ok = of.begun
	case Held, Up:
		ok = of.begun
	case Calm:
		ok = of.faulty
		of.faulty = false
	default:
		ok = !full
		of.faulty = of.faulty || ok
	}
	if ok {
		of.waiting++
		q.list = append(q.list, entry{p, of})
		select {
		case q.wake <- struct{}{}:
		default:
		}
	}
	return ok, gone
}

// forget drops the presses of a button, not its faults.
func (q *queue) forget(of *button) (gone int) {
	kept := q.list[:0]
	for _, e := range q.list {
		switch {
		case e.of != of || e.Kind != Down && e.Kind != Held && e.Kind != Up:
			kept = append(kept, e)
			continue
		case e.halting():
			gone++
		}
		of.waiting--
	}
	clear(q.list[len(kept):])
	q.list = kept
	return gone
}

func (q *queue) take() (e entry, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return entry{}, false
	}
	e = q.list[0]
	q.list = q.list[1:]
	e.of.waiting--
	return e, true
}
