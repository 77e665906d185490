package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sabot/mqtt"
	"sabot/table"
)

// state says what a supervisor looks for first: what is due and whose that is, what stops the table, and below each the orders that the table would take now, as they are to
// be written.
func (n narrator) state(w io.Writer, s *mqtt.Standing) {
	l, f := &s.Layout, &s.Floor
	fmt.Fprintln(w, n.say("state", l.Table, l.Round, n.own(l.Phase.String(), "phase."+l.Phase.String()), cmp.Or(f.Dealer, n.say("nobody deals"))))
	if s := &l.Shoe; s.Number > 0 {
		last := ""
		if s.LastRound {
			last = n.say("state last")
		}
		fmt.Fprintln(w, "  "+n.say("state shoe", s.Number, s.Dealt, s.Left, last))
	}
	if felt := n.onFelt(l); felt != "" {
		fmt.Fprintln(w, "  "+n.say("state felt", felt))
	}
	if l.Due != nil {
		n.stateDue(w, l.Due)
	}
	n.orders(w, opening(l, f)...)
	n.ended(w, l, f)
	if l.Stopped == nil && l.Phase != table.Closed {
		fmt.Fprintln(w, "  "+n.say("state pause"))
		n.orders(w, "pause")
	}
	if f.Paused {
		fmt.Fprintln(w, "  "+n.say("state paused")+ordered(f.Pause))
		n.orders(w, "resume")
	}
	next := true
	for i := range f.Stops {
		n.stop(w, &f.Stops[i], next)
		next = next && f.Stops[i].Later
	}
	if l.Stopped != nil {
		if orders := besides(l, f); len(orders) > 0 {
			fmt.Fprintln(w, "  "+n.say("state besides"))
			n.orders(w, orders...)
		}
	}
	n.past(w, f)
	for _, name := range sorted(f.Devices) {
		if is := f.Devices[name]; is != "ok" {
			fmt.Fprintf(w, "  %s: %s\n", n.word(name, "device."+name), n.word(is, "dev."+is))
		}
	}
}

// ended says which round that has ended can still be void.
func (n narrator) ended(w io.Writer, l *table.Layout, f *table.FloorState) {
	for _, round := range f.Void {
		if round != l.Round || !runs(l) {
			fmt.Fprintln(w, "  "+n.say("state ended", round))
			n.orders(w, fmt.Sprint("void ", round))
		}
	}
}

// stop says what stops the table, and of the one that is next the orders that settle it. Of one behind it, or one that waits for the round's end, none is taken before.
func (n narrator) stop(w io.Writer, stop *table.StopState, next bool) {
	code, _ := table.ParseCode(stop.Code)
	what := fmt.Sprintf("%d %s: %s%s", stop.Irregularity, stop.Code, mqtt.Sentence(n.language, code), n.ailing(stop.Device)+ordered(stop.Order))
	switch {
	case stop.Later:
		fmt.Fprintln(w, "  "+n.say("stopped later", what))
		return
	case !next:
		fmt.Fprintln(w, "  "+n.say("stopped then", what))
		return
	case code == table.Restart:
		what += " " + n.word("", "confirm-felt")
	}
	fmt.Fprintln(w, "  "+n.say("stopped by", what))
	for i, remedy := range stop.Remedies {
		order, means := fmt.Sprintf("release %d %s", stop.Irregularity, remedy), n.word(remedy, "remedy."+remedy)
		if remedy == "assign" {
			order = fmt.Sprintf("assign %d %s", stop.Irregularity, strings.Join(stop.Hands, "|"))
		}
		if i == 0 {
			means = fmt.Sprintf("%s (%s)", means, n.word("", "default"))
		}
		tellOrder(w, order, means)
	}
	if stop.Aside {
		n.orders(w, fmt.Sprintf("correct %d CARD|cut", stop.Irregularity))
	}
	if stop.Aside && stop.Card == "" {
		n.orders(w, fmt.Sprintf("exposed %d", stop.Irregularity))
	}
}

// past says what an undo would take back, and by which numbers a correction names the cards that were dealt.
func (n narrator) past(w io.Writer, f *table.FloorState) {
	if u := f.Undo; u != nil {
		fmt.Fprintln(w, "  "+n.say("state undo", n.say(u.Decision, n.who(table.ParseHand(u.Hand)))))
		n.orders(w, fmt.Sprint("undo ", u.Seq))
	}
	for i := 0; i < len(f.Cards); {
		round := f.Cards[i].Round
		var hands []string
		at := map[string]int{}
		for ; i < len(f.Cards) && f.Cards[i].Round == round; i++ {
			c := &f.Cards[i]
			if _, known := at[c.Hand]; !known {
				at[c.Hand] = len(hands)
				hands = append(hands, c.Hand)
			}
			hands[at[c.Hand]] += fmt.Sprintf(" %d=%s", c.Seq, c.Card)
		}
		fmt.Fprintln(w, "  "+n.say("state cards", round, strings.Join(hands, ", ")))
	}
}

// ordered says whose order it was, and why.
func ordered(o *table.Ordered) string {
	switch {
	case o == nil:
		return ""
	case o.Because == "":
		return fmt.Sprintf(" (%s)", o.By)
	}
	return fmt.Sprintf(" (%s: %q)", o.By, o.Because)
}

// ailing says which device a stop is about, and what is the matter with it.
func (n narrator) ailing(d *table.StopDevice) string {
	if d == nil {
		return ""
	}
	says := []string{}
	if d.Fault != "" {
		says = append(says, n.word(d.Fault, "dev."+d.Fault))
	}
	if d.Over {
		says = append(says, n.word("", "dev.over"))
	}
	return strings.TrimSuffix(fmt.Sprintf(" %s: %s", n.word(d.Name, "device."+d.Name), strings.Join(says, ", ")), ": ") + "."
}

// stateDue says what is due, and whose that is.
func (n narrator) stateDue(w io.Writer, d *table.LayoutDue) {
	what := strings.Fields(n.own(d.Kind, "due."+d.Kind) + " " + d.Hand + " " + strings.Join(d.May, "|"))
	if d.Cards > 0 {
		what = append(what, strconv.Itoa(d.Cards))
	}
	for _, seat := range d.Seats {
		what = append(what, strconv.Itoa(seat))
	}
	fmt.Fprintln(w, "  "+n.say("state due", strings.Join(what, " "), n.say("whose "+d.Kind)))
}

// orders are orders as they are to be written, each with what it does.
func (n narrator) orders(w io.Writer, orders ...string) {
	for _, order := range orders {
		do, _, _ := strings.Cut(order, " ")
		tellOrder(w, order, n.word(n.word("", "may."+do), "do."+do))
	}
}

func tellOrder(w io.Writer, order, means string) { fmt.Fprintf(w, "    %-26s  %s\n", order, means) }

// onFelt are the hands, or the number, as they are recorded, to be compared with what lies there.
func (n narrator) onFelt(l *table.Layout) string {
	var hands []string
	add := func(name string, h *table.LayoutHand) {
		if h != nil && len(h.Cards) > 0 {
			hands = append(hands, fmt.Sprintf("%s %s = %d", name, strings.Join(h.Cards, " "), h.Total))
		}
	}
	for i := range l.Seats {
		for j := range l.Seats[i].Hands {
			add(l.Seats[i].Hands[j].Hand, &l.Seats[i].Hands[j])
		}
	}
	add("dealer", l.Dealer)
	add("player", l.Player)
	add("banker", l.Banker)
	if l.Spin != nil {
		hands = append(hands, fmt.Sprint(l.Spin.Number, " ", n.say(l.Spin.Colour)))
	}
	return strings.Join(hands, ", ")
}

// opening are the floor's orders in the course of a day: while the table is closed, the shoe is changed, or bets are taken.
func opening(l *table.Layout, f *table.FloorState) []string {
	switch due := dueOf(l); {
	case l.Phase == table.Closed:
		return []string{"table-open"}
	case due == table.DueShoe && l.Shoe.Number == 0 && !heldNow(f):
		return []string{"shoe 1"}
	case due == table.DueShoe && !heldNow(f):
		return []string{fmt.Sprintf("shoe %d", l.Shoe.Number+1), "count CARDS"}
	case due == table.DueShoe && l.Shoe.Number > 0:
		return []string{"count CARDS"}
	case due == table.DueClose && l.Stopped == nil:
		return []string{"close SEATS|none"}
	}
	return nil
}

// besides are the orders that belong to no stop while the table is stopped: what was seen and no device has said, and the end of the round, or where none runs of the shoe.
func besides(l *table.Layout, f *table.FloorState) []string {
	due := dueOf(l)
	unread := slices.ContainsFunc(f.Stops, func(s table.StopState) bool { return s.Code == table.Misread.String() })
	var orders []string
	switch {
	case unread: // its place is the one that is due
	case due == table.DueCard, due == table.DueBurn:
		orders = append(orders, "draw CARD")
	case due == table.DueDecision:
		orders = append(orders, "draw CARD "+l.Due.Hand)
	case l.Phase == table.Spin:
		orders = append(orders, "result POCKET")
	}
	orders = append(orders, unsent(l)...)
	switch {
	case runs(l):
		orders = append(orders, fmt.Sprint("void ", l.Round))
	case due == table.DueOpen && l.Shoe.Left > 0, l.Phase == table.Burning:
		orders = append(orders, "retire")
	}
	return orders
}

// unsent are the decisions and answers that a player may have said, and nobody has sent.
func unsent(l *table.Layout) (orders []string) {
	say := func(do, whose string) { orders = append(orders, do+" "+whose+" --because WHY") }
	switch due := dueOf(l); due {
	case table.DueDecision:
		for _, do := range l.Due.May {
			whose := l.Due.Hand
			if do == table.Surrender.Word() {
				whose = whose[:1]
			}
			say(do, whose)
		}
	case table.DueInsurance:
		for _, seat := range l.Due.Seats {
			say(table.Decline.Word(), strconv.Itoa(seat))
			if !natural(l, seat) { // who has one takes even money, where the rules know that
				say(table.Insure.Word(), strconv.Itoa(seat))
			}
		}
	}
	return orders
}

// natural says that a seat's first hand is one.
func natural(l *table.Layout, seat int) bool {
	i := slices.IndexFunc(l.Seats, func(s table.LayoutSeat) bool { return s.Seat == seat })
	return i >= 0 && len(l.Seats[i].Hands) > 0 && l.Seats[i].Hands[0].State == table.Blackjack.String()
}

// runs says that bets are taken for a round, or that it is played.
func runs(l *table.Layout) bool {
	return dueOf(l) == table.DueClose || l.Phase >= table.Dealing && l.Phase <= table.Dealers || l.Phase == table.Spin
}

func dueOf(l *table.Layout) table.DueKind {
	if l.Due == nil {
		return table.DueNothing
	}
	return table.ParseDue(l.Due.Kind)
}

// heldNow says that an irregularity holds the table now.
func heldNow(f *table.FloorState) bool {
	return slices.ContainsFunc(f.Stops, func(s table.StopState) bool { return !s.Later })
}
