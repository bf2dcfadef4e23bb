package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// tree is a module's Go files, without testdata and the modules inside it.
type tree struct {
	dir, module string
	fset        *token.FileSet
	files       []file
}

type file struct {
	pkg   string // its folder, from the module's root; "." is the root
	lines int
	test  bool
	built bool // for this platform
	ast   *ast.File
}

func readTree(dir string) (*tree, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	t := &tree{dir: dir, module: modfile.ModulePath(text), fset: token.NewFileSet()}
	if t.module == "" {
		return nil, errors.New("go.mod names no module")
	}
	err = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && at != dir && leftOut(at):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(at) != ".go":
			return nil
		}
		return t.add(at)
	})
	return t, err
}

// leftOut reports whether a folder is none of the module's packages: by its name, as for the go command, or because it
// is a module of its own.
func leftOut(at string) bool {
	name := filepath.Base(at)
	_, err := os.Stat(filepath.Join(at, "go.mod"))
	return name == "testdata" || name == "vendor" || name[0] == '.' || name[0] == '_' || err == nil
}

func (t *tree) add(at string) error {
	text, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(t.dir, at)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(t.fset, rel, text, 0)
	if err != nil {
		return err
	}
	built, err := build.Default.MatchFile(filepath.Split(at))
	if err != nil {
		return err
	}
	t.files = append(t.files, file{pkg: filepath.ToSlash(filepath.Dir(rel)), lines: bytes.Count(text, []byte("\n")),
		test: strings.HasSuffix(rel, "_test.go"), built: built, ast: parsed})
	return nil
}

// importPath returns the path by which a package of the module is imported.
func (t *tree) importPath(pkg string) string { return path.Join(t.module, pkg) }

// ours returns the package of the module that an import path means.
func (t *tree) ours(imported string) (string, bool) {
	if imported == t.module {
		return ".", true
	}
	return strings.CutPrefix(imported, t.module+"/")
}

// length returns the lines of a declaration, without its comment.
func (t *tree) length(d ast.Decl) int {
	return t.fset.Position(d.End()).Line - t.fset.Position(d.Pos()).Line + 1
}

func importedPath(i *ast.ImportSpec) (string, error) {
	p, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return "", fmt.Errorf("import %s: %w", i.Path.Value, err)
	}
	return p, nil
}
