package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// overBlocks lists the composite literals of blocks outside findings: of render's screens, and those with which the
// terminal lays out what it was given. A number here may only fall, and has to once a package is slackBlocks below it.
func overBlocks() map[string]int {
	return map[string]int{"internal/render": 62, "internal/media/term": 6, "internal/media/markdown": 1}
}

const slackBlocks = 20

// TestMediaMakeNoBlocks holds that findings make blocks, and media write those that they are given.
func TestMediaMakeNoBlocks(t *testing.T) {
	made := map[string]int{}
	for _, f := range sources(t) {
		if f.pkg != "internal/block" && f.pkg != "internal/finding" && !strings.HasPrefix(f.pkg, "internal/finding/") {
			made[f.pkg] += blocksMade(f.file)
		}
	}
	for pkg, n := range made {
		ratchet(t, "blocks made in "+pkg, n, 0, overBlocks()[pkg], slackBlocks)
	}
}

// blocksMade returns the number of composite literals of types of package block in a file, elements of slices too.
func blocksMade(f *ast.File) int {
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		lit, ok := node.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if list, ok := lit.Type.(*ast.ArrayType); ok && isBlock(list.Elt) {
			for _, e := range lit.Elts {
				if e, ok := e.(*ast.CompositeLit); ok && e.Type == nil {
					n++
				}
			}
		}
		if isBlock(lit.Type) {
			n++
		}
		return true
	})
	return n
}

// isBlock reports whether a type is one of package block's blocks.
func isBlock(kind ast.Expr) bool {
	s, ok := kind.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := s.X.(*ast.Ident)
	return ok && from.Name == "block" &&
		slices.Contains([]string{"Sentence", "Table", "Chart", "Plot", "Flame", "Section"}, s.Sel.Name)
}
