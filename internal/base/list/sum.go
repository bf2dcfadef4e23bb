package list

// Sum adds up a number of each item.
func Sum[T any](items []T, of func(T) float64) float64 {
	out := 0.0
	for _, item := range items {
		out += of(item)
	}
	return out
}
