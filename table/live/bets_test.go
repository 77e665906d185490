package live

import (
	"testing"
	"testing/synctest"

	"sabot/table"
	"sabot/table/blackjack"
	"sabot/table/wager"
)

// ledgerConfig is blackjack with a ledger around it.
func ledgerConfig(c *Config) {
	rules, bets := blackjack.Deluxe(), wager.Deluxe()
	rules.House.Burn = table.BurnRule{}
	c.GameName, c.SegmentPerShoe = "blackjack", true
	c.New = func(o table.Opening) table.Game { return table.NewRound(wager.New(blackjack.New(&rules, o), &bets)) }
}

// Bets stand in the record like everything else: after a restart in the round the ledger is what it was, a slip sent again by the same
// id is not taken again, and the round is paid.
func TestBetsOutliveTheProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := mustSit(t, dir, ledgerConfig).run()
		game := func(id, notation string) table.Reply {
			return d.send(table.Command{ID: id, From: table.ToGame, Round: 1, Event: event(t, notation)})
		}
		d.ask("1", "table open by S-1")
		d.ask("2", "shoe 1 by S-1")
		game("3", "open")
		bet := game("4", "bet P-81 3 100, 3 10 pair")
		game("5", "bet P-82 3 50 behind")
		if r := game("6", "bet P-83 3 50"); r.OK || r.Code != table.SeatTaken {
			t.Errorf("a seat that is taken: %+v", r)
		}
		if again := game("4", "bet P-81 3 100, 3 10 pair"); again != bet || !bet.OK {
			t.Errorf("a slip sent again: %+v, first %+v", again, bet)
		}
		game("7", "close 3")
		for i, card := range []string{"5s", "6d", "6h", "Td"} {
			d.device(uint32(i+1), "draw "+card)
		}
		game("8", "follow 3a P-82 double")
		d.leave()

		d = mustSit(t, dir, ledgerConfig).run()
		for _, s := range d.last().Floor.Stops {
			d.send(table.Command{From: table.ToFloor, Event: table.Event{Kind: table.Release, N: s.Irregularity, Text: &table.Text{By: "S-1"}}})
		}
		if again := game("4", "bet P-81 3 100, 3 10 pair"); again != bet {
			t.Errorf("a slip sent again after the restart: %+v, first %+v", again, bet)
		}
		game("9", "double 3a")
		d.device(5, "draw 9c")
		d.device(6, "draw 9h")
		list := entries(t, d.live.journal)
		want := `[{"call":"paid","reference":"P-81","bet":"seat","hand":"3a","stake":200,"paid":400},` +
			`{"call":"paid","reference":"P-82","bet":"behind","hand":"3a","stake":100,"paid":200},` +
			`{"call":"paid","reference":"P-81","bet":"pair","seat":3,"stake":10,"paid":0}]`
		if got := string(list[len(list)-1].Game); got != want {
			t.Errorf("the last entry settles %s\nwant %s", got, want)
		}
		d.leave()
	})
}
