package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"
)

// TestDependenciesAreNamed: DESIGN.md says what each module is for that go.mod requires directly.
func TestDependenciesAreNamed(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	design, err := os.ReadFile("../../DESIGN.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Require {
		path, _, _ := modpath.SplitPathVersion(r.Mod.Path)
		if short := path[strings.LastIndex(path, "/")+1:]; !r.Indirect && !strings.Contains(string(design), short) {
			t.Errorf("DESIGN.md does not say what %s is for", path)
		}
	}
}

// TestRoomsAreNamed: DESIGN.md says what each package of internal is for, and each room of findings.
func TestRoomsAreNamed(t *testing.T) {
	design, err := os.ReadFile("../../DESIGN.md")
	if err != nil {
		t.Fatal(err)
	}
	for dir, pattern := range map[string]string{"..": `internal/%s[/\x60]`, "../finding": `(?m)^  (.*, )?%s[ ,]`} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if name := regexp.QuoteMeta(e.Name()); e.IsDir() &&
				!regexp.MustCompile(strings.ReplaceAll(pattern, "%s", name)).Match(design) {
				t.Errorf("DESIGN.md does not say what %s is for", filepath.Join(dir, name))
			}
		}
	}
}
