package main

import (
	"context"
	"fmt"
	"go/ast"
	"maps"
	"slices"
)

// size is lines of Go.
type size struct{ product, tests int }

// figures are what the report says of one state of the tree.
type figures struct {
	module   string
	topics   map[string]size
	packages map[string]int // lines of each, tests apart
	counts   []count
	unused   []string // exported names
	once     []string // functions
}

// count is a figure with its name, or the reason that there is none.
type count struct {
	name   string
	n      int
	reason error
}

func measure(ctx context.Context, dir string) (*figures, error) {
	t, err := readTree(dir)
	if err != nil {
		return nil, err
	}
	f := &figures{module: t.module, topics: map[string]size{}, packages: map[string]int{}}
	var files, functions []int
	for _, g := range t.files {
		s := f.topics[topicOf(g.pkg)]
		if g.test {
			s.tests += g.lines
		} else {
			s.product += g.lines
			f.packages[g.pkg] += g.lines
			files = append(files, g.lines)
			for _, d := range g.ast.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					functions = append(functions, t.length(d))
				}
			}
		}
		f.topics[topicOf(g.pkg)] = s
	}
	f.add("packages", len(f.packages))
	f.add("files", len(files))
	f.add("lines of a file, median", quantile(files, 50))
	f.add("functions", len(functions))
	f.add("lines of a function, median", quantile(functions, 50))
	f.add("lines of a function, p90", quantile(functions, 90))
	f.add("lines of a function, most", quantile(functions, 100))
	once, err := usedOnce(ctx, t)
	f.once = once
	f.counts = append(f.counts, count{name: "functions used exactly once", n: len(once), reason: err})
	if err == nil {
		methods := slices.DeleteFunc(slices.Clone(once), func(name string) bool { return name[0] != '(' })
		f.add("methods among them", len(methods))
	}
	e, err := exportsOf(t)
	if err != nil {
		return nil, err
	}
	f.unused = e.unused
	f.add("exported names, without methods", e.all)
	f.add("exported names that no other package uses", len(e.unused))
	f.add("exported names that only tests of others use", e.tested)
	return f, nil
}

func (f *figures) add(name string, n int) { f.counts = append(f.counts, count{name: name, n: n}) }

// of returns the figure of a name, and whether there is one.
func (f *figures) of(name string) (int, bool) {
	i := slices.IndexFunc(f.counts, func(c count) bool { return c.name == name && c.reason == nil })
	if i < 0 {
		return 0, false
	}
	return f.counts[i].n, true
}

// quantile returns the smallest value that at least p percent of the values do not exceed.
func quantile(values []int, p int) int {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[max((len(values)*p+99)/100, 1)-1]
}

// exports are the exported names of the module, without methods.
type exports struct {
	all    int
	unused []string // by no other package, in its tests neither
	tested int      // used by other packages, by their tests alone
}

// exportsOf needs no types: outside its package a package-level name always stands behind the name of an import.
func exportsOf(t *tree) (exports, error) {
	product, inTests := map[string]bool{}, map[string]bool{}
	names := packageNames(t)
	for _, f := range t.files {
		used := product
		if f.test {
			used = inTests
		}
		if err := addUses(t, f, names, used); err != nil {
			return exports{}, err
		}
	}
	declared := map[string]bool{} // once, though a file for each platform may declare it
	for _, f := range t.files {
		for _, d := range f.ast.Decls {
			for _, name := range declaredNames(d) {
				if ast.IsExported(name) && !f.test {
					declared[f.pkg+"."+name] = true
				}
			}
		}
	}
	e := exports{all: len(declared)}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		switch {
		case product[name]:
		case inTests[name]:
			e.tested++
		default:
			e.unused = append(e.unused, name)
		}
	}
	return e, nil
}

// packageNames returns the name in the package clause of each package.
func packageNames(t *tree) map[string]string {
	names := map[string]string{}
	for _, f := range t.files {
		if !f.test {
			names[f.pkg] = f.ast.Name.Name
		}
	}
	return names
}

// addUses adds the names of other packages of the module that a file uses.
func addUses(t *tree, f file, names map[string]string, used map[string]bool) error {
	imported := map[string]string{}
	for _, i := range f.ast.Imports {
		p, err := importedPath(i)
		if err != nil {
			return err
		}
		pkg, ok := t.ours(p)
		switch {
		case !ok || pkg == f.pkg:
		case i.Name == nil:
			imported[names[pkg]] = pkg
		case i.Name.Name == ".":
			return fmt.Errorf("%s: names of a dot import are not counted", t.fset.Position(i.Pos()))
		default:
			imported[i.Name.Name] = pkg
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			// The parser has resolved what is declared in the file, so that a variable named as an import is none.
			if x, ok := s.X.(*ast.Ident); ok && x.Obj == nil && imported[x.Name] != "" {
				used[imported[x.Name]+"."+s.Sel.Name] = true
			}
		}
		return true
	})
	return nil
}

// declaredNames returns the package-level names of a declaration; methods have none.
func declaredNames(d ast.Decl) []string {
	var out []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			out = append(out, d.Name.Name)
		}
	case *ast.GenDecl:
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
	}
	return out
}
