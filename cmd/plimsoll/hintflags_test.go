package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestFlagsOfHints: every command line of ours in a text of the program, hints first of all, has flags that its verb
// has. Few of the texts are printed by a test.
func TestFlagsOfHints(t *testing.T) {
	root := (&app{agent: newAgent()}).root()
	root.InitDefaultHelpCmd()
	// Words within quotes are another program's, and prose follows a comma.
	line := regexp.MustCompile(`\bplimsoll ([a-z]+)\b((?:'[^']*'|[^;:,|()\n'])*)`)
	flag := regexp.MustCompile(`\s--([a-z][a-z-]*[a-z])\b`)
	lines := 0
	check := func(path, text string) {
		for _, m := range line.FindAllStringSubmatch(text, -1) {
			words := regexp.MustCompile(`'[^']*'`).ReplaceAllString(m[2], "'…'")
			verb, _, err := root.Find(append([]string{m[1]}, strings.Fields(words)...))
			if err != nil || verb == root {
				continue // prose
			}
			lines++
			for _, f := range flag.FindAllStringSubmatch(words, -1) {
				if f[1] != "help" && verb.Flags().Lookup(f[1]) == nil {
					t.Errorf("%s: %q: %s has no flag --%s", path, m[0], verb.CommandPath(), f[1])
				}
			}
		}
	}
	for _, dir := range []string{".", "../../internal"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				text := joined(e)
				check(path, text)
				return text == ""
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if lines < 100 {
		t.Errorf("%d command lines are found", lines)
	}
}

// joined returns the text of a string literal, or of a sum of strings with … for each part that isn't constant. It is
// "" for any other expression.
func joined(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return text
		}
	case *ast.BinaryExpr:
		left, right := joined(e.X), joined(e.Y)
		switch {
		case e.Op != token.ADD || left+right == "":
		case left == "":
			return "…" + right
		case right == "":
			return left + "…"
		default:
			return left + right
		}
	}
	return ""
}
