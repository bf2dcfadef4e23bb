package render

import (
	"strings"
)

// kind is what code ran, where a working set lay, or whose the CPUs were: said once where all rows of a
// table agree, and in a column where they do not.
type kind struct {
	name  string
	texts []string // of each row; "" where it is not known
}

// fixed is what a heading says of kinds that do not vary.
func fixedKinds(kinds []kind) string {
	var out []string
	for _, k := range kinds {
		if len(k.texts) > 0 && k.texts[0] != "" && !k.varies() {
			out = append(out, k.name+" "+k.texts[0])
		}
	}
	return strings.Join(out, ", ")
}

// varyingKinds are those that need a column.
func varyingKinds(kinds []kind) []kind {
	var out []kind
	for _, k := range kinds {
		if k.varies() {
			out = append(out, k)
		}
	}
	return out
}

func (k kind) varies() bool {
	for _, t := range k.texts {
		if t != k.texts[0] {
			return true
		}
	}
	return false
}

// sides writes what two sides have of a kind: once where they agree.
func sides(a, b string) string {
	switch {
	case a == b:
		return a
	case a == "":
		return "? / " + b
	case b == "":
		return a + " / ?"
	}
	return a + " / " + b
}
