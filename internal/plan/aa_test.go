package plan

import (
	"testing"

	"plimsoll/internal/record"
)

func TestAAComparesEachCellWithItself(t *testing.T) {
	base := resolve(t, Request{Replicates: 2, Measure: []Ask{
		{Workload: "kernel", Sweep: []Axis{{"size", []string{"1KiB", "2KiB"}}}}, {Workload: "command"},
	}})
	p := AA(base, declared())
	groups := groupsOf(p)
	if len(groups) != 5 || len(p.Cells) != 10 {
		t.Fatalf("%d groups, %d cells", len(groups), len(p.Cells))
	}
	for i, want := range []struct {
		size   string
		sliced bool
	}{{"1KiB", true}, {"1KiB", false}, {"2KiB", true}, {"2KiB", false}, {"", false}} {
		a, b := p.Cells[groups[i].cells[0]], p.Cells[groups[i].cells[1]]
		if a.Params["size"] != want.size || b.Params["size"] != want.size || a.Sliced != want.sliced ||
			b.Sliced != want.sliced {
			t.Errorf("group %d: %+v and %+v", i, a, b)
		}
		if a.Levels[FactorAA] != LevelA || b.Levels[FactorAA] != LevelB || a.Load != b.Load {
			t.Errorf("group %d: %+v and %+v", i, a, b)
		}
	}
	if len(base.Cells) != 3 || base.Cells[0].Levels != nil {
		t.Errorf("the plan itself has changed: %+v", base.Cells)
	}
	if Hash(p) == Hash(base) {
		t.Error("both plans have one hash")
	}
}

func TestAAOrders(t *testing.T) {
	p := AA(resolve(t, Request{Replicates: 2, Measure: kernel(nil)}), declared())
	sides := map[int]int{}
	for _, o := range follow(t, p, nil, func(record.Order) bool { return false }) {
		sides[len(o.Sides)]++
	}
	if sides[2] != 2 || sides[1] != 4 {
		t.Errorf("orders by their number of sides: %v", sides)
	}
}
