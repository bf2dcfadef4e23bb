package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fragmentIn returns what is wrong with the form of a fragment of the changelog, "" if nothing is: see
// changelog/TEMPLATE.
func fragmentIn(text string) string {
	head, body, _ := strings.Cut(text, "\n")
	switch {
	case !regexp.MustCompile(`^(Added|Changed|Deprecated|Removed|Fixed|Security): \S`).MatchString(head):
		return "the first line does not begin with Added:, Changed:, Deprecated:, Removed:, Fixed: or Security:"
	case strings.HasSuffix(head, "."):
		return "the first line ends with a full stop"
	case len(body) < 2 || body[0] != '\n' || strings.TrimSpace(body) == "":
		return "no paragraph follows the first line and an empty one"
	}
	for line := range strings.Lines(text) {
		if len([]rune(strings.TrimRight(line, "\n"))) > 100 {
			return "a line has more than 100 columns: " + line
		}
	}
	return ""
}

func TestFragments(t *testing.T) {
	files, err := filepath.Glob("../../changelog/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if base := filepath.Base(f); base != "TEMPLATE" && base != "unreleased" {
			t.Errorf("changelog/%s: fragments lie in changelog/unreleased", base)
		}
	}
	files, err = filepath.Glob("../../changelog/unreleased/[^.]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, "../../changelog/TEMPLATE") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := fragmentIn(string(text)); wrong != "" {
			t.Errorf("%s: %s", f, wrong)
		}
	}
}

func TestFragmentsOfWrongFormAreFound(t *testing.T) {
	const body = "\n\nWhat was wrong.\n"
	for text, want := range map[string]string{
		"Fixed: `show` ends" + body:                            "",
		"Security: `serve` refuses other hosts" + body:         "",
		"Bugfix: `show` ends" + body:                           "does not begin",
		"Fixed:" + body:                                        "does not begin",
		"Fixed: `show` ends." + body:                           "full stop",
		"Fixed: `show` ends\n":                                 "no paragraph",
		"Fixed: `show` ends\n\n  \n":                           "no paragraph",
		"Fixed: `show` ends\nWhat was wrong.\n":                "no paragraph",
		"Fixed: " + strings.Repeat("é", 94) + body:             "100 columns",
		"Fixed: " + strings.Repeat("é", 93) + body:             "",
		"Fixed: `show` ends\n\n" + strings.Repeat("word ", 21): "100 columns",
	} {
		if got := fragmentIn(text); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
