package mqtt

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sabot/table"
)

// accepted are commands and the events they are.
var accepted = []struct{ to, payload, event string }{
	{"game", `{"v":1,"id":"a","do":"open","round":38}`, "open"},
	{"game", `{"v":1,"id":"a","do":"close","round":38,"seats":[1,3,7]}`, "close 1,3,7"},
	{"game", `{"v":1,"id":"a","do":"close","round":38,"seats":[]}`, "close none"},
	{"game", `{"v":1,"id":"a","round":37,"seen":412,"do":"hit","hand":"3a"}`, "hit 3a"},
	{"game", `{"v":1,"id":"a","round":37,"seen":412,"do":"stand","hand":"3b"}`, "stand 3b"},
	{"game", `{"v":1,"id":"a","round":37,"seen":412,"do":"double","hand":"3c"}`, "double 3c"},
	{"game", `{"v":1,"id":"a","round":37,"seen":412,"do":"split","hand":"7d"}`, "split 7d"},
	{"game", `{"v":1,"id":"a","round":37,"seen":412,"do":"surrender","seat":3}`, "surrender 3"},
	{"game", `{"v":1,"id":"a","round":37,"seen":412,"do":"insure","seat":3}`, "insure 3"},
	{"game", `{"v":1,"id":"a","round":37,"seen":412,"do":"even-money","seat":3}`, "even-money 3"},
	{"game", `{"v":1,"id":"a","round":37,"seen":412,"do":"decline","seat":3}`, "decline 3"},
	{"game", `{"v":1,"id":"a","round":37,"do":"short","hand":"3a"}`, "short 3a"},
	{"game", `{"v":1,"id":"a","round":37,"do":"plan","hand":"3a","decision":"surrender"}`, "plan 3a surrender"},
	{"game", `{"v":1,"id":"a","round":37,"do":"insure","seat":3,"reference":"P-81"}`, "insure 3 P-81"},
	{"game", `{"v":1,"id":"a","round":37,"do":"decline","seat":3,"reference":"P-81"}`, "decline 3 P-81"},
	{"game", `{"v":1,"id":"a","round":37,"do":"follow","hand":"3a","reference":"P-81","decision":"double"}`, "follow 3a P-81 double"},
	{"game", `{"v":1,"id":"a","round":37,"do":"bet","reference":"P-81","bets":[{"bet":"seat","seat":3,"stake":100},{"bet":"pair","seat":3,"stake":25},{"bet":"behind","seat":5,"stake":50}],"balance":1000}`, "bet P-81 3 100, 3 25 pair, 5 50 behind, balance 1000"},
	{"game", `{"v":1,"id":"a","round":37,"do":"bet","reference":"P-81","bets":[{"bet":"straight","numbers":[17],"stake":10},{"bet":"corner","numbers":[8,9,11,12],"stake":10},{"bet":"column","which":2,"stake":10},{"bet":"red","stake":10}]}`, "bet P-81 straight 17 10, corner 8-9-11-12 10, column 2 10, red 10"},
	{"game", `{"v":1,"id":"a","round":37,"do":"bet","reference":"P-81","bets":[]}`, "bet P-81 none"},
	{"game", `{"v":1,"id":"a","do":"since","seq":0}`, "none"},
	{"floor", `{"v":1,"id":"a","do":"table-open","by":"S-2"}`, "table open by S-2"},
	{"floor", `{"v":1,"id":"a","do":"table-close","by":"S-2"}`, "table close by S-2"},
	{"floor", `{"v":1,"id":"a","do":"shoe","number":12,"by":"S-2"}`, "shoe 12 by S-2"},
	{"floor", `{"v":1,"id":"a","do":"count","cards":83,"by":"S-2"}`, "count 83 by S-2"},
	{"floor", `{"v":1,"id":"a","do":"dealer","name":"D-7","by":"S-2"}`, "dealer D-7 by S-2"},
	{"floor", `{"v":1,"id":"a","do":"burn","cards":3,"by":"S-2","because":"dealer \"change\"\n"}`, `burn 3 by S-2 because "dealer \"change\"\n"`},
	{"floor", `{"v":1,"id":"a","do":"stop","by":"S-2","because":"` + strings.Repeat("\U0001f0a1", MaxBecause) + `"}`, `stop by S-2 because "` + strings.Repeat("\U0001f0a1", MaxBecause) + `"`},
	{"floor", `{"v":1,"id":"a","do":"stop","by":"S-2","because":"two stuck together"}`, `stop by S-2 because "two stuck together"`},
	{"floor", `{"v":1,"id":"a","do":"pause","by":"S-2"}`, "pause by S-2"},
	{"floor", `{"v":1,"id":"a","do":"resume","by":"S-2"}`, "resume by S-2"},
	{"floor", `{"v":1,"id":"a","do":"release","irregularity":412,"by":"S-2"}`, "release 412 by S-2"},
	{"floor", `{"v":1,"id":"a","do":"release","irregularity":412,"remedy":"use","by":"S-2"}`, "release 412 use by S-2"},
	{"floor", `{"v":1,"id":"a","do":"release","irregularity":412,"remedy":"assign","hand":"dealer","by":"S-2"}`, "release 412 assign dealer by S-2"},
	{"floor", `{"v":1,"id":"a","do":"correct","irregularity":412,"card":"9s","by":"S-2"}`, "correct 412 9s by S-2"},
	{"floor", `{"v":1,"id":"a","do":"correct","irregularity":412,"card":"cut","by":"S-2"}`, "correct 412 cut by S-2"},
	{"floor", `{"v":1,"id":"a","do":"exposed","irregularity":412,"by":"S-2"}`, "exposed 412 by S-2"},
	{"floor", `{"v":1,"id":"a","do":"draw","card":"9s","by":"S-2","because":"read off the felt"}`, `draw 9s by S-2 because "read off the felt"`},
	{"floor", `{"v":1,"id":"a","do":"draw","card":"9s","hand":"3a","by":"S-2"}`, "draw 9s 3a by S-2"},
	{"floor", `{"v":1,"id":"a","do":"draw","card":"Th","hand":"banker","by":"S-2"}`, "draw Th banker by S-2"},
	{"floor", `{"v":1,"id":"a","do":"undo","seq":412,"by":"S-2"}`, "undo 412 by S-2"},
	{"floor", `{"v":1,"id":"a","do":"void","by":"S-2","because":"misdeal","round":37}`, `void 37 by S-2 because "misdeal"`},
	{"floor", `{"v":1,"id":"a","do":"retire","by":"S-2"}`, "retire by S-2"},
	{"floor", `{"v":1,"id":"a","do":"result","pocket":0,"by":"S-2","because":"sensor blind"}`, `result 0 by S-2 because "sensor blind"`},
	{"floor", `{"v":1,"id":"a","do":"dispute","round":36,"by":"S-2"}`, "dispute 36 by S-2"},
	{"floor", `{"v":1,"id":"a","do":"close","seats":[1,3],"by":"S-2"}`, "close 1,3 by S-2"},
	{"floor", `{"v":1,"id":"a","do":"close","seats":[],"by":"S-2"}`, "close none by S-2"},
	{"floor", `{"v":1,"id":"a","do":"hit","hand":"3a","by":"S-2","because":"he said so"}`, `hit 3a by S-2 because "he said so"`},
	{"floor", `{"v":1,"id":"a","do":"stand","hand":"3a","by":"S-2","because":"he said so"}`, `stand 3a by S-2 because "he said so"`},
	{"floor", `{"v":1,"id":"a","do":"double","hand":"3a","by":"S-2","because":"he said so"}`, `double 3a by S-2 because "he said so"`},
	{"floor", `{"v":1,"id":"a","do":"split","hand":"3a","by":"S-2","because":"he said so"}`, `split 3a by S-2 because "he said so"`},
	{"floor", `{"v":1,"id":"a","do":"surrender","seat":3,"by":"S-2","because":"he said so"}`, `surrender 3 by S-2 because "he said so"`},
	{"floor", `{"v":1,"id":"a","do":"insure","seat":3,"by":"S-2","because":"he said so"}`, `insure 3 by S-2 because "he said so"`},
	{"floor", `{"v":1,"id":"a","do":"even-money","seat":3,"by":"S-2","because":"he said so"}`, `even-money 3 by S-2 because "he said so"`},
	{"floor", `{"v":1,"id":"a","do":"decline","seat":3,"by":"S-2","because":"he said so"}`, `decline 3 by S-2 because "he said so"`},
}

func audience(to string) table.Audience {
	if to == "floor" {
		return table.ToFloor
	}
	return table.ToGame
}

func TestCommandsAreEvents(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range accepted {
		cmd, bad := parseCommand(audience(c.to), []byte(c.payload))
		if bad != nil || cmd.Event.String() != c.event || cmd.ID != "a" || cmd.From != audience(c.to) {
			t.Errorf("%s: %+v, %+v", c.payload, cmd, bad)
		}
		if err := conforms("command-"+c.to, []byte(c.payload)); err != nil {
			t.Errorf("%s: %v", c.payload, err)
		}
		var m struct {
			Do          string
			Round, Seen int64
		}
		json.Unmarshal([]byte(c.payload), &m)
		if m.Do == "dispute" || m.Do == "void" { // the round it is about
			m.Round = 0
		}
		if int64(cmd.Round) != m.Round || cmd.Seen != m.Seen {
			t.Errorf("%s: round %d, seen %d", c.payload, cmd.Round, cmd.Seen)
		}
		tried[c.to+m.Do] = true
	}
	for to, list := range forms {
		for do := range list {
			if !tried[map[table.Audience]string{table.ToGame: "game", table.ToFloor: "floor"}[to]+do] {
				t.Errorf("%s was not tried", do)
			}
		}
	}
}

// huge is a number that no machine's word holds.
const huge = "99999999999999999999999"

// refused are payloads, the reply's id, code and a word of its text.
var refused = []struct{ to, payload, id, code, word string }{
	{"game", ``, "", "MALFORMED", "no JSON object"},
	{"game", `null`, "", "MALFORMED", "no JSON object"},
	{"game", `[]`, "", "MALFORMED", "no JSON object"},
	{"game", `{`, "", "MALFORMED", "no valid JSON"},
	{"game", `{"id":"a","v":1,`, "a", "MALFORMED", "no valid JSON"},
	{"game", `{"id":"a","v":1,"do":"open","round":1} {}`, "a", "MALFORMED", "no valid JSON"},
	{"game", `{"id":"a","v":1,"do":"open","round":1}x`, "a", "MALFORMED", "no valid JSON"},
	{"game", `{"id":"a","v":1,"do":"open","round":1,}`, "a", "MALFORMED", "no valid JSON"},
	{"game", "{\"id\":\"a\",\"v\":1,\"do\":\"open\",\"round\":1,\"x\":\"\xff\"}", "a", "MALFORMED", "no valid JSON"},
	{"game", `{"id":"a","id":"b","v":1,"do":"open","round":1}`, "b", "MALFORMED", `"id" stands there twice`},
	{"game", `{"id":"a","v":1,"do":"open","round":1,"round":1}`, "a", "MALFORMED", `"round" stands there twice`},
	{"game", `{"v":1,"do":"open","round":1}`, "", "MALFORMED", "id must"},
	{"game", `{"v":1,"id":"","do":"open","round":1}`, "", "MALFORMED", "id must"},
	{"game", `{"v":1,"id":7,"do":"open","round":1}`, "", "MALFORMED", "id must"},
	{"game", `{"v":1,"id":"a b","do":"open","round":1}`, "", "MALFORMED", "id must"},
	{"game", `{"v":1,"id":"a.b","do":"open","round":1}`, "", "MALFORMED", "id must"},
	{"game", `{"v":1,"id":"` + strings.Repeat("x", 65) + `","do":"open","round":1}`, "", "MALFORMED", "id must"},
	{"game", `{"id":"a","do":"open","round":1}`, "a", "MALFORMED", "v must be 1"},
	{"game", `{"v":2,"id":"a","do":"open","round":1}`, "a", "MALFORMED", "v must be 1"},
	{"game", `{"v":"1","id":"a","do":"open","round":1}`, "a", "MALFORMED", "v must be 1"},
	{"game", `{"v":1,"id":"a","round":1}`, "a", "MALFORMED", "do must"},
	{"game", `{"v":1,"id":"a","do":["open"],"round":1}`, "a", "MALFORMED", "do must"},
	{"game", `{"v":1,"id":"a","do":"Open","round":1}`, "a", "UNKNOWN_ACTION", "no command"},
	{"game", `{"v":1,"id":"a","do":"release","irregularity":4,"by":"S-2"}`, "a", "UNKNOWN_ACTION", "no command"},
	{"game", `{"v":1,"id":"a","do":"draw 9s"}`, "a", "UNKNOWN_ACTION", "no command"},
	{"floor", `{"v":1,"id":"a","do":"open","round":1}`, "a", "UNKNOWN_ACTION", "no command"},
	{"game", `{"v":1,"id":"a","do":"open","round":1,"Seen":3}`, "a", "MALFORMED", `"Seen" is not known`},
	{"game", `{"v":1,"id":"a","do":"open","round":1,"hand":"3a"}`, "a", "MALFORMED", `"hand" is not known`},
	{"game", `{"v":1,"id":"a","do":"open"}`, "a", "MALFORMED", "round is missing"},
	{"game", `{"v":1,"id":"a","do":"open","round":0}`, "a", "MALFORMED", "round must"},
	{"game", `{"v":1,"id":"a","do":"open","round":"1"}`, "a", "MALFORMED", "round must"},
	{"game", `{"v":1,"id":"a","do":"open","round":1.0}`, "a", "MALFORMED", "round must"},
	{"game", `{"v":1,"id":"a","do":"open","round":4294967296}`, "a", "MALFORMED", "round must"},
	{"game", `{"v":1,"id":"a","do":"open","round":null}`, "a", "MALFORMED", "round must"},
	{"game", `{"v":1,"id":"a","do":"hit","round":1,"hand":"3a"}`, "a", "MALFORMED", "seen is missing"},
	{"game", `{"v":1,"id":"a","do":"hit","round":1,"seen":9,"hand":3}`, "a", "MALFORMED", "hand must"},
	{"game", `{"v":1,"id":"a","do":"hit","round":1,"seen":9,"hand":"8a"}`, "a", "NO_SUCH_HAND", "no such hand"},
	{"game", `{"v":1,"id":"a","do":"hit","round":1,"seen":9,"hand":"3A"}`, "a", "NO_SUCH_HAND", "no such hand"},
	{"game", `{"v":1,"id":"a","do":"hit","round":1,"seen":9,"hand":"dealer"}`, "a", "NO_SUCH_HAND", "no such hand"},
	{"game", `{"v":1,"id":"a","do":"insure","round":1,"seen":9,"seat":0}`, "a", "SEATS_INVALID", "seat"},
	{"game", `{"v":1,"id":"a","do":"insure","round":1,"seen":9,"seat":8}`, "a", "SEATS_INVALID", "seat"},
	{"game", `{"v":1,"id":"a","do":"insure","round":1,"seen":9,"seat":"3"}`, "a", "MALFORMED", "seat must"},
	{"game", `{"v":1,"id":"a","do":"close","round":1,"seats":[3,1]}`, "a", "SEATS_INVALID", "seat"},
	{"game", `{"v":1,"id":"a","do":"close","round":1,"seats":[1,1]}`, "a", "SEATS_INVALID", "seat"},
	{"game", `{"v":1,"id":"a","do":"close","round":1,"seats":[8]}`, "a", "SEATS_INVALID", "seat"},
	{"game", `{"v":1,"id":"a","do":"close","round":1,"seats":"1,3"}`, "a", "MALFORMED", "seats must"},
	{"game", `{"v":1,"id":"a","do":"close","round":1,"seats":null}`, "a", "MALFORMED", "seats must"},
	{"game", `{"v":1,"id":"a","do":"close","round":1,"seats":[1.5]}`, "a", "MALFORMED", "seats must"},
	{"game", `{"v":1,"id":"a","do":"plan","round":1,"hand":"3a","decision":"insure"}`, "a", "MALFORMED", "decision must"},
	{"game", `{"v":1,"id":"a","do":"since","seq":-1}`, "a", "MALFORMED", "seq must"},
	{"floor", `{"v":1,"id":"a","do":"pause"}`, "a", "BY_MISSING", "by whom"},
	{"floor", `{"v":1,"id":"a","do":"hit","hand":"3a","by":"S-2"}`, "a", "MALFORMED", "because is missing"},
	{"floor", `{"v":1,"id":"a","do":"pause","by":""}`, "a", "MALFORMED", "by must"},
	{"floor", `{"v":1,"id":"a","do":"pause","by":"S 2"}`, "a", "MALFORMED", "by must"},
	{"floor", `{"v":1,"id":"a","do":"pause","by":"S-2","because":""}`, "a", "MALFORMED", "because must"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P/81","bets":[]}`, "a", "MALFORMED", "reference"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"abcdefghijklmnopqrstuvwxy","bets":[]}`, "a", "MALFORMED", "reference"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","bets":[],"reference":"P","balance":5}`, "a", "MALFORMED", "balance belongs"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":{}}`, "a", "MALFORMED", "list of bets"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":null}`, "a", "MALFORMED", "list of bets"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[3]}`, "a", "MALFORMED", "no JSON object"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"red"}]}`, "a", "MALFORMED", "stake must"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"red","stake":1.5}]}`, "a", "MALFORMED", "stake must"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"red","stake":"5"}]}`, "a", "MALFORMED", "stake must"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"red","stake":5,"stake":6}]}`, "a", "MALFORMED", "twice"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"red","stake":5,"odds":6}]}`, "a", "MALFORMED", "not known in a bet"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"red 5, black","stake":5}]}`, "a", "BET_NOT_OFFERED", "does not take"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"balance","stake":5}]}`, "a", "BET_NOT_OFFERED", "does not take"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"split","numbers":[-1,2],"stake":5}]}`, "a", "BET_LAYOUT", "no such place"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"split","numbers":[],"stake":5}]}`, "a", "BET_LAYOUT", "no such place"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"split","numbers":[1,2],"seat":3,"stake":5}]}`, "a", "MALFORMED", "a seat, or numbers"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"seat","seat":-3,"stake":5}]}`, "a", "SEATS_INVALID", "seat"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[` + strings.Repeat(`{"bet":"red","stake":1000000000000000000},`, 90) + `{"bet":"red","stake":1}]}`, "a", "MALFORMED", "too many bets"},
	{"game", `{"v":1,"id":"a","round":1,"do":"insure","seat":3,"reference":""}`, "a", "MALFORMED", "reference"},
	{"floor", `{"v":1,"id":"a","do":"pause","by":"S-2","because":"` + strings.Repeat("x", MaxBecause+1) + `"}`, "a", "MALFORMED", "because has at most 200 letters"},
	{"floor", `{"v":1,"id":"a","do":"pause","by":"S-2","because":"` + strings.Repeat("\U0001f0a1", MaxBecause+1) + `"}`, "a", "MALFORMED", "because has at most 200 letters"},
	{"floor", `{"v":1,"id":"a","do":"pause","by":"` + strings.Repeat("S", 64) + `","because":"` + strings.Repeat("\U0010ffff", MaxBecause) + `"}`, "a", "MALFORMED", "because is too long"},
	{"floor", `{"v":1,"id":"a","do":"pause","by":"S-2","because":"` + strings.Repeat("x", 5000) + `"}`, "a", "TOO_LARGE", "4096"},
	{"floor", `{"v":1,"id":"a","do":"release","irregularity":4,"remedy":"forgive","by":"S-2"}`, "a", "MALFORMED", "remedy must"},
	{"floor", `{"v":1,"id":"a","do":"release","irregularity":4,"remedy":"assign","by":"S-2"}`, "a", "MALFORMED", "hand belongs"},
	{"floor", `{"v":1,"id":"a","do":"release","irregularity":4,"hand":"3a","by":"S-2"}`, "a", "MALFORMED", "hand belongs"},
	{"floor", `{"v":1,"id":"a","do":"correct","irregularity":4,"card":"1s","by":"S-2"}`, "a", "CARD_INVALID", "no such card"},
	{"floor", `{"v":1,"id":"a","do":"correct","irregularity":4,"card":"??","by":"S-2"}`, "a", "CARD_INVALID", "no such card"},
	{"floor", `{"v":1,"id":"a","do":"correct","irregularity":4,"card":9,"by":"S-2"}`, "a", "MALFORMED", "card must"},
	{"floor", `{"v":1,"id":"a","do":"shoe","number":1e3,"by":"S-2"}`, "a", "MALFORMED", "number must"},
	{"floor", `{"v":1,"id":"a","do":"shoe","number":0,"by":"S-2"}`, "a", "MALFORMED", "number must be a whole number from 1 to 2147483648"},
	{"floor", `{"v":1,"id":"a","do":"shoe","number":2147483649,"by":"S-2"}`, "a", "MALFORMED", "number must be a whole number from 1 to 2147483648"},
	{"floor", `{"v":1,"id":"a","do":"count","cards":70000,"by":"S-2"}`, "a", "MALFORMED", "cards must be a whole number from 0 to 416"},
	{"floor", `{"v":1,"id":"a","do":"count","cards":-1,"by":"S-2"}`, "a", "MALFORMED", "cards must be a whole number from 0 to 416"},
	{"floor", `{"v":1,"id":"a","do":"count","cards":` + huge + `,"by":"S-2"}`, "a", "MALFORMED", "cards must be a whole number from 0 to 416"},
	{"floor", `{"v":1,"id":"a","do":"burn","cards":300,"by":"S-2"}`, "a", "MALFORMED", "cards must be a whole number from 1 to 20"},
	{"floor", `{"v":1,"id":"a","do":"burn","cards":0,"by":"S-2"}`, "a", "MALFORMED", "cards must be a whole number from 1 to 20"},
	{"floor", `{"v":1,"id":"a","do":"release","irregularity":0,"by":"S-2"}`, "a", "MALFORMED", "irregularity must be a whole number from 1 to 9223372036854775807"},
	{"floor", `{"v":1,"id":"a","do":"exposed","irregularity":` + huge + `,"by":"S-2"}`, "a", "MALFORMED", "irregularity must be a whole number from 1 to 9223372036854775807"},
	{"floor", `{"v":1,"id":"a","do":"undo","seq":` + huge + `,"by":"S-2"}`, "a", "MALFORMED", "seq must be a whole number from 0 to 9223372036854775807"},
	{"floor", `{"v":1,"id":"a","do":"dispute","round":4294967296,"by":"S-2"}`, "a", "MALFORMED", "round must be a whole number from 1 to 4294967295"},
	{"floor", `{"v":1,"id":"a","do":"pause","seen":` + huge + `,"by":"S-2"}`, "a", "MALFORMED", "seen must be a whole number from 1 to 9223372036854775807"},
	{"floor", `{"v":1,"id":"a","do":"result","pocket":-1,"by":"S-2"}`, "a", "NUMBER_INVALID", "no such number"},
	{"floor", `{"v":1,"id":"a","do":"result","pocket":` + huge + `,"by":"S-2"}`, "a", "NUMBER_INVALID", "no such number"},
	{"floor", `{"v":1,"id":"a","do":"result","pocket":1.5,"by":"S-2"}`, "a", "MALFORMED", "pocket must be a whole number"},
	{"floor", `{"v":1,"id":"a","do":"close","seats":[1,200],"by":"S-2"}`, "a", "SEATS_INVALID", "out of range"},
	{"game", `{"v":1,"id":"a","do":"close","round":1,"seats":[` + huge + `]}`, "a", "SEATS_INVALID", "out of range"},
	{"game", `{"v":1,"id":"a","do":"close","round":1,"seats":[-1]}`, "a", "SEATS_INVALID", "out of range"},
	{"game", `{"v":1,"id":"a","do":"insure","round":1,"seat":` + huge + `}`, "a", "SEATS_INVALID", "out of range"},
	{"game", `{"v":1,"id":"a","do":"insure","round":1,"seat":-` + huge + `}`, "a", "SEATS_INVALID", "out of range"},
	{"game", `{"v":1,"id":"a","do":"hit","round":1,"seen":9,"hand":"200a"}`, "a", "NO_SUCH_HAND", "no such hand"},
	{"game", `{"v":1,"id":"a","do":"since","seq":` + huge + `}`, "a", "MALFORMED", "seq must be a whole number from 0 to 9223372036854775807"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"red","stake":` + huge + `}]}`, "a", "BET_LIMIT", "over the most"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"seat","seat":` + huge + `,"stake":5}]}`, "a", "SEATS_INVALID", "out of range"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"column","which":` + huge + `,"stake":5}]}`, "a", "BET_LAYOUT", "no such place"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"straight","numbers":[70000],"stake":5}]}`, "a", "BET_LAYOUT", "no such place"},
	{"game", `{"v":1,"id":"a","round":1,"do":"bet","reference":"P","bets":[{"bet":"red","stake":5}],"balance":` + huge + `}`, "a", "MALFORMED", "balance must be a whole number from 0 to 9223372036854775807"},
}

// Hostile payloads, sent to a running table, each get the reply that says what is wrong, and nothing reaches the game.
func TestHostileCommands(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	w := watch(t, b.Addr())
	c, _ := runClient(t, r, b.Addr(), func(c *Client) {
		c.config.Command = func(cmd table.Command, _ func(table.Reply)) { t.Errorf("taken: %+v", cmd) }
		for _, q := range c.quotas {
			q.commands.rate = rate{len(refused), 1}
		}
	})
	eventually(t, "up", func() bool { return c.Stats().Up })
	for _, x := range refused {
		n := len(w.on("reply/" + x.to))
		w.command(x.to, x.payload)
		eventually(t, "a reply to "+x.payload, func() bool { return len(w.on("reply/"+x.to)) > n })
		m := w.last("reply/" + x.to)
		if m["id"] != x.id || m["ok"] != false || m["code"] != x.code || !strings.Contains(fmt.Sprint(m["text"]), x.word) {
			t.Errorf("%.200s\n is answered %v, want id %q, %s, %q", x.payload, m, x.id, x.code, x.word)
		}
	}
}

// A command that the broker kept is refused, whatever it is; one that is not reaches the table once and is answered.
func TestCommandAndReply(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	r.play(3)
	w := watch(t, b.Addr())
	w.publish("sabot/BJ-1/command/floor", true, `{"v":1,"id":"kept","do":"pause","by":"S-2"}`)
	w.drain() // the broker answers a publisher before it hands on
	taken := make(chan table.Command, 10)
	c, _ := runClient(t, r, b.Addr(), func(c *Client) {
		c.config.Command = func(cmd table.Command, reply func(table.Reply)) {
			taken <- cmd
			if cmd.From == table.ToGame {
				reply(table.Reply{ID: cmd.ID, Code: table.NotYourTurn, Seq: 414})
				return
			}
			go reply(table.Reply{ID: cmd.ID, OK: true, Seq: 413})
		}
	})
	eventually(t, "RETAINED", func() bool {
		return w.last("reply/floor")["code"] == "RETAINED" && w.last("reply/floor")["id"] == "kept"
	})
	eventually(t, "up", func() bool { return c.Stats().Up })
	w.command("floor", `{"v":1,"id":"now","do":"pause","by":"S-2"}`)
	eventually(t, "the floor's reply", func() bool { return w.last("reply/floor")["id"] == "now" })
	if m := w.last("reply/floor"); m["ok"] != true || m["seq"] != 413.0 || m["code"] != nil {
		t.Errorf("reply: %v", m)
	}
	w.command("game", `{"v":1,"id":"d","round":37,"seen":412,"do":"double","hand":"3a"}`)
	eventually(t, "the game server's reply", func() bool { return w.last("reply/game")["id"] == "d" })
	if m := w.last("reply/game"); m["ok"] != false || m["seq"] != 414.0 || m["code"] != "NOT_YOUR_TURN" || m["text"] == "" {
		t.Errorf("reply: %v", m)
	}
	w.command("game", `{"v":1,"id":"s","do":"since","seq":4}`)
	eventually(t, "a refusal", func() bool { return w.last("reply/game")["id"] == "s" })
	if m := w.last("reply/game"); m["code"] != "MALFORMED" {
		t.Errorf("calls that are not: %v", m)
	}
	if len(taken) != 2 {
		t.Errorf("%d commands reached the table, want 2", len(taken))
	}
}

func TestPages(t *testing.T) {
	b := startBroker(t, "")
	r := openRecord(t, t.TempDir())
	r.play(2*maxPage + 1)
	w := watch(t, b.Addr())
	c, _ := runClient(t, r, b.Addr(), nil)
	eventually(t, "all acknowledged", func() bool { return c.Stats().Acknowledged == r.seq })
	w.drain()
	calls := w.on("call")
	for since, want := range map[int64][2]int64{0: {maxPage, maxPage}, maxPage: {maxPage, 2 * maxPage}, 2 * maxPage: {1, 0}, r.seq: {0, 0}} {
		id := fmt.Sprint("s", since)
		w.command("game", fmt.Sprintf(`{"v":1,"id":%q,"do":"since","seq":%d}`, id, since))
		eventually(t, id, func() bool { return w.last("reply/game")["id"] == id })
		var p pageMessage
		list := w.on("reply/game")
		json.Unmarshal(list[len(list)-1].payload, &p)
		if int64(len(p.Messages)) != want[0] || p.Next != want[1] {
			t.Errorf("since %d: %d messages, next %d", since, len(p.Messages), p.Next)
		}
		for i, m := range p.Messages {
			if string(m) != string(calls[since+int64(i)].payload) {
				t.Errorf("since %d: message %d is not what was sent: %s", since, i, m)
			}
		}
	}
}

func TestEveryCodeHasASentence(t *testing.T) {
	for c := table.OK; c < 255; c++ {
		if c.String() == "UNKNOWN" {
			continue
		}
		if s := Sentence("en", c); !strings.HasSuffix(s, ".") || s[:1] != strings.ToUpper(s[:1]) {
			t.Errorf("%s: %q is no sentence", c, s)
		}
	}
}

// FuzzCommand: whatever comes is refused with a code and a sentence, or is an event of the notation and as the schema says.
func FuzzCommand(f *testing.F) {
	for _, c := range accepted {
		f.Add(c.to == "floor", []byte(c.payload))
	}
	for _, c := range refused {
		f.Add(c.to == "floor", []byte(c.payload))
	}
	f.Fuzz(func(t *testing.T, floor bool, payload []byte) {
		name, to := "command-game", table.ToGame
		if floor {
			name, to = "command-floor", table.ToFloor
		}
		c, bad := parseCommand(to, payload)
		if bad != nil {
			m := encode(replyMessage{V: 1, ID: c.ID, Code: bad.code.String(), Text: bad.sentence()})
			if err := conforms("reply", m); err != nil {
				t.Fatalf("the refusal %s: %v", m, err)
			}
			return
		}
		if err := conforms(name, payload); err != nil {
			t.Fatalf("taken, but: %v", err)
		}
		if c.Event.Kind == table.NoEvent {
			return
		}
		if back, err := table.Parse(c.Event.String()); err != nil || !back.Equal(c.Event) {
			t.Fatalf("%q does not read back: %v", c.Event.String(), err)
		}
	})
}
