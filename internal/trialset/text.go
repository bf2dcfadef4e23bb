package trialset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// FirstFew lists the first few.
func FirstFew(names []string) string {
	const few = 3
	if len(names) == 0 {
		return "nothing"
	}
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], "; "), len(names)-few)
	}
	return strings.Join(names, "; ")
}

// AppendNew adds a value to an ascending list that has it at most once.
func AppendNew[T cmp.Ordered](values []T, v T) []T {
	at, ok := slices.BinarySearch(values, v)
	if ok {
		return values
	}
	return slices.Insert(values, at, v)
}
