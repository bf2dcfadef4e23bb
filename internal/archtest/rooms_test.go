package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The limits of a package: a reader has to hold that much at once.
const (
	maxCycle      = 15   // files that all need each other
	maxLines      = 4000 // of Go, tests apart
	maxFiles      = 25   // unless the package's largest cycle is freely or less
	freely        = 3
	maxJSONFields = 25 // of a struct
)

// overCycle lists the packages whose largest cycle is over maxCycle. A number here may only fall.
func overCycle() map[string]int {
	return nil
}

// overLines lists the packages over maxLines, with their lines rounded up to the next hundred. A number here may only
// fall, and has to once a package is slack lines below it.
func overLines() map[string]int {
	return map[string]int{"cmd/plimsoll": 5300, "internal/agent": 4200}
}

const slack = 200

// overFiles lists the packages over maxFiles. A number here may only fall.
func overFiles() map[string]int {
	return map[string]int{"internal/stat": 34}
}

// overFields lists the structs over maxJSONFields, apart from those of jsonLines. A number here may only fall.
func overFields() map[string]int {
	return map[string]int{"internal/record.Plan": 27}
}

// jsonLines are the structs that are one line of a file or one verdict, and as wide as what they hold.
func jsonLines() []string { return []string{"internal/record.Trial", "internal/finding.Comparison"} }

func TestRoomsAreSmall(t *testing.T) {
	for dir, files := range byPackage(t) {
		lines := 0
		for _, f := range files {
			lines += f.lines
		}
		cycle := largestCycle(files)
		t.Logf("%-36s %3d files %6d lines, largest cycle %3d files", dir, len(files), lines, cycle)
		ratchet(t, "files in a cycle of "+dir, cycle, maxCycle, overCycle()[dir], 0)
		ratchet(t, "lines of "+dir, (lines+99)/100*100, maxLines, overLines()[dir], slack)
		if cycle > freely {
			ratchet(t, "files of "+dir, len(files), maxFiles, overFiles()[dir], 0)
		}
	}
}

func TestStructsAreNarrow(t *testing.T) {
	for dir, files := range byPackage(t) {
		for _, f := range files {
			for name, n := range jsonFields(f.ast) {
				if at := dir + "." + name; !slices.Contains(jsonLines(), at) {
					ratchet(t, "JSON fields of "+at, n, maxJSONFields, overFields()[at], 0)
				}
			}
		}
	}
}

// ratchet fails if a figure is over its limit, or more than slack below the exception that it still has.
func ratchet(t *testing.T, what string, got, limit, exception, slack int) {
	t.Helper()
	switch {
	case exception == 0 && got > limit:
		t.Errorf("%s: %d, at most %d", what, got, limit)
	case exception > 0 && got > exception:
		t.Errorf("%s: %d, at most the %d that it had", what, got, exception)
	case exception > 0 && got < exception-slack:
		t.Errorf("%s: %d, lower its exception of %d to that", what, got, exception)
	}
}

// goFile is a file with the package-level names that it declares and those that it needs of others.
type goFile struct {
	ast      *ast.File
	lines    int
	declares []string
	needs    []string
}

// byPackage returns the files of each package of the module, tests apart.
func byPackage(t *testing.T) map[string][]goFile {
	t.Helper()
	out := map[string][]goFile{}
	for _, f := range sources(t) {
		path := filepath.Join("..", "..", f.path)
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// The deprecated resolution of names within a file is what finds those of its package.
		file, err := parser.ParseFile(token.NewFileSet(), path, body, 0)
		if err != nil {
			t.Fatal(err)
		}
		g := goFile{ast: file, lines: strings.Count(string(body), "\n")}
		for name := range file.Scope.Objects { //nolint:staticcheck // as above
			g.declares = append(g.declares, name)
		}
		for _, id := range file.Unresolved { //nolint:staticcheck // as above
			g.needs = append(g.needs, id.Name)
		}
		out[f.pkg] = append(out[f.pkg], g)
	}
	return out
}

// largestCycle returns the number of files of the largest strongly connected component by package-level names; methods
// are left out.
func largestCycle(files []goFile) int {
	declaredIn := map[string]int{}
	for i, f := range files {
		for _, name := range f.declares {
			declaredIn[name] = i
		}
	}
	edges := make([][]int, len(files))
	for i, f := range files {
		for _, name := range f.needs {
			if to, ok := declaredIn[name]; ok && to != i {
				edges[i] = append(edges[i], to)
			}
		}
	}
	largest := 0
	for i := range files {
		mutual := 0
		from := reachable(edges, i)
		for j := range from {
			if j == i || reachable(edges, j)[i] {
				mutual++
			}
		}
		largest = max(largest, mutual)
	}
	return largest
}

// reachable returns the nodes that can be reached from one, itself included.
func reachable(edges [][]int, from int) map[int]bool {
	seen := map[int]bool{from: true}
	for open := []int{from}; len(open) > 0; {
		at := open[0]
		open = open[1:]
		for _, to := range edges[at] {
			if !seen[to] {
				seen[to] = true
				open = append(open, to)
			}
		}
	}
	return seen
}

// jsonFields returns how many fields with a JSON name each struct of a file has, by the struct's name.
func jsonFields(f *ast.File) map[string]int {
	out := map[string]int{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		s, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range s.Fields.List {
			if field.Tag == nil {
				continue
			}
			if name := reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json"); name != "" && name != "-" {
				out[spec.Name.Name]++
			}
		}
		return true
	})
	return out
}

func TestLargestCycle(t *testing.T) {
	parse := func(src string) goFile {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		g := goFile{ast: f, declares: slices.Collect(maps.Keys(f.Scope.Objects))} //nolint:staticcheck // as in byPackage
		for _, id := range f.Unresolved {                                         //nolint:staticcheck // as in byPackage
			g.needs = append(g.needs, id.Name)
		}
		return g
	}
	files := []goFile{parse("func a() { b() }"), parse("func b() { c() }"), parse("func c() { a() }"),
		parse("func d() { a() }")}
	if got := largestCycle(files); got != 3 {
		t.Errorf("a cycle of %d files, want 3", got)
	}
	if got := largestCycle(files[:2]); got != 1 {
		t.Errorf("a cycle of %d files where there is none", got)
	}
}
