package stat

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
)

// fourth is the log of a combination of four factors: 10, 5, 3 and 8%, the first and the second together 4% less, the
// second and the fourth 2% more.
func fourth(cell int) float64 {
	out := 0.0
	for i, b := range []float64{.10, .05, .03, .08} {
		out += b * float64(cell>>i&1)
	}
	if cell&3 == 3 {
		out -= .04
	}
	if cell&10 == 10 {
		out += .02
	}
	return out
}

func halfOf(truth func(int) float64) [][]float64 {
	var cells [][]float64
	for three := range 8 {
		cell := three
		if HalfFourth(three) {
			cell |= 8
		}
		cells = append(cells, []float64{truth(cell), truth(cell)})
	}
	return cells
}

// TestHalfHasBothCorners and every level equally often, as every pair of levels.
func TestHalfHasBothCorners(t *testing.T) {
	var cells []int
	for three := range 8 {
		cell := three
		if HalfFourth(three) {
			cell |= 8
		}
		cells = append(cells, cell)
	}
	if cells[0] != 0 || cells[7] != 15 {
		t.Errorf("corners %d and %d", cells[0], cells[7])
	}
	for set := 1; set < 15; set++ {
		n := 0
		for _, c := range cells {
			if c&set == set {
				n++
			}
		}
		if want := 8 >> bits.OnesCount(uint(set)); bits.OnesCount(uint(set)) < 4 && n != want {
			t.Errorf("%d of the combinations have factors %04b at the second level, want %d", n, set, want)
		}
	}
}

// TestHalfTellsWhatItCan: without noise the shares are those of the whole factorial, and the interactions the sums of
// those that stand together.
func TestHalfTellsWhatItCan(t *testing.T) {
	var whole Factorial
	for cell := range 16 {
		whole.Cells = append(whole.Cells, []float64{fourth(cell), fourth(cell)})
	}
	all, half := attributed(t, whole), attributed(t, Factorial{Cells: halfOf(fourth), Half: true})
	for i, want := range []float64{.08, .04, .03, .09} {
		near(t, "share of the whole", all.Shares[i].Mean, want, 1e-12)
		near(t, "share of the half", half.Shares[i].Mean, want, 1e-12)
		near(t, "main of the whole", all.Mains[i].Mean, want, 1e-12)
	}
	near(t, "total", half.Total.Mean, fourth(15), 1e-12)
	for i, want := range []struct {
		mean           float64
		factors, alias []int
	}{{-.04, []int{0, 1}, []int{2, 3}}, {.02, []int{0, 2}, []int{1, 3}}, {0, []int{0, 3}, []int{1, 2}}} {
		got := half.Interactions[i]
		near(t, "interactions of two", got.Mean, want.mean, 1e-12)
		if !slices.Equal(got.Factors, want.factors) || !slices.Equal(got.Alias, want.alias) {
			t.Errorf("of %v with %v, want %v with %v", got.Factors, got.Alias, want.factors, want.alias)
		}
	}
	if half.Alone != nil || len(half.Interactions) != 3 || len(all.Interactions) != 11 {
		t.Errorf("alone %v, %d and %d interactions", half.Alone, len(half.Interactions), len(all.Interactions))
	}
}

// TestHalfCovers: noise of 2%, three blocks of 8; shares add up to the total in every session.
func TestHalfCovers(t *testing.T) {
	simtest.Long(t)
	r, sessions := seeded(t, 167), times(4000, 800)
	covered, together, shares := 0.0, 0.0, make([]float64, sessions)
	for i := range sessions {
		var cells [][]float64
		for _, two := range halfOf(fourth) {
			cells = append(cells, normals(r, 3, two[0], .02))
		}
		a := attributed(t, Factorial{Cells: cells, Half: true, Blocked: true})
		covered += holds(a.Shares[3].Interval, .09) / float64(sessions)
		together += holds(a.Interactions[0].Interval, -.04) / float64(sessions)
		shares[i] = a.Shares[3].Mean
		sum := 0.0
		for _, s := range a.Shares {
			sum += s.Mean
		}
		near(t, "sum of shares", sum, a.Total.Mean, 1e-12)
	}
	t.Logf("covered %.3f and %.3f, sd of a share %.4f", covered, together, SD(shares))
	near(t, "sd of a share", SD(shares), .02/math.Sqrt(6), .02/math.Sqrt(6)*4/math.Sqrt(2*float64(sessions)))
	near(t, "covered", covered, .95, slack(.95, sessions, math.MaxInt))
	near(t, "covered", together, .95, slack(.95, sessions, math.MaxInt))
}

// TestMainsOfThree: mean effects differ from shares by the joint effect of three: a quarter of it against a third.
func TestMainsOfThree(t *testing.T) {
	f := Factorial{Alpha: .01}
	for cell := range 8 {
		v := 0.0
		if cell == 7 {
			v = .12
		}
		f.Cells = append(f.Cells, []float64{v, v + .001})
	}
	a := attributed(t, f)
	near(t, "share", a.Shares[0].Mean, .04, 1e-12)
	near(t, "main", a.Mains[0].Mean, .03, 1e-12)
	near(t, "alone", a.Alone[0].Mean, 0, 1e-12)
	near(t, "half-width at 1%", a.Shares[0].Interval.HalfWidth(), tCrit(.01, 8)*a.Shares[0].SE, 1e-12)
}
