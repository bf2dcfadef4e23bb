package all

import (
	"testing"

	"plimsoll/internal/workload/workloadtest"
)

func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if seen[s.Name] {
			t.Errorf("two workloads are named %s", s.Name)
		}
		seen[s.Name] = true
		t.Run(s.Name, func(t *testing.T) { workloadtest.Declaration(t, s) })
	}
}
