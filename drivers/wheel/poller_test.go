package wheel

import (
	"sync"
	"testing"
	"time"

	"sabot/shoe"
)

// echo is a decoder that answers what it is told.
type echo struct{}

func (echo) Feed(_ time.Duration, p []byte) ([]shoe.Report, []byte) {
	return []shoe.Report{{Text: string(p)}}, append([]byte(nil), p...)
}

func (echo) Ack(shoe.Source) []byte { return []byte("ack") }

func (echo) Lock(bool) []byte { return []byte("lock") }

func (echo) Resume(shoe.Source) {}

func (echo) Understood() uint64 { return 0 }

func says(t *testing.T, p *Poller, at time.Duration, in, want string) {
	t.Helper()
	reports, out := p.Feed(at, []byte(in))
	if string(out) != want || len(reports) != 1 || reports[0].Text != in {
		t.Errorf("at %v %q is answered by %q, want %q; reported %v", at, in, out, want, reports)
	}
}

func TestAsksWithTheTicks(t *testing.T) {
	p := Poll(echo{}, time.Second)
	says(t, p, 0, "", "*X\r\n")
	says(t, p, 999*time.Millisecond, "", "")
	says(t, p, time.Second, "a", "a")
	says(t, p, 1100*time.Millisecond, "", "*X\r\n")
	says(t, p, 2*time.Second, "", "")
	says(t, p, 2100*time.Millisecond, "", "*X\r\n")
	if string(p.Ack(shoe.Source{}))+string(p.Lock(true)) != "acklock" {
		t.Error("the decoder was not asked")
	}
}

func TestNeverAsksTooOften(t *testing.T) {
	p := Poll(echo{}, 0)
	says(t, p, 0, "", "*X\r\n")
	says(t, p, 99*time.Millisecond, "", "")
	says(t, p, 100*time.Millisecond, "", "*X\r\n")
}

func TestOrdersAreSentOnceAndNotAfterTheCableWasOut(t *testing.T) {
	p := Poll(echo{}, time.Hour)
	says(t, p, 0, "", "*X\r\n")
	var all sync.WaitGroup
	for range 100 {
		all.Go(p.Reset)
	}
	all.Wait()
	p.Start()
	p.Reset()
	says(t, p, 0, "a", "a*R\r\n*u 1\r\n")
	says(t, p, 0, "a", "a")
	p.Start()
	p.Resume(shoe.Source{})
	says(t, p, 0, "", "")
	p.Start()
	says(t, p, 0, "", "*u 1\r\n")
}
