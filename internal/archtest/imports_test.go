// Package archtest checks that the tree has the shape of DESIGN.md.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "plimsoll/"

// room is a folder of internal/, or a folder next to it, with the rooms that its packages may import. A package may
// import every other package of its own room, but for the rows of finer.
type room struct {
	name string
	from []string
}

func (r room) has(pkg string) bool { return pkg == r.name || strings.HasPrefix(pkg, r.name+"/") }

// rooms are ordered from the ground up: none imports a later one. A new folder needs a row.
func rooms() []room {
	return []room{
		{"internal/base", nil},
		{"internal/record", []string{"base"}},
		{"internal/machine", []string{"base", "record"}},
		{"internal/client", []string{"base", "record"}},
		{"internal/engine", []string{"base", "record", "machine"}},
		{"internal/analysis", []string{"base", "record", "machine"}},
		{"internal/plan", []string{"base", "record", "machine", "analysis"}},
		{"internal/exchange", []string{"base", "record", "analysis", "plan"}},
		{"internal/workload", []string{"base", "record", "machine", "client", "engine", "exchange"}},
		{"examples", nil},
		{"suites", []string{"examples", "plan"}},
		{"internal/run", []string{"base", "record", "machine", "client", "engine", "analysis", "plan", "workload", "suites"}},
		{"internal/selftest", []string{"base", "record", "client", "analysis", "plan"}},
		{"internal/present", []string{"base", "record", "machine", "engine", "analysis", "plan", "exchange", "workload",
			"run", "selftest", "suites"}},
		{"cmd", []string{"base", "record", "machine", "client", "engine", "analysis", "plan", "exchange", "workload", "run",
			"selftest", "present", "examples", "suites"}},
		{"bench", []string{"record", "machine", "selftest"}},
		{"release", nil},
	}
}

// finer are packages that may import less than their room may: how blocks are written knows no findings, readers of
// other tools' output know no sessions, a plan knows only how runs are analyzed, and a topic of findings imports only
// the topics of its row.
func finer() map[string][]string {
	return map[string][]string{
		"internal/present/media/":          {"internal/base/list", "internal/record", "internal/record/"},
		"internal/exchange/convert/reader": {"internal/record", "internal/record/stat"},
		"internal/record":                  {},
		"internal/record/stat":             {},
		"internal/machine/host/": {"internal/base/list", "internal/record", "internal/record/figure",
			"internal/machine/forecast", "internal/machine/host/"},
		"internal/machine/host/power": {"internal/base/process", "internal/record", "internal/machine/host/"},
		"internal/plan": {"internal/base/", "internal/record", "internal/record/", "internal/machine/forecast",
			"internal/analysis/trialset", "internal/analysis/sequential", "internal/analysis/loadline"},
		topics: {"internal/base/", "internal/record", "internal/record/", "internal/machine/catalog",
			"internal/machine/host/fact", "internal/analysis/trialset", "internal/analysis/sequential",
			"internal/analysis/loadline", "internal/analysis/finding"},
	}
}

// topics is the folder of findings.
const topics = "internal/analysis/finding/"

// topicsOf are the other packages of the room that a topic of findings imports.
func topicsOf() map[string][]string {
	return map[string][]string{
		"sweep":      {"crossover"},
		"storage":    {"bottleneck", "throttling"},
		"bottleneck": {"throttling"},
		"headroom":   {"sweep"},
		"capacity":   {"axis", "sweep"},
		"outcome":    {"answers"},
		"compare":    {"axis", "bottleneck", "capacity", "codepath", "cost", "factorial", "instances", "integrity", "sweep"},
		"cost":       {"bottleneck", "sweep"},
		"explain":    {"../category", "axis", "bottleneck", "factorial", "integrity", "profile", "storage", "../issue"},
		"nights":     {"../history"},
		"porting":    {"../port"},
		"profile":    {"../category", "axis"},
	}
}

// pure packages decide; they touch nothing of the world.
func pure() []string {
	return []string{"internal/record", "internal/base/secret", "internal/machine/hostlist", "internal/base/list",
		"internal/base/nearest", "internal/base/usage", "internal/machine/host/fact", "internal/machine/host/kernfmt",
		"internal/record/figure", "internal/record/block", "internal/record/stat", "internal/analysis/category",
		"internal/record/estimate", "internal/machine/forecast", "internal/analysis/trialset",
		"internal/analysis/sequential", "internal/analysis/loadline", "internal/analysis/finding",
		"internal/analysis/finding/", "internal/analysis/judge", "internal/plan", "internal/machine/catalog",
		"internal/analysis/claims", "internal/selftest", "internal/selftest/queue", "internal/selftest/bucket",
		"internal/selftest/clients", "internal/analysis/changepoint", "internal/analysis/explore",
		"internal/analysis/history", "internal/exchange/export", "internal/analysis/issue", "internal/analysis/port"}
}

// execAllowed may start processes.
func execAllowed() []string {
	return []string{"bench/", "internal/run/agent", "internal/run/carry", "internal/run/detached", "internal/engine",
		"internal/engine/perf", "internal/machine/hosts", "internal/base/process", "internal/workload/"}
}

// forTests are packages that only tests use.
func forTests() []string {
	return []string{"archtest", "plain", "workloadtest", "kerneltest", "enginetest", "exploretest", "hosttest", "simtest"}
}

// TestTree checks all of the product's files, which it parses once.
func TestTree(t *testing.T) {
	files := sources(t)
	for _, rule := range []struct {
		name  string
		check func(*testing.T, []source)
	}{
		{"EveryRoomIsThere", everyRoomIsThere},
		{"ImportsGoOneWay", importsGoOneWay},
		{"WhatDecidesIsPure", whatDecidesIsPure},
		{"OnlySomeStartProcesses", onlySomeStartProcesses},
		{"OnlySomeOpenFiles", onlySomeOpenFiles},
		{"NoInitAndNoMutableGlobals", noInitAndNoMutableGlobals},
		{"HintsAreNotReadBack", hintsAreNotReadBack},
		{"OnlyFindingsMakeBlocks", onlyFindingsMakeBlocks},
	} {
		t.Run(rule.name, func(t *testing.T) { rule.check(t, files) })
	}
}

// everyRoomIsThere also finds rows of packages that were removed.
func everyRoomIsThere(t *testing.T, files []source) {
	has := func(row string) bool {
		return slices.ContainsFunc(files, func(f source) bool { return allowed([]string{row}, f.pkg) })
	}
	for _, r := range rooms() {
		if !slices.ContainsFunc(files, func(f source) bool { return r.has(f.pkg) }) {
			t.Errorf("the room %s has no package", r.name)
		}
	}
	for row := range finer() {
		if !has(row) {
			t.Errorf("the row %s has no package", row)
		}
	}
	for topic := range topicsOf() {
		if !has(topics + topic) {
			t.Errorf("the topic %s has no package", topic)
		}
	}
}

func importsGoOneWay(t *testing.T, files []source) {
	all := rooms()
	for _, f := range files {
		i := slices.IndexFunc(all, func(r room) bool { return r.has(f.pkg) })
		if i < 0 {
			t.Errorf("%s: package %s is in no room: add its folder to the table of internal/archtest", f.path, f.pkg)
			continue
		}
		rule, is := finest(f.pkg)
		for _, imp := range f.imports {
			target, isOurs := strings.CutPrefix(imp, module)
			if !isOurs {
				continue
			}
			j := slices.IndexFunc(all, func(r room) bool { return r.has(target) })
			if i != j && (j < 0 || !slices.Contains(all[i].from, strings.TrimPrefix(all[j].name, "internal/"))) {
				t.Errorf("%s: %s may not import %s", f.path, all[i].name, target)
			}
			if is && !allowed(rule, target) {
				t.Errorf("%s: %s may not import %s", f.path, f.pkg, target)
			}
		}
	}
	for i, r := range all {
		for _, from := range r.from {
			if !slices.ContainsFunc(all[:i], func(r room) bool { return strings.TrimPrefix(r.name, "internal/") == from }) {
				t.Errorf("the room %s may import %s, which is not before it", r.name, from)
			}
		}
	}
}

// finest is the longest row of finer that has the package.
func finest(pkg string) ([]string, bool) {
	rows, best := finer(), ""
	for row := range rows {
		if allowed([]string{row}, pkg) && len(row) > len(best) {
			best = row
		}
	}
	rule := slices.Clone(rows[best])
	if best == topics {
		for _, other := range topicsOf()[strings.TrimPrefix(pkg, topics)] {
			rule = append(rule, filepath.ToSlash(filepath.Join(topics, other)))
		}
	}
	return rule, best != ""
}

func whatDecidesIsPure(t *testing.T, files []source) {
	for _, f := range files {
		if !allowed(pure(), f.pkg) {
			continue
		}
		for _, banned := range []string{"os", "net", "os/exec", "net/http", "syscall", "golang.org/x/sys/unix", "io/ioutil"} {
			if slices.Contains(f.imports, banned) {
				t.Errorf("%s: imports %s", f.path, banned)
			}
		}
		ast.Inspect(f.file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" &&
					slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"},
						s.Sel.Name) {
					t.Errorf("%s: reads the clock by time.%s", f.path, s.Sel.Name)
				}
			}
			return true
		})
	}
}

func onlySomeStartProcesses(t *testing.T, files []source) {
	for _, f := range files {
		if slices.Contains(f.imports, "os/exec") && !allowed(execAllowed(), f.pkg) {
			t.Errorf("%s: %s may not import os/exec", f.path, f.pkg)
		}
	}
}

// ownFiles are packages and files that open files by the os package: of the kernel, or of our own making. Whatever a
// user has named is opened by internal/base/input, which no pipe, device or endless file can hold up.
func ownFiles() []string {
	return []string{
		"internal/base/input", "internal/run/replace", "internal/record/session/open.go", "internal/record/session/head.go",
		"internal/machine/host/", "internal/base/simtest", "internal/run/agent/kept", "internal/workload/serveruse",
		"internal/workload/kernel/kerneltest", "internal/engine/enginetest",
		// Our own installation, scratch and keys, or what a package manager keeps.
		"internal/engine/alone.go", "internal/engine/aptsource.go", "internal/engine/packages.go",
		"internal/engine/ports.go", "internal/engine/perf", "internal/engine/asyncprofiler", "internal/engine/rdkafka",
		"internal/engine/jvm/pins.go", "internal/engine/jvm/jdk.go", "internal/engine/postgres/release.go",
		"internal/engine/kafka/release.go", "internal/engine/kafka/keys.go",
		"internal/engine/kafka/facts.go", "internal/engine/kafka/place.go",
		"internal/workload/database/apply.go", "internal/workload/database/clone.go",
		"internal/workload/database/kept.go", "internal/workload/database/watch.go",
		"internal/workload/disk/device.go", "internal/workload/disk/identity.go", // a block device, as is checked before
	}
}

func onlySomeOpenFiles(t *testing.T, files []source) {
	for _, f := range files {
		if strings.HasPrefix(f.pkg, "bench/") || strings.HasPrefix(f.pkg, "release/") || f.pkg == "internal/archtest" ||
			slices.ContainsFunc(ownFiles(), func(own string) bool {
				return f.pkg == own || strings.HasSuffix(own, "/") && strings.HasPrefix(f.pkg+"/", own) ||
					strings.HasSuffix(f.path, own)
			}) {
			continue
		}
		ast.Inspect(f.file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" &&
					slices.Contains([]string{"Open", "OpenFile", "ReadFile", "Create"}, s.Sel.Name) {
					t.Errorf("%s: os.%s: a file that a user may have named is opened by internal/base/input", f.path, s.Sel.Name)
				}
			}
			return true
		})
	}
}

func noInitAndNoMutableGlobals(t *testing.T, files []source) {
	for _, f := range files {
		for _, d := range f.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s: has an init()", f.path)
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					for _, s := range d.Specs {
						checkVar(t, f, d, s.(*ast.ValueSpec))
					}
				}
			}
		}
	}
}

// checkVar allows what Go cannot write as a constant and nobody assigns to:
// error values, embedded files, and the version that the linker sets.
func checkVar(t *testing.T, f source, d *ast.GenDecl, s *ast.ValueSpec) {
	for i, name := range s.Names {
		switch {
		case name.Name == "_":
		case f.pkg == "cmd/plimsoll" && name.Name == "version":
		case d.Doc != nil && strings.Contains(commentText(d.Doc), "go:embed"):
		case i < len(s.Values) && isErrorsNew(s.Values[i]):
		default:
			t.Errorf("%s: package variable %s", f.path, name.Name)
		}
	}
}

func commentText(g *ast.CommentGroup) string {
	var b strings.Builder
	for _, c := range g.List {
		b.WriteString(c.Text)
	}
	return b.String()
}

func isErrorsNew(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "New" && sel.X.(*ast.Ident).Name == "errors"
}

// allowed reports whether a package is in one of the rows: "a/b" is one package, and "a/b/" all below it.
func allowed(rule []string, pkg string) bool {
	return slices.ContainsFunc(rule, func(r string) bool {
		return r == pkg || strings.HasSuffix(r, "/") && strings.HasPrefix(pkg, r)
	})
}

type source struct {
	path, pkg string
	imports   []string
	file      *ast.File
}

// sources parses every Go file of the product, tests left out.
func sources(t *testing.T) []source {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var out []source
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata" || d.Name() == "dist") {
			return filepath.SkipDir
		}
		if d.IsDir() && (slices.Contains(forTests(), d.Name()) || otherModule(root, path)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		s, err := parse(root, path)
		out = append(out, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("found only %d files below %s", len(out), root)
	}
	return out
}

// otherModule reports whether a directory is the root of a module inside ours.
func otherModule(root, path string) bool {
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil && path != root
}

func parse(root, path string) (source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return source{}, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return source{}, err
	}
	s := source{path: rel, pkg: filepath.ToSlash(filepath.Dir(rel)), file: f}
	for _, i := range f.Imports {
		imp, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, imp)
	}
	return s, nil
}
