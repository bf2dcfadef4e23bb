package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
)

// truth returns the means of the reference simulation (s9.py): effects of 10, 5 and 3%, the first two together 4%
// less. Bit 0 is the first factor.
func truth() []float64 {
	out := make([]float64, 8)
	for cell := range out {
		for i, b := range []float64{.10, .05, .03} {
			out[cell] += b * float64(cell>>i&1)
		}
		if cell&3 == 3 {
			out[cell] -= .04
		}
	}
	return out
}

// factorialGolden is truth with noise, two replicates, in the oracle's order of combinations:
// there the first factor changes last.
func factorialGolden() Factorial {
	cells, noise := make([][]float64, 8), scaled(chaotic(16), .02)
	for i := range 8 {
		cell := i>>2&1 | i&2 | i&1<<2
		cells[cell] = []float64{truth()[cell] + noise[2*i], truth()[cell] + noise[2*i+1]}
	}
	return Factorial{Cells: cells}
}

func attributed(t *testing.T, f Factorial) Attribution {
	t.Helper()
	a, err := f.Attribute()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestFactorialGolden holds values of numpy.
func TestFactorialGolden(t *testing.T) {
	a := attributed(t, factorialGolden())
	for i, want := range []float64{0.0820823962134331, 0.030060456113508778, 0.032040128838143944} {
		near(t, "share", a.Shares[i].Mean, want, 1e-9)
		near(t, "its error", a.Shares[i].SE, 0.0038480155934918843, 1e-9)
	}
	near(t, "lo", a.Shares[0].Interval.Lo, 0.0732088563425107, 1e-9)
	near(t, "hi", a.Shares[0].Interval.Hi, 0.09095593608435551, 1e-9)
	near(t, "total", a.Total.Mean, 0.14418298116508582, 1e-9)
	near(t, "degrees of freedom", a.DF, 8, 0)
	first, all := a.Interactions[0], a.Interactions[3]
	if !slices.Equal(first.Factors, []int{0, 1}) || !slices.Equal(all.Factors, []int{0, 1, 2}) ||
		len(a.Interactions) != 4 {
		t.Errorf("interactions %+v", a.Interactions)
	}
	near(t, "first with second", first.Mean, -0.040294698502549305, 1e-9)
	near(t, "its error", first.SE, 0.01032530933463246, 1e-9)
	near(t, "all three", all.Mean, 0.011970852535649761, 1e-9)
	f := factorialGolden()
	f.Blocked = true
	b := attributed(t, f)
	near(t, "blocked variance", b.SD*b.SD, 5.827919383466705e-05, 1e-12)
	near(t, "blocked degrees of freedom", b.DF, 7, 0)
}

// TestSharesAddUp: they sum to the total to 1e-9 for any number of factors and replicates, and without noise they equal
// the true effects.
func TestSharesAddUp(t *testing.T) {
	r := seeded(t, 151)
	for range 200 {
		cells := make([][]float64, 1<<(1+r.IntN(maxFactors)))
		for i := range cells {
			cells[i] = normals(r, 2+r.IntN(4), r.NormFloat64(), .1)
		}
		a, sum := attributed(t, Factorial{Cells: cells}), 0.0
		for _, s := range a.Shares {
			sum += s.Mean
		}
		near(t, "sum of shares", sum, a.Total.Mean, 1e-9)
		near(t, "total", a.Total.Mean, Mean(cells[len(cells)-1])-Mean(cells[0]), 1e-12)
	}
	var exact Factorial
	for _, m := range truth() {
		exact.Cells = append(exact.Cells, []float64{m, m})
	}
	a := attributed(t, exact)
	near(t, "total", a.Total.Mean, .14, 1e-12)
	for i, want := range []float64{.08, .03, .03} {
		near(t, "share", a.Shares[i].Mean, want, 1e-12)
		near(t, "alone", a.Alone[i].Mean, []float64{.10, .05, .03}[i], 1e-12)
	}
	exact.SDFloor = SDFloor
	near(t, "floored", attributed(t, exact).SD, SDFloor, 0)
}

func TestFactorialRefuses(t *testing.T) {
	two := []float64{1, 2}
	for why, f := range map[string]Factorial{
		"got 3 combinations, need 2, 4, 8 or 16":                 {Cells: [][]float64{two, two, two}},
		"32 combinations, need 2, 4, 8 or 16":                    {Cells: slices.Repeat([][]float64{two}, 32)},
		"got 4 combinations, a half fraction of 4 factors has 8": {Cells: slices.Repeat([][]float64{two}, 4), Half: true},
		"1 combinations":                                  {Cells: [][]float64{two}},
		"combination 1 of 2 has no value":                 {Cells: [][]float64{two, nil}},
		"combination 1 has 1 replicates, the first has 2": {Cells: [][]float64{two, {1}}, Blocked: true},
		"with one value of each combination":              {Cells: [][]float64{{1}, {2}}},
	} {
		if _, err := f.Attribute(); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
}

// TestFactorialCoverage: 16 runs with noise of 2%. A share's standard error is 1.05%, against 1.42% one factor at a
// time, and intervals cover 95% (docs/derivations.md#factorial-designs).
func TestFactorialCoverage(t *testing.T) {
	simtest.Long(t)
	const noise = .02
	r, sessions := seeded(t, 157), times(6000, 1200)
	covered, shares, alone := 0.0, make([]float64, sessions), make([]float64, sessions)
	for i := range sessions {
		a := attributed(t, Factorial{Cells: measured(r, 2, noise, 0)})
		covered += holds(a.Shares[0].Interval, .08) / float64(sessions)
		shares[i] = a.Shares[0].Mean
		// The same 16 runs as four at each of four combinations.
		alone[i] = Mean(normals(r, 4, .10, noise)) - Mean(normals(r, 4, 0, noise))
	}
	t.Logf("share: sd %.4f, covered %.3f; one at a time: sd %.4f", SD(shares), covered, SD(alone))
	relative := 4 / math.Sqrt(2*float64(sessions))
	near(t, "sd of a share", SD(shares), .0105, .0105*relative)
	near(t, "sd of one at a time", SD(alone), .0142, .0142*relative)
	near(t, "covered", covered, .95, slack(.95, sessions, 20000))
}

// TestBlocksTakeDriftOut: if all combinations of a replicate share a disturbance of 5%, blocked intervals cover as
// they should and are narrower than the others.
func TestBlocksTakeDriftOut(t *testing.T) {
	simtest.Long(t)
	r, sessions := seeded(t, 163), times(4000, 800)
	covered, narrow, wide := 0.0, 0.0, 0.0
	for range sessions {
		f := Factorial{Cells: measured(r, 3, .02, .05)}
		wide += attributed(t, f).Shares[0].SE / float64(sessions)
		f.Blocked = true
		a := attributed(t, f)
		covered += holds(a.Shares[0].Interval, .08) / float64(sessions)
		narrow += a.Shares[0].SE / float64(sessions)
	}
	t.Logf("covered %.3f, error %.4f blocked, %.4f not", covered, narrow, wide)
	near(t, "covered", covered, .95, slack(.95, sessions, math.MaxInt))
	if wide < 2*narrow {
		t.Errorf("the disturbance does not show (%v, %v), so this proves nothing", wide, narrow)
	}
}

// measured simulates a factorial of truth.
func measured(r *rand.Rand, replicates int, noise, shared float64) [][]float64 {
	blocks := normals(r, replicates, 0, shared)
	var cells [][]float64
	for _, m := range truth() {
		cell := normals(r, replicates, m, noise)
		for i := range cell {
			cell[i] += blocks[i]
		}
		cells = append(cells, cell)
	}
	return cells
}
