// Command sabot runs one gaming table: it reads the shoe, checks every card against the rules while the round is played, keeps
// the record, and tells the studio.
//
// Everything it does is a verb, `sabot VERB [flags] [arguments]`; `sabot help` lists them. What all verbs keep to:
//
//   - Results go to stdout, everything else to stderr, so that a result can be piped.
//   - An error is one line to stderr: "sabot: ", then what is wrong, where, and what to do about it; lower case, no period at
//     its end. Problems in a configuration are one line each and begin with FILE:LINE:COL instead, which
//     editors can follow.
//   - Flags may stand before or behind the arguments. A verb that takes a configuration takes it as [CONFIG], and without it
//     /etc/sabot/sabot.yaml.
//   - SIGINT and SIGTERM end a verb in good order; a second one ends it at once.
//
// Exit codes: 0 all is well; 1 it failed; 2 the command line is wrong; 78 the configuration is bad, or the record is damaged or another
// version's: a new start will not help, and systemd must not try one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"sabot/mqtt"
	"sabot/table/journal"
	"sabot/table/live"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitConfig = 78 // EX_CONFIG of sysexits.h
)

// defaultConfig is read by verbs that take a configuration and are given none.
const defaultConfig = "/etc/sabot/sabot.yaml"

// verb is a row of the table of verbs.
type verb struct {
	name    string
	args    string // as its usage line shows them
	summary string // one line, lower case
	run     func(*env, []string) error
}

// verbs is the table, in the order help lists them.
var verbs = []verb{
	{"demo", "[flags]", "play a table without hardware: a virtual shoe, players, a supervisor, a broker", demo},
	{"setup", "[flags] [CONFIG | -]", "ask what a table is made of, and write its configuration", setup},
	{"run", "[CONFIG]", "run a table", runTable},
	{"floor", "[flags] state | ORDER…", "say to a running table what a supervisor orders, or ask how it stands", floorOrder},
	{"display", "[--listen ADDRESS] [--broker URL | --journal DIR | CONFIG]", "serve the pages people look at: overlay, dealer's screen, floor console; or a record", showTables},
	{"passwd", "[--broker --role ROLE] [--remove] FILE NAME", "give a person a password for the floor console, or a program one for the embedded broker; or take them out", passwd},
	{"check", "[CONFIG]", "say whether a configuration is in order, and what would run", check},
	{"halt", "[CONFIG]", "leave a table that nobody runs with red lit and the locks closed", halt},
	{"doctor", "[--json] [CONFIG]", "look at all a table needs, on this machine, now, and say what to mend", doctor},
	{"replay", "[--json] FILE|DIR", "play a transcript or a record again, and tell what was called", replay},
	{"verify", "[--anchor FILE|HASH] DIR|FILE", "prove a record, and say what is proven and what is not", verify},
	{"export", "[flags] DIR|FILE", "write a record's entries, or figures of them, as JSON Lines or CSV", export},
	{"recover", "--by NAME --because TEXT [CONFIG]", "set a record aside that cannot be continued, and begin another", recoverRecord},
	{"sim", "[flags]", "play millions of rounds by these rules, and say what bets return", simulate},
	{"emulate", "[flags] angel|beetek|line|pattern|uid|wheel|buttons", "offer a device that is none on a pty or a TCP port", emulate},
	{"keys", "[flags]", "make this terminal the dealer's box of buttons", keys},
	{"enrol", "[flags] [CONFIG]", "say of each tag which card it is glued into, and check that none is missing or double", enrol},
	{"deckcheck", "--by NAME [--decks N] [CONFIG]", "run every card through the shoe before a shift, and record what was found", deckCheck},
	{"manual", "[PAGE | WORDS…]", "print a page of the manual, or what it has on a code or an error sentence", manual},
	{"version", "", "say which build this is", version},
}

// env is what a verb gets of the world.
type env struct {
	ctx            context.Context // done when SIGINT or SIGTERM comes
	stdin          io.Reader
	stdout, stderr io.Writer
	verb           verb
}

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program: it finds the verb, runs it, and turns its error into a line and an exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		help(stderr)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		help(stdout)
		return exitOK
	}
	v, ok := find(args[0])
	if !ok {
		fmt.Fprintf(stderr, "sabot: there is no verb %q; %s\n", args[0], insteadVerb(args[0]))
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal then has its usual effect
	return report(stderr, v.run(&env{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, verb: v}, args[1:]))
}

func find(name string) (verb, bool) {
	for _, v := range verbs {
		if v.name == name {
			return v, true
		}
	}
	return verb{}, false
}

// insteadVerb says what to try for an unknown verb.
func insteadVerb(name string) string {
	var known []string
	for _, v := range verbs {
		known = append(known, v.name)
	}
	if n := nearest(name, known); n != "" {
		return "did you mean " + n + "?"
	}
	return "`sabot help` lists them"
}

// help lists the verbs.
func help(w io.Writer) {
	fmt.Fprint(w, "sabot runs a gaming table: it knows what was dealt, in what order, and whether that was right\n\nusage: sabot VERB [flags] [arguments]\n\n")
	for _, v := range verbs {
		fmt.Fprintf(w, "  %-10s%s\n", v.name, v.summary)
	}
	fmt.Fprint(w, "\n`sabot VERB -h` says more about one. Exit codes: 0 ok, 1 failed, 2 usage, 78 bad configuration, damaged record, or another version's.\n")
}

// usageError is a command line that is wrong.
type usageError string

func (e usageError) Error() string { return string(e) }

// errHelped ends a verb that was only asked for its usage.
var errHelped = errors.New("usage printed")

// report prints an error, if there is one, and gives its exit code.
func report(stderr io.Writer, err error) int {
	var (
		usage    usageError
		problems Problems
		corrupt  *journal.CorruptError
		strange  *journal.VersionError
		record   *live.RecordError
		cursor   *mqtt.CursorError
	)
	switch {
	case err == nil, errors.Is(err, errHelped):
		return exitOK
	case errors.As(err, &problems):
		complain(stderr, problems.Error())
		return exitConfig
	}
	complain(stderr, "sabot: "+err.Error())
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &corrupt), errors.As(err, &strange), errors.As(err, &record), errors.As(err, &cursor):
		return exitConfig
	}
	return exitFailed
}

// flags is an empty set of flags for the verb.
func (e *env) flags() *flag.FlagSet {
	f := flag.NewFlagSet(e.verb.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// parse reads the command line into f and gives the arguments, of which there must be least to most. With -h it prints the usage.
func (e *env) parse(f *flag.FlagSet, args []string, least, most int) ([]string, error) {
	var rest []string
	err := f.Parse(args)
	for err == nil && f.NArg() > 0 { // flag stops at each argument
		rest = append(rest, f.Arg(0))
		err = f.Parse(f.Args()[1:])
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		e.usage(f)
		return nil, errHelped
	case err != nil:
		return nil, usageError(fmt.Sprintf("%s: %v; `sabot %s -h` says what it takes", e.verb.name, err, e.verb.name))
	case len(rest) < least || len(rest) > most:
		return nil, usageError("usage: " + e.synopsis())
	}
	return rest, nil
}

func (e *env) synopsis() string {
	return strings.TrimSpace("sabot " + e.verb.name + " " + e.verb.args)
}

func (e *env) usage(f *flag.FlagSet) {
	fmt.Fprintf(e.stdout, "usage: %s\n\n%s\n", e.synopsis(), e.verb.summary)
	f.SetOutput(e.stdout)
	f.PrintDefaults()
}
