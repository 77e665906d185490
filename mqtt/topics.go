package mqtt

import (
	"strings"

	"sabot/table"
)

// topics are the names of a table's topics. They are made of its configured name and never of anything received.
type topics struct {
	status, layout, call, floor, floorState, settlement string
	commandGame, commandFloor                           string
	replyGame, replyFloor                               string
}

func topicsOf(name string) topics {
	root := "sabot/" + name + "/"
	return topics{
		status: root + "status", layout: root + "layout", call: root + "call", floor: root + "floor", floorState: root + "floor/state", settlement: root + "settlement",
		commandGame: root + "command/game", commandFloor: root + "command/floor",
		replyGame: root + "reply/game", replyFloor: root + "reply/floor",
	}
}

// reply is where an audience's commands are answered.
func (t *topics) reply(to table.Audience) string {
	if to == table.ToFloor {
		return t.replyFloor
	}
	return t.replyGame
}

// of is where a kind of an entry's messages goes.
func (t *topics) of(kind int) string {
	return [kinds]string{call: t.call, floor: t.floor, settlement: t.settlement}[kind]
}

// validName says whether s can be a level of a topic or a command's id: 1 to 64 of the letters A-Z a-z 0-9 _ -
func validName(s string) bool { return table.ValidName(s) && !strings.Contains(s, ".") }
