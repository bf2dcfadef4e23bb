package crossover

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// TestCrossingIsBetweenMeasuredPlaces: whatever the undecided points between two winners estimate, nothing is told but
// the nearest places at which a side is ahead, and those in between.
func TestCrossingIsBetweenMeasuredPlaces(t *testing.T) {
	var row []point
	for i, mean := range []float64{-.3, -.2, .02, -.02, .2, .3} {
		v := trialset.Different
		if i == 2 || i == 3 {
			v = trialset.Undecided
		}
		row = append(row, at(math.Exp2(float64(i)), mean, .01, v))
	}
	got := crossingsOf(slices.Values(row))
	if len(got) != 1 || got[0].Lo != 2 || got[0].Hi != 16 || !slices.Equal(got[0].Even, []float64{4, 8}) ||
		got[0].FromBetter != "a" || got[0].ToBetter != "b" {
		t.Errorf("%+v, want one between 2 and 16 with 4 and 8 between", got)
	}
	if got := crossingsOf(slices.Values([]point{row[0], row[5]})); len(got) != 1 || got[0].Lo != 1 || got[0].Hi != 32 {
		t.Errorf("of two points: %+v, want one between 1 and 32", got)
	}
}

// TestChanceMakesNoCrossing: of a row of places at par, some are DIFFERENT by chance. Such a one is no crossing beside
// a side that is ahead for certain, and a place that is certain makes one of those beside it.
func TestChanceMakesNoCrossing(t *testing.T) {
	row := func(means ...float64) (out []point) {
		for i, mean := range means {
			v := trialset.Undecided
			if math.Abs(mean) > .01 {
				v = trialset.Different
			}
			out = append(out, at(math.Exp2(float64(i)), mean, .01, v))
		}
		return out
	}
	for _, c := range []struct {
		name   string
		row    []point
		lo, hi float64 // 0: no crossing
		even   []float64
	}{
		{"a ceiling", row(-.3, 0, .011, 0, 0, 0, .005, 0), 0, 0, nil},
		{"a ceiling, at two places", row(-.3, .013, 0, .011), 1, 2, nil},
		{"a crossing that grows", row(-.3, 0, .011, .02, .2, .3), 1, 4, []float64{2}},
		{"a crossing past chance", row(-.3, .011, -.2, .011, 0, .3), 4, 8, nil},
		{"chance beside a crossing", row(-.3, .011, -.011, .3), 1, 8, nil},
	} {
		got := crossingsOf(slices.Values(c.row))
		if c.lo == 0 && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0].Lo != c.lo || got[0].Hi != c.hi || len(got[0].Even) != len(c.even) {
			t.Errorf("%s: %+v, want one between %g and %g", c.name, got, c.lo, c.hi)
		}
	}
}

// TestEstimatesWaver: of single runs, estimates that go to and fro near par are one crossing, or none.
func TestEstimatesWaver(t *testing.T) {
	row := func(means ...float64) (out []point) {
		for i, mean := range means {
			p := at(math.Exp2(float64(i)), mean, 0, "")
			p.c.Lo, p.c.Hi, p.c.N, p.c.Alpha = nil, nil, 1, 0
			out = append(out, p)
		}
		return out
	}
	got := crossingsOf(slices.Values(row(-.3, -.05, .05, -.04, .06, .3)))
	if len(got) != 1 || got[0].Lo != 2 || got[0].Hi != 16 || got[0].FromBetter != "a" || got[0].Runs != 1 ||
		!slices.Equal(got[0].Even, []float64{4, 8}) {
		t.Errorf("to and fro: %+v, want one between 2 and 16", got)
	}
	if got := crossingsOf(slices.Values(row(-.3, -.05, .05, -.3))); len(got) != 0 {
		t.Errorf("there and back: %+v, want none", got)
	}
	if got := crossingsOf(slices.Values(row(-.3, -.1, .1))); len(got) != 1 || got[0].Lo != 2 || got[0].Hi != 4 {
		t.Errorf("once: %+v", got)
	}
}

// at is a comparison at one place, of ln of the ratio and the half-width of its interval.
func at(x, mean, half float64, v trialset.Verdict) point {
	lo, hi := math.Exp(mean-half), math.Exp(mean+half)
	c := finding.Comparison{Workload: "aes", Metric: record.Throughput, Per: finding.PerMachine, Primary: true,
		Direction: record.Higher, Ratio: math.Exp(mean), Bounds: figure.Between(lo, hi), Verdict: v, Alpha: .05,
		N: 5}
	if v == trialset.Different {
		c.Better = trialset.Winner(stat.LogRatio{Mean: mean}, record.Higher)
	}
	return point{c: c, axes: []coordinate{{axis: record.ParamCPUs, value: x, load: true}}}
}

// TestCrossingHoldsTheTruth: of pairs of scaling curves of every shape, measured at few or many numbers of CPUs, the
// curves cross between the places told in at least 95% of the crossings told, and so the weaker side falls behind.
func TestCrossingHoldsTheTruth(t *testing.T) {
	const seed, times, pairs, sd, margin = 41, 400, 5, .02, .02
	r := rand.New(rand.NewPCG(seed, seed))
	shapes := map[string]func(x float64) float64{ // of 1 at one CPU; what a fast CPU and a slow one may have
		"linear":     func(x float64) float64 { return x },
		"saturating": func(x float64) float64 { return x / (1 + .08*(x-1)) },
		"usl":        stat.Curve{Gamma: 1, Alpha: .02, Beta: .0005}.At,
		"smt":        stat.Curve{Gamma: 1, Alpha: .005, Cores: 16, Yield: .2}.At,
		"capped":     func(x float64) float64 { return min(x, 12) },
	}
	rows := map[string][]float64{"two": {1, 64}, "doubled": {1, 2, 4, 8, 16, 32, 64},
		"even": {1, 8, 16, 24, 32, 40, 48, 56, 64}, "three": {1, 20, 64}}
	rows["all"] = nil
	for x := 1.; x <= 64; x++ {
		rows["all"] = append(rows["all"], x)
	}
	rule := trialset.Preregistered{Margin: margin, Alpha: .05}.Rule()
	for name, places := range rows {
		told, held, behind, heldBehind := 0, 0, 0, 0
		for range times {
			for _, shape := range shapes {
				cross := 3 * math.Exp2(4*r.Float64())        // where they cross: 3 to 48 CPUs
				slow := func(x float64) float64 { return x } // linear
				ratio := slow(cross) / shape(cross)          // by which the fast CPU is faster
				logs := func(x float64) float64 { return math.Log(slow(x) / (ratio * shape(x))) }
				if logs(1) > -.05 || logs(64) < .05 {
					continue
				}
				var all []point
				for _, x := range places {
					d := make([]float64, pairs)
					for i := range d {
						d[i] = logs(x) + sd*r.NormFloat64()
					}
					got := stat.LogRatio{Mean: stat.Mean(d), Hull: stat.TInterval(d, .05, stat.SDFloor)}
					all = append(all, at(x, got.Mean, got.Hull.HalfWidth(), rule.Verdict(got)))
				}
				for _, c := range crossingsOf(slices.Values(all)) {
					told++
					if c.Lo <= cross && cross <= c.Hi {
						held++
					}
				}
				for _, o := range onParsOf(slices.Values(all)) {
					behind++
					last := 0
					if n := len(o.Ahead); n > 0 {
						last = o.Ahead[n-1]
					}
					if float64(last) <= cross && cross <= float64(o.From) {
						heldBehind++
					}
				}
			}
		}
		t.Logf("seed %d, %s: %d of %d crossings, %d of %d falls behind", seed, name, held, told, heldBehind, behind)
		if told < times || float64(held) < .95*float64(told) || float64(heldBehind) < .95*float64(behind) {
			t.Errorf("seed %d, %s: %d of %d crossings and %d of %d falls behind hold the truth, want 95%%", seed, name, held,
				told, heldBehind, behind)
		}
	}
}

func TestCrossingSentence(t *testing.T) {
	for _, c := range []struct {
		crossing Crossing
		want     string
	}{
		{
			Crossing{Workload: "aes", Metric: "throughput", Per: "dollar", Axis: "size", Unit: "B", Lo: 8192,
				Hi: 65536, Even: []float64{16384}, FromBetter: "a", ToBetter: "b", Load: "1 cpus"},
			"A is better at low size, B at high: they cross between 8KiB and 64KiB, and neither is ahead at 16KiB; no one " +
				"figure holds for all of it: aes, 1 cpu, throughput per dollar",
		},
		{
			Crossing{Workload: "aes", Metric: "throughput", Per: "machine", Axis: "cpus", Lo: 1, Hi: 64,
				FromBetter: "b", ToBetter: "a", Params: map[string]string{"size": "1KiB", "seed": "1"},
				Wording: finding.Wording{Minor: []string{"seed"}}},
			"B is better at low cpus, A at high: they cross between 1 and 64; no one figure holds for all of it: aes, " +
				"size=1KiB, throughput",
		},
		{
			Crossing{Workload: "kafka", Metric: "throughput", Per: "machine", Axis: "linger", Unit: "s", Lo: .001, Hi: 1,
				FromBetter: "b", ToBetter: "a", Runs: 1},
			"B is better at low linger, A at high: they cross between 1ms and 1s, by estimate of 1 run per side, " +
				"no verdict: kafka, throughput",
		},
	} {
		if got := c.crossing.Text("A", "B"); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
