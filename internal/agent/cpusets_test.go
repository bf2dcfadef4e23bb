package agent

import (
	"slices"
	"testing"
)

func TestCPUSets(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 1, 3: 1, 4: 1, 8: 2, 64: 16} {
		var allowed []int
		for i := range n {
			allowed = append(allowed, 10+i)
		}
		work, gen := cpuSets(allowed)
		if len(gen) != want || want > 0 && !slices.Equal(slices.Concat(work, gen), allowed) {
			t.Errorf("%d CPUs: work %v, generator %v", n, work, gen)
		}
	}
}
