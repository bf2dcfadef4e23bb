package block

import (
	"strings"

	"github.com/rivo/uniseg"
)

// DisplayWidth returns how many columns s takes on a terminal.
func DisplayWidth(s string) int { return uniseg.StringWidth(s) }

// Cut shortens s to at most width columns.
func Cut(s string, width int) string {
	if DisplayWidth(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used > width-3 {
			break
		}
		b.WriteString(g.Str())
	}
	return b.String() + "..."
}
