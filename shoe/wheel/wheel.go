// Package wheel reads the roulette wheel Cammegh SlingShot 2. [Decoder] is the host's side and [Device] a model of the wheel. A wheel of another
// make speaks the neutral line of package line.
//
// # What the wheel says
//
// The line is 9600 8N1 over a null modem cable, as the maker's own guide has it; no unit was at hand. Every 500 ms, and when it is asked by
// "*X" (not more often than each 100 ms), the wheel says its status in a line of fixed width that ends in CR LF:
//
//	*X;5;011;25;0;165;1
//
//	state    1 before game, 2 place your bets, 3 ball in the rim, 4 no more bets, 5 winning number, 6 closed, 7 ball not detected (optional)
//	spin     1 to 256 since power-on, then 1 again
//	number   padded with a space; two spaces before the first result; 00 is the double zero, which is another pocket than " 0"
//	warning  a hexadecimal digit that is a sum: 1 no ball, 2 ball runs with the rotor, 4 sensor, motor or encoder, 8 failed launch
//	speed    the rotor's turns per minute, times ten
//	turning  0 clockwise
//
// Before the first line in state 5 comes the number alone: two characters and CR LF. "*F n" is a fault of component n.
//
// # What is made of it
//
// In states 1 to 4 the number is still that of the spin before. A result exists only on the edge from 4 to 5, and once. Any other number that is
// found standing in state 5, when the device was just plugged in, say, nobody saw fall; it is [shoe.Proposed], once, unless the record already holds it. Another
// number for a spin whose number was said already is a [shoe.Conflict].
//
// A spin is void when the wheel says 2 in state 3, when it says 8 there after the first 3 s, when it says 1 in state 4 for 5 s on end, when it
// goes to state 7, and when it goes back to 1 or 2 without a number.
//
// The lines have no checksum, and one wrong bit makes a 4 a 5, with the number of the spin before. Therefore what decides a spin, its number or its voiding,
// counts only when it was said twice: by two status lines in a row, or by one and the number alone. A wheel that says nothing else for 1 s is believed
// as well. What merely stops a table, no more bets or a fault, counts at the first word.
//
// Wheels that are closed (state 6), that warn of a sensor (4), or whose ball fell on the double zero, which our tables do not have, are at fault until the
// status says otherwise; a component is until a spin has ended in a number; and so is a line on which nothing can be read: a wrong speed, a
// wrong device.
//
// # What is numbered
//
// A wheel counts spins, not lines. What decides a spin has a source whose epoch is the spin's count and whose seq is the number plus one, 100 for a void
// spin. So a decoder that begins beside a wheel in state 5 knows from the record whether that very number is there. All else has no numbers, for it is said again by itself.
//
// A void spin called by warning 2 stands until the host says "*R": that is permission to go on, and is sent only when the void is on disk, while the
// wheel still shows it, and with each line that goes on showing it. So is a void spin that falls while the host restarts not lost. Nothing else is acknowledged.
package wheel

import "time"

// The states.
const (
	before     = 1
	placeBets  = 2
	inRim      = 3
	noMoreBets = 4
	winning    = 5
	closed     = 6
	undetected = 7
)

// The warnings, which add up.
const (
	noBall    = 1 << iota // gone from the wheel, or not seen
	withRotor             // runs the rotor's way
	sensor                // or motor, or encoder
	badLaunch             // and is launched again
)

// DoubleZero is the pocket 00, behind the 36 others and the zero.
const DoubleZero = 37

const (
	blank    = 0xff // no number yet
	voidWord = 100  // the seq of a void spin
	maxSpin  = 256

	maxLine   = 32 // bytes; a status has 19
	maxFaults = 16 // told apart

	launching = 3 * time.Second // a failed launch is no void spin so early
	searching = 5 * time.Second // nor is a ball not seen for less
	unopposed = time.Second     // after which a word stands that was said once
)
