package main

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sabot/mqtt"
	"sabot/table"
)

// order is a row of what a supervisor may say from a shell: the notation's words, or the contract's where those are others.
type order struct {
	name, args string
	summary    string
}

// usage is how it is written.
func (o *order) usage() string {
	return strings.TrimSpace("usage: sabot floor " + o.name + " " + o.args)
}

// floorOrders is the table, in the order help lists them. It has every command of the contract.
var floorOrders = []order{
	{"state", "", "say what is due, what stops the table, and what may be done about it"},
	{"stop", "", "hold the table at once, as the dealer's STOP does"},
	{"pause", "", "pause the table"},
	{"resume", "", "end the pause"},
	{"release", "SEQ [use|burn|carry|assign HAND|reread|reveal|device]", "settle an irregularity; without a remedy by its default"},
	{"assign", "SEQ HAND", "settle an irregularity: its card goes to this hand (release SEQ assign HAND)"},
	{"reveal", "SEQ", "settle an irregularity: the hole card, which all have seen, is turned (release SEQ reveal)"},
	{"exposed", "SEQ", "mark the card that lies aside as seen by all"},
	{"correct", "SEQ CARD|cut", "give a card another value, or say that it was the cut card; of a card that was dealt SEQ is its entry, which `state` names while the table is stopped"},
	{"draw", "CARD [HAND]", "enter a card by hand, where it is due or to the hand named, while the table is held"},
	{"result", "POCKET", "enter roulette's number by hand, while the table is held"},
	{"close", "SEATS|none", "say which seats play, such as 1,3,7, should the game server not send it"},
	{"hit", "HAND --because WHY", "enter what a player said and nobody sent, while the table is held; these eight need a reason"},
	{"stand", "HAND --because WHY", "likewise"},
	{"double", "HAND --because WHY", "likewise"},
	{"split", "HAND --because WHY", "likewise"},
	{"surrender", "SEAT --because WHY", "likewise"},
	{"insure", "SEAT --because WHY", "likewise"},
	{"even-money", "SEAT --because WHY", "likewise"},
	{"decline", "SEAT --because WHY", "likewise"},
	{"undo", "SEQ", "take a decision back that no card followed; SEQ is its entry, which `state` names while the table is stopped"},
	{"void", "[ROUND]", "end the round without a result; or the last one, which has ended, until the seats of the next are named: while bets are taken say which"},
	{"retire", "", "take the shoe out of play"},
	{"shoe", "NUMBER", "say that this shoe is filled and ready"},
	{"count", "CARDS", "say how many cards were left in the old shoe"},
	{"burn", "CARDS", "burn this many, between rounds"},
	{"dealer", "NAME", "say who deals"},
	{"dispute", "ROUND", "record that a round is disputed"},
	{"table-open", "", "begin the day"},
	{"table-close", "", "end it"},
}

// floorFlags are what the command line says beside the order.
type floorFlags struct {
	config, broker, table, ca string
	user, passwordFile        string
	by, because               string
	round                     uint64
	seen                      int64
	wait                      time.Duration
	language                  *string
}

func (o *floorFlags) register(f *flag.FlagSet) {
	f.StringVar(&o.by, "by", "", "who orders it; it may also stand in the order, as in the notation")
	f.StringVar(&o.because, "because", "", "why")
	f.Uint64Var(&o.round, "round", 0, "refuse it in any other round")
	f.Int64Var(&o.seen, "seen", 0, "refuse it if anything was said after this seq")
	f.StringVar(&o.config, "config", defaultConfig, "the table's configuration, which says where its broker is")
	f.StringVar(&o.broker, "broker", "", "the broker, in place of a configuration: tcp://HOST:PORT, ssl://…; then --table says which table")
	f.StringVar(&o.table, "table", "", "the table's name, with --broker")
	f.StringVar(&o.ca, "ca", "", "with --broker ssl://… the file of the certificate that vouches for it")
	f.StringVar(&o.user, "user", "", "the broker's user of the role floor, in place of the table's own")
	f.StringVar(&o.passwordFile, "password-file", "", "the file with that user's password")
	o.language = languageFlag(f)
	f.DurationVar(&o.wait, "wait", 10*time.Second, "how long to wait for the table")
}

// floorOrder says to a table what a supervisor orders, and what it answers.
func floorOrder(e *env, args []string) error {
	var o floorFlags
	f := e.flags()
	o.register(f)
	if slices.ContainsFunc(args, func(a string) bool { return a == "-h" || a == "-help" || a == "--help" }) {
		e.floorHelp(f, args)
		return nil
	}
	words, err := e.parse(f, args, 1, 64)
	if err != nil {
		return err
	}
	if words[0] == "state" && len(words) == 1 {
		return o.state(e)
	}
	c, err := o.command(words)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(e.ctx, o.wait)
	defer cancel()
	desk, err := o.dial(ctx)
	if err != nil {
		return err
	}
	defer desk.Close()
	a, err := desk.Order(ctx, c)
	switch {
	case err != nil:
		return err
	case !a.OK:
		return fmt.Errorf("floor: %s", o.tell().refused(a))
	}
	fmt.Fprintln(e.stdout, o.tell().say("done", c.Event, a.Seq))
	return nil
}

// tell is who tells what the table answers.
func (o *floorFlags) tell() narrator { return narrator{*o.language} }

// refused is an answer that is a refusal. The table's own text is English, and may know more than its code.
func (n narrator) refused(a mqtt.Answer) string {
	text := strings.TrimSuffix(a.Text, ".")
	return n.say("refused", a.Code+" "+n.own(text, "code."+a.Code))
}

// floorHelp tells one order, the first that is named, or all.
func (e *env) floorHelp(f *flag.FlagSet, args []string) {
	for _, o := range floorOrders {
		if slices.Contains(args, o.name) {
			fmt.Fprintf(e.stdout, "usage: %s\n\n%s\n", strings.TrimSpace("sabot floor [flags] "+o.name+" "+o.args), o.summary)
			return
		}
	}
	e.usage(f)
	fmt.Fprint(e.stdout, "\norders:\n")
	for _, o := range floorOrders {
		fmt.Fprintf(e.stdout, "  %s\n        %s\n", strings.TrimSpace(o.name+" "+o.args), o.summary)
	}
}

// command reads an order.
func (o *floorFlags) command(words []string) (table.Command, error) {
	i := slices.IndexFunc(floorOrders, func(r order) bool { return strings.HasPrefix(words[0]+" ", r.name+" ") })
	if i < 0 && !strings.EqualFold(words[0], "table") {
		return table.Command{}, usageError(fmt.Sprintf("floor: there is no order %q; `sabot floor -h` lists them", words[0]))
	}
	e, err := table.Parse(o.notation(words))
	if _, alone := table.Parse((&floorFlags{}).notation(words)); err != nil && alone != nil && i >= 0 { // what is missing, rather than that --by's NAME is not it
		err = alone
	}
	switch {
	case err != nil && i >= 0:
		return table.Command{}, usageError(fmt.Sprintf("floor: %v; %s", err, floorOrders[i].usage()))
	case err != nil:
		return table.Command{}, usageError("floor: " + err.Error())
	case e.By() == "":
		return table.Command{}, usageError("floor: it must say by whom; write --by NAME")
	case o.round > math.MaxUint32:
		return table.Command{}, usageError(fmt.Sprintf("floor: --round %d is not from 1 to %d", o.round, uint32(math.MaxUint32)))
	case o.seen < 0:
		return table.Command{}, usageError(fmt.Sprintf("floor: --seen %d is not from 1 to %d", o.seen, int64(math.MaxInt64)))
	}
	if e.Kind == table.Void && e.N == 0 { // the round it speaks of is the one to be void
		e.N, o.round = int64(o.round), 0
	}
	c := table.Command{ID: "floor-" + rand.Text(), From: table.ToFloor, Event: e, Round: uint32(o.round), Seen: o.seen}
	switch _, err := mqtt.Order(c); {
	case err != nil && i >= 0:
		return c, usageError(fmt.Sprintf("floor: %s; %s", strings.TrimSuffix(err.Error(), "."), floorOrders[i].usage()))
	case err != nil:
		return c, usageError("floor: " + err.Error())
	}
	return c, nil
}

// notation is the event that the words of a command line are: the shell has taken the quotes off a reason.
func (o *floorFlags) notation(words []string) string {
	line := slices.Clone(words)
	for i := 1; i < len(line); i++ {
		if strings.EqualFold(line[i-1], "because") {
			line[i] = strconv.Quote(line[i])
		}
	}
	switch {
	case line[0] == "table-open" || line[0] == "table-close":
		line[0] = strings.Replace(line[0], "-", " ", 1)
	case (line[0] == "assign" || line[0] == "reveal") && len(line) > 1:
		line = slices.Concat([]string{"release", line[1], line[0]}, line[2:])
	}
	if o.by != "" {
		line = append(line, "by", o.by)
	}
	if o.because != "" {
		line = append(line, "because", strconv.Quote(o.because))
	}
	return strings.Join(line, " ")
}

// dial connects to the table's broker.
func (o *floorFlags) dial(ctx context.Context) (*mqtt.Console, error) {
	c, err := o.where()
	if err != nil {
		return nil, err
	}
	return mqtt.Dial(ctx, c)
}

// where is the broker, and who we are there.
func (o *floorFlags) where() (mqtt.Config, error) {
	m, name, err := o.brokerOf()
	if err != nil {
		return mqtt.Config{}, err
	}
	if o.user != "" {
		m.User, m.PasswordFile = o.user, o.passwordFile
	}
	c, err := m.nextDoor()
	c.Table = name
	return c, err
}

// brokerOf is what the flags, or the configuration, say of the broker. Of a configuration nothing is read that only the table may.
func (o *floorFlags) brokerOf() (MQTTConfig, string, error) {
	switch {
	case o.broker != "" && !validBroker(o.broker):
		return MQTTConfig{}, "", usageError("floor: --broker takes tcp://, ssl://, ws:// or wss://, then HOST:PORT")
	case o.broker != "" && !tableName.MatchString(o.table):
		return MQTTConfig{}, "", usageError("floor: --broker needs --table NAME")
	case o.broker != "":
		return MQTTConfig{Broker: o.broker, CA: o.ca}, o.table, nil
	case o.table != "" || o.ca != "":
		return MQTTConfig{}, "", usageError("floor: --table and --ca belong to --broker")
	}
	c, err := readRules(o.config)
	if err != nil {
		return MQTTConfig{}, "", err
	}
	return c.MQTT, c.Table, nil
}

// state tells how the table stands.
func (o *floorFlags) state(e *env) error {
	ctx, cancel := context.WithTimeout(e.ctx, o.wait)
	defer cancel()
	desk, err := o.dial(ctx)
	if err != nil {
		return err
	}
	defer desk.Close()
	s, err := desk.State(ctx)
	if err != nil {
		return err
	}
	o.tell().state(e.stdout, &s)
	if s.State != "online" {
		return fmt.Errorf("floor: %s", o.tell().say("is before", o.tell().say("is "+s.State), s.Since.Local().Format(time.DateTime)))
	}
	return nil
}
