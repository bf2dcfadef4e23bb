package judge

import (
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
)

// TestShareMinor: a default that another session sets tells no cells apart, and another value does.
func TestShareMinor(t *testing.T) {
	cells := []finding.Cell{
		{Workload: "tpcc", Params: map[string]string{"address": "", "tables": "1"},
			Wording: finding.Wording{Minor: []string{"address", "tables"}}},
		{Workload: "tpcc", Params: map[string]string{"address": "", "tables": "10"}},
		{Workload: "pgbench", Params: map[string]string{"address": "", "scale": "1"}},
	}
	shareMinor(cells)
	var got [][]string
	for _, c := range cells {
		slices.Sort(c.Wording.Minor)
		got = append(got, c.Wording.Minor)
	}
	if want := [][]string{{"address", "tables"}, {"address"}, nil}; !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("got %q, want %q", got, want)
	}
}
