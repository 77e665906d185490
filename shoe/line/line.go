// Package line is the neutral line protocol, for shoes whose maker published none, for shoes people build, and for the
// virtual shoe. This comment is its specification, enough to write firmware from; [Device] is the model firmware and
// [Decoder] the host.
//
// # Sentences
//
// The line is 115200 8N1 (or any other speed, or TCP). Both sides speak in sentences as NMEA 0183 has them:
//
//	$SBCRD,12,9S*47 CR LF
//
// "$SB", three letters, fields between commas, "*", the XOR of all bytes between "$" and "*" as two hexadecimal digits, CR LF. All of it
// printable ASCII, at most 82 characters with CR LF. A lone CR or LF ends a sentence as well. "$" always starts one anew; any other
// byte outside 20 to 7E, a wrong sum or too many characters spoil the sentence they stand in and no other. A reader ignores
// fields behind those it knows.
//
//	$SBHEL,1,device,serial,epoch,last  device: hello. 1 is the protocol; last: see below
//	$SBCRD,seq,9S[,claim]              device: a card left; ?? where it could not be read
//	$SBCUT,seq                         device: the cut card left
//	$SBBTN,seq,name,1|0                device: a button was pressed, was let go
//	$SBERR,seq,code,text               device: a fault began
//	$SBCLR,seq,code                    device: that fault is over
//	$SBUID,seq,04AABBCCDD11            device: a tag left; which card that is, the host has to know
//	$SBWIN,seq,17                      wheel: the winning number
//	$SBWHL,seq,state                   wheel: 3 ball in rim, 7 no spin; a table hears of no other
//	$SBHRT,seq                         device, every 2 s: alive; the highest number sent in this epoch
//	$SBACK,seq,epoch                   host: all up to seq is on disk, forget it
//	$SBGET,seq                         host: send again from seq; 0: say hello
//	$SBLCK,1|0                         host: close, open the mouth
//	$SBHST,1|0                         host, every second: 1 = what is dealt is recorded
//
// A claim is where the shoe itself believes the card went: P1 P2 P3 the player's, B1 B2 B3 the banker's cards, BURN, or OUT of the game.
//
// # Numbers
//
// What happened is numbered 1, 2, 3 … in an epoch, without holes, whatever it is. An epoch is any number from 1 to 4294967295 that this device
// never used before: a boot counter kept in flash, or true random bits. A device starts a new epoch at each boot.
//
// The device keeps each numbered sentence until it is acknowledged. ACK is cumulative and never comes before the
// record of all it covers is on disk. So the shoe is part of the chain: what is drawn while the host reboots, or between its crash and
// the disk, is delivered afterwards. When the memory (at least 64 sentences) is nearly full the device closes its mouth.
// What happens when it is full, a button pressed perhaps, takes its number all the same and is not kept, so that the host reports a gap.
//
// What a host does not record, a tag where it has no list of them, a wheel's state, a button (pressed again if nothing happened), a word it does not know, it counts all the
// same. It is acknowledged with the next one that is recorded; were it acknowledged at once, a host that restarts would find its record behind the
// device's memory and miss it. Only when 32 such wait are they acknowledged by themselves, lest buttons fill the memory and close the mouth; if the
// host restarts just then, it reports a gap.
//
// # Hello
//
// Numbered sentences do not carry their epoch; HEL says it for all that follow on the line. Therefore:
//
//   - A device says HEL at boot, and each second until it hears ACK with that epoch. Until then it sends nothing else; it numbers and keeps.
//     On that ACK it sends all it keeps beyond its seq, then goes on as things happen. An ACK with any other epoch, or beyond what was sent,
//     means nothing to it.
//   - A host that begins to listen, after its own start or a broken connection, believes no number before it heard HEL. It sends GET,0 until
//     then, and the device answers as if it had just booted. The host answers every HEL at once with ACK and the last number of that
//     epoch it has on disk, 0 for none.
//   - last, written epoch:seq, is the oldest sentence not yet acknowledged, or the number the next one will get. A host that never met the device
//     begins to count there.
//   - A device that keeps sentences over its own reboot finishes the old epoch first: it says HEL with the epoch of its oldest kept sentence, delivers
//     that epoch's sentences under their own numbers, and says HEL with its next epoch when all of them are acknowledged. Nothing is renumbered, so
//     the host knows a repeat when it sees one; nothing is lost, and nothing comes twice.
//
// A host that meets numbers but no HEL for 4 s takes them for those of a simple reader that knows none, which is epoch 0. If
// the record knew the device by an epoch, that is reported as a gap.
//
// # Loss
//
// On a hole in the numbers, also one that only HRT shows, the host asks GET once with the first number missing and lays
// what follows aside; the device sends again all it keeps from there. What has not come after 1 s, or when 64 sentences lie aside, is reported as
// [shoe.Gap]. HRT is answered with ACK, so a lost ACK heals.
//
// A number that comes again with the same content is a repeat: dropped, and acknowledged again if it is on disk. With other content it is a
// [shoe.Conflict]; so is an epoch that comes back after another one, and a count that runs backwards within one, after which the host counts afresh.
// Contents are remembered for the last 64 numbers.
//
// # Lock
//
// The mouth is closed while LCK says 1, HST says 0, or no HST came for 3 s; so also at boot. The host repeats LCK after each HEL.
package line

import "time"

const (
	memory    = 64 // sentences kept by a device, laid aside and remembered by a host
	epochs    = 64 // epochs a host remembers
	manyQuiet = 32 // sentences without a record that are acknowledged by themselves
	reserve   = 8  // a device closes its mouth when so few places are left
	maxFrame  = 80 // characters from "$" to the checksum
	unnamed   = 0  // the epoch of a device that never says hello
	askHello  = 500 * time.Millisecond
	waitHello = 4 * time.Second // for a hello, once there are numbers
	waitGap   = time.Second     // for what was asked for again
	hostBeat  = time.Second     // between two HST
	devBeat   = 2 * time.Second // between two HRT
	helloBeat = time.Second     // between two unanswered HEL
	hostAway  = 3 * time.Second // without HST, after which the mouth closes
)
