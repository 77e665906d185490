package table_test

import (
	"testing"

	"sabot/table"
)

// TestOrdersOfAHouse: a house may raise a class and not lower one, and allow fewer of the remedies that fit, each once; of what it has no say in there is no setting. What is refused
// changes nothing, and the table's own row written out is no order.
func TestOrdersOfAHouse(t *testing.T) {
	for _, test := range []struct {
		name, to string
		ok       bool
	}{
		{"classes.SLOW_DRAW", "after-round", true},
		{"classes.SLOW_DRAW", "now", true},
		{"classes.SLOW_DRAW", "note", true},
		{"classes.SLOW_DRAW", "", false},
		{"classes.CUT_EARLY", "now", true},
		{"classes.CUT_EARLY", "note", false},
		{"classes.STOP", "now", true},
		{"classes.STOP", "after-round", false},
		{"classes.DEVICE_LOST", "after-round", true}, // it is a note between rounds
		{"classes.REFUSED", "now", false},
		{"classes.CARD_MOVED", "now", false},
		{"remedies.EXTRA_CARD", "burn", true},
		{"remedies.EXTRA_CARD", "carry,use", true},
		{"remedies.EXTRA_CARD", "use,burn", true},
		{"remedies.EXTRA_CARD", "use,burn,carry,assign", true},
		{"remedies.EXTRA_CARD", "burn,burn", false},
		{"remedies.EXTRA_CARD", "burn,reread", false},
		{"remedies.EXTRA_CARD", "burn,melt", false},
		{"remedies.EXTRA_CARD", "", false},
		{"remedies.SLOW_DRAW", "device", false},
		{"remedies.CARD_MOVED", "burn", false},
	} {
		var o table.Orders
		err := o.Settings().Set(test.name, test.to)
		if (err == nil) != test.ok {
			t.Errorf("%s: %s: %v", test.name, test.to, err)
		}
		if !test.ok && o != (table.Orders{}) {
			t.Errorf("%s: %s was refused and is an order", test.name, test.to)
		}
		for _, s := range o.Settings() {
			if s.Name == test.name && test.ok && s.Get() != test.to {
				t.Errorf("%s: %s reads %s", test.name, test.to, s.Get())
			}
		}
		for _, s := range new(table.Orders).Settings() { // back to the table's
			o.Settings().Set(s.Name, s.Get())
		}
		if o != (table.Orders{}) {
			t.Errorf("%s: %s is not taken back", test.name, test.to)
		}
	}
	var o table.Orders
	for _, s := range o.Settings() {
		if !s.Set(s.Get()) {
			t.Errorf("%s does not take its own %s", s.Name, s.Get())
		}
		if o != (table.Orders{}) {
			t.Fatalf("%s as it is, %s, is an order", s.Name, s.Get())
		}
	}
}
