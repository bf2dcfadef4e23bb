package figure

import (
	"slices"
	"strings"
)

// Joined puts the parts of a heading together.
func Joined(parts ...string) string { return strings.Join(NonEmpty(parts...), ", ") }

// NonEmpty returns the texts that are not empty.
func NonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(t string) bool { return t == "" })
}
