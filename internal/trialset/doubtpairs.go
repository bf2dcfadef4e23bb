package trialset

import (
	"slices"
)

// inOrder reports whether the pairs of an import are sorted by value on both sides: their numbers were then assigned
// after measuring, and such differences scatter less than any measurement.
func (s Sample) inOrder(metric string) bool {
	const least = 5 // pairs, which chance sorts so once in 7,200
	if !s.Paired || len(s.A) < least || !Imported(s.A) {
		return false
	}
	a, b := ValuesOf(s.A, metric), ValuesOf(s.B, metric)
	rising := slices.IsSorted(a) && slices.IsSorted(b)
	slices.Reverse(a)
	slices.Reverse(b)
	return (rising || slices.IsSorted(a) && slices.IsSorted(b)) && slices.Min(a) < slices.Max(a) && slices.Min(b) < slices.Max(b)
}
