package figure

import (
	"slices"
	"strings"
)

// Joined joins the parts of a heading that are not empty.
func Joined(parts ...string) string { return strings.Join(NonEmpty(parts...), ", ") }

// NonEmpty returns the texts that are not empty.
func NonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(t string) bool { return t == "" })
}
