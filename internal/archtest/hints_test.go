package archtest

import (
	"go/ast"
	"strings"
	"testing"
)

// hintsAreNotReadBack: an error's hint is a field of usage.Error. Who needs it apart calls internal/base/usage; nobody
// else looks for it in a text.
func hintsAreNotReadBack(t *testing.T, files []source) {
	for _, f := range files {
		if f.pkg == "internal/base/usage" {
			continue
		}
		ast.Inspect(f.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && searchesHint(call) {
				t.Errorf("%s looks for a hint in a text", f.path)
			}
			return true
		})
	}
}

// searchesHint reports whether a call of package strings is given the text that begins a hint.
func searchesHint(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if pkg, ok := fun.X.(*ast.Ident); !ok || pkg.Name != "strings" {
		return false
	}
	for _, arg := range call.Args {
		if text, ok := arg.(*ast.BasicLit); ok && strings.HasPrefix(text.Value, `"\nhint:`) {
			return true
		}
	}
	return false
}
