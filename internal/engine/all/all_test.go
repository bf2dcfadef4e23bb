package all_test

import (
	"slices"
	"testing"

	"plimsoll/internal/engine/all"
)

func TestEveryEngineIsFoundByItsName(t *testing.T) {
	names := all.Names()
	if len(names) < 3 || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Errorf("the names %v are too few, or not all different", names)
	}
	for _, name := range names {
		if e, ok := all.Find(name); !ok || e.Name() != name {
			t.Errorf("%s is not found", name)
		}
	}
	if _, ok := all.Find("none"); ok {
		t.Error("found an engine that is not there")
	}
}
