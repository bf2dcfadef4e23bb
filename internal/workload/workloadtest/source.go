package workloadtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// read is one place where source reads a parameter by name.
type read struct {
	name   string
	at     token.Position
	engine bool // it is an engine's, which may have more parameters than the workload
}

// shared are the packages that read for the workloads that import them, below internal, and the engines that they hand parameters to.
func shared() map[string][]string {
	return map[string][]string{"workload/kernel": nil, "workload/database": {"engine/postgres"}}
}

// paramReads finds the calls of workload.Params' reading methods in a package
// folder's source and in that of shared packages where they are imported, tests
// left out, whose name is a constant. It goes by the shape of the call, not by
// types: one argument that is a string.
func paramReads(dir string) ([]read, error) {
	fset := token.NewFileSet()
	files, err := parsed(fset, dir)
	if err != nil {
		return nil, err
	}
	var engines []*ast.File
	own := files
	for pkg, of := range shared() {
		if !slices.ContainsFunc(own, imports("plimsoll/internal/"+pkg)) {
			continue
		}
		more, err := parsed(fset, filepath.Join(dir, "..", "..", pkg))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
		for _, engine := range of {
			if more, err = parsed(fset, filepath.Join(dir, "..", "..", engine)); err != nil {
				return nil, err
			}
			engines = append(engines, more...)
		}
	}
	return append(readsIn(fset, files, false), readsIn(fset, engines, true)...), nil
}

func readsIn(fset *token.FileSet, files []*ast.File, engine bool) []read {
	var reads []read
	names := stringConstants(files)
	for _, file := range files {
		for n := range ast.Preorder(file) {
			if name, ok := readName(n, names); ok {
				reads = append(reads, read{name, fset.Position(n.Pos()), engine})
			}
		}
	}
	return reads
}

func parsed(fset *token.FileSet, dir string) ([]*ast.File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func imports(path string) func(*ast.File) bool {
	return func(f *ast.File) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote(path) })
	}
}

// stringConstants gives the package's string constants, and package record's
// names of parameters as source writes them.
func stringConstants(files []*ast.File) map[string]string {
	names := map[string]string{
		"record.ParamCPUs": record.ParamCPUs, "record.ParamClients": record.ParamClients,
		"record.ParamRate": record.ParamRate, "record.ParamArrivals": record.ParamArrivals, "record.ParamSockets": record.ParamSockets,
		"record.ParamDepth": record.ParamDepth, "record.ParamJobs": record.ParamJobs, "record.ParamPacing": record.ParamPacing,
		"record.ParamMachine": record.ParamMachine,
	}
	for _, file := range files {
		for n := range ast.Preorder(file) {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != len(spec.Names) {
				continue
			}
			for i, id := range spec.Names {
				if s, ok := constant(spec.Values[i], nil); ok {
					names[id.Name] = s
					names[file.Name.Name+"."+id.Name] = s
				}
			}
		}
	}
	return names
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

// readFaults compares what is read with what is declared. The parameters that
// make a load and the preset are read by the plan, those with an engine's word before their name are handed to it all
// together, and a free workload reads names that it does not know, so these may go unread.
func readFaults(w record.Workload, reads []read) []error {
	var f faults
	seen := map[string]bool{record.ParamCPUs: true, record.ParamClients: true, record.ParamRate: true, record.ParamArrivals: true, record.ParamPreset: true}
	for _, r := range reads {
		seen[r.name] = true
		if _, ok := w.Param(r.name); !ok && !r.engine {
			f.addf("%s:%d reads parameter %q, which is not declared", r.at.Filename, r.at.Line, r.name)
		}
	}
	for _, p := range w.Params {
		if !seen[p.Name] && !w.Free && !strings.Contains(p.Name, ".") {
			f.addf("parameter %s is declared and never read", p.Name)
		}
	}
	return f
}
