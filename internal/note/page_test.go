package note

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/notes.md anew")

// TestPage: docs/notes.md is the catalogue.
func TestPage(t *testing.T) {
	const path = "../../docs/notes.md"
	if *update {
		if err := os.WriteFile(path, []byte(page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != page() {
		t.Errorf("%s is not the catalogue\nhint: go test ./internal/note -update", path)
	}
}

// page returns docs/notes.md: the catalogue for readers.
func page() string {
	var b strings.Builder
	b.WriteString("# What is said for and against a result\n\n" +
		"Every note and warning of `show`, `compare` and `report` has a code. Its words may change, the code does not.\n" +
		"This page is written by `go test ./internal/note -update`; % and a letter stand for a figure or a name.\n")
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## Notes %s\n\n| code | words |\n|---|---|\n", s.of)
		for _, k := range s.kinds() {
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
