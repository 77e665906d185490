package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"sabot/mqtt"
	"sabot/mqtt/display"
	"sabot/shoe"
	"sabot/table"
	"sabot/table/wager"
)

// narrator tells calls to people in one language, a line each. It is given nothing but calls, so it cannot tell a card that was not called.
type narrator struct {
	language string // one of mqtt.Languages
}

// say fills a sentence of narration.
func (n narrator) say(name string, args ...any) string {
	words, known := narration[name]
	if !known {
		return name
	}
	return fmt.Sprintf(words[slices.Index(mqtt.Languages, n.language)], args...)
}

// narrate tells calls.
func (n narrator) narrate(calls []table.Call) []string {
	lines := make([]string, 0, len(calls))
	for _, c := range calls {
		line := sentences[c.Word](n, c)
		if c.Manual {
			line = n.say("by hand", line)
		}
		switch c.To {
		case table.ToFloor:
			line = n.say("floor", line)
		case table.ToGame:
			line = n.say("game", line)
		}
		lines = append(lines, line)
	}
	return lines
}

// sentences say for each word what is told.
var sentences = map[table.Word]func(n narrator, c table.Call) string{
	table.CallShoe:   func(n narrator, c table.Call) string { return n.say("shoe", c.N) },
	table.CallBurn:   narrator.burnt,
	table.CallOpen:   func(n narrator, c table.Call) string { return n.say("open", c.N, n.within(c.Left)) },
	table.CallClosed: narrator.closed,
	table.CallCard:   narrator.dealt,
	table.CallDue:    narrator.due,
	table.CallDecision: func(n narrator, c table.Call) string {
		return n.say(c.Action.Word(), n.who(c.Hand))
	},
	table.CallSplit: func(n narrator, c table.Call) string { return n.say("two hands", c.Hand, c.Other) },
	table.CallInsured: func(n narrator, c table.Call) string {
		return n.say(c.Action.Word(), n.say("seat", c.Hand.Seat()))
	},
	table.CallPeek: func(n narrator, c table.Call) string {
		return n.say(map[bool]string{true: "peek yes", false: "peek no"}[c.Natural])
	},
	table.CallReveal: func(n narrator, c table.Call) string { return n.say("reveal", face(c.Card), n.total(c)) },
	table.CallPair: func(n narrator, c table.Call) string {
		return n.say("pair "+c.Pair.String(), n.say("seat", c.Hand.Seat()))
	},
	table.CallResult: narrator.won,
	table.CallCut:    func(n narrator, _ table.Call) string { return n.say("cut") },
	table.CallLast:   func(n narrator, c table.Call) string { return n.say("last", c.N) },
	table.CallSpin:   func(n narrator, _ table.Call) string { return n.say("spin") },
	table.CallNoSpin: func(n narrator, _ table.Call) string { return n.say("no spin") },
	table.CallNumber: func(n narrator, c table.Call) string {
		return n.say("number", c.N, n.say(table.Number(c.N).Colour().String()))
	},
	table.CallStopped:   func(n narrator, _ table.Call) string { return n.say("stopped") },
	table.CallReleased:  narrator.released,
	table.CallPaused:    func(n narrator, _ table.Call) string { return n.say("paused") },
	table.CallResumed:   func(n narrator, _ table.Call) string { return n.say("resumed") },
	table.CallCorrected: func(n narrator, c table.Call) string { return n.say("corrected", c.Ref) },
	table.CallVoid:      func(n narrator, c table.Call) string { return n.say("void", c.N) },
	table.CallEnd:       narrator.over,
	table.CallIrregular: narrator.irregularity,
	table.CallTaken:     narrator.settled,
	table.CallPaid:      narrator.settled,
	table.CallRefunded:  narrator.settled,
	table.CallExposed:   narrator.exposed,
	table.CallReversed:  func(n narrator, c table.Call) string { return n.say("reversed", c.Ref) },
}

func (n narrator) burnt(c table.Call) string {
	switch {
	case c.Card != shoe.NoCard:
		return n.say("burn first", face(c.Card), c.N)
	case c.N == 0:
		return n.say("burn last")
	}
	return n.say("burn", c.N)
}

func (n narrator) closed(c table.Call) string {
	if c.Seats == 0 {
		return n.say("nobody")
	}
	return n.seats("closed", c.Seats)
}

func (n narrator) dealt(c table.Call) string {
	if c.Card == shoe.NoCard {
		return n.say("hole")
	}
	how := "gets"
	switch c.Why {
	case table.WhyHit, table.WhyDealer, table.WhyAuto:
		how = "draws"
	case table.WhyDouble:
		how = "draws one"
	}
	line := n.say(how, n.who(c.Hand), face(c.Card))
	if c.Hand == table.PlayerHand || c.Hand == table.BankerHand { // points to 9: a first card's total is not seen on it
		return line + ": " + n.total(c)
	}
	if c.Why == table.WhyDeal && c.Total == worth(c.Card) { // a first card's total is the card
		return line
	}
	if c.Why == table.WhyDeal && c.Total == 21 {
		return line + ": " + n.say("blackjack")
	}
	return line + ": " + n.total(c)
}

// worth is what a card alone comes to.
func worth(c shoe.Card) uint8 {
	if c.Rank() == 1 {
		return 11
	}
	return min(uint8(c.Rank()), 10)
}

func (n narrator) due(c table.Call) string {
	switch c.Due {
	case table.DueDecision:
		var may []string
		for _, word := range c.May.Words() {
			may = append(may, n.say("may "+word))
		}
		return n.say("due decision", n.who(c.Hand), n.list("or", may), n.within(c.Left))
	case table.DueInsurance:
		return n.seats("due insurance", c.Seats, n.within(c.Left))
	case table.DuePeek, table.DueReveal:
		return n.say("due " + c.Due.String())
	case table.DueClose:
		return n.say("due close", n.within(c.Left))
	}
	return n.say("due", c.Due)
}

// coup is a coup's result.
func (n narrator) coup(c table.Coup) string {
	line := n.say("coup "+c.Winner.String(), c.Player, c.Banker)
	if c.PlayerPair {
		line = n.say("player pair", line)
	}
	if c.BankerPair {
		line = n.say("banker pair", line)
	}
	return line
}

func (n narrator) won(c table.Call) string {
	if c.Coup.Winner != table.NoWinner {
		return n.coup(c.Coup)
	}
	net := string(table.AppendHalves(nil, int(max(c.Net, -c.Net))))
	if c.Action == table.Insure {
		return n.say(map[bool]string{true: "insurance won", false: "insurance lost"}[c.Outcome == table.Won], n.say("seat", c.Hand.Seat()), net)
	}
	name := n.who(c.Hand)
	switch c.Outcome {
	case table.WonBlackjack:
		return n.say("won blackjack", name, net)
	case table.Won:
		return n.say("won", name, net, n.total(c))
	case table.Pushed:
		if c.Status == table.Blackjack {
			return n.say("pushed", name, n.say("blackjack"))
		}
		return n.say("pushed", name, n.total(c))
	case table.LostBust:
		return n.say("lost bust", name, net)
	case table.LostHalf:
		return n.say("lost half", name)
	case table.PaidEven:
		return n.say("paid even", name, net)
	}
	return n.say("lost", name, net, n.total(c))
}

func (n narrator) released(c table.Call) string {
	if c.To != table.ToFloor {
		return n.say("goes on")
	}
	return n.say("released", c.Ref, n.code(c.Code), n.remedy(c.Remedy))
}

func (n narrator) exposed(c table.Call) string {
	card := n.say("the card")
	if c.Card != shoe.NoCard {
		card = face(c.Card)
	}
	return n.say("exposed", card, c.Ref, n.remedy(c.Remedy))
}

func (n narrator) irregularity(c table.Call) string {
	line := n.say("irregularity", c.Ref, n.code(c.Code))
	switch c.Class {
	case table.Note:
		return n.say("noted", line)
	case table.AfterRound:
		line = n.say("after round", line)
	}
	if c.Remedy != table.NoRemedy {
		line = n.say("remedy", line, n.remedy(c.Remedy))
	}
	return line
}

// code is a code as people read it: in English its own words, in another language those of the pages.
func (n narrator) code(c table.Code) string {
	return n.own(strings.ToLower(strings.ReplaceAll(c.String(), "_", " ")), "code."+c.String())
}

// own is a word as the contract has it, which is English; in another language the pages' word of that name.
func (n narrator) own(word, name string) string {
	if n.language == mqtt.Languages[0] {
		return word
	}
	return n.word(word, name)
}

// word is the pages' word of a name; what devices call themselves and their faults may have none, and is said as it is.
func (n narrator) word(as, name string) string { return cmp.Or(display.Word(n.language, name), as) }

// remedy is a remedy as an order names it.
func (n narrator) remedy(r table.Remedy) string {
	return n.say("remedy " + r.String())
}

func (n narrator) over(c table.Call) string {
	switch {
	case c.Ended == table.EndedPlayedOut && c.Total == 0: // a game without a dealer's hand
		return n.say("over", c.N)
	case c.Ended == table.EndedPlayedOut:
		return n.say("over because", c.N, n.say("end played_out", n.total(c)))
	}
	return n.say("over because", c.N, n.say("end "+c.Ended.String()))
}

// played tells what is new of a didactic session: who begins or goes on with it, who has stopped, and at its end the places, the equal ones shared (004, L45).
func (n narrator) played(was, now wager.Session) []string {
	switch stopped := was.Seats() &^ now.Seats(); {
	case now.Over():
		return n.places(now)
	case was.Over() || was.Players != now.Players || was.Rounds < now.Rounds: // a void round may have been its first one, and others begin
		return []string{n.seats("session", now.Seats(), now.Bet, now.Rounds)}
	case stopped != 0:
		return []string{n.seats("session stopped", stopped, now.Bet)}
	}
	return nil
}

func (n narrator) places(s wager.Session) []string {
	lines := []string{n.say("session over", s.Start)}
	for place := 1; place <= s.Players.Len(); place++ {
		var seats table.Seats
		chips := int64(0)
		for seat := s.Players.Next(0); seat > 0; seat = s.Players.Next(seat) {
			if s.Place(seat) == place {
				seats, chips = seats|table.Seat(seat), s.Chips[seat]
			}
		}
		if seats != 0 {
			lines = append(lines, n.seats("session place", seats, place, chips, chips-s.Start))
		}
	}
	return lines
}

// who is a hand as the subject of a sentence.
func (n narrator) who(h table.Hand) string {
	switch {
	case h.Seat() == 0:
		return n.say(h.String())
	case h.Index() == 0:
		return n.say("seat", h.Seat())
	}
	return n.say("hand", h.Seat(), 'a'+h.Index())
}

// total is what a hand comes to.
func (n narrator) total(c table.Call) string {
	switch {
	case c.Total > 21:
		return n.say("bust", c.Total)
	case c.Soft && c.Total < 21:
		return n.say("soft", c.Total)
	}
	return fmt.Sprint(c.Total)
}

func (n narrator) within(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return n.say("within", d.Round(100*time.Millisecond))
}

// seats is a sentence of a set of them, for one or for many.
func (n narrator) seats(name string, s table.Seats, more ...any) string {
	var list []string
	for seat := s.Next(0); seat > 0; seat = s.Next(seat) {
		list = append(list, fmt.Sprint(seat))
	}
	number := " many"
	if len(list) == 1 {
		number = " one"
	}
	return n.say(name+number, append([]any{n.list("and", list)}, more...)...)
}

// list joins words, the last one by "and" or "or".
func (n narrator) list(by string, words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return n.say(by, strings.Join(words[:last], ", "), words[last])
}

// symbols says that cards are told with the suits' symbols: where the terminal's locale is UTF-8.
var symbols = unicodeLocale()

// unicodeLocale says that the terminal's character set is UTF-8.
func unicodeLocale() bool {
	set := strings.ToUpper(locale("LC_CTYPE"))
	return strings.Contains(set, "UTF-8") || strings.Contains(set, "UTF8")
}

// face is a card as people see it.
func face(c shoe.Card) string {
	if !symbols || !c.Known() {
		return c.String()
	}
	rank := c.String()[:1]
	if rank == "T" {
		rank = "10"
	}
	return rank + [...]string{"♣", "♦", "♥", "♠"}[c.Suit()]
}
