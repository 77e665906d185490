package uid

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
)

// formats are readers and how long their UIDs are, in bytes.
var formats = []struct {
	name   string
	length int
	ask    []string
}{{"rdm6300", 5, nil}, {"id12", 5, nil}, {"pn532", 7, nil}, {"pn532", 7, []string{"D4140100", "D44A0100"}}, {"jsonl", 6, nil}}

// TestTheModelSaysItsTagsOnce draws eight decks and the cut cards: each card eight times, and not once more.
func TestTheModelSaysItsTagsOnce(t *testing.T) {
	for _, f := range formats {
		o := Options{Format: f.name, Cards: full(t, 8, f.length), Ask: f.ask}
		dev, d, now := device(t, o), decoderOf(t, o), time.Duration(0)
		draw := func(frame []byte) string {
			now += time.Second
			out := [][]byte{frame}
			for got := ""; ; {
				reports, host := d.Feed(now, out[0])
				got += saidAll(reports)
				if dev.asks && len(host) > 0 && got == "" {
					out[0] = dev.Feed(now, host)
					continue
				}
				dev.Feed(now, host)
				return got
			}
		}
		if dev.asks {
			_, q := d.Feed(now, nil)
			for len(q) > 0 {
				_, q = d.Feed(now, dev.Feed(now, q))
			}
		}
		for range 8 {
			for _, c := range shoe.Deck() {
				expect(t, f.name, draw(dev.Draw(c)), "drawn "+c.String())
			}
			expect(t, f.name, draw(dev.Cut()), "cut")
		}
		if dev.Draw(shoe.New(9, shoe.Spades)) != nil || dev.Cut() != nil {
			t.Errorf("%s: a ninth copy", f.name)
		}
		dev.NewShoe()
		d.NewShoe()
		expect(t, f.name+": a new shoe", draw(dev.Draw(shoe.New(9, shoe.Spades))), "drawn 9s")
	}
}

func TestWhatReadersCannotSay(t *testing.T) {
	for _, f := range formats {
		dev := device(t, Options{Format: f.name, Cards: full(t, 1, f.length), Ask: f.ask})
		talks := f.name == "jsonl"
		if dev.Draw(shoe.Unread) != nil || dev.Draw(shoe.NoCard) != nil || dev.ClearFault("E3") != nil || dev.Locked() || dev.Tag("x") != nil {
			t.Errorf("%s says what it cannot", f.name)
		}
		if (dev.Boot() != nil) != talks || (dev.Fault("E3", "words") != nil) != talks {
			t.Errorf("%s: boot %q, fault %q", f.name, dev.Boot(), dev.Fault("E3", ""))
		}
		d := decoder(t, f.name)
		if d.Ack(shoe.Source{}) != nil || d.Lock(true) != nil {
			t.Errorf("%s: the decoder talks of what the reader does not know", f.name)
		}
	}
	if device(t, Options{Format: "rdm6300"}).Tag("04AABBCCDD11") != nil {
		t.Error("a tag of six bytes")
	}
	dev := device(t, Options{Format: "jsonl"})
	expect(t, "boot", string(dev.Boot()), `{"type":"boot","seq":1,"device_id":"sabot"}`+"\n")
	expect(t, "a tag", string(dev.Tag("04:aa:bb")), `{"type":"card","seq":2,"device_id":"sabot","card_uid":"04AABB"}`+"\n")
	expect(t, "a fault", feed(decoder(t, "jsonl"), 0, dev.Fault("E \"3\"\x01", "")), `faulted E-"3"-`)
}

// TestTheModelWaitsForTheQuestion, each tag for its own.
func TestTheModelWaitsForTheQuestion(t *testing.T) {
	dev := device(t, Options{Format: "pn532", Ask: []string{"D44A0100"}})
	expect(t, "before", hexes(append(dev.Tag("0A01"), dev.Tag("0A02")...)), "")
	poll := packet([]byte{fromHost, 0x4A, 1, 0})
	answer := func(id byte) string {
		return hexes(packet([]byte{fromChip, listedTags, 1, 1, 0, 4, 0, 2, 0x0A, id}))
	}
	expect(t, "another question", hexes(dev.Feed(0, packet([]byte{fromHost, 0x14, 1}))), hexes(acknowledged)+hexes(packet([]byte{fromChip, 0x15})))
	expect(t, "the first", hexes(dev.Feed(0, poll)), hexes(acknowledged)+answer(1))
	expect(t, "the second", hexes(dev.Feed(0, poll)), hexes(acknowledged)+answer(2))
	expect(t, "none", hexes(dev.Feed(0, poll)), hexes(acknowledged))
	expect(t, "one, then", hexes(dev.Tag("0A03")), answer(3))
	expect(t, "once", hexes(dev.Tag("0A04")), "")
}

// TestATagOnTheModelRepeats as a real one does, while it lies there.
func TestATagOnTheModelRepeats(t *testing.T) {
	dev := device(t, Options{Format: "rdm6300"})
	p := dev.Tag("0A00123456")
	expect(t, "the frame", hexes(p), "0230413030313233343536374103")
	expect(t, "lies", string(dev.Feed(199*time.Millisecond, nil)), string(p))
	expect(t, "is gone", string(dev.Feed(200*time.Millisecond, nil)), "")
	expect(t, "id12", string(device(t, Options{Format: "id12"}).Tag("0A00123456")), "\x020A001234567A\r\n\x03")
	expect(t, "pn532", hexes(device(t, Options{Format: "pn532"}).Tag("04AABBCCDD1122")), "0000FF0FF1D54B0101000400"+"0704AABBCCDD1122"+"8E00")
}

// TestNoisyShoe draws eight decks over a line that spoils copies and puts noise between frames. Readers that repeat lose a copy or two of each, and no
// card; clients in JSON say it when a line was spoilt.
func TestNoisyShoe(t *testing.T) {
	for _, f := range formats {
		if f.ask != nil {
			continue
		}
		for seed := range uint64(5) {
			noisyShoe(t, f.name, full(t, 8, f.length), rand.New(rand.NewPCG(seed, 1)), fmt.Sprintf("%s, seed %d", f.name, seed))
		}
	}
}

func noisyShoe(t *testing.T, format string, c *Cards, r *rand.Rand, name string) {
	o := Options{Format: format, Cards: c}
	dev, d, now := device(t, o), decoderOf(t, o), time.Duration(0)
	var deck []shoe.Card
	for range 8 {
		deck = append(deck, shoe.Deck()...)
	}
	r.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	for i, card := range deck {
		frame := dev.Draw(card)
		copies := [][]byte{frame, frame, frame}
		want := "drawn " + card.String()
		if format == "jsonl" { // says it once
			copies = copies[:1]
		}
		for j := range len(copies) - 1 { // the last copy is good
			copies[j] = spoil(r, frame)
		}
		r.Shuffle(len(copies), func(i, j int) { copies[i], copies[j] = copies[j], copies[i] })
		var got []string
		for _, p := range copies {
			for piece := range slices.Chunk(append(noise(r), p...), 1+r.IntN(20)) {
				if s := feed(d, now, piece); s != "" {
					got = append(got, s)
				}
				now += 10 * time.Millisecond
			}
		}
		for range 5 {
			now += 200 * time.Millisecond
			if s := feed(d, now, nil); s != "" {
				got = append(got, s)
			}
		}
		// A bad copy behind a good one is a spoilt reading nothing heals: a fault, never a card.
		cards := slices.DeleteFunc(got, func(s string) bool { return s == "faulted unknown-reading" })
		if strings.Join(cards, " | ") != want {
			t.Fatalf("%s, card %d: got %q, want %s", name, i, got, want)
		}
	}
}

// spoil is a copy of a frame with a bit turned, cut off, or lost.
func spoil(r *rand.Rand, frame []byte) []byte {
	p := bytes.Clone(frame)
	switch r.IntN(4) {
	case 0:
		p[r.IntN(len(p))] ^= 1 << r.IntN(8)
	case 1:
		p = p[:r.IntN(len(p))]
	case 2:
		p = nil
	}
	return p
}

// noise is what no frame begins with.
func noise(r *rand.Rand) []byte {
	p := make([]byte, r.IntN(4))
	for i := range p {
		p[i] = byte(0x80 + r.IntN(0x7F))
	}
	return p
}
