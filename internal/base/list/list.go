// Package list has the loops over slices that the standard library lacks.
package list

// Map returns f of each item, in their order; nil if there is none.
func Map[T, R any](items []T, f func(T) R) []R {
	var out []R
	for _, item := range items {
		out = append(out, f(item))
	}
	return out
}

// Filter returns the items that keep accepts, in their order; nil if there is none. Unlike slices.DeleteFunc it leaves
// the items as they are.
func Filter[T any](items []T, keep func(T) bool) []T {
	var out []T
	for _, item := range items {
		if keep(item) {
			out = append(out, item)
		}
	}
	return out
}
