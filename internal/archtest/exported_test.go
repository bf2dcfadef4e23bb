package archtest

import (
	"flag"
	"go/ast"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write exported.txt anew")

// TestExported holds the exported top-level names of each package to exported.txt, a line per package, so that a wider
// interface is seen in a diff.
func TestExported(t *testing.T) {
	const list = "exported.txt"
	got := exportedNames(sources(t))
	if *update {
		if err := os.WriteFile(list, []byte(exportedText(got)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		pkg, names, _ := strings.Cut(strings.TrimSpace(line), ": ")
		want[pkg] = strings.Fields(names)
	}
	const update = "go test ./internal/archtest -run TestExported -update"
	for pkg := range got {
		for _, name := range missing(got[pkg], want[pkg]) {
			t.Errorf("%s.%s is exported: unexport it, or run %s if another package needs it", pkg, name, update)
		}
	}
	for pkg := range want {
		for _, name := range missing(want[pkg], got[pkg]) {
			t.Errorf("%s.%s is listed and no longer exported: run %s", pkg, name, update)
		}
	}
}

// missing returns the names that others lack.
func missing(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}

func exportedText(names map[string][]string) string {
	var b strings.Builder
	for _, pkg := range slices.Sorted(maps.Keys(names)) {
		b.WriteString(pkg + ": " + strings.Join(names[pkg], " ") + "\n")
	}
	return b.String()
}

// exportedNames returns the exported functions, types, constants and variables of each package that has any, sorted.
func exportedNames(files []source) map[string][]string {
	out := map[string][]string{}
	for _, f := range files {
		for _, d := range f.file.Decls {
			for _, name := range declaredNames(d) {
				if ast.IsExported(name) {
					out[f.pkg] = append(out[f.pkg], name)
				}
			}
		}
	}
	for pkg, names := range out { // a name may be declared for each architecture
		slices.Sort(names)
		out[pkg] = slices.Compact(names)
	}
	return out
}

// declaredNames returns the package-level names of a declaration; methods have none.
func declaredNames(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var out []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				out = append(out, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					out = append(out, n.Name)
				}
			}
		}
		return out
	}
	return nil
}
