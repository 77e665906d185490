package main

import "strings"

// instead ends a sentence about an unknown word: with the known one it was probably meant to be, or with all of them.
func instead(word string, known []string) string {
	if n := nearest(word, known); n != "" {
		return "; did you mean " + n + "?"
	}
	return "; write " + oneOf(known)
}

// nearest is the known word that differs least from word, "" when none is near.
func nearest(word string, known []string) string {
	best, least := "", 3 // two slips of the finger
	for _, k := range known {
		d := distance(strings.ToLower(word), k)
		if len(word) > 2 && strings.HasPrefix(k, word) {
			d = 1
		}
		if d < least && d < len(k) {
			best, least = k, d
		}
	}
	return best
}

// distance is how many letters must be put in, taken out or changed to make b of a (Levenshtein).
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0]++
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
