package broker

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"sync"

	"github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
	"golang.org/x/crypto/bcrypt"
)

// gate is the server's hook: it asks who connects and what for.
type gate struct {
	mqtt.HookBase
	users map[string]account
	log   *slog.Logger

	// asking is held while a password is compared with a hash, which takes long on purpose: whoever tries passwords gets one processor to try them on, and
	// the table has the others.
	asking sync.Mutex

	// retained is held while a retained message is put into the server's tree of topics, and while a new subscriber's
	// are looked up in it, because the server does not lock the one against the other.
	retained sync.Mutex

	// aside is, while a subscription is processed, the message on its way to the subscriber that has the subscription's number. retained guards it.
	aside *packets.Packet
}

// account is a user as the gate keeps it: by a slow hash, or, where the program itself gave the password, by a fast one.
type account struct {
	slow []byte
	fast [sha256.Size]byte
	role Role
}

// noHash is compared with where there is no such user, so that how long it takes does not tell who there is.
var noHash = []byte("$2a$10$5c1LMkhDp4dEN9J8VQeG0.7nIA1zXx0jAnzbmQw7mMNvKX6zZ3zXO")

func newGate(c Config) *gate {
	g := &gate{users: map[string]account{}, log: c.Log}
	for name, u := range c.Users {
		a := account{slow: []byte(u.Hash), role: u.Role}
		if u.Hash == "" {
			a.fast = sha256.Sum256([]byte(u.Password))
		}
		g.users[name] = a
	}
	return g
}

// ID is the hook's name.
func (g *gate) ID() string { return "gate" }

// Provides says which questions the gate answers.
func (g *gate) Provides(b byte) bool {
	switch b {
	case mqtt.OnConnectAuthenticate, mqtt.OnACLCheck, mqtt.OnPublish, mqtt.OnWill, mqtt.OnRetainMessage, mqtt.OnSubscribe, mqtt.OnSubscribed, mqtt.OnPacketProcessed:
		return true
	}
	return false
}

// OnConnectAuthenticate lets a user in, unless it leaves a will it may not publish itself.
func (g *gate) OnConnectAuthenticate(cl *mqtt.Client, pk packets.Packet) bool {
	cl.Properties.Will.WillDelayInterval = 0 // a delayed will does not pass OnWill
	if len(g.users) == 0 {
		return true
	}
	a, known := g.users[string(pk.Connect.Username)]
	in := g.proves(a, known, pk.Connect.Password)
	if in && pk.Connect.WillFlag {
		in = a.role.may(pk.Connect.WillTopic, true)
	}
	if !in {
		g.log.Warn("a connection was refused", "user", string(pk.Connect.Username), "from", cl.Net.Remote)
	}
	return in
}

// proves says whether the password is the account's.
func (g *gate) proves(a account, known bool, password []byte) bool {
	if known && len(a.slow) == 0 {
		hash := sha256.Sum256(password)
		return subtle.ConstantTimeCompare(hash[:], a.fast[:]) == 1
	}
	g.asking.Lock()
	defer g.asking.Unlock()
	if !known {
		a.slow = noHash
	}
	return bcrypt.CompareHashAndPassword(a.slow, password) == nil && known
}

// OnACLCheck lets a user read or write a topic. It is asked at a subscription, at each publication and at each delivery.
func (g *gate) OnACLCheck(cl *mqtt.Client, topic string, write bool) bool {
	if len(g.users) == 0 {
		return true
	}
	return g.users[string(cl.Properties.Username)].role.may(topic, write)
}

// OnPublish locks the tree until OnRetainMessage.
func (g *gate) OnPublish(_ *mqtt.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Retain {
		g.retained.Lock()
	}
	return pk, nil
}

// OnWill locks the tree until OnRetainMessage.
func (g *gate) OnWill(_ *mqtt.Client, will mqtt.Will) (mqtt.Will, error) {
	if will.Retain {
		g.retained.Lock()
	}
	return will, nil
}

// OnRetainMessage follows each OnPublish and OnWill of a retained message.
func (g *gate) OnRetainMessage(*mqtt.Client, packets.Packet, int64) { g.retained.Unlock() }

// OnSubscribe locks the tree until OnPacketProcessed. A client numbers its packets, and we ours to it; the server takes them for the same numbers, and would refuse
// a subscription while a message with its number is on its way.
func (g *gate) OnSubscribe(cl *mqtt.Client, pk packets.Packet) packets.Packet {
	g.retained.Lock()
	if m, ok := cl.State.Inflight.Get(pk.PacketID); ok {
		cl.State.Inflight.Delete(pk.PacketID)
		g.aside = &m
	}
	return pk
}

// OnSubscribed follows each OnSubscribe, before the client is heard again: what lay aside is still on its way.
func (g *gate) OnSubscribed(cl *mqtt.Client, _ packets.Packet, _ []byte) {
	if g.aside != nil {
		cl.State.Inflight.Set(*g.aside)
		g.aside = nil
	}
}

// OnPacketProcessed follows each OnSubscribe.
func (g *gate) OnPacketProcessed(_ *mqtt.Client, pk packets.Packet, _ error) {
	if pk.FixedHeader.Type == packets.Subscribe {
		g.retained.Unlock()
	}
}
