package mqtt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sabot/shoe"
	"sabot/table"
)

// Orders are the words of the floor's commands, sorted.
func Orders() []string { return slices.Sorted(maps.Keys(forms[table.ToFloor])) }

// Order writes what the floor asks for as a payload of command/floor: the inverse of how the table reads it. Of c, the ID, the event with who orders it, and what
// the sender has seen are used. It fails for what the table would not read as this event, and says why.
func Order(c table.Command) ([]byte, error) {
	for do, f := range forms[table.ToFloor] {
		if f.kind != c.Event.Kind {
			continue
		}
		members := map[string]any{"v": version, "id": c.ID, "do": do}
		for _, name := range strings.Fields(f.need + " " + f.may) {
			if value := writers[name](&c); value != nil {
				members[name] = value
			}
		}
		payload := encode(members)
		back, bad := parseCommand(table.ToFloor, payload)
		switch {
		case bad != nil:
			return nil, fmt.Errorf("mqtt: %s: %s", do, bad.sentence())
		case !back.Event.Equal(c.Event) || back.Round != c.Round || back.Seen != c.Seen:
			return nil, fmt.Errorf("mqtt: %q says more than the command %s can", c.Event.String(), do)
		}
		return payload, nil
	}
	return nil, fmt.Errorf("mqtt: %q is no command of the floor", c.Event.Kind.Word())
}

// writers give the member that a reader of the same name reads, nil for none.
var writers = map[string]func(*table.Command) any{
	"round": func(c *table.Command) any {
		if c.Event.Kind == table.Dispute || c.Event.Kind == table.Void {
			return given(c.Event.N)
		}
		return given(c.Round)
	},
	"seen":         func(c *table.Command) any { return given(c.Seen) },
	"number":       theNumber,
	"cards":        theNumber,
	"irregularity": theNumber,
	"seq":          theNumber,
	"pocket":       theNumber,
	"remedy":       func(c *table.Command) any { return given(c.Event.Remedy.String()) },
	"name":         theText(func(t *table.Text) string { return t.Name }),
	"by":           theText(func(t *table.Text) string { return t.By }),
	"because":      theText(func(t *table.Text) string { return t.Because }),
	"hand": func(c *table.Command) any {
		if c.Event.Hand == table.NoHand {
			return nil
		}
		return c.Event.Hand.String()
	},
	"seat": func(c *table.Command) any { return given(c.Event.Hand.Seat()) },
	"seats": func(c *table.Command) any {
		list := []int{}
		for n := c.Event.Seats.Next(0); n > 0; n = c.Event.Seats.Next(n) {
			list = append(list, n)
		}
		return list
	},
	"card": func(c *table.Command) any {
		if c.Event.Card == shoe.NoCard {
			return "cut"
		}
		return c.Event.Card.String()
	},
}

func theNumber(c *table.Command) any { return c.Event.N }

func theText(field func(*table.Text) string) func(*table.Command) any {
	return func(c *table.Command) any {
		if c.Event.Text == nil {
			return nil
		}
		return given(field(c.Event.Text))
	}
}

// given is a value, or nil for the zero one, which is left out.
func given[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}
