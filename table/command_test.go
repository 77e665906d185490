package table

import (
	"testing"

	"sabot/shoe"
)

// TestEveryReportIsAnEvent: what a device can say is an event whose notation reads back as it, or it is none of the table's.
func TestEveryReportIsAnEvent(t *testing.T) {
	nine, from := shoe.New(9, shoe.Spades), shoe.Source{Device: "shoe"}
	claim := func(side shoe.Side, i uint8) shoe.Claim { return shoe.Claim{Side: side, Index: i} }
	for _, c := range []struct {
		report shoe.Report
		want   string
	}{
		{shoe.Report{Kind: shoe.Drawn, Card: nine, Claim: claim(shoe.ToPlayer, 1)}, "draw 9s player 1"},
		{shoe.Report{Kind: shoe.Drawn, Card: nine, Claim: claim(shoe.ToPlayer, 0)}, "draw 9s outside"},
		{shoe.Report{Kind: shoe.Drawn, Card: nine, Claim: claim(shoe.ToBanker, 10)}, "draw 9s outside"},
		{shoe.Report{Kind: shoe.Drawn, Card: nine, Claim: claim(shoe.ToBurn, 0)}, "draw 9s burn"},
		{shoe.Report{Kind: shoe.Drawn, Card: shoe.Unread}, "draw ??"},
		{shoe.Report{Kind: shoe.CutOut}, "cut"},
		{shoe.Report{Kind: shoe.Pressed, Code: "next"}, ""},
		{shoe.Report{Kind: shoe.Tagged, Code: "04AA"}, ""},
		{shoe.Report{Kind: shoe.Faulted, Code: "new-shoe"}, "fault shoe device-new-shoe"},
		{shoe.Report{Kind: shoe.Faulted, Code: "over draw"}, "fault shoe over-draw"},
		{shoe.Report{Kind: shoe.Cleared, Code: "overdraw"}, "clear shoe overdraw"},
		{shoe.Report{Kind: shoe.Booted}, "fault shoe boot"},
		{shoe.Report{Kind: shoe.Booted, Code: "reboot"}, "fault shoe boot"},
		{shoe.Report{Kind: shoe.Booted, Code: "new-shoe"}, "fault shoe new-shoe"},
		{shoe.Report{Kind: shoe.Gap}, "fault shoe gap"},
		{shoe.Report{Kind: shoe.Conflict}, "fault shoe conflict"},
		{shoe.Report{Kind: shoe.BallIn}, "ball"},
		{shoe.Report{Kind: shoe.NoSpin}, "no-spin"},
		{shoe.Report{Kind: shoe.Number, N: 17}, "result 17"},
		{shoe.Report{Kind: shoe.Lost}, "lost shoe"},
		{shoe.Report{Kind: shoe.Found}, "found shoe"},
		{shoe.Report{Kind: shoe.Reread, Card: nine, Claim: claim(shoe.ToBanker, 3)}, "resent 9s banker 3"},
		{shoe.Report{Kind: shoe.Reread, Card: nine, Claim: claim(shoe.ToPlayer, 15)}, "resent 9s outside"},
		{shoe.Report{Kind: shoe.Reread, Card: shoe.Unread}, "resent ??"},
		{shoe.Report{Kind: shoe.Claimed, Result: shoe.Result{Winner: shoe.BankerWins, PlayerPair: true}}, "claims banker player-pair"},
		{shoe.Report{Kind: shoe.Claimed, Result: shoe.Result{Winner: shoe.Quit}}, "claims quit"},
		{shoe.Report{Kind: shoe.BetsOver}, "no-more-bets"},
		{shoe.Report{Kind: shoe.Proposed, N: 17}, "proposed 17"},
	} {
		c.report.Source = from
		e, ok := FromReport(c.report)
		if ok != (c.want != "") || ok && e.String() != c.want {
			t.Errorf("%v %q is %q, %v; want %q", c.report.Kind, c.report.Code, e, ok, c.want)
			continue
		}
		if again, err := Parse(c.want); ok && (err != nil || !again.Equal(e) || e.Asked()) {
			t.Errorf("%q reads back as %q: %v", c.want, again, err)
		}
	}
	for k := shoe.Drawn; k.String() != "unknown"; k++ {
		if _, ok := FromReport(shoe.Report{Kind: k, Source: from}); !ok && k != shoe.Pressed && k != shoe.Tagged {
			t.Errorf("%v is no event", k)
		}
	}
}
