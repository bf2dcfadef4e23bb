package note

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const own = "plimsoll/internal/record/note"

// TestUses type-checks every package that makes notes: each code is one of the catalogue, each of the catalogue is
// made somewhere, and its arguments are as many and of the kinds that its words ask for.
func TestUses(t *testing.T) {
	kinds := map[string]Kind{}
	for _, k := range Kinds() {
		kinds[string(k.Code)] = k
	}
	used := map[string]bool{string(Recorded): true} // by FromRecord
	for _, p := range checked(t) {
		for e, tv := range p.info.Types {
			if tv.Value != nil && isCode(tv.Type) {
				code := constant.StringVal(tv.Value)
				if used[code] = true; kinds[code].Code == "" {
					t.Errorf("%s: the code %q is not in the catalogue", p.fset.Position(e.Pos()), code)
				}
			}
		}
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && p.makes(call) {
					p.fits(t, call, kinds)
				}
				return true
			})
		}
	}
	for code := range kinds {
		if !used[code] {
			t.Errorf("no place makes a note of %q", code)
		}
	}
}

type pkg struct {
	fset  *token.FileSet
	files []*ast.File
	info  types.Info
}

// makes reports whether a call fills a note: its callee takes a code and any arguments, last.
func (p pkg) makes(call *ast.CallExpr) bool {
	s, ok := p.info.TypeOf(call.Fun).(*types.Signature)
	if !ok || !s.Variadic() || s.Params().Len() < 2 {
		return false
	}
	args := s.Params().At(s.Params().Len() - 1).Type().(*types.Slice).Elem()
	return isCode(s.Params().At(s.Params().Len()-2).Type()) && types.IsInterface(args)
}

// fits holds the arguments of a call to the words of its code.
func (p pkg) fits(t *testing.T, call *ast.CallExpr, kinds map[string]Kind) {
	at := p.fset.Position(call.Pos())
	code := p.info.Types[call.Args[0]].Value
	if code == nil || call.Ellipsis.IsValid() {
		return // a helper hands on what it was given
	}
	k := kinds[constant.StringVal(code)]
	verbs := argKinds(k)
	if len(verbs) != len(call.Args)-1 {
		t.Errorf("%s: %s takes %d arguments, %d are given", at, k.Code, len(verbs), len(call.Args)-1)
		return
	}
	for i, verb := range verbs {
		if arg := p.info.TypeOf(call.Args[i+1]); !suits(verb, arg) {
			t.Errorf("%s: argument %d of %s is of type %s, and its words have %%%s", at, i+1, k.Code, arg, verb)
		}
	}
}

// suits reports whether an argument is a number if its verb writes one, and none that it would misread.
func suits(verb string, arg types.Type) bool {
	b, basic := arg.Underlying().(*types.Basic)
	switch verb {
	case "d":
		return basic && b.Info()&types.IsInteger != 0
	case "f", "g", "e":
		return basic && b.Info()&types.IsFloat != 0
	case "s":
		return !basic || b.Info()&types.IsString != 0
	}
	return verb == "v"
}

func isCode(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Name() == "Code" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == own
}

// checked returns the packages that import this one, type-checked against what the compiler exported.
func checked(t *testing.T) []pkg {
	t.Helper()
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles, Imports        []string
	}
	var all []listed
	exports := map[string]string{}
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Imports",
		"plimsoll/cmd/plimsoll")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[l.ImportPath] = l.Export
		if slices.Contains(l.Imports, own) {
			all = append(all, l)
		}
	}
	var out []pkg
	fset := token.NewFileSet()
	load := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, l := range all {
		p := pkg{fset: fset, info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
			Defs: map[*ast.Ident]types.Object{}}}
		for _, name := range l.GoFiles {
			f, err := parser.ParseFile(p.fset, filepath.Join(l.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			p.files = append(p.files, f)
		}
		if _, err := (&types.Config{Importer: load}).Check(l.ImportPath, p.fset, p.files, &p.info); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		t.Fatal("no package makes notes")
	}
	return out
}

// TestCatalogue: codes are kebab-case, and each has words of its own.
func TestCatalogue(t *testing.T) {
	seen := map[Code]bool{}
	words := map[string]Code{}
	for _, k := range Kinds() {
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(string(k.Code)) {
			t.Errorf("%q is not kebab-case", k.Code)
		}
		if seen[k.Code] {
			t.Errorf("%s has two entries", k.Code)
		}
		seen[k.Code] = true
		text := fmt.Sprintf("%s\n%s", k.words(), k.Hint)
		if other, ok := words[text]; ok && strings.Trim(k.words(), "%sv:, ") != "" {
			t.Errorf("%s and %s have the same words", k.Code, other)
		}
		words[text] = k.Code
	}
}
