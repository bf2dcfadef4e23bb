package port

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
)

// goAssembly finds assembly of Go packages without a counterpart for arm64, and names that only files for amd64 declare
// though files for arm64 use them.
type goAssembly struct {
	symbol, vector, asks *regexp.Regexp
	stems                stems
	dirs                 map[string]*goPackage
}

// goPackage is the Go and assembly files of one folder.
type goPackage struct {
	code []goFile
	asm  []asmFile
	arm  bool // code has a file for arm64
}

type goFile struct {
	path     string
	amd, arm bool // is compiled there
	declares map[string]int
	uses     []string
}

type asmFile struct {
	path     string
	amd, arm bool
	symbols  []string
}

func newGoAssembly() *goAssembly {
	return &goAssembly{
		vector: regexp.MustCompile("(?i)_?(?:avx2|" + vectors + ")"),
		asks:   regexp.MustCompile(`(?i)cpuid|xgetbv|rdtsc|^_dummy_$`),
		symbol: regexp.MustCompile(`(?m)^TEXT\s+[^\s(]*·([\pL_][\pL\d_]*)`),
		stems:  newStems(),
		dirs:   map[string]*goPackage{},
	}
}

func (*goAssembly) id() string { return "go-assembly" }

func (*goAssembly) doc() string {
	return "Go assembly without a counterpart for arm64, and names that are declared for amd64 alone"
}

func (*goAssembly) needs(file string, _ []byte) Need {
	if ext := path.Ext(file); ext == ".go" && !strings.HasSuffix(file, "_test.go") || ext == ".s" {
		return Whole
	}
	return Nothing
}

// compiled reports whether Go compiles a file for a processor on Linux, by its name and its constraints.
func compiled(f File, arch string) bool {
	c := build.Context{GOARCH: arch, GOOS: "linux", Compiler: "gc", CgoEnabled: true,
		ReleaseTags: build.Default.ReleaseTags,
		JoinPath:    path.Join, OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(f.Data)), nil
		}}
	ok, err := c.MatchFile("", path.Base(f.Path))
	return err == nil && ok
}

func (g *goAssembly) look(f File, r *Report) {
	dir := path.Dir(f.Path)
	p := g.dirs[dir]
	if p == nil {
		p = &goPackage{}
		g.dirs[dir] = p
	}
	amd, arm := compiled(f, "amd64"), compiled(f, "arm64")
	if path.Ext(f.Path) == ".s" {
		if found := g.symbol.FindAllSubmatch(f.Data, -1); found != nil {
			p.asm = append(p.asm, asmFile{f.Path, amd, arm, list.Map(found, func(m [][]byte) string { return string(m[1]) })})
		}
		return
	}
	if !amd && !arm {
		return
	}
	of := goFile{path: f.Path, amd: amd, arm: arm, declares: map[string]int{}}
	set := token.NewFileSet()
	if file, err := parser.ParseFile(set, "", f.Data, parser.SkipObjectResolution); err != nil {
		return
	} else if scopes(file) > maxScopes {
		r.LeftOut = append(r.LeftOut, LeftOut{f.Path, fmt.Sprintf("has more than %d scopes in one another", maxScopes)})
		return
	}
	// The deprecated resolution within a file tells what it needs of others.
	file, err := parser.ParseFile(set, "", f.Data, 0)
	if err != nil || file.Name.Name == "main" && amd != arm && strings.Contains(string(f.Data), "go:build ignore") {
		return
	}
	if file.Scope != nil { //nolint:staticcheck // as above
		for name, o := range file.Scope.Objects { //nolint:staticcheck // as above
			of.declares[name] = set.Position(o.Pos()).Line
		}
	}
	if arm {
		of.uses = list.Map(file.Unresolved, func(i *ast.Ident) string { return i.Name }) //nolint:staticcheck // as above
	}
	p.code, p.arm = append(p.code, of), p.arm || arm
}

// maxScopes bounds the scopes in one another of a file of Go: the parser seeks each name in all of those around it.
const maxScopes = 500

// scopes returns how many scopes of a file are in one another at most.
func scopes(file *ast.File) int {
	open, most := []bool{}, 0
	depth := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
			return true
		}
		opens := false
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit, *ast.FuncType, *ast.StructType, *ast.InterfaceType, *ast.TypeSpec, *ast.BlockStmt,
			*ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.CaseClause,
			*ast.CommClause:
			opens = true
			depth++
		}
		open, most = append(open, opens), max(most, depth)
		return true
	})
	return most
}

func (g *goAssembly) settle(r *Report) {
	for _, p := range g.dirs {
		arms := g.counterparts(p)
		for _, a := range p.asm {
			if a.amd && !a.arm {
				g.judge(a, p, arms, r)
			}
		}
		g.missing(p, r)
	}
}

// counterparts are the files of assembly for arm64 of a folder: the first of each stem and of each symbol, by its
// index.
type counterparts struct{ stems, symbols map[string]int }

func (g *goAssembly) counterparts(p *goPackage) counterparts {
	out := counterparts{map[string]int{}, map[string]int{}}
	for i, a := range slices.Backward(p.asm) {
		if a.arm {
			out.stems[g.stem(a.path)] = i
			for _, s := range a.symbols {
				out.symbols[s] = i
			}
		}
	}
	return out
}

// of returns the index of the first counterpart of a file, -1 if there is none.
func (c counterparts) of(stem string, symbols []string) int {
	first := -1
	better := func(i int, ok bool) {
		if ok && (first < 0 || i < first) {
			first = i
		}
	}
	i, ok := c.stems[stem]
	better(i, ok)
	for _, s := range symbols {
		i, ok := c.symbols[s]
		better(i, ok)
	}
	return first
}

// stem is that of a path without the names of vectors, by which assembly for amd64 is often told apart.
func (g *goAssembly) stem(file string) string {
	dir, base := path.Split(file)
	return g.stems.of(dir + g.vector.ReplaceAllString(base, ""))
}

// judge decides about a file of assembly for amd64.
func (g *goAssembly) judge(a asmFile, p *goPackage, arms counterparts, r *Report) {
	if i := arms.of(g.stem(a.path), a.symbols); i >= 0 {
		r.alternative(g.id(), a.path, "has assembly for arm64 beside it: "+path.Base(p.asm[i].path))
		return
	}
	if strings.Contains(strings.ToLower(a.path), "cpu") ||
		!slices.ContainsFunc(a.symbols, func(s string) bool { return !g.asks.MatchString(s) }) {
		r.alternative(g.id(), a.path, "asks the processor what it is")
		return
	}
	f := Finding{Check: g.id(), Severity: RunsSlowly, File: a.path, Line: 1,
		Says:   fmt.Sprintf("no arm64 assembly for %s: falls back to Go", namesOf(a.symbols)),
		Remedy: "measure it on arm64; a newer version may have assembly for it"}
	if !p.arm {
		f.Severity, f.Says = WorthChecking, fmt.Sprintf("assembly for amd64 (%s) in a package without any file for arm64",
			namesOf(a.symbols))
		f.Remedy = "import the package from files for amd64 alone"
	}
	r.add(f)
}

// namesOf lists some names.
func namesOf(all []string) string {
	const few = 3
	if len(all) <= few {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:few], ", "), len(all)-few)
}

// missing finds what files for arm64 use and only files for amd64 declare.
func (g *goAssembly) missing(p *goPackage, r *Report) {
	there, used := map[string]bool{}, map[string]bool{}
	for _, c := range p.code {
		if c.arm {
			for name := range c.declares {
				there[name] = true
			}
			for _, name := range c.uses {
				used[name] = true
			}
		}
	}
	for _, c := range p.code {
		if c.arm || !c.amd {
			continue
		}
		var lost []string
		line := 0
		for name, at := range c.declares {
			if !there[name] && name != "_" && name != "init" && used[name] {
				lost = append(lost, name)
				if line == 0 || at < line {
					line = at
				}
			}
		}
		if slices.Sort(lost); len(lost) > 0 {
			r.add(Finding{Check: g.id(), Severity: WillNotBuild, File: c.path, Line: line,
				Says:   fmt.Sprintf("%s: declared for amd64 alone, and files that arm64 compiles use it", namesOf(lost)),
				Remedy: "declare it for other processors too, in a file with //go:build !amd64"})
		}
	}
}
