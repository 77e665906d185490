package display

import (
	"encoding/json"
	"maps"
	"slices"

	"sabot/table"
)

// history is what rounds gave, by round: the coups of a baccarat shoe, the numbers of a wheel. A round that is void is not in it, and a round that was
// corrected is in it as it stands, because a round has one place and the last word on it counts.
type history struct {
	coups   map[uint32]table.LayoutCoup
	numbers map[uint32]int
	first   uint32 // rounds before it belong to another shoe
}

// maxRounds bounds a history: more than any shoe's coups, and numbers enough to tell hot from cold.
const maxRounds = 500

// fold takes a call message's calls, and says whether they changed anything.
func (h *history) fold(m *callMessage) (changed bool) {
	for _, c := range m.Calls {
		switch {
		case c.Call == "shoe":
			h.first, changed = m.Round+1, len(h.coups) > 0
			h.coups = nil
		case c.Call == "result" && c.Winner != "":
			changed = h.coup(m.Round, &table.LayoutCoup{Winner: c.Winner, Player: c.Player, Banker: c.Banker, Natural: c.Natural, PlayerPair: c.PlayerPair, BankerPair: c.BankerPair}) || changed
		case c.Call == "number":
			changed = h.number(m.Round, &c.Number) || changed
		case c.Call == "void":
			changed = h.coup(c.Round, nil) || changed
			changed = h.number(c.Round, nil) || changed
		}
	}
	return changed
}

// stand takes what a layout says of its round and the last one: it has the last word.
func (h *history) stand(l *table.Layout) (changed bool) {
	if last := l.Last; last != nil {
		changed = h.coup(last.Round, last.Coup)
		changed = h.spin(last.Round, last.Spin) || changed
	}
	if l.Last == nil || l.Last.Round != l.Round {
		changed = h.coup(l.Round, l.Coup) || changed
		changed = h.spin(l.Round, l.Spin) || changed
	}
	return changed
}

func (h *history) spin(round uint32, s *table.LayoutSpin) bool {
	if s == nil {
		return h.number(round, nil)
	}
	return h.number(round, &s.Number)
}

func (h *history) coup(round uint32, c *table.LayoutCoup) bool {
	if round < h.first {
		return false
	}
	return put(&h.coups, round, c)
}

func (h *history) number(round uint32, n *int) bool { return put(&h.numbers, round, n) }

// put sets a round's result, or takes it away, and says whether that changed anything.
func put[T comparable](rounds *map[uint32]T, round uint32, v *T) bool {
	was, had := (*rounds)[round]
	switch {
	case v == nil && !had, v != nil && had && *v == was:
		return false
	case v == nil:
		delete(*rounds, round)
		return true
	case *rounds == nil:
		*rounds = map[uint32]T{}
	}
	(*rounds)[round] = *v
	if len(*rounds) > maxRounds {
		delete(*rounds, slices.Min(slices.Collect(maps.Keys(*rounds))))
	}
	return true
}

// follow puts what was said before in front of what we heard, which has the last word.
func (h *history) follow(before history) (changed bool) {
	h.first = max(h.first, before.first)
	for round, c := range before.coups {
		if _, known := h.coups[round]; !known {
			changed = h.coup(round, &c) || changed
		}
	}
	for round, n := range before.numbers {
		if _, known := h.numbers[round]; !known {
			changed = h.number(round, &n) || changed
		}
	}
	return changed
}

// picture is the history as pages paint it; nil for a game that has none.
func (h *history) picture(game string) json.RawMessage {
	var body any
	switch game {
	case "baccarat":
		body = RoadsOf(inOrder(h.coups))
	case "roulette":
		body = spinsOf(inOrder(h.numbers))
	default:
		return nil
	}
	line, _ := json.Marshal(body) // numbers and words always marshal
	return line
}

func inOrder[T any](rounds map[uint32]T) []T {
	var list []T
	for _, round := range slices.Sorted(maps.Keys(rounds)) {
		list = append(list, rounds[round])
	}
	return list
}

// spins is a wheel's history.
type spins struct {
	Total int   `json:"total"`
	Hot   []int `json:"hot"`  // the numbers that came most often, most often first
	Cold  []int `json:"cold"` // and those that did not come for longest, longest first
}

// spinsOf counts. Numbers that came equally often stand in the order in which they came last.
func spinsOf(numbers []int) spins {
	var count, last [37]int
	for i, n := range numbers {
		if n >= 0 && n <= 36 {
			count[n], last[n] = count[n]+1, i+1
		}
	}
	all := make([]int, 37)
	for n := range all {
		all[n] = n
	}
	slices.SortStableFunc(all, func(a, b int) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return last[b] - last[a]
	})
	s := spins{Total: len(numbers), Hot: []int{}, Cold: []int{}}
	for _, n := range all[:4] {
		if count[n] > 1 {
			s.Hot = append(s.Hot, n)
		}
	}
	if len(numbers) < 37 { // too few to call a number cold
		return s
	}
	slices.SortStableFunc(all, func(a, b int) int { return last[a] - last[b] })
	s.Cold = all[:4]
	return s
}
