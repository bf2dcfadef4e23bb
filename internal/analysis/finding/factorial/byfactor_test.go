package factorial_test

import (
	"math"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/explain"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
)

// gapped are two machines whose second one is 20% faster, and loses 6% more to TLS than the first does.
func gapped() (a, b planted) {
	a = planted{names: []string{"tls", "heap"}, b: []float64{-.10, .05}}
	b = planted{names: a.names, b: []float64{-.16, .05}}
	return a, b
}

// twoMachines are sessions of two machines: of one plan with both as hosts, or of a plan each.
func twoMachines(t *testing.T, blocks int, sd float64, together bool) ([]record.Trial, []record.PlanLine) {
	t.Helper()
	a, b := gapped()
	r := seededRand(t, 11)
	left, right := a.session(r, "m1", blocks, sd), b.session(r, "m2", blocks, sd)
	plan := a.plan()
	for i := range right {
		right[i].Values[0].Value *= math.Exp(.20)
	}
	if !together {
		for i := range right {
			right[i].Plan = "p2"
		}
		return append(left, right...), append(plan, record.PlanLine{Hash: "p2", Plan: b.plan()[0].Plan})
	}
	for _, c := range plan[0].Plan.Cells {
		c.Host = "other"
		plan[0].Plan.Cells = append(plan[0].Plan.Cells, c)
	}
	for i := range right {
		right[i].Cell += len(a.combinations())
	}
	return append(left, right...), plan
}

// TestMachineByFactor: how much of the gap is TLS is what TLS does more on one machine, which no effect of TLS says.
func TestMachineByFactor(t *testing.T) {
	for _, together := range []bool{true, false} {
		trials, plan := twoMachines(t, 4, 0, together)
		if together {
			// The blocks of one plan share what disturbs them.
			_, b := gapped()
			for i, tr := range trials {
				if tr.Cell >= 4 {
					a := trials[slices.IndexFunc(trials, func(o record.Trial) bool {
						return o.Cell == tr.Cell-4 && o.Replicate == tr.Replicate
					})]
					at := tr.Cell - 4
					trials[i].Values[0].Value = a.Values[0].Value * math.Exp(.20+b.at(at)-gappedA().at(at))
				}
			}
		}
		got, err := judge.Compare(trials, nil, plan, judge.Options{})
		if err != nil || len(got.Pairs) != 1 || len(factorial.KindByFactor.All(got.Pairs[0])) != 2 {
			t.Fatalf("together %v: %+v, %v", together, got, err)
		}
		m := factorial.KindByFactor.All(got.Pairs[0])[0]
		if m.Paired != together || m.BlocksA != 4 || m.BlocksB != 4 || m.Metric != record.Throughput ||
			len(m.Interactions) != 1 {
			t.Errorf("together %v: %+v", together, m)
		}
		if together {
			close(t, "first gap", math.Log(m.First.Ratio), .20)
			close(t, "last gap", math.Log(m.Last.Ratio), .14)
		}
		close(t, "change", math.Log(m.Change.Ratio), -.06)
		close(t, "TLS", math.Log(m.Shares[0].Ratio), -.06)
		close(t, "heap", math.Log(m.Shares[1].Ratio), 0)
		close(t, "product", productOf(m.Shares), m.Change.Ratio)
		if !m.Shares[0].Excludes(1) || m.Shares[1].Excludes(1) || *m.Shares[0].OfTotal < .999 {
			t.Errorf("shares %+v", m.Shares)
		}
		if flagged(m.Doubts, "different times") == together {
			t.Errorf("doubts %q", m.Doubts)
		}
		if cpu := factorial.KindByFactor.All(got.Pairs[0])[1]; cpu.Metric != factorial.AttributedCPU {
			t.Errorf("second metric %s", cpu.Metric)
		}
	}
}

func gappedA() planted { a, _ := gapped(); return a }

// TestMachineByFactorCovers: two sessions whose blocks share 5%, noise 2%: the interval of machine x TLS holds the
// truth in 95%.
func TestMachineByFactorCovers(t *testing.T) {
	simtest.Long(t)
	const sessions = 500
	a, b := gapped()
	r, held := seededRand(t, 12), 0
	plan := append(a.plan(), record.PlanLine{Hash: "p2", Plan: b.plan()[0].Plan})
	for range sessions {
		left, right := a.session(r, "m1", 5, .02), b.session(r, "m2", 4, .03)
		for i := range right {
			right[i].Plan = "p2"
		}
		both := append(left, right...)
		p := finding.Pairing{Input: finding.NewInput(both, nil, plan),
			Pair: &finding.Pair{A: "m1", B: "m2", By: record.KeyMachine}, Scope: both}
		m := factorial.Analyzers()[1].Pair(&p)[0].Body.(*factorial.MachineByFactor)
		if !m.Shares[0].Excludes(math.Exp(-.06)) {
			held++
		}
	}
	t.Logf("%d of %d", held, sessions)
	// A standard deviation of 4.9 at 95%; four of them either way.
	if held < 456 || held > 494 {
		t.Errorf("%d of %d intervals hold the truth, want 475", held, sessions)
	}
}

// TestOneMachineLacks says which side has no shares.
func TestOneMachineLacks(t *testing.T) {
	trials, plan := twoMachines(t, 4, .01, false)
	alter(trials, func(x record.Trial) bool { return x.Keys[record.KeyMachine] == "m2" && x.Cell == 3 }, void("steal"))
	got, err := judge.Compare(trials, nil, plan, judge.Options{})
	if err != nil || len(got.Pairs) != 1 || len(factorial.KindByFactor.All(got.Pairs[0])) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	m := factorial.KindByFactor.All(got.Pairs[0])[0]
	if m.Change != nil || len(m.Shares) != 0 || !flagged(m.Doubts,
		"m2: values are missing, so the factors' shares are unknown: tls=on heap=on") {
		t.Errorf("%+v", m)
	}
}

// TestExplanationsSayWhatFactorsDoToTheGap: TLS costs the second machine 3% of CPU time more than the first, and the
// heap nothing.
func TestExplanationsSayWhatFactorsDoToTheGap(t *testing.T) {
	trials, plan := twoMachines(t, 4, 0, true)
	a, b := gapped()
	for i, tr := range trials {
		if tr.Cell < 4 {
			continue
		}
		at := tr.Cell - 4
		beside := trials[slices.IndexFunc(trials, func(o record.Trial) bool {
			return o.Cell == at && o.Replicate == tr.Replicate
		})]
		for k, v := range beside.Values {
			if v.Name == factorial.AttributedCPU {
				trials[i].Values[k].Value = v.Value * math.Exp((a.at(at)-b.at(at))/2)
			}
		}
	}
	got, err := judge.Compare(trials, nil, plan, judge.Options{Explain: &judge.ExplainOptions{}})
	if err != nil || len(got.Pairs) != 1 || len(explain.KindExplain.All(got.Pairs[0])) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	said := 0
	for _, x := range explain.KindExplain.All(got.Pairs[0]) {
		if len(x.GapByFactor) != 2 {
			t.Fatalf("%+v", x)
		}
		close(t, "TLS", math.Log(x.GapByFactor[0].Ratio), .03)
		close(t, "heap", math.Log(x.GapByFactor[1].Ratio), 0)
		if flagged(x.More, "from tls=off to on, CPU time per operation of m2 over that of m1 rises by") {
			said++
		}
		if flagged(x.More, "heap=") {
			t.Errorf("more %q", x.More)
		}
	}
	if said != 1 {
		t.Errorf("said %d times", said)
	}
}
