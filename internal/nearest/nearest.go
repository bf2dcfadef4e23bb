// Package nearest finds, among known names, those that a mistyped one may have meant.
package nearest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// longName is longer than any name worth comparing letter by letter: computing a distance takes the product of the
// lengths.
const longName = 100

// Sorted returns the known names, the most similar to name first.
func Sorted(name string, known []string) []string {
	type rated struct {
		name     string
		distance int
	}
	all := make([]rated, len(known))
	for i, k := range known {
		all[i] = rated{k, distance(name, k)}
	}
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(a.distance, b.distance) })
	sorted := make([]string, len(all))
	for i, r := range all {
		sorted[i] = r.name
	}
	return sorted
}

// Of returns the known name most similar to name, or "" if none is similar: if over a third of its letters, and over
// two, would have to change, unless one begins with it.
func Of(name string, known []string) string {
	if sorted := Sorted(name, known); len(sorted) > 0 && distance(name, sorted[0]) <= max(2, len(name)/3) {
		return sorted[0]
	}
	begins := func(k string) bool { return len(name) >= 3 && strings.HasPrefix(k, name) }
	if i := slices.IndexFunc(known, begins); i >= 0 {
		return known[i]
	}
	return ""
}

// distance returns the number of letters to change, ignoring case.
func distance(a, b string) int {
	if len(a) > longName || len(b) > longName {
		return max(len(a), len(b))
	}
	return levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(b))
}
