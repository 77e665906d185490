package table

import (
	"testing"

	"sabot/shoe"
)

// No device can put a fault's name on the table that is the program's own.
func TestADevicesFaultIsItsOwn(t *testing.T) {
	own := map[string]Code{FaultGap: DeviceFault, FaultConflict: DeviceFault, FaultBoot: DeviceFault, FaultPanic: DeviceFault, FaultRecord: DeviceFault, FaultRestarts: DeviceFault}
	own["overdraw"], own["7"] = Overdraw, DeviceFault
	for name, want := range own {
		e, ok := FromReport(shoe.Report{Kind: shoe.Faulted, Code: name, Source: shoe.Source{Device: "shoe"}})
		if got := faultCode(e); !ok || got != want {
			t.Errorf("a device's fault %q is %v, want %v", name, got, want)
		}
	}
}

// A device calls its faults what it likes, and noise makes anything of that: what is passed on names no card and no tag.
func TestWhatAStopSaysOfADevice(t *testing.T) {
	for detail, want := range map[string]string{
		"jam": "jam", "unknown-reading": "unknown-reading", "component-12": "component-12", "error-07": "error-07", "E9": "E9", "W0x1F": "W0x1F", "contact-hit": "contact-hit",
		"gap": "", "boot": "", // their codes say it
		"9s": "", "jam-9s": "", "Kh": "", "E9Card-9S": "", "W0x1FCard-9S": "", "04AABBCCDD11": "", "read-04AABBCCDD11": "", "jam-as": "", "JAM": "",
	} {
		d := DeviceOf(Event{Kind: Fault, Text: &Text{Name: "shoe", Detail: detail}})
		if d == nil || *d != (StopDevice{Name: "shoe", Fault: want}) {
			t.Errorf("%s: %+v, want %q", detail, d, want)
		}
	}
	for _, detail := range []string{FaultPanic, FaultRecord, FaultRestarts, "lid-opened", "overdraw", "same-uid"} {
		if d := DeviceOf(Event{Kind: Fault, Text: &Text{Name: "sabot", Detail: detail}}); d != nil {
			t.Errorf("%s leaves no device open, and names %+v", detail, d)
		}
	}
}
