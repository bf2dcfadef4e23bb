package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAsSource(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"debian.sources", "Types: deb\nURIs: mirror\nSuites: stable\n", "Types: deb-src\nURIs: mirror\nSuites: stable\n"},
		{"x.list", "# a list\ndeb [trusted=yes] mirror stable main\ndeb-src mirror stable main\n",
			"# a list\ndeb-src [trusted=yes] mirror stable main\n"},
	} {
		if got, ok := asSource(c.file, c.text); !ok || got != c.want {
			t.Errorf("%s: %q %t", c.file, got, ok)
		}
	}
	for file, text := range map[string]string{"x.list": "# nothing\n", "x.gpg": "deb mirror stable main\n"} {
		if got, ok := asSource(file, text); ok {
			t.Errorf("%s: %q", file, got)
		}
	}
}

func TestAptSourceWithoutSources(t *testing.T) {
	a := AptSource{Engine: "x", Package: "y", Work: filepath.Join(t.TempDir(), "work")}
	if err := a.prepare(t.TempDir()); err == nil || !strings.Contains(err.Error(), "x: ") ||
		!strings.Contains(err.Error(), "lists no package source") {
		t.Errorf("%v", err)
	}
}

// TestTree: the fetched source is exactly one tree of that name.
func TestTree(t *testing.T) {
	a := AptSource{Engine: "x", Package: "y", Work: t.TempDir()}
	if _, err := a.Tree(); err == nil || !strings.Contains(err.Error(), "has 0 trees") {
		t.Errorf("before: %v", err)
	}
	want := filepath.Join(a.Work, "tree", "y-1.2")
	for _, dir := range []string{want, filepath.Join(a.Work, "tree", "z-3")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := a.Tree(); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}
