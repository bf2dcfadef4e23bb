// Package deep goes by its top folder.
package deep

import "example.org/small/internal/stat"

// Single is used once, with a type.
func Single[T any](v T) []T {
	return []T{same(v), same(v)}
}

func same[T any](v T) T { return v }

type box[T any] struct{ v T }

func (b box[T]) get() T { return b.v }

// Shadow has a variable with the name of a package.
func Shadow() int {
	stat := struct{ Unused int }{box[int]{stat.Platform}.get()}
	return stat.Unused
}
