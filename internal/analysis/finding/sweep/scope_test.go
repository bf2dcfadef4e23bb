package sweep

import (
	"testing"

	"plimsoll/internal/analysis/trialset"
)

// TestScope: a finding about a sweep names the cells of all its points, the one of the largest value first.
func TestScope(t *testing.T) {
	seen := map[string]int{}
	for _, a := range Analyzers() {
		for _, f := range a.Run(sweptInput()) {
			if f.Kind == "" || f.Cells[0].Machine != "m7gd.2xlarge" {
				continue
			}
			at := map[trialset.Key]bool{}
			for _, c := range f.Cells {
				at[c] = true
			}
			if len(at) != len(f.Cells) {
				t.Errorf("%s names a cell twice: %v", f.Kind, f.Cells)
			}
			if f.Kind == string(KindSpeedup) && f.Cells[len(f.Cells)-1].Load != "1 cpus" ||
				f.Kind == string(KindScaling) && f.Cells[0].Load != "8 cpus" {
				t.Errorf("%s is about %v", f.Kind, f.Cells)
			}
			seen[f.Kind] = max(seen[f.Kind], len(f.Cells))
		}
	}
	for k, want := range map[string]int{string(KindScaling): 8, string(KindSpeedup): 2} {
		if seen[k] != want {
			t.Errorf("%s rests on %d cells, want %d", k, seen[k], want)
		}
	}
}
