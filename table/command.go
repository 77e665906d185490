package table

import "sabot/shoe"

// Command is an event somebody asks for from afar: a game server, the floor. It becomes an event only if the game's Check lets it.
type Command struct {
	ID    string   // the sender's name for it; a repeated one gets its first answer again
	From  Audience // ToGame or ToFloor: which topic it came by, which bounds what it may ask
	Event Event    // unstamped
	Round uint32   // the round the sender speaks of; 0 where it does not matter
	Seen  int64    // the last seq the sender had seen; 0 where it does not matter
}

// Reply answers a command.
type Reply struct {
	ID   string
	OK   bool
	Code Code
	Seq  int64 // the entry the command became, refusals too; 0 where it became none
}

// FromReport makes an event of what a device said. ok is false for what is no event of the table: a button on a shoe is bound
// like any other button, and a tag that nobody knows is the enrolment's.
func FromReport(r shoe.Report) (e Event, ok bool) {
	device := &Text{Name: r.Source.Device}
	switch r.Kind {
	case shoe.BallIn:
		return Event{Kind: Ball}, true
	case shoe.NoSpin:
		return Event{Kind: NoSpin}, true
	case shoe.Number:
		return Event{Kind: Result, N: int64(r.N)}, true
	case shoe.Drawn:
		return Event{Kind: Draw, Card: r.Card, Claim: written(r.Claim)}, true
	case shoe.Reread:
		return Event{Kind: Resent, Card: r.Card, Claim: written(r.Claim)}, true
	case shoe.Claimed:
		return Event{Kind: Claims, Coup: r.Result}, true
	case shoe.BetsOver:
		return Event{Kind: NoMoreBets}, true
	case shoe.Proposed:
		return Event{Kind: Proposed, N: int64(r.N)}, true
	case shoe.CutOut:
		return Event{Kind: Cut}, true
	case shoe.Lost:
		return Event{Kind: Lost, Text: device}, true
	case shoe.Found:
		return Event{Kind: Found, Text: device}, true
	case shoe.Faulted, shoe.Cleared:
		device.Detail = faultName(r.Code)
		return Event{Kind: faultKinds[r.Kind], Text: device}, true
	case shoe.Gap, shoe.Conflict, shoe.Booted:
		device.Detail = faultDetails[r.Kind]
		if r.Kind == shoe.Booted && r.Code == FaultNewShoe {
			device.Detail = FaultNewShoe
		}
		return Event{Kind: Fault, Text: device}, true
	}
	return Event{}, false
}

// written is a claim as the notation can write it. A place that no hand has is outside the game.
func written(c shoe.Claim) shoe.Claim {
	if ordered := c.Side == shoe.ToPlayer || c.Side == shoe.ToBanker; ordered && (c.Index < 1 || c.Index > 9) {
		return shoe.Claim{Side: shoe.Outside}
	}
	return c
}

// faultName is a device's code as the notation can write it, apart from the codes that are not a device's.
func faultName(code string) string {
	b := []byte(code)
	for i := range b {
		if !ValidName(string(b[i : i+1])) {
			b[i] = '-'
		}
	}
	switch name := string(b[:min(len(b), 32)]); name {
	case "":
		return "unnamed"
	case FaultGap, FaultConflict, FaultBoot, FaultNewShoe, FaultPanic, FaultRecord, FaultRestarts:
		return "device-" + name
	default:
		return name
	}
}

var (
	faultKinds   = map[shoe.Kind]Kind{shoe.Faulted: Fault, shoe.Cleared: Clear}
	faultDetails = map[shoe.Kind]string{shoe.Gap: FaultGap, shoe.Conflict: FaultConflict, shoe.Booted: FaultBoot}
)
