package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// setup asks what a table is made of, offers what it finds on this machine, and writes the configuration.
func setup(e *env, args []string) error {
	p := &plan{said: map[string]string{}, given: map[string]string{}, found: lookAround()}
	f := e.flags()
	f.BoolVar(&p.yes, "yes", false, "ask nothing: what no flag says is as it would be proposed")
	f.BoolVar(&p.force, "force", false, "write over a configuration that is there")
	example := f.String("example", "", "ask nothing, and begin with an example: "+oneOf(sorted(examples)))
	passwords := f.String("password-file", "", "the file with the password at the broker; without it the password is asked, or read from stdin, and kept beside the configuration")
	for _, q := range questions {
		f.String(q.name, "", q.about)
	}
	rest, err := e.parse(f, args, 0, 1)
	if err != nil {
		return err
	}
	if p.file = configPath(rest); p.file != toStdout {
		if p.file, err = filepath.Abs(p.file); err != nil {
			return fmt.Errorf("setup: %w", err)
		}
	}
	p.password = *passwords
	if err := p.begin(f, *example); err != nil {
		return err
	}
	if err := p.ready(); err != nil {
		return err
	}
	who := e.typist()
	if err := p.answer(who); err != nil {
		return err
	}
	return p.write(e, who)
}

// toStdout in place of a configuration's file writes it to stdout.
const toStdout = "-"

// plan is what is known of the table to set up.
type plan struct {
	file     string // the configuration to write, an absolute path or toStdout
	password string // the file of the password; "" for one beside the configuration
	force    bool
	yes      bool
	found    found             // on this machine
	given    map[string]string // by flags
	example  map[string]string
	said     map[string]string // the answers, by question
}

// begin takes what the command line says.
func (p *plan) begin(f *flag.FlagSet, example string) error {
	f.Visit(func(one *flag.Flag) {
		if slices.ContainsFunc(questions, func(q question) bool { return q.name == one.Name }) {
			p.given[one.Name] = one.Value.String()
		}
	})
	if example == "" {
		return nil
	}
	p.yes, p.example = true, examples[example]
	if p.example == nil {
		return usageError(fmt.Sprintf("setup: there is no example %q%s", example, instead(example, sorted(examples))))
	}
	return nil
}

// examples are answers that make a table of a kind. What they leave out is as it would be proposed.
var examples = map[string]map[string]string{
	"training":          {"rules": "deluxe", "shoe": "none"},
	"blackjack-angel":   {"rules": "deluxe", "shoe": "angel", "port": "tcp://10.0.0.7:4001", "box": "standard", "decisions": "buttons"},
	"blackjack-barcode": {"rules": "classic", "shoe": "barcode", "port": "/dev/serial/by-id/usb-Your_Scanner-if00", "box": "none", "broker": "tcp://broker.studio:1883"},
	"baccarat":          {"rules": "puntobanco", "shoe": "angel", "port": "/dev/serial/by-id/usb-Your_Shoe-if00-port0", "box": "standard", "broker": "ssl://broker.studio:8883"},
	"roulette":          {"rules": "roulette", "wheel": "slingshot", "port": "/dev/serial/by-id/usb-Your_Wheel-if00-port0", "box": "none"},
}

// answer goes through the questions that arise, and asks those that no flag answers.
func (p *plan) answer(who *typist) error {
	for i := range questions {
		q := &questions[i]
		if q.arises != nil && !q.arises(p) {
			if _, given := p.given[q.name]; given {
				return usageError(fmt.Sprintf("setup: --%s means nothing here: %s", q.name, q.only))
			}
			continue
		}
		v, err := p.take(q, who)
		if err != nil {
			return err
		}
		p.said[q.name] = v
	}
	return nil
}

// take is the answer to a question.
func (p *plan) take(q *question, who *typist) (string, error) {
	v, given := p.given[q.name]
	if !given && p.yes {
		if v, given = p.example[q.name]; !given {
			v = q.proposal(p)
		}
		given = true
	}
	if !given {
		return p.ask(q, who)
	}
	if why := q.refuse(p, v); why != "" {
		return "", usageError(fmt.Sprintf("setup: --%s: %s", q.name, why))
	}
	return v, nil
}

// ask asks until there is an answer.
func (p *plan) ask(q *question, who *typist) (string, error) {
	offered, proposal := q.offer(p), q.proposal(p)
	fmt.Fprintf(who.out, "\n%s\n", q.about)
	for i, c := range offered {
		fmt.Fprintf(who.out, "  %2d  %-12s %s\n", i+1, c.word, c.about)
	}
	for {
		fmt.Fprintf(who.out, "%s [%s]: ", q.name, proposal)
		line, err := who.line()
		if err != nil {
			return "", fmt.Errorf("setup: there is no answer to %s; write --%s, or --yes for what is proposed", q.name, q.name)
		}
		v := strings.TrimSpace(line)
		if n, err := strconv.Atoi(v); err == nil && n >= 1 && n <= len(offered) {
			v = offered[n-1].word
		}
		if v == "" {
			v = proposal
		}
		why := q.refuse(p, v)
		if why == "" {
			return v, nil
		}
		fmt.Fprintf(who.out, "  %s\n", why)
	}
}

// play is the game with the rules chosen, and what the answers change of it.
func (p *plan) play() *Play {
	play := games[gameOf(p.said["rules"])][p.said["rules"]]()
	if p.said["decisions"] == "buttons" {
		buttons := map[string]string{"decisions": "buttons", "hit": "implied", "peek_by": "button", "reveal_by": "button"}
		if play.settings.Get("peek") == "never" {
			delete(buttons, "peek_by")
		}
		for setting, v := range buttons {
			play.settings.Set(setting, v)
		}
	}
	if claims := p.reader().protocol(play.Device).claims; claims > 0 && slices.Contains(play.settings.Names(), "claim_time") {
		play.settings.Set("claim_time", claims.String())
	}
	return play
}

// gameOf is the game that a preset of rules is of.
func gameOf(rules string) string {
	for _, game := range sorted(games) {
		if games[game][rules] != nil {
			return game
		}
	}
	return ""
}

// reader is the shoe or wheel chosen.
func (p *plan) reader() deviceKind {
	list, name := shoeKinds, p.said["shoe"]
	if name == "" {
		list, name = wheelKinds, p.said["wheel"]
	}
	return list[slices.IndexFunc(list, func(k deviceKind) bool { return k.word == name })]
}
