package tabletest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sabot/table"
	"sabot/table/baccarat"
	"sabot/table/blackjack"
	"sabot/table/roulette"
	"sabot/table/tabletest"
)

// classes is the procedure's table of irregularities: what each is, its code, and its class in a round and, after a slash, between rounds.
var classes = []struct{ what, code, class string }{
	{"card when none is due", "EXTRA_CARD", "now"},
	{"card after the round", "CARD_AFTER_END", "now"},
	{"card after the final round, while the shoe is changed", "CARD_AFTER_END", "note"},
	{"misread where a value is needed", "MISREAD", "now"},
	{"card while held or paused", "CARD_HELD", "now"},
	{"card moved by a correction", "CARD_MOVED", "now"},
	{"burn short or one too many", "BURN_COUNT", "now"},
	{"the shoe's claim differs from ours", "CLAIM_DIFFERS", "now"},
	{"card after a natural", "BAC_NATURAL", "now"},
	{"card although both hands stand", "BAC_BOTH_STAND", "now"},
	{"card although the Banker stands", "BAC_BANKER_STANDS", "now"},
	{"card after the last third one", "BAC_COMPLETE", "now"},
	{"card on the other hand", "BAC_WRONG_HAND", "now"},
	{"same UID twice", "SAME_CARD", "now"},
	{"foreign card", "FOREIGN_CARD", "now"},
	{"the dealer's card still due at open", "DEALER_CARD_DUE", "now"},
	{"overdraw", "OVERDRAW", "now"},
	{"overdraw while the shoe is changed", "OVERDRAW", "note"},
	{"pushed back", "PUSHED_BACK", "now"},
	{"pushed back while the shoe is changed", "PUSHED_BACK", "note"},
	{"lock opened", "LOCK_OPENED", "now"},
	{"lock opened while the shoe is changed", "LOCK_OPENED", "note"},
	{"device lost in a round", "DEVICE_LOST", "now"},
	{"device lost between rounds", "DEVICE_LOST", "note"},
	{"device's fault in a round", "DEVICE_FAULT", "now"},
	{"device's restart in a round", "DEVICE_RESTART", "now"},
	{"sequence gap in a round", "SEQUENCE_GAP", "now"},
	{"a number used again", "SEQUENCE_CONFLICT", "now"},
	{"the program's own fault", "INTERNAL_FAULT", "now"},
	{"restart in a round", "RESTART", "now"},
	{"restarts that get nowhere", "RESTART_LOOP", "now"},
	{"a record that does not vouch for the felt", "RECORD_DOUBT", "now"},
	{"restart between rounds", "RESTART", "note"},
	{"result without spin", "RESULT_WITHOUT_SPIN", "now"},
	{"result while bets are open", "RESULT_EARLY", "now"},
	{"a number that is none", "NUMBER_INVALID", "now"},
	{"ball before the bets are closed", "BALL_EARLY", "now"},
	{"second no-spin running", "NO_SPIN_AGAIN", "now"},
	{"STOP", "STOP", "now"},
	{"more copies than decks", "CARD_COPIES", "after-round"},
	{"unshuffled: new-deck order", "NEW_DECK_ORDER", "after-round"},
	{"unshuffled: the last shoe's order", "LAST_SHOE_ORDER", "after-round"},
	{"cut card implausibly early", "CUT_EARLY", "after-round"},
	{"cut card never seen", "CUT_UNSEEN", "after-round"},
	{"end count wrong", "COUNT_WRONG", "after-round"},
	{"shoe exhausted", "SHOE_EXHAUSTED", "after-round"},
	{"refused decision or command", "REFUSED", "note"},
	{"slow draw", "SLOW_DRAW", "note"},
	{"face-down burn unread", "BURN_UNREAD", "note"},
	{"face-down burn unread, in a house that stops for it", "BURN_UNREAD", "now"},
	{"clock step", "CLOCK_STEP", "note"},
	{"a number while the table is stopped", "RESULT_HELD", "note"},
	{"a spin nobody waits for", "SPIN_UNDUE", "note"},
	{"the shoe's own result differs from ours", "RESULT_DIFFERS", "now"},
	{"the shoe's own result, from a shoe that counts on from before cards were moved", "RESULT_DIFFERS", "note"},
	{"the shoe's own result of no coup", "CLAIM_UNDUE", "note"},
	{"a card named again", "CARD_RESENT", "note"},
	{"a number nobody saw fall, in a spin", "RESULT_PROPOSED", "now"},
	{"a number nobody saw fall, where none is waited for", "RESULT_PROPOSED", "note"},
	{"a new shoe that a device proposes", "SHOE_PROPOSED", "note"},
	{"a button whose contact is stuck or chatters", "CONTACT_FAULT", "note"},
}

// remedies are the procedure's, as a pattern of what is ordered and one of what is called of it.
var remedies = []struct{ what, order, call string }{
	{"use", `release \d+ use by`, `"remedy":"use"`},
	{"burn", `release \d+ burn by`, `"remedy":"burn"`},
	{"carry", `release \d+ carry by`, `"remedy":"carry"`},
	{"assign", `release \d+ assign 3a by`, `"remedy":"assign"`},
	{"reread", `release \d+ reread by`, ``},
	{"the shoe reads a card again after that was ordered", `resent ..`, `"code":"MISREAD","remedy":"reread"`},
	{"and before", `release \d+ reread by`, `"code":"MISREAD","remedy":"reread"`},
	{"correct a card that lies aside", `correct \d+ 9s by`, `floor corrected`},
	{"correct a card that was dealt", `correct \d+ 6s by`, `"rev":1`},
	{"correct: it was the cut card", `correct \d+ cut by`, `cut`},
	{"reveal", `release \d+ reveal by`, `reveal,`},
	{"device", `release \d+ device by`, `"remedy":"device"`},
	{"the default", `release \d+ by`, `"remedy":`},
	{"a card by hand", `draw .. [0-9a-z]+ by`, `"manual":true`},
	{"a number by hand", `result \d+ by`, `"manual":true`},
	{"void", `void by`, `void,`},
	{"void when the round had ended", `void by`, `void,"round":1,"rev":1`},
	{"void while the next round's bets are taken", `void 2 by`, `void,"round":2,"rev":1`},
	{"retire", `retire by`, `released`},
	{"undo", `undo \d+ by`, `corrected`},
	{"exposed", `exposed \d+ by`, `floor exposed`},
	{"dispute", `dispute \d+ by`, ``},
	{"burn so many", `burn \d+ by`, `burn,`},
	{"count", `count \d+ by`, ``},
	{"shoe", `shoe \d+ by`, `shoe,`},
	{"dealer", `dealer `, ``},
	{"table open", `table open by`, ``},
	{"table close", `table close by`, ``},
	{"pause", `pause`, `paused`},
	{"resume", `resume by`, `resumed`},
	{"bets back after a void round", `void by`, `game refunded`},
	{"bets back after a round that had ended", `void by`, `game reversed`},
	{"paid again after a correction", `correct \d+ .. by`, `game reversed`},
}

// clocks are what runs out, by the event that says so.
var clocks = []string{"timeout bets", "timeout insurance", "timeout result", "timeout 2a"}

// TestEveryPartOfTheProcedureHasATranscript: each class, remedy and clock was written down once, with what is called of it, and each phase was come to.
func TestEveryPartOfTheProcedureHasATranscript(t *testing.T) {
	said := transcripts(t)
	all := strings.Join(said, "")
	for _, c := range classes {
		if !strings.Contains(all, `"code":"`+c.code+`","class":"`+c.class+`"`) {
			t.Errorf("no transcript of %s: %s, %s", c.what, c.code, c.class)
		}
	}
	for _, r := range remedies {
		if !together(said, r.order, r.call) {
			t.Errorf("no transcript of the remedy %q", r.what)
		}
	}
	for _, c := range clocks {
		if !strings.Contains(all, c) {
			t.Errorf("no transcript of %s", c)
		}
	}
	for c := table.OK + 1; c.String() != "UNKNOWN" || c < table.BurnCount; c++ {
		row := slices.ContainsFunc(classes, func(row struct{ what, code, class string }) bool { return row.code == c.String() })
		for _, r := range c.Remedies() {
			if released := fmt.Sprintf(`floor released,"irregularity":\d+,"code":"%s","remedy":"%s"`, c, r); !regexp.MustCompile(released).MatchString(all) {
				t.Errorf("no transcript releases %s by %s", c, r)
			}
		}
		if c.Irregular() && !row && c != table.TimedOut { // the loop's, of a clock: no transcript can tell it from a player's wish
			t.Errorf("%s is an irregularity, and no row of the procedure's table", c)
		}
	}
}

// together says that a step of some transcript has an order and a call of it.
func together(said []string, order, call string) bool {
	first := regexp.MustCompile(`^(\+\S+ )?` + order)
	for _, step := range said {
		if first.MatchString(step) && (call == "" || strings.Contains(step, "\t") && regexp.MustCompile(call).MatchString(step[strings.Index(step, "\n"):])) && !strings.Contains(step, "\trefused") {
			return true
		}
	}
	return false
}

// transcripts are all transcripts' steps, each with its calls.
func transcripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*/testdata/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d transcripts: %v", len(files), err)
	}
	var steps []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.SplitAfter(string(text), "\n") {
			if strings.HasPrefix(line, "\t") && len(steps) > 0 {
				steps[len(steps)-1] += line
			} else {
				steps = append(steps, line)
			}
		}
	}
	return steps
}

// TestTranscriptsComeToEveryPhase: and to a pause, a stop and a last round beside it.
func TestTranscriptsComeToEveryPhase(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range []string{"blackjack", "baccarat", "roulette"} {
		files, _ := filepath.Glob("../" + file + "/testdata/*.txt")
		for _, name := range files {
			come(t, name, seen)
		}
	}
	for p := table.Closed; p <= table.Spin; p++ {
		if !seen[p.String()] {
			t.Errorf("no transcript comes to %v", p)
		}
	}
	for _, beside := range []string{"stopped", "paused", "last-round"} {
		if !seen[beside] {
			t.Errorf("no transcript has %s", beside)
		}
	}
}

// come plays a transcript and notes where it comes to.
func come(t *testing.T, name string, seen map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	script, err := table.ParseTranscript(string(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	game := scripted(t, script)
	for _, s := range script.Steps {
		if !s.Event.Asked() || game.Check(s.Event) == table.OK {
			game.Step(s.Event, nil)
		}
		l := game.Layout()
		seen[l.Phase.String()] = true
		if l.Stopped != nil {
			seen[*l.Stopped] = true
		}
		seen["last-round"] = seen["last-round"] || l.Shoe.LastRound
	}
}

func scripted(t *testing.T, script table.Transcript) table.Game {
	t.Helper()
	var game table.Game
	var err error
	switch script.Game {
	case "blackjack":
		var r *blackjack.Rules
		r, err = tabletest.Rules(blackjack.Presets, script.Settings, func(r *blackjack.Rules) table.Settings { return append(r.Settings(), r.Orders.Settings()...) })
		game = table.NewRound(blackjack.New(r, table.Opening{}))
	case "baccarat":
		var r *baccarat.Rules
		r, err = tabletest.Rules(baccarat.Presets, script.Settings, func(r *baccarat.Rules) table.Settings { return append(r.Settings(), r.Orders.Settings()...) })
		game = table.NewRound(baccarat.New(r, table.Opening{}))
	default:
		var r *roulette.Rules
		r, err = tabletest.Rules(roulette.Presets, script.Settings, func(r *roulette.Rules) table.Settings { return append(r.Settings(), r.Orders.Settings()...) })
		game = table.NewRound(roulette.New(r, table.Opening{}))
	}
	if err != nil {
		t.Fatal(err)
	}
	return game
}
