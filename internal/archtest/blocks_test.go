package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// madeBeside lists the packages outside findings that make blocks: of render's screens, and those with which the
// media lay out what they were given.
func madeBeside() []string {
	return []string{"internal/present/render", "internal/present/media/term", "internal/present/media/markdown"}
}

// onlyFindingsMakeBlocks: findings make blocks, and media write those that they are given.
func onlyFindingsMakeBlocks(t *testing.T, files []source) {
	made := map[string]bool{}
	for _, f := range files {
		if f.pkg == "internal/record/block" || f.pkg == "internal/analysis/finding" ||
			strings.HasPrefix(f.pkg, topics) {
			continue
		}
		if makesBlocks(f.file) {
			made[f.pkg] = true
			if !slices.Contains(madeBeside(), f.pkg) {
				t.Errorf("%s: %s makes blocks: findings make them", f.path, f.pkg)
			}
		}
	}
	for _, pkg := range madeBeside() {
		if !made[pkg] {
			t.Errorf("%s makes no blocks any longer: take it off the list", pkg)
		}
	}
}

// makesBlocks reports whether a file has a composite literal of a type of package block, or of a slice of them.
func makesBlocks(f *ast.File) bool {
	made := false
	ast.Inspect(f, func(node ast.Node) bool {
		if lit, ok := node.(*ast.CompositeLit); ok {
			list, ok := lit.Type.(*ast.ArrayType)
			made = made || isBlock(lit.Type) || ok && isBlock(list.Elt) && len(lit.Elts) > 0
		}
		return true
	})
	return made
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
