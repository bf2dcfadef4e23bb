package render

import (
	"fmt"

	"plimsoll/internal/record"
)

// LeftOut says in one line what a plan goes without.
func LeftOut(l record.LeftOut) string {
	text := fmt.Sprintf("left out, %s: %s", count(l.Cells, "measurement"), clean(l.Why))
	if l.Host != "" {
		text += fmt.Sprintf(" (on %s)", clean(l.Host))
	}
	return text
}
