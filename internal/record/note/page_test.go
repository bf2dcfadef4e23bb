package note

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
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
		"**precision**. Among equals the largest comes first. All notes are below the answer, by their headline or by a\n" +
		"longer text.\n\n" +
		"`go test ./internal/record/note -update` writes this page. % and a letter are a figure or a name.\n")
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## Notes %s\n\n", s.of)
		for _, k := range s.kinds() {
			fmt.Fprintf(&b, "- `%s`%s: %s\n", k.Code, k.Gravity.shown(), k.shown())
		}
	}
	return b.String()
}

// shown returns what notes can change, in parentheses; "" if it is nothing.
func (g Gravity) shown() string { return []string{"", " (precision)", " (figure)", " (answer)"}[g] }

// shown returns the words of an entry, without numbers of arguments: its headline unless the text repeats it, its text
// and its hint.
func (k Kind) shown() string {
	number := regexp.MustCompile(`\[\d\]`)
	plain := func(s string) string { return strings.ReplaceAll(number.ReplaceAllString(s, ""), "%%", "%") }
	parts := []string{plain(k.Headline), plain(k.Format)}
	if strings.HasPrefix(parts[1], Uncapitalized(parts[0])) {
		parts[0] = ""
	}
	if k.Hint != "" {
		parts = append(parts, "hint: "+plain(k.Hint))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "<br>")
}
