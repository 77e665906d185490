package table

import (
	"fmt"
	"strings"
	"testing"
)

// lines has at least one line for every kind of event.
var lines = []string{
	"table open by S-2", "table close by S-2", "shoe 12 by S-2", "count 83 by S-2", "dealer D-7", `burn 3 by S-2 because "dealer change"`,
	"draw 9s", "draw Td player 1", "draw ??", "draw 9s burn", "draw 9s banker 3", "draw Ah outside", `draw 9s 3a by S-2 because "read off the table"`, "draw 9s player by S-2", "draw Ac dealer by S-2", "cut",
	"resent 9s", "resent Td player 1", "resent ?? banker 3", "resent 9s burn", "resent Ah outside", "claims player", "claims banker player-pair", "claims tie player-pair banker-pair", "claims quit", "claims none banker-pair",
	"open", "bet P-81 3 100", "bet P-81 3 100, 3 25 pair, 5 50 behind, balance 1000", "bet P-81 straight 17 100, split 8-11 50, first-four 5", "bet P-81 none", "bet P-81 player -5 by S-2", "close 1,3,7", "close none",
	"hit 3a", "hit", "stand 3b", "double 3c", "split 3d", "surrender 3", "surrender", "insure 3", "insure 3 P-81", "even-money 3", "decline 3", "decline 3 P-81", "follow 3a P-81 double", "follow 3b P-81 split", "short 3a", "plan 3a stand",
	"peek", "reveal", "stop", "ball", "result 17", "no-spin", "no-more-bets", "proposed 17", `result 0 by S-2 because "sensor blind"`,
	"pause", "pause by S-2", "resume by S-2", "release 412 by key", "release 412 use by S-2", "release 412 burn by S-2", "release 412 carry by S-2", "release 412 assign 3a by S-2",
	"release 412 reread by S-2", "release 412 reveal by S-2", "release 412 device by S-2", "correct 412 9s by S-2", `correct 412 cut by S-2 because "it was \"the\" cut card"`,
	"undo 412 by S-2", `exposed 412 by S-2 because "it fell face up"`, "void by S-2", `void 37 by S-2 because "misdealt"`, "retire by S-2", `dispute 36 by S-2 because "player says he stood"`,
	"lost shoe", "found shoe", "fault shoe 1", "clear shoe 1", "timeout bets", "timeout insurance", "timeout result", "timeout 3a", "clock -3.2s", "restart 12s", `refused NOT_YOUR_TURN "hit 3a"`,
	"deckcheck 8 cards 416, missing none, extra none, foreign 0, unread 0, twice 0, cut 1, faults 0, order mixed by D-7", `deckcheck 1 cards 51, missing 9s 1 by D-7 because "new decks"`,
	`program "v1.2.3+dirty" binary 8c1f, configuration 77ab`,
}

func TestNotationIsTheIdentity(t *testing.T) {
	seen := map[Kind]bool{}
	for _, line := range lines {
		e, err := Parse(line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		seen[e.Kind] = true
		if e.String() != line {
			t.Errorf("%q is written back as %q", line, e.String())
		}
	}
	for k := NoEvent + 1; k < kinds; k++ {
		if !seen[k] {
			t.Errorf("no line for %q", k.Word())
		}
	}
}

func TestNotationReadsWhatPeopleWrite(t *testing.T) {
	for in, want := range map[string]string{
		"DRAW 10S": "draw Ts", "Resent 10h PLAYER 2": "resent Th player 2", "CLAIMS Banker Banker-Pair PLAYER-PAIR player-pair": "claims banker player-pair banker-pair", "Timeout Result": "timeout result", "draw qH  # the queen": "draw Qh", "  Close 1,3 ": "close 1,3", "Table Open BY S-2": "table open by S-2", "HIT 3A": "hit 3a", "Bet P-81 3 100,3 25 Pair ,5  50 behind": "bet P-81 3 100, 3 25 pair, 5 50 behind",
	} {
		e, err := Parse(in)
		if err != nil || e.String() != want {
			t.Errorf("%q is %q, %v; want %q", in, e.String(), err, want)
		}
	}
}

func TestNotationRefuses(t *testing.T) {
	for _, line := range []string{
		"", "#", "dra 9s", "draw", "draw 1s", "draw 9s 8a", "draw 9s 3e", "close", "close 3,1", "close 1,1", "close 8", "close 0", "close 1,", "hit 3a 4a", "hit 0a", "bet P", "bet P 3 1,", "bet P , 3 1", "bet P 3 1/2", "bet P 3 1,by", "bet P 3 1,because,3 2", "bet a/b 3 1", "follow 3a double", "follow 3 P double", "insure 3 a/b",
		"shoe -1", "shoe x", "release", "release 4 forgive", "release 4 assign", "plan 3a peek", "timeout deal", "correct 3 ??", "clock 3", `void because ""`, `void because "x`, "lost a/b", "lost",
		"resent", "resent 9s 3a", "resent 9s player", "resent 9s player 0", "resent 9s dealer", "claims", "claims me", "claims player pair", "claims player-pair", "proposed", "proposed x", "no-more-bets 3", "timeout spin", "void by a/b", "refused WHAT \"x\"", "table", "table burn", "none", "hit by", "deckcheck", "deckcheck x cards 1", "deckcheck 8", "deckcheck 8 by D-7", "deckcheck 8 cards 4,", "program v1 binary 8c1f", `program "v1"`, `fault shoe`,
	} {
		if e, err := Parse(line); err == nil {
			t.Errorf("%q was read as %q", line, e.String())
		}
	}
}

// A number that is out of range is refused with the range, whatever the event and however great it is.
func TestNotationSaysTheRange(t *testing.T) {
	const huge = "99999999999999999999999"
	for line, want := range map[string]string{
		"burn 300 by S-2": "burn: 300 is not from 1 to 20", "burn 0 by S-2": "burn: 0 is not from 1 to 20", "burn 21 by S-2": "burn: 21 is not from 1 to 20", "burn -1 by S-2": "burn: -1 is not from 1 to 20",
		"count 70000 by S-2": "count: 70000 is not from 0 to 416", "count 417 by S-2": "count: 417 is not from 0 to 416", "count -1 by S-2": "count: -1 is not from 0 to 416",
		"count " + huge + " by S-2": "count: " + huge + " is not from 0 to 416", "release " + huge + " use by S-2": "release: " + huge + " is not from 1 to",
		"shoe 0 by S-2": "shoe: 0 is not from 1 to 2147483648", "shoe 2147483649 by S-2": "shoe: 2147483649 is not from 1 to 2147483648",
		"dispute 0 by S-2": "dispute: 0 is not from 1 to 4294967295", "dispute 4294967296 by S-2": "dispute: 4294967296 is not from 1 to 4294967295",
		"release 0 by S-2": "release: 0 is not from 1 to 9223372036854775807", "correct -3 9s by S-2": "correct: -3 is not from 1 to", "exposed 0 by S-2": "exposed: 0 is not from 1 to", "undo -1 by S-2": "undo: -1 is not from 0 to 9223372036854775807",
		"result -1 by S-2": "result: -1 is not from 0 to", "deckcheck 9 cards 1": "deckcheck: 9 is not from 1 to 8",
		"hit 8a": `"8a" is no hand from 1a to 7d`, "hit 3e": `"3e" is no hand from 1a to 7d`, "hit 200a": `"200a" is no hand from 1a to 7d`, "plan 0a stand": `"0a" is no hand from 1a to 7d`, "timeout 9a": `"9a" is no hand from 1a to 7d, bets, insurance or result`,
		"draw 9s 9a by S-2": `"9a" is no hand from 1a to 7d, dealer, player or banker`, "release 4 assign 9a by S-2": `"9a" is no hand from 1a to 7d, dealer, player or banker`,
		"insure 200": `"200" is no seat from 1 to 7`, "surrender 0": `"0" is no seat from 1 to 7`, "decline 8": `"8" is no seat from 1 to 7`,
		"close 1,300": `"1,300" is no ascending list of seats from 1 to 7`, "close 8": `"8" is no ascending list of seats from 1 to 7`,
		"draw 9s player 12": `"12" is no card of a hand: they have the numbers 1 to 9`, "draw 9s banker 0": `"0" is no card of a hand: they have the numbers 1 to 9`, "resent 9s player 10": `"player 10" is no claim such as player 1; a hand's cards have the numbers 1 to 9`,
	} {
		if _, err := Parse(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
	for _, k := range []Kind{NewShoe, Count, Burn, Result, Proposed, Undo, Dispute, Expose} {
		least, most := k.Range()
		for _, n := range []int64{least, most} {
			if e, err := Parse(fmt.Sprint(k.Word(), " ", n)); err != nil || e.N != n {
				t.Errorf("%s %d: %v", k.Word(), n, err)
			}
		}
		if _, err := Parse(k.Word() + " 99999999999999999999999"); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("is not from %d to %d", least, most)) {
			t.Errorf("%s: %v", k.Word(), err)
		}
	}
	if MaxSeats != 7 || MaxHands != 4 {
		t.Error("the sentences speak of seven seats with four hands each")
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range lines {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		e, err := Parse(line)
		if err != nil {
			return
		}
		text := e.String()
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%q is %q, which does not read back: %v", line, text, err)
		}
		if !again.Equal(e) || again.String() != text {
			t.Fatalf("%q is %q, which reads back as %q", line, text, again.String())
		}
	})
}
