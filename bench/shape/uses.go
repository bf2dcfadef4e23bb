package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// usedOnce returns the functions and methods that the product's code for this platform names exactly once. A call
// through an interface names the interface's method.
func usedOnce(ctx context.Context, t *tree) ([]string, error) {
	c, err := newChecker(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, pkg := range slices.Sorted(maps.Keys(c.files)) {
		if _, err := c.Import(t.importPath(pkg)); err != nil {
			return nil, err
		}
	}
	uses := map[*types.Func]int{}
	for _, o := range c.info.Uses {
		if f, ok := o.(*types.Func); ok {
			uses[f.Origin()]++
		}
	}
	var once []string
	for _, o := range c.info.Defs {
		if f, ok := o.(*types.Func); ok && uses[f] == 1 && !isOfInterface(f) {
			once = append(once, strings.Replace(f.FullName(), t.module+"/", "", 1))
		}
	}
	slices.Sort(once)
	return once, nil
}

func isOfInterface(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// checker checks the types of the module's packages from their source. It is the importer of them, too, so that all see
// the same objects; packages of others come from the build cache, where the go command has compiled them.
type checker struct {
	tree   *tree
	files  map[string][]*ast.File // of each package
	done   map[string]*types.Package
	begun  map[string]bool
	info   *types.Info
	others types.Importer
}

func newChecker(ctx context.Context, t *tree) (*checker, error) {
	c := &checker{tree: t, files: map[string][]*ast.File{}, done: map[string]*types.Package{}, begun: map[string]bool{},
		info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	others := map[string]bool{}
	for _, f := range t.files {
		if f.test || !f.built {
			continue
		}
		c.files[f.pkg] = append(c.files[f.pkg], f.ast)
		for _, i := range f.ast.Imports {
			p, err := importedPath(i)
			if err != nil {
				return nil, err
			}
			if _, ok := t.ours(p); !ok && p != "unsafe" {
				others[p] = true
			}
		}
	}
	compiled, err := compiledFiles(ctx, t.dir, slices.Sorted(maps.Keys(others)))
	if err != nil {
		return nil, err
	}
	c.others = importer.ForCompiler(t.fset, "gc", func(p string) (io.ReadCloser, error) { return os.Open(compiled[p]) })
	return c, nil
}

// compiledFiles returns where the go command has what packages export.
func compiledFiles(ctx context.Context, dir string, paths []string) (map[string]string, error) {
	out := map[string]string{}
	if len(paths) == 0 {
		return out, nil
	}
	list := exec.CommandContext(ctx, "go", append([]string{"list", "-export", "-f", "{{.ImportPath}} {{.Export}}", "--"},
		paths...)...)
	list.Dir = dir
	text, err := output(list)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		p, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[p] = at
	}
	return out, nil
}

// output runs a command; its error has what the command said.
func output(c *exec.Cmd) ([]byte, error) {
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(c.Args[:2], " "), err, bytes.TrimSpace(said.Bytes()))
	}
	return out, nil
}

// Import implements types.Importer.
func (c *checker) Import(p string) (*types.Package, error) {
	pkg, ok := c.tree.ours(p)
	switch {
	case p == "unsafe":
		return types.Unsafe, nil
	case !ok:
		return c.others.Import(p)
	case c.done[p] != nil:
		return c.done[p], nil
	case c.begun[p]:
		return nil, errors.New(p + " imports itself")
	}
	c.begun[p] = true
	checked, err := (&types.Config{Importer: c}).Check(p, c.tree.fset, c.files[pkg], c.info)
	if err != nil {
		return nil, err
	}
	c.done[p] = checked
	return checked, nil
}
