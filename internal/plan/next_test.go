package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/record"
)

// follow carries out a plan; void selects the trials that fail.
func follow(t *testing.T, p record.Plan, done []record.Trial, void func(o record.Order) bool) []record.Order {
	t.Helper()
	var orders []record.Order
	for {
		o, ok := Next(p, done)
		if !ok {
			return orders
		}
		orders = append(orders, o)
		if len(orders) > 10_000 {
			t.Fatal("the plan does not end")
		}
		done = append(done, trialsOf(o, void)...)
	}
}

func trialsOf(o record.Order, void func(o record.Order) bool) []record.Trial {
	var out []record.Trial
	for i := range o.Sides {
		tr := record.Trial{ID: o.SlotOf(i).ID(), Slot: o.SlotOf(i)}
		if void != nil && void(o) {
			tr.Void = "made void"
		}
		out = append(out, tr)
	}
	return out
}

// levels is a factor that cannot be sliced.
func levels(n int) Request {
	var values []string
	for i := range n {
		values = append(values, fmt.Sprint("v", i))
	}
	return Request{Measure: []Ask{{Workload: "command"}}, Factors: []Factor{Vary("command.line", values)},
		Replicates: 4 * n, Seed: 7}
}

func TestPermutedBlocksAreBalanced(t *testing.T) {
	for _, k := range []int{2, 3, 5} {
		p := resolve(t, levels(k))
		at := map[[2]int]int{} // [cell, position]
		for _, o := range follow(t, p, nil, nil) {
			at[[2]int{o.Sides[0].Cell, o.Position}]++
		}
		for cell := range k {
			for pos := range k {
				if n := at[[2]int{cell, pos}]; n != 4 {
					t.Errorf("%d sides: cell %d ran %d times at position %d, want 4", k, cell, n, pos)
				}
			}
		}
	}
}

func TestOrderDependsOnTheSeed(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(20) {
		req := levels(2)
		req.Seed = seed
		order := ""
		for _, o := range follow(t, resolve(t, req), nil, nil) {
			order += fmt.Sprint(o.Sides[0].Cell)
		}
		seen[order] = true
	}
	if len(seen) < 5 {
		t.Errorf("20 seeds gave only %d orders", len(seen))
	}
}

func TestPairsStandSideBySide(t *testing.T) {
	orders := follow(t, resolve(t, levels(2)), nil, nil)
	for i := 0; i < len(orders); i += 2 {
		a, b := orders[i], orders[i+1]
		if a.Replicate != b.Replicate || a.Group != b.Group || a.Seed != b.Seed {
			t.Errorf("orders %d and %d are no pair: %+v %+v", i, i+1, a, b)
		}
	}
}

func TestSlicedSidesAreOneOrder(t *testing.T) {
	p := resolve(t, Request{Measure: kernel(nil), Factors: []Factor{Vary("kernel.bits", []string{"128", "256"})},
		Replicates: 3})
	orders := follow(t, p, nil, nil)
	if len(orders) != 3 || len(orders[0].Sides) != 2 || orders[0].SlotOf(0).ID() == orders[0].SlotOf(1).ID() {
		t.Errorf("orders %+v", orders)
	}
	if s := Follow(p).Remaining(nil).Load; s != 3*2*(DefaultDurationS+0) {
		t.Errorf("%g seconds remain", s)
	}
}

func TestVoidTrialIsTriedOnceMoreAtOnce(t *testing.T) {
	p := resolve(t, levels(2))
	failed := 0
	orders := follow(t, p, nil, func(o record.Order) bool {
		bad := o.Replicate == 3 && o.Position == 0 && o.Attempt == 0
		if bad {
			failed++
		}
		return bad
	})
	if failed != 1 || len(orders) != 17 {
		t.Fatalf("%d failures, %d orders", failed, len(orders))
	}
	i := slices.IndexFunc(orders, func(o record.Order) bool { return o.Attempt == 1 })
	if orders[i].Sides[0].Cell != orders[i-1].Sides[0].Cell || orders[i].ID == orders[i-1].ID {
		t.Errorf("the second attempt is %+v after %+v", orders[i], orders[i-1])
	}
}

// TestLostHostCostsNoReplicate: a run whose host was lost meanwhile is tried up to twice more than one that fails by
// itself.
func TestLostHostCostsNoReplicate(t *testing.T) {
	p := resolve(t, levels(2))
	for _, c := range []struct{ lost, failed, attempts int }{
		{0, 5, 2}, {1, 0, 2}, {2, 0, 3}, {3, 0, 4}, {9, 0, 4}, {1, 9, 3}, {2, 1, 4}} {
		var done []record.Trial
		tries := 0
		for o, ok := Next(p, done); ok; o, ok = Next(p, done) {
			made := trialsOf(o, nil)
			if o.Replicate == 1 && o.Sides[0].Cell == 0 {
				tries++
				if made[0].Away = tries <= c.lost; made[0].Away || tries <= c.lost+c.failed {
					made[0].Void = "made void"
				}
			}
			done = append(done, made...)
		}
		if tries != c.attempts {
			t.Errorf("lost %d times, then failed %d times: %d attempts, want %d", c.lost, c.failed, tries, c.attempts)
		}
	}
}

func TestCellThatNeverWorksIsGivenUp(t *testing.T) {
	p := resolve(t, levels(2))
	orders := follow(t, p, nil, func(o record.Order) bool { return o.Sides[0].Cell == 1 })
	counts := map[int]int{}
	for _, o := range orders {
		counts[o.Sides[0].Cell]++
	}
	if counts[0] != p.Replicates || counts[1] != attempts {
		t.Errorf("orders by cell %v", counts)
	}
}

func TestResumeGoesOnWhereTheFileEnds(t *testing.T) {
	p := resolve(t, levels(3))
	whole := follow(t, p, nil, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		cut := rng.IntN(len(whole))
		var done []record.Trial
		for _, o := range whole[:cut] {
			done = append(done, trialsOf(o, nil)...)
		}
		rng.Shuffle(len(done), func(i, j int) { done[i], done[j] = done[j], done[i] })
		rest := follow(t, p, done, nil)
		if len(rest) != len(whole)-cut || len(rest) > 0 && rest[0].ID != whole[cut].ID {
			t.Fatalf("after %d of %d: %d orders, want %d", cut, len(whole), len(rest), len(whole)-cut)
		}
	}
}

func TestTrialsOfAnotherPlanDoNotCount(t *testing.T) {
	p := resolve(t, levels(2))
	done := trialsOf(follow(t, p, nil, nil)[0], nil)
	done[0].Plan = "0123"
	if o, _ := Next(p, done); o.Replicate != 0 || o.Position != 0 {
		t.Errorf("next is %+v", o)
	}
}
