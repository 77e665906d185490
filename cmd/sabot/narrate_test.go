package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
	"sabot/table"
)

func card(t *testing.T, text string) shoe.Card {
	t.Helper()
	c, err := shoe.ParseCard(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// settlement is one of 100 and, where it is paid, 250.
func settlement(w table.Word, s table.Spot, h table.Hand) table.Call {
	c := table.Call{Word: w, To: table.ToGame, Spot: s, Hand: h, Staked: 100, Paid: 250}
	name, _ := table.MakeReference("P-81")
	c.SetReference(name)
	return c
}

func TestNarration(t *testing.T) {
	defer func(was bool) { symbols = was }(symbols)
	symbols = true
	dealer, seat3, seat3b := table.DealerHand, table.SeatHand(3, 0), table.SeatHand(3, 1)
	nine, ten, ace := card(t, "9s"), card(t, "Td"), card(t, "Ah")
	tests := []struct {
		call table.Call
		want string
	}{
		{table.Call{Word: table.CallBurn, Card: ten, N: 10}, "The shoe begins with 10♦: 10 to burn"},
		{table.Call{Word: table.CallBurn, N: 4}, "A card is burnt, 4 to go"},
		{table.Call{Word: table.CallBurn}, "A card is burnt, the last one"},
		{table.Call{Word: table.CallOpen, N: 37, Left: 15 * time.Second}, "Round 37: place your bets (15s)"},
		{table.Call{Word: table.CallClosed, Seats: table.Seat(3)}, "No more bets: seat 3 plays"},
		{table.Call{Word: table.CallClosed, Seats: table.Seat(1) | table.Seat(3)}, "No more bets: seats 1 and 3 play"},
		{table.Call{Word: table.CallClosed}, "No more bets: nobody plays"},
		{table.Call{Word: table.CallCard, Hand: seat3, Card: ace, Why: table.WhyDeal, Total: 11, Soft: true}, "Seat 3 gets A♥"},
		{table.Call{Word: table.CallCard, Hand: seat3, Card: nine, Why: table.WhyDeal, Total: 18}, "Seat 3 gets 9♠: 18"},
		{table.Call{Word: table.CallCard, Hand: seat3b, Card: nine, Why: table.WhyDouble, Total: 25}, "Seat 3's hand b draws one card, 9♠: 25, bust"},
		{table.Call{Word: table.CallCard, Hand: dealer, Card: nine, Why: table.WhyDealer, Total: 17, Soft: true}, "The dealer draws 9♠: soft 17"},
		{table.Call{Word: table.CallCard, Hand: dealer, Why: table.WhyHole}, "The dealer takes the hole card, face down"},
		{table.Call{Word: table.CallCard, Hand: seat3, Card: nine, Why: table.WhyHit, Total: 20, Manual: true}, "Seat 3 draws 9♠: 20, entered by hand"},
		{table.Call{Word: table.CallDue, Due: table.DueDecision, Hand: seat3, May: table.Can(table.Hit) | table.Can(table.Stand) | table.Can(table.Split)}, "Seat 3 to act: hit, stand or split"},
		{table.Call{Word: table.CallDue, Due: table.DueInsurance, Seats: table.Seat(2) | table.Seat(3), Left: 10 * time.Second}, "Insurance: seats 2 and 3 are asked (10s)"},
		{table.Call{Word: table.CallDecision, Hand: seat3, Action: table.Double}, "Seat 3 doubles"},
		{table.Call{Word: table.CallDecision, Hand: seat3, Action: table.Timeout}, "Seat 3 has run out of time"},
		{table.Call{Word: table.CallPeek, Natural: true}, "The dealer looks at the hole card: blackjack!"},
		{table.Call{Word: table.CallReveal, Card: ten, Total: 21, Soft: true}, "The hole card is 10♦: 21"},
		{table.Call{Word: table.CallResult, Hand: seat3, Outcome: table.WonBlackjack, Net: 3}, "Seat 3 has blackjack and wins 1.5"},
		{table.Call{Word: table.CallResult, Hand: seat3, Outcome: table.LostBet, Net: -4, Total: 17}, "Seat 3 loses 2 with 17"},
		{table.Call{Word: table.CallResult, Hand: seat3, Outcome: table.LostHalf, Net: -1}, "Seat 3 gets half its bet back"},
		{table.Call{Word: table.CallResult, Hand: seat3, Action: table.Insure, Outcome: table.Won, Net: 2}, "Seat 3 wins 1 on its insurance"},
		{table.Call{Word: table.CallResult, Hand: seat3, Action: table.Insure, Outcome: table.LostBet, Net: -1}, "Seat 3 loses 0.5 on its insurance"},
		{table.Call{Word: table.CallEnd, N: 37, Ended: table.EndedPlayedOut, Total: 26}, "Round 37 is over: the dealer has 26, bust"},
		{table.Call{Word: table.CallEnd, N: 37, Ended: table.EndedNoSeats}, "Round 37 is over: nobody played"},
		{table.Call{Word: table.CallReleased}, "The table goes on"},
		{table.Call{Word: table.CallReleased, To: table.ToFloor, Ref: 412, Code: table.ExtraCard, Remedy: table.BurnIt}, "floor: irregularity 412 (extra card) is released: burn"},
		{table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: 412, Code: table.ExtraCard, Class: table.Now, Remedy: table.Use}, "floor: irregularity 412, extra card; remedy use unless another is ordered"},
		{table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: 412, Code: table.CardCopies, Class: table.AfterRound, Remedy: table.Device}, "floor: irregularity 412, card copies; holds after this round; remedy device unless another is ordered"},
		{table.Call{Word: table.CallIrregular, To: table.ToFloor, Ref: 412, Code: table.ClockStep, Class: table.Note}, "floor: irregularity 412, clock step; noted"},
		{settlement(table.CallTaken, table.Spot{Bet: table.BetSeat, At: 3}, table.NoHand), "game server: P-81 stakes 100: seat, seat 3"},
		{settlement(table.CallTaken, table.Spot{Bet: table.BetBehind, At: 3}, seat3b), "game server: P-81 stakes 100: behind, hand 3b"},
		{settlement(table.CallPaid, table.Spot{Bet: table.BetInsurance, At: 3}, table.NoHand), "game server: P-81 is paid 250 for 100: insurance, seat 3"},
		{settlement(table.CallRefunded, table.Spot{Bet: table.BetStreet, At: 4}, table.NoHand), "game server: P-81 has 100 returned: street 4-5-6"},
		{settlement(table.CallRefunded, table.Spot{Bet: table.BetDozen, At: 2}, table.NoHand), "game server: P-81 has 100 returned: dozen 2"},
		{settlement(table.CallPaid, table.Spot{Bet: table.BetTie}, table.NoHand), "game server: P-81 is paid 250 for 100: tie"},
		{table.Call{Word: table.CallReversed, To: table.ToGame, Ref: 412}, "game server: What event 412 settled is reversed"},
	}
	for _, test := range tests {
		if got := (narrator{"en"}).narrate([]table.Call{test.call}); len(got) != 1 || got[0] != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// Every word of a call, known to the table's encoder, has its sentence; so have the words of decisions, pairs, bets, remedies and ends, in both languages.
func TestEveryCallIsTold(t *testing.T) {
	need := []string{"remedy use", "player", "banker", "dealer"}
	for w := table.CallShoe; w <= table.CallReversed; w++ {
		if sentences[w] == nil {
			t.Errorf("no sentence for %v", w)
		}
	}
	for k := table.Hit; k <= table.Decline; k++ {
		need = append(need, k.Word(), "may "+k.Word())
	}
	for p := table.NoPair; p <= table.SuitedTrips; p++ {
		need = append(need, "pair "+p.String())
	}
	for b := table.BetSeat; b < table.BetKinds; b++ {
		need = append(need, "bet "+b.String())
	}
	for r := table.Use; r <= table.Device; r++ {
		need = append(need, "remedy "+r.String())
	}
	for e := table.EndedDealerBlackjack; e <= table.EndedVoid; e++ {
		need = append(need, "end "+e.String())
	}
	for d := table.DueCard; d <= table.DueResult; d++ {
		need = append(need, "whose "+d.String())
	}
	for _, name := range need {
		if words := narration[name]; words[0] == "" || words[1] == "" {
			t.Errorf("no words for %s", name)
		}
	}
	verb := regexp.MustCompile(`%(\[\d+\])?[a-z]`)
	for name, words := range narration {
		en, pt := verb.FindAllString(words[0], -1), verb.FindAllString(words[1], -1)
		if words[0] == "" || words[1] == "" || len(en) != len(pt) {
			t.Errorf("%s: %q and %q", name, words[0], words[1])
		}
	}
}

// A round of each game is told in Portuguese, and nothing of it in English.
func TestNarrationInPortuguese(t *testing.T) {
	defer func(was bool) { symbols = was }(symbols)
	symbols = true
	seat3, seat3b := table.SeatHand(3, 0), table.SeatHand(3, 1)
	tests := map[string]table.Call{
		"Ronda 37: façam as vossas apostas (15s)":                                                {Word: table.CallOpen, N: 37, Left: 15 * time.Second},
		"Nada mais vai: jogam os lugares 1 e 3":                                                  {Word: table.CallClosed, Seats: table.Seat(1) | table.Seat(3)},
		"Lugar 3, mão b recebe uma só carta, 9♠: 25, rebenta":                                    {Word: table.CallCard, Hand: seat3b, Card: card(t, "9s"), Why: table.WhyDouble, Total: 25},
		"O croupier tira 9♠: 17 suave":                                                           {Word: table.CallCard, Hand: table.DealerHand, Card: card(t, "9s"), Why: table.WhyDealer, Total: 17, Soft: true},
		"Lugar 3 decide: pedir, ficar ou dividir":                                                {Word: table.CallDue, Due: table.DueDecision, Hand: seat3, May: table.Can(table.Hit) | table.Can(table.Stand) | table.Can(table.Split)},
		"Seguro: pergunta-se aos lugares 2 e 3 (10s)":                                            {Word: table.CallDue, Due: table.DueInsurance, Seats: table.Seat(2) | table.Seat(3), Left: 10 * time.Second},
		"Lugar 3 rende-se":                                                                       {Word: table.CallDecision, Hand: seat3, Action: table.Surrender},
		"Saiu a carta de corte":                                                                  {Word: table.CallCut},
		"Empate: Jogador 6, Banca 6, par da Banca":                                               {Word: table.CallResult, Coup: table.Coup{Winner: table.Tie, Player: 6, Banker: 6, BankerPair: true}},
		"Número vencedor 0, verde":                                                               {Word: table.CallNumber},
		"A ronda 37 acabou: o croupier tem 26, rebenta":                                          {Word: table.CallEnd, N: 37, Ended: table.EndedPlayedOut, Total: 26},
		"sala: irregularidade 412, Saiu uma carta sem que fosse devida; salvo outra ordem: usar": {Word: table.CallIrregular, To: table.ToFloor, Ref: 412, Code: table.ExtraCard, Class: table.Now, Remedy: table.Use},
		"servidor de jogo: devolve-se 100 a P-81: rua 4-5-6":                                     settlement(table.CallRefunded, table.Spot{Bet: table.BetStreet, At: 4}, table.NoHand),
	}
	for want, call := range tests {
		if got := (narrator{"pt"}).narrate([]table.Call{call}); got[0] != want {
			t.Errorf("%q, want %q", got[0], want)
		}
	}
}

// What is told depends on the calls alone: two rounds that differ only in the hole card sound the same until it is turned.
func TestTheHoleCardIsNotTold(t *testing.T) {
	told := func(hole string) string {
		p, err := newPlay("blackjack", map[string]string{"preset": "deluxe", "burn": "none", "reveal_by": "button"})
		if err != nil {
			t.Fatal(err)
		}
		game := p.New(table.Opening{})
		var lines []string
		for i, text := range []string{"table open by S-1", "shoe 1 by S-1", "open", "close 2", "draw 9s", "draw 9h", "draw 8d", "draw " + hole, "stand 2a"} {
			e, err := table.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			e.Seq = int64(i + 1)
			lines = append(lines, narrator{"en"}.narrate(game.Step(e, nil))...)
		}
		return strings.Join(lines, "\n")
	}
	if a, b := told("Kc"), told("2s"); a != b || !strings.Contains(a, "The dealer is to turn the hole card") {
		t.Errorf("with a king:\n%s\nwith a two:\n%s", a, b)
	}
}

func TestLocale(t *testing.T) {
	tests := []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "", false}, {"", "", "en_GB.UTF-8", true}, {"", "", "pt_PT.utf8", true}, {"", "C", "en_GB.UTF-8", false}, {"C", "C.UTF-8", "C.UTF-8", false},
		{"C.UTF-8", "C", "C", true}, {"", "", "POSIX", false},
	}
	for _, test := range tests {
		t.Setenv("LC_ALL", test.all)
		t.Setenv("LC_CTYPE", test.ctype)
		t.Setenv("LANG", test.lang)
		if got := unicodeLocale(); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
