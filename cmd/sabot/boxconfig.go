package main

import (
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v4"

	"sabot/drivers/gpio"
	"sabot/table/box"
)

// BoxConfig is the dealer's box: its buttons and the supervisor's key, as contacts on this machine's lines or as a device that speaks the neutral line,
// and the lamps.
type BoxConfig struct {
	GPIO gpio.Config
	Port string // of a box that speaks the neutral line; "" for none
	Baud int
}

// boxDevice is the box's name in events.
const boxDevice = "box"

// pressed says that there is a button at all.
func (b *BoxConfig) pressed() bool { return len(b.GPIO.Buttons) > 0 || b.Port != "" }

// wired says that this machine's lines are used.
func (b *BoxConfig) wired() bool { return len(b.GPIO.Buttons)+len(b.GPIO.Lamps) > 0 }

// held are how long the buttons must be held that mean something else then.
var held = map[string]time.Duration{box.Split.String(): 700 * time.Millisecond, box.Key.String(): time.Second}

// wiring is what a box is called by its parts, and the line of each in the standard box, which leaves a Raspberry Pi's serial port and buses free.
var (
	buttonWiring = map[string]string{
		"next": "GPIO5", "hit": "GPIO6", "stand": "GPIO13", "double": "GPIO19", "split": "GPIO26", "stop": "GPIO16", "key": "GPIO20",
	}
	lampWiring = map[string]string{
		gpio.Green: "GPIO17", gpio.Amber: "GPIO27", gpio.Red: "GPIO22", gpio.Blue: "GPIO23", gpio.Buzzer: "GPIO24", gpio.Lock: "GPIO25",
	}
)

// box reads the section of the dealer's box.
func (r *reader) box(n *yaml.Node) {
	b := &r.config.Box
	r.section(n, "box", []key{
		{"buttons", "", r.wiring("box.buttons", buttonWiring, r.button)},
		{"lamps", "", r.wiring("box.lamps", lampWiring, r.lamp)},
		{"port", "", r.text("box.port", portWanted, &b.Port, validPort)},
		{"baud", "", r.baud("box.baud", &b.Baud)},
	})
	if b.Port != "" && b.Baud == 0 {
		b.Baud = devices["shoe"]["line"].baud
	}
}

// wiring reads the word standard, or a mapping of parts to their lines; part reads one, with no node where it is standard.
func (r *reader) wiring(path string, standard map[string]string, part func(path, name string, n *yaml.Node)) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.Value == "standard" {
			for _, name := range sorted(standard) {
				part(join(path, name), name, &yaml.Node{Kind: yaml.ScalarNode, Value: standard[name], Line: n.Line, Column: n.Column})
			}
			return
		}
		if n.Kind == yaml.ScalarNode {
			r.value(path, "standard, or the line of each: "+oneOf(sorted(standard)), func(string) bool { return false })(n)
			return
		}
		var keys []key
		for _, name := range sorted(standard) {
			keys = append(keys, key{name, "", func(v *yaml.Node) { part(join(path, name), name, v) }})
		}
		r.section(n, path, keys)
	}
}

// lineWanted is how a line is written.
const lineWanted = "a line by the board's name such as GPIO17, or its place on the header such as P1_11"

func validLine(v string) bool { return v != "" && len(v) <= 32 }

// button reads a button: its line alone, or with how it is connected.
func (r *reader) button(path, name string, n *yaml.Node) {
	b := gpio.Button{Name: name, Hold: held[name], Halts: name == "stop" || name == "key"}
	if name == "key" {
		b.Sense = gpio.NormallyClosed // a cut wire pauses
	}
	line := r.text(join(path, "line"), lineWanted, &b.Line, validLine)
	if n.Kind == yaml.ScalarNode {
		line(n)
	} else {
		at := func(k string) string { return join(path, k) }
		r.section(n, path, []key{
			{"line", lineWanted, line},
			{"sense", "", r.word(at("sense"), (*string)(&b.Sense), string(gpio.NormallyOpen), string(gpio.NormallyClosed))},
			{"pull", "", r.word(at("pull"), (*string)(&b.Pull), string(gpio.PullUp), string(gpio.PullDown), string(gpio.PullNone))},
			{"debounce", "", r.duration(at("debounce"), &b.Debounce)},
			{"hold", "", r.duration(at("hold"), &b.Hold)},
			{"latching", "", r.value(at("latching"), "yes or no", func(v string) bool {
				b.Latching = v == "yes"
				return v == "yes" || v == "no"
			})},
		})
	}
	r.config.Box.GPIO.Buttons = append(r.config.Box.GPIO.Buttons, b)
}

// lamp reads a lamp: its line alone, or with the level that lights it.
func (r *reader) lamp(path, name string, n *yaml.Node) {
	l := gpio.Lamp{Name: name}
	line := r.text(join(path, "line"), lineWanted, &l.Line, validLine)
	if n.Kind == yaml.ScalarNode {
		line(n)
	} else {
		r.section(n, path, []key{
			{"line", lineWanted, line},
			{"active", "", r.value(join(path, "active"), "high or low", func(v string) bool {
				l.ActiveLow = v == "low"
				return v == "high" || v == "low"
			})},
		})
	}
	r.config.Box.GPIO.Lamps = append(r.config.Box.GPIO.Lamps, l)
}

// word is text for one of a few words.
func (r *reader) word(path string, to *string, words ...string) func(*yaml.Node) {
	return r.text(path, oneOf(words), to, func(v string) bool { return slices.Contains(words, v) })
}

// baud is value for a serial line's speed.
func (r *reader) baud(path string, to *int) func(*yaml.Node) {
	return r.value(path, "one of "+oneOf(bauds), func(v string) bool {
		*to, _ = strconv.Atoi(v)
		return slices.Contains(bauds, v)
	})
}

// settleBox tells the rules that there is a box, and finds two parts of it on one line.
func (r *reader) settleBox() {
	if r.config.Play != nil {
		r.config.Play.Boxed = r.config.Box.pressed()
	}
	taken := map[string]string{}
	check := func(path, line string) {
		if other := taken[gpio.Place(line)]; line != "" && other != "" {
			r.problem(r.nodes["box"], "%s and %s are both on %s; write another line", other, path, line)
		}
		taken[gpio.Place(line)] = path
	}
	for _, b := range r.config.Box.GPIO.Buttons {
		check("box.buttons."+b.Name, b.Line)
	}
	for _, l := range r.config.Box.GPIO.Lamps {
		check("box.lamps."+l.Name, l.Line)
	}
	if n := r.nodes["box"]; n != nil && n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		r.problem(n, "box has neither buttons, lamps nor port; write buttons: standard, or remove it")
	}
}
