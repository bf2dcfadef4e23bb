package judge

import (
	"math"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/record"
)

func TestTrends(t *testing.T) {
	sizes := []string{"1KiB", "4KiB", "16KiB", "64KiB"}
	for _, c := range []struct {
		name   string
		places []string
		at     func(string) change
		effect func(int) float64
		ratio  float64 // 0: no trend
	}{
		{"the gap widens", sizes, atSize, values(.1, .2, .3, .4), math.Exp(.3)},
		{"the gap narrows", sizes, atSize, values(.4, .3, .2, .1), math.Exp(-.3)},
		{"beside a crossing", sizes, atSize, values(-.2, -.1, .1, .2), math.Exp(.4)},
		{"none to speak of", sizes, atSize, values(.1, .3, .2, .1), 1},
		{"two sizes", sizes[:2], atSize, values(.1, .2), 0},
		{"no size", []string{"128", "192", "256"}, func(s string) change { return key("aes.bits", s) }, values(.1, .2, .3),
			0},
		{"CPUs", []string{"1", "2", "4"}, atCPUs, values(.1, .2, .3), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Compare(against(c.places, c.at, c.effect, .002), nil, plans(nil),
				Options{Basis: func(record.Machine) finding.Basis { return finding.Basis{VCPUs: 4} }})
			if err != nil {
				t.Fatal(err)
			}
			trends := crossover.KindTrend.All(got.Pairs[0])
			if c.ratio == 0 {
				if len(trends) != 0 {
					t.Errorf("%+v", trends)
				}
				return
			}
			if len(trends) != 1 {
				t.Fatalf("%d trends, want one for all bases", len(trends))
			}
			tr := trends[0]
			if tr.Axis != "size" || tr.From != 1024 || tr.To != 65536 || tr.Workload != "aes" || tr.Load != "all cpus" ||
				math.Abs(tr.Last/tr.First/tr.Ratio-1) > 1e-9 {
				t.Errorf("%+v", tr)
			}
			holds(t, "ratio", tr.Ratio, *tr.Lo, *tr.Hi, c.ratio, .02)
			if _, ok := tr.Params["size"]; ok || math.Abs(math.Log(tr.First)-c.effect(0)) > .01 {
				t.Errorf("%+v", tr)
			}
		})
	}
}

// TestTrendOfFew: two replicates give a ratio and no interval; two separate sessions,
// and trials without a plan, still give one.
func TestTrendOfFew(t *testing.T) {
	sizes := []string{"1KiB", "4KiB", "16KiB"}
	all := against(sizes, atSize, values(.1, .2, .3), .002)
	two := slices.DeleteFunc(slices.Clone(all), func(t record.Trial) bool { return t.Replicate > 1 })
	got, err := Compare(two, nil, plans(nil), Options{})
	if err != nil || len(crossover.KindTrend.All(got.Pairs[0])) != 1 ||
		crossover.KindTrend.All(got.Pairs[0])[0].Lo != nil ||
		math.Abs(math.Log(crossover.KindTrend.All(got.Pairs[0])[0].Ratio)-.2) > .02 {
		t.Errorf("two replicates: %+v, %v", got, err)
	}
	for name, plan := range map[string]string{"another session": "p2", "no plan": ""} {
		apart := alter(against(sizes, atSize, values(.1, .2, .3), .002), on("m2"), planned(plan))
		got, err := Compare(apart, nil, plans(nil), Options{})
		if err != nil || len(crossover.KindTrend.All(got.Pairs[0])) != 1 ||
			crossover.KindTrend.All(got.Pairs[0])[0].Lo == nil {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		tr := crossover.KindTrend.All(got.Pairs[0])[0]
		if *tr.Lo > math.Exp(.2) || *tr.Hi < math.Exp(.2) || *tr.Lo > tr.Ratio || *tr.Hi < tr.Ratio {
			t.Errorf("%s: %v to %v does not hold %v", name, *tr.Lo, *tr.Hi, math.Exp(.2))
		}
	}
}
