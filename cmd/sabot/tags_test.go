package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sabot/shoe"
	"sabot/shoe/line"
	"sabot/shoe/uid"
	"sabot/table"
	"sabot/table/journal"
)

// sentence is one of the neutral line, with its checksum.
func sentence(text string) []byte {
	var sum byte
	for _, b := range []byte("SB" + text) {
		sum ^= b
	}
	return fmt.Appendf(nil, "$SB%s*%02X\r\n", text, sum)
}

// TestALineThatNamesTags: a shoe on the neutral line may name tags; with an enrolment they are cards, once each in a shoe, also over a restart.
func TestALineThatNamesTags(t *testing.T) {
	cards, err := uid.Parse("04AABBCC01 9s\n04AABBCC02 cut\n04AABBCC03 Kd\n")
	if err != nil {
		t.Fatal(err)
	}
	hears := func(d *taggedLine, said ...string) string {
		var events []string
		for _, text := range said {
			reports, _ := d.Feed(0, sentence(text))
			for _, r := range reports {
				if e, ok := table.FromReport(r); ok {
					events = append(events, e.String())
				}
			}
		}
		return strings.Join(events, " | ")
	}
	begin := func() *taggedLine {
		d := newTaggedLine("shoe", cards)
		d.Resume(shoe.Source{})
		d.Feed(0, sentence("HEL,1,shoe,1,7,7:1"))
		return d
	}
	d := begin()
	if got, want := hears(d, "UID,1,04AABBCC01", "UID,2,04aa:bb:cc:02", "UID,3,04DD", "UID,4,04AABBCC01", "CRD,5,2C", "UID,6,x"),
		"draw 9s | cut | draw ?? | fault shoe foreign | fault shoe same-uid | draw 2c | draw ?? | fault shoe foreign"; got != want {
		t.Errorf("heard %s\nwant %s", got, want)
	}
	d.newShoe()
	if got := hears(d, "UID,7,04AABBCC01"); got != "draw 9s" {
		t.Errorf("in a new shoe: %s", got)
	}
	dir := filepath.Join(t.TempDir(), "record")
	j, _, err := journal.Open(dir, journal.Header{Table: "BJ-1", Game: "blackjack"}, journal.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	e, _ := table.Parse("draw Kd")
	entry := journal.Entry{Seq: 1, Event: e, From: journal.Source{Source: shoe.Source{Device: "shoe", Epoch: 7, Seq: 1}}, Raw: sentence("UID,1,04AABBCC03"), Calls: []byte("[]"), Floor: []byte("[]"), Game: []byte("[]")}
	entry.Event.Seq, entry.Raw = 1, entry.Raw[:len(entry.Raw)-2]
	if err := j.Append(&entry); err != nil {
		t.Fatal(err)
	}
	j.Close()
	again := begin()
	if err := recall(again, dir, "shoe"); err != nil {
		t.Fatal(err)
	}
	if got := hears(again, "UID,1,04AABBCC03", "UID,2,04AABBCC01"); got != "fault shoe same-uid | draw 9s" {
		t.Errorf("after a restart: %s", got)
	}
	var _ tagged = again
	if _, err := (&lineDialect{cards: filepath.Join(dir, "none")}).decoder("shoe"); err == nil || !strings.Contains(err.Error(), "sabot enrol") {
		t.Errorf("without the file: %v", err)
	}
	if dec, _ := (&lineDialect{}).decoder("shoe"); fmt.Sprintf("%T", dec) != fmt.Sprintf("%T", line.New("shoe")) {
		t.Errorf("without an enrolment it is a %T", dec)
	}
}
