package judge

import (
	"fmt"
	"math"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// sweepOn is one replicate of a sweep on a machine whose line lies at by times that of knee.
func sweepOn(machine string, replicate int, by float64, changes ...change) []record.Trial {
	sweep := knee()
	for i := range sweep {
		sweep[i].carried *= by
	}
	side := 0
	if machine != "m1" {
		side = 10_000
	}
	own := func(t *record.Trial) { t.Group, t.Cell = t.Cell, t.Cell+side }
	return rateSweep(machine, replicate, sweep, append([]change{own}, changes...)...)
}

// lineOf is the comparison of load lines per machine.
func lineOf(t *testing.T, c finding.Compared, metric string) finding.Comparison {
	t.Helper()
	var found []finding.Comparison
	for _, p := range c.Pairs {
		for _, v := range p.Verdicts {
			if v.Metric == metric && v.Per == finding.PerMachine {
				found = append(found, v)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d comparisons of %s, want one", len(found), metric)
	}
	return found[0]
}

// TestSweepsAreComparedByTheirLines: five replicates of a sweep on either machine are five pairs of load lines.
func TestSweepsAreComparedByTheirLines(t *testing.T) {
	var trials []record.Trial
	for i := range 5 {
		drift := 1 + .02*float64(i)
		trials = append(trials, sweepOn("m1", i, drift)...)
		trials = append(trials, sweepOn("m2", i, 1.2*drift)...)
	}
	got, err := Compare(trials, nil, plans(nil),
		Options{Basis: func(record.Machine) finding.Basis { return finding.Basis{VCPUs: 8, PricePerHour: 1} }})
	if err != nil {
		t.Fatal(err)
	}
	c := lineOf(t, got, loadline.MetricSustained)
	if !c.Primary || !c.Paired || c.N != 5 || c.Verdict != trialset.Different || c.Better != "b" ||
		!close9(c.Ratio, 1.2) || c.Load != record.KeySwept || c.Unit != "op/s" {
		t.Errorf("%+v", c)
	}
	if c.Extra == nil || math.Abs(c.Extra.CPUs-1.6) > 1e-9 || c.Extra.Side != "a" || c.Extra.Over != 8 ||
		c.Extra.OnCurve != nil {
		t.Errorf("extra %+v, want 8 · 0.2 vCPUs", c.Extra)
	}
	if r := c.ExtraMachines; len(r) != 2 || r[0].Machines != 1 || r[1].Machines != 9 || r[1].Lo > 9 || r[1].Hi < 9 {
		t.Errorf("machines %+v", r)
	}
	if p50 := lineOf(t, got, loadline.MetricSustained+"_p50"); p50.Primary || p50.Verdict != "" ||
		!close9(p50.Ratio, 1.2) {
		t.Errorf("%+v", p50)
	}
	dollars := 0
	for _, v := range got.Pairs[0].Verdicts {
		if v.Metric == loadline.MetricSustained && v.Per == "dollar" {
			if dollars++; v.Verdict != trialset.Different || len(v.Flags) > 0 {
				t.Errorf("a load line is all that a machine carries: %+v", v)
			}
		}
	}
	if dollars != 1 || len(compare.Changed(got.Pairs[0])) > 0 {
		t.Errorf("%d figures per dollar; changed %q", dollars, compare.Changed(got.Pairs[0]))
	}
}

// TestLinesOfOneSideOnly are no comparison.
func TestLinesOfOneSideOnly(t *testing.T) {
	trials := sweepOn("m1", 0, 1)
	trials = append(trials, sweepOn("m2", 0, 1)[:2]...)
	got, err := Compare(trials, nil, plans(nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range got.Pairs[0].Verdicts {
		if loadline.IsLine(v.Metric) {
			t.Errorf("m2 has no line: %+v", v)
		}
	}
}

// TestLineThatWasNotCrossedIsNoValue: "at least" has no ratio, even where it is so in one replicate of five.
func TestLineThatWasNotCrossedIsNoValue(t *testing.T) {
	var trials []record.Trial
	for i := range 5 {
		below := sweepOn("m2", i, 1.2)
		if i == 3 {
			below = below[:5]
		}
		trials = append(append(trials, sweepOn("m1", i, 1)...), below...)
	}
	got, err := Compare(trials, nil, plans(nil),
		Options{Basis: func(record.Machine) finding.Basis { return finding.Basis{VCPUs: 8, PricePerHour: 1} },
			EqualCost: true})
	if err != nil {
		t.Fatal(err)
	}
	c := lineOf(t, got, loadline.MetricSustained)
	if c.Ratio > 0 || c.Lo != nil || c.Verdict != "" || !(c.A > 0) || !math.IsNaN(c.B) || c.Extra != nil ||
		c.ExtraMachines != nil || !c.Primary {
		t.Errorf("%+v", c)
	}
	if len(c.Flags) != 1 || !flagged(c.Flags, "1 of 5 searches of the candidate ended below the limit") {
		t.Errorf("%q", c.Flags)
	}
	for _, v := range got.Pairs[0].Verdicts {
		if loadline.IsLine(v.Metric) && v.Per != finding.PerMachine {
			t.Errorf("a share of what is not known: %+v", v)
		}
	}
	if cells := cost.KindEqualCost.Of(got.Pairs[0]).Cells; len(cells) != 0 {
		t.Errorf("rates that were given and a line that is not known at equal cost: %+v", cells)
	}
	// show says at least.
	for _, cell := range Show(trials, nil, plans(nil)).Workloads {
		if l := headroom.Chief(cell); l != nil && cell.Machine == "m2" && (l.Crossed || l.Lo != nil) {
			t.Errorf("%+v", l)
		}
	}
}

// TestLinesOfTypes: instances' lines, with the claim on the type.
func TestLinesOfTypes(t *testing.T) {
	var trials []record.Trial
	for i := range 4 {
		trials = append(trials, sweepOn("m1", 0, 1+.001*float64(i), key(record.KeyMachine, "a"+string(rune('0'+i))))...)
		trials = append(trials, sweepOn("m2", 0, 1.2+.001*float64(i), key(record.KeyMachine, "b"+string(rune('0'+i))))...)
	}
	basis := func(m record.Machine) finding.Basis { return finding.Basis{Type: "type-" + m.Name[:1], VCPUs: 8} }
	got, err := Compare(trials, nil, plans(nil), Options{By: trialset.ByType, Basis: basis})
	if err != nil {
		t.Fatal(err)
	}
	if c := lineOf(t, got, loadline.MetricSustained); c.Claim != trialset.ClaimType || c.N != 4 ||
		c.Verdict != trialset.Different || math.Abs(c.Ratio-1.2) > .01 {
		t.Errorf("%+v", c)
	}
}

// TestALineCostsAllOfItsLoads: how many trials a launch is worth goes by the seconds of whole sweeps, not of one load.
func TestALineCostsAllOfItsLoads(t *testing.T) {
	const trial, instance = 2e-4, 2e-3/3 - 1e-4 // variances of ln of what is carried
	minute := func(t *record.Trial) { t.WarmupS, t.DurationS = 10, 50 }
	var trials []record.Trial
	for i, own := range []float64{-.03, -.01, .01, .03} {
		for replicate, by := range []float64{-.01, .01} {
			for side, of := range []string{"a", "b"} {
				name := fmt.Sprint(of, i)
				handles := math.Exp(own + by + .2*float64(side))
				trials = append(trials, sweepOn("m1", replicate, handles, key(record.KeyMachine, name), planned(name), minute)...)
			}
		}
	}
	basis := func(m record.Machine) finding.Basis { return finding.Basis{Type: "type-" + m.Name[:1], VCPUs: 8} }
	got, err := Compare(trials, nil, plans(nil), Options{By: trialset.ByType, Basis: basis})
	if err != nil {
		t.Fatal(err)
	}
	e := lineOf(t, got, loadline.MetricSustained).Repeat
	if e == nil || math.Abs(e.TrialSD-math.Sqrt(trial)) > 1e-6 || math.Abs(e.InstanceSD-math.Sqrt(instance)) > 1e-6 {
		t.Fatalf("%+v", e)
	}
	// Six loads of a minute each.
	if all, one := stat.Repetitions(360, sequential.LaunchSeconds, trial, instance),
		stat.Repetitions(60, sequential.LaunchSeconds, trial, instance); e.Trials != all || all == one {
		t.Errorf("%d trials a launch, want %d; by the seconds of one load %d", e.Trials, all, one)
	}
}
