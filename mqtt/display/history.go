package display

import (
	"encoding/json"
	"slices"

	"sabot/table"
)

// historyOf is what the rounds of a shoe or a day gave, as pages paint it: a layout tells it whole. It is nil for a game that has none.
func historyOf(l *table.Layout) json.RawMessage {
	var body any
	switch l.Game {
	case "baccarat":
		body = RoadsOf(l.Coups)
	case "roulette":
		body = spinsOf(l.Spins)
	default:
		return nil
	}
	line, _ := json.Marshal(body) // numbers and words always marshal
	return line
}

// spins is a wheel's history.
type spins struct {
	Total int   `json:"total"`
	Hot   []int `json:"hot"`  // the numbers that came most often, most often first
	Cold  []int `json:"cold"` // and those that did not come for longest, longest first
}

// spinsOf counts numbers, the newest first. Those that came equally often stand in the order in which they came last.
func spinsOf(numbers []int) spins {
	var count, last [table.Pockets]int
	for i, n := range slices.Backward(numbers) {
		if n >= 0 && n < table.Pockets {
			count[n], last[n] = count[n]+1, len(numbers)-i
		}
	}
	all := make([]int, table.Pockets)
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
	if len(numbers) < table.Pockets { // too few to call a number cold
		return s
	}
	slices.SortStableFunc(all, func(a, b int) int { return last[a] - last[b] })
	s.Cold = all[:4]
	return s
}
