package workloadtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/engine/all"
	"plimsoll/internal/record"
)

// read is one call in the source that reads a parameter by name.
type read struct {
	name string
	at   token.Position
}

// shared returns the packages that read parameters on behalf of workloads built on them.
func shared() []string {
	return []string{module + "workload/kernel", module + "workload/database", module + "workload/there"}
}

// paramReads finds the calls of workload.Params' reading methods with a constant name, in a package's source without
// tests and in an imported shared package. It goes by the shape of the call, not by types: one argument that is a
// string.
func paramReads(dir string) ([]read, error) {
	fset := token.NewFileSet()
	files, err := parsed(fset, dir)
	if err != nil {
		return nil, err
	}
	for _, pkg := range shared() {
		if !slices.ContainsFunc(files, imports(pkg)) {
			continue
		}
		more, err := parsed(fset, filepath.Join(dir, "..", path.Base(pkg)))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	var reads []read
	names, err := stringConstants(fset, dir, files)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		for n := range ast.Preorder(file) {
			if name, ok := readName(n, names); ok {
				reads = append(reads, read{name, fset.Position(n.Pos())})
			}
		}
	}
	return reads, nil
}

func parsed(fset *token.FileSet, dir string) ([]*ast.File, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func imports(pkg string) func(*ast.File) bool {
	return func(f *ast.File) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote(pkg) })
	}
}

// stringConstants returns the package's string constants, and those of this module's packages that it imports, as
// the source writes them: "record.ParamCPUs".
func stringConstants(fset *token.FileSet, dir string, files []*ast.File) (map[string]string, error) {
	names := map[string]string{}
	for _, pkg := range imported(files) {
		// A workload's folder is two levels below internal.
		others, err := parsed(fset, filepath.Join(dir, "..", "..", filepath.FromSlash(pkg)))
		if err != nil {
			return nil, err
		}
		addConstants(names, path.Base(pkg)+".", others)
	}
	addConstants(names, "", files)
	return names, nil
}

// module prefixes the import paths of this module's packages.
const module = "plimsoll/internal/"

// imported returns the packages of this module that files import, by their paths below internal.
func imported(files []*ast.File) []string {
	var out []string
	for _, f := range files {
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if pkg, ours := strings.CutPrefix(name, module); err == nil && ours && !slices.Contains(out, pkg) {
				out = append(out, pkg)
			}
		}
	}
	return out
}

func addConstants(names map[string]string, prefix string, files []*ast.File) {
	for _, file := range files {
		for n := range ast.Preorder(file) {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != len(spec.Names) {
				continue
			}
			for i, id := range spec.Names {
				if s, ok := constant(spec.Values[i], names); ok {
					names[prefix+id.Name] = s
				}
			}
		}
	}
}

func readName(n ast.Node, names map[string]string) (string, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Text", "Number", "Int", "Bool"}, method.Sel.Name) {
		return "", false
	}
	return constant(call.Args[0], names)
}

func constant(e ast.Expr, names map[string]string) (string, bool) {
	key := ""
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		key = e.Name
	case *ast.SelectorExpr:
		if pkg, ok := e.X.(*ast.Ident); ok {
			key = pkg.Name + "." + e.Sel.Name
		}
	}
	s, ok := names[key]
	return s, ok
}

// readFaults compares the parameters read with those declared. The parameters that make a load and the preset are
// read by the plan, an engine's are passed on together (engine.ParamsOf), and a free workload reads undeclared
// names, so all these may go unread.
func readFaults(w record.Workload, reads []read) []error {
	var f faults
	handed := handedOn(w)
	seen := map[string]bool{record.ParamCPUs: true, record.ParamClients: true, record.ParamRate: true,
		record.ParamArrivals: true, record.ParamPreset: true}
	for _, r := range reads {
		seen[r.name] = true
		if _, ok := w.Param(r.name); !ok {
			f.addf("%s:%d reads parameter %q, which is not declared", r.at.Filename, r.at.Line, r.name)
		}
	}
	for _, p := range w.Params {
		if !seen[p.Name] && !w.Free && !handed[p.Name[strings.Index(p.Name, ".")+1:]] && !ofEngine(p.Name) {
			f.addf("parameter %s is declared and never read", p.Name)
		}
	}
	return f
}

// ofEngine reports whether a parameter is an engine's, by a name such as redpanda.bin.
func ofEngine(name string) bool {
	prefix, own, _ := strings.Cut(name, ".")
	e, ok := all.Find(prefix)
	return ok && slices.ContainsFunc(e.Params(), func(p record.Param) bool { return p.Name == own })
}

// handedOn returns the parameters of the engines that a workload needs, by the engines' names for them.
func handedOn(w record.Workload) map[string]bool {
	out := map[string]bool{}
	for _, e := range all.All() {
		if slices.Contains(w.Needs, e.Name()) {
			for _, p := range e.Params() {
				out[p.Name] = true
			}
		}
	}
	return out
}
