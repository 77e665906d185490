package mqtt

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"sabot/table"
)

// A slip comes as a list of bets, and becomes the words of an event: {"bet":"pair","seat":3,"stake":25} is "3 25 pair". Whether the table takes them is
// its ledger's to say.

func validReference(s string) bool {
	_, ok := table.MakeReference(s)
	return ok
}

// noBets is the words of an empty slip.
const noBets = "none"

// readBets reads the whole slip.
func readBets(c *table.Command, v json.RawMessage) *refusal {
	var list []json.RawMessage
	if v[0] != '[' || json.Unmarshal(v, &list) != nil {
		return malformed("bets must be a list of bets")
	}
	bets := []string{}
	for _, one := range list {
		words, bad := readBet(one)
		if bad != nil {
			return bad
		}
		bets = append(bets, words)
	}
	if len(bets) == 0 {
		bets = append(bets, noBets)
	}
	c.Event.Text.Detail = strings.Join(bets, ", ") // the reference was read before, and made the text
	return nil
}

// readBet reads one bet: its kind, its stake, and the seat, the numbers, or which of its kind it is.
func readBet(v json.RawMessage) (string, *refusal) {
	members, bad := split(v)
	if bad != nil {
		return "", bad
	}
	for name := range members {
		if !slices.Contains([]string{"bet", "stake", "seat", "numbers", "which"}, name) {
			return "", malformed("%.40q is not known in a bet", name)
		}
	}
	kind, ok := text(members["bet"])
	if !ok {
		return "", malformed("bet must be a word")
	}
	if table.ParseBetKind(kind) == table.NoBet {
		return "", &refusal{code: table.BetNotOffered}
	}
	stake, bad := whole("stake", members["stake"], math.MinInt64, table.BetLimit)
	if bad != nil {
		return "", bad
	}
	where, bad := readSpot(members)
	amount := strconv.FormatInt(stake, 10)
	switch {
	case bad != nil:
		return "", bad
	case members["seat"] == nil:
		return strings.Join(append(append([]string{kind}, where...), amount), " "), nil
	case kind == table.BetSeat.String():
		return where[0] + " " + amount, nil
	}
	return where[0] + " " + amount + " " + kind, nil
}

// places are where a bet lies that is one of few, and the codes of those that there are not.
var places = []struct {
	name string
	code table.Code
}{{"seat", table.SeatsInvalid}, {"which", table.BetLayout}}

// readSpot reads where a bet lies, in at most one word.
func readSpot(members map[string]json.RawMessage) ([]string, *refusal) {
	var where []string
	for _, one := range places {
		if v := members[one.name]; v != nil {
			n, bad := whole(one.name, v, 0, one.code)
			if bad != nil {
				return nil, bad
			}
			where = append(where, strconv.FormatInt(n, 10))
		}
	}
	if v := members["numbers"]; v != nil {
		var list []uint16 // a list of bytes would be a text in JSON
		if v[0] != '[' || json.Unmarshal(v, &list) != nil || len(list) == 0 {
			return nil, &refusal{code: table.BetLayout}
		}
		var words []string
		for _, n := range list {
			words = append(words, strconv.Itoa(int(n)))
		}
		where = append(where, strings.Join(words, "-"))
	}
	if len(where) > 1 {
		return nil, malformed("a bet has a seat, or numbers, or which")
	}
	return where, nil
}

// readBalance reads what the bettor has for the slip and what may follow.
func readBalance(c *table.Command, v json.RawMessage) *refusal {
	n, bad := number("balance", v, 0, math.MaxInt64)
	switch {
	case bad != nil:
		return bad
	case c.Event.Text.Detail == noBets:
		return malformed("balance belongs to bets")
	}
	c.Event.Text.Detail += ", balance " + strconv.FormatInt(n, 10)
	return nil
}
