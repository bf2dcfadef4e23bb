package judge

import (
	"errors"
	"math"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

func priced(a, b float64) func(record.Machine) finding.Basis {
	return func(m record.Machine) finding.Basis {
		return finding.Basis{VCPUs: 8, PricePerHour: map[string]float64{"m1": a, "m2": b}[m.Name]}
	}
}

func TestEqualCost(t *testing.T) {
	got, err := Compare(session(8, .1, .002), nil, plans(nil), Options{Basis: priced(.34, .29), EqualCost: true})
	if err != nil {
		t.Fatal(err)
	}
	e := cost.KindEqualCost.Of(got.Pairs[0])
	if e == nil || e.NodesA != 5 || e.NodesB != 6 || !close9(e.SpendA, 1.7) || !close9(e.SpendB, 1.74) ||
		e.Assumed != "linear" || len(e.Cells) != 1 {
		t.Fatalf("%+v", e)
	}
	v, c := got.Pairs[0].Verdicts[0], e.Cells[0]
	if !close9(c.Ratio, v.Ratio*6/5) || !close9(*c.Lo, *v.Lo*6/5) || !close9(*c.Hi, *v.Hi*6/5) || !close9(c.A, 5*v.A) ||
		!close9(c.B, 6*v.B) || c.N != v.N || c.Metric != v.Metric {
		t.Errorf("%+v of %+v", c, v)
	}
	if got, _ := Compare(session(8, .1, .002), nil, plans(nil),
		Options{Basis: priced(.34, .29)}); cost.KindEqualCost.Of(got.Pairs[0]) != nil {
		t.Error("nobody asked")
	}
}

func TestEqualCostNeedsPrices(t *testing.T) {
	for names, basis := range map[int]func(record.Machine) finding.Basis{2: nil, 1: priced(0, 1)} {
		_, err := Compare(session(8, .1, .002), nil, plans(nil), Options{Basis: basis, EqualCost: true})
		var unpriced cost.Unpriced
		if !errors.As(err, &unpriced) || len(unpriced.Names) != names {
			t.Errorf("%v, want %d machines without a price", err, names)
		}
	}
	if _, err := Compare(session(8, .1, .002), nil, plans(nil),
		Options{Basis: priced(1e7, 1), EqualCost: true}); err == nil {
		t.Error("ten million times as dear, and yet they cost the same")
	}
}

// TestUnseenMachines: of what answers behind a URL neither the CPUs are known nor the price.
func TestUnseenMachines(t *testing.T) {
	got, err := Compare(session(8, .1, .002, key(record.KeyUnseen, "true")), nil, plans(nil),
		Options{Basis: priced(1, 1), EqualCost: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range got.Pairs[0].Verdicts {
		if v.Per != finding.PerMachine && (v.Verdict != "" || !flagged(v.Flags, "the server's machine is unknown")) ||
			v.Extra != nil || v.ExtraMachines != nil {
			t.Errorf("%+v", v)
		}
	}
	if e := cost.KindEqualCost.Of(got.Pairs[0]); len(e.Cells) != 0 {
		t.Errorf("%+v", e)
	}
	var trials []record.Trial
	for i := range 3 {
		trials = append(trials, rateSweep("m1", i, knee(), key(record.KeyUnseen, "true"))...)
	}
	in := finding.NewInput(trials, nil, nil)
	in.Ask.Demand, in.Read.Basis = &finding.Demand{Rate: 5000, Headroom: .85, Failures: 1}, priced(1, 1)
	for _, c := range Analyze(in).Workloads {
		if l := headroom.Chief(c); l != nil && (l.Fleet.Machines == nil || l.Fleet.PerHour != nil) {
			t.Errorf("%+v", l.Fleet)
		}
	}
}

func TestMachinesOf(t *testing.T) {
	c := finding.Comparison{Unit: "op/s", Direction: record.Higher, Verdict: trialset.Different, Ratio: 736860. / 591411,
		Bounds: figure.Between(1.2, 1.3)}
	want := []finding.Replacement{{Of: 1, Machines: 1, Lo: 1, Hi: 1}, {Of: 10, Machines: 9, Lo: 8, Hi: 9}}
	got := compare.MachinesOf(c)
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%+v, want %+v", got, want)
	}
	// The other way round one is too few.
	c.SetChange(figure.Between(1/1.3, 1/1.2).Around(591411. / 736860))
	if got := compare.MachinesOf(c); got[0] != (finding.Replacement{Of: 1, Machines: 2, Lo: 2, Hi: 2}) ||
		got[1] != (finding.Replacement{Of: 10, Machines: 13, Lo: 12, Hi: 13}) {
		t.Errorf("%+v", got)
	}
	for name, change := range map[string]func(*finding.Comparison){
		"no verdict": func(c *finding.Comparison) { c.Verdict = "" }, "no interval": func(c *finding.Comparison) {
			c.Lo = nil
		},
		"a time": func(c *finding.Comparison) { c.Unit = "s" }, "less is better": func(c *finding.Comparison) {
			c.Direction = record.Lower
		},
	} {
		d := c
		change(&d)
		if got := compare.MachinesOf(d); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestFleetsOfAPair: by the lines of either side.
func TestFleetsOfAPair(t *testing.T) {
	var trials []record.Trial
	for i := range 3 {
		trials = append(trials, sweepOn("m1", i, 1)...)
		trials = append(trials, sweepOn("m2", i, 2)...)
	}
	in := finding.NewInput(trials, nil, plans(nil))
	in.Ask.Demand, in.Read.Basis = &finding.Demand{Rate: 1e6, Headroom: .85, Failures: 1}, priced(1, 3)
	got, err := CompareIn(in, compare.Question{})
	if err != nil {
		t.Fatal(err)
	}
	f := headroom.KindFleet.All(got.Pairs[0])
	if len(f) != 2 || f[0].Statistic != "p99" || f[0].Load != record.KeySwept || f[0].A == nil || f[0].B == nil {
		t.Fatalf("%+v", f)
	}
	a, b := *f[0].A.Machines, *f[0].B.Machines
	if math.Abs(float64(a-1)/float64(b-1)-2) > .01 || *f[0].A.PerHour != float64(a) || *f[0].B.PerHour != 3*float64(b) {
		t.Errorf("%d machines for %v $/h and %d for %v", a, *f[0].A.PerHour, b, *f[0].B.PerHour)
	}
}

// TestCPUScope: the whole target where it is loaded from elsewhere, else the server's CPUs.
func TestCPUScope(t *testing.T) {
	use := func(generator int) change {
		return func(t *record.Trial) { t.CPU = &record.CPUUse{GeneratorCPUs: generator} }
	}
	for want, trials := range map[string][]record.Trial{
		loadline.CPUScopeServer:   rateSweep("m1", 0, knee(), use(2)),
		loadline.CPUScopeTarget:   rateSweep("m1", 0, knee(), use(0)),
		loadline.CPUScopeImported: rateSweep("m1", 0, knee(), fromCSV()),
	} {
		if l := headroom.Chief(lineIn(t, trials)); l.CPUScope != want {
			t.Errorf("%q, want %q", l.CPUScope, want)
		}
	}
}
