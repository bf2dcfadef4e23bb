package judge

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// TestRegisteredPrimary: the metric that the plan names decides, whichever the trials state first.
func TestRegisteredPrimary(t *testing.T) {
	trials := session(8, .05, .005, measured(record.LatencyP99, "s", record.Lower, 1))
	for i := range trials {
		trials[i].Values[1].Value = 1 + .001*float64(i%3)
	}
	lines := plans(func(p *record.Plan) { p.Primary = map[string]string{"aes": record.LatencyP99} })
	got, err := Compare(trials, nil, lines, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Pairs[0].Verdicts {
		if want := c.Metric == record.LatencyP99; c.Primary != want || (c.Verdict != "") != want {
			t.Errorf("%+v", c)
		}
	}
	if shown := Show(trials, nil, lines).Workloads[0]; shown.Metric != record.LatencyP99 || !shown.Primary {
		t.Errorf("%+v", shown)
	}
	if trials[0].Values[0].Name != record.Throughput {
		t.Error("the trials that were given were changed")
	}
	if changed := compare.Changed(got.Pairs[0]); len(changed) > 0 {
		t.Errorf("%q", changed)
	}
}

func TestRegisteredPrimaryThatIsNotThere(t *testing.T) {
	lines := plans(func(p *record.Plan) { p.Primary = map[string]string{"aes": record.LatencyP99} })
	got, err := Compare(session(8, .05, .005), nil, lines, Options{})
	if v := only(t, got, err); v.Verdict != trialset.Different ||
		!flagged(compare.Changed(got.Pairs[0]), "is throughput, not the registered latency_p99") {
		t.Errorf("%+v, %q", v, compare.Changed(got.Pairs[0]))
	}
}

func TestChangedAfterRegistration(t *testing.T) {
	costing := func(usd float64) func(record.Machine) finding.Basis {
		return func(m record.Machine) finding.Basis {
			return finding.Basis{Type: "type-of-" + m.Name, PricePerHour: usd}
		}
	}
	priced := func(name string) func(*record.Plan) {
		return func(p *record.Plan) { p.Prices = map[string]float64{name: 1.808} }
	}
	for name, c := range map[string]struct {
		plan    func(*record.Plan)
		options Options
		want    string // "": nothing
	}{
		"the same price": {priced("m1"), Options{Basis: costing(1.808)}, ""},
		"another price": {priced("M1"), Options{Basis: costing(1.5)},
			"the registered price of m1 is 1.808 USD/h, but 1.5 is used"},
		"of the type": {priced("type-of-m2"), Options{Basis: costing(1.5)},
			"the registered price of m2 is 1.808 USD/h, but 1.5 is used"},
		"of another machine": {priced("m3"), Options{Basis: costing(1.5)}, ""},
		"no price any more":  {priced("m1"), Options{Basis: costing(0)}, "1.808 USD/h, but none is used"},
		"nothing is asked":   {priced("m1"), Options{}, ""},
		"the plan was edited": {nil, Options{HashOf: func(record.Plan) string { return "p2" }},
			"the hash of plan p1 differs"},
		"the plan as it was": {nil, Options{HashOf: func(record.Plan) string { return "p1" }}, ""},
	} {
		got, err := Compare(session(4, 0, .01), nil, plans(c.plan), c.options)
		if err != nil {
			t.Fatal(err)
		}
		changed := compare.Changed(got.Pairs[0])
		if (len(changed) == 0) != (c.want == "") || c.want != "" && !flagged(changed, c.want) {
			t.Errorf("%s: %q, want %q", name, changed, c.want)
		}
	}
}

func TestPlansThatDiffer(t *testing.T) {
	lines := plans(nil)
	wide := plans(func(p *record.Plan) { p.Margin, p.Alpha = .1, .01 })[0]
	wide.Hash = "p2"
	got, err := Compare(alter(session(8, .05, .005), on("m2"), planned("p2")), nil, append(lines, wide), Options{})
	only(t, got, err)
	p := got.Pairs[0]
	if !flagged(compare.Changed(p), "the margin is 2%, not the registered 2% and 10%") ||
		!flagged(compare.Changed(p), "the error rate is 1%, not the registered 1% and 5%") {
		t.Errorf("%q", compare.Changed(p))
	}
}

func TestByChance(t *testing.T) {
	for n, want := range map[int]float64{9: 0, 10: .5, 44: 2.2} {
		var trials []record.Trial
		for cell := range n {
			size := key("aes.size", strings.Repeat("x", cell+1))
			group := func(t *record.Trial) { t.Group = cell }
			trials = append(trials, session(3, 0, .01, size, group)...)
		}
		got, err := Compare(trials, nil, plans(nil),
			Options{Basis: func(record.Machine) finding.Basis { return finding.Basis{VCPUs: 4} }})
		if err != nil {
			t.Fatal(err)
		}
		c := compare.KindByChance.Of(got.Pairs[0])
		if (c == nil) != (want == 0) || c != nil && (c.Verdicts != n || math.Abs(c.Expected-want) > 1e-9 || c.Alpha != .05) {
			t.Errorf("%d verdicts: %+v", n, c)
		}
	}
}
