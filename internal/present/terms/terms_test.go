package terms

import (
	"strings"
	"testing"
)

// TestAll: at most 25 terms, each once, each meaning short enough for two lines.
func TestAll(t *testing.T) {
	all, seen := All(), map[string]bool{}
	if len(all) > 25 {
		t.Errorf("%d terms", len(all))
	}
	for _, term := range all {
		if seen[term.Name] || term.Name == "" || len(term.Meaning) > 100 || strings.HasSuffix(term.Meaning, ".") {
			t.Errorf("%+v", term)
		}
		seen[term.Name] = true
	}
}
