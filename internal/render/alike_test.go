package render

import (
	"slices"
	"testing"
)

func TestFoldFigures(t *testing.T) {
	for _, c := range []struct{ texts, want []string }{
		{nil, []string{}},
		{[]string{"emulated"}, []string{"emulated"}},
		{[]string{"emulated", "emulated", "warm-up too short"}, []string{"emulated (2 times)", "warm-up too short"}},
		{
			[]string{"steady only from 41 s on: warm up longer", "drifts by -3.0 % from end to end", "steady only from 7 s on: warm up longer", "drifts by +1.5 % from end to end", "steady only from 19 s on: warm up longer"},
			[]string{"steady only from 7 to 41 s on: warm up longer (3 times)", "drifts by -3.0 to +1.5 % from end to end (2 times)"},
		},
		{[]string{"3 of 10 probes", "3 of 9 probes"}, []string{"3 of 9 to 10 probes (2 times)"}},
		{[]string{"node-1 is far", "node-2 is far", "a NaN"}, []string{"node-1 is far", "node-2 is far", "a NaN"}},
	} {
		if got := foldFigures(c.texts); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
	}
}
