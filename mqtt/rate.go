package mqtt

import (
	"log/slog"
	"time"

	"sabot/table"
)

// rate is how many commands a topic takes at once, and how many a second after that.
type rate struct{ once, second int }

// The usual rates. An entry may take a slow disk 20 ms to write, so a game server at its full rate leaves the table half its time; and what
// both topics can bring at once has room in the table's queue, so that neither makes the other one's commands BUSY.
var (
	gameRate  = rate{50, 25}
	floorRate = rate{10, 5}
)

// bucket holds what may come now: it fills at its rate, and each thing that comes takes one out of it.
type bucket struct {
	rate
	taken time.Duration // what was taken and is not filled again, as the time that takes
	at    time.Time
}

// take takes one, if there is one.
func (b *bucket) take(now time.Time) bool {
	one := time.Second / time.Duration(b.second)
	b.taken = max(b.taken-now.Sub(b.at), 0)
	b.at = now
	if b.taken+one > one*time.Duration(b.once) {
		return false
	}
	b.taken += one
	return true
}

// quota is what a topic of commands may bring. What is above it is refused as RATE. Refusals are sent at the same
// rate at most: who sends still more hears nothing, because answers to a flood are another flood.
type quota struct {
	commands, refusals bucket
	warned             time.Time
}

// warnEvery is how often a flood is said in the log.
const warnEvery = time.Minute

// newQuotas are the usual ones, or with another rate of the game server's commands, and the floor's a fifth of it.
func newQuotas(second int) map[table.Audience]*quota {
	game, floor := gameRate, floorRate
	if second > 0 {
		game.second, floor.second = second, max(second/5, 1)
	}
	return map[table.Audience]*quota{
		table.ToGame:  {commands: bucket{rate: game}, refusals: bucket{rate: game}},
		table.ToFloor: {commands: bucket{rate: floor}, refusals: bucket{rate: floor}},
	}
}

// take says whether a command may be taken, and if not, whether that may be said.
func (q *quota) take(now time.Time, log *slog.Logger, topic string) (taken, told bool) {
	if q.commands.take(now) {
		return true, true
	}
	if now.Sub(q.warned) > warnEvery {
		q.warned = now
		log.Warn("commands come faster than the table takes them; those above its rate are refused", "topic", topic, "once", q.commands.once, "second", q.commands.second)
	}
	return false, q.refusals.take(now)
}
