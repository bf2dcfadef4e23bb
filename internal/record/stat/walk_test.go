package stat

import (
	"fmt"
	"math"
	"testing"
)

// perStage is the pairs of one unit of information in the tests of published designs, whose analyses are of normal
// means with a known standard deviation. So many make the grid fine.
const perStage = 400

// partAbove is the part of a sum's step that lies above a limit.
func partAbove(sum, limit float64) float64 { return min(max((sum-limit)/walkStep+.5, 0), 1) }

// design is a published one: its information, and between which standardised means it goes on.
type design struct {
	rates []float64
	inner []float64 // goes on above these; nil: no inner wedge
	outer []float64
	sided int
}

func (d design) looks() []int {
	out := make([]int, len(d.rates))
	for i, r := range d.rates {
		out[i] = int(math.Round(r * perStage))
	}
	return out
}

// goesOn is 1 between the boundaries.
func (d design) goesOn(i int, mean float64) float64 {
	n := float64(d.looks()[i])
	s := mean * n
	if d.sided == 2 {
		s = math.Abs(s)
	}
	p := 1 - partAbove(s, d.outer[i]*math.Sqrt(n))
	if d.inner != nil && !math.IsNaN(d.inner[i]) {
		p -= 1 - partAbove(s, d.inner[i]*math.Sqrt(n))
	}
	return max(p, 0)
}

// crossed returns the probabilities that it has ended beyond its outer boundaries by each analysis.
func (d design) crossed() []float64 {
	var out []float64
	sum := 0.0
	for i, st := range walkOf(d.looks(), 0, d.goesOn) {
		for at, p := range st.ends {
			s := st.sum(at)
			if d.sided == 2 {
				s = math.Abs(s)
			}
			if i+1 < len(d.rates) {
				p += st.goOn[at]
			}
			sum += p * partAbove(s, d.outer[i]*math.Sqrt(st.n))
		}
		out = append(out, sum)
	}
	return out
}

// TestWalkByPublishedBoundaries: the constants of K equally spaced analyses spend exactly their error rate (Jennison
// and Turnbull, Group Sequential Methods, 2000: tables 2.1 of Pocock, 2.3 of O'Brien and Fleming, and of Wang and
// Tsiatis with Δ = 0.25).
func TestWalkByPublishedBoundaries(t *testing.T) {
	for _, c := range []struct {
		power, alpha float64 // the boundary at analysis k of K is constant·(k/K)^power
		constants    map[int]float64
	}{
		{0, .05, map[int]float64{2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413, 6: 2.453, 8: 2.512, 10: 2.555,
			15: 2.626, 20: 2.672}},
		{0, .01, map[int]float64{2: 2.772, 3: 2.873, 4: 2.939, 5: 2.986, 10: 3.117}},
		{0, .10, map[int]float64{2: 1.875, 3: 1.992, 4: 2.067, 5: 2.122, 10: 2.270}},
		{-.5, .05, map[int]float64{2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040, 10: 2.087}},
		{-.5, .01, map[int]float64{2: 2.580, 3: 2.595, 4: 2.609, 5: 2.621, 10: 2.660}},
		{-.25, .05, map[int]float64{2: 2.038, 3: 2.083, 4: 2.113, 5: 2.136}},
	} {
		for k, constant := range c.constants {
			d := design{sided: 2}
			for i := range k {
				rate := float64(i+1) / float64(k)
				d.rates = append(d.rates, rate*float64(k))
				d.outer = append(d.outer, constant*math.Pow(rate, c.power))
			}
			got := d.crossed()
			near(t, fmt.Sprintf("power %g, alpha %g, K %d", c.power, c.alpha, k), got[k-1], c.alpha, c.alpha*.005)
		}
	}
}

// TestWalkAsRpact holds figures of the unit tests of rpact 3.3.0 (test-f_design_group_sequential.R, x8b and x11): the
// error rate spent by each analysis of a Wang-Tsiatis design, and of one of Pampallona and Tsiatis with an inner wedge.
func TestWalkAsRpact(t *testing.T) {
	no := math.NaN()
	for _, c := range []struct {
		design
		spent []float64
	}{
		{design{[]float64{3, 8, 10}, nil, []float64{3.2029374, 2.4819703, 2.3420706}, 2},
			[]float64{.0013603353, .013978861, .02499999}},
		{design{[]float64{3, 8, 10}, []float64{no, 1.671433, no}, []float64{3.1017782, 2.3111074, 2.1614596}, 2},
			[]float64{.0019236202, .022017713, .035}},
	} {
		for i, got := range c.crossed() {
			near(t, "spent", got, c.spent[i], 2e-5)
		}
	}
}

// byStage returns the stage-wise p-value of a one-sided design that ends at its last analysis with the standardised
// mean z: of all that ends earlier beyond the outer boundary, or last with as much.
func (d design) byStage(stages []stage, drift, z float64) float64 {
	sum := 0.0
	for i, st := range stages {
		limit := z
		if i+1 < len(stages) {
			limit = 1 // what ends lies beyond one of the boundaries, and this is between them
		}
		for at, p := range st.ends {
			s := st.sum(at)
			sum += p * math.Exp(drift*s-st.n*drift*drift/2) * partAbove(s, limit*math.Sqrt(st.n))
		}
	}
	return sum
}

// TestMedianUnbiasedAsRpact holds p-values and median-unbiased estimates of rpact 3.3.0, which orders by stages
// (test-f_analysis_base_survival.R, x0 and x1: ln of a hazard ratio is 2/√events times a standardised mean).
func TestMedianUnbiasedAsRpact(t *testing.T) {
	no := math.NaN()
	for _, c := range []struct {
		rates, inner   []float64
		z, events      float64
		pvalue, hazard float64
	}{
		{[]float64{4, 10}, []float64{0, no}, 2.1, 20, .021122043, 2.5476534},
		{[]float64{2, 4, 10}, nil, 2.9, 38, .0074535505, 2.4764002},
	} {
		d := design{rates: c.rates, inner: c.inner, sided: 1}
		last := c.rates[len(c.rates)-1]
		spends := func(constant float64) float64 {
			d.outer = nil
			for _, rate := range c.rates {
				d.outer = append(d.outer, constant*math.Pow(rate/last, -.25))
			}
			got := d.crossed()
			return .025 - got[len(got)-1]
		}
		root(spends, 1.5, 3)
		stages := walkOf(d.looks(), 0, d.goesOn)
		near(t, "p", d.byStage(stages, 0, c.z), c.pvalue, 2e-5)
		n := last * perStage
		got := root(func(drift float64) float64 { return d.byStage(stages, drift, c.z) - .5 }, 0, 6/math.Sqrt(n))
		near(t, "hazard ratio", math.Exp(2/math.Sqrt(c.events)*got*math.Sqrt(n)), c.hazard, 2e-4)
	}
}
