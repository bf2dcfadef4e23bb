package load

import (
	"slices"
	"sync"
	"testing"
)

func TestClaimsAreTheSchedule(t *testing.T) {
	const lanes, each = 16, 5000
	for _, arrivals := range []string{Poisson, Uniform} {
		s := mustSchedule(t, arrivals, 1e5, 7)
		a := newArrivals(s)
		claimed := make([][]int64, lanes)
		var wg sync.WaitGroup
		for i := range claimed {
			wg.Go(func() {
				for range each {
					claimed[i] = append(claimed[i], a.claim())
				}
			})
		}
		wg.Wait()
		for i, c := range claimed {
			if !slices.IsSorted(c) {
				t.Errorf("%s: lane %d claimed out of order", arrivals, i)
			}
		}
		all := slices.Concat(claimed...)
		slices.Sort(all)
		at := s.First()
		for i, got := range all {
			if got != at {
				t.Fatalf("%s: claim %d is %d, the schedule's is %d", arrivals, i, got, at)
			}
			at = s.Next(at)
		}
	}
}

func TestInflightAgainstAMap(t *testing.T) {
	for seed := range uint64(4) {
		r := Random(seed)
		s, want := newInflight(), map[int64]bool{}
		var keys []int64
		for step := range 50_000 {
			if r.Below(1000) < 505 || len(keys) == 0 {
				k := int64(step + 1)
				s.add(k)
				want[k] = true
				keys = append(keys, k)
				continue
			}
			i := r.Below(len(keys))
			k := keys[i]
			if got := s.remove(k); got != want[k] {
				t.Fatalf("seed %d step %d: remove(%d) = %v, want %v", seed, step, k, got, want[k])
			}
			delete(want, k)
			if r.Below(4) > 0 { // else it is removed again later, which must fail
				keys = slices.Delete(keys, i, i+1)
			}
		}
		left := 0
		for _, k := range s.slots {
			if k != 0 && !want[k] {
				t.Fatalf("seed %d: %d is still in the set", seed, k)
			}
			if k != 0 {
				left++
			}
		}
		if left != len(want) || s.n != left {
			t.Errorf("seed %d: %d in the set, n=%d, want %d", seed, left, s.n, len(want))
		}
	}
}
