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
