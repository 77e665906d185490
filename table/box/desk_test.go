package box_test

import (
	"strings"
	"testing"

	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/box"
)

// desk is a table with a box, without a loop between them: what a press asks for happens at once, if the game lets it.
type desk struct {
	t       *testing.T
	game    table.Game
	box     box.Box
	seq     int64
	lost    map[string]string
	asked   []table.Event // what presses asked for, refused or not
	refused []table.Code
}

func newDesk(t *testing.T, game table.Game, o box.Options) *desk {
	d := &desk{t: t, game: game, box: box.New(o), lost: map[string]string{}}
	d.see()
	return d
}

// blackjackDesk is a desk of a preset whose dealer enters the decisions, looks and turns by button; change may make it another.
func blackjackDesk(t *testing.T, preset string, change func(*blackjack.Rules)) *desk {
	rules := blackjack.Presets[preset]()
	rules.Burn, rules.Buttons, rules.ImpliedHit, rules.ImpliedPeek, rules.ImpliedReveal = table.BurnRule{}, true, true, rules.Peek == blackjack.PeekNever, !rules.HoleCard
	if change != nil {
		change(&rules)
	}
	o := box.Options{Seats: rules.Seats, Buttons: rules.Buttons, EvenMoney: rules.EvenMoney}
	return newDesk(t, table.NewRound(blackjack.New(&rules, table.Opening{})), o)
}

// see shows the table to the box, and gives what a screen would show.
func (d *desk) see() table.Snapshot {
	layout, opening := d.game.Layout(), d.game.Opening()
	d.box.See(&layout)
	return table.Snapshot{Seq: d.seq, Layout: layout, Floor: table.FloorState{Paused: opening.Paused, Stops: table.Stops(d.game), Devices: d.lost, Box: d.box.State(&layout)}}
}

// step makes an event happen.
func (d *desk) step(e table.Event) []table.Call {
	d.seq++
	e.Seq = d.seq
	calls := d.game.Step(e, nil)
	d.see()
	return calls
}

// press is a press as the loop takes it.
func (d *desk) press(p box.Press) box.Meaning {
	now := d.see()
	m := d.box.Press(p, &now)
	for _, e := range m.Events {
		d.asked = append(d.asked, e)
		code := m.Refused
		if code == table.OK && e.Kind != table.Stop && e.Kind != table.Pause {
			code = d.game.Check(e)
		}
		d.refused = append(d.refused, code)
		if code != table.OK {
			break
		}
		d.step(e)
	}
	if len(m.Events) == 0 && m.Refused != table.OK {
		d.asked, d.refused = append(d.asked, table.Event{}), append(d.refused, m.Refused)
	}
	return m
}

// strokes are how people press.
var strokes = map[string][]box.Stroke{"": {box.Down, box.Up}, "long": {box.Down, box.Held, box.Up}, "down": {box.Down}, "held": {box.Held}, "up": {box.Up}, "stuck": {box.Stuck}}

// do plays a line: a button and how it is pressed, or an event that happens. It gives what was asked for and where the cursor stands.
func (d *desk) do(line string) string {
	d.t.Helper()
	name, how, _ := strings.Cut(line, " ")
	button, presses := box.ParseButton(name), strokes[how]
	if button == box.NoButton || presses == nil {
		e, err := table.Parse(line)
		if err != nil {
			d.t.Fatal(err)
		}
		d.step(e)
		return ""
	}
	d.asked, d.refused = nil, nil
	for _, s := range presses {
		d.press(box.Press{Button: button, Stroke: s})
	}
	var words []string
	for i, e := range d.asked {
		word := e.String()
		if e.Kind == table.NoEvent {
			word = "beep"
		}
		if code := d.refused[i]; code != table.OK {
			word += " " + code.String()
		}
		words = append(words, word)
	}
	if s := d.see().Floor.Box; len(words) == 0 && s != nil && s.Cursor > 0 {
		words = append(words, "at "+string(rune('0'+s.Cursor))+" of "+set(s.Playing).String())
	}
	return strings.ReplaceAll(strings.Join(words, "; "), ` by key because "the supervisor's key"`, " by key")
}

func set(list []int) table.Seats {
	s, _ := table.MakeSeats(list, table.MaxSeats)
	return s
}

// play plays a script: a line a press or an event, and behind " -> " what it comes to.
func (d *desk) play(script string) {
	d.t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(script), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		do, want, _ := strings.Cut(strings.TrimSpace(line), "->")
		if got := d.do(strings.TrimSpace(do)); got != strings.TrimSpace(want) {
			d.t.Fatalf("line %d: %s-> %s", i+1, do, got)
		}
	}
}
