package web

import (
	"strings"
	"testing"
)

// TestExcerpt: of a failed answer's body a user sees text in one line, without secrets and without what is no text.
func TestExcerpt(t *testing.T) {
	for body, want := range map[string]string{
		"":                      "",
		"{\"error\":\n \"no\"}": `; its body: {"error": "no"}`,
		"\x1b[31mred\x1b[0m, and more text in ärg":             "; its body: [31mred[0m, and more text in ärg",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xd2\x4a":     "; its body is no text",
		`{"token":"eyJhbGciOiJIUzI1NiJ9.eyJ1IjoxfQ.abcdefgh"}`: `; its body: {"token":"***"}`,
		strings.Repeat("x y ", 60): "; its body: " + strings.TrimSpace(strings.Repeat("x y ",
			50)) + "…",
	} {
		if got := excerpt([]byte(body)); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
