// Package table is a gaming table as a stream of events and calls.
//
// An [Event] is what happened: a card left the shoe, a hand doubled, the supervisor released the table. It is private and past, and has
// a one-line notation that is the same in transcripts, in the record, in the simulator and in a bug report: "draw 9s".
// A [Call] is what may be said of it, and to whom: everybody, the floor, the game server. A [Game] stands between them. It
// is a plain value; Step changes it by one event and appends the calls. Nothing else goes in and nothing else comes out,
// so a record of the events is a record of the game, and playing it again must give the same calls to the byte.
//
// A game cannot refuse what happened. What breaks procedure becomes an irregularity: it has a class and a number
// (the seq of the event), the table holds, and goes on when the supervisor's event releases it. What somebody merely asks for
// is a [Command]; Check refuses it before it becomes an event.
//
// A face-down card is an event the moment it leaves the shoe and a call only when it is turned. Every part of this package
// that could tell it early, the count of copies above all, therefore works on cards that lie face up.
//
// [Procedure] is what all card games share; [Round] keeps a round so that a decision can be undone. Package live runs
// one table; package journal keeps its record; the games stand beside them.
package table
