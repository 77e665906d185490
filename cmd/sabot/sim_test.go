package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func simJSON(t *testing.T, args ...string) simReport {
	t.Helper()
	stdout, stderr, code := sabot(append([]string{"sim", "--json"}, args...)...)
	var r simReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != exitOK || stderr != "" {
		t.Fatalf("sabot sim %v: exit %d, %v, %q", args, code, err, stderr)
	}
	if r.Rounds > 100_000 && (r.PerSecond <= 0 || r.PerCPU <= 0) {
		t.Errorf("%+v is no speed", r.simSpeed)
	}
	r.simSpeed = simSpeed{}
	return r
}

// A seed gives the same figures whatever the number of cores, and another seed gives others.
func TestSimIsItsSeed(t *testing.T) {
	for _, rules := range []string{"deluxe", "puntobanco", "roulette"} {
		one := simJSON(t, "--rules", rules, "--rounds", "200000", "--cores", "1")
		if three := simJSON(t, "--rules", rules, "--rounds", "200000", "--cores", "3"); !reflect.DeepEqual(one, three) {
			t.Errorf("%s: one core plays %+v, three play %+v", rules, one, three)
		}
		if other := simJSON(t, "--rules", rules, "--rounds", "200000", "--seed", "2"); reflect.DeepEqual(one.Bets, other.Bets) {
			t.Errorf("%s: two seeds give the same", rules)
		}
		if one.Rounds != 200_000 || one.Rules != rules || len(one.Bets) < 3 || len(one.Counts) < 5 {
			t.Errorf("%s: %+v", rules, one)
		}
	}
}

// Presets play by their own tables, a fresh shoe has its own figures, and a configuration's rules count.
func TestSimPlaysWhatItIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "house.yaml")
	house := strings.Replace(good, "  seats: 5\n", "  surrender: none\n  pair: false\n", 1)
	if err := os.WriteFile(file, []byte(house), 0o600); err != nil {
		t.Fatal(err)
	}
	deluxe := simJSON(t, "--rounds", "50000")
	fresh := simJSON(t, "--rounds", "50000", "--fresh-shoe")
	changed := simJSON(t, "--rounds", "50000", "--rules", file)
	literal := simJSON(t, "--rounds", "50000", "--rules", "classic", "--strategy", "classic_literal")
	if deluxe.Strategy != "deluxe" || deluxe.FreshShoe || !fresh.FreshShoe || reflect.DeepEqual(deluxe.Bets, fresh.Bets) {
		t.Errorf("%+v and %+v", deluxe, fresh)
	}
	if want := []string{"surrender: none", "pair: false"}; !reflect.DeepEqual(changed.Changed, want) || len(changed.Bets) != 2 {
		t.Errorf("%+v", changed)
	}
	for _, c := range changed.Counts {
		if c.Name == "surrender" && c.N > 0 {
			t.Errorf("%d surrendered where nobody may", c.N)
		}
	}
	if literal.Strategy != "classic_literal" || literal.Rules != "classic" {
		t.Errorf("%+v", literal)
	}
}

// Asked to stop, it stops, and says how far it was.
func TestSimStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out strings.Builder
	e := &env{ctx: ctx, stdout: &out, stderr: &out, verb: verb{name: "sim"}}
	if err := simulate(e, []string{"--rounds", "100000000000"}); err == nil || err.Error() != "sim: stopped after 0 of 100000000000 rounds" || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestBar(t *testing.T) {
	tests := []struct {
		done, all int64
		want      string
	}{
		{0, 8, "\r\x1b[K[........................................] 0 %"},
		{2, 8, "\r\x1b[K[##########..............................] 25 %, 30s left"},
		{8, 8, "\r\x1b[K"},
	}
	for _, test := range tests {
		if got := bar(test.done, test.all, 10*time.Second); got != test.want {
			t.Errorf("%d of %d: %q, want %q", test.done, test.all, got, test.want)
		}
	}
	if got := grouped(1234567) + grouped(123) + grouped(0); got != "1,234,5671230" {
		t.Error(got)
	}
}
