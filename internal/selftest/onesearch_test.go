package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

// TestOneSearch holds the table of docs/derivations.md#searches: what single searches of servers of 1 to 50 ms say, by
// what disturbs them. By day there are few, with loose bounds.
func TestOneSearch(t *testing.T) {
	const seed = 7
	searches, slack := 60, .06
	if simtest.Night() {
		searches, slack = 600, 0
	}
	for _, d := range []disturbed{{}, {scatter: .15}, {scatter: .3, stalls: .1}, {scatter: .3, stalls: .1, late: .1},
		{late: .5}} {
		rng := rand.New(rand.NewPCG(seed, 1))
		count := map[string]int{}
		for range searches {
			got, err := Real().searchOnce(rng, d)
			switch {
			case err != nil:
				t.Fatal(err)
			case got.stated:
				count["stated"]++
				count[fmt.Sprintf("stated, held %t", got.holds)]++
				if math.Abs(got.off) < lineNear {
					count["within 10%"]++
				}
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
		if held := share(count["bracketed, held true"], count["bracketed"]); held < .8-2*slack {
			t.Errorf("%+v: %.0f%% of brackets hold the truth", d, 100*held)
		}
		if d == (disturbed{}) && share(count["stated"], searches) < .4-2*slack {
			t.Errorf("idle: %d of %d searches state a line", count["stated"], searches)
		}
	}
}
