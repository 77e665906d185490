package serial

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sabot/shoe"
)

// babbled is what is told of a script: so many times a word each tenth of a second, "200 fault", "3 card", or nothing: "150 -".
func babbled(script string) string {
	b, at := babble{device: "shoe"}, time.Now()
	var said []string
	tell := func(list []shoe.Report) {
		for _, r := range list {
			word := strings.TrimSpace(r.Kind.String() + " " + r.Code)
			if n := len(said); n > 0 && strings.HasSuffix(said[n-1], "× "+word) {
				var times int
				fmt.Sscan(said[n-1], &times)
				said[n-1] = fmt.Sprintf("%d × %s", times+1, word)
				continue
			}
			said = append(said, "1 × "+word)
		}
	}
	for part := range strings.SplitSeq(script, ", ") {
		var n int
		var word string
		fmt.Sscan(part, &n, &word)
		for range n {
			switch word {
			case "card":
				tell(b.pass(shoe.Report{Kind: shoe.Drawn}, at))
			case "gap":
				tell(b.pass(shoe.Report{Kind: shoe.Gap}, at))
			case "numbered":
				tell(b.pass(shoe.Report{Kind: shoe.Gap, Source: shoe.Source{Seq: 7}}, at))
			case "fault", "jam":
				tell(b.pass(shoe.Report{Kind: shoe.Faulted, Code: word}, at))
			case "flap":
				tell(b.pass(shoe.Report{Kind: shoe.Faulted, Code: word}, at))
				tell(b.pass(shoe.Report{Kind: shoe.Cleared, Code: word}, at))
			}
			tell(b.rest(at))
			at = at.Add(time.Second / 10)
		}
	}
	return strings.Join(said, ", ")
}

// A fault, or a gap, that is said faster than anybody can look at it is told fifty times and no more, until it has rested; cards and other faults are told always.
func TestBabble(t *testing.T) {
	for script, want := range map[string]string{
		"1000 card":                       "1000 × drawn",
		"50 fault":                        "50 × faulted fault",
		"50 fault, 60 -, 50 fault":        "100 × faulted fault",
		"1000 numbered":                   "1000 × gap",
		"1000 gap, 3 card, 200 -":         "50 × gap, 1 × faulted babbling, 3 × drawn, 1 × gap, 1 × cleared babbling",
		"1000 fault":                      "50 × faulted fault, 1 × faulted babbling",
		"200 fault, 2 card, 1 jam, 200 -": "50 × faulted fault, 1 × faulted babbling, 2 × drawn, 1 × faulted jam, 1 × faulted fault, 1 × cleared babbling",
		"30 flap, 200 -, 1 flap":          strings.Repeat("1 × faulted flap, 1 × cleared flap, ", 25) + "1 × faulted babbling, 1 × cleared flap, 1 × cleared babbling, 1 × faulted flap, 1 × cleared flap",
	} {
		if got := babbled(script); got != want {
			t.Errorf("%s:\n got %s\nwant %s", script, got, want)
		}
	}
}

// A device that makes up codes fills no memory.
func TestBabbleIsBounded(t *testing.T) {
	b, at, n := babble{}, time.Now(), 0
	for i := range 10_000 {
		n += len(b.pass(shoe.Report{Kind: shoe.Faulted, Code: fmt.Sprint(i)}, at))
	}
	if len(b.codes) > mostCodes+1 || n > mostCodes+mostFaults+1 {
		t.Errorf("%d codes are kept, %d faults told", len(b.codes), n)
	}
}
