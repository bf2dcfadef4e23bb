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

func TestFind(t *testing.T) {
	for _, s := range All() {
		if got, ok := Find(s.Name); !ok || got.Name != s.Name {
			t.Errorf("Find(%q) gave %q, %v", s.Name, got.Name, ok)
		}
	}
	if got, ok := Find("aes"); ok {
		t.Errorf("Find of a name that is none gave %q", got.Name)
	}
}
