// Package stat is in the map of topics.
package stat

import "strings"

// Used is used by another package.
func Used(names []string) string { return join(names) }

// Unused is used here, by the test of this package, and as the name of a field.
const Unused = ","

// Tested is used by the test of another package.
type Tested struct{ n int }

// N is a method, which belongs to no package by itself.
func (t Tested) N() int {
	return t.n
}

func join(names []string) string {
	if (Tested{len(names)}).N() == 0 {
		return ""
	}
	return strings.Join(names, Unused)
}
