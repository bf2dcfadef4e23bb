// Package list has the loops over slices that the standard library lacks.
package list

// Map returns f of each item, in their order; nil if there is none.
func Map[T, R any](items []T, f func(T) R) []R {
	if len(items) == 0 {
		return nil
	}
	out := make([]R, len(items))
	for i, item := range items {
		out[i] = f(item)
	}
	return out
}

// Filter returns the items that keep accepts, in their order; nil if there is none. Unlike slices.DeleteFunc it leaves
// the items as they are.
func Filter[T any](items []T, keep func(T) bool) []T {
	kept, n := make([]bool, len(items)), 0 // items may be large: the result is allocated once, in its size
	for i, item := range items {
		if keep(item) {
			kept[i] = true
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := make([]T, 0, n)
	for i, item := range items {
		if kept[i] {
			out = append(out, item)
		}
	}
	return out
}
