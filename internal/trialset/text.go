package trialset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// FirstFew returns the first few names as a list.
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

// AppendNew inserts a value into an ascending list unless it is there.
func AppendNew[T cmp.Ordered](values []T, v T) []T {
	at, ok := slices.BinarySearch(values, v)
	if ok {
		return values
	}
	return slices.Insert(values, at, v)
}
