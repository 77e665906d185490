package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"sabot/shoe"
	"sabot/table"
)

// narrate tells calls to people, a line each. It is given nothing but calls, so it cannot tell a card that was not called.
func narrate(calls []table.Call) []string {
	lines := make([]string, 0, len(calls))
	for _, c := range calls {
		line := sentences[c.Word](c)
		if c.Manual {
			line += ", entered by hand"
		}
		switch c.To {
		case table.ToFloor:
			line = "floor: " + line
		case table.ToGame:
			line = "game server: " + line
		}
		lines = append(lines, line)
	}
	return lines
}

// sentences say for each word what is told.
var sentences = map[table.Word]func(c table.Call) string{
	table.CallShoe:   func(c table.Call) string { return fmt.Sprintf("Shoe %d is in play", c.N) },
	table.CallBurn:   burnt,
	table.CallOpen:   func(c table.Call) string { return fmt.Sprintf("Round %d: place your bets%s", c.N, within(c.Left)) },
	table.CallClosed: closed,
	table.CallCard:   dealt,
	table.CallDue:    due,
	table.CallDecision: func(c table.Call) string {
		return who(c.Hand) + " " + decisions[c.Action]
	},
	table.CallSplit: func(c table.Call) string { return fmt.Sprintf("Two hands now: %v and %v", c.Hand, c.Other) },
	table.CallInsured: func(c table.Call) string {
		return fmt.Sprintf("Seat %d %s", c.Hand.Seat(), decisions[c.Action])
	},
	table.CallPeek: func(c table.Call) string {
		if c.Natural {
			return "The dealer looks at the hole card: blackjack!"
		}
		return "The dealer looks at the hole card: no blackjack"
	},
	table.CallReveal: func(c table.Call) string {
		return fmt.Sprintf("The hole card is %s: %s", face(c.Card), total(c))
	},
	table.CallPair: func(c table.Call) string {
		return fmt.Sprintf("Seat %d has %s", c.Hand.Seat(), pairs[c.Pair])
	},
	table.CallResult: won,
	table.CallCut:    func(table.Call) string { return "The cut card is out" },
	table.CallLast:   func(c table.Call) string { return fmt.Sprintf("Round %d is the last of this shoe", c.N) },
	table.CallSpin:   func(table.Call) string { return "The ball is in the rim" },
	table.CallNoSpin: func(table.Call) string { return "That was no spin: the bets stand" },
	table.CallNumber: func(c table.Call) string {
		return fmt.Sprintf("Winning number %d, %s", c.N, table.Number(c.N).Colour())
	},
	table.CallStopped:   func(table.Call) string { return "The table is stopped" },
	table.CallReleased:  released,
	table.CallPaused:    func(table.Call) string { return "The supervisor pauses the table" },
	table.CallResumed:   func(table.Call) string { return "The supervisor ends the pause" },
	table.CallCorrected: func(c table.Call) string { return fmt.Sprintf("Event %d is corrected", c.Ref) },
	table.CallVoid:      func(c table.Call) string { return fmt.Sprintf("Round %d is void, all bets go back", c.N) },
	table.CallEnd:       over,
	table.CallIrregular: irregularity,
	table.CallTaken:     settled,
	table.CallPaid:      settled,
	table.CallRefunded:  settled,
	table.CallExposed:   exposed,
	table.CallReversed:  func(c table.Call) string { return fmt.Sprintf("What event %d settled is reversed", c.Ref) },
}

func burnt(c table.Call) string {
	rest := fmt.Sprintf("%d to go", c.N)
	switch {
	case c.Card != shoe.NoCard:
		return fmt.Sprintf("The shoe begins with %s: %s", face(c.Card), strings.Replace(rest, "to go", "to burn", 1))
	case c.N == 0:
		return "A card is burnt, the last one"
	}
	return "A card is burnt, " + rest
}

func closed(c table.Call) string {
	if c.Seats == 0 {
		return "No more bets: nobody plays"
	}
	return "No more bets: " + seats(c.Seats, " plays", " play")
}

func dealt(c table.Call) string {
	if c.Card == shoe.NoCard {
		return "The dealer takes the hole card, face down"
	}
	how := " gets "
	switch c.Why {
	case table.WhyHit, table.WhyDealer, table.WhyAuto:
		how = " draws "
	case table.WhyDouble:
		how = " draws one card, "
	}
	line := who(c.Hand) + how + face(c.Card)
	if c.Hand == table.PlayerHand || c.Hand == table.BankerHand { // points to 9: a first card's total is not seen on it
		return line + ": " + total(c)
	}
	if c.Why == table.WhyDeal && c.Total == worth(c.Card) { // a first card's total is the card
		return line
	}
	if c.Why == table.WhyDeal && c.Total == 21 {
		return line + ": blackjack"
	}
	return line + ": " + total(c)
}

// worth is what a card alone comes to.
func worth(c shoe.Card) uint8 {
	if c.Rank() == 1 {
		return 11
	}
	return min(uint8(c.Rank()), 10)
}

func due(c table.Call) string {
	switch c.Due {
	case table.DueDecision:
		return who(c.Hand) + " to act: " + oneOf(c.May.Words()) + within(c.Left)
	case table.DueInsurance:
		return "Insurance: " + seats(c.Seats, " is asked", " are asked") + within(c.Left)
	case table.DuePeek:
		return "The dealer is to look at the hole card"
	case table.DueReveal:
		return "The dealer is to turn the hole card"
	case table.DueClose:
		return "Which seats play is to be said" + within(c.Left)
	}
	return "Due: " + c.Due.String()
}

var decisions = map[table.Kind]string{
	table.Hit: "hits", table.Stand: "stands", table.Double: "doubles", table.Split: "splits", table.Surrender: "surrenders", table.Insure: "takes insurance",
	table.EvenMoney: "takes even money", table.Decline: "declines insurance", table.Timeout: "has run out of time",
}

var pairs = map[table.Pair]string{
	table.NoPair: "no pair", table.MixedPair: "a mixed pair", table.ColouredPair: "a coloured pair", table.PerfectPair: "a perfect pair",
	table.SuitedTrips: "suited trips",
}

// coup is a coup's result.
func coup(c table.Coup) string {
	line := "A tie"
	switch c.Winner {
	case table.PlayerWins:
		line = "Player wins"
	case table.BankerWins:
		line = "Banker wins"
	}
	line += fmt.Sprintf(": Player %d, Banker %d", c.Player, c.Banker)
	if c.PlayerPair {
		line += ", a Player pair"
	}
	if c.BankerPair {
		line += ", a Banker pair"
	}
	return line
}

func won(c table.Call) string {
	if c.Coup.Winner != table.NoWinner {
		return coup(c.Coup)
	}
	net := string(table.AppendHalves(nil, int(max(c.Net, -c.Net))))
	if c.Action == table.Insure {
		if c.Outcome == table.Won {
			return fmt.Sprintf("Seat %d wins %s on its insurance", c.Hand.Seat(), net)
		}
		return fmt.Sprintf("Seat %d loses %s on its insurance", c.Hand.Seat(), net)
	}
	name := who(c.Hand)
	switch c.Outcome {
	case table.WonBlackjack:
		return fmt.Sprintf("%s has blackjack and wins %s", name, net)
	case table.Won:
		return fmt.Sprintf("%s wins %s with %s", name, net, total(c))
	case table.Pushed:
		if c.Status == table.Blackjack {
			return name + " pushes with blackjack"
		}
		return fmt.Sprintf("%s pushes with %s", name, total(c))
	case table.LostBust:
		return fmt.Sprintf("%s is bust and loses %s", name, net)
	case table.LostHalf:
		return fmt.Sprintf("%s gets half its bet back", name)
	case table.PaidEven:
		return fmt.Sprintf("%s is paid even money, %s", name, net)
	}
	return fmt.Sprintf("%s loses %s with %s", name, net, total(c))
}

func released(c table.Call) string {
	if c.To != table.ToFloor {
		return "The table goes on"
	}
	return fmt.Sprintf("irregularity %d (%s) is released: %v", c.Ref, words(c.Code), c.Remedy)
}

func exposed(c table.Call) string {
	card := "The card"
	if c.Card != shoe.NoCard {
		card = face(c.Card)
	}
	return fmt.Sprintf("%s, which lies aside for irregularity %d, was seen by all: %v", card, c.Ref, c.Remedy)
}

func irregularity(c table.Call) string {
	line := fmt.Sprintf("irregularity %d, %s", c.Ref, words(c.Code))
	switch c.Class {
	case table.Note:
		return line + "; noted"
	case table.AfterRound:
		line += "; holds after this round"
	}
	if c.Remedy != table.NoRemedy {
		line += fmt.Sprintf("; remedy %v unless another is ordered", c.Remedy)
	}
	return line
}

// words are a code as people read it.
func words(c table.Code) string { return strings.ToLower(strings.ReplaceAll(c.String(), "_", " ")) }

func over(c table.Call) string {
	if c.Ended == table.EndedPlayedOut && c.Total == 0 { // a game without a dealer's hand
		return fmt.Sprintf("Round %d is over", c.N)
	}
	why := "every bet is settled"
	switch c.Ended {
	case table.EndedDealerBlackjack:
		why = "the dealer has blackjack"
	case table.EndedAllBlackjack:
		why = "every hand had blackjack"
	case table.EndedNoLiveHand:
		why = "no hand was left to beat"
	case table.EndedPlayedOut:
		why = "the dealer has " + total(c)
	case table.EndedNoSeats:
		why = "nobody played"
	}
	return fmt.Sprintf("Round %d is over: %s", c.N, why)
}

// who is a hand as the subject of a sentence.
func who(h table.Hand) string {
	switch {
	case h == table.DealerHand:
		return "The dealer"
	case h.Seat() == 0:
		return strings.ToUpper(h.String()[:1]) + h.String()[1:]
	case h.Index() == 0:
		return fmt.Sprintf("Seat %d", h.Seat())
	}
	return fmt.Sprintf("Seat %d's hand %c", h.Seat(), 'a'+h.Index())
}

// total is what a hand comes to.
func total(c table.Call) string {
	switch {
	case c.Total > 21:
		return fmt.Sprintf("%d, bust", c.Total)
	case c.Soft && c.Total < 21:
		return fmt.Sprintf("soft %d", c.Total)
	}
	return fmt.Sprint(c.Total)
}

func within(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf(" (%v)", d.Round(100*time.Millisecond))
}

// seats is a set of them with its verb.
func seats(s table.Seats, one, many string) string {
	var list []string
	for n := s.Next(0); n > 0; n = s.Next(n) {
		list = append(list, fmt.Sprint(n))
	}
	if len(list) == 1 {
		return "seat " + list[0] + one
	}
	return "seats " + strings.Replace(oneOf(list), " or ", " and ", 1) + many
}

// symbols says that cards are told with the suits' symbols: where the terminal's locale is UTF-8.
var symbols = unicodeLocale()

// unicodeLocale finds the character set as the C library does.
func unicodeLocale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToUpper(v)
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
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
