package note

import (
	"fmt"
	"strings"
)

// Page returns docs/notes.md: the catalogue for readers.
func Page() string {
	var b strings.Builder
	b.WriteString("# What is said for and against a result\n\n" +
		"Every doubt, flag and warning of `show`, `compare` and `report` has a code. The words may change, the code does not.\n" +
		"This page is written by `go test ./internal/note -update`; what begins with % stands for a figure or a name.\n")
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## Notes %s\n\n| code | words |\n|---|---|\n", s.of)
		for _, k := range s.kinds {
			fmt.Fprintf(&b, "| `%s` | %s |\n", k.Code, k.shown())
		}
	}
	return b.String()
}

// shown returns the text of an entry for a cell of a table.
func (k Kind) shown() string {
	format := k.Format
	if k.Hint != "" {
		format += "<br>hint: " + k.Hint
	}
	return strings.NewReplacer("%%", "%", "|", `\|`).Replace(format)
}
