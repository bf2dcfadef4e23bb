package block

import (
	"slices"
)

// Gathered is texts that hold in several places, in the order of their first.
type Gathered struct {
	texts  []string
	places map[string][]string
}

func Plots(p Plot, ok bool) []Plot {
	if !ok {
		return nil
	}
	return []Plot{p}
}

func Unique(notes []Sentence) []Sentence {
	seen := map[Sentence]bool{}
	return slices.DeleteFunc(notes, func(n Sentence) bool {
		dup := seen[n]
		seen[n] = true
		return dup
	})
}
