package broker

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	"github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

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

// gate is the server's hook that asks who connects and what for.
type gate struct {
	mqtt.HookBase
	users map[string]account
}

type account struct {
	hash [sha256.Size]byte
	role Role
}

func newGate(users map[string]User) *gate {
	g := &gate{users: map[string]account{}}
	for name, u := range users {
		g.users[name] = account{sha256.Sum256([]byte(u.Password)), u.Role}
	}
	return g
}

// ID is the hook's name.
func (g *gate) ID() string { return "gate" }

// Provides says which questions the gate answers.
func (g *gate) Provides(b byte) bool { return b == mqtt.OnConnectAuthenticate || b == mqtt.OnACLCheck }

// OnConnectAuthenticate lets a user in, unless it left a will it may not publish itself.
func (g *gate) OnConnectAuthenticate(_ *mqtt.Client, pk packets.Packet) bool {
	if len(g.users) == 0 {
		return true
	}
	a, known := g.users[string(pk.Connect.Username)]
	hash := sha256.Sum256(pk.Connect.Password)
	if subtle.ConstantTimeCompare(hash[:], a.hash[:]) != 1 || !known {
		return false
	}
	return !pk.Connect.WillFlag || a.role.may(pk.Connect.WillTopic, true)
}

// OnACLCheck lets a user read or write a topic. It is asked at a subscription, at each publication and at each delivery.
func (g *gate) OnACLCheck(cl *mqtt.Client, topic string, write bool) bool {
	if len(g.users) == 0 {
		return true
	}
	return g.users[string(cl.Properties.Username)].role.may(topic, write)
}
