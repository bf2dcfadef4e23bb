package stat_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/record/stat"
)

func ranked(a, b []float64, paired bool) stat.Ranked {
	return stat.Ranked{A: a, B: b, Paired: paired, Alpha: .05}
}

func repeat(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }

// TestExactP holds probabilities that follow from counting: 2/C(16,8) of two samples that do not overlap, and the
// hypergeometric one of zeros and threes.
func TestExactP(t *testing.T) {
	for name, c := range map[string]struct {
		r    stat.Ranked
		want float64
	}{
		"8 zeros, 8 threes":      {ranked(repeat(0, 8), repeat(3, 8), false), 2. / 12870},
		"8 threes, 8 zeros":      {ranked(repeat(3, 8), repeat(0, 8), false), 2. / 12870},
		"6 of 8 are threes":      {ranked(repeat(0, 8), []float64{0, 0, 3, 3, 3, 3, 3, 3}, false), 2 * 28. / 8008},
		"4 against 4":            {ranked(repeat(0, 4), []float64{5, 6, 5, 7}, false), 2. / 70},
		"2 against 2":            {ranked(repeat(0, 2), repeat(3, 2), false), 2. / 6},
		"2 against 20":           {ranked(repeat(0, 2), repeat(3, 20), false), 2. / 231},
		"20 against 2":           {ranked(repeat(0, 20), repeat(3, 2), false), 2. / 231},
		"all equal":              {ranked(repeat(0, 8), repeat(0, 8), false), 1},
		"negative":               {ranked([]float64{-4, -5, -6, -7}, []float64{-3, -2, 1, 0}, false), 2. / 70},
		"6 pairs":                {ranked(repeat(0, 6), repeat(3, 6), true), 2. / 64},
		"6 of 20 pairs differ":   {ranked(repeat(0, 20), slices.Concat(repeat(0, 14), repeat(1, 6)), true), 2. / 64},
		"pairs without a change": {ranked(repeat(2, 6), repeat(2, 6), true), 1},
		"no values":              {ranked(nil, repeat(3, 2), false), 1},
	} {
		if got := c.r.P(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: p %v, want %v", name, got, c.want)
		}
	}
}

// TestExactPIsOfAllPermutations counts them.
func TestExactPIsOfAllPermutations(t *testing.T) {
	a, b := []float64{0, 2, 0, 1}, []float64{1, 3, 2, 2, 0}
	all := slices.Concat(a, b)
	sum := func(chosen uint) float64 { // of midranks
		out := 0.0
		for i, x := range all {
			if chosen>>i&1 == 0 {
				continue
			}
			for _, y := range all {
				switch {
				case y < x:
					out++
				case y == x:
					out += .5
				}
			}
		}
		return out
	}
	const own = 0b111110000
	var below, above, n float64
	for chosen := range uint(1 << len(all)) {
		ones := 0
		for i := range all {
			ones += int(chosen >> i & 1)
		}
		if ones != len(b) {
			continue
		}
		n++
		if sum(chosen) <= sum(own) {
			below++
		}
		if sum(chosen) >= sum(own) {
			above++
		}
	}
	gotBelow, gotAbove := ranked(a, b, false).Beyond(stat.By(0))
	if math.Abs(gotBelow-below/n) > 1e-12 || math.Abs(gotAbove-above/n) > 1e-12 {
		t.Errorf("%v and %v, want %v and %v", gotBelow, gotAbove, below/n, above/n)
	}
	// The other way round the tails change places.
	if x, y := ranked(b, a, false).Beyond(stat.By(0)); math.Abs(x-gotAbove)+math.Abs(y-gotBelow) > 1e-12 {
		t.Errorf("turned: %v and %v", x, y)
	}
}

// TestNormalRanksContinueExactOnes: at the number of values where the approximation begins, it is close.
func TestNormalRanksContinueExactOnes(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	draw := func(n int, shift float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = math.Floor(4*r.Float64() + shift)
		}
		return out
	}
	for range 20 {
		a, b := draw(30, 0), draw(30, .5)
		exact := ranked(a, b, false).P()
		// One more value, in the middle of both, changes little.
		if near := ranked(append(a, 1.9), b, false).P(); math.Abs(exact-near) > .05 {
			t.Errorf("p %v of 60 values and %v of 61", exact, near)
		}
	}
}

// TestRankSumK holds published critical values of U at 5%, two-sided (Siegel, Nonparametric Statistics, 1956, table
// K), one less than k.
func TestRankSumK(t *testing.T) {
	for _, c := range []struct{ n, m, critical int }{
		{3, 3, -1}, {4, 4, 0}, {5, 5, 2}, {8, 8, 13}, {10, 10, 23}, {3, 9, 2}, {20, 20, 127}, {12, 15, 49},
	} {
		if got := stat.RankSumK(c.n, c.m, .05); got != c.critical+1 || stat.RankSumK(c.m, c.n, .05) != got {
			t.Errorf("%d and %d values: k %d, want %d", c.n, c.m, got, c.critical+1)
		}
	}
}

func TestShift(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		r                    stat.Ranked
		shift, lo, hi        float64
		share, shareLo, most float64
	}{
		"0 to 3":         {ranked(repeat(0, 8), repeat(3, 8), false), 3, 3, 3, inf, inf, inf},
		"all zero":       {ranked(repeat(0, 8), repeat(0, 8), false), 0, 0, 0, 0, 0, 0},
		"2 against 2":    {ranked(repeat(0, 2), repeat(3, 2), false), 3, -inf, inf, inf, -inf, inf},
		"negative":       {ranked(repeat(-4, 4), repeat(-3, 4), false), 1, 1, 1, .25, .25, .25},
		"one zero of 8":  {ranked(slices.Concat(repeat(10, 7), repeat(0, 1)), repeat(11, 8), false), 1, 1, 1, .1, .1, .1},
		"pairs from 0":   {ranked(repeat(0, 8), repeat(2, 8), true), 2, 2, 2, inf, inf, inf},
		"zeros in pairs": {ranked([]float64{4, 4, 0, 4, 4, 4, 4, 4}, repeat(5, 8), true), 1, 1, 3, .25, .25, inf},
	} {
		shift, iv := c.r.Shift()
		share, of := c.r.Relative()
		if shift != c.shift || iv != (stat.Interval{Lo: c.lo, Hi: c.hi}) {
			t.Errorf("%s: %v, %v", name, shift, iv)
		}
		if math.Abs(share-c.share) > 1e-12 || of != (stat.Interval{Lo: c.shareLo, Hi: c.most}) && c.share < inf &&
			math.Abs(of.Lo-c.shareLo) > 1e-12 {
			t.Errorf("%s: relative %v, %v", name, share, of)
		}
	}
}

// TestAnyRiseFromZeroExceedsEveryShare is the gate of a count that was 0.
func TestAnyRiseFromZeroExceedsEveryShare(t *testing.T) {
	for _, share := range []float64{0, .02, 1e6} {
		if _, above := ranked(repeat(0, 8), repeat(3, 8), false).Beyond(stat.ByShare(share)); above > .025 {
			t.Errorf("by %v: p %v", share, above)
		}
	}
	if _, above := ranked(repeat(1, 8), repeat(3, 8), false).Beyond(stat.ByShare(2)); above < .5 {
		t.Errorf("three times as much exceeds +200%%: p %v", above)
	}
}

func TestFewestRanks(t *testing.T) {
	for _, c := range []struct {
		paired bool
		alpha  float64
		want   int
	}{{false, .05, 4}, {true, .05, 6}, {true, .0141, 8}, {false, .01, 5}} {
		n := stat.FewestRanks(c.paired, c.alpha)
		few, enough := stat.Ranked{Paired: c.paired, Alpha: c.alpha}, stat.Ranked{Paired: c.paired, Alpha: c.alpha}
		few.A, few.B, enough.A, enough.B = repeat(0, n-1), repeat(0, n-1), repeat(0, n), repeat(0, n)
		if n != c.want || few.Decides() || !enough.Decides() {
			t.Errorf("%+v: %d", c, n)
		}
	}
}
