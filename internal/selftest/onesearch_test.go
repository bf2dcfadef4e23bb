package selftest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/selftest/queue"
)

// TestOneSearch holds the table of docs/derivations.md#searches: what single searches of servers of 1 to 50 ms say, by
// what disturbs them. By day there are few, with loose bounds.
func TestOneSearch(t *testing.T) {
	const seed = 7
	searches, slack := 40, .06
	if simtest.Night() {
		searches, slack = 600, 0
	}
	for _, d := range []disturbed{{}, {scatter: .15}, {scatter: .3, stalls: .1}, {scatter: .3, stalls: .1, late: .1},
		{late: .5}} {
		rng := rand.New(rand.NewPCG(seed, 1))
		count := map[string]int{}
		for range searches {
			got, err := Real().searchOnce(rng, d)
			if err != nil {
				t.Fatal(err)
			}
			if got.near() {
				count["within 10%"]++
			}
			switch {
			case got.stated:
				count["stated"]++
				count[fmt.Sprintf("stated, held %t", got.holds)]++
			case got.bracketed:
				count["bracketed"]++
				count[fmt.Sprintf("bracketed, held %t", got.holds)]++
			}
		}
		share := func(part, of int) float64 { return float64(part) / float64(max(1, of)) }
		t.Logf("seed %d, %d searches, %+v: %v", seed, searches, d, count)
		if wrong := share(count["stated, held false"], searches); wrong > .05+slack {
			t.Errorf("%+v: %.1f%% confirmed a line that is wrong", d, 100*wrong)
		}
		if held := share(count["bracketed, held true"], count["bracketed"]); held < .9-2*slack {
			t.Errorf("%+v: %.0f%% of brackets hold the truth", d, 100*held)
		}
		if near := share(count["within 10%"], searches); d == (disturbed{}) && near < .68-2*slack {
			t.Errorf("idle: %.0f%% of searches are within 10%%", 100*near)
		}
	}
}

// TestKnownServers: 19 of 20 searches that scripts/bench-searches makes of idle servers, for a p99 of 20 ms, are within
// 10%.
func TestKnownServers(t *testing.T) {
	const seed = 8
	each := simtest.Times(50, 5)
	rng := rand.New(rand.NewPCG(seed, 1))
	near, all := 0, 0
	for _, known := range []struct {
		servers int
		mean    float64 // milliseconds
	}{{2, 2}, {4, 3}, {2, 1.5}, {8, 3}, {2, 2.5}, {4, 2}, {8, 2}, {4, 2.5}} {
		s := queue.Several{Rate: 1e3 / known.mean, Servers: known.servers}
		for range each {
			got, err := Real().searchServer(rng, s, .020, disturbed{})
			if err != nil {
				t.Fatal(err)
			}
			if all++; got.near() {
				near++
			}
		}
	}
	if t.Logf("seed %d: %d of %d within 10%%", seed, near, all); float64(near) < .95*float64(all)-2 {
		t.Errorf("%d of %d are within 10%%", near, all)
	}
}
