package note

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/notes.md anew")

// TestPage: docs/notes.md is the catalogue.
func TestPage(t *testing.T) {
	const path = "../../../docs/notes.md"
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
		t.Errorf("%s is not the catalogue\nhint: go test ./internal/record/note -update", path)
	}
}

// page returns docs/notes.md: the catalogue for readers.
func page() string {
	var b strings.Builder
	b.WriteString("# Notes\n\n" +
		"Every note and warning of `show`, `compare` and `report` has a code. Its words may change; the code does not.\n\n" +
		"The answer of a document shows at most one note, by its headline: the gravest of those that can change it.\n" +
		"A note can change whether there is an **answer**, the **figure** by an amount that was not measured, or only its\n" +
		"**precision**. Among equals the largest comes first. The full texts of all notes are below the answer.\n\n" +
		"`go test ./internal/record/note -update` writes this page. % and a letter are a figure or a name.\n")
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## Notes %s\n\n| code | headline | can change | full text |\n|---|---|---|---|\n", s.of)
		for _, k := range s.kinds() {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Code, k.headline(), k.Gravity.shown(), k.shown())
		}
	}
	return b.String()
}

// headline returns the headline of an entry for a cell of a table, with the arguments as its text has them.
func (k Kind) headline() string {
	return strings.ReplaceAll(regexp.MustCompile(`\[\d\]`).ReplaceAllString(k.Headline, ""), "%%", "%")
}

// shown returns what notes can change for a cell of a table.
func (g Gravity) shown() string { return []string{"", "precision", "figure", "answer"}[g] }

// shown returns the text of an entry for a cell of a table.
func (k Kind) shown() string {
	format := k.Format
	if k.Hint != "" {
		format += "<br>hint: " + k.Hint
	}
	return strings.NewReplacer("%%", "%", "|", `\|`).Replace(format)
}
