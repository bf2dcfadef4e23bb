package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// TestExtraCPUs: the article's 8 × (736,860/591,411 − 1), and a machine's own curve.
func TestExtraCPUs(t *testing.T) {
	ratio := 736860.0 / 591411
	for _, c := range []struct {
		name     string
		curve    stat.Curve // of the weaker side
		effect   float64    // ln of m2 over m1
		side     string
		linear   float64
		onCurve  float64
		beyond   bool
		never    bool
		peak     int
		machines []record.Machine
	}{
		{"weaker baseline", stat.Curve{Gamma: 1e9, Yield: 1}, math.Log(ratio), "a", 1.96748, 1.96748, true, false, 0, nil},
		{"weaker other", stat.Curve{Gamma: 1e9, Yield: 1}, -math.Log(ratio), "b", 1.96748, 1.96748, true, false, 0, nil},
		{"second threads", stat.Curve{Gamma: 1e9, Yield: .26, Cores: 4}, math.Log(ratio), "a", 1.96748,
			(ratio - 1) * 5.04 / .26, true, false, 0, []record.Machine{hyperthreaded("m1")}},
		{"its curve peaks within", stat.Curve{Gamma: 1e9, Alpha: .05, Beta: .02, Yield: 1}, math.Log(ratio), "a", 1.96748, 0,
			false, true, 7, nil},
		{"it falls as measured", stat.Curve{Gamma: 1e9, Alpha: .05, Beta: .1, Yield: 1}, math.Log(ratio), "a", 1.96748, 0,
			false, true, 3, nil},
		{"its curve peaks beyond", stat.Curve{Gamma: 1e9, Alpha: .05, Beta: .01, Yield: 1}, math.Log(ratio), "a", 1.96748, 0,
			false, true, 10, nil},
		{"it rises too slowly", stat.Curve{Gamma: 1e9, Alpha: .5, Yield: 1}, math.Log(ratio), "a", 1.96748, 0, false, true, 0,
			nil},
	} {
		var trials []record.Trial
		r := rand.New(rand.NewPCG(23, 23))
		for _, n := range eight() {
			for i := range 5 {
				drift := c.curve.At(float64(n)) * math.Exp(.001*r.NormFloat64())
				group := func(t *record.Trial) { t.Group = n }
				trials = append(trials, trial("m1", i, drift, onCPUs(n), group),
					trial("m2", i, drift*math.Exp(c.effect), onCPUs(n), group, cellNo(100+n)))
			}
		}
		got, err := Compare(trials, c.machines, plans(nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var found []finding.ExtraCPUs
		for _, v := range got.Pairs[0].Verdicts {
			if v.Extra != nil {
				found = append(found, *v.Extra)
			}
		}
		if len(found) != 1 {
			t.Errorf("%s: %d cells say what is lacking, want the one of 8 CPUs", c.name, len(found))
			continue
		}
		e := found[0]
		if e.Side != c.side || e.Over != 8 || math.Abs(e.CPUs-c.linear) > 1e-4 || !e.Bounded() || e.Excludes(e.CPUs) ||
			e.Beyond != c.beyond || e.Never != c.never || e.Peak != c.peak {
			t.Errorf("%s: %+v", c.name, e)
		}
		if (e.OnCurve == nil) != (c.onCurve == 0) || e.OnCurve != nil && math.Abs(*e.OnCurve-c.onCurve) > .15 {
			t.Errorf("%s: on its curve %v, want %v", c.name, e.OnCurve, c.onCurve)
		}
	}
}
