package figure_test

import (
	"testing"

	"plimsoll/internal/record/figure"
)

// TestBrief: what a program printed goes, with the words before it; a hint after it stays.
func TestBrief(t *testing.T) {
	for message, want := range map[string]string{
		"it failed":          "it failed",
		"a: b\nhint: do: so": "a: b\nhint: do: so",
		"own: it ended: exit status 1; the last:\n  Error: x: y\n    at z\n  ":       "own: it ended: exit status 1",
		"it exited with status 2; its output ended:\n  no; such:\n  file\nhint: try": "it exited with status 2\nhint: try",
	} {
		if got := figure.Brief(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
