package broker

import "strings"

// Role is what a user is, and so what it may read and write under sabot/TABLE/. Everybody may subscribe with
// wildcards; what arrives is only what the role may read.
type Role string

// The roles of a table.
const (
	Overlay Role = "overlay" // reads status, layout, call
	Game    Role = "game"    // also settlement and reply/game; writes command/game
	Floor   Role = "floor"   // reads everything; writes command/floor
	Table   Role = "table"   // the table itself: everything
)

// reads is what a role may read; "#" is everything.
var reads = map[Role][]string{
	Overlay: {"status", "layout", "call"},
	Game:    {"status", "layout", "call", "settlement", "reply/game"},
	Floor:   {"#"},
	Table:   {"#"},
}

var writes = map[Role]string{Game: "command/game", Floor: "command/floor"}

// may says whether a role may write a topic, or read it: a topic, or a filter with wildcards.
func (r Role) may(topic string, write bool) bool {
	root, rest, _ := strings.Cut(topic, "/")
	_, name, _ := strings.Cut(rest, "/")
	ours := root == "sabot" && name != ""
	switch {
	case strings.HasPrefix(topic, "$"):
		return false
	case r == Table:
		return true
	case write:
		return ours && name == writes[r]
	case strings.ContainsAny(topic, "+#"): // asked again for each message
		return true
	}
	for _, n := range reads[r] {
		if ours && (n == name || n == "#") {
			return true
		}
	}
	return false
}
