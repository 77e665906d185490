package gpio

import (
	"fmt"
	"testing"
)

// The places of the standard box's lines, each of them and no other; what is no place is its own name.
func TestPlacesOnTheHeader(t *testing.T) {
	for name, want := range map[string]string{
		"P1_29": "GPIO5", "P1_31": "GPIO6", "P1_33": "GPIO13", "P1_35": "GPIO19", "P1_37": "GPIO26", "P1_36": "GPIO16", "P1_38": "GPIO20",
		"P1_11": "GPIO17", "P1_13": "GPIO27", "P1_15": "GPIO22", "P1_16": "GPIO23", "P1_18": "GPIO24", "P1_22": "GPIO25", "P1_40": "GPIO21", "P1_3": "GPIO2",
		"P1_1": "P1_1", "P1_39": "P1_39", "P1_27": "P1_27", "P1_41": "P1_41", "P1_011": "P1_011", "P1_+11": "P1_+11", "11": "11", "P8_11": "P8_11", "GPIO17": "GPIO17", "": "",
	} {
		if got := Place(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	lines := map[string]bool{}
	for n := range 41 {
		if name := fmt.Sprintf("P1_%d", n); Place(name) != name {
			lines[Place(name)] = true
		}
	}
	if len(lines) != 26 {
		t.Errorf("the header has %d lines, want 26, each at one place", len(lines))
	}
}
