package archtest

import (
	"os"
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
