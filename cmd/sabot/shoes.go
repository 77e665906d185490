package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	driver "sabot/drivers/wheel"
	"sabot/shoe"
	"sabot/shoe/angel"
	"sabot/shoe/beetek"
	"sabot/shoe/line"
	"sabot/shoe/pattern"
	"sabot/shoe/uid"
	"sabot/shoe/wheel"
)

// devices are the protocols that a table's device may speak, by its section in the configuration and their name.
var devices = map[string]map[string]protocol{
	"shoe": {
		"line":    {baud: 115200, silence: 7 * time.Second, files: true, dialect: func() dialect { return &lineDialect{} }},
		"angel":   {baud: 4800, claims: 500 * time.Millisecond, dialect: func() dialect { return &angelDialect{} }},
		"beetek":  {baud: 9600, dialect: func() dialect { return &beetekDialect{} }},
		"pattern": {baud: 9600, dialect: func() dialect { return &patternDialect{} }},
		"uid":     {baud: 9600, files: true, dialect: func() dialect { return &uidDialect{} }},
	},
	"wheel": {
		"line":      {baud: 115200, silence: 7 * time.Second, dialect: func() dialect { return &lineDialect{} }},
		"slingshot": {baud: 9600, silence: 3 * time.Second, dialect: func() dialect { return wheelDialect{} }},
	},
}

// protocol is how a device speaks.
type protocol struct {
	baud    int            // where the configuration does not say
	silence time.Duration  // after which it is lost: three heartbeats and a bit; 0 for devices that have none
	claims  time.Duration  // how long a coup's result waits for its own, where the configuration does not say; 0 for devices that give none
	files   bool           // its settings name files, which must be there
	dialect func() dialect // with the protocol's own settings as they are by themselves
}

// dialect is a protocol with its own settings.
type dialect interface {
	keys(r *reader, path string) []key           // that read them from a configuration
	decoder(device string) (shoe.Decoder, error) // device is its name in events
	model() (model, error)                       // a device that speaks so, for emulate
}

// lineDialect is the neutral line.
type lineDialect struct {
	cards string // the file of the enrolment, where the shoe names tags
}

func (d *lineDialect) keys(r *reader, path string) []key {
	if path != "shoe" {
		return nil
	}
	return []key{{"cards", "", r.text(join(path, "cards"), enrolmentWanted, &d.cards, absolute)}}
}

func (d *lineDialect) decoder(device string) (shoe.Decoder, error) {
	if d.cards == "" {
		return line.New(device), nil
	}
	cards, err := enrolled(d.cards)
	if err != nil {
		return nil, err
	}
	return newTaggedLine(device, cards), nil
}

func (d *lineDialect) model() (model, error) {
	return lineModel{line.NewDevice("virtual", "1", newEpoch())}, nil
}

// wheelDialect is the SlingShot wheel's.
type wheelDialect struct{}

func (wheelDialect) keys(*reader, string) []key { return nil }

// pollEvery is how often a wheel is asked how it is; it says so itself as often.
const pollEvery = 500 * time.Millisecond

func (wheelDialect) decoder(device string) (shoe.Decoder, error) {
	return driver.Poll(wheel.New(device), pollEvery), nil
}

func (wheelDialect) model() (model, error) { return wheelModel{wheel.NewDevice()}, nil }

// angelDialect is the Angel Eye's.
type angelDialect struct{ angel.Options }

func (d *angelDialect) keys(r *reader, path string) []key {
	return []key{
		{"bcc", "", r.value(join(path, "bcc"), "with-stx or without-stx: whether the 02 counts in the checksum of commands", func(v string) bool {
			d.BCCWithoutSTX = v == "without-stx"
			return v == "with-stx" || v == "without-stx"
		})},
		{"window", "", r.duration(join(path, "window"), &d.Window)},
	}
}

func (d *angelDialect) decoder(device string) (shoe.Decoder, error) {
	return angel.New(device, d.Options), nil
}

func (d *angelDialect) model() (model, error) {
	return angel.NewDevice(d.Options, angel.Habits{Copies: 3, Burn: true}), nil // as the presets burn
}

// beetekDialect is the Bee-Tek's: spaced, or, with a table of codes, lines.
type beetekDialect struct {
	beetek.Options
	codes map[string]string
}

func (d *beetekDialect) keys(r *reader, path string) []key {
	return []key{
		{"codes", "", r.table(join(path, "codes"), &d.codes)},
		{"copies", "", r.value(join(path, "copies"), "how often each card comes, 1 to 9", func(v string) bool {
			n, err := strconv.Atoi(v)
			d.Copies = n
			return err == nil && n >= 1 && n <= 9
		})},
		{"window", "", r.duration(join(path, "window"), &d.Window)},
	}
}

// options are the settings with the codes read: a card's, "??" for a misread, "-" for what means nothing.
func (d *beetekDialect) options() (beetek.Options, error) {
	o := d.Options
	for code, text := range d.codes {
		var c shoe.Card
		if err := c.UnmarshalText([]byte(text)); err != nil {
			return o, fmt.Errorf("codes: %q is %q, which is no card (9s, ??, - for a line that means nothing)", code, text)
		}
		if o.Codes == nil {
			o.Codes = map[string]shoe.Card{}
		}
		o.Codes[code] = c
	}
	return o, nil
}

func (d *beetekDialect) decoder(device string) (shoe.Decoder, error) {
	o, err := d.options()
	if err != nil {
		return nil, err
	}
	return beetek.New(device, o), nil
}

func (d *beetekDialect) model() (model, error) {
	o, err := d.options()
	if err != nil {
		return nil, err
	}
	return beetek.NewDevice(o, beetek.Game), nil
}

// patternDialect reads lines of text by an expression: a preset's, or the configuration's own.
type patternDialect struct{ pattern.Options }

func (d *patternDialect) keys(r *reader, path string) []key {
	at := func(name string) string { return join(path, name) }
	return []key{
		{"preset", "", r.value(at("preset"), oneOf(sorted(pattern.Presets)), func(v string) bool {
			preset, ok := pattern.Presets[v]
			d.Options = preset
			return ok
		})},
		{"expression", "", r.text(at("expression"), "a regular expression with groups such as rank and suit", &d.Expression, func(v string) bool { return v != "" })},
		{"codes", "", r.table(at("codes"), &d.Codes)},
		{"positions", "", r.table(at("positions"), &d.Positions)},
		{"suits", "", r.table(at("suits"), &d.Suits)},
		{"ranks", "", r.table(at("ranks"), &d.Ranks)},
		{"repeat", "", r.duration(at("repeat"), &d.Repeat)},
	}
}

func (d *patternDialect) decoder(device string) (shoe.Decoder, error) {
	if d.Expression == "" {
		return nil, fmt.Errorf("it has neither preset nor expression; write preset: %s, or an expression", oneOf(sorted(pattern.Presets)))
	}
	return pattern.New(device, d.Options)
}

func (d *patternDialect) model() (model, error) {
	if _, err := d.decoder(""); err != nil {
		return nil, err
	}
	return pattern.NewDevice(d.Options)
}

// uidDialect reads cards by their tags.
type uidDialect struct {
	uid.Options
	cards string // the file of the enrolment
}

func (d *uidDialect) keys(r *reader, path string) []key {
	at := func(name string) string { return join(path, name) }
	return []key{
		{"format", "rdm6300, id12, pn532 or jsonl", r.text(at("format"), "rdm6300, id12, pn532 or jsonl", &d.Format, func(v string) bool { return v != "" })},
		{"cards", "the file that `sabot enrol` writes, such as /etc/sabot/cards.txt", r.text(at("cards"), enrolmentWanted, &d.cards, absolute)},
		{"linger", "", r.duration(at("linger"), &d.Linger)},
		{"ask", "", r.list(at("ask"), "frames in hexadecimal such as D44A0100", func(v string) bool {
			d.Ask = strings.Split(v, ",")
			return v != ""
		})},
	}
}

// enrolmentWanted is how the file of an enrolment is written.
const enrolmentWanted = "an absolute path such as /etc/sabot/cards.txt"

// enrolled reads an enrolment's file.
func enrolled(file string) (*uid.Cards, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the enrolment: %w; `sabot enrol` writes it", err)
	}
	cards, err := uid.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("the enrolment %s: %w", file, err)
	}
	return cards, nil
}

// makeUp writes an enrolment with made-up tags where there is none, for who has no reader yet.
func (d *uidDialect) makeUp(decks int) (made bool, err error) {
	if _, err := os.Stat(d.cards); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	cards := &uid.Cards{Decks: decks}
	for n := range decks {
		for i, c := range shoe.Deck() {
			if err := cards.Add(fmt.Sprintf("04AA%04XCC", n*52+i), c); err != nil {
				return false, err
			}
		}
	}
	return true, os.WriteFile(d.cards, []byte(cards.Format()), 0o600)
}

func (d *uidDialect) decoder(device string) (shoe.Decoder, error) {
	o := d.Options
	var err error
	if o.Cards, err = enrolled(d.cards); err != nil {
		return nil, err
	}
	dec, err := uid.New(device, o)
	if err != nil {
		return nil, err
	}
	return &tagDecoder{Decoder: dec}, nil
}

func (d *uidDialect) model() (model, error) {
	o := d.Options
	var err error
	if o.Cards, err = enrolled(d.cards); err != nil {
		return nil, err
	}
	return uid.NewDevice(o)
}
