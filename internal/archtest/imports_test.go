// Package archtest holds the tree to the shape that DESIGN.md gives it.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "plimsoll/"

// everywhere may be imported by every package, as the standard library may.
const everywhere = "internal/list"

// ours says which packages of this module each package may import. A package that is not listed may not exist: a new
// one states its place here. A room of findings needs a row only for other rooms that it imports.
func ours() map[string][]string {
	return map[string][]string{
		"cmd/plimsoll":      {"*"},
		"suites":            {"examples", "internal/plan"},
		"release/image":     {},
		"release/notices":   {},
		"bench/plants":      {},
		"bench/reliability": {},
		"bench/regulation":  {"internal/selftest/bucket"},
		"bench/sessions":    {"internal/record", "internal/session"},
		"bench/samplers":    {"internal/host/"},
		"bench/shape":       {},
		"bench/known":       {"internal/selftest/queue"},
		"bench/linecheck":   {"internal/record", "internal/session"},
		"examples":          {},
		"internal/archtest": {},
		"internal/plain":    {},
		"internal/record":   {},
		"internal/secret":   {},
		"internal/terms":    {},
		"internal/stat":     {},
		"internal/category": {"internal/record"},
		"internal/estimate": {"internal/stat"},
		"internal/forecast": {"internal/record"},
		"internal/trialset": {"internal/record", "internal/stat", "internal/estimate", "internal/note"},
		"internal/sequential": {"internal/record", "internal/stat", "internal/estimate", "internal/note",
			"internal/trialset"},
		"internal/loadline": {"internal/record", "internal/stat", "internal/estimate", "internal/note",
			"internal/trialset"},
		"internal/finding": {"internal/category", "internal/record", "internal/stat", "internal/note",
			"internal/estimate", "internal/trialset", "internal/sequential", "internal/loadline", "internal/catalog",
			"internal/figure", "internal/block", "internal/usage"},
		"internal/finding/": {"internal/record", "internal/stat", "internal/note", "internal/estimate",
			"internal/trialset", "internal/sequential", "internal/loadline", "internal/catalog", "internal/figure",
			"internal/block", "internal/usage", "internal/finding"},
		"internal/finding/sweep":      {"internal/finding/crossover"},
		"internal/finding/storage":    {"internal/finding/bottleneck", "internal/finding/throttling"},
		"internal/finding/bottleneck": {"internal/finding/throttling"},
		"internal/finding/headroom":   {"internal/finding/sweep"},
		"internal/finding/capacity":   {"internal/finding/axis", "internal/finding/sweep"},
		"internal/finding/axis":       {"internal/nearest"},
		"internal/finding/outcome":    {"internal/finding/answers"},
		"internal/finding/compare": {"internal/finding/axis", "internal/finding/bottleneck", "internal/finding/capacity",
			"internal/finding/codepath", "internal/finding/cost", "internal/finding/factorial", "internal/finding/instances",
			"internal/finding/integrity", "internal/finding/sweep", "internal/host/fact"},
		"internal/finding/cost": {"internal/finding/bottleneck", "internal/finding/sweep"},
		"internal/finding/explain": {"internal/category", "internal/finding/axis", "internal/finding/bottleneck",
			"internal/finding/factorial", "internal/finding/integrity", "internal/finding/profile", "internal/finding/storage",
			"internal/issue"},
		"internal/finding/nights":  {"internal/history"},
		"internal/finding/porting": {"internal/port"},
		"internal/finding/profile": {"internal/category", "internal/finding/axis"},
		"internal/judge": {"internal/finding", "internal/finding/", "internal/estimate", "internal/trialset",
			"internal/sequential", "internal/loadline", "internal/host/fact", "internal/record", "internal/stat",
			"internal/catalog", "internal/category", "internal/nearest", "internal/note", "internal/usage"},
		"internal/plan": {"internal/forecast", "internal/record", "internal/stat", "internal/trialset",
			"internal/sequential", "internal/loadline", "internal/nearest", "internal/usage"},
		"internal/selftest": {"internal/finding", "internal/finding/", "internal/record", "internal/stat",
			"internal/estimate", "internal/trialset", "internal/sequential", "internal/loadline", "internal/judge",
			"internal/plan", "internal/load", "internal/selftest/queue", "internal/selftest/bucket",
			"internal/selftest/clients", "internal/note"},
		"internal/selftest/bucket":  {},
		"internal/selftest/clients": {},
		"internal/selftest/queue":   {},
		"internal/catalog":          {"internal/record", "internal/nearest", "internal/usage"},
		"internal/invocation": {"internal/figure", "internal/input", "internal/nearest", "internal/plan", "internal/record",
			"internal/session", "internal/usage", "internal/workload", "suites"},
		"internal/valuation": {"internal/catalog", "internal/figure", "internal/finding", "internal/finding/axis",
			"internal/finding/sweep", "internal/judge", "internal/nearest", "internal/note", "internal/record",
			"internal/session", "internal/usage"},
		"internal/articles":    {"internal/estimate", "internal/figure", "internal/finding", "internal/record"},
		"internal/claims":      {"internal/catalog", "internal/nearest", "internal/usage"},
		"internal/input":       {"internal/usage"},
		"internal/changepoint": {"internal/stat"},
		"internal/issue":       {},
		"internal/port":        {"internal/issue"},
		"internal/port/gather": {"internal/figure", "internal/input", "internal/port", "internal/usage"},
		"internal/folder": {"internal/explore", "internal/input", "internal/record", "internal/session",
			"internal/usage"},
		"internal/history": {"internal/changepoint", "internal/estimate", "internal/explore", "internal/record",
			"internal/stat", "internal/usage"},
		"internal/explore": {"internal/estimate", "internal/figure", "internal/finding", "internal/host/fact",
			"internal/note", "internal/record", "internal/trialset"},
		"internal/site": {"internal/explore", "internal/figure", "internal/finding", "internal/folder",
			"internal/history", "internal/input", "internal/media/html", "internal/media/json", "internal/record",
			"internal/replace", "internal/session", "internal/usage"},
		"internal/site/analysis": {"internal/explore", "internal/finding", "internal/finding/", "internal/judge",
			"internal/note", "internal/record", "internal/session", "internal/site", "internal/usage", "internal/valuation"},
		"internal/session": {"internal/record", "internal/input", "internal/usage"},
		"internal/convert": {"internal/convert/reader", "internal/input", "internal/record", "internal/session",
			"internal/usage", "internal/trialset"},
		"internal/convert/reader": {"internal/record", "internal/stat"},
		"internal/convert/gather": {"internal/convert", "internal/figure", "internal/input", "internal/usage"},
		"internal/export": {"internal/convert", "internal/estimate", "internal/finding", "internal/history",
			"internal/record", "internal/secret", "internal/session", "internal/trialset"},
		"internal/figure": {"internal/record"},
		"internal/block":  {"internal/figure"},
		"internal/media/": {"internal/record", "internal/figure", "internal/block"},
		"internal/render": {"internal/articles", "internal/forecast", "internal/history", "internal/plan", "internal/finding",
			"internal/finding/", "internal/estimate", "internal/trialset", "internal/sequential", "internal/loadline",
			"internal/host/fact", "internal/hostlist", "internal/record", "internal/judge", "internal/session",
			"internal/catalog", "internal/category", "internal/claims", "internal/selftest", "internal/note", "internal/figure",
			"internal/block", "internal/media/", "internal/port", "internal/usage"},
		"internal/hostlist":     {"internal/figure", "internal/record", "internal/secret", "internal/usage"},
		"internal/hosts":        {"internal/hostlist", "internal/input", "internal/process", "internal/usage"},
		"internal/host":         {"internal/record", "internal/host/"},
		"internal/host/fact":    {"internal/figure", "internal/record", "internal/host/kernfmt"},
		"internal/host/kernfmt": {"internal/record"},
		"internal/host/hostfs":  {"internal/record", "internal/host/kernfmt"},
		"internal/host/cputime": {"internal/record", "internal/host/hostfs"},
		"internal/host/procs":   {"internal/host/hostfs", "internal/host/sockets"},
		"internal/host/account": {"internal/record", "internal/host/hostfs", "internal/host/kernfmt",
			"internal/host/cputime", "internal/host/procs", "internal/host/storage"},
		"internal/host/owed": {},
		"internal/host/knob": {"internal/record", "internal/host/hostfs", "internal/host/kernfmt", "internal/host/storage",
			"internal/host/topology", "internal/host/account", "internal/host/owed"},
		"internal/host/others":   {"internal/record", "internal/host/hostfs", "internal/host/cputime", "internal/host/procs"},
		"internal/host/cpuinfo":  {"internal/record", "internal/host/hostfs"},
		"internal/host/topology": {"internal/record", "internal/host/hostfs", "internal/host/kernfmt"},
		"internal/host/cloud":    {"internal/record", "internal/host/hostfs"},
		"internal/host/storage": {"internal/record", "internal/host/hostfs", "internal/host/kernfmt",
			"internal/host/cputime", "internal/host/pulse"},
		"internal/host/pulse": {"internal/host/cputime"},
		"internal/host/power": {"internal/process", "internal/record", "internal/host/cputime", "internal/host/hostfs",
			"internal/host/pulse"},
		"internal/host/noise": {"internal/record", "internal/host/fact", "internal/host/hostfs", "internal/host/cputime",
			"internal/host/account", "internal/host/pulse"},
		"internal/host/sockets": {},
		"internal/host/speed":   {"internal/forecast"},
		"internal/host/waits":   {"internal/record", "internal/host/hostfs", "internal/host/cputime"},
		"internal/load":         {"internal/record"},
		"internal/usage":        {"internal/nearest"},
		"internal/list":         {},
		"internal/build":        {},
		"internal/manual":       {"internal/media/term"},
		"internal/convert/into": {"internal/convert", "internal/finding/bottleneck", "internal/finding/integrity",
			"internal/note", "internal/plan", "internal/record", "internal/session", "internal/stat", "internal/trialset",
			"internal/usage"},
		"internal/completion": {"internal/catalog", "internal/convert", "internal/engine", "internal/engine/all",
			"internal/export", "internal/finding/axis", "internal/invocation", "internal/record", "internal/render",
			"internal/trialset", "internal/workload", "suites"},
		"internal/ownplans": {"internal/record", "internal/xdg"},
		"internal/xdg":      {},
		"internal/replace":  {"internal/agent", "internal/input", "internal/session", "internal/usage"},
		"internal/nearest":  {},
		"internal/note":     {},
		"internal/process":  {"internal/input", "internal/secret"},
		"internal/ring":     {},
		"internal/httpload": {"internal/load"},
		"internal/pgload":   {"internal/load", "internal/socket"},
		"internal/socket":   {},
		"internal/netload":  {"internal/socket"},
		"internal/pgscript": {"internal/nearest"},
		"internal/engine":   {"internal/input", "internal/record", "internal/host/", "internal/process", "internal/xdg"},
		"internal/engine/": {"internal/input", "internal/record", "internal/secret", "internal/engine",
			"internal/engine/jvm"},
		"internal/engine/own": {"internal/input", "internal/record", "internal/engine", "internal/process"},
		"internal/workload": {"internal/forecast", "internal/input", "internal/record", "internal/secret",
			"internal/load", "internal/engine"},
		"internal/workload/": {"internal/forecast", "internal/input", "internal/record", "internal/secret",
			"internal/load", "internal/engine", "internal/engine/", "internal/convert", "internal/convert/reader",
			"internal/host/", "internal/httpload", "internal/nearest", "internal/netload", "internal/pgload",
			"internal/pgscript", "internal/ring",
			"internal/process", "internal/workload", "internal/workload/kernel", "internal/workload/database",
			"internal/workload/database/standby", "internal/workload/there", "internal/workload/serveruse",
			"internal/workload/fault", "internal/workload/kafka/brokerfault", "internal/workload/web/targets"},
		"internal/agent/course": {"internal/record", "internal/stat", "internal/load", "internal/workload"},
		"internal/agent/kept":   {"internal/host/", "internal/workload"},
		"internal/agent/joint":  {"internal/load", "internal/workload"},
		"internal/agent/door":   {},
		"internal/agent": {"internal/forecast", "internal/agent/course", "internal/agent/door", "internal/agent/joint",
			"internal/agent/kept",
			"internal/record", "internal/secret", "internal/stat", "internal/session", "internal/host", "internal/host/",
			"internal/load", "internal/engine", "internal/process", "internal/workload", "internal/workload/there",
			"internal/usage"},
		"internal/detached": {"internal/figure", "internal/input", "internal/plan", "internal/record", "internal/replace",
			"internal/session", "internal/usage"},
		"internal/setup": {"internal/carry", "internal/engine", "internal/engine/all", "internal/hostlist", "internal/usage"},
		"internal/carry": {"internal/agent", "internal/input", "internal/process", "internal/record", "internal/usage"},
		"internal/run": {"internal/forecast", "internal/record", "internal/secret", "internal/plan", "internal/agent",
			"internal/agent/course", "internal/agent/joint", "internal/trialset", "internal/loadline", "internal/session",
			"internal/note", "internal/usage", "internal/workload"},
	}
}

// pure packages decide; they touch nothing of the world.
func pure() []string {
	return []string{"internal/record", "internal/secret", "internal/hostlist", "internal/list", "internal/nearest",
		"internal/usage", "internal/host/fact", "internal/host/kernfmt", "internal/figure", "internal/block", "internal/stat",
		"internal/category", "internal/estimate", "internal/forecast", "internal/trialset", "internal/sequential",
		"internal/loadline", "internal/finding", "internal/finding/", "internal/judge", "internal/plan", "internal/catalog",
		"internal/claims", "internal/selftest", "internal/selftest/queue", "internal/selftest/bucket",
		"internal/selftest/clients", "internal/changepoint",
		"internal/explore", "internal/history", "internal/export", "internal/issue", "internal/port"}
}

// execAllowed may start processes.
func execAllowed() []string {
	return []string{"bench/", "internal/agent", "internal/carry", "internal/detached", "internal/engine",
		"internal/engine/perf", "internal/hosts", "internal/process", "internal/workload/"}
}

// forTests are packages that only tests use.
func forTests() []string {
	return []string{"archtest", "plain", "workloadtest", "kerneltest", "enginetest", "exploretest", "hosttest", "simtest"}
}

// later are packages of the full design that are not built yet.
func later() []string { return nil }

// TestTree checks all of the product's files, which it parses once.
func TestTree(t *testing.T) {
	files := sources(t)
	for _, rule := range []struct {
		name  string
		check func(*testing.T, []source)
	}{
		{"EveryRowIsAPackage", everyRowIsAPackage},
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

func everyRowIsAPackage(t *testing.T, files []source) {
	seen := map[string]bool{}
	for _, f := range files {
		seen[f.pkg] = true
		seen[filepath.Dir(f.pkg)+"/"] = true
	}
	for row := range ours() {
		if slices.Contains(forTests(), filepath.Base(row)) || slices.Contains(later(), row) == !seen[row] {
			continue
		}
		t.Errorf("the row %s: its package is there: %t, it is to be built later: %t", row, seen[row],
			slices.Contains(later(), row))
	}
}

func importsGoOneWay(t *testing.T, files []source) {
	for _, f := range files {
		rule, ok := ruleOf(f.pkg)
		if !ok {
			t.Errorf("%s: package %s has no place in the design: add it to the table of internal/archtest", f.path, f.pkg)
			continue
		}
		for _, imp := range f.imports {
			target, isOurs := strings.CutPrefix(imp, module)
			if isOurs && target != everywhere && !slices.Contains(rule, "*") && !allowed(rule, target) {
				t.Errorf("%s: %s may not import %s", f.path, f.pkg, target)
			}
		}
	}
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
// user has named is opened by internal/input, which no pipe, device or endless file can hold up.
func ownFiles() []string {
	return []string{
		"internal/input", "internal/replace", "internal/session/open.go", "internal/session/head.go",
		"internal/host/", "internal/simtest", "internal/agent/kept", "internal/workload/serveruse",
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
					t.Errorf("%s: os.%s: a file that a user may have named is opened by internal/input", f.path, s.Sel.Name)
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

func ruleOf(pkg string) ([]string, bool) {
	rules := ours()
	const rooms = "internal/finding/"
	if strings.HasPrefix(pkg, rooms) {
		return slices.Concat(rules[rooms], rules[pkg]), true
	}
	if r, ok := rules[pkg]; ok {
		return r, true
	}
	for _, prefix := range slices.Sorted(maps.Keys(rules)) {
		if strings.HasSuffix(prefix, "/") && strings.HasPrefix(pkg, prefix) {
			if pkg == prefix+"all" {
				return append(slices.Clone(rules[prefix]), prefix), true
			}
			return rules[prefix], true
		}
	}
	return nil, false
}

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
