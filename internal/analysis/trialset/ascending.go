package trialset

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Ascending returns keys with the loads of each sweep in their order: files come in that of their names, in which 16
// clients are before 2. Keys that differ by more than the number in their load keep their places.
func Ascending(order []Key) []Key {
	sweeps := map[Key][]int{}
	levels := make([]float64, len(order))
	for i, at := range order {
		number, unit, ok := loadNumber(at.Load)
		if !ok {
			continue
		}
		levels[i], at.Load = number, unit
		sweeps[at] = append(sweeps[at], i)
	}
	out := slices.Clone(order)
	for _, places := range sweeps {
		by := slices.SortedStableFunc(slices.Values(places), func(i, j int) int { return cmp.Compare(levels[i], levels[j]) })
		for n, place := range places {
			out[place] = order[by[n]]
		}
	}
	return out
}

// loadNumber returns the number that begins a load's text, as in "16 clients" and "1000/s", and what is behind it.
func loadNumber(load string) (number float64, unit string, ok bool) {
	end := strings.IndexAny(load, " /")
	if end < 0 {
		return 0, "", false
	}
	number, err := strconv.ParseFloat(load[:end], 64)
	return number, load[end:], err == nil
}
